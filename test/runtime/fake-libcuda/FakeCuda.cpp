//===-- FakeCuda.cpp - a libcuda.so.1 without a GPU ------------------------------------------------------------===//
//
// Replaces the CUDA driver where there is none, so that every rule of the runtime about devices, contexts, loading and
// exit can be tested anywhere. It follows the driver's rules as far as the runtime depends on them (a thread's current
// context, ids of contexts, calls that are rejected during capture, shared memory without opting in, the end at exit)
// and writes every call to a log. Device memory is host memory, and kernels do nothing.
//
//   FAKE_CUDA_ARCHS   compute capabilities of the devices, "90,80"; empty: no device; unset: one of 90
//   FAKE_CUDA_FAIL    calls that fail and how: "cuInit=999,cuMemAlloc=2"
//   FAKE_CUDA_TIMES   what kernels take, in milliseconds: "add=1,scale=0.5"; without, 1.5 lie between any two events
//   FAKE_CUDA_RECORDS kernels record times (FakeRecords.cpp)
//   FAKE_CUDA_LOG     the file that calls are appended to, one per line
//
//===----------------------------------------------------------------------------------------------------------===//
#include "FakeCuda.h"

#include <atomic>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace fake;

std::mutex fake::lock;
std::vector<int> fake::archs;
std::atomic<int> fake::capturing{0};

namespace {

pid_t initializedIn = 0;                   // the process that called cuInit
std::atomic<bool> deinitialized{false};    // the driver's exit handler has run
// By device, and all of them. Never destroyed, so that leak checkers do not report what the runtime intentionally never
// frees.
auto &primaryContexts = *new std::map<int, CUcontext>;
auto &contexts = *new std::set<CUcontext>;
unsigned long long lastContextId = 0;
// Without a destructor: the driver is called from exit handlers, too.
struct ContextStack {
  CUcontext contexts[16];
  size_t depth;
  bool empty() const { return depth == 0; }
  CUcontext back() const { return contexts[depth - 1]; }
  void push_back(CUcontext context) { contexts[depth++] = context; }
  void pop_back() { --depth; }
};
thread_local ContextStack contextStack = {};
thread_local int captureMode = 0;

} // namespace

void fake::logCall(const char *format, ...) {
  const char *path = getenv("FAKE_CUDA_LOG");
  if (!path)
    return;
  static std::mutex logLock;
  std::lock_guard guard(logLock);
  FILE *file = fopen(path, "a");
  va_list args;
  va_start(args, format);
  vfprintf(file, format, args);
  va_end(args);
  fputc('\n', file);
  fclose(file);
}

CUresult fake::enter(const char *function) {
  if (deinitialized)
    return CUDA_ERROR_DEINITIALIZED;
  if (strcmp(function, "cuInit") && initializedIn != getpid())
    return notInitialized;
  std::string failures = std::string(",") + (getenv("FAKE_CUDA_FAIL") ? getenv("FAKE_CUDA_FAIL") : "");
  size_t at = failures.find("," + std::string(function) + "=");
  return at == std::string::npos ? 0 : atoi(failures.c_str() + at + strlen(function) + 2);
}

CUcontext fake::current() { return contextStack.empty() ? nullptr : contextStack.back(); }

