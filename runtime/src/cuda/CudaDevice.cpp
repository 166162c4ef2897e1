//===-- CudaDevice.cpp - streams and events of GPUs, and the table of NVIDIA's ----------------------------------===//
//
// A thin layer by design: everything belongs to the driver and the thread's current context, so that objects of this
// runtime and of CUDA's runtime can be mixed.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaDevice.h"
#include "Error.h"
#include "Images.h"

#include <string.h>

using namespace tilecc::rt;

ttError_t tilecc::rt::driverProperties(int ordinal, ttDeviceProp &properties) {
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
  if (ttError_t error = cuda.vendor->arch(device, &arch))
    return error;
  properties.kind = cuda.vendor->kind->kind;
  properties.arch = static_cast<int>(arch);
  nameTarget(cuda.vendor->code, arch, properties.target, sizeof(properties.target));
  properties.sharedMemPerBlockOptin = sharedBytes;
  properties.l2CacheSize = cacheBytes;
  return ttSuccess;
}

ttError_t tilecc::rt::driverSynchronize() {
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuCtxSynchronize);
  return ttSuccess;
}

ttError_t tilecc::rt::driverStreamCreate(ttStream_t *stream, unsigned flags) {
  IN_CONTEXT();
  CUDA_TRY(cuStreamCreate, stream, flags);
  return ttSuccess;
}

ttError_t tilecc::rt::driverStreamDestroy(ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuStreamDestroy, stream);
  return ttSuccess;
}

ttError_t tilecc::rt::driverStreamSynchronize(ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuStreamSynchronize, stream);
  return ttSuccess;
}

ttError_t tilecc::rt::driverStreamQuery(ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUresult result = cuda.cuStreamQuery(stream);
  if (result == CUDA_ERROR_NOT_READY)
    return ttErrorNotReady;
  return result ? failCuda(result, "cuStreamQuery") : ttSuccess;
}

ttError_t tilecc::rt::driverStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags) {
  CHECK_HANDLE(stream);
  CHECK_HANDLE(event);
  IN_CONTEXT();
  CUDA_TRY(cuStreamWaitEvent, stream, event, flags);
  return ttSuccess;
}

ttError_t tilecc::rt::driverEventCreate(ttEvent_t *event, unsigned flags) {
  IN_CONTEXT();
  CUDA_TRY(cuEventCreate, event, flags);
  return ttSuccess;
}

ttError_t tilecc::rt::driverEventRecord(ttEvent_t event, ttStream_t stream) {
  CHECK_HANDLE(event);
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuEventRecord, event, stream);
  return ttSuccess;
}

ttError_t tilecc::rt::driverEventSynchronize(ttEvent_t event) {
  CHECK_HANDLE(event);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuEventSynchronize, event);
  return ttSuccess;
}

ttError_t tilecc::rt::driverEventQuery(ttEvent_t event) {
  CHECK_HANDLE(event);
  IN_CONTEXT();
  CUresult result = cuda.cuEventQuery(event);
  if (result == CUDA_ERROR_NOT_READY)
    return ttErrorNotReady;
  return result ? failCuda(result, "cuEventQuery") : ttSuccess;
}

ttError_t tilecc::rt::driverEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end) {
  CHECK_HANDLE(start);
  CHECK_HANDLE(end);
  IN_CONTEXT();
  CUresult result = cuda.cuEventElapsedTime(milliseconds, start, end);
  if (result == CUDA_ERROR_NOT_READY)
    return ttErrorNotReady;
  return result ? failCuda(result, "cuEventElapsedTime") : ttSuccess;
}

ttError_t tilecc::rt::driverEventDestroy(ttEvent_t event) {
  CHECK_HANDLE(event);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuEventDestroy, event);
  return ttSuccess;
}

//===-- NVIDIA ----------------------------------------------------------------------------------------------------===//

static bool isNamed(const char *variable, int *number) {
  return !strcmp(variable, "cuda") || parseNumber(variable, "cuda:", "", number);
}

static ttError_t open(const char *variable, int *number, int *gpuCount) {
  return openDriver(openCudaDriver, variable, number, gpuCount);
}

constinit const DeviceKind tilecc::rt::cudaDevice = asDriverDevice({
    .kind = ttDeviceKindCuda,
    .name = "a GPU",
    .variable = "'cuda' or 'cuda:N'",
    .images = 1u << TILECC_IMAGE_CUBIN | 1u << TILECC_IMAGE_PTX,
    .isDefault = true,
    .isNamed = isNamed,
    .open = open,
});
