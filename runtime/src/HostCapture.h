//===-- HostCapture.h - stream capture for devices that run on the host ----------------------------------------===//
//
// The rules of stream capture are CUDA's, so that a program that captures correctly here also does so on a GPU. A
// stream is captured from ttStreamBeginCapture on, or from the time when it waits for an event that was recorded in a
// captured stream. Captured work depends on the earlier work in its stream, and on the work that precedes events for
// which the stream has waited. At the end of the capture, all captured streams must have been joined.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTCAPTURE_H
#define TILECC_RUNTIME_HOSTCAPTURE_H

#include "HostGraph.h"
#include "HostStreams.h"

namespace tilecc::rt {

struct HostStream;

// A capture that is in progress. The copies of the runtime in a process share it through the streams.
struct HostCapture {
  Mutex lock;
  HostGraph *graph; // owned until the capture ends; used under the lock
  HostStream *origin; // not owned
  Array<HostStream *> streams; // the captured streams, not owned; under the lock
  ttStreamCaptureMode mode;
  pthread_t thread; // the thread that began the capture
  unsigned long long number; // unique in this copy of the runtime
  std::atomic<bool> invalid;
  HostCapture *next; // on the list of captures
};

struct HostStream {
  ttDeviceKind device;
  unsigned flags;
  std::atomic<HostCapture *> capture; // not owned; null: not captured
  Array<size_t> last; // owned; dependencies of the next node; under the capture's lock
};

struct HostEvent {
  ttDeviceKind device;
  unsigned flags;
  std::atomic<uint64_t> recorded; // nanoseconds on the monotonic clock; 0: never
  HostCapture *capture; // the capture in which it was recorded, possibly gone, or null; not owned
  unsigned long long number; // that capture's number
  Array<size_t> last; // owned; the nodes that precede it
};

// Returns the stream that a handle of the current device stands for. Returns null after recording an error if there is
// none. Also returns null for a built-in stream that is not captured.
HostStream *hostStream(ttStream_t stream);

// Returns the event that a handle stands for, or null if it is not one of the current device.
HostEvent *hostEvent(ttEvent_t event);

// Returns what follows a stream or an event that was created: HostPrimitives::streamBytes or eventBytes.
template <class Object> void *ownPart(Object *object) { return object + 1; }

// Returns true if the stream, which must be valid, is being captured.
bool isCapturing(ttStream_t stream);

// If a capture in progress forbids this call in the calling thread, fails, and invalidates the capture.
ttError_t refuseWhileCapturing(const char *call);

// Fails and invalidates the stream's capture, because `what` is not allowed in it.
ttError_t loseCapture(HostStream &stream, const char *what);

// Adds work to the capture of a stream.
ttError_t captureWork(ttStream_t stream, ttError_t (*run)(const void *data), const void *data, size_t bytes);
ttError_t captureGraph(ttStream_t stream, const HostGraph &graph);
// Records an event, or waits for one, in a captured stream.
ttError_t captureEvent(HostStream &stream, HostEvent &event);
ttError_t captureWait(HostStream &stream, HostEvent &event);
// Sets *captured to true if waiting for the event would join a capture. Fails if that capture has ended.
ttError_t isCaptured(const HostEvent &event, bool *captured);

ttError_t hostBeginCapture(ttStream_t stream, ttStreamCaptureMode mode);
ttError_t hostEndCapture(ttStream_t stream, ttGraph_t *graph);
ttError_t hostIsCapturing(ttStream_t stream, ttStreamCaptureStatus *status);
ttError_t hostExchangeMode(ttStreamCaptureMode *mode);

// Does what checkHostStream() does, but also fails if work in the legacy stream would wait for captured work.
ttError_t checkHostStreamForWork(ttStream_t stream);

// Performs the work of a call in a stream, or captures it if the stream is captured. A Work is trivially copyable, and
// may be run any number of times.
template <class Work> ttError_t runOrCapture(ttStream_t stream, const Work &work) {
  if (ttError_t error = checkHostStreamForWork(stream))
    return error;
  if (__builtin_expect(!isCapturing(stream), true)) {
    InStream in(stream);
    return work.run();
  }
  return captureWork(stream, runWork<Work>, &work, sizeof(Work));
}

} // namespace tilecc::rt
#endif
