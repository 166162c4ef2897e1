//===-- EmulatedDevice.cpp - devices and their memory: the C interface shared by all emulated devices ----------===//
#include "emulator/api/EmulatedDevice.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace tilecc::emu;

static thread_local std::string lastMessage;

int tilecc::emu::fail(int error, const std::string &message) {
  lastMessage = message;
  return error;
}

void tilecc::emu::keepError(tilecc_emu_device &device, int error) {
  std::lock_guard guard(device.lock);
  if (!device.pendingError) {
    device.pendingError = error;
    device.pendingMessage = lastMessage;
  }
}

void tilecc::emu::printToStdout(const char *text, size_t size) { fwrite(text, 1, size, stdout); }
void tilecc::emu::printToStderr(const char *text, size_t size) { fwrite(text, 1, size, stderr); }

TILECC_EMU_EXPORT const char *tilecc_emu_error_message(void) { return lastMessage.c_str(); }

//===-- Devices ------------------------------------------------------------------------------------------------===//

static int checkOptions(const tilecc_emu_options *options) {
  if (options->version != TILECC_EMULATOR_VERSION)
    return fail(errorNotSupported, "the emulator's library has version " + std::to_string(TILECC_EMULATOR_VERSION) +
                                       ", and the program was made for version " + std::to_string(options->version));
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return fail(errorNotSupported, "the emulator needs a processor with AVX2 and FMA (x86-64-v3)");
#endif
  if (std::string why = findUnsupported(*options); !why.empty())
    return fail(errorNotSupported, why);
  return success;
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_create(const tilecc_emu_options *options, tilecc_emu_device **device) {
  if (int error = checkOptions(options))
    return error;
  return guarded([&]() -> int {
    auto made = std::make_unique<tilecc_emu_device>();
    made->options = *options;
    if (options->profile) {
      made->profile = std::make_unique<Profile>(options->profile);
      if (int number = *options->profile ? made->profile->create() : 0)
        return fail(errorInvalidValue,
                    std::string("the profile ") + options->profile + " cannot be written: " + std::strerror(number));
    }
    *device = made.release();
    return success;
  });
}

TILECC_EMU_EXPORT void tilecc_emu_destroy(tilecc_emu_device *device) {
  if (device && device->profile)
    device->profile->write();
  delete device;
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_default_device(const tilecc_emu_options *options,
                                                             tilecc_emu_device **device) {
  static std::mutex lock;
  static tilecc_emu_device *shared = nullptr; // never destroyed, because static destructors may still use it
  std::lock_guard guard(lock);
  if (shared) {
    *device = shared;
    return checkOptions(options);
  }
  int error = tilecc_emu_create(options, &shared);
  *device = shared;
  if (shared && shared->profile)
    std::atexit([] { shared->profile->write(); });
  return error;
}

//===-- Memory -------------------------------------------------------------------------------------------------===//

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_allocate(tilecc_emu_device *device, size_t bytes, void **address) {
  return guarded([&] {
    uint64_t made = device->memory.allocate(bytes);
    *address = reinterpret_cast<void *>(made);
    return made ? success
                : fail(errorMemoryAllocation,
                       "the emulator has no " + std::to_string(bytes) + " bytes of device memory");
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_free(tilecc_emu_device *device, void *address) {
  return guarded([&] {
    uint64_t at = reinterpret_cast<uint64_t>(address);
    return device->memory.free(at)
               ? success
               : fail(errorInvalidValue, "free of memory that is not an allocation: " + device->memory.describe(at));
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_allocate_multicast(tilecc_emu_device *device, void *const *copies,
                                                                 size_t count, size_t bytes, void **address) {
  return guarded([&] {
    std::vector<uint64_t> ranges;
    for (size_t i = 0; i < count; ++i)
      ranges.push_back(reinterpret_cast<uint64_t>(copies[i]));
    uint64_t made = device->memory.allocateMulticast(ranges, bytes);
    *address = reinterpret_cast<void *>(made);
    return made ? success : fail(errorInvalidValue, "multicast memory needs ranges of device memory");
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_allocate_host(tilecc_emu_device *device, size_t bytes, void **address) {
  return guarded([&] {
    *address = device->memory.allocateHost(bytes);
    return *address ? success : fail(errorMemoryAllocation, "no " + std::to_string(bytes) + " bytes of host memory");
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_free_host(tilecc_emu_device *device, void *address) {
  return guarded([&] {
    return device->memory.freeHost(address) ? success
                                            : fail(errorInvalidValue, "not memory that was allocated on the host");
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_register_host(tilecc_emu_device *device, void *address, size_t bytes) {
  return guarded([&] {
    return device->memory.registerHost(address, bytes)
               ? success
               : fail(errorHostMemoryAlreadyRegistered, "some of this memory has been registered before");
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_unregister_host(tilecc_emu_device *device, void *address) {
  return guarded([&] {
    return device->memory.unregisterHost(address)
               ? success
               : fail(errorHostMemoryNotRegistered, "no registered memory begins there");
  });
}

TILECC_EMU_EXPORT void tilecc_emu_memory_info(tilecc_emu_device *device, size_t *freeBytes, size_t *totalBytes) {
  device->memory.info(*freeBytes, *totalBytes);
}

// Returns the host memory behind a host or device address. Records an error and returns null on failure.
static void *hostAddress(tilecc_emu_device *device, const void *address, size_t bytes, const char *what) {
  auto at = reinterpret_cast<uint64_t>(address);
  if (!device->memory.owns(at))
    return const_cast<void *>(address);
  if (device->memory.check(at, bytes) != DeviceMemory::State::valid) {
    fail(errorInvalidValue, std::string(what) + " " + std::to_string(bytes) +
                                " bytes of device memory that are not one allocation: " + device->memory.describe(at));
    return nullptr;
  }
  return device->memory.backing(at, bytes);
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_copy(tilecc_emu_device *device, void *to, const void *from,
                                                   size_t bytes) {
  return guarded([&] {
    void *target = hostAddress(device, to, bytes, "a copy writes"),
         *source = hostAddress(device, from, bytes, "a copy reads");
    if (!target || !source)
      return static_cast<int>(errorInvalidValue);
    std::memmove(target, source, bytes);
    auto toAddress = reinterpret_cast<uint64_t>(to), fromAddress = reinterpret_cast<uint64_t>(from);
    if (device->memory.owns(toAddress)) {
      // A copy on the device preserves which bytes are uninitialized.
      bool sourceIsDevice = device->memory.owns(fromAddress);
      if (!sourceIsDevice || device->memory.isInitialized(fromAddress, bytes))
        device->memory.markInitialized(toAddress, bytes);
      else
        for (size_t i = 0; i < bytes; ++i)
          if (device->memory.isInitialized(fromAddress + i, 1))
            device->memory.markInitialized(toAddress + i, 1);
    }
    return static_cast<int>(success);
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_set(tilecc_emu_device *device, void *address, int byte, size_t bytes) {
  return guarded([&] {
    void *target = hostAddress(device, address, bytes, "a set writes");
    if (!target)
      return static_cast<int>(errorInvalidValue);
    std::memset(target, byte, bytes);
    if (auto at = reinterpret_cast<uint64_t>(address); device->memory.owns(at))
      device->memory.markInitialized(at, bytes);
    return static_cast<int>(success);
  });
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_synchronize(tilecc_emu_device *device) {
  std::lock_guard guard(device->lock);
  if (!device->pendingError)
    return success;
  int error = device->pendingError;
  device->pendingError = 0;
  return fail(error, device->pendingMessage);
}

//===-- Launches -----------------------------------------------------------------------------------------------===//

LaunchNames tilecc::emu::nameLaunch(const std::string &kernel, const tilecc_emu_launch_config &config) {
  LaunchNames names;
  names.kernel = kernel;
  for (int i = 0; i < 3; ++i) {
    names.grid[i] = config.grid[i];
    names.block[i] = config.block[i];
  }
  names.devicesAlongZ = config.devices_along_z && config.grid[2] > 1;
  return names;
}

Reporter tilecc::emu::makeReporter(const tilecc_emu_options &options, LaunchNames names) {
  return Reporter(std::move(names), [&options](const std::string &finding) {
    std::string text = finding;
    if (options.schedule == TILECC_EMU_SCHEDULE_RANDOM)
      text += "  (random schedule, seed " + std::to_string(options.seed) + ")\n";
    (options.report ? options.report : &printToStderr)(text.data(), text.size());
  });
}

LaunchChecker::Options tilecc::emu::getAccessChecks(const tilecc_emu_options &options) {
  LaunchChecker::Options checks;
  checks.memory = options.checks & TILECC_EMU_CHECK_MEMORY;
  checks.initialized = options.checks & TILECC_EMU_CHECK_INITIALIZED;
  checks.races = options.checks & TILECC_EMU_CHECK_RACES;
  return checks;
}

int tilecc::emu::countFindings(int error, const Reporter &reporter, tilecc_emu_stats &stats) {
  stats.findings = reporter.findings();
  if (!stats.findings)
    return error;
  // Everything has been reported. The message is the first line of the first finding, which names the kernel.
  return fail(error ? error : errorLaunchFailure, reporter.first().substr(0, reporter.first().find('\n')));
}

TILECC_EMU_EXPORT tilecc_emu_error tilecc_emu_launch(tilecc_emu_kernel *kernel, const tilecc_emu_launch_config *config,
                                                     void *const *args, tilecc_emu_stats *stats) {
  return guarded([&]() -> int {
    tilecc_emu_launch_config completed = *config;
    if (int error = completeConfiguration(*kernel, completed))
      return error;
    tilecc_emu_stats counts = {};
    int error = runLaunch(*kernel, completed, args, counts);
    if (stats)
      *stats = counts;
    if (error)
      keepError(getDevice(*kernel), error);
    if (const auto &profile = getDevice(*kernel).profile; error && profile)
      profile->write(); // the process may be aborted because of it
    return error;
  });
}
