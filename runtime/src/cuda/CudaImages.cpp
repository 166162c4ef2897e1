//===-- CudaImages.cpp -------------------------------------------------------------------------------------------===//
//
// Selects the image of an object for a GPU, and loads it.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaImages.h"
#include "cuda/CudaDriver.h"
#include "Device.h"
#include "Error.h"
#include "Images.h"
#include "Watch.h"

#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

static ttError_t nvidiaArch(CUdevice device, unsigned *arch) {
  int major, minor;
  CUDA_TRY(cuDeviceGetAttribute, &major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  CUDA_TRY(cuDeviceGetAttribute, &minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  *arch = major * 10 + minor;
  return ttSuccess;
}

static ttError_t failNoImage(const Kernel &kernel, CUdevice device, unsigned arch, bool onlyPtx) {
  char name[256] = "?", images[512];
  cuda.cuDeviceGetName(name, sizeof(name), device);
  const tilecc_module &module = *kernel.module->abi;
  return fail(ttErrorNoKernelImageForDevice, "kernel '%s' (%s) has no code for %s (sm_%u)%s; it was compiled for: %s",
              kernel.abi->display_name, module.source, name, arch, onlyPtx ? " with CUDA_FORCE_PTX_JIT set" : "",
              listImages(module, images, sizeof(images)));
}

static ttError_t chooseNvidiaImage(const Kernel &kernel, CUdevice device, int *image) {
  unsigned arch;
  if (ttError_t error = nvidiaArch(device, &arch))
    return error;
  // With this variable, the driver compiles PTX even if there is machine code; our choice of image must match.
  const char *force = secure_getenv("CUDA_FORCE_PTX_JIT");
  bool onlyPtx = force && !strcmp(force, "1");
  *image = chooseImage(*kernel.module->abi, arch, onlyPtx);
  return *image == noImage ? failNoImage(kernel, device, arch, onlyPtx) : ttSuccess;
}

static const char *sameName(const char *function) { return function; }

constinit const DriverVendor tilecc::rt::nvidiaDriver = {
    .kind = &cudaDevice,
    .name = "CUDA",
    .driver = "the CUDA driver",
    .functionName = sameName,
    .code = TILECC_IMAGE_CUBIN,
    .arch = nvidiaArch,
    .chooseImage = chooseNvidiaImage,
    .maxThreads = UINT64_MAX, // the limit of programs is lower
};

static ttError_t loadImage(const Kernel &kernel, int index, CUmodule *module) {
  const tilecc_module &object = *kernel.module->abi;
  const tilecc_image &image = object.images[index];
  const void *code = image.data ? image.data : object.fatbin;
  enum { logSize = 3072 };
  auto *log = static_cast<char *>(calloc(1, logSize));
  int options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log, reinterpret_cast<void *>(static_cast<uintptr_t>(logSize))};
  RelaxedCapture relaxed;
  WatchedWork watched(cuda.vendor->kind, WatchedWork::onHost, "load", object.source);
  CUresult result = cuda.cuModuleLoadDataEx(module, code, log ? 2 : 0, options, values);
  ttError_t error = ttSuccess;
  if (result) {
    error = failCuda(result, "cuModuleLoadDataEx");
    fail(error, "kernel '%s' (%s) cannot be loaded: %s%s%s", kernel.abi->display_name, object.source,
         ttGetLastErrorMessage(), log && *log ? ":\n" : "", log ? log : "");
  }
  free(log);
  return error;
}

ttError_t tilecc::rt::loadCudaImage(const Kernel &kernel, unsigned long long contextId, const CudaModule **result) {
  Module &object = *kernel.module;
  auto *first = static_cast<CudaModule *>(object.loaded[cudaSlot]);
  for (CudaModule *loaded = first; loaded; loaded = loaded->next)
    if (loaded->contextId == contextId) {
      *result = loaded;
      return ttSuccess;
    }

  CUdevice device;
  int image;
  CUDA_TRY(cuCtxGetDevice, &device);
  if (ttError_t error = cuda.vendor->chooseImage(kernel, device, &image))
    return error;

  CUcontext context;
  CUmodule module = nullptr;
  CUDA_TRY(cuCtxGetCurrent, &context);
  if (ttError_t error = loadImage(kernel, image, &module))
    return error;
  auto *loaded = static_cast<CudaModule *>(malloc(sizeof(CudaModule)));
  if (!loaded) {
    cuda.cuModuleUnload(module);
    return fail(ttErrorMemoryAllocation, "not enough memory to load kernel '%s'", kernel.abi->display_name);
  }
  *loaded = {first, context, contextId, module, image};
  object.loaded[cudaSlot] = loaded;
  *result = loaded;
  return ttSuccess;
}

// Unloads a module. Destroying a context destroys its modules, so nothing is left to do then. A context that exists
// must be current for the call.
static void unload(const CudaModule &loaded) {
  unsigned long long id;
  if (cudaIsLostToFork() || cuda.cuCtxGetId(loaded.context, &id) || id != loaded.contextId)
    return;
  if (cuda.cuCtxPushCurrent(loaded.context))
    return;
  cuda.cuModuleUnload(loaded.module);
  CUcontext popped;
  cuda.cuCtxPopCurrent(&popped);
}

void tilecc::rt::unloadCudaImages(Module &module) {
  for (auto *loaded = static_cast<CudaModule *>(module.loaded[cudaSlot]); loaded;) {
    unload(*loaded);
    CudaModule *next = loaded->next;
    free(loaded);
    loaded = next;
  }
  module.loaded[cudaSlot] = nullptr;
}
