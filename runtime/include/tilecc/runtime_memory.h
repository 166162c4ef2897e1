/*===-- tilecc/runtime_memory.h - managed memory, pools, rows, peers --------------------------------------------*- C -*-
 *
 * What goes beyond ttMalloc and ttMemcpy. Part of <tilecc/runtime.h>, which includes it. The shapes and numbers are
 *CUDA's.
 *
 * On the CPU device and the emulator all is done on return: allocation in a stream's order is allocation now, and
 * prefetches and advice, which change nothing but speed, are checked and change nothing.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_MEMORY_H
#define TILECC_RUNTIME_MEMORY_H

#include <tilecc/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Managed memory --------------------------------------------------------------------------------------------===*/

/* Memory at one address for host and devices, which move its pages to where they are used. Freed by ttFree. While a GPU
 * works, the host must not touch what its kernels use, unless the GPU says otherwise (concurrentManagedAccess). */
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

/*===-- Host memory of the program's own ----------------------------------------------------------------------------===*/

/* Page-locks memory that the program has, so that copies of it run beside kernels, until ttHostUnregister. */
ttError_t ttHostRegister(void *pointer, size_t bytes);
ttError_t ttHostUnregister(void *pointer);

/*===-- What a pointer is -------------------------------------------------------------------------------------------===*/

typedef enum ttMemoryType {
  ttMemoryTypeUnregistered = 0, /* memory of the host that no call here or of CUDA's made */
  ttMemoryTypeHost = 1,         /* page-locked: ttMallocHost, ttHostRegister */
  ttMemoryTypeDevice = 2,
  ttMemoryTypeManaged = 3
} ttMemoryType;

typedef struct ttPointerAttributes {
  ttMemoryType type;
  int device;          /* that it belongs to; of memory of the host, the CPU */
  void *devicePointer; /* the address for kernels, or null */
  void *hostPointer;   /* the address for the host, or null */
  void *blockBegin;    /* the block that it is in, as it was allocated or registered; null where that is not known */
  size_t blockBytes;
} ttPointerAttributes;

/* Of an address in a block, too. An address that nobody knows is Unregistered, which is no error. */
ttError_t ttPointerGetAttributes(ttPointerAttributes *attributes, const void *pointer);

/*===-- Rows: copies of 2-D tiles -----------------------------------------------------------------------------------===*/

/* Memory for `height` rows of `width` bytes, *pitch bytes apart, as the device likes them. Freed by ttFree. */
ttError_t ttMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);

/* Copies `height` rows of `width` bytes; the pitches, at least the width, are the distances from row to row. */
ttError_t ttMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                     ttMemcpyKind kind);
ttError_t ttMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                          ttMemcpyKind kind, ttStream_t stream);
ttError_t ttMemset2D(void *pointer, size_t pitch, int byte, size_t width, size_t height);
ttError_t ttMemset2DAsync(void *pointer, size_t pitch, int byte, size_t width, size_t height, ttStream_t stream);

/*===-- Allocation in a stream's order ------------------------------------------------------------------------------===*/

typedef struct CUmemPoolHandle_st *ttMemPool_t; /* CUDA's own: cudaMemPool_t, CUmemoryPool */

/* Memory from the current device's pool, for work behind this in the stream and for what waits for it; it is given back
 * when the stream has come to ttFreeAsync (ttFree does, too, and waits). No call here waits for the device. */
ttError_t ttMallocAsync(void **pointer, size_t bytes, ttStream_t stream);
ttError_t ttMallocFromPoolAsync(void **pointer, size_t bytes, ttMemPool_t pool, ttStream_t stream);
ttError_t ttFreeAsync(void *pointer, ttStream_t stream);

/* A pool of a device's memory, the caller's until destroyed; what is allocated from it lives on. Every device has one
 * always, its default. Which one ttMallocAsync takes is ttDeviceSetMemPool's to say. */
ttError_t ttMemPoolCreate(ttMemPool_t *pool, int device);
ttError_t ttMemPoolDestroy(ttMemPool_t pool);
ttError_t ttDeviceGetDefaultMemPool(ttMemPool_t *pool, int device);
ttError_t ttDeviceGetMemPool(ttMemPool_t *pool, int device);
ttError_t ttDeviceSetMemPool(int device, ttMemPool_t pool);

/* Gives memory that is not in use back to the system until at most `bytes` are kept. */
ttError_t ttMemPoolTrimTo(ttMemPool_t pool, size_t bytes);

typedef enum ttMemPoolAttr {
  ttMemPoolAttrReleaseThreshold = 4, /* bytes that are kept when the device is waited for; 0 unless set. The CPU device
                                      * and the emulator give everything back at once */
  ttMemPoolAttrReservedMemCurrent = 5, /* bytes taken from the system */
  ttMemPoolAttrReservedMemHigh = 6, /* the most of them; setting it to 0 starts over */
  ttMemPoolAttrUsedMemCurrent = 7, /* bytes allocated */
  ttMemPoolAttrUsedMemHigh = 8
} ttMemPoolAttr;
ttError_t ttMemPoolSetAttribute(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long value);
ttError_t ttMemPoolGetAttribute(ttMemPool_t pool, ttMemPoolAttr attribute, unsigned long long *value);

/*===-- Several devices ---------------------------------------------------------------------------------------------===*/

/* Whether kernels of `device` can follow addresses of `peer`'s memory. */
ttError_t ttDeviceCanAccessPeer(int *can, int device, int peer);
/* Lets kernels of the current device do so; one way, until disabled. */
ttError_t ttDeviceEnablePeerAccess(int peer);
ttError_t ttDeviceDisablePeerAccess(int peer);
/* Copies from one device's memory to another's, through the host where there is no peer access. The first form is in
 * the order of the default stream. */
ttError_t ttMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes);
ttError_t ttMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t bytes, ttStream_t stream);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* TILECC_RUNTIME_MEMORY_H */
