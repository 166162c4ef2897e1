//===- CpuCode.cpp - the CPU as the driver's device ---------------------------------------------------------------===//
//
// The runtime of tile kernels, libtilecc_rt, has the CPU device: its memory, and the kernels of libraries that tcc has
// made (--emit=cpu-library). PTX does not run there. A program of a tile kernel runs on one thread, so the size of
// blocks does not matter.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "Code.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <tilecc/runtime.h>

using namespace tilecc::cuda;

#define RUNTIME(FUNCTION)                                                                                              \
  FUNCTION(ttSetDevice)                                                                                                \
  FUNCTION(ttMalloc)                                                                                                   \
  FUNCTION(ttFree)                                                                                                     \
  FUNCTION(ttMallocHost)                                                                                               \
  FUNCTION(ttFreeHost)                                                                                                 \
  FUNCTION(ttMemGetInfo)                                                                                               \
  FUNCTION(ttMemcpy)                                                                                                   \
  FUNCTION(ttMemset)                                                                                                   \
  FUNCTION(ttDeviceSynchronize)                                                                                        \
  FUNCTION(ttGetLastErrorMessage)                                                                                      \
  FUNCTION(ttLibraryLoadData)                                                                                          \
  FUNCTION(ttLibraryUnload)                                                                                            \
  FUNCTION(ttLibraryGetKernel)                                                                                         \
  FUNCTION(ttKernelGetInfo)                                                                                            \
  FUNCTION(ttLaunchKernel)

namespace {
/// The functions of libtilecc_rt, which is opened only if the CPU is the device.
struct Runtime {
#define MEMBER(NAME) decltype(&::NAME) NAME;
  RUNTIME(MEMBER)
#undef MEMBER
};
Runtime runtime;

class CpuKernel : public Kernel {
public:
  CpuKernel(const void *kernel, const ttKernelInfo &info) : kernel(kernel), info(info) {}
  size_t paramSize(size_t index) const override { return index < info.paramCount ? info.params[index].size : 0; }
  KernelFacts facts() const override { return {}; }
  int launch(const LaunchShape &shape, void *const *args) override {
    ttDim3 grid = {shape.grid[0], shape.grid[1], shape.grid[2]};
    return runtime.ttLaunchKernel(kernel, grid, const_cast<void **>(args), /*stream=*/nullptr);
  }

private:
  const void *kernel; // belongs to its library
  ttKernelInfo info;
};

class CpuModule : public Module {
public:
  explicit CpuModule(ttLibrary_t library) : library(library) {}
  ~CpuModule() override { runtime.ttLibraryUnload(library); }
  int findKernel(const char *name, Kernel *&kernel) override {
    std::lock_guard lock(mutex);
    std::unique_ptr<CpuKernel> &known = kernels[name];
    if (!known) {
      const void *found;
      ttKernelInfo info;
      if (ttError_t error = runtime.ttLibraryGetKernel(&found, library, name))
        return error;
      if (ttError_t error = runtime.ttKernelGetInfo(&info, found))
        return error;
      known = std::make_unique<CpuKernel>(found, info);
      known->name = name;
    }
    kernel = known.get();
    return 0;
  }
  /// Libraries of tile kernels export no variables.
  int findVariable(const char *, void *&, size_t &) override { return ttErrorSymbolNotFound; }

private:
  ttLibrary_t library; // owned
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<CpuKernel>> kernels;
};

class CpuDevice : public Device {
public:
  const char *name() const override { return "the CPU device of tcc"; }
  unsigned arch() const override { return 100; } // front ends refuse narrow types for older GPUs
  const char *getMessage() const override { return runtime.ttGetLastErrorMessage(); }
  int allocate(size_t bytes, bool onHost, void *&address) override {
    return (onHost ? runtime.ttMallocHost : runtime.ttMalloc)(&address, bytes);
  }
  int free(void *address, bool onHost) override { return (onHost ? runtime.ttFreeHost : runtime.ttFree)(address); }
  // Kernels access all memory of the process.
  int registerHost(void *, size_t) override { return 0; }
  int unregisterHost(void *) override { return 0; }
  void countMemory(size_t &free, size_t &total) override { runtime.ttMemGetInfo(&free, &total); }
  int copy(void *to, const void *from, size_t bytes) override {
    return runtime.ttMemcpy(to, from, bytes, ttMemcpyDefault);
  }
  int set(void *address, int byte, size_t bytes) override { return runtime.ttMemset(address, byte, bytes); }
  int synchronize() override { return runtime.ttDeviceSynchronize(); }
  int load(const char *image, size_t size, const char *, std::unique_ptr<Module> &module) override {
    ttLibrary_t library;
    if (ttError_t error = runtime.ttLibraryLoadData(&library, image, size))
      return error;
    module = std::make_unique<CpuModule>(library);
    return 0;
  }
};
} // namespace

std::unique_ptr<Device> tilecc::cuda::openCpu() {
  void *library = dlopen(TILECC_RT_LIBRARY_NAME, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    std::fprintf(stderr, "emulated CUDA: %s\n", dlerror());
    return nullptr;
  }
#define RESOLVE(NAME)                                                                                                  \
  runtime.NAME = reinterpret_cast<decltype(&::NAME)>(dlsym(library, #NAME));                                           \
  if (!runtime.NAME) {                                                                                                 \
    std::fprintf(stderr, "emulated CUDA: %s\n", dlerror());                                                            \
    return nullptr;                                                                                                    \
  }
  RUNTIME(RESOLVE)
#undef RESOLVE
  return std::make_unique<CpuDevice>();
}
