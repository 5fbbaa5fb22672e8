/* A small backend, written as a companion of webnn.h is written: it is included after webnn.h's
   implementation and uses of that only what docs/internals.md lists under "Writing a backend". It
   computes with the reference kernels, but otherwise as a device with memory and a queue of its own
   does: programs come rewritten, constants are copied, work is queued by `run` and done by `wait`.
   A tiny_control says what its target accepts and which function is to fail, and counts. */
#ifndef TINY_BACKEND_H
#define TINY_BACKEND_H

#ifndef WEBNN_IMPLEMENTATION_INCLUDED
#error "tiny_backend.h comes after webnn.h's implementation, in the same file"
#elif WEBNN__BACKEND_VERSION != 4
#error "tiny_backend.h was written for version 1 of a backend's table"
#endif

typedef enum tiny_function {
  TINY_NONE,
  TINY_OPEN,
  TINY_CREATE_STORAGE,
  TINY_COMPILE,
  TINY_WRITE,
  TINY_READ,
  TINY_RUN,
  TINY_WAIT,
  TINY_WORK /* what was queued, when it is done at last */
} tiny_function;

typedef struct tiny_control {
  webnn__target target; /* it runs chains, and builds graphs with whatever else is asked */
  uint64_t max_tensor_byte_length; /* 0: any */
  tiny_function fails;
  bool silent;                              /* fails without a message */
  uint32_t devices, storages, plans;        /* that there are */
  uint32_t queued, done, waits;             /* how often */
  uint32_t chain_nodes, fused_nodes, views; /* of the programs it was given */
  uint32_t nhwc_nodes, mixed_nodes;         /* conv2d over such */
  uint32_t ohwi_nodes;                      /* conv2d with such filters */
  uint32_t packed_nodes;                    /* products with packed weights */
  uint32_t overwritten, misplaced;          /* values in place of operands; offsets not aligned */
  uint32_t exceeded;                        /* nodes that the target did not accept */
  uint64_t constants;                       /* bytes copied */
} tiny_control;

/* webnn_context_options.backend_options; needed until the context is created. */
typedef struct tiny_options {
  tiny_control *control;
} tiny_options;

#define TINY_ALIGNMENT 256

typedef struct tiny_work {
  struct tiny_work *next;
  struct tiny_plan *plan;
  struct tiny_storage **storages; /* inputs, then outputs */
} tiny_work;

typedef struct tiny_device {
  const webnn_context_options *options;
  tiny_control *control;
  webnn__mutex mutex; /* guards what follows, and the control */
  tiny_work *first, **last;
  webnn_status failed; /* of work; then nothing works any more */
} tiny_device;

typedef struct tiny_storage {
  unsigned char *data;
  unsigned char *memory; /* the caller's, or NULL */
  size_t byte_length;
} tiny_storage;

typedef struct tiny_plan {
  webnn__rewriting rewriting;
  webnn__placing placing;
  webnn__arena arena; /* holds all lists */
  const webnn__program *program;
  unsigned char *block, *memory; /* as allocated, and as aligned: values and scratch memory */
  void **constants;              /* of each value: a copy */
  void **operands;               /* room for those of one node */
} tiny_plan;

static webnn_status tiny_fail(const tiny_device *device, tiny_function function, const char *name,
                              webnn_error *error) {
  if (device->control->fails != function) {
    return WEBNN_OK;
  }
  return device->control->silent
             ? WEBNN_OPERATION_ERROR
             : webnn__fail(error, WEBNN_OPERATION_ERROR, "tiny: %s fails", name);
}

/* ---- Devices and storages ------------------------------------------------------------------- */

