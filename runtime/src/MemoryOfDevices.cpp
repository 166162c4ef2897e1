//===-- MemoryOfDevices.cpp - the public calls for memory that name devices ------------------------------------===//
//
// Managed memory, pools and peers. A device that is not of the current kind is the host, whose memory every kind of
// device can handle.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"
#include "HostStreams.h"

using namespace tilecc::rt;

// Returns DeviceMemory's number of a device: a GPU's, or deviceIsHost.
static ttError_t resolveDevice(int number, int *device) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  *device = number == ttCpuDeviceId || number == all->gpuCount ? static_cast<int>(deviceIsHost) : number;
  if (*device >= deviceIsHost && *device < all->gpuCount)
    return ttSuccess;
  return fail(ttErrorInvalidDevice, "there is no device %d: devices are 0 to %d, the last one the CPU", number,
              all->gpuCount);
}

// Returns the error from the enclosing function if there is no such device.
#define DEVICE_NUMBER(device, number)                                                                                  \
  int device;                                                                                                          \
  if (ttError_t error_ = resolveDevice(number, &device))                                                               \
  return error_

// The memory functions of a device's kind.
static const DeviceMemory &memoryOf(int device) {
  return *(device == deviceIsHost ? hostDevice : devices()->gpus)->memory;
}

//===-- Managed memory --------------------------------------------------------------------------------------------===//

ttError_t ttMallocManaged(void **pointer, size_t bytes) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  return bytes ? device->memory->allocateManaged(pointer, bytes) : ttSuccess;
}

ttError_t ttMemPrefetchAsync(const void *pointer, size_t bytes, int number, ttStream_t stream) {
  CURRENT_DEVICE(current);
  DEVICE_NUMBER(device, number);
  return current->memory->prefetch(pointer, bytes, device, stream);
}

ttError_t ttMemAdvise(const void *pointer, size_t bytes, ttMemoryAdvise advice, int number) {
  CURRENT_DEVICE(current);
  DEVICE_NUMBER(device, number);
  if (advice < ttMemAdviseSetReadMostly || advice > ttMemAdviseUnsetAccessedBy)
    return fail(ttErrorInvalidValue, "ttMemAdvise: there is no advice %d", static_cast<int>(advice));
  return current->memory->advise(pointer, bytes, advice, device);
}

//===-- Pools -----------------------------------------------------------------------------------------------------===//

ttError_t ttMallocAsync(void **pointer, size_t bytes, ttStream_t stream) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  return bytes ? device->memory->allocateAsync(pointer, bytes, nullptr, stream) : ttSuccess;
}

ttError_t ttMallocFromPoolAsync(void **pointer, size_t bytes, ttMemPool_t pool, ttStream_t stream) {
  CURRENT_DEVICE(device);
  *pointer = nullptr;
  if (!pool)
    return fail(ttErrorInvalidValue, "ttMallocFromPoolAsync: the pool is null");
  return bytes ? device->memory->allocateAsync(pointer, bytes, pool, stream) : ttSuccess;
}

ttError_t ttFreeAsync(void *pointer, ttStream_t stream) {
  CURRENT_DEVICE(device);
  return pointer ? device->memory->freeAsync(pointer, stream) : ttSuccess;
}

ttError_t ttMemPoolCreate(ttMemPool_t *pool, int number) {
  DEVICE_NUMBER(device, number);
  return memoryOf(device).poolCreate(pool, device);
}

ttError_t ttDeviceGetDefaultMemPool(ttMemPool_t *pool, int number) {
  DEVICE_NUMBER(device, number);
  return memoryOf(device).poolDefault(pool, device);
}

ttError_t ttDeviceGetMemPool(ttMemPool_t *pool, int number) {
  DEVICE_NUMBER(device, number);
  return memoryOf(device).poolOf(pool, device);
}

