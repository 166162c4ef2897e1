//===-- ThreadPool.h - the thread pool of devices that run on the host -----------------------------------------===//
//
// The programs of a grid are independent, so the pool only has to hand out ranges of program numbers. It has three
// properties that oneTBB and libgomp lack: it works in a forked child, ThreadSanitizer understands it, and it adds no
// run-time dependency to users' programs.
//
// The calling thread takes part in its own work. So a launch always completes, even if there are no workers: in a child
// before its workers have started, at exit after they have stopped, or nested in another launch. Workers look for the
// next job for some microseconds before they sleep, because launches often follow each other.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_THREADPOOL_H
#define TILECC_RUNTIME_THREADPOOL_H

#include <stddef.h>
#include <stdint.h>

namespace tilecc::rt {

// Runs the items from `begin` to `end` - 1 on the calling thread, which owns `scratch` until the call returns.
using RangeFunction = void (*)(const void *context, uint64_t begin, uint64_t end, void *scratch);

// Runs `count` items on all threads, and returns when they are done. Each thread gets `scratchBytes` of scratch memory,
// which is aligned to 64 bytes and not cleared. Returns false, without running anything, if there is not enough memory.
// When the call returns, the caller sees all writes of the items. Thread-safe; calls from several threads run
// concurrently.
bool runOnAllThreads(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context);

// Returns the number of threads, including the caller: the value of TILECC_NUM_THREADS, or else the number of
// processors on which this process may run. Returns 0 after recording that the variable is invalid. Thread-safe.
unsigned threadCount();

} // namespace tilecc::rt
#endif
