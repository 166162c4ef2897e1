//===-- HostStreams.h - streams and events of devices that run on the host -------------------------------------===//
//
// On devices that run on the host, all work, including launches, completes before a call returns, as CUDA's model
// permits. So streams have nothing to order, and events are points in time. These functions are entries of DeviceKind,
// and work for whichever of these devices is current. The OpenCL device adds queues to them.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTSTREAMS_H
#define TILECC_RUNTIME_HOSTSTREAMS_H

#include "Support.h"

namespace tilecc::rt {

// The handles of these devices are odd numbers. CUDA's handles are even, except for the constants 1 and 2. So passing a
// handle to the wrong kind of device is reported as an error, and does not crash.
inline bool isHostHandle(const void *handle) {
  auto value = reinterpret_cast<uintptr_t>(handle);
  return value > 2 && value & 1;
}

// The stream in which this thread is starting work, or null if the call waits for its work. Kinds that enqueue work
// read it; for the others, it means nothing.
extern thread_local constinit const ttStream_t *workStream;

// Sets workStream during its lifetime.
class InStream {
public:
  explicit InStream(const ttStream_t &stream) : before(workStream) { workStream = &stream; }
  ~InStream() { workStream = before; }
  InStream(const InStream &) = delete;
  InStream &operator=(const InStream &) = delete;

private:
  const ttStream_t *before;
};

// Fails unless the stream belongs to the current device or is built in.
ttError_t checkHostStream(ttStream_t stream);
// Fails unless the event belongs to the current device.
ttError_t checkHostEvent(ttEvent_t event);

ttError_t hostStreamCreate(ttStream_t *stream, unsigned flags);
ttError_t hostStreamDestroy(ttStream_t stream);
ttError_t hostStreamDone(ttStream_t stream); // for functions that wait or query
ttError_t hostStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags);

ttError_t hostEventCreate(ttEvent_t *event, unsigned flags);
ttError_t hostEventRecord(ttEvent_t event, ttStream_t stream);
ttError_t hostEventDone(ttEvent_t event); // an event that was never recorded is complete, as in CUDA
ttError_t hostEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end);
ttError_t hostEventDestroy(ttEvent_t event);

} // namespace tilecc::rt
#endif
