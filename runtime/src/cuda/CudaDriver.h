//===-- CudaDriver.h - the CUDA driver, opened at run time -----------------------------------------------------===//
//
// One table of the driver's entry points, one macro that calls and checks, one mapping of its errors. The few types are
// declared here, so building needs no CUDA headers, and nothing links libcuda.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CUDADRIVER_H
#define TILECC_RUNTIME_CUDADRIVER_H

#include "Support.h"

namespace tilecc::rt {

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = ttFunction_t;
using CUstream = ttStream_t;
using CUevent = ttEvent_t;

enum : CUresult {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_DEINITIALIZED = 4,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
};
enum {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,

  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
  CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
  CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,

  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
  CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  driverPortableHostMemory = 1, // CU_MEMHOSTALLOC_PORTABLE, which cuda.h has as a macro
  CU_STREAM_CAPTURE_MODE_RELAXED = 2,
};

struct CUlaunchAttribute {
  int id;
  char pad[4];
  union {
    char size[64];
    struct {
      unsigned x, y, z;
    } clusterDim;
  } value;
};
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
};

// X(name, symbol, parameters). The symbol has the version that the declarations here are those of.
#define TILECC_CUDA_DRIVER(X)                                                                                          \
  X(cuInit, "cuInit", (unsigned flags))                                                                                \
  X(cuGetErrorName, "cuGetErrorName", (CUresult error, const char **name))                                             \
  X(cuGetErrorString, "cuGetErrorString", (CUresult error, const char **text))                                         \
  X(cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                                                \
  X(cuDeviceGet, "cuDeviceGet", (CUdevice * device, int ordinal))                                                      \
  X(cuDeviceGetName, "cuDeviceGetName", (char *name, int length, CUdevice device))                                     \
  X(cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, CUdevice device))                        \
  X(cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *bytes, CUdevice device))                                         \
  X(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (CUcontext * context, CUdevice device))                      \
  X(cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext * context))                                                         \
  X(cuCtxSetCurrent, "cuCtxSetCurrent", (CUcontext context))                                                           \
  X(cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext context))                                                      \
  X(cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext * context))                                                      \
  X(cuCtxGetId, "cuCtxGetId", (CUcontext context, unsigned long long *id))                                             \
  X(cuCtxGetDevice, "cuCtxGetDevice", (CUdevice * device))                                                             \
  X(cuCtxSynchronize, "cuCtxSynchronize", ())                                                                          \
  X(cuModuleLoadDataEx, "cuModuleLoadDataEx",                                                                          \
    (CUmodule * module, const void *image, unsigned count, int *options, void **values))                               \
  X(cuModuleUnload, "cuModuleUnload", (CUmodule module))                                                               \
  X(cuModuleGetFunction, "cuModuleGetFunction", (CUfunction * function, CUmodule module, const char *name))            \
  X(cuFuncGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, CUfunction function))                        \
  X(cuFuncSetAttribute, "cuFuncSetAttribute", (CUfunction function, int attribute, int value))                         \
  X(cuLaunchKernel, "cuLaunchKernel",                                                                                  \
    (CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,            \
     unsigned blockZ, unsigned sharedBytes, CUstream stream, void **args, void **extra))                               \
  X(cuLaunchKernelEx, "cuLaunchKernelEx",                                                                              \
    (const CUlaunchConfig *config, CUfunction function, void **args, void **extra))                                    \
  X(cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *mode))                               \
  X(cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr * pointer, size_t bytes))                                                \
  X(cuMemFree, "cuMemFree_v2", (CUdeviceptr pointer))                                                                  \
  X(cuMemHostAlloc, "cuMemHostAlloc", (void **pointer, size_t bytes, unsigned flags))                                  \
  X(cuMemFreeHost, "cuMemFreeHost", (void *pointer))                                                                   \
  X(cuMemGetInfo, "cuMemGetInfo_v2", (size_t *freeBytes, size_t *totalBytes))                                          \
  X(cuMemcpy, "cuMemcpy", (CUdeviceptr to, CUdeviceptr from, size_t bytes))                                            \
  X(cuMemcpyAsync, "cuMemcpyAsync", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                 \
  X(cuMemsetD8, "cuMemsetD8_v2", (CUdeviceptr pointer, unsigned char byte, size_t bytes))                              \
  X(cuMemsetD8Async, "cuMemsetD8Async", (CUdeviceptr pointer, unsigned char byte, size_t bytes, CUstream stream))      \
  X(cuStreamCreate, "cuStreamCreate", (CUstream * stream, unsigned flags))                                             \
  X(cuStreamDestroy, "cuStreamDestroy_v2", (CUstream stream))                                                          \
  X(cuStreamSynchronize, "cuStreamSynchronize", (CUstream stream))                                                     \
  X(cuStreamQuery, "cuStreamQuery", (CUstream stream))                                                                 \
  X(cuStreamWaitEvent, "cuStreamWaitEvent", (CUstream stream, CUevent event, unsigned flags))                          \
  X(cuEventCreate, "cuEventCreate", (CUevent * event, unsigned flags))                                                 \
  X(cuEventRecord, "cuEventRecord", (CUevent event, CUstream stream))                                                  \
  X(cuEventSynchronize, "cuEventSynchronize", (CUevent event))                                                         \
  X(cuEventQuery, "cuEventQuery", (CUevent event))                                                                     \
  X(cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, CUevent start, CUevent end))                       \
  X(cuEventDestroy, "cuEventDestroy_v2", (CUevent event))

