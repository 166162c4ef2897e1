//===-- HostStreams.cpp ----------------------------------------------------------------------------------------===//
//
// What streams and events are on devices that work in the calling thread: the CPU and the emulator.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "HostStreams.h"
#include "Device.h"
#include "Error.h"

#include <stdlib.h>
#include <time.h>

using namespace tilecc::rt;

// Copies of the runtime in one process pass these to each other: the layout is part of the ABI's version.
namespace {

struct Stream {
  ttDeviceKind device;
  unsigned flags;
};

struct Event {
  ttDeviceKind device;
  unsigned flags;
  std::atomic<uint64_t> recorded; // nanoseconds on the monotonic clock, 0 before
};

} // namespace

template <class Object, class Handle> static Handle toHandle(Object *object) {
  return reinterpret_cast<Handle>(reinterpret_cast<uintptr_t>(object) | 1);
}

// The functions here are reached through the current device's table, so there is one.
static const DeviceKind &current() { return *currentDevice(); }

// Null if the handle is not one of the current device's.
template <class Object, class Handle> static Object *fromHandle(Handle handle) {
  if (!isHostHandle(handle))
    return nullptr;
  auto *object = reinterpret_cast<Object *>(reinterpret_cast<uintptr_t>(handle) - 1);
  return object->device == current().kind ? object : nullptr;
}

template <class Object> static Object *make(unsigned flags) {
  auto *object = static_cast<Object *>(calloc(1, sizeof(Object)));
  if (object) {
    object->device = current().kind;
    object->flags = flags;
  }
  return object;
}

ttError_t tilecc::rt::checkHostStream(ttStream_t stream) {
  if (reinterpret_cast<uintptr_t>(stream) <= 2 || fromHandle<Stream>(stream))
    return ttSuccess;
  return fail(ttErrorInvalidResourceHandle, "the stream is not one of %s, which is the current device", current().name);
}

ttError_t tilecc::rt::checkHostEvent(ttEvent_t event) {
  if (fromHandle<Event>(event))
    return ttSuccess;
  return fail(ttErrorInvalidResourceHandle, "the event is not one of %s, which is the current device", current().name);
}

ttError_t tilecc::rt::hostStreamCreate(ttStream_t *handle, unsigned flags) {
  auto *stream = make<Stream>(flags);
  if (!stream)
    return fail(ttErrorMemoryAllocation, "not enough memory for a stream");
  *handle = toHandle<Stream, ttStream_t>(stream);
  return ttSuccess;
}

ttError_t tilecc::rt::hostStreamDestroy(ttStream_t handle) {
  Stream *stream = fromHandle<Stream>(handle);
  if (!stream)
    return fail(ttErrorInvalidResourceHandle, "the stream is not one that ttStreamCreate made on %s", current().name);
  free(stream);
  return ttSuccess;
}

ttError_t tilecc::rt::hostStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned) {
  ttError_t error = checkHostEvent(event);
  return error ? error : checkHostStream(stream);
}

ttError_t tilecc::rt::hostEventCreate(ttEvent_t *handle, unsigned flags) {
  auto *event = make<Event>(flags);
  if (!event)
    return fail(ttErrorMemoryAllocation, "not enough memory for an event");
  *handle = toHandle<Event, ttEvent_t>(event);
  return ttSuccess;
}

ttError_t tilecc::rt::hostEventRecord(ttEvent_t handle, ttStream_t stream) {
  if (ttError_t error = checkHostEvent(handle))
    return error;
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  fromHandle<Event>(handle)->recorded = now.tv_sec * 1000000000ull + now.tv_nsec;
  return checkHostStream(stream);
}

ttError_t tilecc::rt::hostEventElapsedTime(float *milliseconds, ttEvent_t startHandle, ttEvent_t endHandle) {
  if (ttError_t error = checkHostEvent(startHandle))
    return error;
  if (ttError_t error = checkHostEvent(endHandle))
    return error;
  Event *start = fromHandle<Event>(startHandle), *end = fromHandle<Event>(endHandle);
  if ((start->flags | end->flags) & ttEventDisableTiming)
    return fail(ttErrorInvalidResourceHandle, "an event was created with ttEventDisableTiming");
  if (!start->recorded || !end->recorded)
    return fail(ttErrorInvalidResourceHandle, "an event has not been recorded");
  *milliseconds = static_cast<float>(static_cast<double>(static_cast<int64_t>(end->recorded - start->recorded)) * 1e-6);
  return ttSuccess;
}

ttError_t tilecc::rt::hostEventDestroy(ttEvent_t handle) {
  if (ttError_t error = checkHostEvent(handle))
    return error;
  free(fromHandle<Event>(handle));
  return ttSuccess;
}
