//===-- Fork.cpp - takes all locks around a fork ---------------------------------------------------------------===//
//
// The C library calls these handlers. They are installed when the program starts.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Fork.h"
#include "Device.h"

#include <pthread.h>

using namespace tilecc::rt;

static void prepare() {
  lockTuningForFork();
  lockPeersForFork();
  lockDevicesForFork();
  lockRegistryForFork();
  for (const DeviceKind *kind : deviceKinds)
    kind->beforeFork();
  lockCapturesForFork();
  lockWatchersForFork();
  lockProfileForFork();
  lockTraceForFork();
  lockThreadPoolForFork();
}

static void after(bool inChild) {
  unlockThreadPoolAfterFork(inChild);
  unlockTraceAfterFork();
  unlockProfileAfterFork();
  unlockWatchersAfterFork(inChild);
  unlockCapturesAfterFork(inChild);
  for (const DeviceKind *kind : deviceKinds)
    kind->afterFork(inChild);
  unlockRegistryAfterFork();
  unlockDevicesAfterFork();
  unlockPeersAfterFork();
  unlockTuningAfterFork();
}

static void afterInParent() { after(false); }
static void afterInChild() { after(true); }

// Installed at start-up and not with the first lock, because another thread may fork in between. The other calls serve
// code that runs before this constructor.
__attribute__((constructor(101))) static void atStart() { installForkHandlers(); }

void tilecc::rt::installForkHandlers() {
  // glibc removes the handlers when the library that contains this code is unloaded.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] { pthread_atfork(prepare, afterInParent, afterInChild); });
}
