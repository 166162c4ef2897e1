//===-- CudaTimers.cpp - measures when a GPU did what ------------------------------------------------------------===//
//
// The driver reports the time between events, not their absolute times. So each context has an event whose time on the
// host's clock is known. Errors here are ignored, and only the trace is incomplete: observation must not affect the
// program.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cuda/CudaTimers.h"
#include "cuda/CudaDriver.h"
#include "Trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

using namespace tilecc::rt;

namespace {
// An event of a context and its time.
struct Origin {
  Origin *next;
  unsigned long long contextId;
  CUevent event; // owned; also by the context
  uint64_t nanoseconds;
};

struct Timer {
  Timer *next; // in the list of pending timers
  const Origin *origin;
  CUevent start, stop; // owned
  uint64_t lane;
  char category[16], name[128], details[160];
};

enum { maxPending = 512 };
} // namespace

static constinit Mutex timersLock;
// The lock guards everything below. Origins are never freed: there is one per context.
static constinit Origin *origins = nullptr;
static constinit Timer *pending = nullptr, **lastPending = &pending; // owned; oldest first
static constinit unsigned pendingCount = 0;
static constinit bool flushesAtExit = false;

static void drop(Timer *timer) {
  if (timer->start)
    cuda.cuEventDestroy(timer->start);
  if (timer->stop)
    cuda.cuEventDestroy(timer->stop);
  free(timer);
}

static void write(const Timer &timer) {
  float begin, length;
  if (cuda.cuEventElapsedTime(&begin, timer.origin->event, timer.start) ||
      cuda.cuEventElapsedTime(&length, timer.start, timer.stop))
    return;
  uint64_t from = timer.origin->nanoseconds + static_cast<uint64_t>(begin > 0 ? begin * 1e6 : 0);
  traceEvent(timer.category, timer.name, from, from + static_cast<uint64_t>(length * 1e6), timer.details, timer.lane);
}

// Writes completed timers; optionally waits for all of them. The caller holds the lock.
static void collect(bool all) {
  RelaxedCapture relaxed;
  while (Timer *timer = pending) {
    if (all ? cuda.cuEventSynchronize(timer->stop) != CUDA_SUCCESS
            : cuda.cuEventQuery(timer->stop) == CUDA_ERROR_NOT_READY)
      if (!all)
        return;
    write(*timer);
    if (!(pending = timer->next))
      lastPending = &pending;
    --pendingCount;
    drop(timer);
  }
}

static void collectAtExit() {
  if (cudaIsLostToFork()) // the thread that holds the lock may not exist in this process
    return;
  unsigned long long id;
  Lock lock(timersLock);
  if (cuda.cuCtxGetId(nullptr, &id) == CUDA_SUCCESS)
    collect(/*all=*/true);
}

// The caller holds the lock.
static const Origin *originOf(unsigned long long contextId) {
  for (const Origin *origin = origins; origin; origin = origin->next)
    if (origin->contextId == contextId)
      return origin;
  auto *origin = static_cast<Origin *>(calloc(1, sizeof(Origin)));
  CUstream stream = nullptr;
  // Record the event in a new stream, which contains no other work.
  if (origin && !cuda.cuStreamCreate(&stream, ttStreamNonBlocking) &&
      !cuda.cuEventCreate(&origin->event, ttEventDefault) && !cuda.cuEventRecord(origin->event, stream) &&
      !cuda.cuEventSynchronize(origin->event)) {
    origin->nanoseconds = traceNanoseconds();
    origin->contextId = contextId;
    origin->next = origins;
    origins = origin;
  } else {
    free(origin);
    origin = nullptr;
  }
  if (stream)
    cuda.cuStreamDestroy(stream);
  // The driver is unusable after its own exit handler. That handler was installed earlier, so it runs after this one.
  if (!flushesAtExit)
    flushesAtExit = atexit(collectAtExit) == 0;
  return origin;
}

static void *start(ttStream_t stream) {
  unsigned long long contextId;
  int capturing;
  // Captured work does not run now.
  if (checkCudaHandle(stream) || ensureContext(&contextId) || cuda.cuStreamIsCapturing(stream, &capturing) || capturing)
    return nullptr;
  RelaxedCapture relaxed;
  auto *timer = static_cast<Timer *>(calloc(1, sizeof(Timer)));
  if (!timer)
    return nullptr;
  Lock lock(timersLock);
  if ((timer->origin = originOf(contextId)) && !cuda.cuEventCreate(&timer->start, ttEventDefault) &&
      !cuda.cuEventCreate(&timer->stop, ttEventDefault) && !cuda.cuEventRecord(timer->start, stream))
    return timer;
  drop(timer);
  return nullptr;
}

static void stop(void *data, ttStream_t stream, const char *category, const char *name, const char *details) {
  auto *timer = static_cast<Timer *>(data);
  int device = 0;
  if (cuda.cuEventRecord(timer->stop, stream)) {
    drop(timer);
    return;
  }
  currentCudaDevice(&device);
  timer->lane = laneOfStream(device, stream);
  snprintf(timer->category, sizeof(timer->category), "%s", category);
  snprintf(timer->name, sizeof(timer->name), "%s", name); // the kernel's library may be unloaded before this is written
  snprintf(timer->details, sizeof(timer->details), "%s", details);
  Lock lock(timersLock);
  *lastPending = timer;
  lastPending = &timer->next;
  if (++pendingCount % 64 == 0)
    collect(/*all=*/pendingCount >= maxPending);
}

constinit const DeviceTimers tilecc::rt::cudaTimers = {.start = start, .stop = stop};
