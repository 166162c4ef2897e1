//===-- OpenCLDevice.cpp - an OpenCL device as a device -----------------------------------------------------------===//
//
// Streams are queues (OpenCLQueues.h); captures, graphs and pools are those of the host, and a graph's nodes are
// enqueued one after the other. Kernels and the host do arithmetic on memory addresses, so devices whose memory has no
// addresses are rejected.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Error.h"
#include "HostCapture.h"
#include "HostDevice.h"
#include "opencl/OpenCLDriver.h"
#include "opencl/OpenCLModule.h"
#include "opencl/OpenCLQueues.h"

#include <stdio.h>
#include <string.h>

using namespace tilecc::rt;

template <class Value> static Value ask(cl_uint what) {
  Value value = 0;
  return opencl.clGetDeviceInfo(opencl.device, what, sizeof(value), &value, nullptr) ? Value(0) : value;
}

static ttError_t properties(int, ttDeviceProp &properties) {
  if (opencl.clGetDeviceInfo(opencl.device, CL_DEVICE_NAME, sizeof(properties.name) - 1, properties.name, nullptr))
    snprintf(properties.name, sizeof(properties.name), "OpenCL device");
  properties.kind = ttDeviceKindOpenCL;
  properties.arch = opencl.targets[0]->lanes;
  snprintf(properties.target, sizeof(properties.target), "%s", opencl.targets[0]->name);
  properties.multiProcessorCount = ask<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  properties.sharedMemPerBlockOptin = opencl.localBytes;
  properties.totalGlobalMem = ask<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  return ttSuccess;
}

static ttError_t use(int) { return refuseOpenCLAfterFork(); }

static ttError_t ordinal(int *ordinal) {
  *ordinal = 0;
  return ttSuccess;
}

static ttError_t synchronize() {
  if (ttError_t error = refuseWhileCapturing("ttDeviceSynchronize"))
    return error;
  return finishOpenCL();
}

//===-- Memory --------------------------------------------------------------------------------------------------===//

enum : cl_uint { alignment = 256 };

static ttError_t allocateAt(void **pointer, size_t bytes, bool isHosts) {
  if (ttError_t error = refuseOpenCLAfterFork())
    return error;
  cl_int error = CL_SUCCESS;
  size_t size = bytes ? bytes : 1;
  if (!opencl.hasUsm && isHosts && !opencl.isFineGrained)
    return fail(ttErrorNotSupported, "this OpenCL device cannot access host memory");
  if (!opencl.hasUsm)
    *pointer = opencl.clSVMAlloc(opencl.context, CL_MEM_READ_WRITE | (isHosts ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0), size,
                                 /*alignment=*/0);
  else if (isHosts)
    *pointer = opencl.clHostMemAllocINTEL(opencl.context, nullptr, size, alignment, &error);
  else
    *pointer = opencl.clDeviceMemAllocINTEL(opencl.context, opencl.device, nullptr, size, alignment, &error);
  if (*pointer && !error)
    return ttSuccess;
  *pointer = nullptr;
  return fail(ttErrorMemoryAllocation, "not enough memory for %zu bytes on the OpenCL device (OpenCL's error %d)",
              bytes, error);
}
static ttError_t allocate(void **pointer, size_t bytes) { return allocateAt(pointer, bytes, /*isHosts=*/false); }
static ttError_t allocateHost(void **pointer, size_t bytes) { return allocateAt(pointer, bytes, /*isHosts=*/true); }

static ttError_t release(void *pointer) {
  if (ttError_t error = refuseOpenCLAfterFork())
    return error;
  if (ttError_t error = finishOpenCL()) // work that uses the memory
    return error;
  if (opencl.hasUsm)
    OPENCL_TRY(clMemBlockingFreeINTEL, opencl.context, pointer);
  else
    opencl.clSVMFree(opencl.context, pointer);
  return ttSuccess;
}

// OpenCL does not report free memory.
static ttError_t memoryInfo(size_t *freeBytes, size_t *totalBytes) {
  *freeBytes = *totalBytes = ask<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  return ttSuccess;
}

// Returns true if the host may release or reuse the memory before a copy has completed, as with any memory that OpenCL
// has not allocated.
static bool isHostsOwn(const void *pointer) {
  HostBlock block;
  return !findBlock(pointer, ttDeviceKindOpenCL, &block);
}

