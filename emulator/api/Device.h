//===-- Device.h - the device behind the C interface, whatever code it runs ------------------------------------===//
//
// What libtilecc_emu (PTX) and libtilecc_emu_amd (AMD's code objects) have in common: a device's memory, its options
// and its errors. Each library is this and its own modules and launches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_API_DEVICE_H
#define TILECC_EMULATOR_API_DEVICE_H

#include "emulator/checks/Checker.h"
#include "tilecc/emulator.h"

#include <mutex>
#include <string>

#define TILECC_EMU_EXPORT extern "C" __attribute__((visibility("default")))

struct tilecc_emu_device {
  tilecc_emu_options options;
  tilecc::emu::DeviceMemory memory;
  std::mutex lock;      // of what follows
  int pendingError = 0; // of launches, for who asks later
  std::string pendingMessage;
};

namespace tilecc::emu {

enum : int {
  success = 0,
  errorInvalidValue = 1,
  errorMemoryAllocation = 2,
  errorInvalidConfiguration = 9,
  errorInvalidPtx = 218,
  errorHostMemoryAlreadyRegistered = 712,
  errorHostMemoryNotRegistered = 713,
  errorSymbolNotFound = 500,
  errorNotSupported = 801,
  errorUnknown = 999,
};

// A launch that runs this long without an end is taken for endless: some minutes.
constexpr uint64_t defaultInstructionLimit = uint64_t(1) << 33;

// Records the words of an error, and returns it.
int fail(int error, const std::string &message);
// A launch has failed: who synchronizes is told so, too.
void keepError(tilecc_emu_device &device, int error);

// The library's own: the exception that is being handled, as an error; and what is wrong with an architecture that a
// device is to have, or nothing.
int recordException();
std::string checkArchitecture(uint32_t arch);

// Runs `body`, which returns an error or throws.
template <class Body> int guarded(Body body) {
  try {
    return body();
  } catch (...) {
    return recordException();
  }
}

// What every launch does with the options of its device. Reports findings where they say, each with the seed of a
// random schedule; returns the checks of accesses that they ask for; and counts the findings of a launch that has ended
// with `error`, which any of them makes fail.
Reporter makeReporter(const tilecc_emu_options &options, LaunchNames names);
LaunchChecker::Options getAccessChecks(const tilecc_emu_options &options);
int countFindings(int error, const Reporter &reporter, tilecc_emu_stats &stats);
// The kernel, the grid and the block; each library adds how it finds sources and instructions.
LaunchNames nameLaunch(const std::string &kernel, const tilecc_emu_launch_config &config);

// Each library's own: tilecc_emu_launch() checks, and then runs.
tilecc_emu_device &getDevice(const tilecc_emu_kernel &kernel);
int checkConfiguration(const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config);
int runLaunch(tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config, void *const *args,
              tilecc_emu_stats &stats);

// Where texts go that no option has a function for.
void printToStdout(const char *text, size_t size);
void printToStderr(const char *text, size_t size);

} // namespace tilecc::emu
#endif
