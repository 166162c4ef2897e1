//===- Contexts.cpp - initialization, the device and its contexts, errors -----------------------------------------===//
//
// There is one device. All contexts share its memory and code. The device has few multiprocessors, because libraries
// size their grids to fill them.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Facts.h"
#include "Missing.h"
#include "State.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <unistd.h>
#include <vector>

struct CUctx_st {
  unsigned flags = 0;
};

namespace tilecc::cuda {

State &state() {
  static State &whole = *new State;
  return whole;
}

Device *device() {
  static Device *const opened = [] {
    const char *named = std::getenv("TILECC_DEVICE"), *name = named ? named : "";
    constexpr char prefix[] = "emu:sm_";
    const bool hasArch = !std::strncmp(name, prefix, sizeof prefix - 1);
    const int arch = hasArch ? std::atoi(name + sizeof prefix - 1) : 0;
    return (!std::strcmp(name, "cpu") ? openCpu() : openEmulator(static_cast<unsigned>(arch))).release();
  }();
  return opened;
}

CUresult keep(int error) {
  if (error)
    if (const char *words = device() ? device()->getMessage() : nullptr; words && *words)
      std::fprintf(stderr, "emulated CUDA: %s\n", words);
  return static_cast<CUresult>(error);
}

CUresult failMissing(const char *what) { return static_cast<CUresult>(reportMissing(what)); }

int reportMissing(const char *function) {
  std::fprintf(stderr, "emulated CUDA: %s is not emulated\n", function);
  return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult synchronize() {
  Device *device = cuda::device();
  if (!device)
    return CUDA_ERROR_NO_DEVICE;
  if (!state().kernelError)
    state().kernelError = keep(device->synchronize());
  state().isReported = true;
  return state().kernelError;
}

} // namespace tilecc::cuda

using namespace tilecc::cuda;

static CUctx_st primary;
static thread_local std::vector<CUcontext> contexts; // the current one is the last

//===--- errors ---------------------------------------------------------------------------------------------------===//

namespace {
struct Text {
  CUresult error;
  const char *name, *words;
};
#define ERROR(NAME, WORDS) {NAME, #NAME, WORDS}
constexpr Text texts[] = {
    ERROR(CUDA_SUCCESS, "no error"),
    ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    ERROR(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    ERROR(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    ERROR(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    ERROR(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    ERROR(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    ERROR(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    ERROR(CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    ERROR(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    ERROR(CUDA_ERROR_NOT_READY, "device not ready"),
    ERROR(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    ERROR(CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    ERROR(CUDA_ERROR_ASSERT, "device-side assert triggered"),
    ERROR(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "part or all of the requested memory range is already mapped"),
    ERROR(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region"),
    ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    ERROR(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    ERROR(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch"),
    ERROR(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    ERROR(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing"),
    ERROR(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef ERROR
} // namespace

static const Text *textOf(CUresult error) {
  const Text *found = std::find_if(std::begin(texts), std::end(texts), [&](const Text &t) { return t.error == error; });
  return found == std::end(texts) ? nullptr : found;
}
DRIVER cuGetErrorString(CUresult error, const char **text) {
  const Text *found = textOf(error);
  *text = found ? found->words : nullptr;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
DRIVER cuGetErrorName(CUresult error, const char **text) {
  const Text *found = textOf(error);
  *text = found ? found->name : nullptr;
  return found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/// CUDA's own runtime asks for undocumented tables, by which it authenticates the driver.
DRIVER cuGetExportTable(const void **table, const CUuuid *) {
  *table = nullptr;
  std::fputs("emulated CUDA: the driver's undocumented tables do not exist here; link the shared CUDA runtime and use "
             "tcc's own\n",
             stderr);
  return CUDA_ERROR_NOT_SUPPORTED;
}

//===--- the device -----------------------------------------------------------------------------------------------===//

DRIVER cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  return device() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}
DRIVER cuDriverGetVersion(int *version) {
  *version = std::max(CUDA_VERSION, 13000); // front ends for CUDA Tile need 13.0; none of its functions is missing here
  return CUDA_SUCCESS;
}
DRIVER cuDeviceGetCount(int *count) {
  *count = 1;
  return CUDA_SUCCESS;
}
DRIVER cuDeviceGet(CUdevice *device, int number) {
  *device = 0;
  return number ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}
DRIVER cuDeviceGetName(char *name, int size, CUdevice number) {
  if (number || size <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, static_cast<size_t>(size), "%s", device() ? device()->name() : "");
  return CUDA_SUCCESS;
}
DRIVER cuDeviceGetUuid(CUuuid *uuid, CUdevice) {
  std::memcpy(uuid->bytes, "tcc's own device", sizeof uuid->bytes);
  return CUDA_SUCCESS;
}
DRIVER cuDeviceTotalMem(size_t *bytes, CUdevice) {
  size_t free;
  return cuMemGetInfo(&free, bytes);
}
DRIVER cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice number) {
  if (number)
    return CUDA_ERROR_INVALID_DEVICE;
  if (!device())
    return CUDA_ERROR_NO_DEVICE;
  *value = facts::attribute(attribute, device()->arch());
  return CUDA_SUCCESS;
}
DRIVER cuDeviceComputeCapability(int *major, int *minor, CUdevice number) {
  CUresult error = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, number);
  return error ? error : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, number);
}
DRIVER cuMemGetInfo(size_t *free, size_t *total) {
  if (!device())
    return CUDA_ERROR_NO_DEVICE;
  device()->countMemory(*free, *total);
  return CUDA_SUCCESS;
}

//===--- contexts -------------------------------------------------------------------------------------------------===//

DRIVER cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice number) {
  *context = &primary;
  return number ? CUDA_ERROR_INVALID_DEVICE : device() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}
DRIVER cuDevicePrimaryCtxRelease(CUdevice) { return CUDA_SUCCESS; }
/// Frees nothing, because the device exists until the process ends.
DRIVER cuDevicePrimaryCtxReset(CUdevice) {
  synchronize();
  state().kernelError = CUDA_SUCCESS;
  return CUDA_SUCCESS;
}
DRIVER cuDevicePrimaryCtxSetFlags(CUdevice, unsigned flags) {
  primary.flags = flags;
  return CUDA_SUCCESS;
}
DRIVER cuDevicePrimaryCtxGetState(CUdevice, unsigned *flags, int *isActive) {
  *flags = primary.flags;
  *isActive = 1;
  return CUDA_SUCCESS;
}
#if CUDA_VERSION >= 13000
DRIVER cuCtxCreate(CUcontext *context, CUctxCreateParams *, unsigned flags, CUdevice) {
#else
DRIVER cuCtxCreate(CUcontext *context, unsigned flags, CUdevice) {
#endif
  contexts.push_back(*context = new CUctx_st{flags});
  return device() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}
DRIVER cuCtxDestroy(CUcontext context) {
  std::erase(contexts, context);
  if (context != &primary)
    delete context;
  return CUDA_SUCCESS;
}
DRIVER cuCtxSetCurrent(CUcontext context) {
  if (!contexts.empty())
    contexts.pop_back();
  if (context)
    contexts.push_back(context);
  return CUDA_SUCCESS;
}
DRIVER cuCtxGetCurrent(CUcontext *context) {
  *context = contexts.empty() ? nullptr : contexts.back();
  return CUDA_SUCCESS;
}
DRIVER cuCtxPushCurrent(CUcontext context) {
  contexts.push_back(context);
  return CUDA_SUCCESS;
}
DRIVER cuCtxPopCurrent(CUcontext *context) {
  if (contexts.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = contexts.back();
  contexts.pop_back();
  return CUDA_SUCCESS;
}
DRIVER cuCtxGetDevice(CUdevice *device) {
  *device = 0;
  return contexts.empty() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS;
}
DRIVER cuCtxGetId(CUcontext context, unsigned long long *id) {
  *id = reinterpret_cast<uintptr_t>(context ? context : contexts.empty() ? nullptr : contexts.back());
  return CUDA_SUCCESS;
}
DRIVER cuCtxGetFlags(unsigned *flags) {
  *flags = contexts.empty() ? 0 : contexts.back()->flags;
  return CUDA_SUCCESS;
}
DRIVER cuCtxGetApiVersion(CUcontext, unsigned *version) {
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}
DRIVER cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = *greatest = 0;
  return CUDA_SUCCESS;
}
DRIVER cuCtxSetLimit(CUlimit, size_t) { return CUDA_SUCCESS; }
DRIVER cuCtxSetCacheConfig(CUfunc_cache) { return CUDA_SUCCESS; }
DRIVER cuCtxSynchronize() { return synchronize(); }
DRIVER cuStreamGetCtx(CUstream, CUcontext *context) {
  *context = contexts.empty() ? &primary : contexts.back();
  return CUDA_SUCCESS;
}
DRIVER cuStreamGetDevice(CUstream, CUdevice *device) {
  *device = 0;
  return CUDA_SUCCESS;
}
DRIVER cuProfilerStart() { return CUDA_SUCCESS; }
DRIVER cuProfilerStop() { return CUDA_SUCCESS; }
