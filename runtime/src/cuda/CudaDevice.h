//===-- CudaDevice.h - the functions of GPUs that a driver has -------------------------------------------------===//
//
// Kinds of GPUs that have a driver (CUDA, HIP) share these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDADEVICE_H
#define TILECC_RUNTIME_CUDADEVICE_H

#include "cuda/CudaDriver.h"
#include "cuda/CudaModule.h"
#include "cuda/CudaTimers.h"
#include "Device.h"

namespace tilecc::rt {

extern const DeviceMemory cudaMemory;
extern const DeviceGraphs cudaGraphs;

// Functions for the table of DeviceKind.
ttError_t driverProperties(int ordinal, ttDeviceProp &properties);
ttError_t driverSynchronize();
ttError_t driverStreamCreate(ttStream_t *stream, unsigned flags);
ttError_t driverStreamDestroy(ttStream_t stream);
ttError_t driverStreamSynchronize(ttStream_t stream);
ttError_t driverStreamQuery(ttStream_t stream);
ttError_t driverStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags);
ttError_t driverEventCreate(ttEvent_t *event, unsigned flags);
ttError_t driverEventRecord(ttEvent_t event, ttStream_t stream);
ttError_t driverEventSynchronize(ttEvent_t event);
ttError_t driverEventQuery(ttEvent_t event);
ttError_t driverEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end);
ttError_t driverEventDestroy(ttEvent_t event);

// Completes the table of a kind whose GPUs have a driver: adds all functions that only call the driver to `own`.
constexpr DeviceKind asDriverDevice(DeviceKind own) {
  own.beforeFork = [] {};
  own.afterFork = loseCudaToFork;
  own.properties = driverProperties;
  own.use = makePrimaryContextCurrent;
  own.ordinal = currentCudaDevice;
  own.synchronize = driverSynchronize;
  own.memory = &cudaMemory;
  own.graphs = &cudaGraphs;
  own.timers = &cudaTimers;
  own.streamCreate = driverStreamCreate;
  own.streamDestroy = driverStreamDestroy;
  own.streamSynchronize = driverStreamSynchronize;
  own.streamQuery = driverStreamQuery;
  own.streamWaitEvent = driverStreamWaitEvent;
  own.eventCreate = driverEventCreate;
  own.eventRecord = driverEventRecord;
  own.eventSynchronize = driverEventSynchronize;
  own.eventQuery = driverEventQuery;
  own.eventElapsedTime = driverEventElapsedTime;
  own.eventDestroy = driverEventDestroy;
  own.launch = launchOnCuda;
  own.variant = variantOnCuda;
  own.activePrograms = activeOnCuda;
  own.preload = preloadOnCuda;
  own.function = cudaFunction;
  own.attributes = cudaAttributes;
  own.unload = unloadFromCuda;
  return own;
}

} // namespace tilecc::rt

// These macros are used at the beginning of functions for the current device. If there is an error, they return it from
// the enclosing function.
#define IN_CONTEXT()                                                                                                   \
  do {                                                                                                                 \
    if (ttError_t error_ = ::tilecc::rt::ensureContext())                                                              \
      return error_;                                                                                                   \
  } while (0)

// The same for functions that release or wait. If the driver has been shut down, there is nothing to release, and they
// succeed.
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
