//===-- LdsBanksTest.cpp - cycles of accesses to LDS -----------------------------------------------------------===//
#include "emulator/amd/LdsBanks.h"

#include <gtest/gtest.h>

using namespace tilecc::emu::amd;

namespace {

// The cycles of an access of all lanes, and those of conflicts. `address(lane)` is in bytes.
template <class F> BankCycles count(const char *processor, bool isLoad, unsigned bytes, F address) {
  const Target target = Target::parse(processor, std::string_view(processor).starts_with("gfx1"));
  uint64_t addresses[maxLanes] = {};
  for (unsigned lane = 0; lane < target.lanes(); ++lane)
    addresses[lane] = address(lane);
  const LaneMask all = target.lanes() == 64 ? ~LaneMask(0) : 0xffffffff;
  return countBankCycles(target, isLoad, bytes, all, addresses);
}

TEST(LdsBanks, AdjacentLanesHaveNoConflicts) {
  for (unsigned bytes : {4u, 8u, 16u}) {
    auto adjacent = [&](unsigned lane) { return bytes * lane; };
    EXPECT_EQ(count("gfx942", true, bytes, adjacent).cycles, bytes / 4 * 2u);
    EXPECT_EQ(count("gfx942", false, bytes, adjacent).cycles, bytes / 4 * 2u);
    EXPECT_EQ(count("gfx942", true, bytes, adjacent).conflicts, 0u);
    EXPECT_EQ(count("gfx1100", true, bytes, adjacent).cycles, bytes / 4 * 1u);
  }
  // gfx950 loads 256 bytes in a cycle, and stores 128.
  EXPECT_EQ(count("gfx950", true, 16, [](unsigned lane) { return 16 * lane; }).cycles, 4u);
  EXPECT_EQ(count("gfx950", false, 16, [](unsigned lane) { return 16 * lane; }).cycles, 8u);
}

TEST(LdsBanks, LanesOfABankWait) {
  EXPECT_EQ(count("gfx942", true, 4, [](unsigned lane) { return 128 * lane; }).conflicts, 62u);
  EXPECT_EQ(count("gfx942", true, 4, [](unsigned lane) { return 8 * lane; }).conflicts, 2u);
  EXPECT_EQ(count("gfx1201", true, 4, [](unsigned lane) { return 8 * lane; }).conflicts, 1u);
  EXPECT_EQ(count("gfx942", true, 4, [](unsigned) { return 64; }).conflicts, 0u) << "one word serves all lanes";
  EXPECT_EQ(count("gfx942", true, 2, [](unsigned lane) { return 2 * lane; }).conflicts, 0u) << "two lanes share a word";
}

// Groups of four lanes access one half of the 32 banks; those whose bit is 1 access the upper half.
auto halves(unsigned upper) {
  return [=](unsigned lane) { return 16 * (lane % 4) + (upper >> lane / 4 % 8 & 1) * 64 + lane / 4 * 128; };
}

TEST(LdsBanks, PhasesOfWideLoadsPairGroupsOfLanes) {
  EXPECT_EQ(count("gfx942", true, 16, halves(0b10101010)).conflicts, 0u);
  EXPECT_EQ(count("gfx942", false, 16, halves(0b10101010)).conflicts, 0u);
  EXPECT_EQ(count("gfx942", true, 16, halves(0b11110000)).conflicts, 0u) << "lanes 0-3 with 20-23";
  EXPECT_EQ(count("gfx942", false, 16, halves(0b11110000)).conflicts, 8u) << "lanes 0-3 with 4-7";
  EXPECT_EQ(count("gfx942", true, 16, halves(0b11001100)).conflicts, 8u);
  EXPECT_EQ(count("gfx1100", true, 16, halves(0b11110000)).conflicts, 4u) << "RDNA takes adjacent lanes";
}

TEST(LdsBanks, PhasesOfGfx950HaveFourGroupsOfLanes) {
  auto quarters = [](std::array<unsigned, 8> of) {
    return [=](unsigned lane) { return 16 * (lane % 4) + of[lane / 4 % 8] * 64 + lane / 4 * 256; };
  };
  EXPECT_EQ(count("gfx950", true, 16, quarters({0, 0, 1, 1, 2, 2, 3, 3})).conflicts, 0u) << "lanes 0-3, 12-15, 20-27";
  EXPECT_EQ(count("gfx950", true, 16, quarters({0, 0, 0, 0, 1, 1, 1, 1})).conflicts, 4u);
}

} // namespace
