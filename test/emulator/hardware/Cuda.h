//===-- Cuda.h - the GPU, for programs that compare it with the emulator ----------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_HARDWARE_CUDA_H
#define TILECC_TEST_EMULATOR_HARDWARE_CUDA_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <type_traits>

namespace tilecc::emu::test {

// The few calls of the CUDA driver that are needed, from libcuda.so.1.
struct Cuda {
  int (*init)(unsigned);
  int (*deviceGet)(int *, int);
  int (*primaryRetain)(void **, int);
  int (*setCurrent)(void *);
  int (*load)(void **, const void *, unsigned, int *, void **);
  int (*unload)(void *);
  int (*getFunction)(void **, void *, const char *);
  int (*allocate)(uint64_t *, size_t);
  int (*toDevice)(uint64_t, const void *, size_t);
  int (*toHost)(void *, uint64_t, size_t);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
  int (*synchronize)();
  // Of the emulator's interface, too. Null in drivers before 12.0.
  int (*encodeTiled)(void *, int, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                     const uint32_t *, int, int, int, int);

  bool open() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library)
      return false;
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    void *context;
    int device;
    find(encodeTiled, "cuTensorMapEncodeTiled");
    return find(init, "cuInit") && find(deviceGet, "cuDeviceGet") && find(primaryRetain, "cuDevicePrimaryCtxRetain") &&
           find(setCurrent, "cuCtxSetCurrent") && find(load, "cuModuleLoadDataEx") && find(unload, "cuModuleUnload") &&
           find(getFunction, "cuModuleGetFunction") && find(allocate, "cuMemAlloc_v2") &&
           find(toDevice, "cuMemcpyHtoD_v2") && find(toHost, "cuMemcpyDtoH_v2") && find(launch, "cuLaunchKernel") &&
           find(synchronize, "cuCtxSynchronize") && init(0) == 0 && deviceGet(&device, 0) == 0 &&
           primaryRetain(&context, device) == 0 && setCurrent(context) == 0;
  }
};

inline void check(int error, const char *what) {
  if (error) {
    fprintf(stderr, "error: %s failed with %d\n", what, error);
    exit(1);
  }
}

} // namespace tilecc::emu::test
#endif
