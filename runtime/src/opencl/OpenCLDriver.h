//===-- OpenCLDriver.h - opens an OpenCL implementation at run time ----------------------------------------------===//
//
// One table has the entry points, one macro calls them and checks the results, and one function converts errors.
// libOpenCL is not linked.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_OPENCLDRIVER_H
#define TILECC_RUNTIME_OPENCLDRIVER_H

#include "Support.h"
#include "opencl/OpenCLTypes.h"
#include "opencl/SpirvModules.h"

namespace tilecc::rt {

// X(result, name, parameters)
#define TILECC_OPENCL(X)                                                                                               \
  X(cl_int, clGetPlatformIDs, (cl_uint entries, cl_platform_id * platforms, cl_uint * count))                          \
  X(cl_int, clGetPlatformInfo, (cl_platform_id platform, cl_uint what, size_t size, void *value, size_t *sizeNeeded))  \
  X(cl_int, clGetDeviceIDs,                                                                                            \
    (cl_platform_id platform, cl_bitfield type, cl_uint entries, cl_device_id * devices, cl_uint * count))             \
  X(cl_int, clGetDeviceInfo, (cl_device_id device, cl_uint what, size_t size, void *value, size_t *sizeNeeded))        \
  X(void *, clGetExtensionFunctionAddressForPlatform, (cl_platform_id platform, const char *name))                     \
  X(cl_context, clCreateContext,                                                                                       \
    (const intptr_t *properties, cl_uint count, const cl_device_id *devices,                                           \
     void (*notify)(const char *, const void *, size_t, void *), void *data, cl_int *error))                           \
  X(cl_command_queue, clCreateCommandQueueWithProperties,                                                              \
    (cl_context context, cl_device_id device, const cl_bitfield *properties, cl_int *error))                           \
  X(cl_program, clCreateProgramWithIL, (cl_context context, const void *il, size_t size, cl_int *error))               \
  X(cl_program, clCreateProgramWithBinary,                                                                             \
    (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *sizes,                              \
     const unsigned char **binaries, cl_int *states, cl_int *error))                                                   \
  X(cl_int, clGetProgramInfo, (cl_program program, cl_uint what, size_t size, void *value, size_t *sizeNeeded))        \
  X(cl_int, clBuildProgram,                                                                                            \
    (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,                              \
     void (*notify)(cl_program, void *), void *data))                                                                  \
  X(cl_int, clGetProgramBuildInfo,                                                                                     \
    (cl_program program, cl_device_id device, cl_uint what, size_t size, void *value, size_t *sizeNeeded))             \
  X(cl_int, clReleaseProgram, (cl_program program))                                                                    \
  X(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *error))                                  \
  X(cl_int, clReleaseKernel, (cl_kernel kernel))                                                                       \
  X(cl_int, clSetKernelArg, (cl_kernel kernel, cl_uint number, size_t size, const void *value))                        \
  X(cl_int, clSetKernelArgSVMPointer, (cl_kernel kernel, cl_uint number, const void *pointer))                         \
  X(cl_int, clSetKernelExecInfo, (cl_kernel kernel, cl_uint what, size_t size, const void *value))                     \
  X(cl_int, clEnqueueNDRangeKernel,                                                                                    \
    (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,         \
     const size_t *local, cl_uint waits, const cl_event *waitFor, cl_event *event))                                    \
  X(cl_int, clFlush, (cl_command_queue queue))                                                                         \
  X(cl_int, clReleaseCommandQueue, (cl_command_queue queue))                                                           \
  X(cl_int, clEnqueueMarkerWithWaitList,                                                                               \
    (cl_command_queue queue, cl_uint count, const cl_event *waitFor, cl_event *event))                                 \
  X(cl_int, clEnqueueBarrierWithWaitList,                                                                              \
    (cl_command_queue queue, cl_uint count, const cl_event *waitFor, cl_event *event))                                 \
  X(cl_int, clWaitForEvents, (cl_uint count, const cl_event *events))                                                  \
  X(cl_int, clGetEventInfo, (cl_event event, cl_uint what, size_t size, void *value, size_t *sizeNeeded))              \
  X(cl_int, clGetEventProfilingInfo, (cl_event event, cl_uint what, size_t size, void *value, size_t *sizeNeeded))     \
  X(cl_int, clRetainEvent, (cl_event event))                                                                           \
  X(cl_int, clReleaseEvent, (cl_event event))                                                                          \
  X(void *, clSVMAlloc, (cl_context context, cl_bitfield flags, size_t bytes, cl_uint alignment))                      \
  X(void, clSVMFree, (cl_context context, void *pointer))                                                              \
  X(cl_int, clEnqueueSVMMemcpy,                                                                                        \
    (cl_command_queue queue, cl_bool waits, void *to, const void *from, size_t bytes, cl_uint count,                   \
     const cl_event *waitFor, cl_event *event))                                                                        \
  X(cl_int, clEnqueueSVMMemFill,                                                                                       \
    (cl_command_queue queue, void *pointer, const void *pattern, size_t patternSize, size_t bytes, cl_uint count,      \
     const cl_event *waitFor, cl_event *event))

