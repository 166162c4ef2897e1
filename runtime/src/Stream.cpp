//===-- Stream.cpp - the public calls for streams and events ---------------------------------------------------===//
//
// Each forwards to the current device.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Device.h"
#include "Error.h"

using namespace tilecc::rt;

ttError_t ttStreamCreate(ttStream_t *stream) {
  CURRENT_DEVICE(device);
  return device->streamCreate(stream, ttStreamDefault);
}

ttError_t ttStreamCreateWithFlags(ttStream_t *stream, unsigned flags) {
  CURRENT_DEVICE(device);
  return device->streamCreate(stream, flags);
}

ttError_t ttStreamDestroy(ttStream_t stream) {
  CURRENT_DEVICE(device);
  return device->streamDestroy(stream);
}

ttError_t ttStreamSynchronize(ttStream_t stream) {
  if (ttError_t lost = takeLostLaunch())
    return lost;
  CURRENT_DEVICE(device);
  return device->streamSynchronize(stream);
}

ttError_t ttStreamQuery(ttStream_t stream) {
  CURRENT_DEVICE(device);
  return device->streamQuery(stream);
}

ttError_t ttStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags) {
  CURRENT_DEVICE(device);
  return device->streamWaitEvent(stream, event, flags);
}

ttError_t ttEventCreate(ttEvent_t *event) {
  CURRENT_DEVICE(device);
  return device->eventCreate(event, ttEventDefault);
}

ttError_t ttEventCreateWithFlags(ttEvent_t *event, unsigned flags) {
  CURRENT_DEVICE(device);
  return device->eventCreate(event, flags);
}

ttError_t ttEventRecord(ttEvent_t event, ttStream_t stream) {
  CURRENT_DEVICE(device);
  return device->eventRecord(event, stream);
}

ttError_t ttEventSynchronize(ttEvent_t event) {
  if (ttError_t lost = takeLostLaunch())
    return lost;
  CURRENT_DEVICE(device);
  return device->eventSynchronize(event);
}

ttError_t ttEventQuery(ttEvent_t event) {
  CURRENT_DEVICE(device);
  return device->eventQuery(event);
}

ttError_t ttEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end) {
  CURRENT_DEVICE(device);
  return device->eventElapsedTime(milliseconds, start, end);
}

ttError_t ttEventDestroy(ttEvent_t event) {
  CURRENT_DEVICE(device);
  return device->eventDestroy(event);
}

ttError_t ttDeviceSynchronize(void) {
  if (ttError_t lost = takeLostLaunch())
    return lost;
  CURRENT_DEVICE(device);
  return device->synchronize();
}
