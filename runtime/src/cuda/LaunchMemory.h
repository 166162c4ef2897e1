//===-- LaunchMemory.h - memory that belongs to a launch --------------------------------------------------------===//
//
// Launches in which several clusters run each program need memory for partial sums.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDA_LAUNCHMEMORY_H
#define TILECC_RUNTIME_CUDA_LAUNCHMEMORY_H

#include "cuda/CudaDriver.h"

namespace tilecc::rt {

// Allocates memory for the next launch in `stream`, which belongs to the current context. The first `zeros` bytes are
// 0, and must be 0 again when the launch has ended. Returns null if there is no memory.
void *allocateForLaunch(uint64_t bytes, uint64_t zeros, ttStream_t stream);
// Gives the memory back: later launches in `stream` may use it.
void freeAfterLaunch(void *memory, ttStream_t stream);

} // namespace tilecc::rt
#endif
