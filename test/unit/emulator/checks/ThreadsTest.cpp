//===-- ThreadsTest.cpp - tests blocks that several host threads run simultaneously -----------------------------===//
#include "Scene.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

using namespace tilecc::emu;
using namespace tilecc::emu::test;

namespace {

// A block that is run by a thread and really accesses the memory.
struct Runner {
  BlockChecker &checker;
  DeviceMemory &memory;
  uint64_t addresses[32] = {};
  uint32_t values[32] = {};

  uint32_t run(Access::Kind kind, uint64_t address, uint32_t value = 0, Order order = Order::weak, Mask lanes = 1,
               uint32_t pc = 0) {
    Access access;
    access.kind = kind;
    access.order = order;
    access.bytes = access.align = 4;
    access.pc = pc;
    access.lanes = lanes;
    access.address = addresses;
    for (unsigned lane = 0; lane < 32; ++lane) {
      addresses[lane] = address + 4 * lane;
      values[lane] = value;
    }
    if (kind == Access::store)
      access.values = reinterpret_cast<std::byte *>(values);
    checker.access(access);
    uint32_t old = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (lanes >> lane & 1) {
        std::atomic_ref<uint32_t> at(*reinterpret_cast<uint32_t *>(memory.backing(addresses[lane], 4)));
        if (kind == Access::load)
          old = at.load();
        else if (kind == Access::store)
          at.store(value);
        else
          old = at.fetch_add(value);
      }
    checker.performed();
    return old;
  }
};

// Blocks that pass on a token; each writes what the next one reads. No race may be reported, however they interleave.
TEST(Threads, WhoSeesTheFlagIsOrdered) {
  enum : uint32_t { blocks = 4, rounds = 100 };
  Scene scene({}, blocks, 1);
  scene.fill(0);
  uint64_t flag = scene.allocation, data = scene.allocation + 1024;
  std::vector<std::thread> threads;
  for (uint32_t number = 0; number < blocks; ++number)
    threads.emplace_back([&, number] {
      Runner block{scene.block(number), scene.memory};
      for (uint32_t round = 0; round < rounds; ++round) {
        uint32_t turn = round * blocks + number;
        while (block.run(Access::load, flag, 0, Order::acquire, 1, 1) != turn)
          std::this_thread::yield();
        block.checker.syncWarp(0, ~Mask(0));
        if (turn) {
          EXPECT_EQ(block.run(Access::load, data, 0, Order::weak, ~Mask(0), 2), turn - 1);
        }
        block.run(Access::store, data, turn, Order::weak, ~Mask(0), 3);
        block.checker.syncWarp(0, ~Mask(0));
        if (turn % 3)
          block.run(Access::store, flag, turn + 1, Order::release, 1, 4);
        else
          block.run(Access::atomic, flag, 1, Order::acquireRelease, 1, 5);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(scene.text(), "");
}

// Each thread sees what the others have stored, or are about to store.
TEST(Threads, TheSameValueFromAllIsNoRace) {
  enum : uint32_t { blocks = 4, lines = Scene::globalBytes / 128 };
  Scene scene({}, blocks, 1);
  scene.fill(0);
  std::atomic<uint32_t> waiting[lines] = {};
  std::vector<std::thread> threads;
  for (uint32_t number = 0; number < blocks; ++number)
    threads.emplace_back([&, number] {
      Runner block{scene.block(number), scene.memory};
      for (uint32_t line = 0; line < lines; ++line) {
        for (++waiting[line]; waiting[line] < blocks;)
          std::this_thread::yield();
        block.run(Access::store, scene.allocation + 128 * line, line + 1, Order::weak, ~Mask(0), 1);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(scene.text(), "");
}

TEST(Threads, RacesBetweenThemAreFound) {
  enum : uint32_t { blocks = 4 };
  Scene scene({}, blocks, 1);
  scene.fill(0);
  std::vector<std::thread> threads;
  for (uint32_t number = 0; number < blocks; ++number)
    threads.emplace_back([&, number] {
      Runner block{scene.block(number), scene.memory};
      for (uint32_t i = 0; i < 50; ++i) {
        block.run(Access::store, scene.allocation + 128 * (number + 4 * i % 32), i, Order::weak, ~Mask(0), 1);
        block.run(Access::load, scene.allocation + 128 * (number + 4 * i % 32), 0, Order::weak, ~Mask(0), 2);
        block.run(Access::atomic, scene.allocation + 6000 / 128 * 128, 1, Order::relaxed, ~Mask(0), 3);
      }
      block.run(Access::store, scene.allocation + 7168, number, Order::weak, 1, 4);
    });
  for (std::thread &thread : threads)
    thread.join();
  ASSERT_EQ(scene.findings.size(), 1u) << scene.text();
  EXPECT_EQ(scene.findings[0].find("k.tt.cpp:4: error: data race in global memory"), 0u);
}

} // namespace
