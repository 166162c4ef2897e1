//===-- EmulatorOptions.cpp ------------------------------------------------------------------------------------===//
//
// Parses the environment variables TILECC_EMU_*. The emulated CUDA driver also uses this file.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "EmulatorOptions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

using namespace tilecc::rt;

// Parses words separated by commas; "all" and "none" must stand alone.
static bool parseChecks(const char *text, uint32_t *checks) {
  static const struct {
    const char *name;
    uint32_t bit;
  } words[] = {{"memory", TILECC_EMU_CHECK_MEMORY},
               {"init", TILECC_EMU_CHECK_INITIALIZED},
               {"races", TILECC_EMU_CHECK_RACES},
               {"replicas", TILECC_EMU_CHECK_REPLICAS},
               {"copy-fences", TILECC_EMU_CHECK_COPY_FENCES},
               {"tensor-fences", TILECC_EMU_CHECK_TENSOR_FENCES}};
  *checks = strcmp(text, "all") ? 0 : TILECC_EMU_CHECK_ALL;
  if (*checks || !strcmp(text, "none"))
    return true;
  for (;;) {
    size_t length = strcspn(text, ",");
    uint32_t bit = 0;
    for (auto &word : words)
      if (length == strlen(word.name) && !strncmp(text, word.name, length))
        bit = word.bit;
    if (!bit)
      return false;
    *checks |= bit;
    if (!text[length])
      return true;
    text += length + 1;
  }
}

static bool parseNumber(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

// Returns a new seed, short enough to be typed, for runs without a given seed.
static uint64_t newSeed() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (static_cast<uint64_t>(now.tv_sec) * 1000003 ^ now.tv_nsec ^ getpid()) % 1000000000;
}

const char *tilecc::rt::applyEmulatorSettings(const EmulatorSettings &settings, tilecc_emu_options &options,
                                              EmulatorSettings::Name *wrong) {
  auto said = [&](EmulatorSettings::Name name) {
    *wrong = name;
    const char *text = settings.text[name];
    return text && *text ? text : nullptr;
  };
  options.checks = TILECC_EMU_CHECK_ALL;
  if (const char *text = said(EmulatorSettings::checks); text && !parseChecks(text, &options.checks))
    return "the checks are 'all', 'none', or some of 'memory,init,races,replicas,copy-fences,tensor-fences'";

  options.schedule = TILECC_EMU_SCHEDULE_FAST;
  if (const char *text = said(EmulatorSettings::schedule)) {
    if (!strcmp(text, "random"))
      options.schedule = TILECC_EMU_SCHEDULE_RANDOM;
    else if (strcmp(text, "fast"))
      return "the schedule is 'fast' or 'random'";
  }

  options.seed = options.schedule == TILECC_EMU_SCHEDULE_RANDOM ? newSeed() : 0;
  if (const char *text = said(EmulatorSettings::seed)) {
    if (!parseNumber(text, &options.seed))
      return "the seed is a number";
    if (options.schedule != TILECC_EMU_SCHEDULE_RANDOM)
      return "only the random schedule takes a seed";
  }

  options.instruction_limit = 0;
  if (const char *text = said(EmulatorSettings::maxInstructions))
    if (!parseNumber(text, &options.instruction_limit) || options.instruction_limit == 0)
      return "the number of instructions is at least 1";

  options.profile = said(EmulatorSettings::profile);
  return nullptr;
}

const char *tilecc::rt::variableOf(EmulatorSettings::Name name) {
  static const char *const variables[EmulatorSettings::count] = {"TILECC_EMU_CHECKS", "TILECC_EMU_SCHEDULE",
                                                                 "TILECC_EMU_SEED", "TILECC_EMU_MAX_INSTRUCTIONS",
                                                                 "TILECC_EMU_PROFILE"};
  return variables[name];
}

EmulatorSettings tilecc::rt::settingsOfEnvironment() {
  EmulatorSettings settings;
  for (int i = 0; i < EmulatorSettings::count; ++i)
    settings.text[i] = secure_getenv(variableOf(static_cast<EmulatorSettings::Name>(i)));
  return settings;
}
