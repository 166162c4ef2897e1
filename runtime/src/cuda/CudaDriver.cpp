//===-- CudaDriver.cpp -----------------------------------------------------------------------------------------===//
//
// Opens libcuda on first use, and converts its errors.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaDriver.h"
#include "Device.h"
#include "Error.h"
#include "HostStreams.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

using namespace tilecc::rt;

CudaDriver tilecc::rt::cuda = {};

static constinit std::atomic<bool> driverUsed{false};  // cuInit has been called
static constinit std::atomic<bool> lostToFork{false};

static const char libraryName[] = "libcuda.so.1";

// A child that is forked after this call has begun cannot use CUDA.
ttError_t tilecc::rt::openCudaDriver(int *count, char *whyNone, size_t whyNoneSize) {
  *count = 0;
  // Never closed: the driver has its own threads and exit handlers.
  void *library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    // dlopen reports a missing library by its bare name, and a damaged one by its path.
    if (strncmp(reason, "libcuda.so.1:", strlen("libcuda.so.1:")))
      return fail(ttErrorInitializationError, "the CUDA driver cannot be opened: %s", reason);
    snprintf(whyNone, whyNoneSize, "there is no CUDA driver (%s)", reason);
    return ttSuccess;
  }
  void *entry;
#define RESOLVE(name, symbol, parameters)                                                                              \
  if (!(entry = dlsym(library, symbol)))                                                                               \
    return fail(ttErrorInsufficientDriver, "the CUDA driver is too old: %s has no %s; CUDA 12.0 or later is needed",   \
                libraryName, symbol);                                                                                  \
  cuda.name = reinterpret_cast<decltype(cuda.name)>(entry);
  TILECC_CUDA_DRIVER(RESOLVE)
#undef RESOLVE
  cuda.cuFuncLoad = reinterpret_cast<decltype(cuda.cuFuncLoad)>(dlsym(library, "cuFuncLoad"));
  cuda.cuStreamGetId = reinterpret_cast<decltype(cuda.cuStreamGetId)>(dlsym(library, "cuStreamGetId"));
  cuda.cuModuleGetGlobal = reinterpret_cast<decltype(cuda.cuModuleGetGlobal)>(dlsym(library, "cuModuleGetGlobal_v2"));
  cuda.cuTensorMapEncodeTiled =
      reinterpret_cast<decltype(cuda.cuTensorMapEncodeTiled)>(dlsym(library, "cuTensorMapEncodeTiled"));
  cuda.cuTensorMapEncodeIm2col =
      reinterpret_cast<decltype(cuda.cuTensorMapEncodeIm2col)>(dlsym(library, "cuTensorMapEncodeIm2col"));

  cuda.vendor = &nvidiaDriver;
  return initializeDriver(count, whyNone, whyNoneSize);
}

ttError_t tilecc::rt::initializeDriver(int *count, char *whyNone, size_t whyNoneSize) {
  driverUsed = true;
  CUresult result = cuda.cuInit(0);
  if (result == CUDA_SUCCESS)
    result = cuda.cuDeviceGetCount(count);
  if (result == CUDA_ERROR_NO_DEVICE) {
    *count = 0;
    result = CUDA_SUCCESS;
  }
  if (result) {
    ttError_t error = failCuda(result, "cuInit");
    return fail(error, "%s; TILECC_DEVICE=cpu runs this program on the CPU", ttGetLastErrorMessage());
  }
  if (*count == 0)
    snprintf(whyNone, whyNoneSize, "%s reports no device", cuda.vendor->driver);
  return ttSuccess;
}

ttError_t tilecc::rt::openDriver(ttError_t (*open)(int *count, char *whyNone, size_t whyNoneSize), const char *variable,
                                 int *number, int *gpuCount) {
  char whyNone[512] = "";
  if (ttError_t error = open(gpuCount, whyNone, sizeof(whyNone)))
    return error;
  if (variable && *gpuCount == 0)
    return fail(ttErrorNoDevice, "TILECC_DEVICE=%s: %s", variable, whyNone);
  if (variable && *number >= *gpuCount)
    return fail(ttErrorInvalidDevice, "TILECC_DEVICE=%s: %s reports %d device%s", variable, cuda.vendor->driver,
                *gpuCount, *gpuCount == 1 ? "" : "s");
  return ttSuccess;
}

