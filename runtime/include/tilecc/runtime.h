/*===-- tilecc/runtime.h - devices, memory, streams and launches -----------------------------------------------*- C -*-
 *
 * The public interface of libtilecc_rt, the run-time library of programs that tcc compiles. It has the shapes and the
 * error model of the CUDA runtime: `ttMalloc` is to this library what `cudaMalloc` is to CUDA's. In addition, the CPU
 * is a device like any other. C++ translation units also get the C++ layer in <tilecc/runtime_cxx.h> from here
 * (tt::device_buffer, tt::stream, tt::event, tt::launch).
 *
 * Devices. The GPUs come first (0, 1, ...), then the CPU. All GPUs of a process are from one vendor: NVIDIA if it has
 * any, else AMD. On a machine with both, the vendor for which the program has code is preferred. HIP is not opened if
 * the program has kernels but none of them has code for AMD's GPUs. A thread uses, in this order:
 *   1. the CPU, if the thread chose it with ttSetDevice;
 *   2. the GPU of the thread's current CUDA context, whoever made it current (cudaSetDevice, PyTorch, ttSetDevice);
 *   3. the default device, in its primary context, which then becomes current, as in the CUDA runtime.
 * HIP's current device counts as a context, but device 0 only if ttSetDevice selected it, because HIP makes it current
 * by itself. The default device is GPU 0. It is the CPU only if there is no driver or the driver reports no GPU; any
 * other failure of the driver is an error. TILECC_DEVICE=cuda or =hip selects the vendor, and TILECC_DEVICE=cuda:N or
 * =hip:N also selects another default device. With TILECC_DEVICE=cpu, the CPU is the only device and no driver is ever
 * opened. TILECC_NUM_THREADS sets the number of threads of the CPU device. Nothing is opened or started before the
 * first call that needs it.
 *
 * The emulator. With TILECC_DEVICE=emu:sm_90, the CPU emulates a GPU of that architecture. Device 0 runs the PTX
 * that the program carries, thread by thread, and checks it for errors (docs/emulator.md); the CPU is device 1, and
 * the CUDA driver is never opened. With TILECC_DEVICE=emu, each object's newest PTX runs. With
 * TILECC_DEVICE=emu:gfx942, device 0 runs the code for that AMD GPU instead. The loader finds the library,
 * libtilecc_emu or libtilecc_emu_amd, by LD_LIBRARY_PATH, the run path or the system's folders; TILECC_EMU_LIBRARY
 * names another file. These variables control it:
 *   TILECC_EMU_CHECKS=all             the default; or none, or some of memory,init,races
 *   TILECC_EMU_SCHEDULE=random        warps run in random order, on one thread; the default is fast
 *   TILECC_EMU_SEED=N                 replays a random schedule; without it every run has a new one
 *   TILECC_EMU_MAX_INSTRUCTIONS=N     a launch fails if its warps execute more instructions
 *   TILECC_EMU_PROFILE=file           counts for each instruction of each kernel, for tcc --emit=html --profile=file
 *   TILECC_NUM_THREADS=N              threads that run blocks, as on the CPU device
 * Errors in kernels are written to standard error when they happen.
 *
 * Errors. Every call returns a ttError_t; the values are CUDA's. The last failure of a thread is kept until
 * ttGetLastError returns it. ttGetLastErrorMessage describes it, with the names of the kernel, the device and the
 * images. ttErrorNotReady is not a failure and is not kept. A launch by `kernel<<<grid>>>(...)` reports through
 * ttGetLastError; if the thread has not called it since, its next copy or wait does nothing but return the error. As in
 * CUDA, a later call reports an error inside a kernel on a GPU. On the emulator, the next call that waits or copies
 * reports it, once, and the device continues to work (on a GPU every later call fails). On the CPU device the launch
 * fails after a failed assertion, after waiting for a program that has not begun and, in code compiled with
 * -fsanitize=tile, after an access outside its allocation. Any other error ends the process by its signal, after a
 * message with the names of the kernel and the program. On the CPU device these variables apply:
 *   TILECC_CPU_CHECKS=1               guards allocations: an access out of bounds, or after ttFree, is such an error
 *   TILECC_CPU_WAIT=10                seconds after which a launch fails if all its programs only wait; 0: never
 *
 * Threads. Every function may be called from any thread at any time, static constructors included, unless it says
 * otherwise. After fork(), the child has the CPU device and the emulator. It can use the GPUs if the parent had not
 * used them; otherwise its calls for GPUs fail with ttErrorInitializationError.
 *
 * Two copies. Each shared library that links the static libtilecc_rt.a has a copy of its own, which does not conflict
 * with others. Pointers, streams and events can be passed between copies, and so can the addresses of kernels:
 * tt::launch in a program launches the kernels of libraries that it links or opens. (`kernel<<<grid>>>(...)` must use
 * the copy that the kernel was linked with.) The choice of the CPU by ttSetDevice, the last error, and ttPreload of
 * all kernels apply to the copy that is called.
 *===--------------------------------------------------------------------------------------------------------------===*/
