//===-- EmulatedDevice.h - the device behind the C interface, independent of the code it runs ------------------===//
//
// The common part of libtilecc_emu (PTX) and libtilecc_emu_amd (AMD code objects): a device's memory, options and
// errors. Each library adds its own modules and launches.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_API_EMULATEDDEVICE_H
#define TILECC_EMULATOR_API_EMULATEDDEVICE_H

#include "emulator/checks/Checker.h"
#include "emulator/profile/Profile.h"
#include "tilecc/emulator.h"

#include <mutex>
#include <string>

#define TILECC_EMU_EXPORT extern "C" __attribute__((visibility("default")))

struct tilecc_emu_device {
  tilecc_emu_options options;
  tilecc::emu::DeviceMemory memory;
  std::mutex lock;      // guards the rest
  int pendingError = 0; // error of a launch, for a later query
  std::string pendingMessage;
  std::unique_ptr<tilecc::emu::Profile> profile; // null: none is made
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

// A launch that executes this many instructions, some minutes, is considered endless.
constexpr uint64_t defaultInstructionLimit = uint64_t(1) << 33;

// Records an error and its message, and returns it.
int fail(int error, const std::string &message);
// Records the failure of a launch, so that synchronization also reports it.
void keepError(tilecc_emu_device &device, int error);

// Each library defines these functions. The first converts the current exception to an error. The second describes the
// options for a new device that the library does not support, if any.
int recordException();
std::string findUnsupported(const tilecc_emu_options &options);

// Runs `body`, which returns an error or throws.
template <class Body> int guarded(Body body) {
  try {
    return body();
  } catch (...) {
    return recordException();
  }
}

// These functions apply the device's options to a launch. makeReporter() prints findings as requested, each with the
// seed of a random schedule. getAccessChecks() returns the enabled access checks. countFindings() counts the findings
// of a launch that ended with `error`; any finding makes the launch fail.
Reporter makeReporter(const tilecc_emu_options &options, LaunchNames names);
LaunchChecker::Options getAccessChecks(const tilecc_emu_options &options);
int countFindings(int error, const Reporter &reporter, tilecc_emu_stats &stats);
// Sets the kernel, the grid and the block. Each library adds functions that find sources and instructions.
LaunchNames nameLaunch(const std::string &kernel, const tilecc_emu_launch_config &config);

// Each library defines these functions: tilecc_emu_launch() first checks a launch, then runs it.
tilecc_emu_device &getDevice(const tilecc_emu_kernel &kernel);
int checkConfiguration(const tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config);
int runLaunch(tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config, void *const *args,
              tilecc_emu_stats &stats);

// The default output of messages.
void printToStdout(const char *text, size_t size);
void printToStderr(const char *text, size_t size);

} // namespace tilecc::emu
#endif
