//===-- HostMemory.cpp - DeviceMemory of devices that run on the host ------------------------------------------===//
//
// Copies in a stream that is being captured become nodes of its graph (HostGraph.h); all other copies execute at once.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "HostMemory.h"
#include "Device.h"
#include "Error.h"
#include "HostCapture.h"
#include "HostStreams.h"

using namespace tilecc::rt;

// These functions are called through the current device's table, so there is a current device. Functions that free
// memory are the exception.
static const DeviceKind &current() { return *currentDevice(); }

#define REFUSE_WHILE_CAPTURING(call)                                                                                   \
  do {                                                                                                                 \
    if (ttError_t error_ = refuseWhileCapturing(call))                                                                 \
      return error_;                                                                                                   \
  } while (0)

//===-- Allocation ------------------------------------------------------------------------------------------------===//

static ttError_t remember(const DeviceKind &device, void **pointer, size_t bytes, ttMemoryType type) {
  if (addBlock({*pointer, bytes, device.kind, type, /*registered=*/false, nullptr}))
    return ttSuccess;
  if (type == ttMemoryTypeDevice)
    device.host->release(*pointer);
  else
    device.host->releaseHost(*pointer);
  *pointer = nullptr;
  return fail(ttErrorMemoryAllocation, "not enough memory for %zu bytes on %s", bytes, device.name);
}

static ttError_t allocate(void **pointer, size_t bytes) {
  const DeviceKind &device = current();
  REFUSE_WHILE_CAPTURING("ttMalloc");
  ttError_t error = device.host->allocate(pointer, bytes);
  return error ? error : remember(device, pointer, bytes, ttMemoryTypeDevice);
}

static ttError_t allocateHostMemory(void **pointer, size_t bytes, ttMemoryType type) {
  const DeviceKind &device = current();
  ttError_t error = device.host->allocateHost(pointer, bytes);
  return error ? error : remember(device, pointer, bytes, type);
}
static ttError_t allocateHost(void **pointer, size_t bytes) {
  REFUSE_WHILE_CAPTURING("ttMallocHost");
  return allocateHostMemory(pointer, bytes, ttMemoryTypeHost);
}
static ttError_t allocateManaged(void **pointer, size_t bytes) {
  REFUSE_WHILE_CAPTURING("ttMallocManaged");
  return allocateHostMemory(pointer, bytes, ttMemoryTypeManaged);
}

static ttError_t allocateRows(void **pointer, size_t *pitch, size_t width, size_t height) {
  constexpr size_t alignment = 256;
  size_t bytes;
  *pitch = (width + alignment - 1) / alignment * alignment;
  if (*pitch < width || __builtin_mul_overflow(*pitch, height, &bytes))
    return fail(ttErrorMemoryAllocation, "not enough memory for %zu rows of %zu bytes", height, width);
  return allocate(pointer, bytes);
}

// Releases memory that takeBlock() has removed.
static ttError_t release(const DeviceKind &device, const HostBlock &block) {
  if (block.pool)
    leavePool(*block.pool, block.bytes);
  return block.type == ttMemoryTypeDevice ? device.host->release(block.memory) : device.host->releaseHost(block.memory);
}

static const DeviceKind *kindOf(ttDeviceKind wanted) {
  for (const DeviceKind *kind : deviceKinds)
    if (kind->kind == wanted)
      return kind;
  return hostDevice;
}

// Memory that is not in the table may belong to another copy of the runtime.
static ttError_t freeMemory(void *pointer) {
  const Devices *all = devices();
  const DeviceKind &device = all && all->gpus ? *all->gpus : *hostDevice;
  HostBlock block;
  if (takeBlock(
          pointer, [](const HostBlock &block) { return !block.registered && block.type != ttMemoryTypeHost; }, &block))
    return release(*kindOf(block.device), block);
  if (&device == hostDevice)
    return fail(ttErrorInvalidValue, "ttFree: %p is not memory of ttMalloc, or it has been freed", pointer);
  return device.host->release(pointer);
}

static ttError_t freeHost(void *pointer) {
  HostBlock block;
  if (takeBlock(
          pointer, [](const HostBlock &block) { return !block.registered && block.type == ttMemoryTypeHost; }, &block))
    return release(*kindOf(block.device), block);
  const DeviceKind &device = current();
  if (&device == hostDevice)
    return fail(ttErrorInvalidValue, "ttFreeHost: %p is not memory of ttMallocHost", pointer);
  return device.host->releaseHost(pointer);
}

static bool freeIfOwn(void *pointer) {
  HostBlock block;
  auto isOwn = [](const HostBlock &block) { return block.device == hostDevice->kind && !block.registered; };
  return takeBlock(pointer, isOwn, &block) && !release(*hostDevice, block);
}

static ttError_t registerHost(void *pointer, size_t bytes) {
  const DeviceKind &device = current();
  HostBlock block;
  if (!pointer || (device.kind != hostDevice->kind))
    return fail(ttErrorNotSupported,
                "ttHostRegister: kernels on %s can access no host memory except that of ttMallocHost", device.name);
  if (findBlock(pointer, device.kind, &block) && block.type != ttMemoryTypeDevice)
    return fail(ttErrorHostMemoryAlreadyRegistered, "ttHostRegister: %p is registered already", pointer);
  if (addBlock({pointer, bytes, device.kind, ttMemoryTypeHost, /*registered=*/true, nullptr}))
    return ttSuccess;
  return fail(ttErrorMemoryAllocation, "ttHostRegister: not enough memory");
}

