//===-- EmulatedDevice.h - the device behind the C interface, independent of the code it runs ------------------===//
//
// libtilecc_emu (PTX) and libtilecc_emu_amd (AMD code objects) share this part: the memory, the options and the errors
// of a device. Each library adds its own modules and launches.
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
  int pendingError = 0; // the error of a launch that a later query reports
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

// A launch that executes this many instructions, which takes some minutes, is assumed never to end.
constexpr uint64_t defaultInstructionLimit = uint64_t(1) << 33;

// Records an error and its message, and returns the error.
int fail(int error, const std::string &message);
// Records that a launch failed, so that synchronizing with the device also reports it.
void keepError(tilecc_emu_device &device, int error);

// Each library defines these two functions. The first converts the current exception to an error. The second returns a
// description of those options for a new device that the library does not support; it is empty if there are none.
int recordException();
std::string findUnsupported(const tilecc_emu_options &options);

// Runs `body`, which returns an error or throws an exception.
template <class Body> int guarded(Body body) {
  try {
    return body();
  } catch (...) {
    return recordException();
  }
}

// These functions apply the options of the device to a launch. makeReporter() prints findings as requested, each with
// the seed if the schedule is random. getAccessChecks() returns the access checks that are enabled. countFindings()
// counts the findings of a launch that ended with `error`; any finding makes the launch fail.
Reporter makeReporter(const tilecc_emu_options &options, LaunchNames names);
LaunchChecker::Options getAccessChecks(const tilecc_emu_options &options);
int countFindings(int error, const Reporter &reporter, tilecc_emu_stats &stats);
// Returns the names of the kernel, the grid and the block. Each library adds functions that find sources and
// instructions.
LaunchNames nameLaunch(const std::string &kernel, const tilecc_emu_launch_config &config);

// Each library defines these functions. tilecc_emu_launch() completes and checks the configuration of a launch by the
// second one before it runs the launch.
tilecc_emu_device &getDevice(const tilecc_emu_kernel &kernel);
int completeConfiguration(const tilecc_emu_kernel &kernel, tilecc_emu_launch_config &config);
int runLaunch(tilecc_emu_kernel &kernel, const tilecc_emu_launch_config &config, void *const *args,
              tilecc_emu_stats &stats);

// The default output of messages.
void printToStdout(const char *text, size_t size);
void printToStderr(const char *text, size_t size);

} // namespace tilecc::emu
#endif
