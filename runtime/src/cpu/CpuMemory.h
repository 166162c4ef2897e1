//===-- CpuMemory.h - memory of the CPU device -----------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUMEMORY_H
#define TILECC_RUNTIME_CPUMEMORY_H

#include "Support.h"

namespace tilecc::rt {

// Memory aligned to 256 bytes, the caller's until freeCpuMemory. Any thread.
ttError_t allocateCpuMemory(void **pointer, size_t bytes);

// False, with nothing done or recorded, if `pointer` is not from allocateCpuMemory of this copy of the runtime.
bool freeCpuMemory(void *pointer);

void lockCpuMemoryForFork();
void unlockCpuMemoryAfterFork();

} // namespace tilecc::rt
#endif
