//===-- FakeEmulator.cpp - a libtilecc_emu that runs no PTX ----------------------------------------------------===//
//
// Replaces the PTX emulator in the runtime's tests, as fake-libcuda replaces the CUDA driver: it follows the rules of
// tilecc/emulator.h on which the runtime depends (memory that the host cannot access, one device for all copies of the
// runtime, late errors) and writes every call to a log. A kernel's symbol determines its effect: `add...` adds, `scale`
// scales, others do nothing.
//
//   FAKE_EMU_FAIL      calls that fail and how: "allocate=2,launch=719"; a launch fails when its kernel has run
//   FAKE_EMU_VERSION   the version it claims to be
//   FAKE_CUDA_LOG      the file that calls are appended to, one per line
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/include/tilecc/emulator.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/mman.h>
#include <utility>

struct tilecc_emu_device {
  tilecc_emu_options options;
  char *addresses; // what the program sees, and cannot touch
  char *memory;    // its contents
  size_t used;
  std::map<const void *, size_t> blocks; // by address
  std::set<void *> hostBlocks;
  int late; // error, until synchronize
  std::string lateMessage;
};
struct tilecc_emu_module {
  tilecc_emu_device *device;
  std::string ptx;
  std::map<std::string, tilecc_emu_kernel *> kernels;
};
struct tilecc_emu_kernel {
  tilecc_emu_module *module;
  std::string symbol, displayName;
};

namespace {

constexpr size_t total = size_t(1) << 30;
std::mutex lock;
tilecc_emu_device *defaultDevice = nullptr;
thread_local std::string message;

__attribute__((format(printf, 1, 2))) void logCall(const char *format, ...) {
  const char *path = getenv("FAKE_CUDA_LOG");
  if (!path)
    return;
  static std::mutex logLock;
  std::lock_guard guard(logLock);
  FILE *file = fopen(path, "a");
  va_list args;
  va_start(args, format);
  vfprintf(file, format, args);
  va_end(args);
  fputc('\n', file);
  fclose(file);
}

int fail(int error, const std::string &words) {
  message = words;
  return error;
}

int wanted(const char *function) {
  std::string failures = std::string(",") + (getenv("FAKE_EMU_FAIL") ? getenv("FAKE_EMU_FAIL") : "");
  size_t at = failures.find("," + std::string(function) + "=");
  return at == std::string::npos ? 0 : atoi(failures.c_str() + at + strlen(function) + 2);
}

// The actual address of device memory; host addresses stay.
char *real(tilecc_emu_device *device, const void *address) {
  auto *at = static_cast<char *>(const_cast<void *>(address));
  return at >= device->addresses && at < device->addresses + total ? device->memory + (at - device->addresses) : at;
}

} // namespace

