/* webnn_weights.h - tensors in files for webnn.h - MIT No Attribution (at the end of webnn.h)
   SPDX-License-Identifier: MIT-0

   Turns named tensors of a file into constants, for networks that are written by hand. Reads NPY,
   NPZ and safetensors files, writes NPY and safetensors. In ONE source file write

       #define WEBNN_IMPLEMENTATION
       #include "webnn.h"
       #define WEBNN_WEIGHTS_IMPLEMENTATION
       #include "webnn_weights.h"

   and in the others only the #include. This is a whole program, with <stdio.h>:

       int main(void) {
         webnn_error error = WEBNN_ZERO;
         webnn_context *context = NULL;
         webnn_builder *b = NULL;
         webnn_graph *graph = NULL;
         webnn_weights *w = NULL;
         float in[2] = {1, 2}, out[3];
         webnn_create_context(NULL, &context, &error);
         webnn_create_builder(context, &b, &error);
         webnn_weights_open("model.safetensors", &w, &error);
         webnn_operand *x = webnn_input(b, "x", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 1, 2));
         webnn_operand *matrix = webnn_weights_constant(
             w, b, "dense.weight", WEBNN_DESCRIPTOR(WEBNN_FLOAT32, 2, 3), &error);
         webnn_operand *bias =
             webnn_weights_constant(w, b, "dense.bias", WEBNN_WEIGHTS_ANY, &error);
         webnn_operand *y = webnn_add(b, webnn_matmul(b, x, matrix, NULL), bias, NULL);
         webnn_build(b, WEBNN_NAMED_OPERANDS({"y", y}), &graph, &error);
         webnn_compute(context, graph, WEBNN_INPUTS({"x", in, sizeof in}),
                       WEBNN_OUTPUTS({"y", out, sizeof out}), &error);
         puts(error.status == WEBNN_OK ? "done" : error.message);
         webnn_free_graph(graph);
         webnn_free_builder(b);
         webnn_weights_free(w);
         webnn_free_context(context);
       }

   WHAT IS READ
   - NPY of versions 1 to 3 as numpy.save writes them, in either byte order and in row-major or
     column-major order (fortran_order). The tensor has the name of the file without its ending.
   - NPZ as numpy.savez writes them. Compressed members are refused, checksums are not checked.
   - safetensors, and several such files by their index (model.safetensors.index.json).

   MEMORY
   Files are mapped, or read if the system cannot map them. Constants borrow the bytes of the file.
   Elements that a graph cannot use in place (not aligned, in the other byte order, in column-major
   order, to be converted) are copied once, and the copy is kept with the weights.

   TYPES
   All types of WebNN are read. bool is uint8. bfloat16 and float64 become float32, int16 becomes
   int32 and uint16 becomes uint32, but only for callers who ask for the resulting type; float64 is
   rounded to nearest. Elements of 4 bits are stored either packed as in WebNN, in a uint8 tensor of
   one dimension (the number of bytes), or each in an int8 or uint8; the caller has to ask for int4
   or uint4.

   Errors are as in webnn.h, and begin with the file:

       model.safetensors: no tensor "conv1.wieght" among 52; near: "conv1.weight", "conv2.weight"
       model.safetensors: byte 207: "fc.bias" and "fc.weight" share bytes

   One thread at a time, whichever it is, may use weights. */
#ifndef WEBNN_WEIGHTS_H
#define WEBNN_WEIGHTS_H

#include "webnn.h"

#ifndef WEBNN_WEIGHTS_API
#ifdef WEBNN_WEIGHTS_STATIC
#if defined(__GNUC__) || defined(__clang__)
#define WEBNN_WEIGHTS_API static __attribute__((unused))
#else
#define WEBNN_WEIGHTS_API static
#endif
#else
#define WEBNN_WEIGHTS_API extern
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The tensors of a file, or of an index and its files. */
typedef struct webnn_weights webnn_weights;

/* Opens a file. Its kind follows from its name (.npy, .npz, .safetensors, or .json for an index),
   or from its first bytes if the name has another ending. The file must not change until the
   weights are freed. *weights is NULL on failure: TypeError (malformed, with the byte),
   NotSupportedError (compressed members), OperationError (a file that cannot be read), UnknownError
   (memory). Any thread. */
WEBNN_WEIGHTS_API webnn_status webnn_weights_open(const char *path, webnn_weights **weights,
                                                  webnn_error *error);
/* The same for a file in memory, which must stay unchanged until the weights are freed. `name` is
   the name of the file, for messages and for its kind, as above. An index is refused. */
WEBNN_WEIGHTS_API webnn_status webnn_weights_read(const void *bytes, size_t length,
                                                  const char *name, webnn_weights **weights,
                                                  webnn_error *error);
/* Frees the weights. First free the builders that took constants from the weights, and the graphs
   of these builders. NULL: nothing. */
WEBNN_WEIGHTS_API void webnn_weights_free(webnn_weights *weights);

/* A tensor. Members that the weights fill in live as long as the weights. */
typedef struct webnn_weights_tensor {
  const char *name; /* UTF-8 */
  const char
      *type; /* of the elements in the file: a name of WebNN's, "bool", "bfloat16", "float64",
                       "int16", "uint16", or the file's name of a type that is not read. In a
                       tensor to write, NULL: the descriptor's */
  webnn_operand_descriptor descriptor; /* as in a graph */
  const void *data;                    /* of this type, in row-major order, aligned to an element */
  size_t byte_length;                  /* of the data */
} webnn_weights_tensor;

/* Returns the number of tensors; the first `capacity` go to `tensors` (may be NULL), in the order
   of the file and without data. The descriptor is one that webnn_weights_get accepts: if WebNN
   lacks the file's type, the data type is the one that the file's type converts to, or 0 if there
   is none. A shape may have dimensions of 0, or more than WEBNN_MAX_RANK dimensions; these are
   refused when the tensor is asked for. */
WEBNN_WEIGHTS_API size_t webnn_weights_list(const webnn_weights *weights,
                                            webnn_weights_tensor *tensors, size_t capacity);

/* Any data type and shape. */
#ifdef __cplusplus
#define WEBNN_WEIGHTS_ANY (webnn_operand_descriptor{})
#else
#define WEBNN_WEIGHTS_ANY ((webnn_operand_descriptor)WEBNN_ZERO)
#endif

/* A tensor by its name; the name NULL means the only one. If `expected` has a data type or a shape,
   the tensor must have the same; a type that the file's type converts to is allowed, as above.
   Errors: TypeError (no such tensor, another type or shape), NotSupportedError (a type or shape
   that WebNN lacks), UnknownError (memory). */
WEBNN_WEIGHTS_API webnn_status webnn_weights_get(webnn_weights *weights, const char *name,
                                                 webnn_operand_descriptor expected,
                                                 webnn_weights_tensor *tensor, webnn_error *error);
/* The same as a constant of a builder; NULL on failure, and then the builder builds no graph. The
   error is written only while its status is WEBNN_OK, so that a sequence of calls without checks,
   webnn_build included, keeps the first error. The builder's thread. */
WEBNN_WEIGHTS_API webnn_operand *webnn_weights_constant(webnn_weights *weights,
                                                        webnn_builder *builder, const char *name,
                                                        webnn_operand_descriptor expected,
                                                        webnn_error *error);

typedef enum webnn_weights_format {
  WEBNN_WEIGHTS_NPY = 1, /* one tensor, whose name is not written */
  WEBNN_WEIGHTS_SAFETENSORS
} webnn_weights_format;

/* Writes tensors in a format; the bytes go to `write`, in pieces. `type` may be one that is
   converted when it is read, or for a 4-bit type "int8" or "uint8", which gives each element a
   byte. Without it elements of 4 bits are packed in safetensors, and have a byte each in NPY. In
   safetensors tensors of larger elements come first, so that all are aligned. A tensor may have no
   elements (a size is 0), though no graph and no reader here takes one. Errors: TypeError (a
   descriptor, byte_length, name or element), NotSupportedError (NPY has no bfloat16), UnknownError
   (memory); then nothing has been written. Any thread. */
WEBNN_WEIGHTS_API webnn_status webnn_weights_write(webnn_weights_format format,
                                                   const webnn_weights_tensor *tensors,
                                                   size_t count, webnn_writer write, void *user,
                                                   webnn_error *error);
/* The same to a file whose name ends in .npy or .safetensors. It is written as PATH.part and
   renamed when it is complete, replacing an older file; weights that are mapped from the older file
   stay valid, unless the system (Windows) refuses to replace it. A file that cannot be written is
   an OperationError. */
WEBNN_WEIGHTS_API webnn_status webnn_weights_write_file(const char *path,
                                                        const webnn_weights_tensor *tensors,
                                                        size_t count, webnn_error *error);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* WEBNN_WEIGHTS_H */

#if defined(WEBNN_WEIGHTS_IMPLEMENTATION) && !defined(WEBNN_WEIGHTS_IMPLEMENTATION_INCLUDED)
#define WEBNN_WEIGHTS_IMPLEMENTATION_INCLUDED

/* ==============================================================================================
   THE IMPLEMENTATION

      1  memory       arenas, errors, names as messages show them
      2  types        the element types of files
      3  files        mapped, or read
      4  entries      the tensors of files, by name
      5  text         JSON, and the part of Python's literals that NPY has
      6  NPY
      7  NPZ
      8  safetensors  and its index
      9  elements     in the form that graphs take
      10 asking       what is expected, what is there, near names
      11 writing      elements in the form of files, headers
      12 interface    the public functions

   Words: an entry is a tensor as a file describes it. A graph type is WebNN's type for a type of
   files.
   ============================================================================================== */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#elif defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#define WEBNN_WEIGHTS__POSIX
#endif

/* The longest header of safetensors, as its own library has it, and the longest index. */
#define WEBNN_WEIGHTS__MAX_JSON 100000000u
/* The longest header of NPY. */
#define WEBNN_WEIGHTS__MAX_HEADER 1048576u
/* Lists and objects in parts of an index that are passed over may be nested so deep. */
#define WEBNN_WEIGHTS__MAX_NESTING 32
/* The elements of an NPY file and of a safetensors file begin at multiples of these. */
#define WEBNN_WEIGHTS__NPY_ALIGNMENT 64u
#define WEBNN_WEIGHTS__ALIGNMENT 8u
/* The member of __metadata__ by which rustnn marks a file whose elements of 4 bits are packed. */
#define WEBNN_WEIGHTS__PACKED "rustnn.webnn.packed4"

/* ---- 1 memory -------------------------------------------------------------------------------- */

typedef struct webnn_weights__block {
  struct webnn_weights__block *next;
  size_t used, size;
} webnn_weights__block;

/* What stands before the memory of a block, which is aligned for any element. */
#define WEBNN_WEIGHTS__HEAD ((sizeof(webnn_weights__block) + 15) / 16 * 16)

typedef struct webnn_weights__type webnn_weights__type;
typedef struct webnn_weights__file webnn_weights__file;
typedef struct webnn_weights__entry webnn_weights__entry;

struct webnn_weights {
  webnn_weights__block *blocks;
  webnn_weights__file *files;
  webnn_weights__entry *first, **end; /* in the order of the file; where the next one is linked */
  webnn_weights__entry **by_name;
  size_t count;
  const char *path;          /* as it was opened */
  webnn_weights__file *file; /* that is looked at, for messages */
  webnn_error *error;        /* of the call that runs */
  webnn_status status;       /* of its failure */
};

