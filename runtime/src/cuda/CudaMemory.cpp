//===-- CudaMemory.cpp - memory of NVIDIA GPUs -------------------------------------------------------------------===//
//
// A thin layer by design, like CudaDevice.cpp: everything belongs to the driver and the thread's current context.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaDevice.h"
#include "Device.h"
#include "Error.h"

using namespace tilecc::rt;

static CUdeviceptr address(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

// Finds the driver's handle of a device, for prefetches and advice.
static ttError_t deviceHandle(int device, CUdevice *handle) {
  *handle = driverCpuDevice;
  if (device != deviceIsHost)
    CUDA_TRY(cuDeviceGet, handle, device);
  return ttSuccess;
}

//===-- Allocation ------------------------------------------------------------------------------------------------===//

static ttError_t allocate(void **pointer, size_t bytes) {
  IN_CONTEXT();
  CUdeviceptr device;
  CUDA_TRY(cuMemAlloc, &device, bytes);
  *pointer = reinterpret_cast<void *>(device);
  return ttSuccess;
}

static ttError_t allocateHost(void **pointer, size_t bytes) {
  IN_CONTEXT();
  CUDA_TRY(cuMemHostAlloc, pointer, bytes, driverPortableHostMemory);
  return ttSuccess;
}

static ttError_t allocateManaged(void **pointer, size_t bytes) {
  IN_CONTEXT();
  CUdeviceptr device;
  CUDA_TRY(cuMemAllocManaged, &device, bytes, CU_MEM_ATTACH_GLOBAL);
  *pointer = reinterpret_cast<void *>(device);
  return ttSuccess;
}

static ttError_t allocateRows(void **pointer, size_t *pitch, size_t width, size_t height) {
  IN_CONTEXT();
  constexpr unsigned widestAccess = 16;
  CUdeviceptr device;
  CUDA_TRY(cuMemAllocPitch, &device, pitch, width, height, widestAccess);
  *pointer = reinterpret_cast<void *>(device);
  return ttSuccess;
}

static ttError_t freeMemory(void *pointer) {
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuMemFree, address(pointer));
  return ttSuccess;
}

static ttError_t freeHost(void *pointer) {
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuMemFreeHost, pointer);
  return ttSuccess;
}

static ttError_t registerHost(void *pointer, size_t bytes) {
  IN_CONTEXT();
  CUDA_TRY(cuMemHostRegister, pointer, bytes, driverPortableHostMemory);
  return ttSuccess;
}

static ttError_t unregisterHost(void *pointer) {
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuMemHostUnregister, pointer);
  return ttSuccess;
}

static ttError_t info(size_t *freeBytes, size_t *totalBytes) {
  IN_CONTEXT();
  CUDA_TRY(cuMemGetInfo, freeBytes, totalBytes);
  return ttSuccess;
}

static ttError_t attributes(ttPointerAttributes &attributes, const void *pointer) {
  IN_CONTEXT();
  int type = 0, ordinal = 0;
  unsigned managed = 0;
  CUdeviceptr device = 0, begin = 0;
  size_t bytes = 0;
  void *host = nullptr;
  int wanted[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE,    CU_POINTER_ATTRIBUTE_IS_MANAGED,
                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                  CU_POINTER_ATTRIBUTE_HOST_POINTER,   CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                  CU_POINTER_ATTRIBUTE_RANGE_SIZE};
  void *values[] = {&type, &managed, &ordinal, &device, &host, &begin, &bytes};
  CUDA_TRY(cuPointerGetAttributes, sizeof(wanted) / sizeof(*wanted), wanted, values, address(pointer));
  attributes.type = managed                        ? ttMemoryTypeManaged
                    : type == CU_MEMORYTYPE_HOST   ? ttMemoryTypeHost
                    : type == CU_MEMORYTYPE_DEVICE ? ttMemoryTypeDevice
                                                   : ttMemoryTypeUnregistered;
  if (attributes.type == ttMemoryTypeDevice || attributes.type == ttMemoryTypeManaged)
    attributes.device = ordinal;
  attributes.devicePointer = reinterpret_cast<void *>(device);
  attributes.blockBegin = reinterpret_cast<void *>(begin);
  attributes.blockBytes = bytes;
  attributes.hostPointer = attributes.type == ttMemoryTypeUnregistered ? const_cast<void *>(pointer) : host;
  return ttSuccess;
}

