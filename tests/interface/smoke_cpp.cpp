/* The same program as C++. */
#include "smoke.c"
