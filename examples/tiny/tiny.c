/* tiny.c - WebNN in a hundred lines: a graph, three operators, loops.

   Calls describe a computation, and each returns an operand. compute() then computes the operands in
   the order of the calls. webnn.h works this way, too; docs/tour.md shows what it adds.

   Build and run:   cc tiny.c -o tiny -lm && ./tiny 1 2 3
   Read next:       ../hello/hello.c, a graph of webnn.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- A graph: operands, each with the operator that makes it ----------------------------------- */

enum { MOST_OPERANDS = 16, MOST_ELEMENTS = 16 };

typedef struct operand {
  int rows, columns;
  float values[MOST_ELEMENTS];   /* row by row */
  void (*run)(struct operand *); /* NULL: an input or a constant */
  const struct operand *a, *b;   /* what it is made of */
} operand;

typedef struct graph {
  operand operands[MOST_OPERANDS];
  int count;
} graph;

/* ---- Kernels: the loops of each operator ------------------------------------------------------- */

static void run_matmul(operand *y) {
  const operand *a = y->a, *b = y->b;
  for (int i = 0; i < y->rows; i++)
    for (int j = 0; j < y->columns; j++) {
      float sum = 0;
      for (int k = 0; k < a->columns; k++)
        sum += a->values[i * a->columns + k] * b->values[k * b->columns + j];
      y->values[i * y->columns + j] = sum;
    }
}

static void run_add(operand *y) {
  for (int i = 0; i < y->rows * y->columns; i++)
    y->values[i] = y->a->values[i] + y->b->values[i];
}

static void run_softmax(operand *y) {
  for (int i = 0; i < y->rows; i++) {
    const float *x = y->a->values + i * y->columns;
    float sum = 0;
    for (int j = 0; j < y->columns; j++)
      sum += expf(x[j]);
    for (int j = 0; j < y->columns; j++)
      y->values[i * y->columns + j] = expf(x[j]) / sum;
  }
}

/* ---- The builder: a method for each operator, which knows the shape of its result -------------- */

static operand *input(graph *g, int rows, int columns) {
  operand *y = &g->operands[g->count++];
  y->rows = rows;
  y->columns = columns;
  return y;
}

static operand *constant(graph *g, int rows, int columns, const float *values) {
  operand *y = input(g, rows, columns);
  for (int i = 0; i < rows * columns; i++)
    y->values[i] = values[i];
  return y;
}

static operand *result(operand *y, void (*run)(operand *), const operand *a, const operand *b) {
  y->run = run;
  y->a = a;
  y->b = b;
  return y;
}

static operand *matmul(graph *g, const operand *a, const operand *b) {
  return result(input(g, a->rows, b->columns), run_matmul, a, b);
}

static operand *add(graph *g, const operand *a, const operand *b) {
  return result(input(g, a->rows, a->columns), run_add, a, b);
}

static operand *softmax(graph *g, const operand *a) {
  return result(input(g, a->rows, a->columns), run_softmax, a, NULL);
}

/* ---- A network of one layer, and its run -------------------------------------------------------- */

static void compute(graph *g) {
  for (operand *y = g->operands; y < g->operands + g->count; y++)
    if (y->run)
      y->run(y);
}

static void print(const char *name, const operand *y) {
  printf("%s:", name);
  for (int i = 0; i < y->rows * y->columns; i++)
    printf(" %g", (double)y->values[i]);
  printf("\n");
}

int main(int count, char **arguments) {
  const float weights[6] = {1, 1, 1, 0, 1, -1}, biases[2] = {0, 9};
  static graph g;
  operand *x = input(&g, 1, 3);
  operand *product = matmul(&g, x, constant(&g, 3, 2, weights));
  operand *sum = add(&g, product, constant(&g, 1, 2, biases));
  operand *y = softmax(&g, sum);
  for (int i = 0; i < 3 && i + 1 < count; i++)
    x->values[i] = strtof(arguments[i + 1], NULL);
  compute(&g);
  print("product", product);
  print("sum", sum);
  print("y", y);
  return 0;
}
