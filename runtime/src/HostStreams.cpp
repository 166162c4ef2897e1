//===-- HostStreams.cpp ----------------------------------------------------------------------------------------===//
//
// Implements streams and events of devices that work in the calling thread: the CPU and the emulator.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "HostStreams.h"
#include "Device.h"
#include "Error.h"
#include "HostCapture.h"

#include <stdlib.h>
#include <time.h>

using namespace tilecc::rt;

// Copies of the runtime in one process share streams and events, so their layout is part of the ABI version.

thread_local constinit const ttStream_t *tilecc::rt::workStream = nullptr;

// The stream of ttStreamPerThread.
static thread_local HostStream perThread = {};

template <class Object, class Handle> static Handle toHandle(Object *object) {
  return reinterpret_cast<Handle>(reinterpret_cast<uintptr_t>(object) | 1);
}

// These functions are called through the current device's table, so there is a current device.
static const DeviceKind &current() { return *currentDevice(); }

// Returns null if the handle does not belong to the current device.
template <class Object, class Handle> static Object *fromHandle(Handle handle) {
  if (!isHostHandle(handle))
    return nullptr;
  auto *object = reinterpret_cast<Object *>(reinterpret_cast<uintptr_t>(handle) - 1);
  return object->device == current().kind ? object : nullptr;
}

// Creates a stream or an event, followed by `ownBytes` zero bytes for the kind of device.
template <class Object> static Object *make(unsigned flags, size_t ownBytes) {
  auto *object = static_cast<Object *>(calloc(1, sizeof(Object) + ownBytes));
  if (object) {
    object->device = current().kind;
    object->flags = flags;
  }
  return object;
}

HostStream *tilecc::rt::hostStream(ttStream_t stream) {
  return stream == ttStreamPerThread ? &perThread : fromHandle<HostStream>(stream);
}

HostEvent *tilecc::rt::hostEvent(ttEvent_t event) { return fromHandle<HostEvent>(event); }

bool tilecc::rt::isCapturing(ttStream_t handle) {
  HostStream *stream = hostStream(handle);
  return stream && stream->capture.load(std::memory_order_acquire);
}

ttError_t tilecc::rt::checkHostStream(ttStream_t stream) {
  if (reinterpret_cast<uintptr_t>(stream) <= 2 || fromHandle<HostStream>(stream))
    return ttSuccess;
  return fail(ttErrorInvalidResourceHandle, "the stream is not one of %s, which is the current device", current().name);
}

ttError_t tilecc::rt::checkHostEvent(ttEvent_t event) {
  if (fromHandle<HostEvent>(event))
    return ttSuccess;
  return fail(ttErrorInvalidResourceHandle, "the event is not one of %s, which is the current device", current().name);
}

ttError_t tilecc::rt::hostStreamCreate(ttStream_t *handle, unsigned flags) {
  auto *stream = make<HostStream>(flags, current().host->streamBytes);
  if (!stream)
    return fail(ttErrorMemoryAllocation, "not enough memory for a stream");
  *handle = toHandle<HostStream, ttStream_t>(stream);
  return ttSuccess;
}

ttError_t tilecc::rt::hostStreamDestroy(ttStream_t handle) {
  HostStream *stream = fromHandle<HostStream>(handle);
  if (!stream)
    return fail(ttErrorInvalidResourceHandle, "the stream is not one that ttStreamCreate made on %s", current().name);
  if (stream->capture.load())
    return fail(ttErrorStreamCaptureUnsupported, "ttStreamDestroy: the stream is captured");
  stream->last.clear();
  free(stream);
  return ttSuccess;
}

ttError_t tilecc::rt::hostStreamDone(ttStream_t stream) {
  if (ttError_t error = checkHostStream(stream))
    return error;
  if (isCapturing(stream))
    return loseCapture(*hostStream(stream), "waiting for a stream, or asking whether it is done,");
  return ttSuccess;
}

ttError_t tilecc::rt::hostStreamWaitEvent(ttStream_t handle, ttEvent_t eventHandle, unsigned) {
  if (ttError_t error = checkHostEvent(eventHandle))
    return error;
  if (ttError_t error = checkHostStream(handle))
    return error;
  HostEvent &event = *fromHandle<HostEvent>(eventHandle);
  HostStream *stream = hostStream(handle);
  bool captured;
  if (ttError_t error = isCaptured(event, &captured))
    return error;
  if (!captured && !isCapturing(handle))
    return ttSuccess;
  if (!stream)
    return fail(ttErrorStreamCaptureUnsupported, "the legacy stream cannot wait for a captured event");
  if (!captured)
    return event.recorded ? loseCapture(*stream, "waiting for an event from outside the capture") : ttSuccess;
  return captureWait(*stream, event);
}

ttError_t tilecc::rt::hostEventCreate(ttEvent_t *handle, unsigned flags) {
  auto *event = make<HostEvent>(flags, current().host->eventBytes);
  if (!event)
    return fail(ttErrorMemoryAllocation, "not enough memory for an event");
  *handle = toHandle<HostEvent, ttEvent_t>(event);
  return ttSuccess;
}

ttError_t tilecc::rt::hostEventRecord(ttEvent_t handle, ttStream_t stream) {
  if (ttError_t error = checkHostEvent(handle))
    return error;
  if (ttError_t error = checkHostStream(stream))
    return error;
  HostEvent &event = *fromHandle<HostEvent>(handle);
  if (isCapturing(stream))
    return captureEvent(*hostStream(stream), event);
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  event.capture = nullptr;
  event.recorded = now.tv_sec * 1000000000ull + now.tv_nsec;
  return ttSuccess;
}

ttError_t tilecc::rt::hostEventDone(ttEvent_t handle) {
  if (ttError_t error = checkHostEvent(handle))
    return error;
  if (fromHandle<HostEvent>(handle)->capture)
    return fail(ttErrorCapturedEvent, "the event was last recorded in a capture, and has no time");
  return ttSuccess;
}

ttError_t tilecc::rt::hostEventElapsedTime(float *milliseconds, ttEvent_t startHandle, ttEvent_t endHandle) {
  if (ttError_t error = checkHostEvent(startHandle))
    return error;
  if (ttError_t error = checkHostEvent(endHandle))
    return error;
  HostEvent *start = fromHandle<HostEvent>(startHandle), *end = fromHandle<HostEvent>(endHandle);
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
  HostEvent *event = fromHandle<HostEvent>(handle);
  event->last.clear();
  free(event);
  return ttSuccess;
}
