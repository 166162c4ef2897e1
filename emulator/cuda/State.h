//===- State.h - CUDA's driver without a GPU ---------------------------------------------------------------*- C++ -*-//
//
// This is an implementation of libcuda, built from CUDA's public header, on the device of Code.h. The emulated cudart
// is based on it, so streams, memory and modules exist once. It implements the functions that the tests of this project
// call; all others of the header return CUDA_ERROR_NOT_SUPPORTED (Missing.h). All calls are synchronous, so streams and
// events are only names, except for streams that are being captured.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDA_STATE_H
#define TILECC_EMULATOR_CUDA_STATE_H

#include "Code.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#define DRIVER extern "C" __attribute__((visibility("default"))) CUresult

namespace tilecc::cuda {

struct Allocation {
  size_t bytes;
  MemoryKind kind;
  bool isRegistered; ///< the program's own memory
};

/// The state of the process. It is created on first use and never destroyed, because destructors of the program still
/// call the driver at exit.
struct State {
  std::mutex mutex;
  std::map<char *, Allocation> allocations;
  std::atomic<CUresult> kernelError = CUDA_SUCCESS; ///< the error of the first kernel that failed
  std::atomic<bool> isReported = true; ///< the program has seen that error
};
State &state();

/// Returns the device, or null after printing the reason.
Device *device();

/// Converts an error of the device, whose message it prints.
CUresult keep(int error);

/// Prints that a function is not emulated.
CUresult failMissing(const char *what);

/// Waits for kernels. If one has failed, returns the error of the first. As with a GPU, every later call that uses the
/// device also returns this error, until the context is reset.
CUresult synchronize();

/// Returns the allocation that contains the address; its first address goes to `base`. The caller holds the mutex of
/// the state. Returns null for other memory.
const Allocation *findAllocation(const void *address, char *&base);

/// A piece of work. It owns everything that it needs, except device memory, and may be run many times.
using Work = std::function<CUresult()>;

/// Returns true if work in the stream is captured as nodes of a graph.
bool isCapturing(CUstream stream);

/// Executes the work, or captures it as the next node of a graph.
CUresult submit(CUstream stream, Work work);

/// Returns a launch, with copies of its arguments.
Work launchLater(Kernel *kernel, const LaunchShape &shape, void *const *args);

/// Returns work that sets rows of memory to a value.
Work setLater(const CUDA_MEMSET_NODE_PARAMS &set);

/// Handle events in streams that are captured. They return false if the event or the stream is not part of a capture.
bool recordInCapture(CUevent event, CUstream stream);
bool waitInCapture(CUstream stream, CUevent event);

inline void *pointerOf(CUdeviceptr address) { return reinterpret_cast<void *>(address); }
inline CUdeviceptr addressOf(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

} // namespace tilecc::cuda

#endif // TILECC_EMULATOR_CUDA_STATE_H
