//===-- HipTypes.h - HIP's types and numbers ---------------------------------------------------------------------===//
//
// The types that the runtime uses and that differ from CUDA's. Names and layouts are those of hip_runtime_api.h since
// HIP 6.0, which test/runtime/hip-header.cpp checks.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HIPTYPES_H
#define TILECC_RUNTIME_HIPTYPES_H

#include "cuda/CudaTypes.h"

namespace tilecc::rt {

using hipError_t = CUresult; // HIP has CUDA's numbers

enum : hipError_t { hipErrorInvalidValue = 1, hipErrorStreamCaptureUnsupported = 900 };
enum : int { hipMemcpyDefault = 4 };
enum : int { hipMemoryTypeUnregistered = 0, hipMemoryTypeHost = 1, hipMemoryTypeDevice = 2, hipMemoryTypeManaged = 3 };

// The layout since HIP 6.0, after which the function that fills it in is named: hipGetDevicePropertiesR0600.
struct hipDeviceProp_tR0600 {
  char name[256];
  char uuidAndLuid[32];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  char limits[84];
  int multiProcessorCount;
  char textures[224];
  int l2CacheSize;
  char otherCapabilities[540];
  char gcnArchName[256]; // "gfx942:sramecc+:xnack-"
  char amdCapabilities[56];
};

struct hipPointerAttribute_t {
  int type, device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};

struct hipDim3 { // dim3
  unsigned x, y, z;
};
struct hipKernelNodeParams {
  hipDim3 blockDim;
  void **extra;
  void *func;
  hipDim3 gridDim;
  void **kernelParams;
  unsigned sharedMemBytes;
};

struct hipMemsetParams {
  void *dst;
  unsigned elementSize;
  size_t height, pitch;
  unsigned value;
  size_t width;
};

} // namespace tilecc::rt
#endif
