//===-- TuneTest.cpp - tests which configuration a launch uses ---------------------------------------------------===//
#include "Scenario.h"
#include "TuneKernels.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdlib.h>
#include <thread>
#include <unistd.h>
#include <vector>

using scenario::inChild;
using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "1"}};
static scenario::Environment with(scenario::Environment more, const scenario::Environment &base = cpu) {
  more.insert(more.end(), base.begin(), base.end());
  return more;
}
static const scenario::Environment gpu = {{"FAKE_CUDA_TIMES", "work0=2,work1=1,work2=0.5"}, {"TILECC_TUNE", "verbose"}};

static int launches() { return workRows[0].launches + workRows[1].launches + workRows[2].launches; }

alignas(16) static int values[16];

//===-- What is measured ------------------------------------------------------------------------------------------===//

static auto plainWork = tt::autotune<allRows>(makeWork);

SCENARIO(tunesOnce) {
  EXPECT_EQ(plainWork.choose(1, nullptr, values, 64), 1);
  int measured = launches();
  EXPECT_GE(measured, 6);
  plainWork.launch(1, nullptr, values, 64);
  tt::launch(
      plainWork, [](int) { return 1; }, nullptr, values, 64);
  plainWork.launch([](int) { return tt::launch_config(1, nullptr).priority(0); }, nullptr, values, 64);
  EXPECT_EQ(launches(), measured + 3);
  // Sizes are rounded up to powers of two; 63 meets other demands of variants than 64.
  plainWork.launch(1, nullptr, values, 48);
  EXPECT_EQ(launches(), measured + 4);
  EXPECT_EQ(plainWork.choose(1, nullptr, values, 63), 1);
  EXPECT_GT(launches(), measured + 5);
  measured = launches();
  plainWork.launch(0, nullptr, values, 1 << 20); // nothing to launch, nothing to tune
  EXPECT_EQ(launches(), measured);
}
TEST(Tune, MeasuresOnce) { run("tunesOnce", cpu).expectSuccess(); }

SCENARIO(tunesOnGpu) {
  tt::device_buffer<int> memory(4);
  EXPECT_EQ(plainWork.choose(7, nullptr, memory.data(), 64), 1);
  plainWork.launch(7, nullptr, memory.data(), 64);
}
TEST(Tune, SkipsWhatDoesNotFitAGpu) {
  auto outcome = run("tunesOnGpu", gpu);
  outcome.expectSuccess()
      .expectOutput("tilecc: tuning work for 7: 64 on Fake GPU 0, 90, 132\n")
      .expectOutput("0: work<0>: 2000.000 us\n")
      .expectOutput("2: work<2>: kernel 'work<2>' needs 1048576 bytes of shared memory")
      .expectOutput("takes 1: work<1>: 1000.000 us, measured, in ");
  EXPECT_EQ(outcome.calls("cuLaunchKernel work2"), 0);
  EXPECT_EQ(outcome.calls("cuMemsetD8Async 0 8192"), outcome.calls("cuLaunchKernel work") - 1); // its cache
}

// Row 0 is twice as slow and is left out after some rounds.
TEST(Tune, LeavesOutWhatIsFarBehind) {
  auto outcome = run("tunesOnGpu", gpu);
  EXPECT_LT(outcome.calls("cuLaunchKernel work0"), outcome.calls("cuLaunchKernel work1") / 2);
}

static constexpr int tooLargeRow[] = {2, 2};
static auto tooLarge = tt::autotune<tooLargeRow>(makeWork);
SCENARIO(tunesNothing) {
  tt::device_buffer<int> memory(4);
  EXPECT_THROW(tooLarge.launch(1, nullptr, memory.data(), 64), tt::error);
  try {
    tooLarge.launch(1, nullptr, memory.data(), 64);
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorLaunchOutOfResources);
    EXPECT_NE(std::string(error.what())
                  .find("kernel 'work' cannot be tuned: no configuration can be launched: kernel "
                        "'work<2>' needs 1048576 bytes of shared memory"),
              std::string::npos)
        << error.what();
  }
}
TEST(Tune, FailsIfNothingFits) { run("tunesNothing", gpu).expectSuccess(); }

