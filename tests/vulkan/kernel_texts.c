/* The kernels that tests have left as files (kernel_files.h), held against what others make of them: for each
   text NAME.comp that is named on the standard input, is the module beside it, NAME.spv, valid for spirv-val's
   library, and does glslang take the text? What glslang makes of it goes to the folder that is named as the
   only argument. Prints the texts of which one is not so, with the reason, and closes with their count. */
#include <glslang/Include/glslang_c_interface.h>
#include <glslang/Public/resource_limits_c.h>
#include <spirv-tools/libspirv.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A whole file with a 0 behind it, or NULL. */
static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes = NULL;
  long length;
  if (file == NULL) {
    return NULL;
  }
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0) {
    rewind(file);
    *size = (size_t)length;
    bytes = (char *)malloc(*size + 1);
    if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
      free(bytes);
      bytes = NULL;
    } else if (bytes != NULL) {
      bytes[*size] = 0;
    }
  }
  fclose(file);
  return bytes;
}

static bool write_words(const char *path, const unsigned *words, size_t count) {
  FILE *file = fopen(path, "wb");
  bool ok = file != NULL && fwrite(words, 4, count, file) == count;
  return file != NULL && fclose(file) == 0 && ok;
}

/* Is the module of this file valid? */
static bool module_is_valid(spv_context context, const char *path) {
  size_t size = 0;
  char *bytes = read_file(path, &size);
  spv_diagnostic diagnostic = NULL;
  bool ok = bytes != NULL && spvValidateBinary(context, (const uint32_t *)(void *)bytes, size / 4,
                                               &diagnostic) == SPV_SUCCESS;
  if (!ok) {
    printf("%s: %s\n", path, diagnostic != NULL ? diagnostic->error : "cannot be read");
  }
  spvDiagnosticDestroy(diagnostic);
  free(bytes);
  return ok;
}

static bool refuses(const char *text_path, const char *why) {
  printf("%s: %s\n", text_path, why);
  return false;
}

/* How glslang is asked to read a text: as a compute shader for Vulkan 1.1. */
static glslang_input_t input_of(const char *text) {
  glslang_input_t input;
  memset(&input, 0, sizeof input);
  input.language = GLSLANG_SOURCE_GLSL;
  input.stage = GLSLANG_STAGE_COMPUTE;
  input.client = GLSLANG_CLIENT_VULKAN;
  input.client_version = GLSLANG_TARGET_VULKAN_1_1;
  input.target_language = GLSLANG_TARGET_SPV;
  input.target_language_version = GLSLANG_TARGET_SPV_1_3;
  input.code = text;
  input.default_version = 100;
  input.default_profile = GLSLANG_NO_PROFILE;
  input.messages = (glslang_messages_t)(GLSLANG_MSG_SPV_RULES_BIT | GLSLANG_MSG_VULKAN_RULES_BIT);
  input.resource = glslang_default_resource();
  return input;
}

/* Writes the module of a shader; false, and why, if glslang refuses it. */
static bool write_module(glslang_shader_t *shader, glslang_program_t *program,
                         const glslang_input_t *input, const char *text_path, const char *path) {
  if (!glslang_shader_preprocess(shader, input) || !glslang_shader_parse(shader, input)) {
    return refuses(text_path, glslang_shader_get_info_log(shader));
  }
  glslang_program_add_shader(program, shader);
  if (!glslang_program_link(program, input->messages)) {
    return refuses(text_path, glslang_program_get_info_log(program));
  }
  glslang_program_SPIRV_generate(program, input->stage);
  return write_words(path, glslang_program_SPIRV_get_ptr(program),
                     glslang_program_SPIRV_get_size(program)) ||
         refuses(path, "cannot be written");
}

/* Writes what glslang makes of the text to the second path. */
static bool write_theirs(const char *text_path, const char *path) {
  size_t size = 0;
  char *text = read_file(text_path, &size);
  const glslang_input_t input = input_of(text != NULL ? text : "");
  glslang_shader_t *shader = glslang_shader_create(&input);
  glslang_program_t *program = glslang_program_create();
  const bool ok = text != NULL ? write_module(shader, program, &input, text_path, path)
                               : refuses(text_path, "cannot be read");
  glslang_program_delete(program);
  glslang_shader_delete(shader);
  free(text);
  return ok;
}

int main(int argc, char **argv) {
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
  char text[4096], module[4096 + 8], theirs[8192 + 8];
  size_t passed = 0, failed = 0;
  if (argc != 2 || context == NULL || !glslang_initialize_process()) {
    return 2;
  }
  while (fgets(text, sizeof text, stdin) != NULL) {
    const char *name;
    bool valid;
    text[strcspn(text, "\n")] = 0;
    name = strrchr(text, '/') != NULL ? strrchr(text, '/') + 1 : text;
    snprintf(module, sizeof module, "%.*s.spv", (int)strcspn(name, ".") + (int)(name - text), text);
    snprintf(theirs, sizeof theirs, "%s/%.*s.spv", argv[1], (int)strcspn(name, "."), name);
    valid = module_is_valid(context, module);
    if (write_theirs(text, theirs) && valid) {
      passed++;
    } else {
      failed++;
    }
  }
  glslang_finalize_process();
  spvContextDestroy(context);
  printf("%lu passed, %lu failed\n", (unsigned long)passed, (unsigned long)failed);
  return failed != 0 || passed == 0;
}
