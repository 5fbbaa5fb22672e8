/* What the validation layer is asked to check, and which of its messages are about that alone. */
#ifndef WEBNN_TESTS_LAYER_H
#define WEBNN_TESTS_LAYER_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The checks of what must be in order, too; webnn_vulkan.h switches the others on. Layers before 1.4
   know the first name, later ones both, and they warn of the first. */
static void ask_for_order(void) {
  (void)setenv("VK_LAYER_ENABLES", "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT",
               1);
  (void)setenv("VK_LAYER_VALIDATE_SYNC", "1", 1);
}

/* Does the layer say no more than that the name has a successor? */
static bool is_about_the_name(bool is_error, const char *text) {
  return !is_error && strstr(text, "VK_LAYER_ENABLES") != NULL;
}

/* Is it about what a profile (profile_loader.c) pretends and the driver lacks? */
static bool is_about_the_profile(const char *text) {
  return getenv("WEBNN_PROFILE") != NULL && (strstr(text, "(DenormPreserve)") != NULL ||
                                             strstr(text, "shaderDenormPreserveFloat16") != NULL);
}

#endif
