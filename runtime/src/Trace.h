//===-- Trace.h - the file of TILECC_TRACE ----------------------------------------------------------------------===//
//
// Events in the format of Chrome's tracing, one a line. Several copies of the runtime and forked children may write to
// one file: lines are appended whole, and the array they are in needs no end.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TRACE_H
#define TILECC_RUNTIME_TRACE_H

#include "Support.h"

namespace tilecc::rt {

// Whether TILECC_TRACE names a file that can be written; opens it. Says on standard error why not. Once.
bool openTrace();

// On the clock of the trace.
uint64_t traceNanoseconds();

// Something in the calling thread, or in a lane that nameLane has made; `details` is the inside of a JSON object, or
// null.
void traceEvent(const char *category, const char *name, uint64_t begin, uint64_t end, const char *details,
                uint64_t lane = 0);

// A lane for a stream of a device, which gets its name at the first call; as many as fit in a small table.
uint64_t laneOfStream(int device, const void *stream);

} // namespace tilecc::rt
#endif