ttError_t tilecc::rt::failCuda(CUresult result, const char *function) {
  const char *name = nullptr, *text = nullptr;
  if (cuda.cuGetErrorName(result, &name) || !name)
    name = "unknown error";
  if (cuda.cuGetErrorString(result, &text) || !text)
    text = "no description";
  return fail(errorOf(result), "%s failed: %s (%d): %s", cuda.vendor->functionName(function), name, result, text);
}

bool tilecc::rt::cudaIsLostToFork() { return lostToFork.load(std::memory_order_relaxed); }

void tilecc::rt::loseCudaToFork(bool inChild) {
  if (inChild && driverUsed)
    lostToFork = true;
}

ttError_t tilecc::rt::failForked() {
  return fail(ttErrorInitializationError,
              "this process was forked after its parent had initialized %s, which does not survive a fork; fork "
              "before the first use of a GPU, or use the CPU device",
              cuda.vendor->name);
}

ttError_t tilecc::rt::makePrimaryContextCurrent(int device) {
  if (cudaIsLostToFork())
    return failForked();
  CUdevice handle;
  CUcontext context;
  CUDA_TRY(cuDeviceGet, &handle, device);
  // Never released, as in the CUDA runtime: the process uses this context until it ends. Retained again for each thread
  // without a context, because it may have been reset meanwhile.
  CUDA_TRY(cuDevicePrimaryCtxRetain, &context, handle);
  CUDA_TRY(cuCtxSetCurrent, context);
  return ttSuccess;
}

ttError_t tilecc::rt::ensureContext(unsigned long long *id, bool *driverIsGone) {
  if (cudaIsLostToFork())
    return failForked();
  // The first query of a thread must not be a driver error: compute-sanitizer reports errors of driver functions even
  // if they are expected.
  static thread_local bool hasLooked = false;
  CUcontext current = nullptr;
  if (!hasLooked && cuda.cuCtxGetCurrent(&current) == CUDA_SUCCESS && !current)
    if (ttError_t error = makePrimaryContextCurrent(chosenGpu()))
      return error;
  hasLooked = true;
  CUresult result = cuda.cuCtxGetId(nullptr, id);
  if (driverIsGone && (*driverIsGone = result == CUDA_ERROR_DEINITIALIZED))
    return ttSuccess;
  if (result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_CONTEXT_IS_DESTROYED) {
    if (ttError_t error = makePrimaryContextCurrent(chosenGpu()))
      return error;
    result = cuda.cuCtxGetId(nullptr, id);
  }
  return result ? failCuda(result, "cuCtxGetId") : ttSuccess;
}

ttError_t tilecc::rt::ensureContext(bool *driverIsGone) {
  unsigned long long id;
  return ensureContext(&id, driverIsGone);
}

ttError_t tilecc::rt::currentCudaDevice(int *device) {
  if (cudaIsLostToFork())
    return failForked();
  CUdevice current;
  CUresult result = cuda.cuCtxGetDevice(&current);
  if (result == CUDA_ERROR_INVALID_CONTEXT || result == CUDA_ERROR_CONTEXT_IS_DESTROYED) {
    *device = chosenGpu();
    return ttSuccess;
  }
  if (result)
    return failCuda(result, "cuCtxGetDevice");
  // Launches of tuned kernels also ask for the device, and mostly for the same one as before.
  static thread_local CUdevice lastHandle;
  static thread_local int lastDevice = -1;
  if (lastDevice >= 0 && lastHandle == current) {
    *device = lastDevice;
    return ttSuccess;
  }
  for (int i = 0; i < devices()->gpuCount; ++i) {
    CUdevice handle;
    CUDA_TRY(cuDeviceGet, &handle, i);
    if (handle == current) {
      lastHandle = handle;
      *device = lastDevice = i;
      return ttSuccess;
    }
  }
  return fail(ttErrorInvalidDevice, "the current CUDA context is on a device that the driver does not list");
}

ttError_t tilecc::rt::checkCudaHandle(const void *handle) {
  if (__builtin_expect(!isHostHandle(handle), true))
    return ttSuccess;
  return fail(ttErrorInvalidResourceHandle,
              "the stream or event is one of the CPU device; the current device is a GPU");
}
