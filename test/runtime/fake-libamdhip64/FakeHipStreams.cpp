//===-- FakeHipStreams.cpp - the fake HIP's streams and events ----------------------------------------------------===//
//
// Work waits in its stream until something needs it. All work has a number. Work of a stream that does not have the
// flag "non-blocking" waits for earlier work of its device's null stream, and the other way round.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "FakeHip.h"

using namespace fake;

namespace {
struct Operation {
  uint64_t number;
  Work work;
};
} // namespace

struct CUstream_st {
  int device;
  bool isBlocking;
  std::deque<Operation> queue = {};
  CUgraph capture = nullptr; // on its way
  bool isOrigin = false;     // it began in this stream
  bool isGlobal = false;
  bool isInvalid = false;             // the capture is
  std::vector<CUgraphNode> last = {}; // the captured nodes that the next one follows
};
struct CUevent_st {
  int device;
  bool isTimed;
  CUstream stream = nullptr; // where it was recorded; null: never
  uint64_t number = 0;       // of the operation
  double milliseconds = 0;   // when it ran
  CUgraph capture = nullptr; // that it was recorded in
  std::vector<CUgraphNode> last = {};
};

// Never destroyed.
static auto &streams = *new std::set<CUstream>;
static auto &events = *new std::set<CUevent>;
static auto &nullStreams = *new std::map<int, CUstream>;
static uint64_t lastNumber = 0;
static double clockTime = 0;                            // each operation takes a millisecond
static auto &failures = *new std::map<int, hipError_t>; // of the devices' kernels, until a call reports them

static CUstream newStream(int device, bool isBlocking) {
  auto *stream = new CUstream_st{device, isBlocking};
  streams.insert(stream);
  return stream;
}

// The stream behind a handle: 0 and 1 are the null stream of the current device, 2 one of the thread.
static CUstream resolve(CUstream stream) {
  auto handle = reinterpret_cast<uintptr_t>(stream);
  if (handle == 2) {
    static thread_local auto &own = *new std::map<int, CUstream>;
    CUstream &result = own[currentDevice];
    return result ? result : result = newStream(currentDevice, /*isBlocking=*/true);
  }
  if (handle > 2)
    return streams.count(stream) ? stream : nullptr;
  CUstream &result = nullStreams[currentDevice];
  return result ? result : result = newStream(currentDevice, /*isBlocking=*/false);
}

static bool isNull(CUstream stream) {
  return nullStreams.count(stream->device) && nullStreams[stream->device] == stream;
}

// Runs a stream's work up to this number.
static void runUntil(CUstream stream, uint64_t number) {
  while (!stream->queue.empty() && stream->queue.front().number <= number) {
    Operation operation = std::move(stream->queue.front());
    stream->queue.pop_front();
    if (isNull(stream)) {
      for (CUstream other : std::set<CUstream>(streams))
        if (other != stream && other->device == stream->device && other->isBlocking)
          runUntil(other, operation.number);
    } else if (stream->isBlocking && nullStreams.count(stream->device)) {
      runUntil(nullStreams[stream->device], operation.number);
    }
    ++clockTime;
    if (hipError_t error = operation.work())
      failures.emplace(stream->device, error);
  }
}

static hipError_t report(int device) {
  auto found = failures.find(device);
  hipError_t error = found == failures.end() ? success : found->second;
  if (error)
    failures.erase(found);
  return error;
}

bool fake::isStream(CUstream stream) { return resolve(stream); }
bool fake::isCaptured(CUstream stream) { return resolve(stream) && resolve(stream)->capture; }
void fake::invalidateCaptures() {
  for (CUstream stream : streams)
    stream->isInvalid |= stream->isGlobal;
}
int fake::deviceOf(CUstream stream) { return resolve(stream)->device; }

hipError_t fake::finish(CUstream handle) {
  CUstream stream = resolve(handle);
  runUntil(stream, lastNumber);
  if (isNull(stream)) // which waits for the others even if it has nothing to do
    for (CUstream other : std::set<CUstream>(streams))
      if (other->device == stream->device && other->isBlocking)
        runUntil(other, lastNumber);
  return report(stream->device);
}

hipError_t fake::finishDevice(int device) {
  for (CUstream stream : std::set<CUstream>(streams))
    if (stream->device == device)
      runUntil(stream, lastNumber);
  return report(device);
}