static webnn_status tiny_open(webnn_context *context, void **device, webnn_error *error) {
  const webnn_context_options *options = &context->options;
  const tiny_options *own = (const tiny_options *)options->backend_options;
  tiny_device *made;
  webnn_status status;
  if (own == NULL || own->control == NULL) {
    return webnn__fail(error, WEBNN_TYPE_ERROR, "createContext: tiny_options are missing");
  }
  made = (tiny_device *)webnn__allocate_zeroed(&options->allocator, sizeof *made);
  if (made == NULL) {
    return webnn__out_of_memory(error, "createContext");
  }
  made->options = options;
  made->control = own->control;
  made->last = &made->first;
  status = tiny_fail(made, TINY_OPEN, "open", error);
  if (status == WEBNN_OK && !webnn__mutex_create(&made->mutex)) {
    status = webnn__fail(error, WEBNN_UNKNOWN_ERROR, "createContext: no mutex");
  }
  if (status != WEBNN_OK) {
    webnn__release(&options->allocator, made);
    return status;
  }
  made->control->devices++;
  *device = made;
  return WEBNN_OK;
}

static void tiny_close(void *device_pointer) {
  tiny_device *device = (tiny_device *)device_pointer;
  device->control->devices--;
  webnn__mutex_destroy(&device->mutex);
  webnn__release(&device->options->allocator, device);
}

static void tiny_limits(void *device, webnn__device_limits *limits) {
  limits->preferred_input_layout = WEBNN_LAYOUT_NHWC;
  limits->max_tensor_byte_length = ((const tiny_device *)device)->control->max_tensor_byte_length;
}

static webnn_status tiny_create_storage(void *device_pointer, webnn_data_type type,
                                        uint64_t byte_length, void *memory, void **storage,
                                        webnn_error *error) {
  tiny_device *device = (tiny_device *)device_pointer;
  const webnn_allocator *allocator = &device->options->allocator;
  const webnn_status status = tiny_fail(device, TINY_CREATE_STORAGE, "create_storage", error);
  tiny_storage *made;
  (void)type;
  if (status != WEBNN_OK) {
    return status;
  }
  made = (tiny_storage *)webnn__allocate_zeroed(allocator, sizeof *made);
  if (made != NULL) {
    made->data = (unsigned char *)webnn__allocate_aligned(allocator, byte_length);
    made->memory = (unsigned char *)memory;
    made->byte_length = (size_t)byte_length;
  }
  if (made == NULL || made->data == NULL) {
    webnn__release(allocator, made);
    return webnn__out_of_memory(error, "createTensor");
  }
  webnn__mutex_lock(&device->mutex);
  device->control->storages++;
  webnn__mutex_unlock(&device->mutex);
  *storage = made;
  return WEBNN_OK;
}

/* ---- Work ----------------------------------------------------------------------------------- */

/* Where a value is while the plan runs. */
static void *tiny_at(const tiny_work *work, uint32_t value) {
  const tiny_plan *plan = work->plan;
  const uint32_t root = webnn__root(&plan->placing, value);
  const webnn__place *place = &plan->placing.places[root];
  switch (place->kind) {
  case WEBNN__PLACE_INPUT:
    return work->storages[place->index]->data;
  case WEBNN__PLACE_OUTPUT:
    return work->storages[plan->program->input_count + place->index]->data;
  case WEBNN__PLACE_CONSTANT:
    return plan->constants[root];
  default:
    return plan->memory + place->offset;
  }
}

static uint64_t tiny_round_up(uint64_t size) {
  return (size + TINY_ALIGNMENT - 1) / TINY_ALIGNMENT * TINY_ALIGNMENT;
}

/* A number of a chain's operator as an option of its type. */
static uint64_t tiny_option(webnn_data_type type, float number) {
  return type == WEBNN_FLOAT16   ? webnn_float32_to_float16(number)
         : type == WEBNN_FLOAT32 ? webnn__bits_of_float(number)
                                 : (uint64_t)(int64_t)number;
}

