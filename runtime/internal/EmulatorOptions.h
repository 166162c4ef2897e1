//===-- EmulatorOptions.h - options of the PTX emulator --------------------------------------------------------===//
//
// Programs take them from environment variables; tcc-run takes the same values from command-line options.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_EMULATOROPTIONS_H
#define TILECC_RUNTIME_EMULATOROPTIONS_H

#include "tilecc/emulator.h"

namespace tilecc::rt {

struct EmulatorSettings {
  enum Name { checks, schedule, seed, maxInstructions, profile, count };
  const char *text[count] = {}; // the user's text; null or empty: not given
};

// Sets the options, with defaults for missing ones. Returns null on success. Otherwise returns a message, which
// describes the valid values, and sets *wrong to the wrong option.
const char *applyEmulatorSettings(const EmulatorSettings &settings, tilecc_emu_options &options,
                                  EmulatorSettings::Name *wrong);

// The environment variable of an option: TILECC_EMU_CHECKS and the others of <tilecc/runtime.h>.
const char *variableOf(EmulatorSettings::Name name);
EmulatorSettings settingsOfEnvironment();

} // namespace tilecc::rt
#endif
