//===-- Fork.h - what a forked child finds ---------------------------------------------------------------------===//
//
// A child has only the thread that forked. A lock that another thread held would stay locked for good, with what it
// guards half changed, and the thread pool has lost its threads. So the forking thread takes all locks and gives them
// back in parent and child, the child's pool starts over at its next use, and each kind of device does what it has to:
// a GPU driver does not survive a fork once it is initialized, and is marked as lost.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_FORK_H
#define TILECC_RUNTIME_FORK_H

namespace tilecc::rt {

// Idempotent; any thread. Before the first lock or thread whose state a child could inherit matters.
void installForkHandlers();

// The parts of the handlers, in the order in which locks are taken.
void lockTuningForFork();
void unlockTuningAfterFork();
void lockPeersForFork();
void unlockPeersAfterFork();
void lockDevicesForFork();
void unlockDevicesAfterFork();
void lockRegistryForFork();
void unlockRegistryAfterFork();
// (here DeviceKind::beforeFork, each)
void lockCapturesForFork();
void unlockCapturesAfterFork(bool inChild);
void lockWatchersForFork();
void unlockWatchersAfterFork(bool inChild);
void lockTraceForFork();
void unlockTraceAfterFork();
void lockThreadPoolForFork();
void unlockThreadPoolAfterFork(bool inChild);

} // namespace tilecc::rt
#endif