/* One operator of a chain, as if it were a node by itself. */
static bool tiny_run_link(const webnn_allocator *allocator, const webnn__value *values,
                          const webnn__chain_op *op, uint32_t result, void *const *memory) {
  webnn__node node;
  uint32_t inputs[3], i;
  void *operands[3];
  memset(&node, 0, sizeof node);
  for (i = 0; i < op->count; i++) {
    inputs[i] = op->x[i];
    operands[i] = memory[op->x[i]];
  }
  node.op = op->op;
  node.label = "";
  node.inputs = inputs;
  node.input_count = op->count;
  node.outputs = &result;
  node.output_count = 1;
  node.attributes.alpha = tiny_option(op->from, op->alpha);
  node.attributes.beta = tiny_option(op->from, op->beta);
  node.attributes.data_type = op->to;
  return webnn__run_reference(allocator, values, &node, operands, &memory[result]);
}

/* A chain: each of its operators fills a part of the scratch memory, and what others need is copied
   from there at the end, so that a result may lie over an operand. */
static bool tiny_run_chain(const webnn_allocator *allocator, const tiny_work *work,
                           uint32_t index) {
  const tiny_plan *plan = work->plan;
  const webnn__node *node = &plan->program->nodes[index];
  const webnn__chain_ops *ops = node->fused->chain;
  unsigned char *scratch = plan->memory + plan->placing.scratch_offsets[index];
  webnn__value values[WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_OPS];
  void *memory[WEBNN__CHAIN_INPUTS + WEBNN__CHAIN_OPS];
  uint32_t i;
  memset(values, 0, sizeof values);
  for (i = 0; i < node->input_count; i++) {
    values[i] = plan->program->values[node->inputs[i]];
    memory[i] = tiny_at(work, node->inputs[i]);
  }
  for (i = 0; i < ops->count; i++) {
    const uint32_t result = WEBNN__CHAIN_INPUTS + i;
    values[result].data_type = ops->ops[i].to;
    values[result].shape = ops->shape;
    memory[result] = scratch;
    scratch += tiny_round_up(webnn__value_bytes(&values[result]));
    if (!tiny_run_link(allocator, values, &ops->ops[i], result, memory)) {
      return false;
    }
  }
  for (i = 0; i < node->output_count; i++) {
    memcpy(tiny_at(work, node->outputs[i]), memory[ops->outputs[i]],
           (size_t)webnn__value_bytes(&values[ops->outputs[i]]));
  }
  return true;
}

static bool tiny_run_node(const webnn_allocator *allocator, const tiny_work *work, uint32_t index) {
  const tiny_plan *plan = work->plan;
  const webnn__node *node = &plan->program->nodes[index];
  uint32_t i;
  if (webnn__is_view(&plan->placing, index)) {
    return true;
  }
  if (node->op == WEBNN__OP_CHAIN) {
    return tiny_run_chain(allocator, work, index);
  }
  for (i = 0; i < node->input_count; i++) {
    plan->operands[i] = node->inputs[i] != WEBNN__NONE ? tiny_at(work, node->inputs[i]) : NULL;
  }
  for (i = 0; i < node->output_count; i++) {
    plan->operands[node->input_count + i] = tiny_at(work, node->outputs[i]);
  }
  return webnn__run_reference(allocator, plan->program->values, node, plan->operands,
                              plan->operands + node->input_count);
}

/* Outputs that were not computed where they are: further names of one value, inputs, constants. */
static void tiny_give_outputs(const tiny_work *work) {
  const webnn__program *program = work->plan->program;
  uint32_t i;
  for (i = 0; i < program->output_count; i++) {
    tiny_storage *output = work->storages[program->input_count + i];
    const void *data = tiny_at(work, program->outputs[i].value);
    if (data != output->data) {
      memcpy(output->data, data, output->byte_length);
    }
    if (output->memory != NULL) {
      memcpy(output->memory, output->data, output->byte_length);
    }
  }
}

