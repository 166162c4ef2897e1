//===-- HostCapture.h - capture of streams of devices that run on the host -------------------------------------===//
//
// The rules are CUDA's, so that a program that captures well here does so on a GPU: a stream is captured from
// ttStreamBeginCapture on, or from when it waits for an event that was recorded in a captured stream; its work depends
// on what came before in it and on what such events stand for; all that was captured along must have been joined at the
// end.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_HOSTCAPTURE_H
#define TILECC_RUNTIME_HOSTCAPTURE_H

#include "HostGraph.h"
#include "HostStreams.h"

namespace tilecc::rt {

struct HostStream;

// A capture on its way. Copies of the runtime in one process share it through streams.
struct HostCapture {
  Mutex lock;
  HostGraph *graph;            // owned until the end; under the lock
  HostStream *origin;          // not owned
  Array<HostStream *> streams; // in it, not owned; under the lock
  ttStreamCaptureMode mode;
  pthread_t thread;            // that began it
  unsigned long long number;   // never given twice in this copy of the runtime
  std::atomic<bool> invalid;
  HostCapture *next;           // on the list of captures
};

struct HostStream {
  ttDeviceKind device;
  unsigned flags;
  std::atomic<HostCapture *> capture; // not owned; null: none
  Array<size_t> last;                 // owned; nodes that the next one depends on; under the capture's lock
};

struct HostEvent {
  ttDeviceKind device;
  unsigned flags;
  std::atomic<uint64_t> recorded; // nanoseconds on the monotonic clock, 0 before
  HostCapture *capture;           // that it was recorded in, perhaps gone since, or null; not owned
  unsigned long long number;      // of that capture
  Array<size_t> last;             // owned; nodes that it stands for
};

// The stream or event of a handle of the current device's; null if it is none, which is recorded, and for streams that
// exist always and are not captured.
HostStream *hostStream(ttStream_t stream);

// Whether the stream is captured. Of valid streams.
bool isCapturing(ttStream_t stream);

// Fails, and loses the capture, if some stream is captured in a way that forbids the calling thread this call.
ttError_t refuseWhileCapturing(const char *call);

// Fails, and the stream's capture is lost: `what` is not possible in it.
ttError_t loseCapture(HostStream &stream, const char *what);

// Adds work to the capture of a stream.
ttError_t captureWork(ttStream_t stream, ttError_t (*run)(const void *data), const void *data, size_t bytes);
ttError_t captureGraph(ttStream_t stream, const HostGraph &graph);
// Records, or waits for, an event in a captured stream.
ttError_t captureEvent(HostStream &stream, HostEvent &event);
ttError_t captureWait(HostStream &stream, HostEvent &event);
// Whether waiting for the event means to join a capture; fails if that capture is over.
ttError_t isCaptured(const HostEvent &event, bool *captured);

ttError_t hostBeginCapture(ttStream_t stream, ttStreamCaptureMode mode);
ttError_t hostEndCapture(ttStream_t stream, ttGraph_t *graph);
ttError_t hostIsCapturing(ttStream_t stream, ttStreamCaptureStatus *status);
ttError_t hostExchangeMode(ttStreamCaptureMode *mode);

// checkHostStream, and fails if work in the legacy stream would have to wait for what is captured.
ttError_t checkHostStreamForWork(ttStream_t stream);

// Does the work of a call in a stream, or has it captured. A Work is copied byte by byte and runs any number of times.
template <class Work> ttError_t runOrCapture(ttStream_t stream, const Work &work) {
  if (ttError_t error = checkHostStreamForWork(stream))
    return error;
  if (__builtin_expect(!isCapturing(stream), true))
    return work.run();
  return captureWork(stream, runWork<Work>, &work, sizeof(Work));
}

} // namespace tilecc::rt
#endif