//===-- Copies: on 64-bit Linux, unified addresses tell the driver where memory is --------------------------------===//

static ttError_t copy(void *to, const void *from, size_t bytes) {
  IN_CONTEXT();
  CUDA_TRY(cuMemcpy, address(to), address(from), bytes);
  return ttSuccess;
}

static ttError_t copyAsync(void *to, const void *from, size_t bytes, ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuMemcpyAsync, address(to), address(from), bytes, stream);
  return ttSuccess;
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  IN_CONTEXT();
  CUDA_TRY(cuMemsetD8, address(pointer), static_cast<unsigned char>(byte), bytes);
  return ttSuccess;
}

static ttError_t setAsync(void *pointer, int byte, size_t bytes, ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuMemsetD8Async, address(pointer), static_cast<unsigned char>(byte), bytes, stream);
  return ttSuccess;
}

static CUDA_MEMCPY2D describe(const RowCopy &rows) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = address(rows.from);
  copy.srcPitch = rows.fromPitch;
  copy.dstDevice = address(rows.to);
  copy.dstPitch = rows.toPitch;
  copy.WidthInBytes = rows.width;
  copy.Height = rows.height;
  return copy;
}

static ttError_t copyRows(const RowCopy &rows) {
  IN_CONTEXT();
  CUDA_MEMCPY2D copy = describe(rows);
  CUDA_TRY(cuMemcpy2DUnaligned, &copy);
  return ttSuccess;
}

static ttError_t copyRowsAsync(const RowCopy &rows, ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_MEMCPY2D copy = describe(rows);
  CUDA_TRY(cuMemcpy2DAsync, &copy, stream);
  return ttSuccess;
}

static ttError_t setRows(const RowSet &rows) {
  IN_CONTEXT();
  CUDA_TRY(cuMemsetD2D8, address(rows.to), rows.pitch, static_cast<unsigned char>(rows.byte), rows.width, rows.height);
  return ttSuccess;
}

static ttError_t setRowsAsync(const RowSet &rows, ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUDA_TRY(cuMemsetD2D8Async, address(rows.to), rows.pitch, static_cast<unsigned char>(rows.byte), rows.width,
           rows.height, stream);
  return ttSuccess;
}

static ttError_t prefetch(const void *pointer, size_t bytes, int device, ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT();
  CUdevice handle;
  if (ttError_t error = deviceHandle(device, &handle))
    return error;
  CUDA_TRY(cuMemPrefetchAsync, address(pointer), bytes, handle, stream);
  return ttSuccess;
}

static ttError_t advise(const void *pointer, size_t bytes, ttMemoryAdvise advice, int device) {
  IN_CONTEXT();
  CUdevice handle;
  if (ttError_t error = deviceHandle(device, &handle))
    return error;
  CUDA_TRY(cuMemAdvise, address(pointer), bytes, advice, handle);
  return ttSuccess;
}

//===-- Pools -----------------------------------------------------------------------------------------------------===//

static ttError_t allocateAsync(void **pointer, size_t bytes, ttMemPool_t pool, ttStream_t stream) {
  CHECK_HANDLE(stream);
  CHECK_HANDLE(pool);
  IN_CONTEXT();
  CUdeviceptr device;
  if (pool)
    CUDA_TRY(cuMemAllocFromPoolAsync, &device, bytes, pool, stream);
  else
    CUDA_TRY(cuMemAllocAsync, &device, bytes, stream);
  *pointer = reinterpret_cast<void *>(device);
  return ttSuccess;
}

static ttError_t freeAsync(void *pointer, ttStream_t stream) {
  CHECK_HANDLE(stream);
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuMemFreeAsync, address(pointer), stream);
  return ttSuccess;
}

static ttError_t poolCreate(ttMemPool_t *pool, int device) {
  IN_CONTEXT();
  const CUmemPoolProps properties = propertiesOfPool(device);
  CUDA_TRY(cuMemPoolCreate, pool, &properties);
  return ttSuccess;
}

static ttError_t poolDestroy(ttMemPool_t pool) {
  IN_CONTEXT_IF_ANY();
  CUDA_TRY(cuMemPoolDestroy, pool);
  return ttSuccess;
}

