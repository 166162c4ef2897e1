//===-- Cooperative.h - programs that run at the same time -----------------------------------------------------===//
#ifndef TILECC_RUNTIME_COOPERATIVE_H
#define TILECC_RUNTIME_COOPERATIVE_H

#include "ThreadPool.h"

namespace tilecc::rt {

// run(context, i, i + 1, scratch) for each i below count, each on a thread of its own and all at the same time, so that
// they may wait for each other; the threads of the pool are too few for that. With fewer threads than wanted none of it
// runs: false, when the system has no more. `scratchBytes` is as in runOnAllThreads.
bool runAtTheSameTime(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context);

// More than this is refused.
enum : uint64_t { mostCooperativePrograms = 4096 };

} // namespace tilecc::rt
#endif
