//===-- CpuFeatures.h - the features of this processor ---------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUFEATURES_H
#define TILECC_RUNTIME_CPUFEATURES_H

#include "Support.h"

namespace tilecc::rt {

// The x86-64 micro-architecture level of this processor, 1 to 4, or 5 if it also has AMX, as far as the operating
// system supports it; 0 on other architectures. TILECC_CPU_LEVEL lowers it, so that tests can run the code for older
// processors. Returns false after recording that the variable is invalid. Thread-safe.
bool cpuLevel(unsigned *level);

// Returns true if code of the level may run. AMX needs the operating system's permission, which is requested for the
// first such kernel, because signal stacks must be larger afterwards. Thread-safe.
bool mayUseCpuLevel(unsigned level);

// Returns "x86-64-v3", or the architecture's name, for messages.
const char *cpuLevelName(unsigned level);

// The total size of the last-level caches of `threads` threads; 0 if unknown. Thread-safe.
uint64_t lastCacheBytes(unsigned threads);

// The processor's model name, NUL-terminated.
void cpuName(char *name, size_t size);

} // namespace tilecc::rt
#endif
