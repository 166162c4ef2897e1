//===-- MemoryChecksTest.cpp - tests bounds, alignment, use after free, initialization --------------------------===//
#include "Scene.h"

#include <gtest/gtest.h>

using namespace tilecc::emu;
using namespace tilecc::emu::test;
using E = Event;

namespace {

std::string hex(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

class MemoryChecks : public testing::Test {
protected:
  Scene scene{LaunchChecker::Options{true, true, false, {}}, 2, 4};
  std::string allocation = "the allocation of 8192 bytes at " + hex(scene.allocation);

  // The error that ends the launch, followed by the finding's text.
  std::string faultOf(const Event &event) {
    scene.findings.clear();
    try {
      scene.run(event, 3);
    } catch (const Fault &fault) {
      return std::to_string(fault.error) + "\n" + scene.text();
    }
    return scene.text();
  }
  static std::string fault(int error, const std::string &what, const std::string &how, const std::string &block = "0") {
    return std::to_string(error) + "\nk.tt.cpp:3: error: " + what + ": kernel 'k', block (" + block + ",0,0)\n  " +
           how + "\n    #3\n";
  }
};

TEST_F(MemoryChecks, PastTheEnd) {
  scene.fill(0);
  EXPECT_EQ(faultOf(E::load(1, 8192 - 128).global()), "");
  EXPECT_EQ(faultOf(E::load(1, 8192 - 64).global()),
            fault(700, "out-of-bounds read of global memory",
                  "thread (48,0,0) reads 4 bytes just past the end of " + allocation));
  EXPECT_EQ(faultOf(E::store(0, 8204).global().in(1)),
            fault(700, "out-of-bounds write of global memory",
                  "thread (0,0,0) writes 4 bytes 12 bytes past the end of " + allocation, "1"));
  EXPECT_EQ(faultOf(E::atomic(0, -4).global().by(1)),
            fault(700, "out-of-bounds update of global memory",
                  "thread (0,0,0) updates 4 bytes 4 bytes before " + allocation));
}

TEST_F(MemoryChecks, OverTheEnd) {
  uint64_t odd = scene.memory.allocate(100);
  scene.memory.markInitialized(odd, 100);
  EXPECT_EQ(faultOf(E::load(0, odd + 96 - scene.allocation).global().size(16).by(1)),
            fault(700, "out-of-bounds read of global memory",
                  "thread (0,0,0) reads 16 bytes at byte 96 of the allocation of 100 bytes at " + hex(odd) +
                      ", over its end"));
}

TEST_F(MemoryChecks, NoLaneNoAccess) {
  EXPECT_EQ(faultOf(E::load(0, 1 << 20).global().by(0)), "");
  scene.fill(0);
  EXPECT_EQ(faultOf(E::load(0, 8192 - 64).global().by(0xffff)), ""); // those beyond do not take part
}

TEST_F(MemoryChecks, NullAndTheHost) {
  EXPECT_EQ(faultOf(E::load(0, -scene.allocation).global().by(1)),
            fault(700, "out-of-bounds read of global memory",
                  "thread (0,0,0) reads 4 bytes at 0x0, which is not memory of the device"));
  auto *host = static_cast<int *>(scene.memory.allocateHost(128));
  uint64_t address = reinterpret_cast<uint64_t>(host) - scene.allocation;
  EXPECT_EQ(faultOf(E::load(0, address).global()), "");
  EXPECT_NE(faultOf(E::load(0, address + 4).global()), "");
}

TEST_F(MemoryChecks, AfterFree) {
  uint64_t address = scene.memory.allocate(256);
  scene.memory.free(address);
  EXPECT_EQ(faultOf(E::store(0, address + 8 - scene.allocation).global().by(1)),
            fault(700, "write of freed global memory",
                  "thread (0,0,0) writes 4 bytes at byte 8 of the allocation of 256 bytes at " + hex(address) +
                      ", which has been freed"));
}

TEST_F(MemoryChecks, Misaligned) {
  EXPECT_EQ(faultOf(E::load(0, 2).global()),
            fault(716, "misaligned read of global memory",
                  "thread (0,0,0) reads 4 bytes at " + hex(scene.allocation + 2) + ", which is not a multiple of 4"));
  EXPECT_EQ(faultOf(E::store(0, 0).apart(24).size(16).apart(24)),
            fault(716, "misaligned write of shared memory",
                  "thread (1,0,0) writes 16 bytes at shared+0x18, which is not a multiple of 16"));
}

TEST_F(MemoryChecks, SharedLocalAndParameters) {
  scene.fill(0);
  EXPECT_EQ(faultOf(E::store(2, 8192 - 64)),
            fault(700, "out-of-bounds write of shared memory",
                  "thread (80,0,0) writes 4 bytes at shared+0x2000, of which there are 8192 bytes"));
  Event local = E::store(0, 60).apart(0);
  local.where = Access::local;
  EXPECT_EQ(faultOf(local), "");
  local.base = 64;
  EXPECT_EQ(faultOf(local), fault(700, "out-of-bounds write of local memory",
                                  "thread (0,0,0) writes 4 bytes at local+0x40, of which there are 64 bytes"));
  Event param = E::load(0, 24).size(8).apart(0);
  param.where = Access::param;
  EXPECT_EQ(faultOf(param), "");
  param.base = 32;
  EXPECT_EQ(faultOf(param), fault(700, "out-of-bounds read of parameter memory",
                                  "thread (0,0,0) reads 8 bytes at parameter+0x20, of which there are 32 bytes"));
}

TEST_F(MemoryChecks, ConstantsAreNotWritten) {
  scene.fill(0);
  scene.memory.protect(scene.allocation + 64, 4);
  EXPECT_EQ(faultOf(E::load(0, 0).global()), "");
  EXPECT_EQ(faultOf(E::store(0, 0).global().by(0xff)), "");
  EXPECT_EQ(faultOf(E::store(0, 0).global()),
            fault(700, "write of constant memory", "thread (16,0,0) writes 4 bytes at byte 64 of " + allocation));
}

TEST_F(MemoryChecks, UninitializedGlobal) {
  EXPECT_EQ(faultOf(E::load(0, 0).global()),
            "k.tt.cpp:3: error: read of uninitialized global memory: kernel 'k', block (0,0,0)\n"
            "  thread (0,0,0) reads 4 bytes of global memory that nothing has written, at byte 0 of " + allocation +
            "\n    #3\n");
  EXPECT_EQ(faultOf(E::store(0, 128).global()), "");
  scene.run(E::load(0, 128).global(), 4);
  scene.run(E::load(0, 128).global().in(1), 4); // written by another block: that is no question of this check
  scene.run(E::atomic(0, 128).global(), 5);
  EXPECT_EQ(scene.text(), "");
  scene.run(E::atomic(0, 256).global().by(2), 6);
  EXPECT_NE(scene.text().find("thread (1,0,0) updates 4 bytes of global memory that nothing has written"),
            std::string::npos);
}

TEST_F(MemoryChecks, UninitializedSharedByByte) {
  scene.run(E::store(0, 0).size(2).by(1), 0);
  scene.run(E::load(0, 0).size(2).by(1), 1);
  EXPECT_EQ(scene.text(), "");
  EXPECT_EQ(faultOf(E::load(0, 0).by(1)),
            "k.tt.cpp:3: error: read of uninitialized shared memory: kernel 'k', block (0,0,0)\n"
            "  thread (0,0,0) reads 4 bytes of shared memory, of which 2 have never been written, at shared+0x0\n"
            "    #3\n");
  scene.run(E::load(0, 0).size(2).by(1).in(1), 4); // another block's
  EXPECT_NE(scene.text().find("block (1,0,0)\n"
                              "  thread (0,0,0) reads 2 bytes of shared memory that nothing has written"),
            std::string::npos) << scene.text();
}

TEST_F(MemoryChecks, WhatACopyBringsIsInitialized) {
  scene.fill(0);
  scene.run({E::cpAsync(0, 0, 0, 1), E::waitFor(0, 1), E::load(0, 0).size(16)});
  EXPECT_EQ(scene.text(), "");
  EXPECT_NE(faultOf(E::cpAsync(0, 0, 8192 - 256, 1)).find("out-of-bounds read of global memory"), std::string::npos);
  EXPECT_NE(faultOf(E::cpAsync(0, 8192 - 256, 0, 1)).find("out-of-bounds write of shared memory"), std::string::npos);
}

TEST_F(MemoryChecks, ScatteredLanesAreNamed) {
  scene.fill(0);
  std::vector<uint64_t> addresses(32, 0);
  addresses[17] = 9000;
  EXPECT_EQ(faultOf(E::load(0, 0).global().at(addresses)),
            fault(700, "out-of-bounds read of global memory",
                  "thread (17,0,0) reads 4 bytes 808 bytes past the end of " + allocation));
}

// The interpreter finds accesses to memory that does not exist.
TEST(MemoryChecksOff, FindNothing) {
  for (bool others : {false, true}) {
    Scene scene({false, others, others, {}});
    scene.fill(0);
    Event local = E::load(0, 1000);
    local.where = Access::local;
    for (const Event &event :
         {E::load(0, -scene.allocation).global(), E::load(0, 8192).by(1), E::load(0, ~0ull - 3), local})
      scene.block(0).access(scene.describe(event, 1));
    EXPECT_EQ(scene.text(), "");
    scene.block(0).access(scene.describe(E::store(0, 2).global(), 0));
    EXPECT_EQ(scene.text(), "");
  }
}

} // namespace
