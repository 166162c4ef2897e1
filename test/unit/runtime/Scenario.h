//===-- Scenario.h - tests that need a process of their own ----------------------------------------------------===//
//
// The runtime detects its devices once per process. So behavior that depends on the environment, on a fork or on exit
// cannot be tested in the process of the other tests. A SCENARIO is a function that runs in a child process:
//
//   SCENARIO(launchesOnCpu) { EXPECT_EQ(...); }
//   TEST(DefaultDevice, IsTheCpuWithoutDriver) { run("launchesOnCpu", {{"TILECC_DEVICE", "cpu"}}).expectSuccess(); }
//
// Failures of EXPECTs in the child count. The caller gets the child's output, and the log of the fake CUDA driver and
// emulator, which the child finds instead of real ones. It finds the fake HIP if LD_LIBRARY_PATH is FAKE_HIP_DIR.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_SCENARIO_H
#define TILECC_TEST_SCENARIO_H

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace scenario {

struct Registration {
  Registration(const char *name, void (*body)());
};

struct Outcome {
  int exitCode;       // negative: the signal that ended it
  std::string output; // stdout and stderr
  std::string log;    // of the fakes, a line for each call

  // The child ran to its end and no EXPECT in it failed.
  const Outcome &expectSuccess() const;
  const Outcome &expectOutput(const std::string &text) const;
  const Outcome &expectLog(const std::string &text) const;
  const Outcome &expectNoLog(const std::string &text) const;
  // The number of lines of the log that begin with this.
  int calls(const std::string &beginning) const;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// The fakes are found unless the environment sets LD_LIBRARY_PATH. TILECC_* and FAKE_* are as given only.
Outcome run(const std::string &name, Environment environment = {});

// In a scenario: what the fakes have logged so far.
std::string driverLog();

// In a scenario: runs f in a forked child, and expects it to exit in order with no EXPECT failed.
void inChild(const std::function<void()> &f);

} // namespace scenario

#define SCENARIO(name)                                                                                                 \
  static void name();                                                                                                  \
  static const scenario::Registration name##Registration(#name, name);                                                 \
  static void name()

#endif