#ifndef TILECC_RUNTIME_H
#define TILECC_RUNTIME_H

#include <tilecc/detail/push_macros.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- Errors ----------------------------------------------------------------------------------------------------===*/

/* X(name, value, description): the value is that of CUDA's error of the same meaning (cudaError_t and CUresult). */
#define TT_ERRORS(X)                                                                                                   \
  X(ttSuccess, 0, "no error")                                                                                          \
  X(ttErrorInvalidValue, 1, "invalid argument")                                                                        \
  X(ttErrorMemoryAllocation, 2, "out of memory")                                                                       \
  X(ttErrorInitializationError, 3, "initialization error")                                                             \
  X(ttErrorDeinitialized, 4, "the driver is shutting down")                                                            \
  X(ttErrorInvalidConfiguration, 9, "invalid launch configuration")                                                    \
  X(ttErrorInvalidPitchValue, 12, "invalid pitch")                                                                     \
  X(ttErrorInvalidMemcpyDirection, 21, "invalid copy direction")                                                       \
  X(ttErrorStubLibrary, 34, "the CUDA driver is a stub library")                                                       \
  X(ttErrorInsufficientDriver, 35, "the CUDA driver is too old")                                                       \
  X(ttErrorDevicesUnavailable, 46, "all GPUs are busy or unavailable")                                                 \
  X(ttErrorInvalidDeviceFunction, 98, "not a kernel")                                                                  \
  X(ttErrorNoDevice, 100, "no GPU is detected")                                                                        \
  X(ttErrorInvalidDevice, 101, "invalid device")                                                                       \
  X(ttErrorInvalidKernelImage, 200, "invalid kernel image")                                                            \
  X(ttErrorDeviceUninitialized, 201, "invalid device context")                                                         \
  X(ttErrorNoKernelImageForDevice, 209, "no kernel image for the device")                                              \
  X(ttErrorECCUncorrectable, 214, "uncorrectable ECC error")                                                           \
  X(ttErrorPeerAccessUnsupported, 217, "the devices cannot reach each other's memory")                                 \
  X(ttErrorInvalidPtx, 218, "the PTX does not compile")                                                                \
  X(ttErrorJitCompilerNotFound, 221, "the driver's PTX compiler is not found")                                         \
  X(ttErrorUnsupportedPtxVersion, 222, "the PTX is newer than the driver")                                             \
  X(ttErrorJitCompilationDisabled, 223, "compiling PTX is disabled")                                                   \
  X(ttErrorOperatingSystem, 304, "an operating system call failed")                                                    \
  X(ttErrorInvalidResourceHandle, 400, "invalid handle of a stream or event")                                          \
  X(ttErrorIllegalState, 401, "the object is not in a state for that")                                                 \
  X(ttErrorSymbolNotFound, 500, "symbol not found")                                                                    \
  X(ttErrorNotReady, 600, "not ready yet")                                                                             \
  X(ttErrorIllegalAddress, 700, "a kernel accessed an illegal address")                                                \
  X(ttErrorLaunchOutOfResources, 701, "too many resources requested for launch")                                       \
  X(ttErrorLaunchTimeout, 702, "a kernel ran for too long")                                                            \
  X(ttErrorPeerAccessAlreadyEnabled, 704, "peer access is enabled already")                                            \
  X(ttErrorPeerAccessNotEnabled, 705, "peer access is not enabled")                                                    \
  X(ttErrorContextIsDestroyed, 709, "the CUDA context is destroyed")                                                   \
  X(ttErrorAssert, 710, "an assertion in a kernel failed")                                                             \
  X(ttErrorHostMemoryAlreadyRegistered, 712, "the host memory is registered already")                                  \
  X(ttErrorHostMemoryNotRegistered, 713, "the host memory is not registered")                                          \
  X(ttErrorHardwareStackError, 714, "hardware stack error")                                                            \
  X(ttErrorIllegalInstruction, 715, "a kernel hit an illegal instruction")                                             \
  X(ttErrorMisalignedAddress, 716, "a kernel accessed a misaligned address")                                           \
  X(ttErrorInvalidAddressSpace, 717, "a kernel accessed the wrong address space")                                      \
  X(ttErrorInvalidPc, 718, "invalid program counter")                                                                  \
  X(ttErrorLaunchFailure, 719, "a kernel failed")                                                                      \
  X(ttErrorCooperativeLaunchTooLarge, 720, "too many programs for a cooperative launch")                               \
  X(ttErrorNotPermitted, 800, "operation not permitted")                                                               \
  X(ttErrorNotSupported, 801, "operation not supported")                                                               \
  X(ttErrorSystemNotReady, 802, "the system is not ready")                                                             \
  X(ttErrorSystemDriverMismatch, 803, "the CUDA driver and its kernel module differ in version")                       \
  X(ttErrorStreamCaptureUnsupported, 900, "not possible while a stream is captured")                                   \
  X(ttErrorStreamCaptureInvalidated, 901, "the stream's capture is invalid")                                           \
  X(ttErrorStreamCaptureMerge, 902, "would merge two captures")                                                        \
  X(ttErrorStreamCaptureUnmatched, 903, "the capture was begun in another stream")                                     \
  X(ttErrorStreamCaptureUnjoined, 904, "a stream of the capture has not been joined")                                  \
  X(ttErrorStreamCaptureIsolation, 905, "would leave the capture")                                                     \
  X(ttErrorStreamCaptureImplicit, 906, "would depend on the default stream during capture")                            \
  X(ttErrorCapturedEvent, 907, "the event was recorded in a capture")                                                  \
  X(ttErrorStreamCaptureWrongThread, 908, "the capture was begun by another thread")                                   \
  X(ttErrorGraphExecUpdateFailure, 910, "the graph differs too much from the one that runs")                           \
  X(ttErrorInvalidClusterSize, 912, "invalid cluster size")                                                            \
  X(ttErrorUnknown, 999, "unknown error")