struct CudaDriver {
#define TILECC_CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters;
  TILECC_CUDA_DRIVER(TILECC_CUDA_MEMBER)
#undef TILECC_CUDA_MEMBER
  CUresult (*cuFuncLoad)(CUfunction function); // since CUDA 12.4, else null
  CUresult (*cuTensorMapEncodeTiled)(void *map, int type, uint32_t rank, void *address, const uint64_t *dims,
                                     const uint64_t *strides, const uint32_t *box, const uint32_t *elementStrides,
                                     int interleave, int swizzle, int l2Promotion,
                                     int outOfBounds); // since CUDA 12.0, else null
};

// Filled in by openCudaDriver, once, before any thread can get here.
extern CudaDriver cuda;

// Opens and initializes the driver, and counts its devices. No driver and no device are no failure: the count is 0 and
// `whyNone` says which. Called once, under the lock of devices().
ttError_t openCudaDriver(int *count, char *whyNone, size_t whyNoneSize);

// Records a failed driver call.
ttError_t failCuda(CUresult result, const char *function);

// Calls the driver and leaves the enclosing function with the error if it fails.
#define CUDA_TRY(function, ...)                                                                                        \
  do {                                                                                                                 \
    if (::tilecc::rt::CUresult result_ = ::tilecc::rt::cuda.function(__VA_ARGS__))                                     \
      return ::tilecc::rt::failCuda(result_, #function);                                                               \
  } while (0)

// Whether this process was forked from one that had initialized the driver; CUDA is then of no use to it.
bool cudaIsLostToFork();
// DeviceKind's afterFork.
void loseCudaToFork(bool inChild);
// Records the error that every CUDA call then is.
ttError_t failForked();

// CUDA's rules for which context a call is for. After ensureContext, the thread has a current context: its own, else the
// primary one of the device it chose. One that is current but destroyed, as the primary one is after a reset, counts as
// none. At exit the driver may have gone first, and have freed all there was: whoever only releases asks for that case,
// which is then no failure.
ttError_t ensureContext(bool *driverIsGone = nullptr);
// The same; *id is the context's, which the driver never gives twice.
ttError_t ensureContext(unsigned long long *id, bool *driverIsGone = nullptr);
ttError_t makePrimaryContextCurrent(int device);
ttError_t currentCudaDevice(int *device);

// Fails if the stream or event is one of the CPU device.
ttError_t checkCudaHandle(const void *handle);

// 90 for compute capability 9.0.
ttError_t cudaArch(CUdevice device, unsigned *arch);

} // namespace tilecc::rt
#endif
