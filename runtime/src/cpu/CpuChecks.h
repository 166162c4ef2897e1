//===-- CpuChecks.h - words for what kernels do wrong on the CPU device ----------------------------------------===//
//
// A kernel that reaches beyond its memory dies of a signal, as any program does; here it says first which kernel and
// program that was, and on which line if there is debug information. With TILECC_CPU_CHECKS=1 every allocation lies
// alone, at the end of its pages and in the middle of two gigabytes that nobody may touch, and its addresses are not
// given out again soon: then a signal comes of every access beyond an allocation or behind its ttFree, and the words say
// whose it was. The bytes between the start of the first page and the allocation hold a pattern, which each launch
// checks when it ends: a store there raises no signal. Code that was compiled with -fsanitize=tile turns that on, and
// asks before each access (CpuAccess.cpp): then the launch fails, and nothing dies.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUCHECKS_H
#define TILECC_RUNTIME_CPUCHECKS_H

#include "Support.h"

#include <stdarg.h>

namespace tilecc::rt {

//===-- CpuChecks.cpp: allocations with bounds -------------------------------------------------------------------===//

// Whether TILECC_CPU_CHECKS or a registered object asks for allocations with bounds. Any thread.
bool checksCpuMemory();
void checkCpuMemoryFromNowOn();

// Memory with bounds, aligned to 16 bytes; null if there is none. Any thread.
void *allocateGuarded(size_t bytes);
// False if that is not where such memory begins.
bool freeGuarded(void *memory);

// An allocation with the addresses around it that nobody may touch.
struct GuardedRange {
  const char *memory; // what the user has
  size_t bytes;
  const char *mapping;
  size_t mapped;
  bool isFreed;

  bool contains(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(mapping) < mapped;
  }
};
// Finds the allocation that an address lies in. Returns false if there is none. Any thread.
bool findGuarded(const void *address, GuardedRange &range);
// The same in a handler of signals, which may have interrupted the thread that holds the lock: false if it is not free.
bool findGuardedInHandler(const void *address, GuardedRange &range);
// Finds an allocation whose surrounding bytes have been overwritten, and restores them. `first` and `bytes` are the
// bytes that were written. Any thread.
bool findOverwritten(GuardedRange &range, const char *&first, size_t &bytes);
// Changes with each allocation and each that is freed.
uint64_t guardedGeneration();

// Where an address is, as "56 bytes behind the end of an allocation of 400 bytes at 0x7f...".
void describePlace(char *text, size_t size, const void *address, const GuardedRange &range);

} // namespace tilecc::rt
#endif