typedef enum ttError_t {
#define TT_ERROR_ENUMERATOR(name, value, description) name = value,
  TT_ERRORS(TT_ERROR_ENUMERATOR)
#undef TT_ERROR_ENUMERATOR
} ttError_t;

/* Return the name of an error, such as "ttErrorInvalidValue", and its description, such as "invalid argument". The
 * strings are constant and never null. */
const char *ttGetErrorName(ttError_t error);
const char *ttGetErrorString(ttError_t error);

/* Return the calling thread's last failure. ttGetLastError also resets it to ttSuccess. */
ttError_t ttGetLastError(void);
ttError_t ttPeekAtLastError(void);

/* Returns a description of the calling thread's last failure, which is empty before the first one. The runtime owns the
 * text, which is valid until the thread's next failure. */
const char *ttGetLastErrorMessage(void);
/* Returns the same text if that failure was `error`, even after ttGetLastError has reset it; otherwise returns
 * ttGetErrorString(error). */
const char *ttGetErrorMessage(ttError_t error);

/*===-- Devices ---------------------------------------------------------------------------------------------------===*/

typedef enum ttDeviceKind {
  ttDeviceKindCpu = 0,
  ttDeviceKindCuda = 1, /* an NVIDIA GPU */
  ttDeviceKindEmulator = 2, /* the emulator, of PTX or of AMD's code */
  ttDeviceKindOpenCL = 3, /* a device that an OpenCL implementation offers */
  ttDeviceKindHip = 4, /* an AMD GPU */
  ttDeviceKindPlugin = 5 /* a device of a shared library that TILECC_DEVICE_PLUGINS names */
} ttDeviceKind;