static webnn_status tiny_do(const tiny_device *device, const tiny_work *work, webnn_error *error) {
  const webnn__program *program = work->plan->program;
  const webnn_status status = tiny_fail(device, TINY_WORK, "work", error);
  uint32_t i;
  if (status != WEBNN_OK) {
    return status;
  }
  for (i = 0; i < program->input_count; i++) {
    if (work->storages[i]->memory != NULL) {
      memcpy(work->storages[i]->data, work->storages[i]->memory, work->storages[i]->byte_length);
    }
  }
  for (i = 0; i < program->input_count; i++) { /* donated, but needed once its tensor is written */
    if (work->plan->placing.places[program->inputs[i].value].kind == WEBNN__PLACE_ARENA) {
      memcpy(tiny_at(work, program->inputs[i].value), work->storages[i]->data,
             (size_t)webnn__value_bytes(&program->values[program->inputs[i].value]));
    }
  }
  for (i = 0; i < program->node_count; i++) {
    if (!tiny_run_node(&device->options->allocator, work, i)) {
      return webnn__out_of_memory(error, "dispatch");
    }
  }
  tiny_give_outputs(work);
  return WEBNN_OK;
}

/* With the mutex held: does all that is queued. What fails makes everything after it fail. */
static webnn_status tiny_finish(tiny_device *device, webnn_error *error) {
  while (device->first != NULL) {
    tiny_work *work = device->first;
    if (device->failed == WEBNN_OK) {
      device->failed = tiny_do(device, work, error);
      device->control->done++;
    }
    device->first = work->next;
    webnn__release(&device->options->allocator, work);
  }
  device->last = &device->first;
  return device->failed;
}

static webnn_status tiny_wait(void *device_pointer, webnn_error *error) {
  tiny_device *device = (tiny_device *)device_pointer;
  webnn_status status = tiny_fail(device, TINY_WAIT, "wait", error);
  webnn__mutex_lock(&device->mutex);
  device->control->waits++;
  status = status == WEBNN_OK ? tiny_finish(device, error) : status;
  webnn__mutex_unlock(&device->mutex);
  return status;
}

/* Queued work may need what is released. */
static void tiny_release_storage(void *device_pointer, void *storage_pointer) {
  tiny_device *device = (tiny_device *)device_pointer;
  tiny_storage *storage = (tiny_storage *)storage_pointer;
  webnn__mutex_lock(&device->mutex);
  (void)tiny_finish(device, NULL);
  device->control->storages--;
  webnn__mutex_unlock(&device->mutex);
  webnn__release_aligned(&device->options->allocator, storage->data);
  webnn__release(&device->options->allocator, storage);
}

static webnn_status tiny_write(void *device_pointer, void *storage_pointer, const void *data,
                               uint64_t byte_length, webnn_error *error) {
  tiny_device *device = (tiny_device *)device_pointer;
  tiny_storage *storage = (tiny_storage *)storage_pointer;
  webnn_status status = tiny_fail(device, TINY_WRITE, "write", error);
  webnn__mutex_lock(&device->mutex);
  status = status == WEBNN_OK ? tiny_finish(device, error) : status;
  webnn__mutex_unlock(&device->mutex);
  if (status == WEBNN_OK) {
    memmove(storage->memory != NULL ? storage->memory : storage->data, data, (size_t)byte_length);
  }
  return status;
}

static webnn_status tiny_read(void *device_pointer, void *storage_pointer, void *data,
                              uint64_t byte_length, webnn_error *error) {
  const tiny_storage *storage = (const tiny_storage *)storage_pointer;
  const webnn_status status =
      tiny_fail((const tiny_device *)device_pointer, TINY_READ, "read", error);
  if (status == WEBNN_OK) { /* `wait` was called */
    memmove(data, storage->memory != NULL ? storage->memory : storage->data, (size_t)byte_length);
  }
  return status;
}

