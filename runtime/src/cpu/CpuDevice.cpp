//===-- CpuDevice.cpp - the host's processors as a device ------------------------------------------------------===//
//
// Everything is done when a call returns, launches included, which is the fastest a CPU can do for one thread: the
// caller's core would be idle otherwise.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuFeatures.h"
#include "cpu/CpuMemory.h"
#include "Device.h"
#include "Error.h"
#include "HostStreams.h"
#include "ThreadPool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace tilecc::rt;

static ttError_t properties(int, ttDeviceProp &properties) {
  unsigned level, threads = threadCount();
  if (!threads || !cpuLevel(&level))
    return ttPeekAtLastError();
  cpuName(properties.name, sizeof(properties.name));
  properties.kind = ttDeviceKindCpu;
  properties.arch = level;
  properties.multiProcessorCount = threads;
  properties.totalGlobalMem = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return ttSuccess;
}

static ttError_t use(int) { return ttSuccess; }

static ttError_t ordinal(int *ordinal) {
  *ordinal = devices()->gpuCount;
  return ttSuccess;
}

static ttError_t synchronize() { return ttSuccess; }

static ttError_t freeMemory(void *pointer) {
  if (freeCpuMemory(pointer))
    return ttSuccess;
  return fail(ttErrorInvalidValue, "ttFree: %p is not memory of ttMalloc, or it has been freed", pointer);
}

static ttError_t freeHost(void *pointer) {
  if (freeCpuMemory(pointer))
    return ttSuccess;
  return fail(ttErrorInvalidValue, "ttFreeHost: %p is not memory of ttMallocHost", pointer);
}

static ttError_t memoryInfo(size_t *freeBytes, size_t *totalBytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  *freeBytes = sysconf(_SC_AVPHYS_PAGES) * page;
  *totalBytes = sysconf(_SC_PHYS_PAGES) * page;
  return ttSuccess;
}

static ttError_t copy(void *to, const void *from, size_t bytes) {
  if (!to || !from)
    return fail(ttErrorInvalidValue, "ttMemcpy of %zu bytes %s a null pointer", bytes, to ? "from" : "to");
  memmove(to, from, bytes);
  return ttSuccess;
}

static ttError_t copyAsync(void *to, const void *from, size_t bytes, ttStream_t stream) {
  ttError_t error = checkHostStream(stream);
  return error ? error : copy(to, from, bytes);
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  if (!pointer)
    return fail(ttErrorInvalidValue, "ttMemset of %zu bytes at a null pointer", bytes);
  memset(pointer, byte, bytes);
  return ttSuccess;
}

static ttError_t setAsync(void *pointer, int byte, size_t bytes, ttStream_t stream) {
  ttError_t error = checkHostStream(stream);
  return error ? error : set(pointer, byte, bytes);
}

// The best code that this processor runs.
static ttError_t chooseEntry(const Kernel &kernel, const tilecc_cpu_entry **entry) {
  const tilecc_kernel &abi = *kernel.abi;
  unsigned level;
  if (!cpuLevel(&level))
    return ttPeekAtLastError();
  for (uint32_t i = 0; i < abi.cpu_count; ++i)
    if (abi.cpu[i].level <= level) {
      *entry = &abi.cpu[i];
      return ttSuccess;
    }
  if (abi.cpu_count == 0)
    return fail(ttErrorNoKernelImageForDevice, "kernel '%s' (%s) was compiled without code for the CPU",
                abi.display_name, kernel.module->abi->source);
  return fail(ttErrorNoKernelImageForDevice, "kernel '%s' (%s) has no code for this processor (%s); it needs %s",
              abi.display_name, kernel.module->abi->source, cpuLevelName(level),
              cpuLevelName(abi.cpu[abi.cpu_count - 1].level));
}

namespace {
struct Launch {
  tilecc_cpu_fn run;
  void *const *args; // not owned
  uint32_t programs[3];
};
} // namespace

