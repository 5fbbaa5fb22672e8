/* The programs that call what is inside webnn.h, compiled once with it: the one runs whose name the program has
   been started by. Each can also be compiled by itself. */
#define main inside_main
#include "inside.c" /* the first, since it has the library call other functions than the system's */
#undef main
#define main fast_products_main
#include "fast_products.c"
#undef main
#define main fast_quantized_main
#include "fast_quantized.c"
#undef main
#define main fast_attention_main
#include "fast_attention.c"
#undef main
#define main reference_steps_main
#include "reference_steps.c"
#undef main

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  const char *name = argc > 0 ? (slash != NULL ? slash + 1 : argv[0]) : "";
  if (strcmp(name, "inside") == 0) {
    return inside_main(argc, argv);
  }
  if (strcmp(name, "fast_products") == 0) {
    return fast_products_main(argc, argv);
  }
  if (strcmp(name, "fast_quantized") == 0) {
    return fast_quantized_main(argc, argv);
  }
  if (strcmp(name, "fast_attention") == 0) {
    return fast_attention_main();
  }
  if (strcmp(name, "reference_steps") == 0) {
    return reference_steps_main();
  }
  printf("%s: the name has to be inside, fast_products, fast_quantized, fast_attention or "
         "reference_steps\n",
         name);
  return 2;
}
