//===-- CpuFeatures.h - the features of this processor ---------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUFEATURES_H
#define TILECC_RUNTIME_CPUFEATURES_H

#include "Support.h"

namespace tilecc::rt {

// Determines the best level of this processor that the operating system supports, as a number of CpuLevels.def. On
// x86-64, it may also be 1, on AArch64 any length of SVE's vectors, and it is 0 on other architectures.
// TILECC_CPU_LEVEL lowers it, so that tests can run the code for older processors. If the variable is invalid, records
// an error and returns false. Thread-safe.
bool cpuLevel(unsigned *level);

// Returns true if code of the level may run on this processor. AMX needs the operating system's permission, which is
// requested for the first such kernel, because signal stacks must be larger afterwards. Thread-safe.
bool mayUseCpuLevel(unsigned level);

// Returns the name of a level, such as "x86-64-v3", for messages.
const char *cpuLevelName(unsigned level);

// Returns the total size of the last-level caches of `threads` threads, or 0 if unknown. Thread-safe.
uint64_t lastCacheBytes(unsigned threads);

// Writes the processor's model name, NUL-terminated.
void cpuName(char *name, size_t size);

} // namespace tilecc::rt
#endif