hipError_t fake::enqueue(const char *function, CUstream handle, Work work,
                         const std::function<void(CUgraph, CUgraphNode *)> &addNode) {
  CUstream stream = resolve(handle);
  if (!stream)
    return wrong(invalidHandle, "%s: there is no stream %p", function, static_cast<void *>(handle));
  if (stream->capture) {
    CUgraphNode node;
    addNode(stream->capture, &node);
    dependOn(node, stream->last);
    stream->last = {node};
    return success;
  }
  if (isNull(stream) && capturing && captureMode != CU_STREAM_CAPTURE_MODE_RELAXED)
    return wrong(906, "%s: work in the null stream during a capture", function); // hipErrorStreamCaptureImplicit
  stream->queue.push_back({++lastNumber, std::move(work)});
  return success;
}

#define STREAM(name)                                                                                                   \
  ENTER(name);                                                                                                         \
  CUstream stream = resolve(handle);                                                                                   \
  if (!stream)                                                                                                         \
  return wrong(invalidHandle, "%s: there is no stream %p", name, static_cast<void *>(handle))
#define EVENT(name)                                                                                                    \
  ENTER(name);                                                                                                         \
  if (!events.count(event))                                                                                            \
  return wrong(invalidHandle, "%s: there is no event %p", name, static_cast<void *>(event))

//===-- Streams ---------------------------------------------------------------------------------------------------===//

FAKE(hipStreamCreateWithFlags)(CUstream *stream, unsigned flags) {
  logCall("hipStreamCreateWithFlags %u", flags);
  ENTER("hipStreamCreateWithFlags");
  *stream = newStream(currentDevice, !(flags & ttStreamNonBlocking));
  return success;
}
FAKE(hipStreamDestroy)(CUstream handle) {
  logCall("hipStreamDestroy");
  STREAM("hipStreamDestroy");
  if (stream != handle)
    return wrong(invalidHandle, "hipStreamDestroy: the stream is built in");
  runUntil(stream, lastNumber);
  for (CUevent event : events)
    if (event->stream == stream)
      event->number = 0;
  streams.erase(stream);
  delete stream;
  return success;
}
FAKE(hipStreamSynchronize)(CUstream handle) {
  logCall("hipStreamSynchronize %p", static_cast<void *>(handle));
  STREAM("hipStreamSynchronize");
  NOT_WHILE_CAPTURING("hipStreamSynchronize");
  return finish(handle);
}
// Lets time pass.
FAKE(hipStreamQuery)(CUstream handle) {
  STREAM("hipStreamQuery");
  if (stream->capture)
    return captureUnsupported;
  if (!stream->queue.empty()) {
    runUntil(stream, stream->queue.front().number);
    return notReady;
  }
  return report(stream->device);
}

// Waits in a stream until an event has happened.
static hipError_t waitFor(CUevent event) {
  if (event->stream && event->number)
    runUntil(event->stream, event->number);
  return success;
}

FAKE(hipStreamWaitEvent)(CUstream handle, CUevent event, unsigned) {
  logCall("hipStreamWaitEvent");
  EVENT("hipStreamWaitEvent");
  CUstream stream = resolve(handle);
  if (!stream)
    return wrong(invalidHandle, "hipStreamWaitEvent: there is no stream %p", static_cast<void *>(handle));
  if (event->capture) {
    if (stream->capture && stream->capture != event->capture)
      return wrong(902, "hipStreamWaitEvent would merge two captures");
    stream->capture = event->capture;
    stream->last.insert(stream->last.end(), event->last.begin(), event->last.end());
    return success;
  }
  CUevent_st now = *event; // later records do not count
  stream->queue.push_back({++lastNumber, [now]() mutable {
                             if (!now.stream || streams.count(now.stream))
                               waitFor(&now);
                             return success;
                           }});
  return success;
}

//===-- Events ----------------------------------------------------------------------------------------------------===//

