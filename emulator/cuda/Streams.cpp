//===- Streams.cpp - streams and events ---------------------------------------------------------------------------===//
//
// Streams and events are only handles, except that events have times.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "State.h"

#include <chrono>

using namespace tilecc::cuda;

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};

using Clock = std::chrono::steady_clock;
struct CUevent_st {
  Clock::time_point time;
  bool isRecorded = false;
};

/// The streams that always exist, null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD, are small numbers.
static bool isDefault(CUstream stream) { return reinterpret_cast<uintptr_t>(stream) <= 2; }

//===--- streams --------------------------------------------------------------------------------------------------===//

DRIVER cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  static std::atomic<unsigned long long> next = 3;
  *stream = new CUstream_st{flags, priority, next++};
  return CUDA_SUCCESS;
}
DRIVER cuStreamCreate(CUstream *stream, unsigned flags) { return cuStreamCreateWithPriority(stream, flags, 0); }
DRIVER cuStreamDestroy(CUstream stream) {
  if (!isDefault(stream))
    delete stream;
  return CUDA_SUCCESS;
}
DRIVER cuStreamSynchronize(CUstream) { return synchronize(); }
DRIVER cuStreamQuery(CUstream) { return synchronize(); }
DRIVER cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  waitInCapture(stream, event);
  return CUDA_SUCCESS;
}
DRIVER cuStreamGetFlags(CUstream stream, unsigned *flags) {
  *flags = isDefault(stream) ? 0 : stream->flags;
  return CUDA_SUCCESS;
}
DRIVER cuStreamGetPriority(CUstream stream, int *priority) {
  *priority = isDefault(stream) ? 0 : stream->priority;
  return CUDA_SUCCESS;
}
DRIVER cuStreamGetId(CUstream stream, unsigned long long *id) {
  *id = isDefault(stream) ? reinterpret_cast<uintptr_t>(stream) : stream->id;
  return CUDA_SUCCESS;
}
DRIVER cuStreamAddCallback(CUstream stream, CUstreamCallback function, void *data, unsigned) {
  return submit(stream, [=] {
    function(stream, CUDA_SUCCESS, data);
    return CUDA_SUCCESS;
  });
}

//===--- events ---------------------------------------------------------------------------------------------------===//

DRIVER cuEventCreate(CUevent *event, unsigned) {
  *event = new CUevent_st;
  return CUDA_SUCCESS;
}
DRIVER cuEventDestroy(CUevent event) {
  delete event;
  return CUDA_SUCCESS;
}
DRIVER cuEventRecord(CUevent event, CUstream stream) {
  if (!recordInCapture(event, stream))
    *event = {Clock::now(), true};
  return CUDA_SUCCESS;
}
DRIVER cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned) { return cuEventRecord(event, stream); }
DRIVER cuEventSynchronize(CUevent) { return synchronize(); }
DRIVER cuEventQuery(CUevent) { return synchronize(); }
DRIVER cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  if (!from->isRecorded || !to->isRecorded)
    return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return CUDA_SUCCESS;
}
#if CUDA_VERSION >= 12080 // the header declares only the newest form, and programs call either
#undef cuEventElapsedTime
DRIVER cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to) {
  return cuEventElapsedTime_v2(milliseconds, from, to);
}
#endif