/* The length of the well-formed UTF-8 sequence at `at`; 0: there is none. */
static size_t webnn_weights__utf8_length(const uint8_t *at, const uint8_t *end) {
  const uint8_t first = *at;
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                                       : 4;
  size_t i;
  if (length == 0 || first > 0xF4 || (size_t)(end - at) < length) {
    return 0;
  }
  for (i = 1; i < length; i++) {
    if ((at[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  if ((first == 0xE0 && at[1] < 0xA0) || (first == 0xED && at[1] > 0x9F) ||
      (first == 0xF0 && at[1] < 0x90) || (first == 0xF4 && at[1] > 0x8F)) {
    return 0;
  }
  return length;
}

/* Puts '?' in place of control characters and of what is not UTF-8, as it comes from names. */
static void webnn_weights__tidy(char *text) {
  uint8_t *at = (uint8_t *)text, *end = at + strlen(text);
  while (at < end) {
    const size_t length = webnn_weights__utf8_length(at, end);
    if (length == 0 || *at < 32 || *at == 127) {
      *at = '?';
    }
    at += length > 0 ? length : 1;
  }
}

/* The compiler checks a message's arguments: argument `text` is the format, those from
   `first` on are shown. */
#if defined(__MINGW_PRINTF_FORMAT)
#define WEBNN_WEIGHTS__PRINTF(text, first)                                                         \
  __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__) || defined(__clang__)
#define WEBNN_WEIGHTS__PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define WEBNN_WEIGHTS__PRINTF(text, first)
#endif

static webnn_status webnn_weights__set_error(webnn_error *error, webnn_status status,
                                             const char *format, ...) WEBNN_WEIGHTS__PRINTF(3, 4);
static webnn_status webnn_weights__set_error(webnn_error *error, webnn_status status,
                                             const char *format, ...) {
  va_list arguments;
  if (error != NULL) {
    error->status = status;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    webnn_weights__tidy(error->message);
  }
  return status;
}

/* A handle that an earlier failure left NULL: the first cause stays. */
static webnn_status webnn_weights__no_handle(webnn_error *error, const char *what) {
  if (error != NULL && error->status != WEBNN_OK) {
    return error->status;
  }
  return webnn_weights__set_error(error, WEBNN_TYPE_ERROR, "%s", what);
}

/* Text for a message, in which names have at most 80 bytes. */
typedef struct webnn_weights__shown {
  char text[96];
} webnn_weights__shown;

static const char *webnn_weights__path(const webnn_weights *w);
static const uint8_t *webnn_weights__begin(const webnn_weights *w);

static bool webnn_weights__fail(webnn_weights *w, webnn_status status, const char *format, ...)
    WEBNN_WEIGHTS__PRINTF(3, 4);
/* Records why a call fails; false, so that it can be returned. */
static bool webnn_weights__fail(webnn_weights *w, webnn_status status, const char *format, ...) {
  char message[sizeof w->error->message];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  w->status = webnn_weights__set_error(w->error, status, "%s: %s", webnn_weights__path(w), message);
  return false;
}

static bool webnn_weights__wrong(webnn_weights *w, const uint8_t *at, const char *format, ...)
    WEBNN_WEIGHTS__PRINTF(3, 4);
/* The same of a byte of the file that is not as it should be. */
static bool webnn_weights__wrong(webnn_weights *w, const uint8_t *at, const char *format, ...) {
  char message[sizeof w->error->message];
  va_list arguments;
  va_start(arguments, format);
  (void)vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return webnn_weights__fail(w, WEBNN_TYPE_ERROR, "byte %llu: %s",
                             (unsigned long long)(at - webnn_weights__begin(w)), message);
}

static bool webnn_weights__no_memory(webnn_weights *w) {
  return webnn_weights__fail(w, WEBNN_UNKNOWN_ERROR, "out of memory");
}

/* `count` elements of `size` bytes, zero, as long as the weights; NULL without memory. */
static void *webnn_weights__take(webnn_weights *w, size_t count, size_t size) {
  webnn_weights__block *block = w->blocks;
  size_t bytes, capacity = 16384;
  if (size != 0 && count > (SIZE_MAX - 65536) / size) {
    (void)webnn_weights__no_memory(w);
    return NULL;
  }
  bytes = (count * size + 15) / 16 * 16;
  if (block == NULL || block->size - block->used < bytes) {
    capacity = bytes > capacity / 2 ? bytes : capacity;
    block = (webnn_weights__block *)calloc(1, WEBNN_WEIGHTS__HEAD + capacity);
    if (block == NULL) {
      (void)webnn_weights__no_memory(w);
      return NULL;
    }
    block->size = capacity;
    /* A block for one large piece goes after the one that still has room. */
    if (w->blocks != NULL && capacity == bytes) {
      block->next = w->blocks->next;
      w->blocks->next = block;
    } else {
      block->next = w->blocks;
      w->blocks = block;
    }
  }
  block->used += bytes;
  return (char *)block + WEBNN_WEIGHTS__HEAD + block->used - bytes;
}

static char *webnn_weights__copy_text(webnn_weights *w, const char *text, size_t length) {
  char *copy = (char *)webnn_weights__take(w, length + 1, 1);
  if (copy != NULL && length > 0) {
    memcpy(copy, text, length);
  }
  return copy;
}

/* ---- 2 types --------------------------------------------------------------------------------- */

struct webnn_weights__type {
  const char *name, *npy, *safetensors; /* NULL: the format lacks it */
  size_t size;                          /* of an element */
  webnn_data_type graph_type;
  bool converted; /* the graph type has another form */
};

static const webnn_weights__type webnn_weights__types[] = {
    {"float32", "f4", "F32", 4, WEBNN_FLOAT32, false},
    {"float16", "f2", "F16", 2, WEBNN_FLOAT16, false},
    {"int32", "i4", "I32", 4, WEBNN_INT32, false},
    {"uint32", "u4", "U32", 4, WEBNN_UINT32, false},
    {"int64", "i8", "I64", 8, WEBNN_INT64, false},
    {"uint64", "u8", "U64", 8, WEBNN_UINT64, false},
    {"int8", "i1", "I8", 1, WEBNN_INT8, false},
    {"uint8", "u1", "U8", 1, WEBNN_UINT8, false},
    {"bool", "b1", "BOOL", 1, WEBNN_UINT8, false},
    {"bfloat16", NULL, "BF16", 2, WEBNN_FLOAT32, true},
    {"float64", "f8", "F64", 8, WEBNN_FLOAT32, true},
    {"int16", "i2", "I16", 2, WEBNN_INT32, true},
    {"uint16", "u2", "U16", 2, WEBNN_UINT32, true}};

enum { WEBNN_WEIGHTS__TYPES = sizeof webnn_weights__types / sizeof *webnn_weights__types };

/* The type with a name, or a code of NPY, or a word of safetensors; NULL: there is none. */
static const webnn_weights__type *webnn_weights__type_of(const char *text, bool npy,
                                                         bool safetensors) {
  size_t i;
  for (i = 0; i < WEBNN_WEIGHTS__TYPES; i++) {
    const webnn_weights__type *type = &webnn_weights__types[i];
    const char *its = npy ? type->npy : safetensors ? type->safetensors : type->name;
    if (its != NULL && strcmp(its, text) == 0) {
      return type;
    }
  }
  return NULL;
}

static bool webnn_weights__machine_is_big_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first == 0;
}

/* An unsigned integer of `size` bytes. */
static uint64_t webnn_weights__load(const uint8_t *bytes, size_t size, bool big_endian) {
  uint64_t value = 0;
  size_t i;
  for (i = 0; i < size; i++) {
    value = value << 8 | bytes[big_endian ? i : size - 1 - i];
  }
  return value;
}

static void webnn_weights__store(uint8_t *bytes, size_t size, bool big_endian, uint64_t value) {
  size_t i;
  for (i = 0; i < size; i++, value >>= 8) {
    bytes[big_endian ? size - 1 - i : i] = (uint8_t)(value & 255);
  }
}

/* ---- 3 files --------------------------------------------------------------------------------- */

struct webnn_weights__file {
  webnn_weights__file *next;
  const char *path;
  const char *name; /* of a shard, as the index has it */
  const uint8_t *bytes;
  size_t length;
  bool mapped, allocated;
};

static const char *webnn_weights__path(const webnn_weights *w) {
  return w->file != NULL ? w->file->path : w->path;
}

static const uint8_t *webnn_weights__begin(const webnn_weights *w) {
  return w->file->bytes;
}

/* Reads what cannot be mapped, such as a pipe. */
static bool webnn_weights__load_file(webnn_weights__file *file) {
  FILE *stream = fopen(file->path, "rb");
  uint8_t *bytes = NULL;
  size_t length = 0, room = 65536;
  bool good = stream != NULL;
  while (good) {
    uint8_t *larger = (uint8_t *)realloc(bytes, room);
    good = larger != NULL;
    bytes = good ? larger : bytes;
    if (good) {
      length += fread(bytes + length, 1, room - length, stream);
      if (length < room || room > SIZE_MAX / 2) {
        good = feof(stream) != 0;
        break;
      }
      room *= 2;
    }
  }
  if (stream != NULL) {
    (void)fclose(stream);
  }
  if (!good) {
    free(bytes);
    return false;
  }
  file->bytes = bytes;
  file->length = length;
  file->allocated = true;
  return true;
}

/* Maps a file that has bytes; false where that cannot be. */
static bool webnn_weights__map_file(webnn_weights__file *file) {
#if defined(WEBNN_WEIGHTS__POSIX)
  struct stat status;
  const int descriptor = open(file->path, O_RDONLY);
  if (descriptor < 0) {
    return false;
  }
  if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
      (uint64_t)status.st_size <= SIZE_MAX) {
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (memory != MAP_FAILED) {
      file->bytes = (const uint8_t *)memory;
      file->length = (size_t)status.st_size;
      file->mapped = true;
    }
  }
  (void)close(descriptor);
#elif defined(_WIN32)
  HANDLE handle =
      CreateFileA(file->path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
  HANDLE mapping = NULL;
  LARGE_INTEGER size;
  if (handle == INVALID_HANDLE_VALUE) {
    return false;
  }
  if (GetFileSizeEx(handle, &size) && size.QuadPart > 0 && (uint64_t)size.QuadPart <= SIZE_MAX) {
    mapping = CreateFileMappingA(handle, NULL, PAGE_READONLY, 0, 0, NULL);
  }
  if (mapping != NULL) {
    file->bytes = (const uint8_t *)MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, 0);
    file->length = (size_t)size.QuadPart;
    file->mapped = file->bytes != NULL;
    CloseHandle(mapping);
  }
  CloseHandle(handle);
#endif
  return file->mapped;
}

static void webnn_weights__close_file(webnn_weights__file *file) {
  if (file->allocated) {
    free((void *)(uintptr_t)file->bytes);
  }
#if defined(WEBNN_WEIGHTS__POSIX)
  if (file->mapped) {
    (void)munmap((void *)(uintptr_t)file->bytes, file->length);
  }
#elif defined(_WIN32)
  if (file->mapped) {
    UnmapViewOfFile(file->bytes);
  }
#endif
}

/* A file without bytes, listed and the one that is looked at. */
static webnn_weights__file *webnn_weights__new_file(webnn_weights *w, const char *path) {
  webnn_weights__file *file = (webnn_weights__file *)webnn_weights__take(w, 1, sizeof *file);
  if (file != NULL) {
    file->path = path;
    file->next = w->files;
    w->files = w->file = file;
  }
  return file;
}

static bool webnn_weights__open_file(webnn_weights *w, const char *path) {
  webnn_weights__file *file = webnn_weights__new_file(w, path);
  return file != NULL && (webnn_weights__map_file(file) || webnn_weights__load_file(file) ||
                          webnn_weights__fail(w, WEBNN_OPERATION_ERROR, "the file cannot be read"));
}

/* ---- 4 entries ------------------------------------------------------------------------------- */

/* Elements in a form that a graph takes, which stand after it. */
typedef struct webnn_weights__copy {
  struct webnn_weights__copy *next;
  webnn_data_type type;
  void *data;
} webnn_weights__copy;

struct webnn_weights__entry {
  webnn_weights__entry *next;
  const char *name;
  const webnn_weights__type *type; /* NULL: one that is not read */
  const char *type_name;
  webnn_list shape;
  uint64_t count; /* of elements; UINT64_MAX: too many */
  webnn_weights__file *file;
  const uint8_t *data, *place; /* its elements, and where it is described, for messages */
  size_t byte_length;          /* of the data in the file */
  bool big_endian, columns;    /* the first dimension changes fastest */
  bool alone;                  /* an NPY file has no other */
  bool npy, marked; /* of an NPY file, or of a file where elements of 4 bits are packed */
  bool selected;    /* by an index */
  webnn_weights__copy *copies;
};

static void webnn_weights__append(webnn_weights *w, webnn_weights__entry *e) {
  e->next = NULL;
  *w->end = e;
  w->end = &e->next;
  w->count++;
}

static webnn_weights__entry *webnn_weights__new_entry(webnn_weights *w, const char *name,
                                                      const uint8_t *place) {
  webnn_weights__entry *e = (webnn_weights__entry *)webnn_weights__take(w, 1, sizeof *e);
  if (e != NULL) {
    e->name = name;
    e->file = w->file;
    e->place = place;
    e->shape.given = true;
    e->count = 1;
    webnn_weights__append(w, e);
  }
  return e;
}

/* The `count` entries from `e` on as an array in this order; NULL without memory. */
static webnn_weights__entry **webnn_weights__array(webnn_weights *w, webnn_weights__entry *e,
                                                   size_t count,
                                                   int (*order)(const void *, const void *)) {
  webnn_weights__entry **array =
      (webnn_weights__entry **)webnn_weights__take(w, count + 1, sizeof *array);
  size_t i;
  for (i = 0; array != NULL && i < count; i++, e = e->next) {
    array[i] = e;
  }
  if (array != NULL) {
    qsort(array, count, sizeof *array, order);
  }
  return array;
}

/* Another dimension. */
static bool webnn_weights__add_size(webnn_weights *w, webnn_weights__entry *e, const uint8_t *at,
                                    uint64_t size) {
  if (size > UINT32_MAX || e->shape.count == UINT32_MAX) {
    return webnn_weights__wrong(w, at, "a dimension must be less than 2^32");
  }
  if (e->shape.count < WEBNN_MAX_RANK) {
    e->shape.items[e->shape.count] = (uint32_t)size;
  }
  e->shape.count++;
  e->count = size != 0 && e->count > UINT64_MAX / size ? UINT64_MAX : e->count * size;
  return true;
}

/* The bytes of an entry of a known type; UINT64_MAX: too many. */
static uint64_t webnn_weights__bytes_of(const webnn_weights__entry *e) {
  return e->count > UINT64_MAX / e->type->size ? UINT64_MAX : e->count * e->type->size;
}

static int webnn_weights__name_order(const void *first, const void *second) {
  const webnn_weights__entry *a = *(webnn_weights__entry *const *)first;
  const webnn_weights__entry *b = *(webnn_weights__entry *const *)second;
  const int order = strcmp(a->name, b->name);
  return order != 0 ? order : (a->file > b->file) - (a->file < b->file);
}

/* The entries by name, of which no two of a file are the same. */
static bool webnn_weights__sort(webnn_weights *w) {
  size_t i;
  w->by_name = webnn_weights__array(w, w->first, w->count, webnn_weights__name_order);
  for (i = 1; w->by_name != NULL && i < w->count; i++) {
    const webnn_weights__entry *a = w->by_name[i - 1], *b = w->by_name[i];
    if (webnn_weights__name_order(&a, &b) == 0) {
      w->file = b->file;
      return webnn_weights__wrong(w, a->place < b->place ? b->place : a->place,
                                  "tensor \"%.80s\" is there twice", b->name);
    }
  }
  return w->by_name != NULL;
}

static webnn_weights__entry *webnn_weights__find(const webnn_weights *w, const char *name) {
  size_t low = 0, high = w->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = strcmp(w->by_name[middle]->name, name);
    if (order == 0) {
      return w->by_name[middle];
    }
    low = order < 0 ? middle + 1 : low;
    high = order < 0 ? high : middle;
  }
  return NULL;
}

