//===-- Support.h - what every file of the runtime needs -------------------------------------------------------===//
//
// The runtime is linked into other people's programs: into C programs, into libraries whose C++ standard library is
// not the one this was built with, into static constructors that run before ours. So it uses no C++ run-time library
// (headers such as <atomic> are fine), throws nothing, and keeps its state in constant-initialized globals without
// destructors. That is why there is a mutex here and no std::mutex, which would need libstdc++ for its errors.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_SUPPORT_H
#define TILECC_RUNTIME_SUPPORT_H

// In the shared library the declarations of the interface are visible and all else is hidden; in the static one all is,
// so that two libraries that carry it do not clash.
#ifdef TILECC_RT_SHARED
#pragma GCC visibility push(default)
#endif
#include "tilecc/abi.h"
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
