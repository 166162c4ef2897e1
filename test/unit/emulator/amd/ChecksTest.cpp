//===-- ChecksTest.cpp - the checks report errors, and only errors ---------------------------------------------===//
#include "Harness.h"

#include <gtest/gtest.h>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;
using namespace tilecc::emu::amd::test;

namespace {

// v2: the work-item times 4; s[2:3]: 64 words, s[4:5]: 64 words that are not initialized.
struct Outcome {
  std::string findings, error;
};
Outcome runText(Processor processor, const std::string &text, unsigned threads = 0, uint64_t seed = 0) {
  TestMachine machine(processor);
  uint64_t words = machine.buffer(std::vector<u32>(64, 1)), empty = machine.emptyBuffer(256);
  machine.sharedBytes = 1024;
  machine.threads = threads;
  machine.seed = seed;
  machine.prepare = [&](Wave &wave) {
    wave.setScalar(2, u32(words)), wave.setScalar(3, u32(words >> 32)), wave.setScalar(4, u32(empty)),
        wave.setScalar(5, u32(empty >> 32));
    for (unsigned lane = 0; lane < wave.lanes; ++lane)
      wave.vector(2)[lane] = 4 * (wave.index * wave.lanes + lane);
  };
  machine.run(text);
  return {machine.findings, machine.error};
}

bool contains(const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; }
const char *const early = "a register is used before its load has been waited for";

TEST(Waits, AReadBeforeTheWaitIsFound) {
  Outcome run = runText(gfx942, "global_load_dword v0, v2, s[2:3]\nv_add_u32 v1, 1, v0");
  EXPECT_TRUE(contains(run.findings, early)) << run.findings;
  EXPECT_TRUE(contains(run.findings, "reads v0")) << run.findings;
  EXPECT_TRUE(contains(run.findings, "global_load_dword v0, v2, s[2:3]")) << run.findings;
  run = runText(gfx942, "global_load_dword v0, v2, s[2:3]\ns_waitcnt vmcnt(0)\nv_add_u32 v1, 1, v0");
  EXPECT_EQ(run.findings, "");
}

TEST(Waits, CountsSayWhichLoadHasArrived) {
  std::string loads = "global_load_dword v0, v2, s[2:3]\nglobal_load_dword v1, v2, s[2:3]\ns_waitcnt vmcnt(1)\n";
  EXPECT_EQ(runText(gfx942, loads + "v_mov_b32 v5, v0").findings, "");
  EXPECT_TRUE(contains(runText(gfx942, loads + "v_mov_b32 v5, v1").findings, early));
}

TEST(Waits, ScalarLoadsOvertake) {
  std::string loads = "s_load_dword s8, s[2:3], 0x0\ns_load_dword s9, s[2:3], 0x4\n";
  EXPECT_TRUE(contains(runText(gfx942, loads + "s_waitcnt lgkmcnt(1)\ns_mov_b32 s10, s8").findings, early));
  EXPECT_EQ(runText(gfx942, loads + "s_waitcnt lgkmcnt(0)\ns_mov_b32 s10, s8").findings, "");
}

TEST(Waits, ACounterIsNotAnother) {
  EXPECT_TRUE(contains(runText(gfx942, "global_load_dword v0, v2, s[2:3]\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v5, v0").findings, early));
  EXPECT_TRUE(contains(runText(gfx1201, "global_load_b32 v0, v2, s[2:3]\ns_wait_dscnt 0x0\nv_mov_b32 v5, v0").findings, early));
  // gfx9 counts stores together with loads; gfx11 counts them separately.
  std::string both = "global_load_%s v0, v2, s[2:3]\nglobal_store_%s v2, v2, s[4:5]\ns_waitcnt vmcnt(1)\nv_mov_b32 v5, v0";
  auto with = [&](std::string text, const std::string &type) {
    for (size_t at; (at = text.find("%s")) != std::string::npos;)
      text.replace(at, 2, type);
    return text;
  };
  EXPECT_EQ(runText(gfx942, with(both, "dword")).findings, "");
  EXPECT_TRUE(contains(runText(gfx1100, with(both, "b32")).findings, early));
}

TEST(Waits, WritingWhatIsInFlightIsFound) {
  Outcome run = runText(gfx942, "global_load_dword v0, v2, s[2:3]\nv_mov_b32 v0, 0");
  EXPECT_TRUE(contains(run.findings, "writes v0")) << run.findings;
}

TEST(Waits, HalvesOfARegisterAreLoadedInOrder) {
  std::string high = "global_load_short_d16_hi v0, v2, s[2:3]\ns_waitcnt vmcnt(0)";
  EXPECT_EQ(runText(gfx942, "global_load_short_d16 v0, v2, s[2:3]\n" + high).findings, "");
  EXPECT_TRUE(contains(runText(gfx942, "ds_read_u16_d16 v0, v2\n" + high).findings, early));
}

TEST(Bounds, AnAccessBehindTheEndIsFound) {
  Outcome run = runText(gfx942, "global_load_dword v0, v2, s[2:3] offset:4");
  EXPECT_TRUE(contains(run.findings, "out-of-bounds read of global memory")) << run.findings;
  EXPECT_TRUE(contains(run.findings, "thread (63,0,0) reads 4 bytes")) << run.findings;
  run = runText(gfx942, "v_mov_b32 v3, 0x400\nds_read_b32 v0, v3\ns_waitcnt lgkmcnt(0)");
  EXPECT_TRUE(contains(run.findings, "out-of-bounds read of shared memory")) << run.findings;
}

TEST(Uninitialized, AReadIsFound) {
  Outcome run = runText(gfx942, "global_load_dword v0, v2, s[4:5]\ns_waitcnt vmcnt(0)");
  EXPECT_TRUE(contains(run.findings, "read of uninitialized global memory")) << run.findings;
  run = runText(gfx1201, "ds_load_b32 v0, v2\ns_wait_dscnt 0x0");
  EXPECT_TRUE(contains(run.findings, "read of uninitialized shared memory")) << run.findings;
}

// Two waves: each work-item stores its word and reads that of the work-item half a workgroup away.
std::string exchange(bool hasBarrier, bool hasWait, unsigned half) {
  return "v_xor_b32 v3, " + std::to_string(4 * half) + ", v2\nds_write_b32 v2, v2\n" +
         (hasWait ? "s_waitcnt lgkmcnt(0)\n" : "") + (hasBarrier ? "s_barrier\n" : "") +
         "ds_read_b32 v0, v3\ns_waitcnt lgkmcnt(0)";
}

TEST(Races, BetweenWavesAreFound) {
  EXPECT_EQ(runText(gfx942, exchange(true, true, 64), 128).findings, "");
  Outcome run = runText(gfx942, exchange(false, true, 64), 128);
  EXPECT_TRUE(contains(run.findings, "data race in shared memory")) << run.findings;
  // The store may still be in flight when the barrier is passed.
  run = runText(gfx942, exchange(true, false, 64), 128);
  EXPECT_TRUE(contains(run.findings, "data race in shared memory")) << run.findings;
}

TEST(Races, WithinAWaveAreNone) { EXPECT_EQ(runText(gfx942, exchange(false, true, 32)).findings, ""); }

TEST(Races, BetweenStoresOfOneValueAreNone) {
  std::string store = "v_mov_b32 v3, 0\nv_readfirstlane_b32 s8, v4\nv_mov_b32 v5, s8\nds_write_b32 v3, v5";
  EXPECT_EQ(runText(gfx942, "v_mov_b32 v4, 7\n" + store, 128).findings, "");
  EXPECT_TRUE(contains(runText(gfx942, "v_mov_b32 v4, v2\n" + store, 128).findings, "data race in shared memory"));
}

TEST(Races, AreFoundInAnyOrder) {
  for (uint64_t seed = 1; seed < 20; ++seed) {
    EXPECT_EQ(runText(gfx942, exchange(true, true, 64), 128, seed).findings, "") << seed;
    EXPECT_NE(runText(gfx942, exchange(false, true, 64), 128, seed).findings, "") << seed;
  }
}

TEST(Barriers, OfTwoPartsOrderWaves) {
  std::string text = "v_xor_b32 v3, 128, v2\nds_store_b32 v2, v2\ns_wait_dscnt 0x0\ns_barrier_signal -1\ns_barrier_wait -1\n"
                     "ds_load_b32 v0, v3\ns_wait_dscnt 0x0";
  EXPECT_EQ(runText(gfx1201, text, 64).findings, "");
  EXPECT_NE(runText(gfx1201, "s_barrier_wait -1", 64).error, "");
}

TEST(Decoding, AnUnknownInstructionIsNamed) {
  Outcome run = runText(gfx942, "v_mov_b32 v0, 0\nv_cubeid_f32 v0, v1, v2, v3");
  EXPECT_TRUE(contains(run.error, "does not know the instruction 'v_cubeid_f32'")) << run.error;
  EXPECT_TRUE(contains(run.error, "0x4")) << run.error;
}

} // namespace