/* ---- 5 text ---------------------------------------------------------------------------------- */

typedef struct webnn_weights__cursor {
  webnn_weights *w;
  const uint8_t *at, *end;
  bool python; /* the text is a literal of Python, otherwise JSON */
} webnn_weights__cursor;

static void webnn_weights__skip_blanks(webnn_weights__cursor *c) {
  while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r')) {
    c->at++;
  }
}

static bool webnn_weights__eat(webnn_weights__cursor *c, char character) {
  webnn_weights__skip_blanks(c);
  if (c->at == c->end || *c->at != (uint8_t)character) {
    return false;
  }
  c->at++;
  return true;
}

/* Another text stands here than must: `this must be '{'; it is '['`. False. */
static bool webnn_weights__must_be(webnn_weights__cursor *c, const uint8_t *at, const char *what) {
  const unsigned byte = at < c->end ? *at : 0;
  if (at >= c->end) {
    return webnn_weights__wrong(c->w, at, "this must be %s; it is the end", what);
  }
  return byte > 32 && byte < 127
             ? webnn_weights__wrong(c->w, at, "this must be %s; it is '%c'", what, (int)byte)
             : webnn_weights__wrong(c->w, at, "this must be %s; it is the byte %u", what, byte);
}

static bool webnn_weights__expect(webnn_weights__cursor *c, char character) {
  char what[4] = "'?'";
  what[1] = character;
  return webnn_weights__eat(c, character) || webnn_weights__must_be(c, c->at, what);
}

/* Nothing but blanks up to the end. */
static bool webnn_weights__expect_end(webnn_weights__cursor *c) {
  webnn_weights__skip_blanks(c);
  return c->at == c->end || webnn_weights__must_be(c, c->at, "the end of the header");
}

static bool webnn_weights__eat_word(webnn_weights__cursor *c, const char *word) {
  const size_t length = strlen(word);
  webnn_weights__skip_blanks(c);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) {
    return false;
  }
  c->at += length;
  return true;
}

/* A whole number, without a sign, a point or zeros before it. */
static bool webnn_weights__integer(webnn_weights__cursor *c, uint64_t *number) {
  const uint8_t *begin;
  webnn_weights__skip_blanks(c);
  begin = c->at;
  for (*number = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
    const uint64_t digit = (uint64_t)(*c->at - '0');
    if (*number > (UINT64_MAX - digit) / 10) {
      return webnn_weights__wrong(c->w, begin, "a number must be less than 2^64");
    }
    *number = *number * 10 + digit;
  }
  if (c->at > begin + 1 && *begin == '0') {
    return webnn_weights__wrong(c->w, begin, "a whole number must not begin with zeros");
  }
  return c->at > begin || webnn_weights__must_be(c, begin, "a whole number");
}

/* The four digits of \u. */
static bool webnn_weights__hex(webnn_weights__cursor *c, uint32_t *unit) {
  int i;
  *unit = 0;
  for (i = 0; i < 4; i++, c->at++) {
    const uint8_t digit = c->at < c->end ? *c->at : 0;
    const uint32_t value = digit >= '0' && digit <= '9'   ? digit - (uint32_t)'0'
                           : digit >= 'a' && digit <= 'f' ? digit - (uint32_t)'a' + 10
                           : digit >= 'A' && digit <= 'F' ? digit - (uint32_t)'A' + 10
                                                          : 16;
    if (value == 16) {
      return webnn_weights__must_be(c, c->at, "a hexadecimal digit");
    }
    *unit = *unit << 4 | value;
  }
  return true;
}

/* The character of \uXXXX, or of two of them, as UTF-8. */
static bool webnn_weights__unicode(webnn_weights__cursor *c, char **to) {
  const uint8_t *begin = c->at;
  uint32_t unit, second = 0;
  if (!webnn_weights__hex(c, &unit)) {
    return false;
  }
  if (unit >= 0xD800 && unit < 0xDC00) {
    const bool pair = c->end - c->at >= 2 && c->at[0] == '\\' && c->at[1] == 'u';
    c->at += pair ? 2 : 0;
    if (!pair || !webnn_weights__hex(c, &second) || second < 0xDC00 || second > 0xDFFF) {
      return webnn_weights__wrong(c->w, begin, "a surrogate must be half of a pair");
    }
    unit = 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00);
  } else if ((unit >= 0xDC00 && unit < 0xE000) || unit == 0) {
    return webnn_weights__wrong(c->w, begin,
                                unit == 0 ? "a string must not have a character 0"
                                          : "a surrogate must be half of a pair");
  }
  if (unit < 0x80) {
    *(*to)++ = (char)unit;
    return true;
  }
  if (unit < 0x800) {
    *(*to)++ = (char)(0xC0 | unit >> 6);
  } else if (unit < 0x10000) {
    *(*to)++ = (char)(0xE0 | unit >> 12);
    *(*to)++ = (char)(0x80 | (unit >> 6 & 63));
  } else {
    *(*to)++ = (char)(0xF0 | unit >> 18);
    *(*to)++ = (char)(0x80 | (unit >> 12 & 63));
    *(*to)++ = (char)(0x80 | (unit >> 6 & 63));
  }
  *(*to)++ = (char)(0x80 | (unit & 63));
  return true;
}

static bool webnn_weights__escape(webnn_weights__cursor *c, char **to) {
  static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char letter = c->at < c->end && !c->python ? (char)*c->at : '\0';
  const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
  if (letter == 'u') {
    c->at++;
    return webnn_weights__unicode(c, to);
  }
  if (found == NULL) {
    return webnn_weights__wrong(c->w, c->at,
                                c->python
                                    ? "a string of this header must not have escapes"
                                    : "an escape must be one of \\\" \\\\ \\/ \\b \\f \\n \\r "
                                      "\\t \\u");
  }
  c->at++;
  *(*to)++ = meant[found - letters];
  return true;
}

/* A string, decoded; NULL after an error. Those of Python may not have escapes. */
static const char *webnn_weights__string(webnn_weights__cursor *c) {
  const uint8_t *closing;
  char *text, *to, quote = '"';
  webnn_weights__skip_blanks(c);
  if (c->python && c->at < c->end && *c->at == '\'') {
    quote = '\'';
  }
  if (!webnn_weights__expect(c, quote)) {
    return NULL;
  }
  for (closing = c->at; closing < c->end && *closing != (uint8_t)quote; closing++) {
    closing += *closing == '\\' && closing + 1 < c->end;
  }
  text = to = (char *)webnn_weights__take(c->w, (size_t)(closing - c->at) + 1, 1);
  if (text == NULL) {
    return NULL;
  }
  while (c->at < c->end && *c->at != (uint8_t)quote) {
    size_t length = webnn_weights__utf8_length(c->at, c->end);
    if (length == 0 || *c->at < 32) {
      (void)webnn_weights__wrong(c->w, c->at,
                                 length == 0 ? "a string must be UTF-8"
                                             : "a string must not have control characters");
      return NULL;
    }
    if (*c->at != '\\') {
      memcpy(to, c->at, length);
      to += length;
      c->at += length;
      continue;
    }
    c->at++;
    if (!webnn_weights__escape(c, &to)) {
      return NULL;
    }
  }
  return webnn_weights__expect(c, quote) ? text : NULL;
}

/* The key of an object's next member and where it stands; the cursor is then after the ':'. NULL
   after the last member, and after an error. */
static const char *webnn_weights__next_key(webnn_weights__cursor *c, bool *begun,
                                           const uint8_t **place) {
  const char *key;
  if (!*begun) {
    if (!webnn_weights__expect(c, '{') || webnn_weights__eat(c, '}')) {
      return NULL;
    }
  } else if (!webnn_weights__eat(c, ',')) {
    (void)webnn_weights__expect(c, '}');
    return NULL;
  } else if (c->python && webnn_weights__eat(c, '}')) {
    return NULL;
  }
  *begun = true;
  webnn_weights__skip_blanks(c);
  *place = c->at;
  key = webnn_weights__string(c);
  return key != NULL && webnn_weights__expect(c, ':') ? key : NULL;
}

typedef bool (*webnn_weights__member_reader)(webnn_weights__cursor *c, webnn_weights__entry *e);

/* An object that describes an entry by three members, in any order. */
static bool webnn_weights__describe(webnn_weights__cursor *c, webnn_weights__entry *e,
                                    const char *const *keys,
                                    const webnn_weights__member_reader *readers) {
  bool seen[3] = {false, false, false}, begun = false;
  const uint8_t *place;
  const char *key;
  size_t i;
  while ((key = webnn_weights__next_key(c, &begun, &place)) != NULL) {
    for (i = 0; i < 3 && strcmp(key, keys[i]) != 0; i++) {
    }
    if (i == 3 || seen[i]) {
      return i < 3 ? webnn_weights__wrong(c->w, place, "\"%.80s\" is there twice", key)
                   : webnn_weights__wrong(
                         c->w, place, "a member must be \"%s\", \"%s\" or \"%s\"; it is \"%.80s\"",
                         keys[0], keys[1], keys[2], key);
    }
    seen[i] = true;
    if (!readers[i](c, e)) {
      return false;
    }
  }
  for (i = 0; i < 3 && c->w->status == WEBNN_OK; i++) {
    if (!seen[i]) {
      return webnn_weights__wrong(c->w, e->place, "\"%.80s\" has no \"%.80s\"", e->name, keys[i]);
    }
  }
  return c->w->status == WEBNN_OK;
}

/* A list of sizes: [2,3], or of Python (2, 3), (2,) or (), whose version 2 wrote 2L. */
static bool webnn_weights__sizes(webnn_weights__cursor *c, webnn_weights__entry *e) {
  bool comma = true;
  uint64_t size;
  if (!webnn_weights__expect(c, c->python ? '(' : '[')) {
    return false;
  }
  while (!webnn_weights__eat(c, c->python ? ')' : ']')) {
    const uint8_t *begin = c->at;
    if (!comma) {
      return webnn_weights__expect(c, ',');
    }
    if (!webnn_weights__integer(c, &size) || !webnn_weights__add_size(c->w, e, begin, size)) {
      return false;
    }
    c->at += c->python && c->at < c->end && *c->at == 'L';
    comma = webnn_weights__eat(c, ',');
  }
  if (c->python ? !comma && e->shape.count == 1 : comma && e->shape.count > 0) {
    return webnn_weights__must_be(c, c->at - 1, comma ? "a whole number" : "','");
  }
  return true;
}

static bool webnn_weights__skip_digits(webnn_weights__cursor *c) {
  const uint8_t *begin = c->at;
  while (c->at < c->end && *c->at >= '0' && *c->at <= '9') {
    c->at++;
  }
  return c->at > begin;
}

static bool webnn_weights__skip_number(webnn_weights__cursor *c) {
  const uint8_t *begin = c->at, *digits;
  bool good;
  c->at += c->at < c->end && *c->at == '-';
  digits = c->at;
  good = webnn_weights__skip_digits(c) && (*digits != '0' || c->at == digits + 1);
  if (good && c->at < c->end && *c->at == '.') {
    c->at++;
    good = webnn_weights__skip_digits(c);
  }
  if (good && c->at < c->end && (*c->at == 'e' || *c->at == 'E')) {
    c->at++;
    c->at += c->at < c->end && (*c->at == '-' || *c->at == '+');
    good = webnn_weights__skip_digits(c);
  }
  return good || webnn_weights__wrong(c->w, begin, "a value of JSON must begin here");
}

