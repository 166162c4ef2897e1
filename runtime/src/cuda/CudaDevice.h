//===-- CudaDevice.h - the parts of the function table for NVIDIA GPUs -------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDADEVICE_H
#define TILECC_RUNTIME_CUDADEVICE_H

#include "cuda/CudaDriver.h"
#include "DeviceGraphs.h"
#include "DeviceMemory.h"

namespace tilecc::rt {

extern const DeviceMemory cudaMemory;
extern const DeviceGraphs cudaGraphs;

} // namespace tilecc::rt

// Used at the start of calls for the current device. They return the error, if any, from the enclosing function.
#define IN_CONTEXT()                                                                                                   \
  do {                                                                                                                 \
    if (ttError_t error_ = ::tilecc::rt::ensureContext())                                                              \
      return error_;                                                                                                   \
  } while (0)

// For functions that release or wait: once the driver is gone, there is nothing to release.
#define IN_CONTEXT_IF_ANY()                                                                                            \
  do {                                                                                                                 \
    bool driverIsGone_;                                                                                                \
    if (ttError_t error_ = ::tilecc::rt::ensureContext(&driverIsGone_))                                                \
      return error_;                                                                                                   \
    if (driverIsGone_)                                                                                                 \
      return ttSuccess;                                                                                                \
  } while (0)

#define CHECK_HANDLE(handle)                                                                                           \
  do {                                                                                                                 \
    if (ttError_t error_ = ::tilecc::rt::checkCudaHandle(handle))                                                      \
      return error_;                                                                                                   \
  } while (0)

#endif
