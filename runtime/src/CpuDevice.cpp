//===-- CpuDevice.cpp - the host's processors as a device ------------------------------------------------------===//
//
// Everything is done when a call returns, launches included, which CUDA's model allows and which is the fastest a CPU can
// do for one thread: the caller's core would be idle otherwise. So streams have nothing to order, and events are points
// in time.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "CpuFeatures.h"
#include "CpuMemory.h"
#include "Device.h"
#include "Error.h"
#include "ThreadPool.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

using namespace tilecc::rt;

namespace {

struct Stream {
  unsigned flags;
};

struct Event {
  unsigned flags;
  std::atomic<uint64_t> recorded; // nanoseconds on the monotonic clock, 0 before
};

} // namespace

template <class Object, class Handle> static Handle toHandle(Object *object) {
  return reinterpret_cast<Handle>(reinterpret_cast<uintptr_t>(object) | 1);
}

// Null if the handle is not one of ours.
template <class Object, class Handle> static Object *fromHandle(Handle handle) {
  return isCpuHandle(handle) ? reinterpret_cast<Object *>(reinterpret_cast<uintptr_t>(handle) - 1) : nullptr;
}

static ttError_t checkStream(ttStream_t stream) {
  if (reinterpret_cast<uintptr_t>(stream) <= 2 || fromHandle<Stream>(stream))
    return ttSuccess;
  return fail(ttErrorInvalidResourceHandle, "the stream is not one of the CPU device, which is the current device");
}

static ttError_t failEvent() {
  return fail(ttErrorInvalidResourceHandle, "the event is not one of the CPU device, which is the current device");
}

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

static ttError_t synchronize() { return ttSuccess; }

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
  memmove(to, from, bytes);
  return ttSuccess;
}

static ttError_t copyAsync(void *to, const void *from, size_t bytes, ttStream_t stream) {
  ttError_t error = checkStream(stream);
  return error ? error : copy(to, from, bytes);
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  memset(pointer, byte, bytes);
  return ttSuccess;
}

static ttError_t setAsync(void *pointer, int byte, size_t bytes, ttStream_t stream) {
  ttError_t error = checkStream(stream);
  return error ? error : set(pointer, byte, bytes);
}

static ttError_t streamCreate(ttStream_t *handle, unsigned flags) {
  auto *stream = static_cast<Stream *>(malloc(sizeof(Stream)));
  if (!stream)
    return fail(ttErrorMemoryAllocation, "not enough memory for a stream");
  stream->flags = flags;
  *handle = toHandle<Stream, ttStream_t>(stream);
  return ttSuccess;
}

static ttError_t streamDestroy(ttStream_t handle) {
  Stream *stream = fromHandle<Stream>(handle);
  if (!stream)
    return fail(ttErrorInvalidResourceHandle, "the stream is not one that ttStreamCreate made on the CPU device");
  free(stream);
  return ttSuccess;
}

static ttError_t streamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned) {
  return fromHandle<Event>(event) ? checkStream(stream) : failEvent();
}

static ttError_t eventCreate(ttEvent_t *handle, unsigned flags) {
  auto *event = static_cast<Event *>(calloc(1, sizeof(Event)));
  if (!event)
    return fail(ttErrorMemoryAllocation, "not enough memory for an event");
  event->flags = flags;
  *handle = toHandle<Event, ttEvent_t>(event);
  return ttSuccess;
}

static ttError_t eventRecord(ttEvent_t handle, ttStream_t stream) {
  Event *event = fromHandle<Event>(handle);
  if (!event)
    return failEvent();
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  event->recorded = now.tv_sec * 1000000000ull + now.tv_nsec;
  return checkStream(stream);
}

// Of waiting and asking: an event that was never recorded counts as done, as in CUDA.
static ttError_t eventDone(ttEvent_t handle) { return fromHandle<Event>(handle) ? ttSuccess : failEvent(); }

static ttError_t eventElapsedTime(float *milliseconds, ttEvent_t startHandle, ttEvent_t endHandle) {
  Event *start = fromHandle<Event>(startHandle), *end = fromHandle<Event>(endHandle);
  if (!start || !end)
    return failEvent();
  if ((start->flags | end->flags) & ttEventDisableTiming)
    return fail(ttErrorInvalidResourceHandle, "an event was created with ttEventDisableTiming");
  if (!start->recorded || !end->recorded)
    return fail(ttErrorInvalidResourceHandle, "an event has not been recorded");
  *milliseconds = static_cast<float>(static_cast<double>(static_cast<int64_t>(end->recorded - start->recorded)) * 1e-6);
  return ttSuccess;
}

static ttError_t eventDestroy(ttEvent_t handle) {
  Event *event = fromHandle<Event>(handle);
  if (!event)
    return failEvent();
  free(event);
  return ttSuccess;
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
  if (ttError_t error = checkStream(stream))
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

constinit const DeviceKind tilecc::rt::cpuDevice = {
    .properties = properties,
    .synchronize = synchronize,
    .allocate = allocateCpuMemory,
    .allocateHost = allocateCpuMemory,
    .freeHost = freeHost,
    .memoryInfo = memoryInfo,
    .copy = copy,
    .copyAsync = copyAsync,
    .set = set,
    .setAsync = setAsync,
    .streamCreate = streamCreate,
    .streamDestroy = streamDestroy,
    .streamSynchronize = checkStream,
    .streamQuery = checkStream,
    .streamWaitEvent = streamWaitEvent,
    .eventCreate = eventCreate,
    .eventRecord = eventRecord,
    .eventSynchronize = eventDone,
    .eventQuery = eventDone,
    .eventElapsedTime = eventElapsedTime,
    .eventDestroy = eventDestroy,
    .launch = launch,
    .preload = preload,
    .function = function,
    .attributes = attributes,
};