//===-- Options ---------------------------------------------------------------------------------------------------===//

static auto restored =
    tt::autotune<allRows>(makeWork, tt::restore_value([](int *x, int) { return tt::tuning_buffers(x, 1); }));
static auto zeroed =
    tt::autotune<allRows>(makeWork, tt::reset_to_zero([](int *x, int) { return tt::tuning_buffers(x, 1, x + 4, 2); }),
                          tt::key([](int *, int n) { return n; }));
SCENARIO(restoresBuffers) {
  values[0] = 40;
  restored.launch(1, nullptr, values, 64);
  EXPECT_EQ(values[0], 41);
  EXPECT_GT(launches(), 4);
  values[0] = 0;
  values[5] = 5;
  zeroed.launch(1, nullptr, values, 63);
  EXPECT_EQ(values[0], 1);
  EXPECT_EQ(values[5], 0);
  zeroed.launch(1, nullptr, values, 63);
  EXPECT_EQ(values[0], 2); // nothing is reset where nothing is measured
}
TEST(Tune, RestoresWhatKernelsChange) { run("restoresBuffers", cpu).expectSuccess(); }

static auto constrained =
    tt::autotune<allRows>(makeWork, tt::heuristics([](int row, int *, int n) { return row != n % 4; }),
                          tt::key([](int *, int) { return tt::tuning_key(); }));
static auto pruned =
    tt::autotune<allRows>(makeWork, tt::early_config_prune([](int row, int *, int) { return row != 1; }));
static auto modelled =
    tt::autotune<allRows>(makeWork, tt::perf_model([](int row, int *, int) { return row == 1 ? 9.0 : row; }, 2));
SCENARIO(takesHints) {
  EXPECT_EQ(constrained.choose(1, nullptr, values, 1), 0); // not 1, the fastest
  EXPECT_EQ(workRows[1].launches, 0);
  EXPECT_EQ(constrained.choose(1, nullptr, values, 2), 1); // another key, though the user's does not say so
  int measured = launches();
  EXPECT_EQ(constrained.choose(1, nullptr, values, 5), 0); // as for 1
  EXPECT_EQ(launches(), measured);
  workRows[1].launches = 0;
  EXPECT_EQ(pruned.choose(1, nullptr, values, 1 << 10), 0);
  EXPECT_EQ(modelled.choose(1, nullptr, values, 1 << 11), 0);
  EXPECT_EQ(workRows[1].launches, 0);
}
TEST(Tune, TakesHints) { run("takesHints", cpu).expectSuccess(); }

//===-- When nothing can be measured ------------------------------------------------------------------------------===//

SCENARIO(tunesInACapture) {
  tt::device_buffer<int> memory(4);
  tt::stream stream, other;
  tt::graph graph = tt::graph::capture(stream, [&] { plainWork.launch(1, stream, memory.data(), 64); });
  EXPECT_EQ(plainWork.choose(1, stream, memory.data(), 64), 1); // now it can
  // A capture of another thread is not disturbed.
  tt::graph again = tt::graph::capture(
      stream, [&] { std::thread([&] { plainWork.launch(1, other, memory.data(), 1000); }).join(); },
      ttStreamCaptureModeGlobal);
}
TEST(Tune, DoesNotMeasureInACapture) {
  for (const scenario::Environment &device : {gpu, cpu})
    run("tunesInACapture", device)
        .expectSuccess()
        .expectOutput("tilecc: kernel 'work' is not tuned for 7: 64 on ")
        .expectOutput(
            "its stream is captured, in which nothing can be measured; launch it once before, or ship a table\n")
        .expectNoLog("CAPTURE VIOLATION");
  run("tunesInACapture", gpu).expectOutput("takes 0: work<0>: 0.000 us, by default");
}

