//===-- EmulatorOptions.h - options of the PTX emulator --------------------------------------------------------===//
//
// Programs take these options from environment variables; tcc-run takes the same values from its command line.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_EMULATOROPTIONS_H
#define TILECC_RUNTIME_EMULATOROPTIONS_H

#include "tilecc/emulator.h"

namespace tilecc::rt {

struct EmulatorSettings {
  enum Name { checks, schedule, seed, maxInstructions, profile, count };
  const char *text[count] = {}; // the text for each option; null or empty: not given
};

// Sets `options` from `settings`, with defaults for options that are not given. Returns null if all are valid.
// Otherwise sets *wrong to the option that is not, and returns a message that describes the valid values.
const char *applyEmulatorSettings(const EmulatorSettings &settings, tilecc_emu_options &options,
                                  EmulatorSettings::Name *wrong);

// Returns the environment variable for an option: TILECC_EMU_CHECKS and the others in <tilecc/runtime.h>.
const char *variableOf(EmulatorSettings::Name name);
EmulatorSettings settingsOfEnvironment();

} // namespace tilecc::rt
#endif
