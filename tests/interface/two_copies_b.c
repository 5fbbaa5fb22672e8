/* The second copy. */
#define TWO_COPIES_B
#include "two_copies_a.c"
