/* Models of all kinds: which kind a file is, and opening it in a context. */
#include "model.h"
#ifdef USE_VULKAN
#include "webnn_vulkan.h"
#endif

#include <string.h>

/* The kinds of files, in the order in which they are asked; the last takes what is left. */
static const reader *const readers[] = {&onnx_reader, &stablehlo_reader, &graph_reader};

/* ---- Opening --------------------------------------------------------------------------------- */

#ifdef USE_VULKAN
static bool choose_backend(const request *r, webnn_context_options *options) {
  static webnn_vulkan_options device;
  device.device_name = r->session.device;
  if (r->vulkan) {
    options->backend = webnn_vulkan_backend();
    options->backend_options = &device;
  }
  return true;
}
#else
static bool choose_backend(const request *r, webnn_context_options *options) {
  (void)options;
  return !r->vulkan || complain(NULL, "--vulkan: this webnn was compiled without -DUSE_VULKAN");
}
#endif

static void take_packed(void *user, const void *data, size_t byte_length) {
  model *m = (model *)user;
  if (m->reader && m->reader->packed)
    m->reader->packed(m, data, byte_length);
}

static bool open_a_context(model *m) {
  const request *r = m->request;
  webnn_context_options options = WEBNN_ZERO;
  webnn_error error = WEBNN_ZERO;
  options.numerics = r->reference         ? WEBNN_NUMERICS_REFERENCE
                     : r->session.relaxed ? WEBNN_NUMERICS_RELAXED
                                          : WEBNN_NUMERICS_FAST;
  options.threads = (uint32_t)r->threads;
  options.max_tensor_byte_length = r->session.max_bytes;
  options.constant_packed = take_packed;
  options.constant_packed_user = m;
  return choose_backend(r, &options) &&
         (webnn_create_context(&options, &m->context, &error) == WEBNN_OK ||
          complain(NULL, "%s", error.message));
}

int model_read(model *m, const request *r, arena *memory, const char *path) {
  const size_t count = sizeof readers / sizeof *readers;
  size_t i = 0;
  memset(m, 0, sizeof *m);
  m->request = r;
  m->memory = memory;
  m->path = path;
  if (!open_a_context(m))
    return EXIT_BAD_INPUT;
  while (i < count && !(readers[i]->maps && readers[i]->is(path, "", 0)))
    i++;
  if (i < count) {
    m->reader = readers[i];
    return EXIT_RIGHT;
  }
  if (!no_onnx_options(&r->session, path))
    return EXIT_BAD_INPUT;
  m->text = text_read(memory, path, &m->length);
  if (!m->text)
    return EXIT_BAD_INPUT;
  i = 0;
  while (i + 1 < count && !readers[i]->is(path, m->text, m->length))
    i++;
  m->reader = readers[i];
  return EXIT_RIGHT;
}

int model_open(model *m, const request *r, arena *memory, const char *path) {
  const int status = model_read(m, r, memory, path);
  return status == EXIT_RIGHT ? m->reader->open(m) : status;
}

void model_close(model *m) {
  if (m->reader)
    m->reader->close(m);
  webnn_xla_free_program(m->program);
  webnn_free_graph(m->graph);
  webnn_free_context(m->context);
}