typedef struct ttDeviceProp {
  char name[256];
  ttDeviceKind kind;
  int arch; /* 90 for sm_90, 0x942 for gfx942; a CPU: its x86-64 level, 1 to 5, or on AArch64
                                * 8 for NEON and the bits of a vector for SVE, or on RISC-V 1000 and the bits of a
                                * vector, if it has any; with TILECC_DEVICE=emu the newest that
                                * the program's objects have PTX for, or 0; with TILECC_DEVICE=emu:gfx942 0; with OpenCL
                                * the lanes of a sub-group that code is taken for first */
  int multiProcessorCount; /* on the CPU and the emulator: the threads that run programs */
  int l2CacheSize; /* bytes; 0 on a CPU and the emulator */
  size_t totalGlobalMem; /* bytes */
  size_t sharedMemPerBlockOptin; /* bytes; 0 on a CPU */
  char target[32]; /* code for the device, as the compiler's option -arch names it: "sm_90", "gfx942", "cpu:3";
                    * "compute_90" on the emulator of PTX; empty for a device of a shared library */
} ttDeviceProp;

ttError_t ttGetDeviceCount(int *count);
/* Selects a device for the calling thread. A GPU's primary context becomes current, as with cudaSetDevice. */
ttError_t ttSetDevice(int device);
ttError_t ttGetDevice(int *device);

/* ttCpuDeviceId names the CPU in calls that take a device, as its number (the last one) does. ttDeviceNone is the
 * choice of a thread that has chosen no device. */
enum { ttCpuDeviceId = -1, ttDeviceNone = -2 };
/* Replaces the calling thread's choice without touching a GPU: no context becomes current, and for the CPU no driver
 * is opened. *before, if not null, receives the previous choice, for guards that restore it (tt::device_guard). */
ttError_t ttExchangeDevice(int device, int *before);
ttError_t ttGetDeviceProperties(ttDeviceProp *properties, int device);
/* Waits for all work of the device, and reports its errors. */
ttError_t ttDeviceSynchronize(void);

/*===-- Memory ----------------------------------------------------------------------------------------------------===*/

typedef enum ttMemcpyKind {
  ttMemcpyHostToHost = 0,
  ttMemcpyHostToDevice = 1,
  ttMemcpyDeviceToHost = 2,
  ttMemcpyDeviceToDevice = 3,
  ttMemcpyDefault = 4 /* found out from the pointers */
} ttMemcpyKind;

/* On AMD's GPUs, HIP's own: hipStream_t, hipEvent_t, hipFunction_t. */
typedef struct CUstream_st *ttStream_t; /* CUDA's own stream: cudaStream_t, CUstream */
typedef struct CUevent_st *ttEvent_t; /* cudaEvent_t, CUevent */
typedef struct CUfunc_st *ttFunction_t; /* CUfunction */

/* Allocates memory of the current device, aligned to 256 bytes. The caller owns it until ttFree, which may be called
 * while another device is current. The CPU device's memory is host memory; the host cannot access the emulator's
 * memory, as on a GPU. An allocation of zero bytes returns a null pointer; freeing null does nothing. */
ttError_t ttMalloc(void **pointer, size_t bytes);
ttError_t ttFree(void *pointer);
/* Allocates page-locked host memory that GPUs can access. */
ttError_t ttMallocHost(void **pointer, size_t bytes);
ttError_t ttFreeHost(void *pointer);
ttError_t ttMemGetInfo(size_t *free_bytes, size_t *total_bytes);

/* On a GPU these behave as in CUDA. On the CPU device every pointer is a host pointer. On the CPU device and the
 * emulator the operation has completed on return. */
ttError_t ttMemcpy(void *to, const void *from, size_t bytes, ttMemcpyKind kind);
ttError_t ttMemcpyAsync(void *to, const void *from, size_t bytes, ttMemcpyKind kind, ttStream_t stream);
ttError_t ttMemset(void *pointer, int byte, size_t bytes);
ttError_t ttMemsetAsync(void *pointer, int byte, size_t bytes, ttStream_t stream);

/*===-- Streams and events ----------------------------------------------------------------------------------------===*/

