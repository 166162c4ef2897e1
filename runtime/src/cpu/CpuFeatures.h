//===-- CpuFeatures.h - the features of this processor ---------------------------------------------------------===//
//
// Kernels are compiled for several levels of a processor's instruction set (CpuLevels.def). The runtime runs the best
// one.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUFEATURES_H
#define TILECC_RUNTIME_CPUFEATURES_H

#include "Support.h"

namespace tilecc::rt {

// Determines the best level of this processor that the operating system supports, as a number of CpuLevels.def. On
// x86-64, it may also be 1; on AArch64, it is any length of SVE's vectors, and on RISC-V 1000 and any length of RVV's;
// on other architectures, it is 0.
// TILECC_CPU_LEVEL lowers it, so that tests can run the code for older processors. Returns false after recording that
// the variable is invalid. Thread-safe.
bool cpuLevel(unsigned *level);

// Returns true if code of this level may run on this processor. AMX needs the permission of the operating system. It is
// requested for the first kernel that uses AMX, and not earlier, because signal stacks must be larger afterwards.
// Thread-safe.
bool mayUseCpuLevel(unsigned level);

// Returns the name of a level, such as "x86-64-v3", for messages.
const char *cpuLevelName(unsigned level);

// Returns the total size of the last-level caches that `threads` threads use, or 0 if it is not known. Thread-safe.
uint64_t lastCacheBytes(unsigned threads);

// Writes the name of the processor's model, terminated by a NUL.
void cpuName(char *name, size_t size);

} // namespace tilecc::rt
#endif