CUresult fake::needContext() {
  if (!current())
    return CUDA_ERROR_INVALID_CONTEXT;
  return current()->id ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult fake::notWhileCapturing(const char *function) {
  if (!capturing || captureMode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_SUCCESS;
  logCall("CAPTURE VIOLATION by %s", function);
  return captureUnsupported;
}

FAKE(cuInit)(unsigned) {
  logCall("cuInit");
  ENTER("cuInit");
  // A forked child of a process that used the driver cannot use it.
  if (initializedIn && initializedIn != getpid())
    return notInitialized;
  std::lock_guard guard(lock);
  const char *list = getenv("FAKE_CUDA_ARCHS");
  archs.clear();
  for (const char *at = list ? list : "90"; *at; at += strspn(at, ",")) {
    archs.push_back(atoi(at));
    at += strcspn(at, ",");
  }
  if (archs.empty())
    return CUDA_ERROR_NO_DEVICE;
  if (!initializedIn)
    atexit([] {
      logCall("the driver ends");
      deinitialized = true;
    });
  initializedIn = getpid();
  return CUDA_SUCCESS;
}

FAKE(cuGetErrorName)(CUresult error, const char **name) {
  static const std::map<int, const char *> names = {
      {1, "CUDA_ERROR_INVALID_VALUE"},      {2, "CUDA_ERROR_OUT_OF_MEMORY"}, {3, "CUDA_ERROR_NOT_INITIALIZED"},
      {4, "CUDA_ERROR_DEINITIALIZED"},      {218, "CUDA_ERROR_INVALID_PTX"}, {500, "CUDA_ERROR_NOT_FOUND"},
      {719, "CUDA_ERROR_LAUNCH_FAILED"},    {999, "CUDA_ERROR_UNKNOWN"},     {802, "CUDA_ERROR_SYSTEM_NOT_READY"},
      {201, "CUDA_ERROR_INVALID_CONTEXT"},
  };
  auto found = names.find(error);
  *name = found == names.end() ? nullptr : found->second;
  return found == names.end() ? invalidValue : 0;
}
FAKE(cuGetErrorString)(CUresult, const char **text) {
  *text = "as the fake driver was told";
  return CUDA_SUCCESS;
}

//===-- Devices and contexts -----------------------------------------------------------------------------------===//

FAKE(cuDeviceGetCount)(int *count) {
  ENTER("cuDeviceGetCount");
  *count = static_cast<int>(archs.size());
  return CUDA_SUCCESS;
}
FAKE(cuDeviceGet)(CUdevice *device, int ordinal) {
  ENTER("cuDeviceGet");
  *device = ordinal;
  return ordinal >= 0 && ordinal < static_cast<int>(archs.size()) ? CUDA_SUCCESS : 101;
}
FAKE(cuDeviceGetName)(char *name, int length, CUdevice device) {
  ENTER("cuDeviceGetName");
  snprintf(name, length, "Fake GPU %d", device);
  return CUDA_SUCCESS;
}
FAKE(cuDeviceGetAttribute)(int *value, int attribute, CUdevice device) {
  ENTER("cuDeviceGetAttribute");
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = 132;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
  case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
    *value = 1;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
    *value = 4096;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = archs[device] / 10;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = archs[device] % 10;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = 232448;
    return CUDA_SUCCESS;
  }
  return invalidValue;
}
FAKE(cuDeviceTotalMem_v2)(size_t *bytes, CUdevice) {
  ENTER("cuDeviceTotalMem");
  *bytes = size_t(80) << 30;
  return CUDA_SUCCESS;
}

static CUcontext newContext(int device) {
  auto *context = new CUctx_st{device, ++lastContextId, {}};
  contexts.insert(context);
  return context;
}

FAKE(cuDevicePrimaryCtxRetain)(CUcontext *context, CUdevice device) {
  logCall("cuDevicePrimaryCtxRetain %d", device);
  ENTER("cuDevicePrimaryCtxRetain");
  std::lock_guard guard(lock);
  CUcontext &primary = primaryContexts[device];
  if (!primary)
    primary = newContext(device);
  if (!primary->id) // reset: the same handle, another context
    primary->id = ++lastContextId;
  *context = primary;
  return CUDA_SUCCESS;
}
FAKE(cuDevicePrimaryCtxReset_v2)(CUdevice device) {
  logCall("cuDevicePrimaryCtxReset %d", device);
  ENTER("cuDevicePrimaryCtxReset");
  std::lock_guard guard(lock);
  primaryContexts[device]->id = 0;
  return CUDA_SUCCESS;
}
FAKE(cuCtxCreate_v2)(CUcontext *context, unsigned, CUdevice device) {
  logCall("cuCtxCreate %d", device);
  ENTER("cuCtxCreate");
  std::lock_guard guard(lock);
  contextStack.push_back(*context = newContext(device));
  return CUDA_SUCCESS;
}
FAKE(cuCtxDestroy_v2)(CUcontext context) {
  logCall("cuCtxDestroy %llu", context->id);
  ENTER("cuCtxDestroy");
  context->id = 0;
  if (current() == context)
    contextStack.pop_back();
  return CUDA_SUCCESS;
}
FAKE(cuCtxGetCurrent)(CUcontext *context) {
  ENTER("cuCtxGetCurrent");
  *context = current();
  return CUDA_SUCCESS;
}
FAKE(cuCtxSetCurrent)(CUcontext context) {
  logCall("cuCtxSetCurrent %llu", context ? context->id : 0);
  ENTER("cuCtxSetCurrent");
  if (!contextStack.empty())
    contextStack.pop_back();
  if (context)
    contextStack.push_back(context);
  return CUDA_SUCCESS;
}
FAKE(cuCtxPushCurrent_v2)(CUcontext context) {
  ENTER("cuCtxPushCurrent");
  contextStack.push_back(context);
  return CUDA_SUCCESS;
}
FAKE(cuCtxPopCurrent_v2)(CUcontext *context) {
  CONTEXT("cuCtxPopCurrent");
  *context = current();
  contextStack.pop_back();
  return CUDA_SUCCESS;
}
FAKE(cuCtxGetId)(CUcontext context, unsigned long long *id) {
  ENTER("cuCtxGetId");
  if (!context) {
    if (CUresult result = needContext())
      return result;
    context = current();
  }
  *id = context->id;
  return context->id ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}
FAKE(cuCtxGetDevice)(CUdevice *device) {
  CONTEXT("cuCtxGetDevice");
  *device = current()->device;
  return CUDA_SUCCESS;
}
FAKE(cuCtxSynchronize)() {
  logCall("cuCtxSynchronize");
  CONTEXT("cuCtxSynchronize");
  NOT_WHILE_CAPTURING("cuCtxSynchronize");
  return CUDA_SUCCESS;
}

FAKE(cuThreadExchangeStreamCaptureMode)(int *mode) {
  ENTER("cuThreadExchangeStreamCaptureMode");
  std::swap(captureMode, *mode);
  return CUDA_SUCCESS;
}

//===-- Code -----------------------------------------------------------------------------------------------------===//

// An "image" is text; its first line is its name. One that says "syntax error" does not compile.
FAKE(cuModuleLoadDataEx)(CUmodule *module, const void *image, unsigned count, int *options, void **values) {
  auto *text = static_cast<const char *>(image);
  std::string name(text, strcspn(text, "\n"));
  logCall("cuModuleLoadDataEx '%s' in context %llu", name.c_str(), current() ? current()->id : 0);
  CONTEXT("cuModuleLoadDataEx");
  NOT_WHILE_CAPTURING("cuModuleLoadDataEx");
  if (strstr(text, "syntax error")) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
        strcpy(static_cast<char *>(values[i]), "ptxas application ptx input, line 7; fatal   : Parsing error");
    return invalidPtx;
  }
  *module = new CUmod_st{name, current(), {}};
  std::lock_guard guard(lock);
  current()->modules.insert(*module);
  return CUDA_SUCCESS;
}
FAKE(cuModuleUnload)(CUmodule module) {
  logCall("cuModuleUnload '%s'", module->name.c_str());
  CONTEXT("cuModuleUnload");
  if (module->context != current())
    return invalidHandle;
  std::lock_guard guard(lock);
  current()->modules.erase(module);
  for (CUfunction function : module->functions)
    delete function;
  delete module;
  return CUDA_SUCCESS;
}
FAKE(cuModuleGetFunction)(CUfunction *function, CUmodule module, const char *name) {
  logCall("cuModuleGetFunction %s", name);
  CONTEXT("cuModuleGetFunction");
  if (strstr(name, "missing"))
    return notFound;
  *function = new CUfunc_st{name, module};
  std::lock_guard guard(lock);
  module->functions.push_back(*function);
  return CUDA_SUCCESS;
}
FAKE(cuFuncGetAttribute)(int *value, int attribute, CUfunction) {
  CONTEXT("cuFuncGetAttribute");
  *value = attribute == CU_FUNC_ATTRIBUTE_BINARY_VERSION ? 90 : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 40 : 0;
  return CUDA_SUCCESS;
}
FAKE(cuFuncSetAttribute)(CUfunction function, int attribute, int value) {
  logCall("cuFuncSetAttribute %s %d=%d", function->name.c_str(), attribute, value);
  CONTEXT("cuFuncSetAttribute");
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    function->maxDynamicShared = value;
  return CUDA_SUCCESS;
}
FAKE(cuFuncLoad)(CUfunction function) {
  logCall("cuFuncLoad %s", function->name.c_str());
  CONTEXT("cuFuncLoad");
  return CUDA_SUCCESS;
}