static void runPrograms(const void *context, uint64_t begin, uint64_t end, void *scratch) {
  const auto &launch = *static_cast<const Launch *>(context);
  const uint32_t *size = launch.programs;
  uint32_t id[3] = {static_cast<uint32_t>(begin % size[0]), static_cast<uint32_t>(begin / size[0] % size[1]),
                    static_cast<uint32_t>(begin / size[0] / size[1])};
  for (uint64_t i = begin; i < end; ++i) {
    launch.run(launch.args, id, size, scratch);
    if (++id[0] < size[0])
      continue;
    id[0] = 0;
    if (++id[1] < size[1])
      continue;
    id[1] = 0;
    ++id[2];
  }
}

static ttError_t launch(Kernel &kernel, ttDim3 grid, void **args, ttStream_t stream) {
  const tilecc_cpu_entry *entry;
  if (ttError_t error = checkHostStream(stream))
    return error;
  if (ttError_t error = chooseEntry(kernel, &entry))
    return error;
  if (!threadCount())
    return ttPeekAtLastError();
  Launch work = {entry->run, args, {grid.x, grid.y, grid.z}};
  uint64_t count = static_cast<uint64_t>(grid.x) * grid.y * grid.z;
  if (!runOnAllThreads(count, entry->scratch_bytes, runPrograms, &work))
    return fail(ttErrorMemoryAllocation, "kernel '%s': not enough memory for its %llu bytes of scratch",
                kernel.abi->display_name, static_cast<unsigned long long>(entry->scratch_bytes));
  return ttSuccess;
}

static ttError_t preload(Kernel &kernel) {
  const tilecc_cpu_entry *entry;
  return chooseEntry(kernel, &entry);
}

static ttError_t noFunction(const Kernel &kernel) {
  return fail(ttErrorNotSupported, "kernel '%s': the current device is the CPU, which has no CUDA functions",
              kernel.abi->display_name);
}
static ttError_t function(Kernel &kernel, ttFunction_t *) { return noFunction(kernel); }
static ttError_t attributes(Kernel &kernel, ttFuncAttributes &) { return noFunction(kernel); }

// The CPU has code from the start; nothing is loaded.
static void unload(Module &) {}

static bool isNamed(const char *variable, int *) { return !strcmp(variable, "cpu"); }
static ttError_t open(const char *, int *, int *gpuCount) {
  *gpuCount = 0;
  return ttSuccess;
}
static void afterFork(bool) { unlockCpuMemoryAfterFork(); }

constinit const DeviceKind tilecc::rt::cpuDevice = {
    .kind = ttDeviceKindCpu,
    .name = "the CPU device",
    .variable = "'cpu'",
    .isDefault = false,
    .isNamed = isNamed,
    .open = open,
    .beforeFork = lockCpuMemoryForFork,
    .afterFork = afterFork,
    .properties = properties,
    .use = use,
    .ordinal = ordinal,
    .synchronize = synchronize,
    .allocate = allocateCpuMemory,
    .allocateHost = allocateCpuMemory,
    .free = freeMemory,
    .freeHost = freeHost,
    .freeIfOwn = freeCpuMemory,
    .memoryInfo = memoryInfo,
    .copy = copy,
    .copyAsync = copyAsync,
    .set = set,
    .setAsync = setAsync,
    .streamCreate = hostStreamCreate,
    .streamDestroy = hostStreamDestroy,
    .streamSynchronize = checkHostStream,
    .streamQuery = checkHostStream,
    .streamWaitEvent = hostStreamWaitEvent,
    .eventCreate = hostEventCreate,
    .eventRecord = hostEventRecord,
    .eventSynchronize = checkHostEvent, // one that was never recorded counts as done, as in CUDA
    .eventQuery = checkHostEvent,
    .eventElapsedTime = hostEventElapsedTime,
    .eventDestroy = hostEventDestroy,
    .launch = launch,
    .preload = preload,
    .function = function,
    .attributes = attributes,
    .unload = unload,
};
