//===-- HostCapture.cpp - capture of streams of devices that run on the host -----------------------------------===//
//
// Functions that take a stream or are forbidden during a capture call this code.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "HostCapture.h"
#include "Device.h"
#include "Error.h"
#include "Fork.h"
#include "HostStreams.h"

using namespace tilecc::rt;

static constinit Mutex capturesLock;
static constinit HostCapture *captures = nullptr;         // owned; under the lock
static constinit std::atomic<unsigned> captureCount{0};   // number of captures, for a check without the lock
static constinit unsigned long long lastNumber = 0;       // under the lock
static thread_local ttStreamCaptureMode modeOfThread = ttStreamCaptureModeGlobal;

ttError_t tilecc::rt::loseCapture(HostStream &stream, const char *what) {
  if (HostCapture *capture = stream.capture.load())
    capture->invalid = true;
  return fail(ttErrorStreamCaptureUnsupported, "%s is not possible while the stream is captured; the capture is lost",
              what);
}

ttError_t tilecc::rt::refuseWhileCapturing(const char *call) {
  if (__builtin_expect(captureCount.load(std::memory_order_relaxed) == 0, true))
    return ttSuccess;
  Lock lock(capturesLock);
  bool refused = false;
  for (HostCapture *capture = captures; capture; capture = capture->next) {
    // The capture and the thread each have a mode. The more permissive one applies.
    ttStreamCaptureMode mode = capture->mode > modeOfThread ? capture->mode : modeOfThread;
    if (mode == ttStreamCaptureModeGlobal ||
        (mode == ttStreamCaptureModeThreadLocal && pthread_equal(capture->thread, pthread_self())))
      refused = capture->invalid = true;
  }
  return refused ? fail(ttErrorStreamCaptureUnsupported,
                        "%s is not possible while a stream is captured; the capture is lost", call)
                 : ttSuccess;
}

ttError_t tilecc::rt::checkHostStreamForWork(ttStream_t handle) {
  if (ttError_t error = checkHostStream(handle))
    return error;
  if (__builtin_expect(captureCount.load(std::memory_order_relaxed) == 0, true) || (handle && handle != ttStreamLegacy))
    return ttSuccess;
  Lock lock(capturesLock);
  bool refused = false;
  for (HostCapture *capture = captures; capture; capture = capture->next)
    if (!(capture->origin->flags & ttStreamNonBlocking))
      refused = capture->invalid = true;
  return refused ? fail(ttErrorStreamCaptureImplicit,
                        "work in the default stream would wait for a stream that is captured; the "
                        "capture is lost. Use another stream, or one made with ttStreamNonBlocking")
                 : ttSuccess;
}

// Returns the capture of a captured stream, if it is still valid.
static ttError_t validCapture(const HostStream &stream, HostCapture **capture) {
  *capture = stream.capture.load(std::memory_order_acquire);
  return (*capture)->invalid
             ? fail(ttErrorStreamCaptureInvalidated, "the stream's capture was lost by an earlier error")
             : ttSuccess;
}

// Makes the stream's next node depend on `node`.
static ttError_t setLast(HostStream &stream, const HostNode *node) {
  stream.last.size = 0;
  if (node && stream.last.append(node->index))
    return ttSuccess;
  stream.capture.load()->invalid = true;
  return node ? fail(ttErrorMemoryAllocation, "not enough memory for the capture") : ttPeekAtLastError();
}

ttError_t tilecc::rt::captureWork(ttStream_t handle, ttError_t (*run)(const void *data), const void *data,
                                  size_t bytes) {
  HostStream &stream = *hostStream(handle);
  HostCapture *capture;
  if (ttError_t error = validCapture(stream, &capture))
    return error;
  Lock lock(capture->lock);
  return setLast(stream, addHostNode(*capture->graph, stream.last, run, data, bytes));
}

ttError_t tilecc::rt::captureGraph(ttStream_t handle, const HostGraph &graph) {
  HostStream &stream = *hostStream(handle);
  HostCapture *capture;
  if (ttError_t error = validCapture(stream, &capture))
    return error;
  Lock lock(capture->lock);
  return setLast(stream, addHostNodesOf(*capture->graph, stream.last, graph));
}

ttError_t tilecc::rt::captureEvent(HostStream &stream, HostEvent &event) {
  HostCapture *capture;
  if (ttError_t error = validCapture(stream, &capture))
    return error;
  Lock lock(capture->lock);
  event.last.size = 0;
  if (!event.last.append(stream.last))
    return fail(ttErrorMemoryAllocation, "not enough memory for the capture");
  event.capture = capture;
  event.number = capture->number;
  return ttSuccess;
}

ttError_t tilecc::rt::isCaptured(const HostEvent &event, bool *captured) {
  if (!(*captured = event.capture))
    return ttSuccess;
  Lock lock(capturesLock);
  for (HostCapture *capture = captures; capture; capture = capture->next)
    if (capture == event.capture && capture->number == event.number)
      return ttSuccess;
  return fail(ttErrorCapturedEvent, "the event was recorded in a capture that has ended");
}