static webnn_status tiny_run(void *device_pointer, void *plan, void *const *inputs,
                             void *const *outputs, webnn_error *error) {
  tiny_device *device = (tiny_device *)device_pointer;
  const webnn__program *program = ((const tiny_plan *)plan)->program;
  const uint64_t count = (uint64_t)program->input_count + program->output_count;
  const webnn_status status = tiny_fail(device, TINY_RUN, "run", error);
  tiny_work *work;
  uint32_t i;
  if (status != WEBNN_OK) {
    return status;
  }
  work = (tiny_work *)webnn__allocate(&device->options->allocator,
                                      sizeof *work + count * sizeof *work->storages);
  if (work == NULL) {
    return webnn__out_of_memory(error, "dispatch");
  }
  work->next = NULL;
  work->plan = (tiny_plan *)plan;
  work->storages = (tiny_storage **)(void *)(work + 1);
  for (i = 0; i < count; i++) {
    work->storages[i] =
        (tiny_storage *)(i < program->input_count ? inputs[i] : outputs[i - program->input_count]);
  }
  webnn__mutex_lock(&device->mutex);
  device->control->queued++;
  *device->last = work;
  device->last = &work->next;
  webnn__mutex_unlock(&device->mutex);
  return WEBNN_OK;
}

/* ---- Plans ---------------------------------------------------------------------------------- */

static void tiny_release_lists(const webnn_allocator *allocator, tiny_plan *plan) {
  uint32_t i;
  for (i = 0; plan->constants != NULL && i < plan->program->value_count; i++) {
    webnn__release_aligned(allocator, plan->constants[i]);
  }
  webnn__release(allocator, plan->block);
  webnn__arena_release(&plan->arena);
  webnn__release_rewriting(&plan->rewriting);
  webnn__release(allocator, plan);
}

static void tiny_release_plan(void *device_pointer, void *plan) {
  tiny_device *device = (tiny_device *)device_pointer;
  webnn__mutex_lock(&device->mutex);
  (void)tiny_finish(device, NULL);
  device->control->plans--;
  webnn__mutex_unlock(&device->mutex);
  tiny_release_lists(&device->options->allocator, (tiny_plan *)plan);
}

/* Passes make of the graph's program one for this target. */
static bool tiny_rewrite(const tiny_device *device, const webnn__program *program,
                         tiny_plan *plan) {
  bool done;
  plan->rewriting.allocator = &device->options->allocator;
  plan->rewriting.target = &device->control->target;
  plan->rewriting.disabled_passes = device->options->disabled_passes;
  plan->rewriting.program = program;
  done = webnn__run_passes(&plan->rewriting);
  plan->rewriting.target = NULL;
  plan->program = plan->rewriting.program;
  return done;
}

/* Only chains write their results when they need no operand any more. */
static bool tiny_overwrites(void *plan, uint32_t index, uint32_t input) {
  (void)input;
  return ((const tiny_plan *)plan)->program->nodes[index].op == WEBNN__OP_CHAIN;
}

static uint64_t tiny_scratch(void *plan, uint32_t index) {
  const webnn__node *node = &((const tiny_plan *)plan)->program->nodes[index];
  uint64_t size = 0;
  uint32_t i;
  for (i = 0; node->op == WEBNN__OP_CHAIN && i < node->fused->chain->count; i++) {
    webnn__value value;
    memset(&value, 0, sizeof value);
    value.data_type = node->fused->chain->ops[i].to;
    value.shape = node->fused->chain->shape;
    size = tiny_round_up(size) + webnn__value_bytes(&value);
  }
  return size;
}

static bool tiny_place(const tiny_device *device, tiny_plan *plan) {
  const webnn_allocator *allocator = &device->options->allocator;
  plan->placing.program = plan->program;
  plan->placing.memory = &plan->arena;
  plan->placing.disabled_passes = device->options->disabled_passes;
  plan->placing.alignment = TINY_ALIGNMENT;
  plan->placing.overwrites = tiny_overwrites;
  plan->placing.scratch = tiny_scratch;
  plan->placing.user = plan;
  if (!webnn__place_values(&plan->placing)) {
    return false;
  }
  plan->block = (unsigned char *)webnn__allocate(allocator, plan->placing.size + TINY_ALIGNMENT);
  if (plan->block == NULL) {
    return false;
  }
  plan->memory = plan->block + (TINY_ALIGNMENT - (uintptr_t)plan->block % TINY_ALIGNMENT);
  return true;
}

