//===-- KernelTableTest.cpp - tests the table of registered kernels ----------------------------------------------===//
#include "runtime/src/KernelTable.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <thread>

using namespace tilecc::rt;

static const void *key(uintptr_t i) { return reinterpret_cast<const void *>(0x400000 + i * 16); }
static Kernel *value(uintptr_t i) { return reinterpret_cast<Kernel *>(i + 1); }

TEST(KernelTable, AgreesWithAMap) {
  static KernelTable table;
  std::map<uintptr_t, Kernel *> map;
  std::mt19937 random(1);
  for (int step = 0; step < 100000; ++step) {
    uintptr_t i = random() % 700;
    if (random() % 3) {
      Kernel *kernel = value(random() % 1000);
      ASSERT_TRUE(table.set(key(i), kernel));
      map[i] = kernel;
    } else {
      table.erase(key(i));
      map.erase(i);
    }
    uintptr_t j = random() % 700;
    ASSERT_EQ(table.find(key(j)), map.count(j) ? map[j] : nullptr) << step;
  }
  table.clear();
  EXPECT_EQ(table.find(key(1)), nullptr);
}

TEST(KernelTable, ReadersNeedNoLock) {
  static KernelTable table;
  constexpr uintptr_t stable = 100;
  for (uintptr_t i = 0; i < stable; ++i)
    table.set(key(i), value(i));
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread readers[3];
  for (std::thread &reader : readers)
    reader = std::thread([&] {
      while (!stop)
        for (uintptr_t i = 0; i < stable; ++i)
          wrong += table.find(key(i)) != value(i);
    });
  for (uintptr_t round = 0; round < 20; ++round) {
    for (uintptr_t i = stable; i < 3000; ++i)
      table.set(key(i), value(i));
    for (uintptr_t i = stable; i < 3000; ++i)
      table.erase(key(i));
  }
  stop = true;
  for (std::thread &reader : readers)
    reader.join();
  EXPECT_EQ(wrong, 0);
  table.clear();
}
