/* peer_ort.c - graphs by ONNX Runtime. */
#include "bench.h"
#include "ort.h"

#include <stdlib.h>

/* ---- Running -----------------------------------------------------------------------------------
 */

typedef struct ort_state {
  void *session;
  void *inputs[MAX_PORTS], *outputs[MAX_PORTS];
  char names[2 * MAX_PORTS][16];
  const char *input_names[MAX_PORTS], *output_names[MAX_PORTS];
  size_t input_count, output_count;
} ort_state;

static void *tensor_over(const value_info *v, void *memory) {
  static const int types[] = {[WEBNN_FLOAT32] = 1, [WEBNN_FLOAT16] = 10, [WEBNN_INT32] = 6,
                              [WEBNN_INT64] = 7,   [WEBNN_INT8] = 3,     [WEBNN_UINT8] = 2};
  int64_t dimensions[WEBNN_MAX_RANK];
  void *tensor;
  for (uint32_t i = 0; i < v->shape.rank; i++)
    dimensions[i] = v->shape.d[i];
  ort_check(ort.create_tensor_with_data(ort.memory_info, memory, v->bytes, dimensions,
                                        v->shape.rank, types[v->type], &tensor));
  return tensor;
}

static void *create_session(const graph *g, uint32_t threads) {
  void *options = ort_options(threads), *session;
  if (g->onnx_path) {
    ort_check(ort.create_session(ort.env, g->onnx_path, options, &session));
  } else {
    size_t size;
    unsigned char *model = write_onnx(g, NULL, &size);
    ort_check(ort.create_session_from_array(ort.env, model, size, options, &session));
    free(model);
  }
  ort.release_session_options(options);
  return session;
}

static void ort_run(void *state) {
  ort_state *s = (ort_state *)state;
  ort_check(ort.run(s->session, NULL, s->input_names, s->inputs, s->input_count, s->output_names,
                    s->output_count, s->outputs));
}

static void ort_release(void *state) {
  ort_state *s = (ort_state *)state;
  for (size_t i = 0; i < s->input_count; i++)
    ort.release_value(s->inputs[i]);
  for (size_t i = 0; i < s->output_count; i++)
    ort.release_value(s->outputs[i]);
  ort.release_session(s->session);
  free(s);
}

static void bind(ort_state *s, const graph *g, runner *r) {
  s->input_count = (size_t)g->input_count;
  s->output_count = (size_t)g->output_count;
  for (int i = 0; i < g->input_count; i++) {
    const value_info *v = &g->values[g->inputs[i]];
    snprintf(s->names[i], sizeof s->names[i], "v%d", g->inputs[i]);
    s->input_names[i] = s->names[i];
    s->inputs[i] = tensor_over(v, v->data);
  }
  for (int i = 0; i < g->output_count; i++) {
    const value_info *v = &g->values[g->outputs[i]];
    snprintf(s->names[MAX_PORTS + i], sizeof s->names[i], "v%d", g->outputs[i]);
    s->output_names[i] = s->names[MAX_PORTS + i];
    r->outputs[i] = allocate(v->bytes);
    s->outputs[i] = tensor_over(v, r->outputs[i]);
  }
}

static bool ort_create(const graph *g, uint32_t threads, runner *r) {
  ort_state *s = (ort_state *)allocate(sizeof *s);
  s->session = create_session(g, threads);
  bind(s, g, r);
  r->state = s;
  r->run = ort_run;
  r->release = ort_release;
  return true;
}

const peer peer_ort = {"ort", open_ort, ort_create, false, false};