/* Passes over any value. */
static bool webnn_weights__skip_value(webnn_weights__cursor *c, int depth) {
  const uint8_t *place;
  bool begun = false;
  webnn_weights__skip_blanks(c);
  if (c->at < c->end && *c->at == '"') {
    return webnn_weights__string(c) != NULL;
  }
  if (webnn_weights__eat_word(c, "true") || webnn_weights__eat_word(c, "false") ||
      webnn_weights__eat_word(c, "null")) {
    return true;
  }
  if (c->at == c->end || (*c->at != '{' && *c->at != '[')) {
    return webnn_weights__skip_number(c);
  }
  if (depth == 0) {
    return webnn_weights__wrong(c->w, c->at, "lists and objects must be nested at most %d deep",
                                WEBNN_WEIGHTS__MAX_NESTING);
  }
  if (*c->at == '{') {
    while (webnn_weights__next_key(c, &begun, &place) != NULL) {
      if (!webnn_weights__skip_value(c, depth - 1)) {
        return false;
      }
    }
    return c->w->status == WEBNN_OK;
  }
  c->at++;
  if (webnn_weights__eat(c, ']')) {
    return true;
  }
  do {
    if (!webnn_weights__skip_value(c, depth - 1)) {
      return false;
    }
  } while (webnn_weights__eat(c, ','));
  return webnn_weights__expect(c, ']');
}

/* ---- 6 NPY ----------------------------------------------------------------------------------- */

/* The magic and version, the length of a header, a dictionary of Python, the elements. */

/* '<f4': the byte order, a letter, the size. */
static bool webnn_weights__npy_type(webnn_weights__cursor *c, webnn_weights__entry *e) {
  const uint8_t *begin;
  const char *text;
  webnn_weights__skip_blanks(c);
  begin = c->at;
  if (c->at < c->end && *c->at == '[') {
    return webnn_weights__wrong(c->w, begin, "the type must be simple; it is structured");
  }
  text = webnn_weights__string(c);
  if (text == NULL) {
    return false;
  }
  e->type_name = *text != '\0' && strchr("<>|", *text) != NULL ? text + 1 : text;
  e->type = webnn_weights__type_of(e->type_name, true, false);
  e->big_endian = *text == '>';
  if (e->type != NULL && (e->type_name == text || (*text == '|' && e->type->size > 1))) {
    return webnn_weights__wrong(c->w, begin, "the type must begin with its byte order, '<' or '>'");
  }
  e->type_name = e->type != NULL ? e->type->name : e->type_name;
  return true;
}

static bool webnn_weights__npy_order(webnn_weights__cursor *c, webnn_weights__entry *e) {
  e->columns = webnn_weights__eat_word(c, "True");
  return e->columns || webnn_weights__eat_word(c, "False") ||
         webnn_weights__must_be(c, c->at, "True or False");
}

/* {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } */
static bool webnn_weights__npy_header(webnn_weights__cursor *c, webnn_weights__entry *e) {
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  static const webnn_weights__member_reader readers[] = {
      webnn_weights__npy_type, webnn_weights__npy_order, webnn_weights__sizes};
  return webnn_weights__describe(c, e, keys, readers) && webnn_weights__expect_end(c);
}

/* The elements, which fill the file from `at` to `end`. */
static bool webnn_weights__npy_elements(webnn_weights *w, webnn_weights__entry *e,
                                        const uint8_t *at, const uint8_t *end) {
  const size_t length = (size_t)(end - at);
  e->data = at;
  e->byte_length = length;
  if (e->type != NULL && webnn_weights__bytes_of(e) != length) {
    return webnn_weights__wrong(w, end,
                                webnn_weights__bytes_of(e) > length
                                    ? "the file ends before the elements do"
                                    : "the file is longer than the elements");
  }
  return true;
}

/* The NPY file from `at` to `end`. */
static bool webnn_weights__read_npy(webnn_weights *w, const char *name, const uint8_t *at,
                                    const uint8_t *end) {
  const size_t length = (size_t)(end - at);
  webnn_weights__cursor c;
  webnn_weights__entry *e;
  uint64_t header;
  size_t begin;
  if (length < 10 || memcmp(at, "\x93NUMPY", 6) != 0) {
    return webnn_weights__wrong(w, at, "an NPY file must begin with \\x93NUMPY");
  }
  if (at[6] < 1 || at[6] > 3 || at[7] != 0) {
    return webnn_weights__wrong(w, at + 6, "the version of NPY must be 1.0 to 3.0; it is %u.%u",
                                at[6], at[7]);
  }
  begin = at[6] == 1 ? 10 : 12;
  header = length < begin ? 0 : webnn_weights__load(at + 8, begin - 8, false);
  if (length < begin || header > length - begin) {
    return webnn_weights__wrong(w, end, "the file ends inside of the header");
  }
  if (header > WEBNN_WEIGHTS__MAX_HEADER) {
    return webnn_weights__wrong(w, at + 8, "the header must have at most %u bytes; it has %llu",
                                WEBNN_WEIGHTS__MAX_HEADER, (unsigned long long)header);
  }
  c.w = w;
  c.at = at + begin;
  c.end = c.at + header;
  c.python = true;
  e = webnn_weights__new_entry(w, name, at);
  if (e == NULL) {
    return false;
  }
  e->npy = true;
  return webnn_weights__npy_header(&c, e) && webnn_weights__npy_elements(w, e, c.end, end);
}

static bool webnn_weights__ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The part of a path after the folder. */
static const char *webnn_weights__file_name(const char *path) {
  const char *name = path;
  for (; *path != '\0'; path++) {
    if (*path == '/' || *path == '\\') {
      name = path + 1;
    }
  }
  return name;
}

static bool webnn_weights__read_npy_alone(webnn_weights *w) {
  const webnn_weights__file *file = w->file;
  const char *base = webnn_weights__file_name(file->path);
  const size_t ending = webnn_weights__ends_with(base, ".npy") ? 4 : 0;
  const char *name = webnn_weights__copy_text(w, base, strlen(base) - ending);
  if (name == NULL || !webnn_weights__read_npy(w, name, file->bytes, file->bytes + file->length)) {
    return false;
  }
  w->first->alone = true;
  return true;
}

/* ---- 7 NPZ ----------------------------------------------------------------------------------- */

/* A ZIP archive of NPY files: members, each after a local header, then the directory of all
   members and an end that tells where it begins. Numbers that are too large for their places are
   in records of ZIP64. */

typedef struct webnn_weights__member {
  const uint8_t *name;
  size_t name_length;
  uint64_t stored, length, offset; /* of its bytes and of its local header */
  uint32_t flags, method;
} webnn_weights__member;

static uint64_t webnn_weights__number(const uint8_t *at, size_t size) {
  return webnn_weights__load(at, size, false);
}

/* Replaces a number that is too large for its place by the next one of the record of ZIP64. */
static bool webnn_weights__wide(uint64_t *number, const uint8_t **at, size_t *left) {
  if (*number != 0xFFFFFFFFu) {
    return true;
  }
  if (*left < 8) {
    return false;
  }
  *number = webnn_weights__number(*at, 8);
  *at += 8;
  *left -= 8;
  return true;
}

/* The record of ZIP64 among the extra fields of a member. */
static bool webnn_weights__widen_member(webnn_weights__member *m, const uint8_t *at, size_t left) {
  while (left >= 4) {
    const uint64_t kind = webnn_weights__number(at, 2);
    size_t size = (size_t)webnn_weights__number(at + 2, 2);
    at += 4;
    left -= 4;
    if (size > left) {
      return false;
    }
    if (kind == 1) {
      return webnn_weights__wide(&m->length, &at, &size) &&
             webnn_weights__wide(&m->stored, &at, &size) &&
             webnn_weights__wide(&m->offset, &at, &size);
    }
    at += size;
    left -= size;
  }
  return true;
}

/* The next member of the directory; *at moves on. */
static bool webnn_weights__next_member(webnn_weights *w, const uint8_t **at, const uint8_t *end,
                                       webnn_weights__member *m) {
  const uint8_t *d = *at;
  size_t name, extra, comment;
  if (end - d < 46 || webnn_weights__number(d, 4) != 0x02014B50u) {
    return webnn_weights__wrong(w, d, "an entry of the archive's directory must begin here");
  }
  name = (size_t)webnn_weights__number(d + 28, 2);
  extra = (size_t)webnn_weights__number(d + 30, 2);
  comment = (size_t)webnn_weights__number(d + 32, 2);
  if ((size_t)(end - d) - 46 < name + extra + comment) {
    return webnn_weights__wrong(w, d, "the directory ends inside of an entry");
  }
  m->flags = (uint32_t)webnn_weights__number(d + 8, 2);
  m->method = (uint32_t)webnn_weights__number(d + 10, 2);
  m->stored = webnn_weights__number(d + 20, 4);
  m->length = webnn_weights__number(d + 24, 4);
  m->offset = webnn_weights__number(d + 42, 4);
  m->name = d + 46;
  m->name_length = name;
  *at = d + 46 + name + extra + comment;
  return webnn_weights__widen_member(m, d + 46 + name, extra) ||
         webnn_weights__wrong(w, d + 46 + name, "an extra field of the archive is malformed");
}

/* The name of the tensor: that of the member without ".npy". NULL after an error. */
static const char *webnn_weights__member_name(webnn_weights *w, const webnn_weights__member *m) {
  const uint8_t *at = m->name, *end = m->name + m->name_length;
  while (at < end) {
    const size_t length = *at == 0 ? 0 : webnn_weights__utf8_length(at, end);
    if (length == 0) {
      (void)webnn_weights__wrong(w, at, "the name of a member must be UTF-8");
      return NULL;
    }
    at += length;
  }
  return webnn_weights__copy_text(w, (const char *)m->name, m->name_length - 4);
}

static bool webnn_weights__read_member(webnn_weights *w, const webnn_weights__member *m) {
  const webnn_weights__file *file = w->file;
  const uint8_t *local;
  const char *name = webnn_weights__member_name(w, m);
  size_t left, head;
  if (name == NULL) {
    return false;
  }
  if (m->method != 0 || (m->flags & 1) != 0) {
    return webnn_weights__fail(
        w, WEBNN_NOT_SUPPORTED_ERROR,
        "\"%.80s.npy\" must be stored as it is; it is %s; numpy.savez stores it", name,
        m->method == 8   ? "compressed (deflate)"
        : m->method != 0 ? "compressed"
                         : "encrypted");
  }
  if (m->offset > file->length || file->length - (size_t)m->offset < 30) {
    return webnn_weights__wrong(w, m->name, "\"%.80s.npy\" begins outside of the file", name);
  }
  local = file->bytes + m->offset;
  left = file->length - (size_t)m->offset;
  head = 30 + (size_t)webnn_weights__number(local + 26, 2) +
         (size_t)webnn_weights__number(local + 28, 2);
  if (webnn_weights__number(local, 4) != 0x04034B50u) {
    return webnn_weights__wrong(w, local, "the header of a member of the archive must begin here");
  }
  if (m->stored != m->length || head > left || m->length > left - head) {
    return webnn_weights__wrong(w, m->name, "\"%.80s.npy\" ends outside of the file", name);
  }
  return webnn_weights__read_npy(w, name, local + head, local + head + m->length);
}

/* The end of the archive, which may have a comment after it; NULL: there is none. */
static const uint8_t *webnn_weights__find_end(const webnn_weights__file *file) {
  size_t comment;
  for (comment = 0; comment <= 0xFFFF && file->length >= 22 + comment; comment++) {
    const uint8_t *end = file->bytes + file->length - 22 - comment;
    if (webnn_weights__number(end, 4) == 0x06054B50u &&
        webnn_weights__number(end + 20, 2) == comment) {
      return end;
    }
  }
  return NULL;
}

/* Where the directory begins, and how many members it has. */
static bool webnn_weights__find_directory(webnn_weights *w, const uint8_t *end, uint64_t *offset,
                                          uint64_t *count) {
  const webnn_weights__file *file = w->file;
  uint64_t record;
  *count = webnn_weights__number(end + 10, 2);
  *offset = webnn_weights__number(end + 16, 4);
  if (*count == 0xFFFF || *offset == 0xFFFFFFFFu) {
    if (end - file->bytes < 76 || webnn_weights__number(end - 20, 4) != 0x07064B50u) {
      return webnn_weights__wrong(w, end, "the archive must have an end of ZIP64; it has none");
    }
    record = webnn_weights__number(end - 12, 8);
    if (record > (uint64_t)(end - file->bytes) - 76 ||
        webnn_weights__number(file->bytes + record, 4) != 0x06064B50u) {
      return webnn_weights__wrong(w, end - 12,
                                  "the archive must have an end of ZIP64; it has none");
    }
    *count = webnn_weights__number(file->bytes + record + 32, 8);
    *offset = webnn_weights__number(file->bytes + record + 48, 8);
  }
  return *offset <= (uint64_t)(end - file->bytes) ||
         webnn_weights__wrong(w, end + 16, "the directory begins outside of the file");
}

