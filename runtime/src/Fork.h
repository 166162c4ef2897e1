//===-- Fork.h - what a forked child finds ---------------------------------------------------------------------===//
//
// A child has only the thread that forked. Locks that other threads held would stay locked for good, and the thread pool
// has lost its threads. So the locks are taken before the fork and made new in the child, the pool starts over at its
// next use, and CUDA, which does not survive a fork once it is initialized, is marked as lost.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_FORK_H
#define TILECC_RUNTIME_FORK_H

namespace tilecc::rt {

// Idempotent; any thread. Before the first lock or thread whose state a child could inherit matters.
void installForkHandlers();

// The parts of the handlers, in the order in which locks are taken.
void lockDevicesForFork();
void unlockDevicesAfterFork(bool inChild);
void lockRegistryForFork();
void unlockRegistryAfterFork(bool inChild);
void lockCpuMemoryForFork();
void unlockCpuMemoryAfterFork(bool inChild);
void lockThreadPoolForFork();
void unlockThreadPoolAfterFork(bool inChild);
void loseCudaInForkedChild();

} // namespace tilecc::rt
#endif
