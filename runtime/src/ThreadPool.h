//===-- ThreadPool.h - the threads of devices that run on the host ---------------------------------------------===//
//
// Programs of a grid are independent of each other, and all a pool has to do is to hand out ranges of their numbers.
// Ours is small and has three properties that oneTBB and libgomp lack: it works in a forked child, ThreadSanitizer sees
// through it, and it is no run-time dependency of other people's programs.
//
// The caller takes part in its own work, so that a launch always ends, also with no worker to help: in a child before
// its workers are started, at exit when they have been stopped, or nested in another launch. Workers look for the next
// job for some microseconds before they sleep, since launches come in rows.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_THREADPOOL_H
#define TILECC_RUNTIME_THREADPOOL_H

#include "Support.h"

namespace tilecc::rt {

// Runs items begin to end - 1 on the calling thread. `scratch` is that thread's until the call returns.
using RangeFunction = void (*)(const void *context, uint64_t begin, uint64_t end, void *scratch);

// Runs `count` items on all threads and returns when they are done; false, with nothing run, when out of memory for the
// scratch: `scratchBytes` for each thread, aligned to 64 bytes, not cleared. What the items write is visible to the
// caller. Any thread; calls from several threads run side by side.
bool runOnAllThreads(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context);

// How many threads there are, the caller included: TILECC_NUM_THREADS, else the processors this process may run on.
// 0 after recording that the variable is no such number. Any thread.
unsigned threadCount();

} // namespace tilecc::rt
#endif
