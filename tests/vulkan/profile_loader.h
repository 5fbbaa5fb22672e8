/* What profile_loader.c counts, for the tests that open it. */
#ifndef WEBNN_TEST_PROFILE_LOADER_H
#define WEBNN_TEST_PROFILE_LOADER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct profile_counts {
  uint32_t refusals;                       /* calls that the device would not have taken */
  char first[256];                         /* what was wrong with the first of them */
  uint32_t pipelines, unchecked_pipelines; /* all, and those without robust access to buffers */
  bool may_be_unchecked;                   /* the profile has pipelineRobustness */
  uint32_t compiled, cached;               /* pipelines by whether the cache had them */
  uint32_t flushes, invalidations;         /* of mapped memory */
  uint32_t family;                         /* of the queue of the latest device */
  uint32_t expected_family;                /* as the profile's `expect family` has it */
  uint32_t expected_types[3]; /* and its `expect memory`: for tensors, uploads and reads */
  uint32_t allocations[32];   /* of each type of memory, as long as the process lives */
} profile_counts;

/* `path` becomes the profile; false, with a message, if it is none. Not while there is an instance. */
typedef bool (*profile_open_function)(const char *path);
/* Copies the counts; those of refusals begin again at 0. */
typedef void (*profile_take_function)(profile_counts *counts);

#endif
