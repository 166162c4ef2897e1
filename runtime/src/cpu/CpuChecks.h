//===-- CpuChecks.h - guarded allocations for the CPU device ---------------------------------------------------===//
//
// A kernel that accesses memory out of bounds is killed by a signal, like any program. Before that, this code reports
// the kernel, the program of the grid, and, if there is debug information, the source line.
//
// With TILECC_CPU_CHECKS=1, every allocation has pages of its own. It ends at a page boundary, in the middle of two
// gigabytes of inaccessible addresses, and its addresses are not reused for some time. So every access beyond an
// allocation, or after its ttFree, raises a signal, and the report names the allocation. The bytes between the start of
// the first page and the allocation contain a pattern, which is checked at the end of each launch, because a store
// there raises no signal. Code that was compiled with -fsanitize=tile turns this on, and also checks addresses before
// each access (CpuAccess.cpp); then only the launch fails, and the process survives.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUCHECKS_H
#define TILECC_RUNTIME_CPUCHECKS_H

#include "Support.h"

#include <stdarg.h>

namespace tilecc::rt {

//===-- CpuChecks.cpp: guarded allocations -----------------------------------------------------------------------===//

// Returns true if TILECC_CPU_CHECKS or a registered object requests guarded allocations. Thread-safe.
bool checksCpuMemory();
void checkCpuMemoryFromNowOn();

// Allocates guarded memory, aligned to 16 bytes. Returns null if there is no memory. Thread-safe.
void *allocateGuarded(size_t bytes);
// Frees guarded memory. Returns false if `memory` is not the start of such memory.
bool freeGuarded(void *memory);

// An allocation with the inaccessible addresses around it.
struct GuardedRange {
  const char *memory; // the user's part
  size_t bytes;
  const char *mapping;
  size_t mapped;
  bool isFreed;

  bool contains(const void *address) const {
    return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(mapping) < mapped;
  }
};
// Finds the guarded allocation that contains an address. Returns false if there is none. Thread-safe.
bool findGuarded(const void *address, GuardedRange &range);
// Does the same in signal handlers, which may have interrupted the thread that holds the lock: returns false if the
// lock is taken.
bool findGuardedInHandler(const void *address, GuardedRange &range);
// Finds an allocation next to which bytes were overwritten, and restores these bytes. `first` and `bytes` describe
// them. Thread-safe.
bool findOverwritten(GuardedRange &range, const char *&first, size_t &bytes);
// Returns a number that changes with every allocation and every free.
uint64_t guardedGeneration();

// Describes an address relative to an allocation: "56 bytes past the end of an allocation of 400 bytes at 0x7f...".
void describePlace(char *text, size_t size, const void *address, const GuardedRange &range);

} // namespace tilecc::rt
#endif