/* Members that are no NPY files are passed over. */
static bool webnn_weights__read_npz(webnn_weights *w) {
  const webnn_weights__file *file = w->file;
  const uint8_t *end = webnn_weights__find_end(file), *at;
  webnn_weights__member m = WEBNN_ZERO;
  uint64_t offset, count;
  if (end == NULL) {
    return webnn_weights__wrong(w, file->bytes + file->length,
                                "an NPZ file must end as an archive does; this one does not");
  }
  if (!webnn_weights__find_directory(w, end, &offset, &count)) {
    return false;
  }
  for (at = file->bytes + offset; count > 0; count--) {
    if (!webnn_weights__next_member(w, &at, end, &m)) {
      return false;
    }
    if (m.name_length > 4 && memcmp(m.name + m.name_length - 4, ".npy", 4) == 0 &&
        !webnn_weights__read_member(w, &m)) {
      return false;
    }
  }
  return true;
}

/* ---- 8 safetensors --------------------------------------------------------------------------- */

/* The length of the header in 8 bytes; the header, an object of tensors by name; their elements. */

/* "data_offsets": where the elements begin and end, counted from the end of the header. */
static bool webnn_weights__offsets(webnn_weights__cursor *c, webnn_weights__entry *e) {
  const size_t room = e->file->length - (size_t)(c->end - e->file->bytes);
  const uint8_t *begin;
  uint64_t from, to;
  webnn_weights__skip_blanks(c);
  begin = c->at;
  if (!webnn_weights__expect(c, '[') || !webnn_weights__integer(c, &from) ||
      !webnn_weights__expect(c, ',') || !webnn_weights__integer(c, &to) ||
      !webnn_weights__expect(c, ']')) {
    return false;
  }
  if (from > to || to > room) {
    return webnn_weights__wrong(
        c->w, begin, "the bytes of \"%.80s\" must lie in 0 to %llu; they are %llu to %llu", e->name,
        (unsigned long long)room, (unsigned long long)from, (unsigned long long)to);
  }
  e->data = c->end + from;
  e->byte_length = (size_t)(to - from);
  return true;
}

static bool webnn_weights__dtype(webnn_weights__cursor *c, webnn_weights__entry *e) {
  e->type_name = webnn_weights__string(c);
  if (e->type_name == NULL) {
    return false;
  }
  e->type = webnn_weights__type_of(e->type_name, false, true);
  e->type_name = e->type != NULL ? e->type->name : e->type_name;
  return true;
}

/* {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]} */
static bool webnn_weights__tensor(webnn_weights__cursor *c, webnn_weights__entry *e) {
  static const char *const keys[] = {"dtype", "shape", "data_offsets"};
  static const webnn_weights__member_reader readers[] = {webnn_weights__dtype, webnn_weights__sizes,
                                                         webnn_weights__offsets};
  if (!webnn_weights__describe(c, e, keys, readers)) {
    return false;
  }
  return e->type == NULL || webnn_weights__bytes_of(e) == e->byte_length ||
         webnn_weights__wrong(
             c->w, e->place,
             "\"%.80s\" must have the %llu bytes of its type and shape; it has %llu", e->name,
             (unsigned long long)webnn_weights__bytes_of(e), (unsigned long long)e->byte_length);
}

/* "__metadata__": an object of strings. */
static bool webnn_weights__metadata(webnn_weights__cursor *c, bool *marked) {
  const uint8_t *place;
  const char *key;
  bool begun = false;
  while ((key = webnn_weights__next_key(c, &begun, &place)) != NULL) {
    *marked = *marked || strcmp(key, WEBNN_WEIGHTS__PACKED) == 0;
    if (webnn_weights__string(c) == NULL) {
      return false;
    }
  }
  return c->w->status == WEBNN_OK;
}

static bool webnn_weights__header(webnn_weights__cursor *c, bool *marked) {
  bool begun = false, described = false;
  const uint8_t *place;
  const char *name;
  if (c->at == c->end || *c->at != '{') {
    return webnn_weights__must_be(c, c->at, "'{'");
  }
  while ((name = webnn_weights__next_key(c, &begun, &place)) != NULL) {
    webnn_weights__entry *e;
    if (strcmp(name, "__metadata__") != 0) {
      e = webnn_weights__new_entry(c->w, name, place);
      if (e == NULL || !webnn_weights__tensor(c, e)) {
        return false;
      }
    } else if (described) {
      return webnn_weights__wrong(c->w, place, "\"__metadata__\" is there twice");
    } else if (!webnn_weights__metadata(c, marked)) {
      return false;
    } else {
      described = true;
    }
  }
  return c->w->status == WEBNN_OK && webnn_weights__expect_end(c);
}

static int webnn_weights__data_order(const void *first, const void *second) {
  const webnn_weights__entry *a = *(const webnn_weights__entry *const *)first;
  const webnn_weights__entry *b = *(const webnn_weights__entry *const *)second;
  return a->data != b->data ? (a->data > b->data) - (a->data < b->data)
                            : (a->byte_length > b->byte_length) - (a->byte_length < b->byte_length);
}

/* The `count` entries from `first` on must cover the bytes from `at` to the end of the file, each
   once. */
static bool webnn_weights__cover(webnn_weights *w, webnn_weights__entry *first, size_t count,
                                 const uint8_t *at) {
  const uint8_t *end = w->file->bytes + w->file->length;
  webnn_weights__entry **sorted = webnn_weights__array(w, first, count, webnn_weights__data_order);
  size_t i;
  if (sorted == NULL) {
    return false;
  }
  for (i = 0; i < count; i++) {
    const webnn_weights__entry *e = sorted[i];
    if (e->data < at) {
      const webnn_weights__entry *other = sorted[i - 1];
      const bool twice = strcmp(other->name, e->name) == 0;
      return webnn_weights__wrong(w, e->place > other->place ? e->place : other->place,
                                  twice ? "tensor \"%.80s\" is there twice"
                                        : "\"%.80s\" and \"%.80s\" share bytes",
                                  other->name, e->name);
    }
    if (e->data > at) {
      break;
    }
    at += e->byte_length;
  }
  return at == end ||
         webnn_weights__wrong(w, at, "each byte must belong to a tensor; from here on none does");
}

static bool webnn_weights__read_safetensors(webnn_weights *w) {
  const webnn_weights__file *file = w->file;
  webnn_weights__entry **before = w->end, *e;
  const size_t count = w->count;
  webnn_weights__cursor c;
  uint64_t length;
  bool marked = false;
  if (file->length < 8) {
    return webnn_weights__wrong(w, file->bytes + file->length, "the file ends before its header");
  }
  length = webnn_weights__load(file->bytes, 8, false);
  if (length > file->length - 8) {
    return webnn_weights__wrong(w, file->bytes, "the header is longer than the file");
  }
  if (length > WEBNN_WEIGHTS__MAX_JSON) {
    return webnn_weights__wrong(w, file->bytes,
                                "the header must have at most %u bytes; it has %llu",
                                WEBNN_WEIGHTS__MAX_JSON, (unsigned long long)length);
  }
  c.w = w;
  c.at = file->bytes + 8;
  c.end = c.at + length;
  c.python = false;
  if (!webnn_weights__header(&c, &marked)) {
    return false;
  }
  for (e = *before; e != NULL; e = e->next) {
    e->marked = marked;
  }
  return webnn_weights__cover(w, *before, w->count - count, c.end);
}

/* A tensor of an index, and the file in which it is. */
typedef struct webnn_weights__mapped {
  struct webnn_weights__mapped *next;
  const char *name;
  webnn_weights__file *file;
  const uint8_t *place;
} webnn_weights__mapped;

/* The file of an index with this name, which is opened and read the first time. */
static webnn_weights__file *webnn_weights__shard(webnn_weights__cursor *c, const char *name,
                                                 const uint8_t *place) {
  webnn_weights *w = c->w;
  webnn_weights__file *index = w->file, *file = w->files;
  const char *base = webnn_weights__file_name(index->path);
  const size_t folder = (size_t)(base - index->path), length = strlen(name);
  char *path;
  while (file != NULL && (file->name == NULL || strcmp(file->name, name) != 0)) {
    file = file->next;
  }
  if (file != NULL) {
    return file;
  }
  if (strpbrk(name, "/\\:") != NULL || !webnn_weights__ends_with(name, ".safetensors")) {
    (void)webnn_weights__wrong(
        w, place, "a file must be a .safetensors file beside the index; it is \"%.80s\"", name);
    return NULL;
  }
  path = (char *)webnn_weights__take(w, folder + length + 1, 1);
  if (path == NULL) {
    return NULL;
  }
  memcpy(path, index->path, folder);
  memcpy(path + folder, name, length);
  if (!webnn_weights__open_file(w, path) || !webnn_weights__read_safetensors(w)) {
    return NULL;
  }
  file = w->file;
  file->name = name;
  w->file = index;
  return file;
}

/* "weight_map": an object of file names by the names of tensors. *items is NULL before. */
static bool webnn_weights__read_map(webnn_weights__cursor *c, webnn_weights__mapped **items) {
  const uint8_t *place;
  const char *name;
  bool begun = false;
  while ((name = webnn_weights__next_key(c, &begun, &place)) != NULL) {
    const char *file = webnn_weights__string(c);
    webnn_weights__mapped *item =
        (webnn_weights__mapped *)webnn_weights__take(c->w, 1, sizeof *item);
    if (file == NULL || item == NULL) {
      return false;
    }
    item->name = name;
    item->place = place;
    item->file = webnn_weights__shard(c, file, place);
    if (item->file == NULL) {
      return false;
    }
    *items = item;
    items = &item->next;
  }
  return c->w->status == WEBNN_OK;
}

/* The members of the index, of which "weight_map" counts. */
static bool webnn_weights__read_members(webnn_weights__cursor *c, webnn_weights__mapped **items) {
  bool begun = false, seen = false;
  const uint8_t *place;
  const char *key;
  while ((key = webnn_weights__next_key(c, &begun, &place)) != NULL) {
    const bool map = strcmp(key, "weight_map") == 0;
    if (map && seen) {
      return webnn_weights__wrong(c->w, place, "\"weight_map\" is there twice");
    }
    seen = seen || map;
    if (!(map ? webnn_weights__read_map(c, items)
              : webnn_weights__skip_value(c, WEBNN_WEIGHTS__MAX_NESTING))) {
      return false;
    }
  }
  return c->w->status == WEBNN_OK && webnn_weights__expect_end(c) &&
         (seen ||
          webnn_weights__wrong(c->w, c->end, "the index must have a \"weight_map\"; it has none"));
}

/* Has the index an entry of this name already, of whatever file? Those of one name are side by side
   in the array. */
static bool webnn_weights__is_selected(webnn_weights__entry *const *sorted, size_t count,
                                       size_t index) {
  const char *name = sorted[index]->name;
  while (index > 0 && strcmp(sorted[index - 1]->name, name) == 0) {
    index--;
  }
  for (; index < count && strcmp(sorted[index]->name, name) == 0; index++) {
    if (sorted[index]->selected) {
      return true;
    }
  }
  return false;
}

/* Leaves the entries that the index names, each of its file, in the order of the index. */
static bool webnn_weights__select(webnn_weights *w, const webnn_weights__mapped *item) {
  webnn_weights__file *index = w->file;
  webnn_weights__entry **sorted;
  const size_t count = w->count;
  if (!webnn_weights__sort(w)) {
    return false;
  }
  sorted = w->by_name;
  w->file = index;
  w->first = NULL;
  w->end = &w->first;
  w->count = 0;
  for (; item != NULL; item = item->next) {
    webnn_weights__entry key, *wanted = &key, **found;
    key.name = item->name;
    key.file = item->file;
    found = (webnn_weights__entry **)bsearch(&wanted, sorted, count, sizeof wanted,
                                             webnn_weights__name_order);
    if (found == NULL) {
      return webnn_weights__wrong(w, item->place, "%.80s has no tensor \"%.80s\"", item->file->name,
                                  item->name);
    }
    if (webnn_weights__is_selected(sorted, count, (size_t)(found - sorted))) {
      return webnn_weights__wrong(w, item->place, "tensor \"%.80s\" is there twice", item->name);
    }
    (*found)->selected = true;
    webnn_weights__append(w, *found);
  }
  return true;
}

