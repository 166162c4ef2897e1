//===-- Trace.h - the file of TILECC_TRACE and TILECC_PROFILE -----------------------------------------------------===//
//
// Events in Chrome's trace format, one per line. Several copies of the runtime and forked children may write to the
// same file: lines are appended whole, and the format does not require the closing bracket of the array.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TRACE_H
#define TILECC_RUNTIME_TRACE_H

#include "Support.h"

namespace tilecc::rt {

// Opens the file that TILECC_PROFILE or TILECC_TRACE names, and sets *profiles if it is the former. Returns false if
// there is none, or if it cannot be written, which is reported on standard error. Called once.
bool openTrace(bool *profiles);

// The current time on the trace's clock.
uint64_t traceNanoseconds();

// Records an event in the calling thread, or in a lane made by laneOfStream(); `details` is the inside of a JSON
// object, or null.
void traceEvent(const char *category, const char *name, uint64_t begin, uint64_t end, const char *details,
                uint64_t lane = 0);

// Returns the lane of a device's stream, and names it at the first call. The number of lanes is limited by a small
// table.
uint64_t laneOfStream(int device, const void *stream);

// Returns the lane of a warp of a GPU's thread block, and gives it a name.
uint64_t laneOfWarp(const uint32_t (&block)[3], uint32_t warp, const char *name);

// Escapes text for a JSON string; truncates text that is too long. Returns `escaped`.
const char *escapeForTrace(const char *text, char *escaped, size_t size);

} // namespace tilecc::rt
#endif
