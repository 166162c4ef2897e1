//===-- CpuDevice.cpp - the host's processors as a device ------------------------------------------------------===//
//
// All calls, including launches, are synchronous. This is the fastest way to use a CPU from one thread: the caller's
// core would be idle otherwise.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuChecks.h"
#include "cpu/CpuFeatures.h"
#include "cpu/CpuProfile.h"
#include "cpu/CpuProgram.h"
#include "Cooperative.h"
#include "Error.h"
#include "HostCapture.h"
#include "HostDevice.h"
#include "ThreadPool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace tilecc::rt;

static size_t physicalMemory() { return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE); }

static ttError_t properties(int, ttDeviceProp &properties) {
  unsigned level, threads = threadCount();
  if (!threads || !cpuLevel(&level))
    return ttPeekAtLastError();
  cpuName(properties.name, sizeof(properties.name));
  properties.kind = ttDeviceKindCpu;
  properties.arch = level;
  // Code for all levels covers the first level, which has no code of its own.
  snprintf(properties.target, sizeof(properties.target), level >= 2 ? "cpu:%u" : "cpu", level);
  properties.multiProcessorCount = threads;
  properties.totalGlobalMem = physicalMemory();
  return ttSuccess;
}

static ttError_t use(int) { return ttSuccess; }

static ttError_t ordinal(int *ordinal) {
  const Devices *all = devices();
  if (!all)
    return ttPeekAtLastError();
  *ordinal = all->gpuCount;
  return ttSuccess;
}

static ttError_t synchronize() { return refuseWhileCapturing("ttDeviceSynchronize"); }

//===-- Memory ----------------------------------------------------------------------------------------------------===//

static ttError_t allocate(void **pointer, size_t bytes) {
  constexpr size_t alignment = 256;
  // The system overcommits memory and kills the process that uses it.
  bool exists = bytes <= physicalMemory();
  if (exists && (checksCpuMemory() ? (*pointer = allocateGuarded(bytes)) != nullptr
                                   : posix_memalign(pointer, alignment, bytes) == 0))
    return ttSuccess;
  *pointer = nullptr;
  return fail(ttErrorMemoryAllocation, "not enough memory for %zu bytes on the CPU device", bytes);
}

// Releases memory that is in the table of blocks; all other memory is foreign.
static ttError_t release(void *pointer) {
  if (!checksCpuMemory() || !freeGuarded(pointer)) // checks may have been enabled after the allocation
    free(pointer);
  return ttSuccess;
}

static ttError_t memoryInfo(size_t *freeBytes, size_t *totalBytes) {
  *freeBytes = static_cast<size_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  *totalBytes = physicalMemory();
  return ttSuccess;
}

// With checks enabled, a copy must stay within the allocation in which it begins.
static ttError_t checkBounds(const char *call, const char *verb, const void *pointer, size_t bytes) {
  GuardedRange range;
  if (!checksCpuMemory() || !findGuarded(pointer, range))
    return ttSuccess;
  auto *first = static_cast<const char *>(pointer), *end = range.memory + range.bytes;
  if (!range.isFreed && first >= range.memory && first <= end && bytes <= static_cast<size_t>(end - first))
    return ttSuccess;
  char place[256];
  describePlace(place, sizeof(place), pointer, range);
  return fail(ttErrorInvalidValue, "%s %s %zu bytes at %p, %s", call, verb, bytes, pointer, place);
}

static ttError_t copy(void *to, const void *from, size_t bytes) {
  if (!to || !from)
    return fail(ttErrorInvalidValue, "ttMemcpy of %zu bytes %s a null pointer", bytes, to ? "from" : "to");
  if (ttError_t error = checkBounds("ttMemcpy", "writes", to, bytes))
    return error;
  if (ttError_t error = checkBounds("ttMemcpy", "reads", from, bytes))
    return error;
  memmove(to, from, bytes);
  return ttSuccess;
}

static ttError_t set(void *pointer, int byte, size_t bytes) {
  if (!pointer)
    return fail(ttErrorInvalidValue, "ttMemset of %zu bytes at a null pointer", bytes);
  if (ttError_t error = checkBounds("ttMemset", "writes", pointer, bytes))
    return error;
  memset(pointer, byte, bytes);
  return ttSuccess;
}