static bool webnn_weights__read_index(webnn_weights *w) {
  webnn_weights__mapped *items = NULL;
  webnn_weights__cursor c;
  if (w->file->length > WEBNN_WEIGHTS__MAX_JSON) {
    return webnn_weights__fail(w, WEBNN_TYPE_ERROR,
                               "the index must have at most %u bytes; it has %llu",
                               WEBNN_WEIGHTS__MAX_JSON, (unsigned long long)w->file->length);
  }
  c.w = w;
  c.at = w->file->bytes;
  c.end = c.at + w->file->length;
  c.python = false;
  return webnn_weights__read_members(&c, &items) && webnn_weights__select(w, items);
}

/* ---- 9 elements ------------------------------------------------------------------------------ */

/* An element of a file's type as one of its graph type. */
static uint64_t webnn_weights__to_graph_type(const webnn_weights__type *type, uint64_t bits) {
  if (type->converted && type->graph_type == WEBNN_INT32) {
    return bits >= 0x8000 ? bits | 0xFFFF0000u : bits;
  }
  if (type->converted && type->graph_type == WEBNN_FLOAT32) {
    double wide;
    float narrow;
    uint32_t result;
    if (type->size == 2) {
      return bits << 16;
    }
    memcpy(&wide, &bits, sizeof wide);
    narrow = (float)wide;
    memcpy(&result, &narrow, sizeof result);
    return result;
  }
  return bits;
}

/* Where the element of the next coordinates is among elements in columns. */
static uint64_t webnn_weights__next_place(const webnn_list *shape, uint32_t *coordinates,
                                          uint64_t place) {
  uint64_t strides[WEBNN_MAX_RANK], stride = 1;
  uint32_t i;
  for (i = 0; i < shape->count; i++) {
    strides[i] = stride;
    stride *= shape->items[i];
  }
  for (i = shape->count; i-- > 0;) {
    place += strides[i];
    if (++coordinates[i] < shape->items[i]) {
      return place;
    }
    place -= strides[i] * shape->items[i];
    coordinates[i] = 0;
  }
  return place;
}

/* Does a byte hold an element of 4 bits? */
static bool webnn_weights__fits_4_bits(uint64_t byte, webnn_data_type type) {
  return type == WEBNN_INT4 ? ((byte + 8) & 255) < 16 : byte < 16;
}

/* Makes the elements of an entry those of a graph, one after the other. */
static bool webnn_weights__convert(webnn_weights *w, const webnn_weights__entry *e,
                                   webnn_data_type type, uint8_t *to) {
  const bool nibbles = webnn_data_type_bits(type) == 4;
  const size_t from_size = e->type->size, to_size = webnn_data_type_bits(type) / 8;
  const bool machine = webnn_weights__machine_is_big_endian();
  uint32_t coordinates[WEBNN_MAX_RANK] = {0};
  uint64_t place = 0, i;
  for (i = 0; i < e->count; i++) {
    const uint8_t *from = e->data + place * from_size;
    const uint64_t bits = webnn_weights__load(from, from_size, e->big_endian);
    if (!nibbles) {
      webnn_weights__store(to + i * to_size, to_size, machine,
                           webnn_weights__to_graph_type(e->type, bits));
    } else if (webnn_weights__fits_4_bits(bits, type)) {
      to[i / 2] = (uint8_t)(to[i / 2] | (bits & 15) << (i % 2 * 4));
    } else {
      return webnn_weights__wrong(w, from, "the element does not fit into 4 bits");
    }
    place = e->columns ? webnn_weights__next_place(&e->shape, coordinates, place) : place + 1;
  }
  return true;
}

/* The elements of an entry in the form that a graph takes: those of the file where they are so,
   else a copy. `packed` says that they are elements of 4 bits. NULL after an error. */
static const void *webnn_weights__elements(webnn_weights *w, webnn_weights__entry *e,
                                           webnn_data_type type, bool packed, size_t length) {
  const size_t size = e->type->size;
  const bool swapped = size > 1 && e->big_endian != webnn_weights__machine_is_big_endian();
  const bool same = packed || (type == e->type->graph_type && !e->type->converted && !swapped &&
                               !(e->columns && e->shape.count > 1));
  webnn_weights__copy *copy;
  if (same && (uintptr_t)e->data % size == 0) {
    return e->data;
  }
  for (copy = e->copies; copy != NULL; copy = copy->next) {
    if (copy->type == type) {
      return copy->data;
    }
  }
  copy = (webnn_weights__copy *)webnn_weights__take(w, 1, sizeof *copy);
  if (copy == NULL || (copy->data = webnn_weights__take(w, length, 1)) == NULL) {
    return NULL;
  }
  if (same) {
    memcpy(copy->data, e->data, length);
  } else if (!webnn_weights__convert(w, e, type, (uint8_t *)copy->data)) {
    return NULL;
  }
  copy->type = type;
  copy->next = e->copies;
  e->copies = copy;
  return copy->data;
}

/* ---- 10 asking ------------------------------------------------------------------------------- */

/* "float32 [2,3]" */
static webnn_weights__shown webnn_weights__show_tensor(const char *type, const webnn_list *shape) {
  webnn_weights__shown shown;
  const size_t most = sizeof shown.text - 16;
  size_t length = (size_t)snprintf(shown.text, 40, "%.20s [", type);
  uint32_t i;
  for (i = 0; i < shape->count && i < WEBNN_MAX_RANK && length < most; i++) {
    length += (size_t)snprintf(shown.text + length, 16, "%s%lu", i > 0 ? "," : "",
                               (unsigned long)shape->items[i]);
  }
  (void)snprintf(shown.text + length, 8, i < shape->count ? ",...]" : "]");
  return shown;
}

static bool webnn_weights__same_list(const webnn_list *a, const webnn_list *b) {
  return a->count == b->count && a->count <= WEBNN_MAX_RANK &&
         memcmp(a->items, b->items, a->count * sizeof *a->items) == 0;
}

/* Is this uint8 tensor what is expected, elements of 4 bits that are packed? */
static bool webnn_weights__is_packed(const webnn_weights__entry *e,
                                     const webnn_operand_descriptor *expected) {
  return webnn_data_type_bits(expected->data_type) == 4 && e->type != NULL && !e->npy &&
         e->type->graph_type == WEBNN_UINT8 && e->shape.count == 1 && expected->shape.given &&
         e->count > 0 && webnn_byte_length(*expected) == e->shape.items[0] &&
         (e->marked || !webnn_weights__same_list(&e->shape, &expected->shape));
}

/* Can the elements be had as this type? */
static bool webnn_weights__can_be(const webnn_weights__entry *e, webnn_data_type type) {
  if (webnn_data_type_bits(type) != 4) {
    return type == e->type->graph_type;
  }
  return !e->marked && (e->type->graph_type == (type == WEBNN_INT4 ? WEBNN_INT8 : WEBNN_UINT8) ||
                        (!e->npy && e->type->graph_type == WEBNN_UINT8));
}

/* How messages call it: by its name, unless the file has only one tensor. */
static const char *webnn_weights__subject(const webnn_weights__entry *e,
                                          webnn_weights__shown *shown) {
  (void)snprintf(shown->text, sizeof shown->text, "\"%.80s\"", e->name);
  return e->alone ? "the tensor" : shown->text;
}

/* Are all dimensions those of a descriptor? Of others it does not say the length in bytes. */
static bool webnn_weights__is_small(const webnn_weights__entry *e) {
  uint32_t i;
  for (i = 0; i < e->shape.count && i < WEBNN_MAX_RANK; i++) {
    if (e->shape.items[i] > INT32_MAX) {
      return false;
    }
  }
  return true;
}

/* Can a graph have it, and is it what is expected? */
static bool webnn_weights__agrees(webnn_weights *w, const webnn_weights__entry *e,
                                  const webnn_operand_descriptor *expected) {
  webnn_weights__shown subject;
  const char *name = webnn_weights__subject(e, &subject);
  const webnn_data_type type = expected->data_type;
  const char *wanted = (int)type != 0 ? webnn_data_type_name(type) : e->type_name;
  if (e->type == NULL) {
    return webnn_weights__fail(w, WEBNN_NOT_SUPPORTED_ERROR,
                               "%s has the type %.80s, which is not read", name, e->type_name);
  }
  if (((int)type != 0 && !webnn_weights__can_be(e, type)) ||
      (expected->shape.given && !webnn_weights__same_list(&e->shape, &expected->shape))) {
    return webnn_weights__fail(
        w, WEBNN_TYPE_ERROR, "%s must be %s; it is %s", name,
        webnn_weights__show_tensor(wanted, expected->shape.given ? &expected->shape : &e->shape)
            .text,
        webnn_weights__show_tensor(e->type_name, &e->shape).text);
  }
  if ((int)type == 0 && e->type->converted) {
    return webnn_weights__fail(w, WEBNN_NOT_SUPPORTED_ERROR,
                               "%s is %s, which WebNN lacks; it is read as %s if that is expected",
                               name, e->type_name, webnn_data_type_name(e->type->graph_type));
  }
  if (e->shape.count > WEBNN_MAX_RANK || e->count == 0) {
    return webnn_weights__fail(w, WEBNN_NOT_SUPPORTED_ERROR,
                               e->count == 0 ? "%s is %s, which has no elements"
                                             : "%s is %s, which has more than 8 dimensions",
                               name, webnn_weights__show_tensor(e->type_name, &e->shape).text);
  }
  return webnn_weights__is_small(e) ||
         webnn_weights__fail(w, WEBNN_NOT_SUPPORTED_ERROR,
                             "%s is %s, and a dimension of WebNN has at most 2^31 - 1 elements",
                             name, webnn_weights__show_tensor(e->type_name, &e->shape).text);
}

/* How many names a message suggests, and how much of a name is compared for it. */
#define WEBNN_WEIGHTS__SIMILAR 3u
#define WEBNN_WEIGHTS__COMPARED 96u

/* How many characters are to be changed, added and removed to make one name of the other. */
static size_t webnn_weights__distance(const char *a, const char *b) {
  uint8_t row[WEBNN_WEIGHTS__COMPARED + 1];
  size_t i, j, width = strlen(b);
  width = width < WEBNN_WEIGHTS__COMPARED ? width : WEBNN_WEIGHTS__COMPARED;
  for (j = 0; j <= width; j++) {
    row[j] = (uint8_t)j;
  }
  for (i = 1; i <= WEBNN_WEIGHTS__COMPARED && a[i - 1] != '\0'; i++) {
    uint8_t diagonal = row[0];
    row[0] = (uint8_t)i;
    for (j = 1; j <= width; j++) {
      const uint8_t change = (uint8_t)(diagonal + (a[i - 1] != b[j - 1]));
      const uint8_t least = (uint8_t)((row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1);
      diagonal = row[j];
      row[j] = change < least ? change : least;
    }
  }
  return row[width];
}

/* The distance of two names; one with more before or after it is near. SIZE_MAX: it is not near. */
static size_t webnn_weights__farness(const char *wanted, const char *name) {
  const size_t distance = webnn_weights__distance(wanted, name);
  const size_t length = strlen(wanted);
  if (distance * 3 <= length || distance <= 2) {
    return distance;
  }
  return length > 3 && (strstr(name, wanted) != NULL || webnn_weights__ends_with(wanted, name))
             ? length / 3 + 1
             : SIZE_MAX;
}

/* There is no tensor of this name; which ones might be meant? */
static bool webnn_weights__no_tensor(webnn_weights *w, const char *name) {
  const webnn_weights__entry *e;
  const char *similar[WEBNN_WEIGHTS__SIMILAR] = {NULL, NULL, NULL};
  size_t distances[WEBNN_WEIGHTS__SIMILAR] = {SIZE_MAX, SIZE_MAX, SIZE_MAX}, i, length = 0;
  char text[WEBNN_WEIGHTS__SIMILAR * sizeof(webnn_weights__shown) + 32];
  for (e = w->first; e != NULL; e = e->next) {
    const char *candidate = e->name;
    size_t distance = webnn_weights__farness(name, candidate), j;
    for (j = 0; j < WEBNN_WEIGHTS__SIMILAR; j++) {
      if (distance < distances[j]) {
        const char *other = similar[j];
        const size_t others = distances[j];
        similar[j] = candidate;
        distances[j] = distance;
        candidate = other;
        distance = others;
      }
    }
  }
  text[0] = '\0';
  for (i = 0; i < WEBNN_WEIGHTS__SIMILAR && similar[i] != NULL; i++) {
    length += (size_t)snprintf(text + length, sizeof text - length, "%s\"%.80s\"",
                               i > 0 ? " or " : "; is ", similar[i]);
  }
  w->file = NULL;
  return webnn_weights__fail(w, WEBNN_TYPE_ERROR, "there is no tensor \"%.80s\" among %llu%s%s",
                             name, (unsigned long long)w->count, text, length > 0 ? " meant?" : "");
}

/* ---- 11 writing ------------------------------------------------------------------------------ */

/* A tensor that is to be written: how its elements are stored. */
typedef struct webnn_weights__item {
  const webnn_weights_tensor *tensor;
  const webnn_weights__type *type;
  uint64_t count, byte_length; /* of elements; of bytes in the file */
  bool packed;
} webnn_weights__item;

typedef struct webnn_weights__output {
  webnn_writer write;
  void *user;
  uint64_t length; /* of what was written */
  bool dry;        /* nothing is written, only counted */
} webnn_weights__output;

static void webnn_weights__put(webnn_weights__output *o, const void *data, size_t length) {
  o->length += length;
  if (!o->dry && length > 0) {
    o->write(o->user, (const char *)data, length);
  }
}

static void webnn_weights__put_text(webnn_weights__output *o, const char *text) {
  webnn_weights__put(o, text, strlen(text));
}

static void webnn_weights__put_number(webnn_weights__output *o, uint64_t number) {
  char text[24];
  (void)snprintf(text, sizeof text, "%llu", (unsigned long long)number);
  webnn_weights__put_text(o, text);
}

static void webnn_weights__put_blanks(webnn_weights__output *o, uint64_t count) {
  for (; count > 0; count--) {
    webnn_weights__put_text(o, " ");
  }
}

/* A string of JSON. */
static void webnn_weights__put_string(webnn_weights__output *o, const char *text) {
  webnn_weights__put_text(o, "\"");
  for (; *text != '\0'; text++) {
    char escaped[8];
    if ((unsigned char)*text < 32) {
      (void)snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*text);
      webnn_weights__put_text(o, escaped);
    } else {
      if (*text == '"' || *text == '\\') {
        webnn_weights__put_text(o, "\\");
      }
      webnn_weights__put(o, text, 1);
    }
  }
  webnn_weights__put_text(o, "\"");
}

