//===-- CpuFeatures.h - what this processor runs ---------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUFEATURES_H
#define TILECC_RUNTIME_CPUFEATURES_H

#include "Support.h"

namespace tilecc::rt {

// The x86-64 micro-architecture level of this processor, 1 to 4, or 5 if it has AMX as well, as far as the operating system
// lets it be used; 0 on other architectures. TILECC_CPU_LEVEL lowers it, so that a test can run the code for older processors.
// False after recording that the variable is no such level. Any thread.
bool cpuLevel(unsigned *level);

// Whether code of the level may run now: for AMX the process needs the operating system's permission, which is asked for with
// the first such kernel, as signal stacks must be larger from then on. Any thread.
bool mayUseCpuLevel(unsigned level);

// "x86-64-v3", or the architecture's name, for messages.
const char *cpuLevelName(unsigned level);

// What the last-level caches of that many threads hold, as far as the operating system says; 0: it does not. Any thread.
uint64_t lastCacheBytes(unsigned threads);

// The processor's name as it gives it itself. `name` ends in a NUL.
void cpuName(char *name, size_t size);

} // namespace tilecc::rt
#endif
