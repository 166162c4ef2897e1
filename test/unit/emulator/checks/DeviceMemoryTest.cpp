//===-- DeviceMemoryTest.cpp - tests allocations, facts about bytes, descriptions of addresses ------------------===//
#include "emulator/memory/DeviceMemory.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tilecc::emu;
using State = DeviceMemory::State;

namespace {

std::string hex(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

template <typename T> T peek(DeviceMemory &memory, uint64_t address) {
  T value;
  memcpy(&value, memory.backing(address, sizeof value), sizeof value);
  return value;
}

// Runs `body` in a child and returns how it ended: the exit code, or 128 plus the signal.
template <typename Body> int inChild(Body body) {
  pid_t child = fork();
  if (child == 0) {
    try {
      body();
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST(ByteMask, RangesAndEnds) {
  EXPECT_EQ(ByteMask::range(0, 128).count(), 128u);
  EXPECT_EQ(ByteMask::upTo(0).count(), 0u);
  for (uint32_t begin : {0u, 5u, 60u, 63u, 64u, 65u, 127u})
    for (uint32_t count : {1u, 4u, 64u, 128u}) {
      if (begin + count > 128)
        continue;
      ByteMask mask = ByteMask::range(begin, count);
      EXPECT_EQ(mask.first(), begin);
      EXPECT_EQ(mask.last(), begin + count - 1);
      EXPECT_EQ(mask.count(), count);
      for (uint32_t byte = 0; byte < 128; ++byte)
        ASSERT_EQ(mask[byte], byte >= begin && byte < begin + count);
    }
}

TEST(DeviceMemory, AllocationsAreAlignedAndApart) {
  DeviceMemory memory;
  std::map<uint64_t, size_t> all; // by address
  for (size_t bytes : {1, 255, 256, 257, 4096, 100000, 0}) {
    uint64_t address = memory.allocate(bytes);
    ASSERT_NE(address, 0u);
    EXPECT_EQ(address % 256, 0u);
    EXPECT_TRUE(memory.owns(address));
    EXPECT_EQ(memory.check(address - 1, 1), State::outOfBounds);
    if (bytes) {
      EXPECT_EQ(memory.check(address, bytes), State::valid);
      EXPECT_EQ(memory.check(address + bytes - 1, 1), State::valid);
    }
    EXPECT_EQ(memory.check(address, bytes + 1), State::outOfBounds);
    EXPECT_EQ(memory.check(address + bytes, 1), State::outOfBounds);
    EXPECT_EQ(memory.check(address + bytes + 255, 1), State::outOfBounds);
    all[address] = bytes;
  }
  for (auto one = all.begin(), next = std::next(one); next != all.end(); ++one, ++next)
    EXPECT_GE(next->first, one->first + one->second + 256);
  EXPECT_EQ(memory.check(0, 4), State::outOfBounds);
  EXPECT_EQ(memory.check(~0ull - 3, 4), State::outOfBounds);
}

TEST(DeviceMemory, TheHostCannotFollowDeviceAddresses) {
  DeviceMemory memory;
  uint64_t address = memory.allocate(64);
  memset(memory.backing(address, 64), 1, 64);
  EXPECT_NE(inChild([&] { *reinterpret_cast<volatile int *>(address) = 1; }), 0);
  // The child has its own copy and may continue with it.
  EXPECT_EQ(inChild([&] {
              uint64_t more = memory.allocate(1 << 20);
              memset(memory.backing(more, 1 << 20), 2, 1 << 20);
              *memory.backing(address, 1) = std::byte(7);
              if (!memory.free(more) || peek<uint8_t>(memory, address + 1) != 1)
                _exit(1);
            }),
            0);
  EXPECT_EQ(peek<uint8_t>(memory, address), 1);
}

TEST(DeviceMemory, BackingEndsWithTheRange) {
  DeviceMemory memory;
  uint64_t address = memory.allocate(1024);
  EXPECT_EQ(memory.backing(address + 100, 4), memory.backing(address, 4) + 100);
  EXPECT_NE(memory.backing(address + 5000, 4), nullptr); // between allocations
  EXPECT_EQ(memory.backing(16, 4), nullptr);
  int local = 0;
  EXPECT_EQ(memory.backing(reinterpret_cast<uint64_t>(&local), 4), nullptr);
}

TEST(DeviceMemory, MemoryOfTheHostIsRegistered) {
  DeviceMemory memory;
  std::vector<char> own(300);
  auto address = reinterpret_cast<uint64_t>(own.data());
  EXPECT_EQ(memory.check(address, 4), State::outOfBounds);
  EXPECT_EQ(memory.backing(address, 4), nullptr);
  EXPECT_TRUE(memory.registerHost(own.data(), 200));
  EXPECT_FALSE(memory.registerHost(own.data() + 100, 200));
  EXPECT_FALSE(memory.registerHost(own.data(), 1));
  EXPECT_TRUE(memory.registerHost(own.data() + 200, 100));
  EXPECT_EQ(memory.check(address, 200), State::valid);
  EXPECT_EQ(memory.check(address + 199, 2), State::outOfBounds); // two ranges
  EXPECT_EQ(memory.check(address + 300, 1), State::outOfBounds);
  EXPECT_EQ(memory.backing(address + 100, 100), reinterpret_cast<std::byte *>(own.data() + 100));
  EXPECT_TRUE(memory.isInitialized(address, 200));
  EXPECT_FALSE(memory.isProtected(address, 200));
  EXPECT_FALSE(memory.unregisterHost(own.data() + 1));
  EXPECT_TRUE(memory.unregisterHost(own.data()));
  EXPECT_EQ(memory.check(address, 1), State::outOfBounds);
}

TEST(DeviceMemory, NewMemoryHoldsNoPlausibleValue) {
  DeviceMemory memory;
  for (size_t bytes : {256, 1 << 20}) {
    uint64_t address = memory.allocate(bytes);
    EXPECT_TRUE(std::isnan(peek<float>(memory, address)));
    EXPECT_TRUE(std::isnan(peek<double>(memory, address + bytes - 8)));
    EXPECT_FALSE(memory.isInitialized(address, 1));
  }
}

TEST(DeviceMemory, InitializationIsByByte) {
  DeviceMemory memory;
  uint64_t address = memory.allocate(4096);
  memory.markInitialized(address + 126, 5); // over the end of a line
  EXPECT_TRUE(memory.isInitialized(address + 126, 5));
  EXPECT_FALSE(memory.isInitialized(address + 125, 2));
  EXPECT_FALSE(memory.isInitialized(address + 130, 2));
  EXPECT_TRUE(memory.initialized(address) == ByteMask::range(126, 2));
  EXPECT_TRUE(memory.initialized(address + 128) == ByteMask::range(0, 3));
  memory.markInitialized(address + 1000, 3000);
  EXPECT_TRUE(memory.isInitialized(address + 1000, 3000));
  EXPECT_FALSE(memory.isInitialized(address + 999, 3000));
}

TEST(DeviceMemory, FreedMemoryIsKnownAndNotReusedSoon) {
  DeviceMemory memory;
  uint64_t address = memory.allocate(4096);
  memory.markInitialized(address, 4096);
  EXPECT_FALSE(memory.free(address + 256));
  EXPECT_TRUE(memory.free(address));
  EXPECT_FALSE(memory.free(address));
  EXPECT_EQ(memory.check(address + 8, 4), State::freed);
  EXPECT_EQ(memory.check(address + 200, 128), State::freed);
  EXPECT_EQ(memory.check(address + 4096, 4), State::outOfBounds);
  EXPECT_EQ(memory.describe(address + 8),
            "at byte 8 of the allocation of 4096 bytes at " + hex(address) + ", which has been freed");
  for (int i = 0; i < 1000; ++i) {
    uint64_t other = memory.allocate(4096);
    EXPECT_NE(other, address);
    EXPECT_TRUE(memory.free(other));
  }
  EXPECT_EQ(memory.check(address + 8, 4), State::freed);
}

TEST(DeviceMemory, TheQuarantineEnds) {
  DeviceMemory memory;
  uint64_t first = memory.allocate(256);
  memory.markInitialized(first, 256);
  EXPECT_TRUE(memory.free(first));
  bool again = false;
  for (int i = 0; i < 70000 && !again; ++i) {
    uint64_t address = memory.allocate(256);
    again = address == first;
    EXPECT_FALSE(memory.isInitialized(address, 1));
    EXPECT_TRUE(memory.free(address));
  }
  EXPECT_TRUE(again);
}

TEST(DeviceMemory, ManyLargeOnesInTurn) {
  DeviceMemory memory;
  size_t before, after, total;
  memory.info(before, total);
  EXPECT_GT(total, 0u);
  EXPECT_EQ(before, total);
  for (int i = 0; i < 40; ++i) { // the memory of each goes back at once
    uint64_t address = memory.allocate(4 << 20);
    ASSERT_NE(address, 0u);
    memory.markInitialized(address, 4 << 20);
    memory.info(after, total);
    EXPECT_EQ(after, before - (4 << 20));
    EXPECT_TRUE(memory.free(address));
  }
  memory.info(after, total);
  EXPECT_EQ(after, before);
  EXPECT_EQ(memory.allocate(total + 1), 0u);
  EXPECT_EQ(memory.allocate(~size_t(0)), 0u);
  memory.info(after, total);
  EXPECT_EQ(after, before);
}

TEST(DeviceMemory, HostMemoryHasOneAddress) {
  DeviceMemory memory;
  auto *host = static_cast<int *>(memory.allocateHost(4000));
  ASSERT_NE(host, nullptr);
  auto address = reinterpret_cast<uint64_t>(host);
  host[999] = 42;
  EXPECT_FALSE(memory.owns(address));
  EXPECT_EQ(memory.backing(address, 4000), reinterpret_cast<std::byte *>(host));
  EXPECT_EQ(memory.check(address, 4000), State::valid);
  EXPECT_EQ(memory.check(address, 4001), State::outOfBounds);
  EXPECT_TRUE(memory.isInitialized(address, 4000)); // the host writes unseen
  EXPECT_FALSE(memory.freeHost(host + 1));
  EXPECT_TRUE(memory.freeHost(host));
  EXPECT_EQ(memory.check(address, 4), State::freed);
}

TEST(DeviceMemory, WordsAboutAddresses) {
  DeviceMemory memory;
  uint64_t address = memory.allocate(4096);
  std::string allocation = "the allocation of 4096 bytes at " + hex(address);
  EXPECT_EQ(memory.describe(address + 16), "at byte 16 of " + allocation);
  EXPECT_EQ(memory.describe(address + 4096), "just past the end of " + allocation);
  EXPECT_EQ(memory.describe(address + 4097), "1 byte past the end of " + allocation);
  EXPECT_EQ(memory.describe(address + 4108), "12 bytes past the end of " + allocation);
  EXPECT_EQ(memory.describe(address - 4), "4 bytes before " + allocation);
  EXPECT_EQ(memory.describe(address - 1), "1 byte before " + allocation);
  EXPECT_EQ(memory.describe(16), "at 0x10, which is not memory of the device");
  uint64_t end = address;
  while (memory.owns(end + (2ull << 30)))
    end += 2ull << 30;
  if (end != address) {
    EXPECT_EQ(memory.describe(end), "at " + hex(end) + ", which is in no allocation");
  }
}

TEST(DeviceMemory, ConstantsAreProtected) {
  DeviceMemory memory;
  uint64_t address = memory.allocate(1024);
  memory.protect(address + 100, 50);
  EXPECT_FALSE(memory.isProtected(address + 96, 4));
  EXPECT_TRUE(memory.isProtected(address + 97, 4));
  EXPECT_TRUE(memory.isProtected(address + 149, 1));
  EXPECT_FALSE(memory.isProtected(address + 150, 4));
  EXPECT_FALSE(memory.isProtected(address + 600, 4));
}

TEST(DeviceMemory, WorksWithLittleAddressSpace) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers take more address space than this leaves";
#endif
  EXPECT_EQ(inChild([] {
              rlimit limit{4ull << 30, 4ull << 30};
              if (setrlimit(RLIMIT_AS, &limit))
                _exit(1);
              DeviceMemory memory;
              uint64_t address = memory.allocate(1 << 20);
              if (!address || memory.check(address, 1 << 20) != State::valid)
                _exit(2);
              memset(memory.backing(address, 1 << 20), 0, 1 << 20);
              std::vector<char> rest(1 << 30); // most is left
            }),
            0);
}

TEST(DeviceMemory, ManyThreads) {
  DeviceMemory memory;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      std::vector<uint64_t> mine;
      for (int i = 0; i < 500; ++i) {
        mine.push_back(memory.allocate(300 + i));
        memory.markInitialized(mine.back(), 300);
        if (i % 3 == 0) {
          EXPECT_TRUE(memory.free(mine[mine.size() / 2]));
          mine.erase(mine.begin() + mine.size() / 2);
        }
      }
      for (uint64_t address : mine) {
        EXPECT_EQ(memory.check(address, 300), State::valid);
        EXPECT_TRUE(memory.isInitialized(address, 300));
        EXPECT_FALSE(memory.isInitialized(address + 300, 1));
        EXPECT_TRUE(memory.free(address));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  size_t left, total;
  memory.info(left, total);
  EXPECT_EQ(left, total);
}

} // namespace
