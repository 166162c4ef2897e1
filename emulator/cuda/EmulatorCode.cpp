//===- EmulatorCode.cpp - the PTX emulator as the driver's device -------------------------------------------------===//

#include "Code.h"
#include "runtime/internal/EmulatorOptions.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <tilecc/emulator.h>
#include <vector>

using namespace tilecc::cuda;

/// Runs blocks in parallel on threads of the launch.
static void runParallel(uint64_t count, void (*body)(void *, uint64_t), void *context) {
  std::atomic<uint64_t> next = 0;
  auto work = [&] {
    for (uint64_t i; (i = next++) < count;)
      body(context, i);
  };
  std::vector<std::thread> others(std::min<uint64_t>(count, std::max(1u, std::thread::hardware_concurrency())) - 1);
  for (std::thread &other : others)
    other = std::thread(work);
  work();
  for (std::thread &other : others)
    other.join();
}

namespace {
class EmulatorKernel : public Kernel {
public:
  explicit EmulatorKernel(tilecc_emu_kernel *kernel) : kernel(kernel) {}
  size_t paramSize(size_t index) const override { return tilecc_emu_param_size(kernel, index); }
  KernelFacts facts() const override {
    tilecc_emu_kernel_attributes known;
    tilecc_emu_get_attributes(kernel, &known);
    return {known.shared_bytes, known.local_bytes, static_cast<int>(known.max_threads), static_cast<int>(known.arch)};
  }
  int launch(const LaunchShape &shape, void *const *args) override {
    const auto &[grid, block, cluster, shared, isCooperative] = shape;
    tilecc_emu_launch_config config = {{grid[0], grid[1], grid[2]},
                                       {block[0], block[1], block[2]},
                                       {cluster[0], cluster[1], cluster[2]},
                                       static_cast<uint32_t>(shared),
                                       runParallel,
                                       isCooperative,
                                       /*devices_along_z=*/0};
    return tilecc_emu_launch(kernel, &config, args, nullptr);
  }

private:
  tilecc_emu_kernel *kernel; // owned by its module
};

class EmulatorModule : public Module {
public:
  explicit EmulatorModule(tilecc_emu_module *module) : module(module) {}
  ~EmulatorModule() override { tilecc_emu_unload(module); }
  int findKernel(const char *name, Kernel *&kernel) override {
    std::lock_guard lock(mutex);
    std::unique_ptr<EmulatorKernel> &known = kernels[name];
    if (!known) {
      tilecc_emu_kernel *found;
      if (int error = tilecc_emu_get_kernel(module, name, nullptr, &found))
        return error;
      known = std::make_unique<EmulatorKernel>(found);
      known->name = name;
    }
    kernel = known.get();
    return 0;
  }
  int findVariable(const char *name, void *&address, size_t &bytes) override {
    return tilecc_emu_get_global(module, name, &address, &bytes);
  }

private:
  tilecc_emu_module *module; // owned
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<EmulatorKernel>> kernels;
};

class EmulatorDevice : public Device {
public:
  EmulatorDevice(tilecc_emu_device *device, unsigned ofArch) : device(device), ofArch(ofArch) {}
  const char *name() const override { return "the PTX emulator of tcc"; }
  unsigned arch() const override { return ofArch ? ofArch : 90; }
  const char *getMessage() const override { return tilecc_emu_error_message(); }
  int allocate(size_t bytes, bool onHost, void *&address) override {
    return (onHost ? tilecc_emu_allocate_host : tilecc_emu_allocate)(device, bytes, &address);
  }
  int free(void *address, bool onHost) override {
    return (onHost ? tilecc_emu_free_host : tilecc_emu_free)(device, address);
  }
  int registerHost(void *address, size_t bytes) override { return tilecc_emu_register_host(device, address, bytes); }
  int unregisterHost(void *address) override { return tilecc_emu_unregister_host(device, address); }
  void countMemory(size_t &free, size_t &total) override { tilecc_emu_memory_info(device, &free, &total); }
  int copy(void *to, const void *from, size_t bytes) override { return tilecc_emu_copy(device, to, from, bytes); }
  int set(void *address, int byte, size_t bytes) override { return tilecc_emu_set(device, address, byte, bytes); }
  int synchronize() override { return tilecc_emu_synchronize(device); }
  int load(const char *image, size_t size, const char *name, std::unique_ptr<Module> &module) override {
    tilecc_emu_module *loaded;
    if (int error = tilecc_emu_load(device, image, size, name, &loaded))
      return error;
    module = std::make_unique<EmulatorModule>(loaded);
    return 0;
  }

private:
  tilecc_emu_device *device; // the device of the process, which the runtime of tile kernels shares
  unsigned ofArch;
};
} // namespace

std::unique_ptr<Device> tilecc::cuda::openEmulator(unsigned arch) {
  tilecc_emu_options options = {};
  options.version = TILECC_EMULATOR_VERSION;
  options.arch = arch;
  rt::EmulatorSettings settings = rt::settingsOfEnvironment();
  rt::EmulatorSettings::Name wrong;
  const char *&checks = settings.text[rt::EmulatorSettings::checks];
  // Many CUDA programs read uninitialized memory by design: libraries copy whole registers and tiles.
  if (!checks || !*checks)
    checks = "memory,races";
  if (const char *rule = rt::applyEmulatorSettings(settings, options, &wrong)) {
    std::fprintf(stderr, "emulated CUDA: %s=%s: %s\n", rt::variableOf(wrong), settings.text[wrong], rule);
    return nullptr;
  }
  tilecc_emu_device *device;
  if (!tilecc_emu_default_device(&options, &device))
    return std::make_unique<EmulatorDevice>(device, arch);
  std::fprintf(stderr, "emulated CUDA: %s\n", tilecc_emu_error_message());
  return nullptr;
}
