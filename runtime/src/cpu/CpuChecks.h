//===-- CpuChecks.h - words for what kernels do wrong on the CPU device ----------------------------------------===//
//
// A kernel that reaches beyond its memory dies of a signal, as any program does; here it says first which kernel and
// program that was. With TILECC_CPU_CHECKS=1 every allocation lies alone, at the end of its pages and in the middle of
// two gigabytes that nobody may touch, and its addresses are not given out again soon: then a signal comes of every
// access beyond an allocation or behind its ttFree, and the words say whose it was.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUCHECKS_H
#define TILECC_RUNTIME_CPUCHECKS_H

#include "Support.h"

#include <setjmp.h>

namespace tilecc::rt {

// What a thread runs, for the words. Lives while it does.
class RunningProgram {
public:
  // `id` and `kernel` are read when something goes wrong.
  RunningProgram(const char *kernel, const uint32_t (&id)[3]);
  ~RunningProgram();
  RunningProgram(const RunningProgram &) = delete;

  const char *kernel;
  const uint32_t *id;
  jmp_buf assertionFailed; // set by who makes it; a failed assertion of the kernel goes there
  RunningProgram *outer;
};

// Whether TILECC_CPU_CHECKS asks for allocations with bounds. Any thread.
bool checksCpuMemory();

// Memory with bounds, aligned to 16 bytes; null if there is none. Any thread.
void *allocateGuarded(size_t bytes);
void freeGuarded(void *memory);

} // namespace tilecc::rt
#endif