static ttError_t poolDefault(ttMemPool_t *pool, int device) {
  IN_CONTEXT();
  CUdevice handle;
  CUDA_TRY(cuDeviceGet, &handle, device);
  CUDA_TRY(cuDeviceGetDefaultMemPool, pool, handle);
  return ttSuccess;
}

static ttError_t poolOf(ttMemPool_t *pool, int device) {
  IN_CONTEXT();
  CUdevice handle;
  CUDA_TRY(cuDeviceGet, &handle, device);
  CUDA_TRY(cuDeviceGetMemPool, pool, handle);
  return ttSuccess;
}

static ttError_t poolUse(int device, ttMemPool_t pool) {
  CHECK_HANDLE(pool);
  IN_CONTEXT();
  CUdevice handle;
  CUDA_TRY(cuDeviceGet, &handle, device);
  CUDA_TRY(cuDeviceSetMemPool, handle, pool);
  return ttSuccess;
}

static ttError_t poolTrim(ttMemPool_t pool, size_t bytes) {
  IN_CONTEXT();
  CUDA_TRY(cuMemPoolTrimTo, pool, bytes);
  return ttSuccess;
}

static ttError_t poolSet(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long value) {
  IN_CONTEXT();
  CUDA_TRY(cuMemPoolSetAttribute, pool, attribute, &value);
  return ttSuccess;
}

static ttError_t poolGet(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long *value) {
  IN_CONTEXT();
  CUDA_TRY(cuMemPoolGetAttribute, pool, attribute, value);
  return ttSuccess;
}

//===-- Peers -----------------------------------------------------------------------------------------------------===//

static ttError_t canAccessPeer(int *can, int device, int peer) {
  if (cudaIsLostToFork())
    return failForked();
  CUdevice handle, peerHandle;
  CUDA_TRY(cuDeviceGet, &handle, device);
  CUDA_TRY(cuDeviceGet, &peerHandle, peer);
  CUDA_TRY(cuDeviceCanAccessPeer, can, handle, peerHandle);
  return ttSuccess;
}

static ttError_t primaryContext(int device, CUcontext *context) {
  CUdevice handle;
  CUDA_TRY(cuDeviceGet, &handle, device);
  CUDA_TRY(cuDevicePrimaryCtxRetain, context, handle);
  return ttSuccess;
}

static ttError_t enablePeer(int peer) {
  IN_CONTEXT();
  CUcontext context;
  if (ttError_t error = primaryContext(peer, &context))
    return error;
  CUDA_TRY(cuCtxEnablePeerAccess, context, 0);
  return ttSuccess;
}

static ttError_t disablePeer(int peer) {
  IN_CONTEXT();
  CUcontext context;
  if (ttError_t error = primaryContext(peer, &context))
    return error;
  CUDA_TRY(cuCtxDisablePeerAccess, context);
  return ttSuccess;
}

constinit const DeviceMemory tilecc::rt::cudaMemory = {
    .allocate = allocate,
    .allocateHost = allocateHost,
    .allocateManaged = allocateManaged,
    .allocateRows = allocateRows,
    .free = freeMemory,
    .freeHost = freeHost,
    .freeIfOwn = nullptr,
    .registerHost = registerHost,
    .unregisterHost = unregisterHost,
    .info = info,
    .attributes = attributes,
    .copy = copy,
    .copyAsync = copyAsync,
    .set = set,
    .setAsync = setAsync,
    .copyRows = copyRows,
    .copyRowsAsync = copyRowsAsync,
    .setRows = setRows,
    .setRowsAsync = setRowsAsync,
    .prefetch = prefetch,
    .advise = advise,
    .allocateAsync = allocateAsync,
    .freeAsync = freeAsync,
    .poolCreate = poolCreate,
    .poolDestroy = poolDestroy,
    .poolDefault = poolDefault,
    .poolOf = poolOf,
    .poolUse = poolUse,
    .poolTrim = poolTrim,
    .poolSet = poolSet,
    .poolGet = poolGet,
    .canAccessPeer = canAccessPeer,
    .enablePeer = enablePeer,
    .disablePeer = disablePeer,
};
