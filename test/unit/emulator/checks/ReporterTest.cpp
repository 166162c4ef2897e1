//===-- ReporterTest.cpp - tests the text of findings ----------------------------------------------------------===//
#include "emulator/checks/Reporter.h"

#include <gtest/gtest.h>

using namespace tilecc::emu;

namespace {

struct Printed {
  std::vector<std::string> texts;
  Reporter reporter;
  Printed() : reporter(names(), [this](const std::string &text) { texts.push_back(text); }) {}
  static LaunchNames names() {
    auto source = [](uint32_t pc) { return "softmax.tt.cpp:" + std::to_string(pc); };
    return {"softmax<1024>", {4, 2, 1}, {64, 2, 1}, /*devicesAlongZ=*/false, source, {}};
  }
};

TEST(Reporter, OneFindingOnce) {
  Printed printed;
  EXPECT_EQ(printed.reporter.findings(), 0u);
  EXPECT_EQ(printed.reporter.first(), "");
  Place place{5, 65, 31};
  EXPECT_TRUE(printed.reporter.report("race", place, "data race in shared memory", {"one", "  two"}));
  place.block = 6; // another block and thread at the same instruction
  EXPECT_FALSE(printed.reporter.report("race", place, "data race in shared memory", {"one"}));
  EXPECT_TRUE(printed.reporter.report("other", place, "something else"));
  place.pc = 32;
  EXPECT_TRUE(printed.reporter.report("race", place, "data race in shared memory"));
  ASSERT_EQ(printed.texts.size(), 3u);
  EXPECT_EQ(printed.texts[0],
            "softmax.tt.cpp:31: error: data race in shared memory: kernel 'softmax<1024>', block (1,1,0)\n"
            "  one\n"
            "    two\n");
  EXPECT_EQ(printed.reporter.findings(), 3u);
  EXPECT_EQ(printed.reporter.first(), printed.texts[0]);
}

TEST(Reporter, NamesOfThreadsAndBlocks) {
  Printed printed;
  EXPECT_EQ(printed.reporter.thread({0, 65, 0}), "thread (1,1,0)");
  EXPECT_EQ(printed.reporter.block({7, 0, 0}), "block (3,1,0)");
}

TEST(Reporter, FaultsAreReportedAndThrown) {
  Printed printed;
  for (int i = 0; i < 2; ++i) {
    try {
      printed.reporter.fault(errorIllegalAddress, "bounds", {0, 0, 1}, "out-of-bounds write to global memory");
      FAIL();
    } catch (const Fault &fault) {
      EXPECT_EQ(fault.error, 700);
      EXPECT_STREQ(fault.what(), "out-of-bounds write to global memory");
    }
  }
  EXPECT_EQ(printed.texts.size(), 1u);
}

TEST(Reporter, WithoutALineThereIsNone) {
  std::string text;
  LaunchNames names;
  names.kernel = "k";
  Reporter reporter(names, [&](const std::string &line) { text = line; });
  reporter.report("x", {}, "something");
  EXPECT_EQ(text, "error: something: kernel 'k', block (0,0,0)\n");
}

} // namespace