/* Copies the constants, as a device takes them into its own memory. */
static bool tiny_take_constants(const tiny_device *device, tiny_plan *plan) {
  const webnn__program *program = plan->program;
  uint32_t i, most = 0;
  plan->constants = (void **)webnn__arena_take(&plan->arena, program->value_count * sizeof(void *));
  for (i = 0; i < program->node_count; i++) {
    const uint32_t operands = program->nodes[i].input_count + program->nodes[i].output_count;
    most = operands > most ? operands : most;
  }
  plan->operands = (void **)webnn__arena_take(&plan->arena, most * sizeof(void *));
  if (plan->constants == NULL || plan->operands == NULL) {
    return false;
  }
  for (i = 0; i < program->value_count; i++) {
    const webnn__block *block = program->values[i].constant;
    if (block == NULL) {
      continue;
    }
    plan->constants[i] = webnn__allocate_aligned(&device->options->allocator, block->byte_length);
    if (plan->constants[i] == NULL) {
      return false;
    }
    memcpy(plan->constants[i], block->memory, (size_t)block->byte_length);
  }
  return true;
}

/* Is this chain within what the target says? */
static bool tiny_accepts_chain(const webnn__target *target, const webnn__node *node) {
  const webnn__chain_ops *ops = node->fused->chain;
  uint32_t i;
  for (i = 0; i < ops->count; i++) {
    if ((target->chain_types >> ops->ops[i].from & target->chain_types >> ops->ops[i].to & 1) ==
        0) {
      return false;
    }
  }
  return ops->count <= target->chain_ops && node->input_count <= target->chain_inputs &&
         node->output_count <= target->chain_outputs;
}

/* What the target must fuse into products to run this one. */
static uint32_t tiny_fused_into(const webnn__node *node) {
  const bool low = webnn__bits_of_float(node->fused->low) != 0xff800000u;
  const bool high = webnn__bits_of_float(node->fused->high) != 0x7f800000u;
  const bool turned =
      node->op == WEBNN_OP_MATMUL && (node->attributes.a_transpose || node->attributes.b_transpose);
  return (turned ? (uint32_t)WEBNN__FUSES_TRANSPOSES : 0u) |
         (node->op == WEBNN_OP_MATMUL && node->inputs[2] != WEBNN__NONE
              ? (uint32_t)WEBNN__FUSES_BIAS
              : 0u) |
         (node->inputs[3] != WEBNN__NONE ? (uint32_t)WEBNN__FUSES_RESIDUAL : 0u) |
         (low || high ? (uint32_t)WEBNN__FUSES_BOUNDS : 0u);
}

/* Is it a product of floats whose weights are what dequantizeLinear would read? */
static bool tiny_is_packed(const webnn__node *node) {
  return node->fused != NULL && !node->fused->quantized && node->input_count > WEBNN__W_SCALE &&
         node->inputs[WEBNN__W_SCALE] != WEBNN__NONE;
}

/* Is this node? */
static bool tiny_accepts(const webnn__target *target, const webnn__program *program,
                         const webnn__node *node) {
  const webnn_data_type type = program->values[node->outputs[0]].data_type;
  if (node->fused == NULL) {
    return (unsigned)node->op < WEBNN_OP_COUNT;
  }
  if (node->op == WEBNN__OP_CHAIN) {
    return tiny_accepts_chain(target, node);
  }
  if (node->fused->chain != NULL) {
    return target->reduces_chains && tiny_accepts_chain(target, node);
  }
  if (node->op == WEBNN__OP_ATTENTION) {
    return node->fused->attention->depth <= target->attention_depth &&
           node->fused->attention->value_depth <= target->attention_depth &&
           (target->product_types >> type & 1) != 0;
  }
  if (node->fused->quantized) {
    return target->quantized_taps > 0;
  }
  if (tiny_is_packed(node)) {
    return (target->packed_types >> program->values[node->inputs[1]].data_type & 1) != 0;
  }
  return (target->product_types >> type & 1) != 0 && (tiny_fused_into(node) & ~target->fuses) == 0;
}