ttError_t tilecc::rt::captureWait(HostStream &stream, HostEvent &event) {
  HostCapture *capture = event.capture, *own = stream.capture.load();
  if (capture->invalid)
    return fail(ttErrorStreamCaptureInvalidated, "the event's capture was lost by an earlier error");
  if (own && own != capture) {
    own->invalid = capture->invalid = true;
    return fail(ttErrorStreamCaptureMerge, "the event was recorded in another capture, not in that of the stream");
  }
  Lock lock(capture->lock);
  if (!stream.last.append(event.last) || (!own && !capture->streams.append(&stream))) {
    capture->invalid = true;
    return fail(ttErrorMemoryAllocation, "not enough memory for the capture");
  }
  stream.capture.store(capture, std::memory_order_release);
  return ttSuccess;
}

ttError_t tilecc::rt::hostBeginCapture(ttStream_t handle, ttStreamCaptureMode mode) {
  if (ttError_t error = checkHostStream(handle))
    return error;
  HostStream *stream = hostStream(handle);
  if (!stream)
    return fail(ttErrorStreamCaptureUnsupported, "the legacy stream cannot be captured; use one of ttStreamCreate's");
  if (stream->capture.load())
    return fail(ttErrorIllegalState, "the stream is captured already");
  auto *capture = static_cast<HostCapture *>(calloc(1, sizeof(HostCapture)));
  HostGraph *graph = newHostGraph();
  if (!capture || !graph || !capture->streams.append(stream)) {
    free(capture);
    if (graph)
      freeHostGraph(graph);
    return fail(ttErrorMemoryAllocation, "not enough memory for a capture");
  }
  capture->lock = Mutex();
  capture->graph = graph;
  capture->origin = stream;
  capture->mode = mode;
  capture->thread = pthread_self();
  stream->last.size = 0;
  Lock lock(capturesLock);
  capture->number = ++lastNumber;
  capture->next = captures;
  captures = capture;
  ++captureCount;
  stream->capture.store(capture, std::memory_order_release);
  return ttSuccess;
}

// Returns true if all captured work precedes the end of the origin stream.
static bool isJoined(const HostCapture &capture) {
  size_t count = capture.graph->nodes.size;
  auto *before = static_cast<bool *>(calloc(count + 1, sizeof(bool)));
  if (!before)
    return false;
  for (size_t node : capture.origin->last)
    before[node] = true;
  bool joined = true;
  for (size_t i = count; i-- > 0;) {
    joined &= before[i];
    for (size_t node : capture.graph->nodes[i]->after)
      before[node] |= before[i];
  }
  free(before);
  return joined;
}

static void endCapture(HostCapture *capture) {
  {
    Lock lock(capturesLock);
    HostCapture **link = &captures;
    while (*link != capture)
      link = &(*link)->next;
    *link = capture->next;
    --captureCount;
  }
  for (HostStream *stream : capture->streams) {
    stream->last.clear();
    stream->capture = nullptr;
  }
  capture->streams.clear();
  free(capture);
}

ttError_t tilecc::rt::hostEndCapture(ttStream_t handle, ttGraph_t *result) {
  *result = nullptr;
  if (ttError_t error = checkHostStream(handle))
    return error;
  HostStream *stream = hostStream(handle);
  HostCapture *capture = stream ? stream->capture.load() : nullptr;
  if (!capture)
    return fail(ttErrorIllegalState, "the stream is not captured");
  if (capture->mode != ttStreamCaptureModeRelaxed && !pthread_equal(capture->thread, pthread_self()))
    return fail(ttErrorStreamCaptureWrongThread, "the capture was begun by another thread");
  if (capture->origin != stream) {
    capture->invalid = true;
    return fail(ttErrorStreamCaptureUnmatched, "the capture was begun in another stream, and joined by this one");
  }
  HostGraph *graph = capture->graph;
  bool invalid = capture->invalid, joined = isJoined(*capture);
  endCapture(capture);
  if (!invalid && joined) {
    *result = hostGraphHandle(graph);
    return ttSuccess;
  }
  freeHostGraph(graph);
  if (invalid)
    return fail(ttErrorStreamCaptureInvalidated, "the capture was lost by an earlier error");
  return fail(
      ttErrorStreamCaptureUnjoined,
      "work was captured in a stream that the first one does not wait for: record an event there, and wait for it");
}

ttError_t tilecc::rt::hostExchangeMode(ttStreamCaptureMode *mode) {
  ttStreamCaptureMode before = modeOfThread;
  modeOfThread = *mode;
  *mode = before;
  return ttSuccess;
}

ttError_t tilecc::rt::hostIsCapturing(ttStream_t handle, ttStreamCaptureStatus *status) {
  if (ttError_t error = checkHostStream(handle))
    return error;
  HostStream *stream = hostStream(handle);
  HostCapture *capture = stream ? stream->capture.load() : nullptr;
  *status = !capture           ? ttStreamCaptureStatusNone
            : capture->invalid ? ttStreamCaptureStatusInvalidated
                               : ttStreamCaptureStatusActive;
  return ttSuccess;
}

void tilecc::rt::lockCapturesForFork() { capturesLock.lock(); }

// The child continues the captures of its single thread. Captures of other threads will never end and must not restrict
// the child.
void tilecc::rt::unlockCapturesAfterFork(bool inChild) {
  for (HostCapture **link = &captures; inChild && *link;)
    if (pthread_equal((*link)->thread, pthread_self())) {
      link = &(*link)->next;
    } else {
      *link = (*link)->next;
      --captureCount;
    }
  capturesLock.unlock();
}
