//===-- Memory.cpp - the public calls for memory ---------------------------------------------------------------===//
//
// Each forwards to the current device.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "Watch.h"
#include "cpu/CpuChecks.h"

using namespace tilecc::rt;

ttError_t ttMalloc(void **pointer, size_t bytes) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  return bytes ? device->memory->allocate(pointer, bytes) : ttSuccess;
}

ttError_t ttFree(void *pointer) {
  if (!pointer || hostDevice->memory->freeIfOwn(pointer))
    return ttSuccess;
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  return (all->gpus ? all->gpus : hostDevice)->memory->free(pointer);
}

ttError_t ttMallocHost(void **pointer, size_t bytes) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  return bytes ? device->memory->allocateHost(pointer, bytes) : ttSuccess;
}

ttError_t ttFreeHost(void *pointer) {
  if (!pointer || hostDevice->memory->freeIfOwn(pointer))
    return ttSuccess;
  CURRENT_DEVICE(device);
  return device->memory->freeHost(pointer);
}

ttError_t ttHostRegister(void *pointer, size_t bytes) {
  CURRENT_DEVICE(device);
  return bytes ? device->memory->registerHost(pointer, bytes) : ttSuccess;
}

ttError_t ttHostUnregister(void *pointer) {
  CURRENT_DEVICE(device);
  return device->memory->unregisterHost(pointer);
}

ttError_t ttPointerGetAttributes(ttPointerAttributes *attributes, const void *pointer) {
  CURRENT_DEVICE(device);
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  *attributes = {ttMemoryTypeUnregistered, all->gpuCount, nullptr, nullptr, nullptr, 0};
  return device->memory->attributes(*attributes, pointer);
}

ttError_t ttMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  CURRENT_DEVICE(device);
  return device->memory->info(freeBytes, totalBytes);
}

ttError_t tilecc::rt::checkKind(ttMemcpyKind kind) {
  if (kind >= ttMemcpyHostToHost && kind <= ttMemcpyDefault)
    return ttSuccess;
  return fail(ttErrorInvalidMemcpyDirection, "%d is not a copy direction (ttMemcpyKind)", static_cast<int>(kind));
}

// With TILECC_CPU_CHECKS, checks that a copy on the CPU device goes in the stated direction, as a GPU requires.
static ttError_t checkDirection(const DeviceKind &device, const void *to, const void *from, ttMemcpyKind kind) {
  if (&device != hostDevice || kind == ttMemcpyDefault || !checksCpuMemory())
    return ttSuccess;
  auto check = [&](const char *what, const void *pointer, bool isDevice) {
    ttPointerAttributes known = {};
    if (ttError_t error = device.memory->attributes(known, pointer))
      return error;
    if (known.type == ttMemoryTypeManaged || isDevice == (known.type == ttMemoryTypeDevice))
      return ttSuccess;
    return fail(ttErrorInvalidMemcpyDirection,
                "ttMemcpy: the direction requires the %s to be memory of the %s, but %p is not", what,
                isDevice ? "device" : "host", pointer);
  };
  if (ttError_t error = check("destination", to, kind == ttMemcpyHostToDevice || kind == ttMemcpyDeviceToDevice))
    return error;
  return check("source", from, kind == ttMemcpyDeviceToHost || kind == ttMemcpyDeviceToDevice);
}

ttError_t ttMemcpy(void *to, const void *from, size_t bytes, ttMemcpyKind kind) {
  if (ttError_t lost = takeLostLaunch())
    return lost;
  CURRENT_DEVICE(device);
  if (ttError_t error = checkKind(kind))
    return error;
  if (ttError_t error = bytes ? checkDirection(*device, to, from, kind) : ttSuccess)
    return error;
  return bytes ? watchCopy(*device, WatchedWork::onHost, "ttMemcpy", bytes, nullptr,
                           [&] { return device->memory->copy(to, from, bytes); })
               : ttSuccess;
}

ttError_t ttMemcpyAsync(void *to, const void *from, size_t bytes, ttMemcpyKind kind, ttStream_t stream) {
  if (ttError_t lost = takeLostLaunch())
    return lost;
  CURRENT_DEVICE(device);
  if (ttError_t error = checkKind(kind))
    return error;
  if (ttError_t error = bytes ? checkDirection(*device, to, from, kind) : ttSuccess)
    return error;
  return bytes ? watchCopy(*device, WatchedWork::inStream, "ttMemcpyAsync", bytes, stream,
                           [&] { return device->memory->copyAsync(to, from, bytes, stream); })
               : ttSuccess;
}

ttError_t ttMemset(void *pointer, int byte, size_t bytes) {
  CURRENT_DEVICE(device);
  return bytes ? watchCopy(*device, WatchedWork::onHost, "ttMemset", bytes, nullptr,
                           [&] { return device->memory->set(pointer, byte, bytes); })
               : ttSuccess;
}

ttError_t ttMemsetAsync(void *pointer, int byte, size_t bytes, ttStream_t stream) {
  CURRENT_DEVICE(device);
  return bytes ? watchCopy(*device, WatchedWork::inStream, "ttMemsetAsync", bytes, stream,
                           [&] { return device->memory->setAsync(pointer, byte, bytes, stream); })
               : ttSuccess;
}

//===-- Rows ------------------------------------------------------------------------------------------------------===//

ttError_t ttMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  *pitch = 0;
  return width && height ? device->memory->allocateRows(pointer, pitch, width, height) : ttSuccess;
}

static ttError_t checkPitch(const char *what, size_t pitch, size_t width) {
  if (pitch >= width)
    return ttSuccess;
  return fail(ttErrorInvalidPitchValue, "rows of %zu bytes cannot be %zu bytes apart (the pitch of the %s)", width,
              pitch, what);
}

static ttError_t checkRows(size_t toPitch, size_t fromPitch, size_t width, ttMemcpyKind kind) {
  if (ttError_t error = checkKind(kind))
    return error;
  if (ttError_t error = checkPitch("destination", toPitch, width))
    return error;
  return checkPitch("source", fromPitch, width);
}

ttError_t ttMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                     ttMemcpyKind kind) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkRows(toPitch, fromPitch, width, kind))
    return error;
  return width && height
             ? watchCopy(*device, WatchedWork::onHost, "ttMemcpy2D", width * height, nullptr,
                         [&] { return device->memory->copyRows({to, toPitch, from, fromPitch, width, height}); })
             : ttSuccess;
}

ttError_t ttMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                          ttMemcpyKind kind, ttStream_t stream) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkRows(toPitch, fromPitch, width, kind))
    return error;
  return width && height
             ? watchCopy(
                   *device, WatchedWork::inStream, "ttMemcpy2DAsync", width * height, stream,
                   [&] { return device->memory->copyRowsAsync({to, toPitch, from, fromPitch, width, height}, stream); })
             : ttSuccess;
}

ttError_t ttMemset2D(void *pointer, size_t pitch, int byte, size_t width, size_t height) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkPitch("destination", pitch, width))
    return error;
  return width && height ? device->memory->setRows({pointer, pitch, byte, width, height}) : ttSuccess;
}

ttError_t ttMemset2DAsync(void *pointer, size_t pitch, int byte, size_t width, size_t height, ttStream_t stream) {
  CURRENT_DEVICE(device);
  if (ttError_t error = checkPitch("destination", pitch, width))
    return error;
  return width && height ? device->memory->setRowsAsync({pointer, pitch, byte, width, height}, stream) : ttSuccess;
}
