//===-- Memory.cpp - the public calls for memory ---------------------------------------------------------------===//
//
// Each asks the current device.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"

using namespace tilecc::rt;

ttError_t ttMalloc(void **pointer, size_t bytes) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  return bytes ? device->allocate(pointer, bytes) : ttSuccess;
}

ttError_t ttFree(void *pointer) {
  if (!pointer || hostDevice->freeIfOwn(pointer))
    return ttSuccess;
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  return (all->gpus ? all->gpus : hostDevice)->free(pointer);
}

ttError_t ttMallocHost(void **pointer, size_t bytes) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  return bytes ? device->allocateHost(pointer, bytes) : ttSuccess;
}

ttError_t ttFreeHost(void *pointer) {
  if (!pointer || hostDevice->freeIfOwn(pointer))
    return ttSuccess;
  CURRENT_DEVICE(device);
  return device->freeHost(pointer);
}

ttError_t ttMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  CURRENT_DEVICE(device);
  return device->memoryInfo(freeBytes, totalBytes);
}

static ttError_t checkKind(ttMemcpyKind kind) {
  if (kind >= ttMemcpyHostToHost && kind <= ttMemcpyDefault)
    return ttSuccess;
  return fail(ttErrorInvalidMemcpyDirection, "%d is no direction of a copy (ttMemcpyKind)", static_cast<int>(kind));
}

ttError_t ttMemcpy(void *to, const void *from, size_t bytes, ttMemcpyKind kind) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkKind(kind))
    return error;
  return bytes ? device->copy(to, from, bytes) : ttSuccess;
}

ttError_t ttMemcpyAsync(void *to, const void *from, size_t bytes, ttMemcpyKind kind, ttStream_t stream) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkKind(kind))
    return error;
  return bytes ? device->copyAsync(to, from, bytes, stream) : ttSuccess;
}

ttError_t ttMemset(void *pointer, int byte, size_t bytes) {
  CURRENT_DEVICE(device);
  return bytes ? device->set(pointer, byte, bytes) : ttSuccess;
}

ttError_t ttMemsetAsync(void *pointer, int byte, size_t bytes, ttStream_t stream) {
  CURRENT_DEVICE(device);
  return bytes ? device->setAsync(pointer, byte, bytes, stream) : ttSuccess;
}
