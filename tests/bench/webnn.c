/* webnn.c - the implementation, by itself, so that it is compiled once. */
#define WEBNN_IMPLEMENTATION
#include "webnn.h"
