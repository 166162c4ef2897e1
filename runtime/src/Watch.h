//===-- Watch.h - observers of launches, copies and loads ------------------------------------------------------===//
//
// Hooks, the trace and NVTX observe launches and copies. They share one flag: calls that can be observed check
// isWatched(), which is one load, and have no further cost if there is no observer.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_WATCH_H_
#define TILECC_RUNTIME_WATCH_H_

#include "KernelRegistry.h"

namespace tilecc::rt {

struct DeviceKind;

enum : unsigned { watchUndecided = 1, watchHooks = 2, watchTrace = 4, watchNvtx = 8, watchProfile = 16 };
extern std::atomic<unsigned> watching; // a set of observers; `undecided` until the environment has been read

// Returns the set of observers. The first call reads the environment.
unsigned watchers();

inline bool isWatched() { return __builtin_expect(watching.load(std::memory_order_relaxed) != 0, false); }

// Calls the launch function of DeviceKind, and notifies the observers.
ttError_t watchLaunch(const DeviceKind &device, Kernel &kernel, const ttLaunchConfig &config, void **args);

// An interval that appears only in the trace. Its names must live until the program ends, and its details until the
// interval ends.
class WatchedWork {
public:
  enum Place { onHost, inStream }; // inStream: a GPU executes the work later
  WatchedWork(const DeviceKind *device, Place place, const char *category, const char *name,
              ttStream_t stream = nullptr, unsigned long long bytes = 0);
  ~WatchedWork();
  WatchedWork(const WatchedWork &) = delete;
  WatchedWork &operator=(const WatchedWork &) = delete;

private:
  const DeviceKind *device; // null: not observed
  const char *category, *name;
  ttStream_t stream;
  unsigned long long bytes;
  uint64_t begin;
  void *timer; // measures the part on the GPU, or null
};

// Calls work(), inside an interval if there are observers.
template <class Work>
inline ttError_t watchCopy(const DeviceKind &device, WatchedWork::Place place, const char *name, size_t bytes,
                           ttStream_t stream, Work work) {
  if (!isWatched())
    return work();
  WatchedWork watched(&device, place, "copy", name, stream, bytes);
  return work();
}

} // namespace tilecc::rt
#endif
