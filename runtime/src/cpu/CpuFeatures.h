//===-- CpuFeatures.h - the features of this processor ---------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUFEATURES_H
#define TILECC_RUNTIME_CPUFEATURES_H

#include "Support.h"

namespace tilecc::rt {

// The best level of this processor in the numbers of CpuLevels.def, as far as the operating system supports it: on
// x86-64 also 1, and on AArch64 any length of SVE's vectors. 0 on other architectures. TILECC_CPU_LEVEL lowers it, so
// that tests can run the code for older processors. Returns false after recording that the variable is invalid.
// Thread-safe.
bool cpuLevel(unsigned *level);

// Returns true if code of the level may run on this processor. AMX needs the operating system's permission, which is
// requested for the first such kernel, because signal stacks must be larger afterwards. Thread-safe.
bool mayUseCpuLevel(unsigned level);

// Returns "x86-64-v3" or what else the level is called, for messages.
const char *cpuLevelName(unsigned level);

// The total size of the last-level caches of `threads` threads; 0 if unknown. Thread-safe.
uint64_t lastCacheBytes(unsigned threads);

// The processor's model name, NUL-terminated.
void cpuName(char *name, size_t size);

} // namespace tilecc::rt
#endif