FAKE(hipEventCreateWithFlags)(CUevent *event, unsigned flags) {
  logCall("hipEventCreateWithFlags %u", flags);
  ENTER("hipEventCreateWithFlags");
  events.insert(*event = new CUevent_st{currentDevice, !(flags & ttEventDisableTiming)});
  return success;
}
FAKE(hipEventRecord)(CUevent event, CUstream handle) {
  logCall("hipEventRecord");
  EVENT("hipEventRecord");
  CUstream stream = resolve(handle);
  if (!stream)
    return wrong(invalidHandle, "hipEventRecord: there is no stream %p", static_cast<void *>(handle));
  if (stream->device != event->device)
    return wrong(invalidHandle, "hipEventRecord: the event is of device %d, the stream of device %d", event->device,
                 stream->device);
  event->capture = stream->capture;
  event->last = stream->last;
  if (stream->capture)
    return success;
  event->stream = stream;
  event->number = ++lastNumber;
  stream->queue.push_back({lastNumber, [event, number = lastNumber] {
                             if (events.count(event) && event->number == number)
                               event->milliseconds = clockTime;
                             return success;
                           }});
  return success;
}
FAKE(hipEventSynchronize)(CUevent event) {
  EVENT("hipEventSynchronize");
  NOT_WHILE_CAPTURING("hipEventSynchronize");
  if (event->capture)
    return wrong(907, "hipEventSynchronize: the event was recorded in a capture");
  waitFor(event);
  return report(event->device);
}
static bool isPending(CUevent event) {
  return event->stream && event->number && streams.count(event->stream) && !event->stream->queue.empty() &&
         event->stream->queue.front().number <= event->number;
}
FAKE(hipEventQuery)(CUevent event) {
  EVENT("hipEventQuery");
  if (!isPending(event))
    return report(event->device);
  runUntil(event->stream, event->stream->queue.front().number);
  return notReady;
}
FAKE(hipEventElapsedTime)(float *milliseconds, CUevent event, CUevent end) {
  EVENT("hipEventElapsedTime");
  if (!events.count(end) || !event->stream || !end->stream || !event->isTimed || !end->isTimed)
    return wrong(invalidHandle, "hipEventElapsedTime: the events were not recorded, or are not timed");
  if (isPending(event) || isPending(end))
    return notReady;
  *milliseconds = static_cast<float>(end->milliseconds - event->milliseconds);
  return success;
}
FAKE(hipEventDestroy)(CUevent event) {
  logCall("hipEventDestroy");
  EVENT("hipEventDestroy");
  events.erase(event);
  delete event;
  return success;
}

//===-- Capture ---------------------------------------------------------------------------------------------------===//

FAKE(hipStreamBeginCapture)(CUstream handle, int mode) {
  logCall("hipStreamBeginCapture mode %d", mode);
  STREAM("hipStreamBeginCapture");
  if (isNull(stream))
    return wrong(captureUnsupported, "hipStreamBeginCapture: the null stream cannot be captured");
  if (stream->capture)
    return wrong(illegalState, "hipStreamBeginCapture: the stream is captured already");
  stream->isOrigin = true;
  stream->isGlobal = mode == 0;
  capturing += stream->isGlobal;
  stream->capture = makeGraph();
  return success;
}
FAKE(hipStreamEndCapture)(CUstream handle, CUgraph *graph) {
  logCall("hipStreamEndCapture");
  STREAM("hipStreamEndCapture");
  *graph = nullptr;
  if (!stream->capture)
    return illegalState;
  if (!stream->isOrigin)
    return wrong(captureUnmatched, "hipStreamEndCapture: the capture began in another stream");
  CUgraph captured = stream->capture;
  bool isJoined = areAllBefore(captured, stream->last), isInvalid = stream->isInvalid;
  capturing -= stream->isGlobal;
  for (CUstream other : streams)
    if (other->capture == captured) {
      other->capture = nullptr;
      other->isOrigin = other->isGlobal = other->isInvalid = false;
      other->last.clear();
    }
  if (isInvalid)
    return captureInvalidated;
  if (!isJoined)
    return wrong(captureUnjoined, "hipStreamEndCapture: a stream of the capture has not been joined");
  *graph = captured;
  return success;
}
FAKE(hipStreamIsCapturing)(CUstream handle, int *status) {
  STREAM("hipStreamIsCapturing");
  *status = stream->isInvalid ? 2 : stream->capture != nullptr;
  return success;
}
FAKE(hipLaunchHostFunc)(CUstream handle, ttHostFn_t function, void *data) {
  logCall("hipLaunchHostFunc stream %p", static_cast<void *>(handle));
  ENTER("hipLaunchHostFunc");
  auto work = [=] {
    function(data);
    return success;
  };
  return enqueue("hipLaunchHostFunc", handle, work,
                 [&](CUgraph graph, CUgraphNode *node) { addWorkNode(graph, node, 3, "host", work); });
}
