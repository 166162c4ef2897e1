//===-- Fork.h - fork handlers ---------------------------------------------------------------------------------===//
//
// A forked child has only the thread that forked. A lock that another thread held would stay locked forever, with its
// data possibly inconsistent, and the thread pool would have no threads. So the forking thread takes all locks and
// releases them in the parent and the child, the child's pool restarts at its next use, and each kind of device handles
// its own state. GPU drivers do not survive a fork after initialization and are marked as lost.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_FORK_H
#define TILECC_RUNTIME_FORK_H

namespace tilecc::rt {

// Idempotent and thread-safe. Must be called before the first lock or thread that a child could inherit.
void installForkHandlers();

// The parts of the handlers, in lock order.
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
