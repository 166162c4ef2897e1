//===-- EmulatorOptions.h - what the PTX emulator is asked to do -----------------------------------------------===//
//
// By the environment of a program whose device it is, and in the same words on the command line of tcc-run.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_EMULATOROPTIONS_H
#define TILECC_RUNTIME_EMULATOROPTIONS_H

#include "Support.h"
#include "tilecc/emulator.h"

namespace tilecc::rt {

struct EmulatorSettings {
  enum Name { checks, schedule, seed, maxInstructions, count };
  const char *text[count] = {}; // what the user said; null or empty: nothing
};

// Sets the options that are settings, to their defaults where nothing was said. Null if they are right; else what
// *wrong should have been, as the end of a sentence.
const char *applyEmulatorSettings(const EmulatorSettings &settings, tilecc_emu_options &options,
                                  EmulatorSettings::Name *wrong);

// The environment's: TILECC_EMU_CHECKS and the others of <tilecc/runtime.h>.
const char *variableOf(EmulatorSettings::Name name);
EmulatorSettings settingsOfEnvironment();

} // namespace tilecc::rt
#endif