SCENARIO(tunesTwoShapes) {
  printf("rows %d %d\n", plainWork.choose(1, nullptr, values, 64), plainWork.choose(1, nullptr, values, 4096));
  printf("%d launches\n", launches());
}
TEST(Tune, CanBeSwitchedOff) {
  run("tunesTwoShapes", with({{"TILECC_TUNE", "off"}}))
      .expectSuccess()
      .expectOutput("rows 0 0\n0 launches")
      .expectOutput("kernel 'work' is not tuned for 7: 64 on ");
}
TEST(Tune, CanBeForced) {
  run("tunesTwoShapes", with({{"TILECC_TUNE_CHOICE", "other=1;work=2"}}))
      .expectSuccess()
      .expectOutput("rows 2 2\n0 launches");
}
// It is not used if it would compute something else.
SCENARIO(forcesAnExcludedRow) {
  EXPECT_EQ(constrained.choose(1, nullptr, values, 2), 1);
  EXPECT_EQ(constrained.choose(1, nullptr, values, 0), 2);
}
TEST(Tune, IsNotForcedToWhatIsExcluded) {
  run("forcesAnExcludedRow", with({{"TILECC_TUNE_CHOICE", "work=2"}})).expectSuccess();
}
TEST(Tune, SaysWhichOptionsThereAre) {
  run("tunesTwoShapes", with({{"TILECC_TUNE", "off,loud"}}))
      .expectSuccess()
      .expectOutput(
          "tilecc: TILECC_TUNE: 'loud' is none of verbose, off, fresh, wait=SECONDS, record=FILE; it is ignored");
}

//===-- Threads and forks -----------------------------------------------------------------------------------------===//

SCENARIO(tunesInThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> rows[3] = {};
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      alignas(16) int own[4];
      ++rows[plainWork.choose(1, nullptr, own, 64)];
      for (int j = 0; j < 100; ++j)
        ++rows[plainWork.choose(1, nullptr, own, 64)];
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(rows[1], 8 * 101);
  EXPECT_LE(launches(), 3 * 12); // one thread has measured
}
TEST(Tune, ThreadsTakeTheSame) { run("tunesInThreads", cpu).expectSuccess(); }

// A kernel that waits for another thread's launch, which waits for the kernel's tuning.
SCENARIO(tunesForLong) {
  for (WorkRow &row : workRows)
    row.microseconds = 60'000;
  std::thread slow([] { plainWork.launch(1, nullptr, values, 64); });
  while (launches() == 0)
    usleep(1000);
  EXPECT_EQ(plainWork.choose(1, nullptr, values + 4, 64), 0);
  inChild([] {
    for (WorkRow &row : workRows)
      row.microseconds = 10;
    plainWork.launch(1, nullptr, values, 64); // the child has all locks
  });
  slow.join();
}
TEST(Tune, NobodyWaitsForEver) {
  run("tunesForLong", with({{"TILECC_TUNE", "wait=0.05"}}))
      .expectSuccess()
      .expectOutput("tilecc: a launch is not tuned: another thread has been measuring for longer than 0.05 s");
}

// A launch hook that forks, and tunes in the child, in the middle of measuring.
SCENARIO(forksInAHook) {
  static bool hasForked = false;
  ttSetLaunchHooks(
      [](const ttLaunchInfo *, void *) {
        if (!hasForked) {
          hasForked = true;
          inChild([] { EXPECT_EQ(launches(), 0); });
        }
      },
      nullptr, nullptr);
  EXPECT_EQ(plainWork.choose(1, nullptr, values, 64), 1);
}
TEST(Tune, MayForkInAHook) { run("forksInAHook", cpu).expectSuccess(); }

//===-- The trace -------------------------------------------------------------------------------------------------===//

SCENARIO(tracesTuning) { plainWork.launch(1, nullptr, values, 64); }
TEST(Tune, IsInTheTrace) {
  std::string path = testing::TempDir() + "tilecc-tune-trace-" + std::to_string(getpid()) + ".json";
  run("tracesTuning", with({{"TILECC_TRACE", path}})).expectSuccess();
  std::ifstream file(path);
  std::string trace(std::istreambuf_iterator<char>(file), {});
  EXPECT_NE(trace.find("{\"name\":\"work\",\"cat\":\"tune\""), std::string::npos) << trace;
  EXPECT_NE(trace.find("\"key\":\"7: 64\",\"row\":1,\"choice\":\"work<1>\",\"microseconds\":"), std::string::npos)
      << trace;
  unlink(path.c_str());
}
