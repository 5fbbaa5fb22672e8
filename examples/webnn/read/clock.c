/* Time and memory: the two things here that depend on the system. */
#if !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L /* clock_gettime and getrusage under -std=c99 */
#endif
#include "read.h"

#include <time.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>

uint64_t nanoseconds(void) {
  struct timespec now;
  return clock_gettime(CLOCK_MONOTONIC, &now) == 0
             ? (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec
             : 0;
}

/* macOS counts in bytes, others in units of 1024. */
uint64_t peak_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0)
    return 0;
#ifdef __APPLE__
  return (uint64_t)usage.ru_maxrss;
#else
  return (uint64_t)usage.ru_maxrss * 1024u;
#endif
}
#else
uint64_t nanoseconds(void) {
  return (uint64_t)clock() * (1000000000u / CLOCKS_PER_SEC);
}

uint64_t peak_bytes(void) {
  return 0;
}
#endif