/* An element of a graph as one of a file's type; false if that type does not have it. */
static bool webnn_weights__to_file_type(const webnn_weights__item *item, uint64_t *bits) {
  const webnn_weights__type *type = item->type;
  const uint64_t b = *bits;
  if (strcmp(type->name, "bool") == 0) {
    return b <= 1;
  }
  if (!type->converted) {
    return true;
  }
  if (type->graph_type == WEBNN_INT32) {
    *bits = b & 0xFFFF;
    return webnn_weights__to_graph_type(type, *bits) == b;
  }
  if (type->graph_type == WEBNN_UINT32) {
    return b <= 0xFFFF;
  }
  if (type->size == 2) { /* bfloat16, ties to even; a NaN stays one */
    *bits =
        (b & 0x7FFFFFFFu) > 0x7F800000u ? (b >> 16 | 0x40u) : (b + 0x7FFFu + (b >> 16 & 1u)) >> 16;
  } else {
    const uint32_t low = (uint32_t)b;
    float narrow;
    double wide;
    memcpy(&narrow, &low, sizeof narrow);
    wide = (double)narrow;
    memcpy(bits, &wide, sizeof *bits);
  }
  return true;
}

/* The element at `index` of the tensor, sign-extended to a byte if it has 4 bits. */
static uint64_t webnn_weights__element(const webnn_weights__item *item, uint64_t index) {
  const webnn_data_type type = item->tensor->descriptor.data_type;
  const uint8_t *data = (const uint8_t *)item->tensor->data;
  const size_t size = webnn_data_type_bits(type) / 8;
  uint64_t nibble;
  if (size > 0) {
    return webnn_weights__load(data + index * size, size, webnn_weights__machine_is_big_endian());
  }
  nibble = data[index / 2] >> (index % 2 * 4) & 15u;
  return type == WEBNN_INT4 && nibble > 7 ? nibble | 0xF0 : nibble;
}

/* The elements as the file has them, little-endian. False: one of them is not of the type. */
static bool webnn_weights__put_elements(webnn_weights__output *o, const webnn_weights__item *item) {
  const webnn_weights_tensor *t = item->tensor;
  const size_t size = item->type->size;
  const bool same = item->packed || (t->byte_length == item->byte_length &&
                                     (size == 1 || !webnn_weights__machine_is_big_endian()) &&
                                     strcmp(item->type->name, "bool") != 0);
  uint8_t buffer[4096];
  size_t used = 0;
  uint64_t i;
  if (same) {
    webnn_weights__put(o, t->data, t->byte_length);
    return true;
  }
  for (i = 0; i < item->count; i++) {
    uint64_t bits = webnn_weights__element(item, i);
    if (!webnn_weights__to_file_type(item, &bits)) {
      return false;
    }
    webnn_weights__store(buffer + used, size, false, bits);
    used += size;
    if (used > sizeof buffer - 8 || i + 1 == item->count) {
      webnn_weights__put(o, buffer, used);
      used = 0;
    }
  }
  return true;
}

/* Is a size 0? Then there are no bytes. */
static bool webnn_weights__is_empty(webnn_operand_descriptor d) {
  bool empty = false;
  uint32_t i;
  for (i = 0; i < d.shape.count && i < WEBNN_MAX_RANK; i++) {
    empty = empty || d.shape.items[i] == 0;
  }
  return empty && d.shape.count <= WEBNN_MAX_RANK;
}

/* What a tensor becomes in a format. */
static webnn_status webnn_weights__prepare(webnn_weights_format format, webnn_weights__item *item,
                                           webnn_error *error) {
  const webnn_weights_tensor *t = item->tensor;
  const webnn_data_type graph_type = t->descriptor.data_type;
  const char *own = webnn_data_type_name(graph_type), *name = t->type != NULL ? t->type : own;
  const char *label = t->name != NULL ? t->name : "";
  const bool npy = format == WEBNN_WEIGHTS_NPY, nibbles = webnn_data_type_bits(graph_type) == 4;
  webnn_weights__output dry = {NULL, NULL, 0, true};
  uint32_t i;
  if (webnn_byte_length(t->descriptor) != t->byte_length ||
      (t->byte_length == 0 && !webnn_weights__is_empty(t->descriptor)) || t->data == NULL ||
      (!npy && t->name == NULL)) {
    return webnn_weights__set_error(
        error, WEBNN_TYPE_ERROR, "tensor \"%.80s\": %s", label,
        t->data == NULL           ? "the data are NULL"
        : !npy && t->name == NULL ? "the name is NULL"
                                  : "the descriptor must be valid and have byte_length bytes");
  }
  item->count = 1;
  for (i = 0; i < t->descriptor.shape.count; i++) {
    item->count *= t->descriptor.shape.items[i];
  }
  item->packed = nibbles && !npy && strcmp(name, own) == 0;
  if (nibbles && strcmp(name, own) == 0) {
    name = npy && graph_type == WEBNN_INT4 ? "int8" : "uint8";
  }
  item->type = webnn_weights__type_of(name, false, false);
  if (item->type == NULL ||
      (nibbles ? item->type->size != 1 : item->type->graph_type != graph_type)) {
    return webnn_weights__set_error(
        error, WEBNN_TYPE_ERROR, "tensor \"%.80s\": %s cannot be written as %s", label, own, name);
  }
  if (npy && item->type->npy == NULL) {
    return webnn_weights__set_error(error, WEBNN_NOT_SUPPORTED_ERROR, "NPY has no %s", name);
  }
  item->byte_length = item->packed ? t->byte_length : item->count * item->type->size;
  if (!webnn_weights__put_elements(&dry, item)) {
    return webnn_weights__set_error(error, WEBNN_TYPE_ERROR,
                                    "tensor \"%.80s\": an element is not one of %s", label, name);
  }
  return WEBNN_OK;
}

/* Version 1, whose header ends where the alignment wants it. */
static void webnn_weights__put_npy(webnn_weights__output *o, const webnn_weights__item *item) {
  const webnn_list *shape = &item->tensor->descriptor.shape;
  char text[4 * WEBNN_WEIGHTS__NPY_ALIGNMENT];
  uint8_t head[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0, 0};
  size_t length, padded;
  uint32_t i;
  length = (size_t)snprintf(text, 96, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                            item->type->size > 1 ? '<' : '|', item->type->npy);
  for (i = 0; i < shape->count; i++) {
    length += (size_t)snprintf(text + length, 16, "%s%lu%s", i > 0 ? " " : "",
                               (unsigned long)shape->items[i],
                               shape->count == 1 || i + 1 < shape->count ? "," : "");
  }
  length += (size_t)snprintf(text + length, 8, "), }");
  padded = (sizeof head + length + WEBNN_WEIGHTS__NPY_ALIGNMENT) / WEBNN_WEIGHTS__NPY_ALIGNMENT *
               WEBNN_WEIGHTS__NPY_ALIGNMENT -
           sizeof head;
  webnn_weights__store(head + 8, 2, false, padded);
  webnn_weights__put(o, head, sizeof head);
  webnn_weights__put(o, text, length);
  webnn_weights__put_blanks(o, padded - length - 1);
  webnn_weights__put_text(o, "\n");
  (void)webnn_weights__put_elements(o, item);
}

/* The header of safetensors without what stands before and after it. */
static void webnn_weights__put_header(webnn_weights__output *o, const webnn_weights__item *items,
                                      size_t count) {
  const char *separator = "{";
  uint64_t from = 0;
  size_t i = 0;
  while (i < count && !items[i].packed) {
    i++;
  }
  if (i < count) {
    webnn_weights__put_text(o, "{\"__metadata__\":{\"" WEBNN_WEIGHTS__PACKED "\":\"1\"}");
    separator = ",";
  }
  for (i = 0; i < count; i++) {
    const webnn_list *shape = &items[i].tensor->descriptor.shape;
    uint32_t j;
    webnn_weights__put_text(o, separator);
    webnn_weights__put_string(o, items[i].tensor->name);
    webnn_weights__put_text(o, ":{\"dtype\":\"");
    webnn_weights__put_text(o, items[i].type->safetensors);
    webnn_weights__put_text(o, "\",\"shape\":[");
    if (items[i].packed) {
      webnn_weights__put_number(o, items[i].byte_length);
    }
    for (j = 0; j < shape->count && !items[i].packed; j++) {
      webnn_weights__put_text(o, j > 0 ? "," : "");
      webnn_weights__put_number(o, shape->items[j]);
    }
    webnn_weights__put_text(o, "],\"data_offsets\":[");
    webnn_weights__put_number(o, from);
    webnn_weights__put_text(o, ",");
    from += items[i].byte_length;
    webnn_weights__put_number(o, from);
    webnn_weights__put_text(o, "]}");
    separator = ",";
  }
  webnn_weights__put_text(o, count > 0 || *separator == ',' ? "}" : "{}");
}

static void webnn_weights__put_safetensors(webnn_weights__output *o,
                                           const webnn_weights__item *items, size_t count) {
  webnn_weights__output dry = {NULL, NULL, 0, true};
  uint8_t head[8];
  uint64_t padding;
  size_t i;
  webnn_weights__put_header(&dry, items, count);
  padding =
      (WEBNN_WEIGHTS__ALIGNMENT - dry.length % WEBNN_WEIGHTS__ALIGNMENT) % WEBNN_WEIGHTS__ALIGNMENT;
  webnn_weights__store(head, sizeof head, false, dry.length + padding);
  webnn_weights__put(o, head, sizeof head);
  webnn_weights__put_header(o, items, count);
  webnn_weights__put_blanks(o, padding);
  for (i = 0; i < count; i++) {
    (void)webnn_weights__put_elements(o, &items[i]);
  }
}

/* By name. */
static int webnn_weights__item_names(const void *first, const void *second) {
  const webnn_weights__item *a = (const webnn_weights__item *)first;
  const webnn_weights__item *b = (const webnn_weights__item *)second;
  return strcmp(a->tensor->name, b->tensor->name);
}

/* Larger elements first, then in the order in which they were given. */
static int webnn_weights__item_sizes(const void *first, const void *second) {
  const webnn_weights__item *a = (const webnn_weights__item *)first;
  const webnn_weights__item *b = (const webnn_weights__item *)second;
  return a->type->size != b->type->size ? (a->type->size < b->type->size ? 1 : -1)
                                        : (a->tensor > b->tensor) - (a->tensor < b->tensor);
}

static bool webnn_weights__is_utf8(const char *text) {
  const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);
  while (at < end) {
    const size_t length = webnn_weights__utf8_length(at, end);
    if (length == 0) {
      return false;
    }
    at += length;
  }
  return true;
}

/* Names of safetensors differ, are UTF-8, and none is that of the metadata. */
static webnn_status webnn_weights__check_names(webnn_weights__item *items, size_t count,
                                               webnn_error *error) {
  size_t i;
  if (count > 1) {
    qsort(items, count, sizeof *items, webnn_weights__item_names);
  }
  for (i = 0; i < count; i++) {
    const char *name = items[i].tensor->name;
    const bool twice = i > 0 && strcmp(items[i - 1].tensor->name, name) == 0;
    if (twice || strcmp(name, "__metadata__") == 0 || !webnn_weights__is_utf8(name)) {
      return webnn_weights__set_error(error, WEBNN_TYPE_ERROR,
                                      twice ? "tensor \"%.80s\" is there twice"
                                            : "\"%.80s\" cannot be the name of a tensor",
                                      name);
    }
  }
  if (count > 1) {
    qsort(items, count, sizeof *items, webnn_weights__item_sizes);
  }
  return WEBNN_OK;
}