static ttError_t unregisterHost(void *pointer) {
  HostBlock block;
  if (takeBlock(pointer, [](const HostBlock &block) { return block.registered; }, &block))
    return ttSuccess;
  return fail(ttErrorHostMemoryNotRegistered, "ttHostUnregister: %p was not registered with ttHostRegister", pointer);
}

static ttError_t info(size_t *freeBytes, size_t *totalBytes) { return current().host->info(freeBytes, totalBytes); }

static ttError_t attributes(ttPointerAttributes &attributes, const void *pointer) {
  const DeviceKind &device = current();
  auto *address = const_cast<void *>(pointer);
  bool isHost = device.kind == hostDevice->kind;
  HostBlock block;
  if (!findBlock(pointer, device.kind, &block)) {
    attributes.hostPointer = address;
    attributes.devicePointer = isHost ? address : nullptr;
    return ttSuccess;
  }
  attributes.type = block.type;
  attributes.blockBegin = block.memory;
  attributes.blockBytes = block.bytes;
  if (block.type != ttMemoryTypeHost)
    if (ttError_t error = device.ordinal(&attributes.device))
      return error;
  attributes.devicePointer = address;
  attributes.hostPointer = isHost || block.type != ttMemoryTypeDevice ? address : nullptr;
  return ttSuccess;
}

//===-- Copies ----------------------------------------------------------------------------------------------------===//

namespace {
struct CopyRows {
  const HostPrimitives *device;
  RowCopy rows;
  ttError_t run() const {
    for (size_t row = 0; row < rows.height; ++row)
      if (ttError_t error = device->copy(static_cast<char *>(rows.to) + row * rows.toPitch,
                                         static_cast<const char *>(rows.from) + row * rows.fromPitch, rows.width))
        return error;
    return ttSuccess;
  }
};

struct SetRows {
  const HostPrimitives *device;
  RowSet rows;
  ttError_t run() const {
    for (size_t row = 0; row < rows.height; ++row)
      if (ttError_t error = device->set(static_cast<char *>(rows.to) + row * rows.pitch, rows.byte, rows.width))
        return error;
    return ttSuccess;
  }
};
} // namespace

static ttError_t copy(void *to, const void *from, size_t bytes) {
  REFUSE_WHILE_CAPTURING("ttMemcpy");
  return HostCopy{current().host, to, from, bytes}.run();
}
static ttError_t set(void *pointer, int byte, size_t bytes) {
  REFUSE_WHILE_CAPTURING("ttMemset");
  return HostSet{current().host, pointer, byte, bytes}.run();
}
static ttError_t copyRows(const RowCopy &rows) {
  REFUSE_WHILE_CAPTURING("ttMemcpy2D");
  return CopyRows{current().host, rows}.run();
}
static ttError_t setRows(const RowSet &rows) {
  REFUSE_WHILE_CAPTURING("ttMemset2D");
  return SetRows{current().host, rows}.run();
}
static ttError_t copyAsync(void *to, const void *from, size_t bytes, ttStream_t stream) {
  return runOrCapture(stream, HostCopy{current().host, to, from, bytes});
}
static ttError_t setAsync(void *pointer, int byte, size_t bytes, ttStream_t stream) {
  return runOrCapture(stream, HostSet{current().host, pointer, byte, bytes});
}
static ttError_t copyRowsAsync(const RowCopy &rows, ttStream_t stream) {
  return runOrCapture(stream, CopyRows{current().host, rows});
}
static ttError_t setRowsAsync(const RowSet &rows, ttStream_t stream) {
  return runOrCapture(stream, SetRows{current().host, rows});
}

//===-- Managed memory --------------------------------------------------------------------------------------------===//

static ttError_t checkManaged(const char *call, const void *pointer, size_t bytes) {
  HostBlock block;
  if (findBlock(pointer, current().kind, &block) && block.type == ttMemoryTypeManaged &&
      bytes <= block.bytes - (static_cast<const char *>(pointer) - static_cast<char *>(block.memory)))
    return ttSuccess;
  return fail(ttErrorInvalidValue, "%s: the %zu bytes at %p are not managed memory", call, bytes, pointer);
}

static ttError_t prefetch(const void *pointer, size_t bytes, int, ttStream_t stream) {
  if (ttError_t error = checkHostStream(stream))
    return error;
  return checkManaged("ttMemPrefetchAsync", pointer, bytes);
}

static ttError_t advise(const void *pointer, size_t bytes, ttMemoryAdvise, int) {
  return checkManaged("ttMemAdvise", pointer, bytes);
}

//===-- Peers: this kind has only one device ----------------------------------------------------------------------===//

static ttError_t noPeer(int) { return fail(ttErrorPeerAccessUnsupported, "%s has no peers", current().name); }
static ttError_t cannotAccess(int *can, int, int) {
  *can = 0;
  return ttSuccess;
}

constinit const DeviceMemory tilecc::rt::hostMemory = {
    .allocate = allocate,
    .allocateHost = allocateHost,
    .allocateManaged = allocateManaged,
    .allocateRows = allocateRows,
    .free = freeMemory,
    .freeHost = freeHost,
    .freeIfOwn = freeIfOwn,
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
    .allocateAsync = hostAllocateAsync,
    .freeAsync = hostFreeAsync,
    .poolCreate = hostPoolCreate,
    .poolDestroy = hostPoolDestroy,
    .poolDefault = hostPoolDefault,
    .poolOf = hostPoolOf,
    .poolUse = hostPoolUse,
    .poolTrim = hostPoolTrim,
    .poolSet = hostPoolSet,
    .poolGet = hostPoolGet,
    .canAccessPeer = cannotAccess,
    .enablePeer = noPeer,
    .disablePeer = noPeer,
};
