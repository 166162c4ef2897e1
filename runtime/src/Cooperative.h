//===-- Cooperative.h - programs that run at the same time -----------------------------------------------------===//
//
// The CPU device uses this for cooperative launches, whose programs may wait for each other.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_COOPERATIVE_H
#define TILECC_RUNTIME_COOPERATIVE_H

#include "Support.h"
#include "ThreadPool.h"

namespace tilecc::rt {

// Calls run(context, i, i + 1, scratch) for each i below count, each on its own thread and all at the same time, so
// that the programs may wait for each other. (The thread pool has too few threads for that.) Returns false, without
// running anything, if the system cannot create enough threads. `scratchBytes` is as in runOnAllThreads.
bool runAtTheSameTime(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context);

// The maximum number of programs in a cooperative launch. Larger launches fail.
enum : uint64_t { maxCooperativePrograms = 4096 };

} // namespace tilecc::rt
#endif