/* The streams that always exist. A null stream means the legacy stream. */
#define ttStreamLegacy ((ttStream_t)0x1)
#define ttStreamPerThread ((ttStream_t)0x2)

enum { ttStreamDefault = 0, ttStreamNonBlocking = 1 };
enum { ttEventDefault = 0, ttEventBlockingSync = 1, ttEventDisableTiming = 2 };

/* Streams and events belong to the device that was current when they were created, and to the caller until destroyed.
 * The CPU device and the emulator finish all work before a call returns, so their streams are always idle. */
ttError_t ttStreamCreate(ttStream_t *stream);
ttError_t ttStreamCreateWithFlags(ttStream_t *stream, unsigned flags);
ttError_t ttStreamDestroy(ttStream_t stream);
ttError_t ttStreamSynchronize(ttStream_t stream);
ttError_t ttStreamQuery(ttStream_t stream); /* ttSuccess or ttErrorNotReady */
ttError_t ttStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags);

ttError_t ttEventCreate(ttEvent_t *event);
ttError_t ttEventCreateWithFlags(ttEvent_t *event, unsigned flags);
ttError_t ttEventRecord(ttEvent_t event, ttStream_t stream);
ttError_t ttEventSynchronize(ttEvent_t event);
ttError_t ttEventQuery(ttEvent_t event); /* ttSuccess or ttErrorNotReady */
ttError_t ttEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end);
ttError_t ttEventDestroy(ttEvent_t event);

/*===-- Kernels ---------------------------------------------------------------------------------------------------===*/

/* The number of programs along each dimension. In C++, omitted dimensions are 1; in C, all three must be given. */
typedef struct ttDim3 {
#ifdef __cplusplus
  unsigned x = 1, y = 1, z = 1;
#else
  unsigned x, y, z;
#endif
} ttDim3;

/* Launches a kernel on the current device. `kernel` is the address of the kernel's host function. args[i] points to the
 * value of parameter i, which is read before the call returns. A launch does nothing if a dimension of the grid is 0; x
 * is at most 2^31 - 1, and y and z are at most 65535. On the CPU device and the emulator the kernel has finished on
 * return. The first launch loads the kernel's code (on a GPU, once per context), see ttPreload. Later launches on a GPU
 * neither allocate nor wait. */
ttError_t ttLaunchKernel(const void *kernel, ttDim3 grid, void **args, ttStream_t stream);

/* Loads the code of a kernel, or of every kernel if null, for the current device, so that no launch waits for it. Use
 * it before a stream capture, or before a kernel that waits for another one. If one kernel cannot be loaded, the
 * others still are; the last failure is returned. */
ttError_t ttPreload(const void *kernel);

/* The launch parameters of the function that ttGetFunction returns. */
typedef struct ttFuncAttributes {
  unsigned threads; /* per block */
  unsigned shared_bytes; /* dynamic, per block */
  unsigned cluster; /* blocks that run one program together: the grid's x is multiplied by it */
  int num_regs; /* registers per thread; 0 on the emulator, as PTX does not tell */
  size_t local_bytes; /* spilled to local memory, per thread; 0 on the emulator */
  int binary_version; /* 90 for code, on the emulator PTX, for sm_90; 94 for gfx942 with HIP */
} ttFuncAttributes;

/* Returns the CUDA function of a kernel in the current context, in the variant that accepts any arguments: for
 * cuLaunchKernel, graphs and profilers. It remains valid as long as the context and the object file or library with the
 * kernel. ttGetFunction returns ttErrorNotSupported on the CPU device and the emulator; ttFuncGetAttributes returns it
 * on the CPU device. */
ttError_t ttGetFunction(ttFunction_t *function, const void *kernel);
ttError_t ttFuncGetAttributes(ttFuncAttributes *attributes, const void *kernel);

#ifdef __cplusplus
} /* extern "C" */
#endif
#include <tilecc/runtime_graph.h>
#include <tilecc/runtime_library.h>
#include <tilecc/runtime_memory.h>
#include <tilecc/runtime_tune.h>
#include <tilecc/runtime_watch.h>
#ifdef __cplusplus
#include <tilecc/runtime_cxx.h>
#endif

#include <tilecc/detail/pop_macros.h>

#endif /* TILECC_RUNTIME_H */
