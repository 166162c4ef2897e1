/*===-- tilecc/runtime_memory.h - managed memory, pools, rows, peers -------------------------------------------*- C -*-
 *
 * Memory beyond ttMalloc and ttMemcpy. Part of <tilecc/runtime.h>, which includes it. The shapes and numbers are
 * CUDA's.
 *
 * On the CPU device and the emulator all operations have completed on return. Stream-ordered allocation allocates at
 * once. Prefetches and advice check their arguments and have no effect.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_MEMORY_H
#define TILECC_RUNTIME_MEMORY_H

#include <tilecc/detail/push_macros.h>

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Managed memory --------------------------------------------------------------------------------------------===*/

/* Allocates memory that has one address for host and devices, and whose pages move to the processor that uses them.
 * Free it with ttFree. While a GPU works, the host must not access memory that its kernels use, unless the GPU permits
 * it (concurrentManagedAccess). */
ttError_t ttMallocManaged(void **pointer, size_t bytes);

/* Moves pages of managed memory to a device, in the stream's order. */
ttError_t ttMemPrefetchAsync(const void *pointer, size_t bytes, int device, ttStream_t stream);

typedef enum ttMemoryAdvise {
  ttMemAdviseSetReadMostly = 1, /* each device that reads gets a copy of its own; the device is ignored */
  ttMemAdviseUnsetReadMostly = 2,
  ttMemAdviseSetPreferredLocation = 3,
  ttMemAdviseUnsetPreferredLocation = 4,
  ttMemAdviseSetAccessedBy = 5, /* mapped there, so that it need not be moved */
  ttMemAdviseUnsetAccessedBy = 6
} ttMemoryAdvise;
ttError_t ttMemAdvise(const void *pointer, size_t bytes, ttMemoryAdvise advice, int device);

/*===-- Host memory of the program's own --------------------------------------------------------------------------===*/

/* Page-locks memory of the program until ttHostUnregister, so that its copies overlap with kernels. */
ttError_t ttHostRegister(void *pointer, size_t bytes);
ttError_t ttHostUnregister(void *pointer);

/*===-- What a pointer is -----------------------------------------------------------------------------------------===*/

typedef enum ttMemoryType {
  ttMemoryTypeUnregistered = 0, /* host memory that neither this runtime nor CUDA allocated or registered */
  ttMemoryTypeHost = 1, /* page-locked: ttMallocHost, ttHostRegister */
  ttMemoryTypeDevice = 2,
  ttMemoryTypeManaged = 3
} ttMemoryType;

typedef struct ttPointerAttributes {
  ttMemoryType type;
  int device; /* that the memory belongs to; the CPU for host memory */
  void *devicePointer; /* the address for kernels, or null */
  void *hostPointer; /* the address for the host, or null */
  void *blockBegin; /* the allocated or registered block that contains it; null if not known */
  size_t blockBytes;
} ttPointerAttributes;

/* Describes a pointer, which may be any address inside an allocation. An unknown address has the type Unregistered;
 * this is not an error. */
ttError_t ttPointerGetAttributes(ttPointerAttributes *attributes, const void *pointer);

/*===-- Rows: copies of 2-D tiles ---------------------------------------------------------------------------------===*/

/* Allocates memory for `height` rows of `width` bytes, *pitch bytes apart; the pitch is one that suits the device. Free
 * it with ttFree. */
ttError_t ttMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);

/* Copies `height` rows of `width` bytes. A pitch is the distance from row to row and is at least the width. */
ttError_t ttMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                     ttMemcpyKind kind);
ttError_t ttMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                          ttMemcpyKind kind, ttStream_t stream);
ttError_t ttMemset2D(void *pointer, size_t pitch, int byte, size_t width, size_t height);
ttError_t ttMemset2DAsync(void *pointer, size_t pitch, int byte, size_t width, size_t height, ttStream_t stream);

/*===-- Allocation in a stream's order ----------------------------------------------------------------------------===*/

typedef struct CUmemPoolHandle_st *ttMemPool_t; /* CUDA's own: cudaMemPool_t, CUmemoryPool */

/* Allocates memory from the current device's pool, for later work in the stream and for work that waits for it. It is
 * released when the stream reaches ttFreeAsync. (ttFree releases it, too, and waits.) No call here waits for the
 * device. */
ttError_t ttMallocAsync(void **pointer, size_t bytes, ttStream_t stream);
ttError_t ttMallocFromPoolAsync(void **pointer, size_t bytes, ttMemPool_t pool, ttStream_t stream);
ttError_t ttFreeAsync(void *pointer, ttStream_t stream);

/* Creates a pool of a device's memory, which the caller owns until it is destroyed; its allocations outlive it. Every
 * device always has a default pool. ttDeviceSetMemPool selects the pool that ttMallocAsync uses. */
ttError_t ttMemPoolCreate(ttMemPool_t *pool, int device);
ttError_t ttMemPoolDestroy(ttMemPool_t pool);
ttError_t ttDeviceGetDefaultMemPool(ttMemPool_t *pool, int device);
ttError_t ttDeviceGetMemPool(ttMemPool_t *pool, int device);
ttError_t ttDeviceSetMemPool(int device, ttMemPool_t pool);

/* Returns unused memory to the system until at most `bytes` are kept. */
ttError_t ttMemPoolTrimTo(ttMemPool_t pool, size_t bytes);

typedef enum ttMemPoolAttr {
  ttMemPoolAttrReleaseThreshold = 4, /* bytes that are kept across synchronizations; 0 by default. The CPU device
                                      * and the emulator give everything back at once */
  ttMemPoolAttrReservedMemCurrent = 5, /* bytes taken from the system */
  ttMemPoolAttrReservedMemHigh = 6, /* the most of them; setting it to 0 starts over */
  ttMemPoolAttrUsedMemCurrent = 7, /* bytes allocated */
  ttMemPoolAttrUsedMemHigh = 8
} ttMemPoolAttr;
ttError_t ttMemPoolSetAttribute(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long value);
ttError_t ttMemPoolGetAttribute(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long *value);

/*===-- Several devices -------------------------------------------------------------------------------------------===*/

/* Sets *can to 1 if kernels on `device` can access memory of `peer`, otherwise to 0. */
ttError_t ttDeviceCanAccessPeer(int *can, int device, int peer);
/* Lets kernels on the current device access memory of `peer`, in this direction only, until disabled. */
ttError_t ttDeviceEnablePeerAccess(int peer);
ttError_t ttDeviceDisablePeerAccess(int peer);
/* Copies from one device's memory to another's, through the host if there is no peer access. The first form is
 * ordered in the default stream. */
ttError_t ttMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes);
ttError_t ttMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes, ttStream_t stream);

#ifdef __cplusplus
} /* extern "C" */
#endif

#include <tilecc/detail/pop_macros.h>

#endif /* TILECC_RUNTIME_MEMORY_H */
