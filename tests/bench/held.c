/* Holds other libraries to an instruction set that is older than the processor. In copies of them
   each CPUID instruction is a breakpoint (held.py makes those); preloaded beside them, this answers
   it with what the processor says, less what the set in WEBNN_HELD, avx2 or sse2, does not have.
   The libraries choose their kernels by that. Nothing is emulated, so that times are the
   processor's. x86-64 and Linux only. */

#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

enum { EAX, EBX, ECX, EDX };

/* The bits of these extensions: SSE3 to F16C, AVX2 and BMI, and what came with AVX-512 and later. */
static const struct {
  uint32_t leaf, subleaf;
  int reg;
  uint32_t newer_than_sse2, newer_than_avx2;
} masks[] = {
    {1, 0, ECX, 0x3ed81203, 0},          {7, 0, EBX, 0x00000128, 0xdc230000},
    {7, 0, ECX, 0, 0x00005f42},          {7, 0, EDX, 0, 0x03c0010c},
    {7, 1, EAX, 0, UINT32_MAX},          {7, 1, EBX, 0, UINT32_MAX},
    {7, 1, ECX, 0, UINT32_MAX},          {7, 1, EDX, 0, UINT32_MAX},
    {0x80000001, 0, ECX, 0x00010860, 0},
};

static int is_sse2;

static void answer(int number, siginfo_t *info, void *context) {
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  const uint32_t leaf = (uint32_t)registers[REG_RAX], subleaf = (uint32_t)registers[REG_RCX];
  uint32_t r[4];
  (void)number;
  (void)info;
  __cpuid_count(leaf, subleaf, r[EAX], r[EBX], r[ECX], r[EDX]);
  for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
    if (masks[i].leaf == leaf && (leaf != 7 || masks[i].subleaf == subleaf)) {
      r[masks[i].reg] &= ~(masks[i].newer_than_avx2 | (is_sse2 ? masks[i].newer_than_sse2 : 0));
    }
  }
  registers[REG_RAX] = r[EAX];
  registers[REG_RBX] = r[EBX];
  registers[REG_RCX] = r[ECX];
  registers[REG_RDX] = r[EDX];
}

/* The linker option initfirst has this run before the libraries' own constructors, and before
   getenv() works. */
__attribute__((constructor)) static void hold(int count, char **arguments, char **variables) {
  struct sigaction action;
  (void)count;
  (void)arguments;
  for (; *variables != NULL; variables++) {
    is_sse2 = is_sse2 || strcmp(*variables, "WEBNN_HELD=sse2") == 0;
  }
  memset(&action, 0, sizeof action);
  action.sa_sigaction = answer;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGTRAP, &action, NULL);
}