// Selects the best code for this processor that runs one program at a time.
static ttError_t chooseEntry(const Kernel &kernel, const tilecc_cpu_entry **entry) {
  const tilecc_kernel &abi = *kernel.abi;
  unsigned level;
  if (!cpuLevel(&level))
    return ttPeekAtLastError();
  for (uint32_t i = 0; i < abi.cpu_count; ++i)
    if (abi.cpu[i].programs <= 1 && mayUseCpuLevel(abi.cpu[i].level)) {
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

uint64_t __tilecc_cpu_stream_bytes = ~0ull;

namespace {
struct Launch {
  tilecc_cpu_fn run, runTwo; // runTwo: runs two programs; may be null
  void *const *args; // not owned
  uint32_t programs[3];
  CpuLaunch *shared; // not owned
};
} // namespace

static void runPrograms(const void *context, uint64_t begin, uint64_t end, void *scratch) {
  const auto &launch = *static_cast<const Launch *>(context);
  const uint32_t *size = launch.programs;
  uint32_t id[3] = {static_cast<uint32_t>(begin % size[0]), static_cast<uint32_t>(begin / size[0] % size[1]),
                    static_cast<uint32_t>(begin / size[0] / size[1])};
  RunningProgram program(*launch.shared, id, begin, end - 1);
  if (_setjmp(program.failed))
    return writeCpuScopes();
  while (program.number < end && !launch.shared->mistake.load(std::memory_order_relaxed)) {
    program.isTwo = launch.runTwo && program.number + 1 < end && id[0] + 1 < size[0];
    (program.isTwo ? launch.runTwo : launch.run)(launch.args, id, size, scratch);
    program.number += 1 + program.isTwo;
    id[0] += 1 + program.isTwo;
    if (id[0] < size[0])
      continue;
    id[0] = 0;
    if (++id[1] < size[1])
      continue;
    id[1] = 0;
    ++id[2];
  }
#if defined(__x86_64__)
  __builtin_ia32_sfence(); // orders non-temporal stores
#endif
  writeCpuScopes();
}

// Non-temporal stores start at three quarters of the last-level caches, as in the C library's memcpy.
static void chooseWhatStreams() {
  static constinit std::atomic<bool> isChosen{false};
  if (isChosen.load(std::memory_order_acquire))
    return;
  const char *text = secure_getenv("TILECC_CPU_STREAM_BYTES");
  uint64_t bytes = text && *text ? strtoull(text, nullptr, 0) : lastCacheBytes(threadCount()) / 4 * 3;
  if (bytes || (text && *text))
    __atomic_store_n(&__tilecc_cpu_stream_bytes, bytes, __ATOMIC_RELAXED);
  isChosen.store(true, std::memory_order_release);
}

// Checks whether a kernel has written to bytes that share a page with an allocation.
static ttError_t checkSurroundings(const char *kernel) {
  GuardedRange range;
  const char *first;
  size_t bytes;
  if (!findOverwritten(range, first, bytes))
    return ttSuccess;
  char place[256];
  describePlace(place, sizeof(place), first, range);
  fprintf(stderr, "tilecc: kernel '%s' on the CPU device has written %zu bytes at %p, %s\n", kernel, bytes,
          static_cast<const void *>(first), place);
  return fail(ttErrorIllegalAddress, "kernel '%s' has written %zu bytes at %p, %s", kernel, bytes,
              static_cast<const void *>(first), place);
}

static ttError_t launch(Kernel &kernel, ttDim3 grid, HostAttributes attributes, void **args) {
  const bool cooperative = attributes.cooperative;
  const tilecc_cpu_entry *entry;
  if (ttError_t error = chooseEntry(kernel, &entry))
    return error;
  if (!threadCount())
    return ttPeekAtLastError();
  chooseWhatStreams();
  const char *name = kernel.abi->display_name;
  uint64_t count = static_cast<uint64_t>(grid.x) * grid.y * grid.z;
  CpuLaunch shared;
  shared.kernel = name;
  shared.count = count;
  // Checks should report a single program.
  bool hasTwo = entry > kernel.abi->cpu && entry[-1].programs == 2 && !cooperative && !checksCpuMemory();
  const tilecc_cpu_entry *two = hasTwo ? entry - 1 : nullptr;
  size_t scratch = two && two->scratch_bytes > entry->scratch_bytes ? two->scratch_bytes : entry->scratch_bytes;
  Launch work = {entry->run, two ? two->run : nullptr, args, {grid.x, grid.y, grid.z}, &shared};
  if (cooperative && count > maxCooperativePrograms)
    return fail(ttErrorCooperativeLaunchTooLarge,
                "kernel '%s': %llu programs cannot run at the same time on the CPU device, "
                "which starts a thread for each; the limit is %llu",
                name, static_cast<unsigned long long>(count), static_cast<unsigned long long>(maxCooperativePrograms));
  if ((cooperative ? runAtTheSameTime : runOnAllThreads)(count, scratch, runPrograms, &work))
    return shared.mistake      ? fail(shared.mistake, "kernel '%s': %s", name, shared.words)
           : checksCpuMemory() ? checkSurroundings(name)
                               : ttSuccess;
  return fail(ttErrorMemoryAllocation, "kernel '%s': not enough memory%s for its %llu bytes of scratch", name,
              cooperative ? " or threads" : "", static_cast<unsigned long long>(scratch));
}

static ttError_t activePrograms(Kernel &, int *programs) {
  *programs = threadCount();
  return *programs ? ttSuccess : ttPeekAtLastError();
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

// CPU code is part of the program; nothing is loaded.
static void unload(Module &) {}

static bool isNamed(const char *variable, int *) { return !strcmp(variable, "cpu"); }
static ttError_t open(const char *, int *, int *gpuCount) {
  *gpuCount = 0;
  return ttSuccess;
}
static void afterFork(bool) { unlockHostBlocksAfterFork(); }

static constinit const HostPrimitives primitives = {
    .allocate = allocate,
    .release = release,
    .allocateHost = allocate,
    .releaseHost = release,
    .info = memoryInfo,
    .copy = copy,
    .set = set,
    .launch = launch,
};

constinit const DeviceKind tilecc::rt::cpuDevice = asHostDevice({
    .kind = ttDeviceKindCpu,
    .name = "the CPU device",
    .variable = "'cpu'",
    .isNamed = isNamed,
    .open = open,
    .beforeFork = lockHostBlocksForFork,
    .afterFork = afterFork,
    .properties = properties,
    .use = use,
    .ordinal = ordinal,
    .synchronize = synchronize,
    .host = &primitives,
    .activePrograms = activePrograms,
    .preload = preload,
    .function = function,
    .attributes = attributes,
    .unload = unload,
});
