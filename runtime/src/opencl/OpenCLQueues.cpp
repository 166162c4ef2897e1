//===-- OpenCLQueues.cpp -----------------------------------------------------------------------------------------===//
//
// Every command has an event. The last event of a queue orders the legacy stream and other streams, and tells whether a
// stream is done. HostStreams.cpp checks handles and captures.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "opencl/OpenCLQueues.h"
#include "Array.h"
#include "Error.h"
#include "HostCapture.h"
#include "Watch.h"

using namespace tilecc::rt;

// The lock guards the list, and the queues and their last events. Commands are enqueued under it, so that all threads
// see the same order.
static constinit Mutex queuesLock;
static constinit OpenCLQueue legacy = {nullptr, nullptr, /*isBlocking=*/true, nullptr};
static constinit OpenCLQueue *queues = nullptr; // without `legacy`

static OpenCLQueue &queueOf(ttStream_t handle) {
  if (handle == ttStreamPerThread)
    return legacy;
  HostStream *stream = hostStream(handle);
  return stream ? *static_cast<OpenCLQueue *>(ownPart(stream)) : legacy;
}

static OpenCLEvent &eventOf(ttEvent_t event) { return *static_cast<OpenCLEvent *>(ownPart(hostEvent(event))); }

static void replace(cl_event &slot, cl_event event) {
  if (slot)
    opencl.clReleaseEvent(slot);
  slot = event;
}

static ttError_t createQueue(OpenCLQueue &queue, bool isBlocking) {
  const cl_bitfield properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_int error;
  queue.queue = opencl.clCreateCommandQueueWithProperties(opencl.context, opencl.device, properties, &error);
  if (error)
    return failOpenCL(error, "clCreateCommandQueueWithProperties");
  queue.isBlocking = isBlocking;
  if (&queue != &legacy) {
    queue.next = queues;
    queues = &queue;
  }
  return ttSuccess;
}

// Collects the events of other queues that precede a new command in `queue`.
static bool collectBefore(const OpenCLQueue &queue, Array<cl_event> &before) {
  if (&queue != &legacy)
    return !queue.isBlocking || !legacy.last || before.append(legacy.last);
  for (const OpenCLQueue *other = queues; other; other = other->next)
    if (other->isBlocking && other->last && !before.append(other->last))
      return false;
  return true;
}

// Enqueues a command in a stream. `*event` is a new reference to the command's event.
static ttError_t enqueueIn(ttStream_t stream, const OpenCLCommand &command, cl_event *event) {
  const HostStream *host = hostStream(stream);
  Lock lock(queuesLock);
  OpenCLQueue &queue = queueOf(stream);
  if (!queue.queue)
    if (ttError_t error = createQueue(queue, !host || !(host->flags & ttStreamNonBlocking)))
      return error;
  Array<cl_event> before = {};
  if (!collectBefore(queue, before)) {
    before.clear();
    return fail(ttErrorMemoryAllocation, "not enough memory to start work in a stream");
  }
  cl_int error = command.enqueue(command.data, queue.queue, before.size, before.size ? before.data : nullptr, event);
  before.clear();
  if (error)
    return failOpenCL(error, command.function);
  OPENCL_TRY(clRetainEvent, *event);
  replace(queue.last, *event);
  OPENCL_TRY(clFlush, queue.queue); // commands of other queues may wait for this one
  return ttSuccess;
}

// Waits for an event and releases it. `event` may be null.
static ttError_t waitFor(cl_event event) {
  if (!event)
    return ttSuccess;
  cl_int error = opencl.clWaitForEvents(1, &event), status = 0;
  opencl.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  opencl.clReleaseEvent(event);
  if (status < 0) // the reason why a command failed
    return failOpenCL(status, "work of the device");
  return error ? failOpenCL(error, "clWaitForEvents") : ttSuccess;
}

// Returns ttErrorNotReady, without recording it, if the event has not completed. `event` may be null.
static ttError_t query(cl_event event) {
  if (!event)
    return ttSuccess;
  cl_int status = 0;
  OPENCL_TRY(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr);
  if (status < 0)
    return failOpenCL(status, "work of the device");
  return status == CL_COMPLETE ? ttSuccess : ttErrorNotReady;
}

// Returns a new reference to the last event of a queue, or null.
static cl_event lastOf(const OpenCLQueue &queue) {
  if (queue.last)
    opencl.clRetainEvent(queue.last);
  return queue.last;
}

ttError_t tilecc::rt::enqueueOpenCL(const OpenCLCommand &command, bool waits) {
  if (ttError_t error = refuseOpenCLAfterFork())
    return error;
  cl_event event;
  if (ttError_t error = enqueueIn(workStream ? *workStream : nullptr, command, &event))
    return error;
  if (waits || !workStream || isWatched()) // what is observed takes as long as its call
    return waitFor(event);
  opencl.clReleaseEvent(event);
  return ttSuccess;
}

ttError_t tilecc::rt::finishOpenCLStream(ttStream_t stream) {
  cl_event last;
  {
    Lock lock(queuesLock);
    last = lastOf(queueOf(stream));
  }
  return waitFor(last);
}