// Functions of the extension cl_intel_unified_shared_memory; null if the platform does not have it.
#define TILECC_OPENCL_USM(X)                                                                                           \
  X(void *, clDeviceMemAllocINTEL,                                                                                     \
    (cl_context context, cl_device_id device, const cl_bitfield *properties, size_t bytes, cl_uint alignment,          \
     cl_int *error))                                                                                                   \
  X(void *, clHostMemAllocINTEL,                                                                                       \
    (cl_context context, const cl_bitfield *properties, size_t bytes, cl_uint alignment, cl_int *error))               \
  X(cl_int, clMemBlockingFreeINTEL, (cl_context context, void *pointer))                                               \
  X(cl_int, clSetKernelArgMemPointerINTEL, (cl_kernel kernel, cl_uint number, const void *pointer))                    \
  X(cl_int, clEnqueueMemcpyINTEL,                                                                                      \
    (cl_command_queue queue, cl_bool waits, void *to, const void *from, size_t bytes, cl_uint count,                   \
     const cl_event *waitFor, cl_event *event))                                                                        \
  X(cl_int, clEnqueueMemFillINTEL,                                                                                     \
    (cl_command_queue queue, void *pointer, const void *pattern, size_t patternSize, size_t bytes, cl_uint count,      \
     const cl_event *waitFor, cl_event *event))

// The device that the process uses, and the process's objects for it. Set once by openOpenCL(), before any other thread
// can use it. It is never released, because its memory may be in use until the end.
struct OpenCLDriver {
#define TILECC_OPENCL_MEMBER(result, name, parameters) result(*name) parameters;
  TILECC_OPENCL(TILECC_OPENCL_MEMBER)
  TILECC_OPENCL_USM(TILECC_OPENCL_MEMBER)
#undef TILECC_OPENCL_MEMBER

  cl_device_id device;
  cl_context context;
  bool hasUsm; // memory comes from that extension; otherwise it is shared virtual memory
  bool isFineGrained; // the host may access shared virtual memory at any time
  bool roundsDivisions; // programs may request correctly rounded division and square roots
  const SpirvTarget *targets[spirvTargetCount]; // those that the device supports, best first; null: end
  size_t localBytes, maxThreads;
};
extern OpenCLDriver opencl;

// Opens the library and a device: the one with these numbers or, if they are -1, the first that can run kernels. Called
// once, under the lock of devices().
ttError_t openOpenCL(int platform, int device);

// Records the failure of a call.
ttError_t failOpenCL(cl_int error, const char *function);

// If the parent of this process used OpenCL, which does not survive a fork, records an error and returns it.
ttError_t refuseOpenCLAfterFork();
void loseOpenCLToFork(bool inChild);

// Calls OpenCL and returns its error, if any, from the enclosing function.
#define OPENCL_TRY(function, ...)                                                                                      \
  do {                                                                                                                 \
    if (cl_int error_ = ::tilecc::rt::opencl.function(__VA_ARGS__))                                                    \
      return ::tilecc::rt::failOpenCL(error_, #function);                                                              \
  } while (0)

} // namespace tilecc::rt
#endif