/* The items of a file that can be written; NULL after an error. */
static webnn_weights__item *webnn_weights__prepare_all(webnn_weights_format format,
                                                       const webnn_weights_tensor *tensors,
                                                       size_t count, webnn_error *error) {
  webnn_weights__item *items = count < SIZE_MAX / sizeof *items
                                   ? (webnn_weights__item *)calloc(count + 1, sizeof *items)
                                   : NULL;
  webnn_status status = WEBNN_OK;
  size_t i;
  if (items == NULL) {
    (void)webnn_weights__set_error(error, WEBNN_UNKNOWN_ERROR, "out of memory");
    return NULL;
  }
  for (i = 0; i < count && status == WEBNN_OK; i++) {
    items[i].tensor = &tensors[i];
    status = webnn_weights__prepare(format, &items[i], error);
  }
  if (status == WEBNN_OK && format == WEBNN_WEIGHTS_SAFETENSORS) {
    status = webnn_weights__check_names(items, count, error);
  }
  if (status == WEBNN_OK) {
    return items;
  }
  free(items);
  return NULL;
}

static bool webnn_weights__rename(const char *from, const char *to) {
#if defined(_WIN32)
  return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING) != 0;
#else
  return rename(from, to) == 0;
#endif
}

/* ---- 12 interface ---------------------------------------------------------------------------- */

WEBNN_WEIGHTS_API void webnn_weights_free(webnn_weights *weights) {
  webnn_weights__file *file;
  webnn_weights__block *block;
  if (weights == NULL) {
    return;
  }
  for (file = weights->files; file != NULL; file = file->next) {
    webnn_weights__close_file(file);
  }
  for (block = weights->blocks; block != NULL;) {
    webnn_weights__block *next = block->next;
    free(block);
    block = next;
  }
  free(weights);
}

/* Reads the file that is looked at, whatever it is. */
static bool webnn_weights__read_any(webnn_weights *w, bool with_index) {
  static const struct {
    const char *ending, *magic;
    bool (*read)(webnn_weights *w);
  } formats[] = {{".npy", "\x93NUMPY", webnn_weights__read_npy_alone},
                 {".npz", "PK", webnn_weights__read_npz},
                 {".safetensors", NULL, webnn_weights__read_safetensors},
                 {".json", NULL, webnn_weights__read_index}};
  const webnn_weights__file *file = w->file;
  size_t i;
  for (i = 0; i < 4; i++) {
    if (webnn_weights__ends_with(file->path, formats[i].ending)) {
      return i < 3 || with_index
                 ? formats[i].read(w)
                 : webnn_weights__fail(w, WEBNN_TYPE_ERROR, "an index must be read from a file");
    }
  }
  for (i = 0; i < 2; i++) {
    const size_t length = strlen(formats[i].magic);
    if (file->length >= length && memcmp(file->bytes, formats[i].magic, length) == 0) {
      return formats[i].read(w);
    }
  }
  return webnn_weights__read_safetensors(w);
}

/* New weights without tensors, with their own copy of the path; NULL after an error. */
static webnn_weights *webnn_weights__new(const char *path, webnn_error *error) {
  webnn_weights *w = (webnn_weights *)calloc(1, sizeof *w);
  if (w != NULL) {
    w->error = error;
    w->end = &w->first;
    w->path = "weights";
    w->path = webnn_weights__copy_text(w, path, strlen(path));
  }
  if (w == NULL || w->path == NULL) {
    (void)webnn_weights__set_error(error, WEBNN_UNKNOWN_ERROR, "out of memory");
    webnn_weights_free(w);
    return NULL;
  }
  return w;
}

/* What was opened, or the error of what was not. */
static webnn_status webnn_weights__finish(webnn_weights *w, bool good, webnn_weights **weights) {
  const webnn_status status = good && webnn_weights__sort(w) ? WEBNN_OK : w->status;
  if (status == WEBNN_OK) {
    *weights = w;
  } else {
    webnn_weights_free(w);
  }
  return status;
}

WEBNN_WEIGHTS_API webnn_status webnn_weights_open(const char *path, webnn_weights **weights,
                                                  webnn_error *error) {
  webnn_weights *w;
  if (weights != NULL) {
    *weights = NULL;
  }
  if (path == NULL || weights == NULL) {
    return webnn_weights__set_error(error, WEBNN_TYPE_ERROR,
                                    "webnn_weights_open: the path or place is NULL");
  }
  w = webnn_weights__new(path, error);
  if (w == NULL) {
    return WEBNN_UNKNOWN_ERROR;
  }
  return webnn_weights__finish(
      w, webnn_weights__open_file(w, w->path) && webnn_weights__read_any(w, true), weights);
}

WEBNN_WEIGHTS_API webnn_status webnn_weights_read(const void *bytes, size_t length,
                                                  const char *name, webnn_weights **weights,
                                                  webnn_error *error) {
  webnn_weights *w;
  webnn_weights__file *file;
  if (weights != NULL) {
    *weights = NULL;
  }
  if (bytes == NULL || name == NULL || weights == NULL) {
    return webnn_weights__set_error(error, WEBNN_TYPE_ERROR,
                                    "webnn_weights_read: the bytes, name or place are NULL");
  }
  w = webnn_weights__new(name, error);
  if (w == NULL) {
    return WEBNN_UNKNOWN_ERROR;
  }
  file = webnn_weights__new_file(w, w->path);
  if (file != NULL) {
    file->bytes = (const uint8_t *)bytes;
    file->length = length;
  }
  return webnn_weights__finish(w, file != NULL && webnn_weights__read_any(w, false), weights);
}

WEBNN_WEIGHTS_API size_t webnn_weights_list(const webnn_weights *weights,
                                            webnn_weights_tensor *tensors, size_t capacity) {
  const webnn_weights__entry *e = weights != NULL && tensors != NULL ? weights->first : NULL;
  size_t i;
  for (i = 0; e != NULL && i < capacity; i++, e = e->next) {
    memset(&tensors[i], 0, sizeof tensors[i]);
    tensors[i].name = e->name;
    tensors[i].type = e->type_name;
    tensors[i].descriptor.shape = e->shape;
    if (e->type != NULL) {
      tensors[i].descriptor.data_type = e->type->graph_type;
      tensors[i].byte_length = (size_t)webnn_byte_length(tensors[i].descriptor);
    }
  }
  return weights != NULL ? weights->count : 0;
}

/* The entry with a name, or the only one; NULL after an error. */
static webnn_weights__entry *webnn_weights__entry_of(webnn_weights *w, const char *name) {
  webnn_weights__entry *e = name != NULL    ? webnn_weights__find(w, name)
                            : w->count == 1 ? w->first
                                            : NULL;
  w->file = NULL;
  if (e != NULL) {
    w->file = e->file;
  } else if (name != NULL) {
    (void)webnn_weights__no_tensor(w, name);
  } else {
    (void)webnn_weights__fail(w, WEBNN_TYPE_ERROR, "%llu tensors are there; the name is NULL",
                              (unsigned long long)w->count);
  }
  return e;
}

WEBNN_WEIGHTS_API webnn_status webnn_weights_get(webnn_weights *weights, const char *name,
                                                 webnn_operand_descriptor expected,
                                                 webnn_weights_tensor *tensor, webnn_error *error) {
  webnn_weights__entry *e;
  webnn_weights_tensor t;
  uint64_t length;
  bool packed;
  if (weights == NULL || tensor == NULL) {
    return webnn_weights__no_handle(weights == NULL ? error : NULL,
                                    "webnn_weights_get: the weights are NULL");
  }
  memset(tensor, 0, sizeof *tensor);
  memset(&t, 0, sizeof t);
  weights->error = error;
  weights->status = WEBNN_OK;
  e = webnn_weights__entry_of(weights, name);
  if (e == NULL) {
    return weights->status;
  }
  packed = webnn_weights__is_packed(e, &expected);
  if (!packed && !webnn_weights__agrees(weights, e, &expected)) {
    return weights->status;
  }
  t.name = e->name;
  t.type = packed ? webnn_data_type_name(expected.data_type) : e->type_name;
  t.descriptor.data_type = (int)expected.data_type != 0 ? expected.data_type : e->type->graph_type;
  t.descriptor.shape = packed ? expected.shape : e->shape;
  length = webnn_byte_length(t.descriptor);
  if (length > SIZE_MAX) {
    (void)webnn_weights__no_memory(weights);
    return weights->status;
  }
  t.byte_length = (size_t)length;
  t.data = webnn_weights__elements(weights, e, t.descriptor.data_type, packed, t.byte_length);
  if (t.data == NULL) {
    return weights->status;
  }
  *tensor = t;
  return WEBNN_OK;
}

WEBNN_WEIGHTS_API webnn_operand *webnn_weights_constant(webnn_weights *weights,
                                                        webnn_builder *builder, const char *name,
                                                        webnn_operand_descriptor expected,
                                                        webnn_error *error) {
  webnn_error *mine = error != NULL && error->status == WEBNN_OK ? error : NULL;
  webnn_weights_tensor tensor;
  webnn_operand *operand;
  if (webnn_weights_get(weights, name, expected, &tensor, mine) != WEBNN_OK) {
    /* Records that something failed before, so that webnn_build fails and keeps the error. */
    return webnn_constant_from_tensor(builder, NULL);
  }
  operand = webnn_constant_over_memory(builder, tensor.descriptor, tensor.data, tensor.byte_length);
  if (operand == NULL) {
    (void)webnn_weights__set_error(mine, webnn_builder_status(builder), "%s",
                                   webnn_builder_message(builder));
  }
  return operand;
}

WEBNN_WEIGHTS_API webnn_status webnn_weights_write(webnn_weights_format format,
                                                   const webnn_weights_tensor *tensors,
                                                   size_t count, webnn_writer write, void *user,
                                                   webnn_error *error) {
  webnn_weights__output output = {write, user, 0, false};
  webnn_weights__item *items;
  webnn_error reason = WEBNN_ZERO;
  const bool npy = format == WEBNN_WEIGHTS_NPY;
  if (write == NULL || (tensors == NULL && count > 0) ||
      (!npy && format != WEBNN_WEIGHTS_SAFETENSORS) || (npy && count != 1)) {
    return webnn_weights__set_error(error, WEBNN_TYPE_ERROR, "webnn_weights_write: %s",
                                    write == NULL       ? "the writer is NULL"
                                    : npy && count != 1 ? "an NPY file must have one tensor"
                                    : tensors == NULL   ? "the tensors are NULL"
                                                        : "the format must be safetensors or NPY");
  }
  items = webnn_weights__prepare_all(format, tensors, count, &reason);
  if (items == NULL) {
    return webnn_weights__set_error(error, reason.status, "%s", reason.message);
  }
  if (npy) {
    webnn_weights__put_npy(&output, &items[0]);
  } else {
    webnn_weights__put_safetensors(&output, items, count);
  }
  free(items);
  return WEBNN_OK;
}

WEBNN_WEIGHTS_API webnn_status webnn_weights_write_file(const char *path,
                                                        const webnn_weights_tensor *tensors,
                                                        size_t count, webnn_error *error) {
  webnn_error reason = WEBNN_ZERO;
  char *temporary;
  FILE *file;
  bool npy, good;
  if (path == NULL) {
    return webnn_weights__set_error(error, WEBNN_TYPE_ERROR,
                                    "webnn_weights_write_file: the path is NULL");
  }
  npy = webnn_weights__ends_with(path, ".npy");
  if (!npy && !webnn_weights__ends_with(path, ".safetensors")) {
    return webnn_weights__set_error(error, WEBNN_TYPE_ERROR,
                                    "%s: the name must end in .npy or .safetensors", path);
  }
  temporary = (char *)malloc(strlen(path) + sizeof ".part");
  if (temporary == NULL) {
    return webnn_weights__set_error(error, WEBNN_UNKNOWN_ERROR, "%s: out of memory", path);
  }
  (void)snprintf(temporary, strlen(path) + sizeof ".part", "%s.part", path);
  file = fopen(temporary, "wb");
  good = file != NULL &&
         webnn_weights_write(npy ? WEBNN_WEIGHTS_NPY : WEBNN_WEIGHTS_SAFETENSORS, tensors, count,
                             webnn_write_to_file, file, &reason) == WEBNN_OK &&
         ferror(file) == 0;
  good = file != NULL && fclose(file) == 0 && good;
  good = good && webnn_weights__rename(temporary, path);
  if (!good && file != NULL) {
    (void)remove(temporary);
  }
  free(temporary);
  if (good) {
    return WEBNN_OK;
  }
  return webnn_weights__set_error(
      error, reason.status != WEBNN_OK ? reason.status : WEBNN_OPERATION_ERROR, "%s: %s", path,
      reason.status != WEBNN_OK ? reason.message : "the file cannot be written");
}

#endif /* WEBNN_WEIGHTS_IMPLEMENTATION */