ttError_t ttDeviceSetMemPool(int number, ttMemPool_t pool) {
  DEVICE_NUMBER(device, number);
  return memoryOf(device).poolUse(device, pool);
}

// The handle identifies the kind: the host's are tagged (HostStreams.h), and every table accepts those.
static const DeviceMemory *memoryOf(ttMemPool_t pool) {
  const Devices *all = devices();
  if (!all)
    return nullptr;
  return isHostHandle(pool) || !all->gpus ? hostDevice->memory : all->gpus->memory;
}

ttError_t ttMemPoolDestroy(ttMemPool_t pool) {
  const DeviceMemory *memory = memoryOf(pool);
  return memory ? memory->poolDestroy(pool) : ttPeekAtLastError();
}

ttError_t ttMemPoolTrimTo(ttMemPool_t pool, size_t bytes) {
  const DeviceMemory *memory = memoryOf(pool);
  return memory ? memory->poolTrim(pool, bytes) : ttPeekAtLastError();
}

ttError_t ttMemPoolSetAttribute(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long value) {
  const DeviceMemory *memory = memoryOf(pool);
  return memory ? memory->poolSet(pool, attribute, value) : ttPeekAtLastError();
}

ttError_t ttMemPoolGetAttribute(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long *value) {
  const DeviceMemory *memory = memoryOf(pool);
  return memory ? memory->poolGet(pool, attribute, value) : ttPeekAtLastError();
}

//===-- Peers -----------------------------------------------------------------------------------------------------===//

// The CPU's memory is host memory, which kernels of other devices can access if it is page-locked. The CPU is therefore
// not a peer in CUDA's sense.
ttError_t ttDeviceCanAccessPeer(int *can, int number, int peerNumber) {
  DEVICE_NUMBER(device, number);
  DEVICE_NUMBER(peer, peerNumber);
  *can = 0;
  if (device == peer || device == deviceIsHost || peer == deviceIsHost)
    return ttSuccess;
  return memoryOf(device).canAccessPeer(can, device, peer);
}

static ttError_t checkPeer(const DeviceKind &current, const char *call, int peer) {
  int device;
  if (ttError_t error = ttGetDevice(&device))
    return error;
  if (&current != hostDevice && peer != deviceIsHost && peer != device)
    return ttSuccess;
  return fail(ttErrorInvalidDevice, "%s: the current device and the peer must be two GPUs", call);
}

ttError_t ttDeviceEnablePeerAccess(int peerNumber) {
  CURRENT_DEVICE(current);
  DEVICE_NUMBER(peer, peerNumber);
  ttError_t error = checkPeer(*current, "ttDeviceEnablePeerAccess", peer);
  return error ? error : current->memory->enablePeer(peer);
}

ttError_t ttDeviceDisablePeerAccess(int peerNumber) {
  CURRENT_DEVICE(current);
  DEVICE_NUMBER(peer, peerNumber);
  ttError_t error = checkPeer(*current, "ttDeviceDisablePeerAccess", peer);
  return error ? error : current->memory->disablePeer(peer);
}

// Addresses are unified and identify their memory. The device numbers are checked, and select the kind of device that
// copies.
static const DeviceMemory *memoryBetween(int toNumber, int fromNumber) {
  int to, from;
  if (resolveDevice(toNumber, &to) || resolveDevice(fromNumber, &from))
    return nullptr;
  return &memoryOf(to == deviceIsHost ? from : to);
}

ttError_t ttMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes) {
  const DeviceMemory *memory = memoryBetween(toDevice, fromDevice);
  if (!memory)
    return ttPeekAtLastError();
  return bytes ? memory->copy(to, from, bytes) : ttSuccess;
}

ttError_t ttMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes, ttStream_t stream) {
  CURRENT_DEVICE(current);
  if (!memoryBetween(toDevice, fromDevice))
    return ttPeekAtLastError();
  return bytes ? current->memory->copyAsync(to, from, bytes, stream) : ttSuccess;
}
