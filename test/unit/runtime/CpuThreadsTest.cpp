//===-- CpuThreadsTest.cpp - tests the thread pool with many callers ---------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"
#include "runtime/internal/ThreadPool.h"

#include <atomic>
#include <sched.h>
#include <set>
#include <thread>
#include <vector>

using scenario::run;

SCENARIO(manyCallers) {
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 16; ++caller)
    callers.emplace_back([caller] {
      for (int round = 0; round < 50; ++round) {
        std::vector<unsigned> counts(1 + (caller * 50 + round) % 300);
        tt::launch(countPrograms, counts.size(), nullptr, counts.data());
        for (unsigned count : counts)
          ASSERT_EQ(count, 1u);
      }
    });
  for (std::thread &caller : callers)
    caller.join();
}
TEST(ThreadPool, ServesManyCallersAtOnce) {
  run("manyCallers", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "4"}}).expectSuccess();
}

SCENARIO(nests) {
  // A program that launches: the caller's thread always takes part, so no thread waits for one that waits for it.
  std::atomic<int> inner{0};
  auto outer = [](const void *context, uint64_t begin, uint64_t end, void *) {
    for (uint64_t i = begin; i < end; ++i)
      tilecc::rt::runOnAllThreads(
          20, 64,
          [](const void *context, uint64_t begin, uint64_t end, void *) {
            static_cast<std::atomic<int> *>(const_cast<void *>(context))->fetch_add(static_cast<int>(end - begin));
          },
          context);
  };
  EXPECT_TRUE(tilecc::rt::runOnAllThreads(50, 0, outer, &inner));
  EXPECT_EQ(inner, 50 * 20);
}
TEST(ThreadPool, Nests) { run("nests", {{"TILECC_NUM_THREADS", "4"}}).expectSuccess(); }

SCENARIO(usesAllThreads) {
  // Every item waits until all threads have arrived, so the test only ends if all of them take part.
  static std::atomic<int> arrived{0};
  auto meet = [](const void *, uint64_t begin, uint64_t end, void *) {
    for (uint64_t i = begin; i < end; ++i)
      for (++arrived; arrived < 4;)
        sched_yield();
  };
  EXPECT_TRUE(tilecc::rt::runOnAllThreads(4, 0, meet, nullptr));
  EXPECT_EQ(arrived, 4);
}
TEST(ThreadPool, UsesAllThreads) { run("usesAllThreads", {{"TILECC_NUM_THREADS", "4"}}).expectSuccess(); }

SCENARIO(respectsAffinity) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  if (sched_setaffinity(0, sizeof(one), &one))
    return;
  EXPECT_EQ(tilecc::rt::threadCount(), 1u);
}
TEST(ThreadPool, HasAThreadForEachProcessorAllowed) { run("respectsAffinity").expectSuccess(); }

SCENARIO(growsScratch) {
  for (size_t bytes : {size_t(100), size_t(1000000), size_t(50), size_t(3000000)}) {
    static std::atomic<size_t> wanted;
    wanted = bytes;
    auto fill = [](const void *, uint64_t begin, uint64_t end, void *scratch) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(scratch) % 64, 0u);
      for (uint64_t i = begin; i < end; ++i) {
        static_cast<char *>(scratch)[0] = 1;
        static_cast<char *>(scratch)[wanted - 1] = 1;
      }
    };
    EXPECT_TRUE(tilecc::rt::runOnAllThreads(100, bytes, fill, nullptr));
  }
  auto fail = [](const void *, uint64_t, uint64_t, void *) { FAIL() << "nothing runs without scratch"; };
  EXPECT_FALSE(tilecc::rt::runOnAllThreads(100, size_t(1) << 62, fail, nullptr));
}
TEST(ThreadPool, GrowsScratchAndSurvivesItsLack) {
  run("growsScratch", {{"TILECC_NUM_THREADS", "3"}, {"ASAN_OPTIONS", "allocator_may_return_null=1"}, {"TSAN_OPTIONS", "allocator_may_return_null=1"}})
      .expectSuccess();
}
