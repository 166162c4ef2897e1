//===- EntryPoints.cpp - finds functions of the driver by name ----------------------------------------------------===//
//
// Programs that create tensor maps ask the runtime for the driver's function, so that they need not link libcuda.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "State.h"

using namespace tilecc::cudart;

CUDART cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                                    unsigned long long flags, cudaDriverEntryPointQueryResult *status) {
  if (!symbol || !function || version > CUDART_VERSION)
    return keep(cudaErrorInvalidValue);
  CUdriverProcAddressQueryResult found;
  CUresult error = cuGetProcAddress(symbol, function, static_cast<int>(version), flags, &found);
  if (error && error != CUDA_ERROR_NOT_FOUND)
    return keep(error);
  if (status)
    *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  return cudaSuccess;
}
CUDART cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                           cudaDriverEntryPointQueryResult *status) {
  return cudaGetDriverEntryPointByVersion(symbol, function, CUDART_VERSION, flags, status);
}
