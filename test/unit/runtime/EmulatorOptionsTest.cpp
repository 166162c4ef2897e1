//===-- EmulatorOptionsTest.cpp - tests the parsing of TILECC_EMU_* variables ------------------------------------===//
#include "runtime/internal/EmulatorOptions.h"

#include <gtest/gtest.h>
#include <string>

using namespace tilecc::rt;
using Settings = EmulatorSettings;

// The result of the settings, or the error of one of them.
static std::string apply(const char *checks, const char *schedule = nullptr, const char *seed = nullptr,
                         const char *limit = nullptr) {
  tilecc_emu_options options = {};
  Settings settings;
  Settings::Name wrong;
  settings.text[Settings::checks] = checks;
  settings.text[Settings::schedule] = schedule;
  settings.text[Settings::seed] = seed;
  settings.text[Settings::maxInstructions] = limit;
  if (const char *rule = applyEmulatorSettings(settings, options, &wrong))
    return "setting " + std::to_string(wrong) + ": " + rule;
  return std::to_string(options.checks) + " " + std::to_string(options.schedule) + " " + std::to_string(options.seed) +
         " " + std::to_string(options.instruction_limit);
}

TEST(EmulatorOptions, AreCheckedAndFastByDefault) {
  EXPECT_EQ(apply(nullptr), "23 0 0 0");
  EXPECT_EQ(apply("", "", "", ""), "23 0 0 0");
}

TEST(EmulatorOptions, Checks) {
  EXPECT_EQ(apply("all"), "23 0 0 0");
  EXPECT_EQ(apply("none"), "0 0 0 0");
  EXPECT_EQ(apply("memory"), "1 0 0 0");
  EXPECT_EQ(apply("init"), "2 0 0 0");
  EXPECT_EQ(apply("races"), "4 0 0 0");
  EXPECT_EQ(apply("races,memory"), "5 0 0 0");
  EXPECT_EQ(apply("replicas"), "16 0 0 0");
  EXPECT_EQ(apply("races,copy-fences"), "12 0 0 0");
  EXPECT_EQ(apply("races,tensor-fences"), "36 0 0 0");
  for (const char *text : {"race", "memory,", ",memory", "memory,all", "none,memory", "memory races", "Memory", "7"})
    EXPECT_EQ(apply(text), "setting 0: the checks are 'all', 'none', or some of 'memory,init,races,replicas,copy-fences,tensor-fences'") << text;
}

TEST(EmulatorOptions, Schedule) {
  EXPECT_EQ(apply(nullptr, "fast"), "23 0 0 0");
  EXPECT_EQ(apply(nullptr, "random", "12"), "23 1 12 0");
  EXPECT_EQ(apply(nullptr, "random", "18446744073709551615"), "23 1 18446744073709551615 0");
  EXPECT_EQ(apply(nullptr, "random", "0x10"), "23 1 16 0");
  EXPECT_NE(apply(nullptr, "random"), apply(nullptr, "random")) << "each run has a seed of its own";
  EXPECT_EQ(apply(nullptr, "slow"), "setting 1: the schedule is 'fast' or 'random'");
  for (const char *text : {"x", "-1", "1x", " 1", "18446744073709551616"})
    EXPECT_EQ(apply(nullptr, "random", text), "setting 2: the seed is a number") << text;
  EXPECT_EQ(apply(nullptr, "fast", "1"), "setting 2: only the random schedule takes a seed");
  EXPECT_EQ(apply(nullptr, nullptr, "1"), "setting 2: only the random schedule takes a seed");
}

TEST(EmulatorOptions, Limit) {
  EXPECT_EQ(apply(nullptr, nullptr, nullptr, "1000000"), "23 0 0 1000000");
  for (const char *text : {"0", "-5", "1e6", "many"})
    EXPECT_EQ(apply(nullptr, nullptr, nullptr, text), "setting 3: the number of instructions is at least 1") << text;
}
