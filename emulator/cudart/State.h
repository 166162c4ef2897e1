//===- State.h - CUDA's runtime based on the PTX emulator --------------------------------------------------*- C++ -*-//
//
// This is an implementation of libcudart, built from CUDA's public headers. With it, programs with SIMT kernels that
// link the shared CUDA runtime run on the emulator, with all of its checks. It implements the functions that the tests
// of this project call; all others return cudaErrorNotSupported (Missing.h). All calls are synchronous, so streams and
// events are only names, except for streams that are being captured.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDART_STATE_H
#define TILECC_EMULATOR_CUDART_STATE_H

#include <cuda_runtime_api.h>
#include <tilecc/emulator.h>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#define CUDART extern "C" __attribute__((visibility("default")))

namespace tilecc::cudart {

/// A fat binary that an object has registered. It is loaded when it is first used.
struct Module {
  const void *wrapper;
  tilecc_emu_module *loaded = nullptr;
  std::vector<std::pair<void **, std::string>> managed; ///< host pointers to variables, set when the code is loaded
};

/// A kernel or a variable. It is identified by its host symbol.
struct Symbol {
  Module *module = nullptr;
  std::string name;
  size_t bytes = 0;
  tilecc_emu_kernel *kernel = nullptr;
};

/// An allocation. Pinned and managed memory has the same address on the host and on the device.
struct Allocation {
  size_t bytes;
  cudaMemoryType type;
};

/// The state of the process. It is created on first use and never destroyed, because destructors of the program still
/// unregister objects at exit.
struct State {
  std::mutex mutex;
  std::map<const void *, Symbol> symbols;
  std::map<char *, Allocation> allocations;
  std::atomic<cudaError_t> kernelError = cudaSuccess; ///< the error of the first kernel that failed
};
State &state();

/// Records the thread's last error for cudaGetLastError, and prints the message of the emulator.
cudaError_t keep(int error);

/// Records an error that has been printed.
cudaError_t keepPrinted(cudaError_t error);

/// Waits for kernels. If one has failed, records and returns the error of the first. As with a GPU, every later call
/// that uses the device also returns this error, until cudaDeviceReset().
cudaError_t synchronize();

/// Returns the device, or null after recording an error.
tilecc_emu_device *device();
tilecc_emu_kernel *kernelOf(const void *function);

} // namespace tilecc::cudart

#endif // TILECC_EMULATOR_CUDART_STATE_H
