//===-- MemoryFunctions.h - memory functions of a kind of device -----------------------------------------------===//
//
// Each kind of device implements these functions; the public functions for memory forward to them.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_DEVICEMEMORY_H
#define TILECC_RUNTIME_DEVICEMEMORY_H

#include "Support.h"

namespace tilecc::rt {

// Copies `height` rows of `width` bytes. Both numbers are positive, and pitches are at least `width`.
struct RowCopy {
  void *to;
  size_t toPitch;
  const void *from;
  size_t fromPitch;
  size_t width, height;
};
struct RowSet {
  void *to;
  size_t pitch;
  int byte;
  size_t width, height;
};

// A part of DeviceKind, with the same rules. Device numbers are those of this kind, or deviceIsHost.
struct DeviceMemory {
  ttError_t (*allocate)(void **pointer, size_t bytes);     // bytes > 0, here and below
  ttError_t (*allocateHost)(void **pointer, size_t bytes);
  ttError_t (*allocateManaged)(void **pointer, size_t bytes);
  ttError_t (*allocateRows)(void **pointer, size_t *pitch, size_t width, size_t height);
  ttError_t (*free)(void *pointer); // the current device may be any device of this kind, or the CPU
  ttError_t (*freeHost)(void *pointer);
  bool (*freeIfOwn)(void *pointer); // only for the host; returns false, without an error, for memory of other devices
  ttError_t (*registerHost)(void *pointer, size_t bytes);
  ttError_t (*unregisterHost)(void *pointer);
  ttError_t (*info)(size_t *freeBytes, size_t *totalBytes);
  ttError_t (*attributes)(ttPointerAttributes &attributes, const void *pointer); // caller sets 0 and unregistered first

  ttError_t (*copy)(void *to, const void *from, size_t bytes);
  ttError_t (*copyAsync)(void *to, const void *from, size_t bytes, ttStream_t stream);
  ttError_t (*set)(void *pointer, int byte, size_t bytes);
  ttError_t (*setAsync)(void *pointer, int byte, size_t bytes, ttStream_t stream);
  ttError_t (*copyRows)(const RowCopy &rows);
  ttError_t (*copyRowsAsync)(const RowCopy &rows, ttStream_t stream);
  ttError_t (*setRows)(const RowSet &rows);
  ttError_t (*setRowsAsync)(const RowSet &rows, ttStream_t stream);

  ttError_t (*prefetch)(const void *pointer, size_t bytes, int device, ttStream_t stream);
  ttError_t (*advise)(const void *pointer, size_t bytes, ttMemoryAdvise advice, int device);

  ttError_t (*allocateAsync)(void **pointer, size_t bytes, ttMemPool_t pool, ttStream_t stream); // null: the default
  ttError_t (*freeAsync)(void *pointer, ttStream_t stream);
  ttError_t (*poolCreate)(ttMemPool_t *pool, int device);
  ttError_t (*poolDestroy)(ttMemPool_t pool);
  ttError_t (*poolDefault)(ttMemPool_t *pool, int device);
  ttError_t (*poolOf)(ttMemPool_t *pool, int device);
  ttError_t (*poolUse)(int device, ttMemPool_t pool);
  ttError_t (*poolTrim)(ttMemPool_t pool, size_t bytes);
  ttError_t (*poolSet)(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long value);
  ttError_t (*poolGet)(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long *value);

  // For these functions, `device` and `peer` are different GPUs of this kind.
  ttError_t (*canAccessPeer)(int *can, int device, int peer);
  ttError_t (*enablePeer)(int peer);
  ttError_t (*disablePeer)(int peer);
};

} // namespace tilecc::rt
#endif