#define FAKE(name) extern "C" __attribute__((visibility("default"))) tilecc_emu_error tilecc_emu_##name
#define ENTER(name)                                                                                                    \
  if (int error_ = wanted(#name))                                                                                      \
  return fail(error_, #name ": as the fake emulator was told")

extern "C" __attribute__((visibility("default"))) const char *tilecc_emu_error_message(void) { return message.c_str(); }

FAKE(default_device)(const tilecc_emu_options *options, tilecc_emu_device **device) {
  logCall("emu default_device arch %u checks %u schedule %u seed %llu limit %llu", options->arch, options->checks,
          options->schedule, static_cast<unsigned long long>(options->seed),
          static_cast<unsigned long long>(options->instruction_limit));
  ENTER(default_device);
  const char *version = getenv("FAKE_EMU_VERSION");
  if (options->version != (version ? strtoul(version, nullptr, 10) : TILECC_EMULATOR_VERSION))
    return fail(35, "this emulator is of version " + std::string(version) + ", the program's runtime wants version " +
                        std::to_string(options->version));
  if (options->arch && !tilecc_emu_shared_limit(options->arch))
    return fail(101, "there is no sm_" + std::to_string(options->arch));
  std::lock_guard guard(lock);
  if (!defaultDevice) {
    defaultDevice = new tilecc_emu_device{};
    defaultDevice->options = *options;
    auto map = [](int protection) {
      return static_cast<char *>(mmap(nullptr, total, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    };
    defaultDevice->addresses = map(PROT_NONE);
    defaultDevice->memory = map(PROT_READ | PROT_WRITE);
  }
  *device = defaultDevice;
  return 0;
}

extern "C" __attribute__((visibility("default"))) size_t tilecc_emu_shared_limit(uint32_t arch) {
  return arch == 80 ? 163 * 1024 : arch == 90 ? 227 * 1024 : 0;
}

FAKE(allocate)(tilecc_emu_device *device, size_t bytes, void **address) {
  logCall("emu allocate %zu", bytes);
  ENTER(allocate);
  std::lock_guard guard(lock);
  if (bytes > total - device->used)
    return fail(2, "the emulator has no " + std::to_string(bytes) + " bytes left");
  *address = device->addresses + device->used;
  device->used += (bytes + 255) & ~size_t(255);
  device->blocks[*address] = bytes;
  return 0;
}

FAKE(free)(tilecc_emu_device *device, void *address) {
  logCall("emu free");
  ENTER(free);
  std::lock_guard guard(lock);
  return device->blocks.erase(address) ? 0 : fail(1, "not memory of the emulator");
}

FAKE(allocate_host)(tilecc_emu_device *device, size_t bytes, void **address) {
  logCall("emu allocate_host %zu", bytes);
  ENTER(allocate_host);
  *address = malloc(bytes);
  std::lock_guard guard(lock);
  device->hostBlocks.insert(*address);
  return 0;
}

FAKE(free_host)(tilecc_emu_device *device, void *address) {
  logCall("emu free_host");
  ENTER(free_host);
  std::lock_guard guard(lock);
  if (!device->hostBlocks.erase(address))
    return fail(1, "not host memory of the emulator");
  free(address);
  return 0;
}

extern "C" __attribute__((visibility("default"))) void tilecc_emu_memory_info(tilecc_emu_device *device, size_t *free,
                                                                              size_t *all) {
  std::lock_guard guard(lock);
  *free = total - device->used;
  *all = total;
}

FAKE(copy)(tilecc_emu_device *device, void *to, const void *from, size_t bytes) {
  logCall("emu copy %zu", bytes);
  ENTER(copy);
  memmove(real(device, to), real(device, from), bytes);
  return 0;
}

FAKE(set)(tilecc_emu_device *device, void *address, int byte, size_t bytes) {
  logCall("emu set %d %zu", byte, bytes);
  ENTER(set);
  memset(real(device, address), byte, bytes);
  return 0;
}

FAKE(load)(tilecc_emu_device *device, const char *ptx, size_t size, const char *name, tilecc_emu_module **module) {
  std::string text(ptx, size);
  logCall("emu load '%s' of %s", text.c_str(), name);
  ENTER(load);
  if (text.find("syntax error") != std::string::npos)
    return fail(218, std::string(name) + ":1: error: expected a directive");
  *module = new tilecc_emu_module{device, text, {}};
  return 0;
}

FAKE(unload)(tilecc_emu_module *module) {
  logCall("emu unload '%s'", module->ptx.c_str());
  ENTER(unload);
  for (auto &[symbol, kernel] : module->kernels)
    delete kernel;
  delete module;
  return 0;
}

FAKE(get_global)(tilecc_emu_module *, const char *symbol, void **, size_t *) {
  return fail(500, std::string("the PTX has no variable ") + symbol);
}

FAKE(get_kernel)(tilecc_emu_module *module, const char *symbol, const char *displayName, tilecc_emu_kernel **kernel) {
  logCall("emu get_kernel %s of '%s' as %s", symbol, module->ptx.c_str(), displayName);
  if (wanted("get_kernel"))
    return fail(wanted("get_kernel"), std::string("the PTX has no entry ") + symbol);
  std::lock_guard guard(lock);
  auto &slot = module->kernels[symbol];
  if (!slot)
    slot = new tilecc_emu_kernel{module, symbol, displayName};
  *kernel = slot;
  return 0;
}

namespace {
struct Run {
  tilecc_emu_kernel *kernel;
  void *const *args;
  std::atomic<uint64_t> blocks{0}; // that ran
};
} // namespace

template <class T> static T argument(const Run &run, int i) {
  T value;
  memcpy(&value, run.args[i], sizeof(T));
  return value;
}

static void runBlock(void *context, uint64_t block) {
  Run &run = *static_cast<Run *>(context);
  ++run.blocks;
  tilecc_emu_device *device = run.kernel->module->device;
  auto floats = [&](int i) { return reinterpret_cast<float *>(real(device, argument<void *>(run, i))); };
  if (run.kernel->symbol.rfind("add", 0) == 0) {
    int n = argument<int>(run, 3), begin = block * 256;
    for (int i = begin; i < begin + 256 && i < n; ++i)
      floats(2)[i] = floats(0)[i] + floats(1)[i];
  } else if (run.kernel->symbol == "scale") {
    int n = argument<int>(run, 1), begin = block * 64;
    for (int i = begin; i < begin + 64 && i < n; ++i)
      floats(0)[i] *= run.kernel->module->ptx.find("two") != std::string::npos ? 2 : 1;
  }
}

FAKE(tensor_map_encode_tiled)(void *map, int type, uint32_t, void *, const uint64_t *, const uint64_t *, const uint32_t *,
                              const uint32_t *, int, int, int, int) {
  memset(map, type, 128);
  return wanted("tensor_map_encode_tiled");
}

FAKE(tensor_map_encode_im2col)(void *map, int type, uint32_t, void *, const uint64_t *, const uint64_t *,
                               const int *, const int *, uint32_t, uint32_t, const uint32_t *, int, int, int, int) {
  memset(map, type, 128);
  return wanted("tensor_map_encode_im2col");
}

FAKE(launch)(tilecc_emu_kernel *kernel, const tilecc_emu_launch_config *config, void *const *args,
             tilecc_emu_stats *stats) {
  const uint32_t *grid = config->grid, *block = config->block, *cluster = config->cluster;
  logCall("emu launch %s of '%s' grid %u,%u,%u block %u,%u,%u cluster %u,%u,%u shared %u", kernel->symbol.c_str(),
          kernel->module->ptx.c_str(), grid[0], grid[1], grid[2], block[0], block[1], block[2], cluster[0], cluster[1],
          cluster[2], config->shared_bytes);
  int error = wanted("launch");
  bool ofTheLaunch = error == 701 || (error > 0 && error < 700);
  if (stats || ofTheLaunch)
    return fail(error, "kernel '" + kernel->displayName + "': as the fake emulator was told");
  Run run{kernel, args};
  uint64_t count = uint64_t(grid[0]) * grid[1] * grid[2];
  if (config->parallel)
    config->parallel(count, runBlock, &run);
  if (run.blocks != count)
    return fail(999, "parallel ran " + std::to_string(run.blocks) + " blocks");
  if (!error)
    return 0;
  std::string words = "kernel '" + kernel->displayName + "', block (0,0,0): a finding of the fake emulator";
  fprintf(stderr, "%s\n", words.c_str());
  std::lock_guard guard(lock);
  tilecc_emu_device *device = kernel->module->device;
  if (!device->late) {
    device->late = error;
    device->lateMessage = words;
  }
  return fail(error, words);
}

FAKE(synchronize)(tilecc_emu_device *device) {
  std::lock_guard guard(lock);
  int error = std::exchange(device->late, 0);
  return error ? fail(error, device->lateMessage) : 0;
}
