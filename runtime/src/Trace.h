//===-- Trace.h - the file of TILECC_TRACE and TILECC_PROFILE -----------------------------------------------------===//
//
// Events are written in Chrome's trace format, one per line. Several copies of the runtime, and forked children, may
// write to the same file: each line is appended in one piece, and the format does not require the closing bracket of
// the array.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_TRACE_H
#define TILECC_RUNTIME_TRACE_H

#include "Support.h"

namespace tilecc::rt {

// Opens the file that TILECC_PROFILE or TILECC_TRACE names, and sets *profiles to true if it was the former. Returns
// false if neither is set, or if the file cannot be written, which is reported on standard error. Called once.
bool openTrace(bool *profiles);

// Returns the current time on the clock of the trace.
uint64_t traceNanoseconds();

// Records an event in the row of the calling thread, or in the row `lane`, which laneOfStream() has returned. `details`
// is the inside of a JSON object, or null.
void traceEvent(const char *category, const char *name, uint64_t begin, uint64_t end, const char *details,
                uint64_t lane = 0);

// Returns the row for a stream of a device, and names the row at the first call. The number of such rows is limited by
// a small table.
uint64_t laneOfStream(int device, const void *stream);

// Returns the row for a warp of a thread block on a GPU, and names it.
uint64_t laneOfWarp(const uint32_t (&block)[3], uint32_t warp, const char *name);

// Escapes a text for a JSON string, and truncates it if it is too long. Returns `escaped`.
const char *escapeForTrace(const char *text, char *escaped, size_t size);

} // namespace tilecc::rt
#endif
