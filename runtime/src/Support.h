//===-- Support.h - common declarations of the runtime ---------------------------------------------------------===//
//
// The runtime is linked into other people's programs: C programs, libraries with a different C++ standard library, and
// static constructors that run before the runtime's own. So it uses no C++ run-time library (headers such as <atomic>
// are fine), throws no exceptions, and keeps its state in constant-initialized globals without destructors. For the
// same reason it has its own mutex: std::mutex needs libstdc++ to report errors.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_SUPPORT_H
#define TILECC_RUNTIME_SUPPORT_H

// The shared library exports the declarations of the interface and hides everything else. The static library hides
// everything, so that two libraries that contain it do not conflict.
#ifdef TILECC_RT_SHARED
#pragma GCC visibility push(default)
#endif
#include "tilecc/abi.h"
#include "tilecc/profile.h"
#include "tilecc/runtime.h"
#ifdef TILECC_RT_SHARED
#pragma GCC visibility pop
#endif

#include <atomic>
#include <pthread.h>

namespace tilecc::rt {

class Mutex {
public:
  void lock() { pthread_mutex_lock(&mutex); }
  bool tryLock() { return pthread_mutex_trylock(&mutex) == 0; }
  void unlock() { pthread_mutex_unlock(&mutex); }

  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};

class Lock {
public:
  explicit Lock(Mutex &mutex) : mutex(mutex) { mutex.lock(); }
  ~Lock() { mutex.unlock(); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;

private:
  Mutex &mutex;
};

} // namespace tilecc::rt
#endif