static ttError_t copy(void *to, const void *from, size_t bytes) {
  if (!to || !from)
    return fail(ttErrorInvalidValue, "ttMemcpy of %zu bytes %s a null pointer", bytes, to ? "from" : "to");
  if (!bytes)
    return ttSuccess;
  constexpr cl_bool inCall = 0;
  const bool waits = isHostsOwn(to) || isHostsOwn(from);
  auto enqueue = [&](auto function) {
    return [=](cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *event) {
      return function(queue, inCall, to, from, bytes, count, before, event);
    };
  };
  if (opencl.hasUsm)
    return enqueueOpenCL("clEnqueueMemcpyINTEL", waits, enqueue(opencl.clEnqueueMemcpyINTEL));
  return enqueueOpenCL("clEnqueueSVMMemcpy", waits, enqueue(opencl.clEnqueueSVMMemcpy));
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  if (!pointer)
    return fail(ttErrorInvalidValue, "ttMemset of %zu bytes at a null pointer", bytes);
  if (!bytes)
    return ttSuccess;
  auto pattern = static_cast<unsigned char>(byte);
  auto enqueue = [&](auto function) {
    return [=](cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *event) {
      return function(queue, pointer, &pattern, sizeof(pattern), bytes, count, before, event);
    };
  };
  if (opencl.hasUsm)
    return enqueueOpenCL("clEnqueueMemFillINTEL", /*waits=*/false, enqueue(opencl.clEnqueueMemFillINTEL));
  return enqueueOpenCL("clEnqueueSVMMemFill", /*waits=*/false, enqueue(opencl.clEnqueueSVMMemFill));
}

static ttError_t activePrograms(Kernel &, int *programs) {
  *programs = ask<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS);
  return ttSuccess;
}

static ttError_t function(Kernel &kernel, ttFunction_t *) {
  return fail(ttErrorNotSupported, "kernel '%s': the current device is OpenCL's, which has no CUDA functions",
              kernel.abi->display_name);
}

// Parses "opencl", or "opencl:1.0" for the first device of the second platform. The number is 1 + 1000 * platform +
// device, or 0 for any.
static bool isNamed(const char *variable, int *number) {
  static const char prefix[] = "opencl";
  if (strncmp(variable, prefix, strlen(prefix)))
    return false;
  variable += strlen(prefix);
  unsigned platform, device;
  int length = 0;
  if (!*variable)
    return true;
  if (sscanf(variable, ":%3u.%3u%n", &platform, &device, &length) != 2 || variable[length])
    return false;
  *number = static_cast<int>(platform * 1000 + device + 1);
  return true;
}

static ttError_t open(const char *variable, int *number, int *gpuCount) {
  int platform = *number ? (*number - 1) / 1000 : -1, device = *number ? (*number - 1) % 1000 : -1;
  if (ttError_t error = openOpenCL(platform, device))
    return fail(error, "TILECC_DEVICE=%s: %s", variable, ttGetLastErrorMessage());
  *number = 0;
  *gpuCount = 1;
  return ttSuccess;
}

static void beforeFork() {}

static constinit const HostPrimitives primitives = {
    .allocate = allocate,
    .release = release,
    .allocateHost = allocateHost,
    .releaseHost = release,
    .info = memoryInfo,
    .copy = copy,
    .set = set,
    .launch = launchOnOpenCL,
    .finish = finishOpenCLStream,
    .streamBytes = sizeof(OpenCLQueue),
    .eventBytes = sizeof(OpenCLEvent),
};

constinit const DeviceKind tilecc::rt::openclDevice = asHostDevice({
    .kind = ttDeviceKindOpenCL,
    .name = "the OpenCL device",
    .variable = "'opencl' or 'opencl:P.D'",
    .isNamed = isNamed,
    .open = open,
    .beforeFork = beforeFork,
    .afterFork = loseOpenCLToFork,
    .properties = properties,
    .use = use,
    .ordinal = ordinal,
    .synchronize = synchronize,
    .host = &primitives,
    .streamDestroy = openclStreamDestroy,
    .streamSynchronize = openclStreamSynchronize,
    .streamQuery = openclStreamQuery,
    .streamWaitEvent = openclStreamWaitEvent,
    .eventRecord = openclEventRecord,
    .eventSynchronize = openclEventSynchronize,
    .eventQuery = openclEventQuery,
    .eventElapsedTime = openclEventElapsedTime,
    .eventDestroy = openclEventDestroy,
    .activePrograms = activePrograms,
    .preload = preloadOnOpenCL,
    .function = function,
    .attributes = openclAttributes,
    .unload = unloadFromOpenCL,
});