FAKE(cuTensorMapEncodeTiled)
(void *map, int type, uint32_t rank, void *address, const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
 const uint32_t *, int, int swizzle, int, int) {
  logCall(
      "cuTensorMapEncodeTiled type %d rank %u at %p sizes %llu,%llu,%llu,%llu strides %llu,%llu,%llu box %u,%u,%u,%u "
      "swizzle %d aligned %d",
      type, rank, address, (unsigned long long)sizes[0], (unsigned long long)sizes[1], (unsigned long long)sizes[2],
      (unsigned long long)sizes[3], (unsigned long long)strides[0], (unsigned long long)strides[1],
      (unsigned long long)strides[2], box[0], box[1], box[2], box[3], swizzle,
      reinterpret_cast<uintptr_t>(map) % 64 == 0);
  memset(map, type, 128);
  return strides[0] >> 40 ? invalidValue : CUDA_SUCCESS;
}

FAKE(cuTensorMapEncodeIm2col)
(void *map, int type, uint32_t rank, void *address, const uint64_t *sizes, const uint64_t *strides, const int *lower,
 const int *upper, uint32_t channels, uint32_t pixels, const uint32_t *steps, int, int swizzle, int, int) {
  auto list = [](const auto *numbers, uint32_t count) {
    std::string text;
    for (uint32_t i = 0; i < count; ++i)
      text += (i ? "," : "") + std::to_string(numbers[i]);
    return text;
  };
  logCall("cuTensorMapEncodeIm2col type %d rank %u at %p sizes %s strides %s corners %s to %s box %u,%u steps %s "
          "swizzle %d aligned %d",
          type, rank, address, list(sizes, rank).c_str(), list(strides, rank - 1).c_str(),
          list(lower, rank - 2).c_str(), list(upper, rank - 2).c_str(), channels, pixels, list(steps, rank).c_str(),
          swizzle, reinterpret_cast<uintptr_t>(map) % 64 == 0);
  memset(map, type, 128);
  return strides[0] % 16 ? invalidValue : CUDA_SUCCESS;
}

