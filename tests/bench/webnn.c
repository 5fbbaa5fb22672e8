/* webnn.c - the implementation, by itself, so that it is compiled once. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
#ifdef HAVE_VULKAN
#define WEBNN_VULKAN_IMPLEMENTATION
#include "webnn_vulkan.h"
#endif

#include "bench.h"
#include <stdlib.h>

/* Bytes of constants that a step reads in each run, packed or as they are. */
static double weight_bytes(const webnn__step *step) {
  double bytes = (double)step->packed_size;
  for (uint32_t i = 0; i < step->node->input_count && step->packed_size == 0; i++) {
    const webnn__view *x = &step->call.x[i];
    bytes += x->is_constant ? (double)x->count * (double)webnn_data_type_bits(x->type) / 8 : 0;
  }
  return bytes;
}

phase_work *plan_work(webnn_graph *made, size_t *count) {
  webnn__plan *plan = (webnn__plan *)made->plan;
  phase_work *list;
  size_t n = 0;
  plan->cpu->pool.spin = WEBNN__SPIN * 1000; /* as on a machine with as many processors */
  webnn__cut_steps(plan);
  for (uint32_t i = 0; i < plan->program->node_count; i++)
    n += plan->steps[i].phase_count;
  list = (phase_work *)allocate((n + 1) * sizeof *list);
  *count = n;
  n = 0;
  for (uint32_t i = 0; i < plan->program->node_count; i++) {
    const webnn__step *step = &plan->steps[i];
    const webnn__measured *m = plan->measured ? &plan->measured[i] : NULL;
    double expected = 0;
    for (uint32_t j = 0; j < step->phase_count; j++)
      expected += (double)step->phases[j].items * (double)step->phases[j].cost;
    for (uint32_t j = 0; j < step->phase_count; j++) {
      const webnn__phase *phase = &step->phases[j];
      const double part =
          (double)phase->items * (double)phase->cost / (expected > 0 ? expected : 1);
      phase_work *w = &list[n++];
      w->slices = phase->slices;
      w->wake = phase->wake;
      w->nanoseconds = m && m->calls ? part * (double)m->nanoseconds / (double)m->calls : 0;
      w->bytes = part * weight_bytes(step);
    }
  }
  return list;
}

#ifdef HAVE_VULKAN
uint32_t *compile_kernel(const char *text, size_t *count) {
  const webnn_allocator allocator = {webnn__default_allocate, webnn__default_release, NULL};
  const webnn_vk__compile_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  uint32_t *words, *copy;
  if (webnn_vk__compile_kernel(&allocator, text, &options, &words, count, &error) != WEBNN_OK)
    fail("%s", error.message);
  copy = (uint32_t *)allocate(*count * sizeof *copy);
  memcpy(copy, words, *count * sizeof *copy);
  webnn__release(&allocator, words);
  return copy;
}
#endif