/* Notes what the passes have done, and tells the caller which constants are copied. */
static void tiny_note(tiny_device *device, const tiny_plan *plan) {
  const webnn__program *program = plan->program;
  tiny_control *control = device->control;
  uint32_t i;
  webnn__mutex_lock(&device->mutex);
  control->plans++;
  for (i = 0; i < program->node_count; i++) {
    const webnn__node *node = &program->nodes[i];
    const uint32_t output = node->outputs[node->output_count - 1];
    const webnn__place *place = &plan->placing.places[output];
    const bool view = webnn__is_view(&plan->placing, i);
    control->chain_nodes += node->op == WEBNN__OP_CHAIN ? 1 : 0;
    control->fused_nodes += node->fused != NULL ? 1 : 0;
    control->packed_nodes += tiny_is_packed(node) ? 1 : 0;
    control->views += view ? 1 : 0;
    if (node->op == WEBNN_OP_CONV2D) {
      control->nhwc_nodes += node->attributes.input_layout == WEBNN_LAYOUT_NHWC ? 1 : 0;
      control->ohwi_nodes += node->attributes.filter_layout == WEBNN__FILTER_OHWI ? 1 : 0;
      control->mixed_nodes +=
          program->values[node->inputs[0]].data_type != program->values[node->inputs[1]].data_type
              ? 1
              : 0;
    }
    control->exceeded += tiny_accepts(&control->target, program, node) ? 0 : 1;
    if (!view && place->kind == WEBNN__PLACE_VIEW) {
      control->overwritten++;
      control->exceeded += node->op == WEBNN__OP_CHAIN ? 0 : 1;
    }
    control->misplaced += place->offset % TINY_ALIGNMENT != 0 ||
                                  plan->placing.scratch_offsets[i] % TINY_ALIGNMENT != 0
                              ? 1
                              : 0;
  }
  webnn__mutex_unlock(&device->mutex);
  for (i = 0; i < program->value_count; i++) {
    if (program->values[i].constant != NULL) {
      control->constants += program->values[i].constant->byte_length;
      webnn__tell_taken(device->options, program->values[i].constant);
    }
  }
}

static webnn_status tiny_compile(void *device_pointer, const webnn__program *program, void **plan,
                                 webnn_error *error) {
  tiny_device *device = (tiny_device *)device_pointer;
  const webnn_allocator *allocator = &device->options->allocator;
  const webnn_status status = tiny_fail(device, TINY_COMPILE, "compile", error);
  tiny_plan *made;
  if (status != WEBNN_OK) {
    return status;
  }
  made = (tiny_plan *)webnn__allocate_zeroed(allocator, sizeof *made);
  if (made == NULL) {
    return webnn__out_of_memory(error, "build");
  }
  made->arena.allocator = allocator;
  if (!tiny_rewrite(device, program, made) || !tiny_place(device, made) ||
      !tiny_take_constants(device, made)) {
    tiny_release_lists(allocator, made);
    return webnn__out_of_memory(error, "build");
  }
  tiny_note(device, made);
  *plan = made;
  return WEBNN_OK;
}

static const webnn_backend tiny_backend = {
    WEBNN__BACKEND_VERSION,
    "tiny",
    true,
    false,
    tiny_open,
    tiny_close,
    tiny_limits,
    tiny_create_storage,
    tiny_release_storage,
    tiny_write,
    tiny_read,
    tiny_wait,
    tiny_compile,
    tiny_release_plan,
    tiny_run,
    NULL, /* tap */
    NULL, /* profile, profiled */
    NULL,
    NULL, /* memory */
    NULL, /* undecided */
    NULL, /* lacks_kernel */
    NULL, /* print_steps */
};

#endif
