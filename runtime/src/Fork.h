//===-- Fork.h - fork handlers ---------------------------------------------------------------------------------===//
//
// A forked child has only the thread that forked. A lock that another thread held at the time of the fork would stay
// locked forever, and its data might be inconsistent; the thread pool would have no threads. So the forking thread
// takes all locks before the fork, and releases them in both processes afterwards. The child starts the thread pool
// again when it next needs it, and each kind of device handles its own state. GPU drivers that have been initialized do
// not survive a fork, and are marked as lost.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_FORK_H
#define TILECC_RUNTIME_FORK_H

namespace tilecc::rt {

// Installs the handlers. Idempotent and thread-safe. Must be called before the first lock or thread that a child could
// inherit is created.
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
// (DeviceKind::beforeFork of each kind runs here)
void lockCapturesForFork();
void unlockCapturesAfterFork(bool inChild);
void lockWatchersForFork();
void unlockWatchersAfterFork(bool inChild);
void lockProfileForFork();
void unlockProfileAfterFork();
void lockTraceForFork();
void unlockTraceAfterFork();
void lockThreadPoolForFork();
void unlockThreadPoolAfterFork(bool inChild);

} // namespace tilecc::rt
#endif
