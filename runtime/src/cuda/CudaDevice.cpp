//===-- CudaDevice.cpp - streams and events of NVIDIA GPUs ---------------------------------------------===//
//
// A thin layer by design: everything belongs to the driver and the thread's current context, so that objects of this
// runtime and of CUDA's runtime can be mixed.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaDevice.h"
#include "cuda/CudaModule.h"
#include "cuda/CudaTimers.h"
#include "Device.h"
#include "Error.h"

using namespace tilecc::rt;

static ttError_t properties(int ordinal, ttDeviceProp &properties) {
  if (cudaIsLostToFork())
    return failForked();
  CUdevice device;
  unsigned arch;
  int sharedBytes, cacheBytes;
  CUDA_TRY(cuDeviceGet, &device, ordinal);
  CUDA_TRY(cuDeviceGetName, properties.name, sizeof(properties.name), device);
  CUDA_TRY(cuDeviceGetAttribute, &properties.multiProcessorCount, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  CUDA_TRY(cuDeviceGetAttribute, &sharedBytes, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, device);
  CUDA_TRY(cuDeviceGetAttribute, &cacheBytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device);
  CUDA_TRY(cuDeviceTotalMem, &properties.totalGlobalMem, device);
  if (ttError_t error = cudaArch(device, &arch))
    return error;
  properties.kind = ttDeviceKindCuda;
  properties.arch = arch;
  properties.sharedMemPerBlockOptin = sharedBytes;
  properties.l2CacheSize = cacheBytes;
  return ttSuccess;
}

static ttError_t synchronize() {
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuCtxSynchronize);
  return ttSuccess;
}

static ttError_t streamCreate(ttStream_t *stream, unsigned flags) {
  IN_CONTEXT();
  CUDA_TRY(cuStreamCreate, stream, flags);
  return ttSuccess;
}

static ttError_t streamDestroy(ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuStreamDestroy, stream);
  return ttSuccess;
}

static ttError_t streamSynchronize(ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuStreamSynchronize, stream);
  return ttSuccess;
}

static ttError_t streamQuery(ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUresult result = cuda.cuStreamQuery(stream);
  if (result == CUDA_ERROR_NOT_READY)
    return ttErrorNotReady;
  return result ? failCuda(result, "cuStreamQuery") : ttSuccess;
}

static ttError_t streamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags) {
  CHECK_HANDLE(stream);
  CHECK_HANDLE(event);
  IN_CONTEXT();
  CUDA_TRY(cuStreamWaitEvent, stream, event, flags);
  return ttSuccess;
}

static ttError_t eventCreate(ttEvent_t *event, unsigned flags) {
  IN_CONTEXT();
  CUDA_TRY(cuEventCreate, event, flags);
  return ttSuccess;
}

static ttError_t eventRecord(ttEvent_t event, ttStream_t stream) {
  CHECK_HANDLE(event);
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuEventRecord, event, stream);
  return ttSuccess;
}

static ttError_t eventSynchronize(ttEvent_t event) {
  CHECK_HANDLE(event);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuEventSynchronize, event);
  return ttSuccess;
}

static ttError_t eventQuery(ttEvent_t event) {
  CHECK_HANDLE(event);
  IN_CONTEXT();
  CUresult result = cuda.cuEventQuery(event);
  if (result == CUDA_ERROR_NOT_READY)
    return ttErrorNotReady;
  return result ? failCuda(result, "cuEventQuery") : ttSuccess;
}

static ttError_t eventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end) {
  CHECK_HANDLE(start);
  CHECK_HANDLE(end);
  IN_CONTEXT();
  CUresult result = cuda.cuEventElapsedTime(milliseconds, start, end);
  if (result == CUDA_ERROR_NOT_READY)
    return ttErrorNotReady;
  return result ? failCuda(result, "cuEventElapsedTime") : ttSuccess;
}

static ttError_t eventDestroy(ttEvent_t event) {
  CHECK_HANDLE(event);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuEventDestroy, event);
  return ttSuccess;
}

static bool isNamed(const char *variable, int *number) { return parseNumber(variable, "cuda:", "", number); }

static ttError_t open(const char *variable, int *number, int *gpuCount) {
  char whyNone[512] = "";
  if (ttError_t error = openCudaDriver(gpuCount, whyNone, sizeof(whyNone)))
    return error;
  if (variable && *gpuCount == 0)
    return fail(ttErrorNoDevice, "TILECC_DEVICE=%s: %s", variable, whyNone);
  if (variable && *number >= *gpuCount)
    return fail(ttErrorInvalidDevice, "TILECC_DEVICE=%s: the CUDA driver reports %d device%s", variable, *gpuCount,
                *gpuCount == 1 ? "" : "s");
  return ttSuccess;
}

static void beforeFork() {}

constinit const DeviceKind tilecc::rt::cudaDevice = {
    .kind = ttDeviceKindCuda,
    .name = "a GPU",
    .variable = "'cuda:N'",
    .isDefault = true,
    .isNamed = isNamed,
    .open = open,
    .beforeFork = beforeFork,
    .afterFork = loseCudaToFork,
    .properties = properties,
    .use = makePrimaryContextCurrent,
    .ordinal = currentCudaDevice,
    .synchronize = synchronize,
    .memory = &cudaMemory,
    .graphs = &cudaGraphs,
    .timers = &cudaTimers,
    .host = nullptr,
    .streamCreate = streamCreate,
    .streamDestroy = streamDestroy,
    .streamSynchronize = streamSynchronize,
    .streamQuery = streamQuery,
    .streamWaitEvent = streamWaitEvent,
    .eventCreate = eventCreate,
    .eventRecord = eventRecord,
    .eventSynchronize = eventSynchronize,
    .eventQuery = eventQuery,
    .eventElapsedTime = eventElapsedTime,
    .eventDestroy = eventDestroy,
    .launch = launchOnCuda,
    .variant = variantOnCuda,
    .activePrograms = activeOnCuda,
    .preload = preloadOnCuda,
    .function = cudaFunction,
    .attributes = cudaAttributes,
    .unload = unloadFromCuda,
};
