//===-- Watch.h - launches, copies and loads as others see them ------------------------------------------------===//
//
// Hooks, the trace and NVTX, behind one flag: calls that can be watched ask isWatched(), which is a load, and go on
// without further cost if nobody does.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_WATCH_H_
#define TILECC_RUNTIME_WATCH_H_

#include "Registry.h"

namespace tilecc::rt {

struct DeviceKind;

enum : unsigned { watchUndecided = 1, watchHooks = 2, watchTrace = 4, watchNvtx = 8 };
extern std::atomic<unsigned> watching; // of these; undecided until the environment has been read

// Who watches; reads the environment at the first call.
unsigned watchers();

inline bool isWatched() { return __builtin_expect(watching.load(std::memory_order_relaxed) != 0, false); }

// DeviceKind's launch, watched.
ttError_t watchLaunch(const DeviceKind &device, Kernel &kernel, const ttLaunchConfig &config, void **args);

// Something with a beginning and an end, in the trace alone. Names must live until the program ends, details until
// the end of it.
class WatchedWork {
public:
  enum Place { onHost, inStream }; // inStream: a GPU does it later
  WatchedWork(const DeviceKind *device, Place place, const char *category, const char *name,
              ttStream_t stream = nullptr, unsigned long long bytes = 0);
  ~WatchedWork();
  WatchedWork(const WatchedWork &) = delete;
  WatchedWork &operator=(const WatchedWork &) = delete;

private:
  const DeviceKind *device; // null: nobody watches
  const char *category, *name;
  ttStream_t stream;
  unsigned long long bytes;
  uint64_t begin;
  void *timer; // of the GPU's part, or null
};

// Does work(), watched if somebody does.
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
