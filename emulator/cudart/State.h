//===- State.h - CUDA's runtime over the PTX emulator ---------------------------------------------------------*- C++ -*-//
//
// A libcudart of our own, made from CUDA's public headers: programs with SIMT kernels that are linked with the shared
// CUDA runtime run on the emulator with it, and with all of its checks. It has what the project's own tests call; a
// program that needs more does not start. Everything is done when a call returns, so streams and events only have
// names, but for streams whose work goes to a graph.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDART_STATE_H
#define TILECC_EMULATOR_CUDART_STATE_H

#include <cuda_runtime_api.h>
#include <tilecc/emulator.h>

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#define CUDART extern "C" __attribute__((visibility("default")))

namespace tilecc::cudart {

/// What an object registers: one fatbinary, loaded when something of it is first used.
struct Module {
  const void *wrapper;
  tilecc_emu_module *loaded = nullptr;
  std::vector<std::pair<void **, std::string>> managed; ///< the host's pointers to variables, set by loading
};

/// A kernel or variable, by the host's symbol that stands for it.
struct Symbol {
  Module *module = nullptr;
  std::string name;
  size_t bytes = 0;
  tilecc_emu_kernel *kernel = nullptr;
};

/// Pinned and managed memory is at one address for both sides.
struct Allocation {
  size_t bytes;
  cudaMemoryType type;
};

/// Made on first use and never destroyed: objects unregister from destructors.
struct State {
  std::mutex mutex;
  std::map<const void *, Symbol> symbols;
  std::map<char *, Allocation> allocations;
};
State &state();

/// The thread's last error is kept for cudaGetLastError. What the emulator has said of it is printed.
cudaError_t keep(int error);

/// Null after an error, which is kept.
tilecc_emu_device *device();
tilecc_emu_kernel *kernelOf(const void *function);

} // namespace tilecc::cudart

#endif // TILECC_EMULATOR_CUDART_STATE_H
