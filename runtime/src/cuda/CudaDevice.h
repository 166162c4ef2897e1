//===-- CudaDevice.h - the parts of the table of NVIDIA GPUs -----------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDADEVICE_H
#define TILECC_RUNTIME_CUDADEVICE_H

#include "cuda/CudaDriver.h"
#include "DeviceGraphs.h"
#include "DeviceMemory.h"

namespace tilecc::rt {

extern const DeviceMemory cudaMemory;
extern const DeviceGraphs cudaGraphs;

} // namespace tilecc::rt

// What calls for the current device begin with. They leave the enclosing function with the error if there is one.
#define IN_CONTEXT()                                                                                                   \
  do {                                                                                                                 \
    if (ttError_t error_ = ::tilecc::rt::ensureContext())                                                              \
      return error_;                                                                                                   \
  } while (0)

// For what releases or waits: nothing is left to be released once the driver is gone.
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
