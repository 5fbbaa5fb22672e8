/* webnn.h and webnn_vulkan.h for the test programs that do without their inside. */
#define WEBNN_TEST_VULKAN
#include "test.h"

void test_see_kernels_inside(webnn_context *context) {
  test_see_kernels(context);
}
