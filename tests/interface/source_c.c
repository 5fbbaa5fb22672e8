/* The language test as C. */
#include "language.inc"
