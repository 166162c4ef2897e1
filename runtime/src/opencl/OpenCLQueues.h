//===-- OpenCLQueues.h - streams and events of an OpenCL device ---------------------------------------------------===//
//
// A stream is an in-order queue, so streams overlap if the device runs several queues at the same time. Work in the
// legacy stream follows the work of all other streams (except those that do not block), and precedes their later work,
// as in CUDA. ttStreamPerThread is the legacy stream.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_OPENCLQUEUES_H
#define TILECC_RUNTIME_OPENCLQUEUES_H

#include "opencl/OpenCLDriver.h"

namespace tilecc::rt {

// What an OpenCL stream has in addition to HostStream.
struct OpenCLQueue {
  cl_command_queue queue; // owned; null until work is enqueued
  cl_event last; // owned; the last command; null if there is none
  bool isBlocking;
  OpenCLQueue *next; // on the list of queues that have had work
};

// What an OpenCL event has in addition to HostEvent: the marker of its record. Owned; null if it has not been recorded.
struct OpenCLEvent {
  cl_event marker;
};

// A command to be enqueued; see enqueueOpenCL().
struct OpenCLCommand {
  const char *function; // for messages
  cl_int (*enqueue)(const void *data, cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *event);
  const void *data;
};

// Enqueues a command in the stream of the thread's work (HostStreams.h). A call that waits, or that is observed,
// returns when the command has completed; a command with `waits` always does.
ttError_t enqueueOpenCL(const OpenCLCommand &command, bool waits);

// Does the same for a function object that gets the queue, the number of events that precede the command, these events,
// and the place of the new event.
template <class Command> ttError_t enqueueOpenCL(const char *function, bool waits, const Command &command) {
  return enqueueOpenCL(
      {function,
       [](const void *data, cl_command_queue queue, cl_uint count, const cl_event *before, cl_event *event) {
         return (*static_cast<const Command *>(data))(queue, count, before, event);
       },
       &command},
      waits);
}

// Waits for all work of the device.
ttError_t finishOpenCL();
// Waits for the work of a stream, which is valid.
ttError_t finishOpenCLStream(ttStream_t stream);

// These functions implement the functions of DeviceKind with these names.
ttError_t openclStreamDestroy(ttStream_t stream);
ttError_t openclStreamSynchronize(ttStream_t stream);
ttError_t openclStreamQuery(ttStream_t stream);
ttError_t openclStreamWaitEvent(ttStream_t stream, ttEvent_t event, unsigned flags);
ttError_t openclEventRecord(ttEvent_t event, ttStream_t stream);
ttError_t openclEventSynchronize(ttEvent_t event);
ttError_t openclEventQuery(ttEvent_t event);
ttError_t openclEventElapsedTime(float *milliseconds, ttEvent_t start, ttEvent_t end);
ttError_t openclEventDestroy(ttEvent_t event);

} // namespace tilecc::rt
#endif