thread_local double fake::clockTime = 0;

static void passTime(const std::string &name) {
  const char *times = getenv("FAKE_CUDA_TIMES");
  std::string all = std::string(",") + (times ? times : "");
  size_t place = all.find("," + name + "=");
  if (place != std::string::npos)
    clockTime += atof(all.c_str() + place + name.size() + 2);
}

CUresult fake::checkLaunch(CUfunction function, unsigned sharedBytes) {
  if (function->module->context != current())
    return invalidHandle;
  passTime(function->name);
  return sharedBytes <= static_cast<unsigned>(function->maxDynamicShared) ? 0 : invalidValue;
}

FAKE(cuLaunchKernel)
(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
 unsigned sharedBytes, CUstream stream, void **args, void **) {
  logCall("cuLaunchKernel %s of '%s' grid %u,%u,%u block %u,%u,%u shared %u stream %p context %llu arg %llx",
          function->name.c_str(), function->module->name.c_str(), gridX, gridY, gridZ, blockX, blockY, blockZ,
          sharedBytes, static_cast<void *>(stream), current() ? current()->id : 0,
          args ? *static_cast<unsigned long long *>(args[0]) : 0);
  CONTEXT("cuLaunchKernel");
  if (!fake::capture(stream, "kernel " + function->name))
    record(function->name, gridX * gridY * gridZ);
  return checkLaunch(function, sharedBytes);
}
FAKE(cuLaunchKernelEx)(const CUlaunchConfig *config, CUfunction function, void **, void **) {
  std::string attributes;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute &attribute = config->attrs[i];
    attributes += " " + std::to_string(attribute.id) + ":" + std::to_string(attribute.value.number);
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      attributes +=
          "x" + std::to_string(attribute.value.clusterDim.y) + "x" + std::to_string(attribute.value.clusterDim.z);
  }
  logCall("cuLaunchKernelEx %s grid %u,%u,%u block %u shared %u attributes%s", function->name.c_str(), config->gridDimX,
          config->gridDimY, config->gridDimZ, config->blockDimX, config->sharedMemBytes, attributes.c_str());
  CONTEXT("cuLaunchKernelEx");
  fake::capture(config->hStream, "kernel " + function->name);
  return checkLaunch(function, config->sharedMemBytes);
}

FAKE(cuOccupancyMaxActiveBlocksPerMultiprocessor)(int *blocks, CUfunction, int, size_t sharedBytes) {
  CONTEXT("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  constexpr size_t mostShared = 227 * 1024;
  *blocks = 4 * sharedBytes <= mostShared ? 4 : static_cast<int>(mostShared / sharedBytes);
  return CUDA_SUCCESS;
}
FAKE(cuOccupancyMaxActiveClusters)(int *clusters, CUfunction, const CUlaunchConfig *) {
  CONTEXT("cuOccupancyMaxActiveClusters");
  *clusters = 66;
  return CUDA_SUCCESS;
}
