//===- Code.h - the device behind CUDA's driver, and code for it -------------------------------------------*- C++ -*-//
//
// The driver has one device: the PTX emulator, or the CPU, if TILECC_DEVICE says so (emu, emu:sm_90, cpu). Both have
// memory of their own and load code from images. All their functions are synchronous, and return 0 or the number of an
// error, which they have described in getMessage().
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_EMULATOR_CUDA_CODE_H
#define TILECC_EMULATOR_CUDA_CODE_H

#include <cstddef>
#include <cstdint>
#include <cuda.h>
#include <memory>
#include <string>

namespace tilecc::cuda {

struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, cluster[3] = {1, 1, 1};
  size_t shared = 0; ///< bytes of dynamic shared memory
  bool isCooperative = false;
};

/// What a kernel needs.
struct KernelFacts {
  size_t sharedBytes = 0, localBytes = 0; ///< static shared memory of a block, local memory of a thread
  int maxThreads = 1024; ///< of a block
  int arch = 90;
};

class Kernel {
public:
  virtual ~Kernel() = default;
  virtual size_t paramSize(size_t index) const = 0; ///< in bytes; 0 past the last parameter
  virtual KernelFacts facts() const = 0;
  /// Runs the kernel. An error of the kernel itself is also returned by Device::synchronize().
  virtual int launch(const LaunchShape &shape, void *const *args) = 0;

  std::string name;
};

/// Code that has been loaded. It owns its kernels.
class Module {
public:
  virtual ~Module() = default;
  virtual int findKernel(const char *name, Kernel *&kernel) = 0;
  virtual int findVariable(const char *name, void *&address, size_t &bytes) = 0;
};

/// Where memory is. The host accesses pinned and managed memory at the addresses that it has for kernels.
enum class MemoryKind { Device, Pinned, Managed };

class Device {
public:
  virtual ~Device() = default;
  virtual const char *name() const = 0;
  virtual unsigned arch() const = 0; ///< for which programs compile code: 90 for sm_90
  virtual const char *getMessage() const = 0;
  virtual int allocate(size_t bytes, bool onHost, void *&address) = 0;
  virtual int free(void *address, bool onHost) = 0;
  virtual int registerHost(void *address, size_t bytes) = 0;
  virtual int unregisterHost(void *address) = 0;
  virtual void countMemory(size_t &free, size_t &total) = 0;
  virtual int copy(void *to, const void *from, size_t bytes) = 0; ///< each address may be the host's
  virtual int set(void *address, int byte, size_t bytes) = 0;
  /// Returns the error of the first kernel that failed since the last call.
  virtual int synchronize() = 0;
  /// Loads PTX (text), or a library that tcc has made.
  virtual int load(const char *image, size_t size, const char *name, std::unique_ptr<Module> &module) = 0;
};

/// Return null after printing the reason. The emulator is a GPU of an architecture, or runs code for any, if it is 0.
std::unique_ptr<Device> openEmulator(unsigned arch);
std::unique_ptr<Device> openCpu();

} // namespace tilecc::cuda

#endif // TILECC_EMULATOR_CUDA_CODE_H