ttError_t tilecc::rt::finishOpenCL() {
  Array<cl_event> all = {};
  bool isComplete = true;
  {
    Lock lock(queuesLock);
    if (cl_event last = lastOf(legacy))
      isComplete &= all.append(last);
    for (const OpenCLQueue *queue = queues; queue; queue = queue->next)
      if (cl_event last = lastOf(*queue))
        isComplete &= all.append(last);
  }
  ttError_t result = isComplete ? ttSuccess : fail(ttErrorMemoryAllocation, "not enough memory to wait for streams");
  for (cl_event event : all)
    if (ttError_t error = waitFor(event))
      result = error;
  all.clear();
  return result;
}

//===-- Streams -------------------------------------------------------------------------------------------------===//

// Waits for the work of the stream, which CUDA does not, since the legacy stream orders itself after this work.
ttError_t tilecc::rt::openclStreamDestroy(ttStream_t handle) {
  HostStream *stream = handle == ttStreamPerThread ? nullptr : hostStream(handle);
  if (stream && !isCapturing(handle)) {
    if (ttError_t error = finishOpenCLStream(handle))
      return error;
    Lock lock(queuesLock);
    auto &queue = *static_cast<OpenCLQueue *>(ownPart(stream));
    for (OpenCLQueue **link = &queues; *link; link = &(*link)->next)
      if (*link == &queue) {
        *link = queue.next;
        break;
      }
    replace(queue.last, nullptr);
    if (queue.queue)
      opencl.clReleaseCommandQueue(queue.queue);
    queue = {};
  }
  return hostStreamDestroy(handle);
}

ttError_t tilecc::rt::openclStreamSynchronize(ttStream_t stream) {
  if (ttError_t error = hostStreamDone(stream))
    return error;
  return finishOpenCLStream(stream);
}

ttError_t tilecc::rt::openclStreamQuery(ttStream_t stream) {
  if (ttError_t error = hostStreamDone(stream))
    return error;
  Lock lock(queuesLock);
  return query(queueOf(stream).last);
}

ttError_t tilecc::rt::openclStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags) {
  if (ttError_t error = hostStreamWaitEvent(stream, event, flags))
    return error;
  cl_event marker = eventOf(event).marker;
  if (!marker || isCapturing(stream))
    return ttSuccess;
  InStream in(stream);
  return enqueueOpenCL("clEnqueueBarrierWithWaitList", /*waits=*/false,
                       [&](cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *result) {
                         Array<cl_event> all = {};
                         bool isComplete = all.append(marker);
                         for (cl_uint i = 0; i < count; ++i)
                           isComplete &= all.append(before[i]);
                         cl_int error = isComplete ? opencl.clEnqueueBarrierWithWaitList(
                                                         queue, static_cast<cl_uint>(all.size), all.data, result)
                                                   : CL_OUT_OF_HOST_MEMORY;
                         all.clear();
                         return error;
                       });
}

//===-- Events --------------------------------------------------------------------------------------------------===//

ttError_t tilecc::rt::openclEventRecord(ttEvent_t handle, ttStream_t stream) {
  if (ttError_t error = hostEventRecord(handle, stream))
    return error;
  OpenCLEvent &event = eventOf(handle);
  if (isCapturing(stream)) {
    replace(event.marker, nullptr);
    return ttSuccess;
  }
  auto mark = [](const void *, cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *event) {
    return opencl.clEnqueueMarkerWithWaitList(queue, count, before, event);
  };
  cl_event marker;
  if (ttError_t error = enqueueIn(stream, {"clEnqueueMarkerWithWaitList", mark, nullptr}, &marker))
    return error;
  replace(event.marker, marker);
  return ttSuccess;
}

ttError_t tilecc::rt::openclEventSynchronize(ttEvent_t event) {
  if (ttError_t error = hostEventDone(event))
    return error;
  cl_event marker = eventOf(event).marker;
  if (marker)
    OPENCL_TRY(clRetainEvent, marker);
  return waitFor(marker);
}

ttError_t tilecc::rt::openclEventQuery(ttEvent_t event) {
  if (ttError_t error = hostEventDone(event))
    return error;
  return query(eventOf(event).marker);
}

ttError_t tilecc::rt::openclEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end) {
  if (ttError_t error = hostEventElapsedTime(milliseconds, start, end)) // checks both
    return error;
  cl_ulong times[2] = {};
  ttEvent_t events[2] = {start, end};
  for (int i = 0; i < 2; ++i) {
    cl_event marker = eventOf(events[i]).marker;
    if (ttError_t error = query(marker))
      return error == ttErrorNotReady ? fail(error, "an event has not been reached yet") : error;
    OPENCL_TRY(clGetEventProfilingInfo, marker, CL_PROFILING_COMMAND_END, sizeof(cl_ulong), &times[i], nullptr);
  }
  *milliseconds = static_cast<float>(static_cast<double>(static_cast<int64_t>(times[1] - times[0])) * 1e-6);
  return ttSuccess;
}

ttError_t tilecc::rt::openclEventDestroy(ttEvent_t event) {
  if (ttError_t error = checkHostEvent(event))
    return error;
  replace(eventOf(event).marker, nullptr);
  return hostEventDestroy(event);
}
