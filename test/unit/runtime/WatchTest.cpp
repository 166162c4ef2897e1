//===-- WatchTest.cpp - tests hooks, the trace and ranges ---------------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using scenario::run;

namespace {

alignas(16) float values[1024];

struct Seen {
  std::vector<std::string> calls;
};
void record(const char *when, const ttLaunchInfo &launch, void *data) {
  static_cast<Seen *>(data)->calls.push_back(std::string(when) + " " + launch.kernel + " " + launch.symbol + " " +
                                             launch.variant + " " + std::to_string(launch.grid.x) + " on " +
                                             std::to_string(launch.device) + ": " + ttGetErrorName(launch.error));
}
void before(const ttLaunchInfo *launch, void *data) { record("before", *launch, data); }
void after(const ttLaunchInfo *launch, void *data) { record("after", *launch, data); }

std::string read(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The name of a file that is deleted after the test.
struct TemporaryFile {
  TemporaryFile() : path(testing::TempDir() + "tilecc-trace-" + std::to_string(getpid()) + ".json") {
    unlink(path.c_str());
  }
  ~TemporaryFile() { unlink(path.c_str()); }
  std::string path;
};

size_t count(const std::string &text, const std::string &expression) {
  std::regex regex(expression);
  return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator());
}

// Checks the format of all traces: an array of objects, closed once, with balanced braces.
void expectWellFormed(std::string trace) {
  const std::string end = "\n]\n"; // only once, even if several processes have written to the file
  ASSERT_GT(trace.size(), end.size());
  EXPECT_EQ(trace[0], '[');
  EXPECT_EQ(trace.find(end), trace.size() - end.size()) << trace;
  trace.resize(trace.size() - end.size());
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '{'), std::count(trace.begin(), trace.end(), '}')) << trace;
  EXPECT_EQ(count(trace, "\\}(,\n\\{|$)"), static_cast<size_t>(std::count(trace.begin(), trace.end(), '\n')) + 1)
      << trace;
}

} // namespace

//===-- Hooks -------------------------------------------------------------------------------------------------------===//

SCENARIO(hooksSeeLaunches) {
  Seen seen;
  EXPECT_EQ(ttSetLaunchHooks(before, after, &seen), ttSuccess);
  tt::launch(add, 4, nullptr, values, values, values, 1024);
  tt::launch(add, 4, nullptr, values, values, values, 1023);
  tt::launch(add, 4, nullptr, values + 1, values, values, 16);
  tt::launch(add, 0, nullptr, values, values, values, 16); // nothing is launched
  EXPECT_EQ(ttSetLaunchHooks(nullptr, after, &seen), ttSuccess);
  EXPECT_THROW(tt::launch(fromTheFuture, 1, nullptr, nullptr), tt::error);
  EXPECT_EQ(ttSetLaunchHooks(nullptr, nullptr, nullptr), ttSuccess);
  tt::launch(add, 4, nullptr, values, values, values, 1024);
  for (const std::string &call : seen.calls)
    puts(call.c_str());
}
TEST(LaunchHooks, SeeEachLaunch) {
  run("hooksSeeLaunches", {{"TILECC_DEVICE", "cpu"}})
      .expectSuccess()
      .expectOutput(
          "before add _Z3addPKfS0_Pfi cpu 4 on 0: ttSuccess\nafter add _Z3addPKfS0_Pfi cpu 4 on 0: ttSuccess\n")
      .expectOutput("after fromTheFuture _Z13fromTheFuturePi cpu 1 on 0: ttErrorNoKernelImageForDevice\n");
}

SCENARIO(hooksSeeVariants) {
  Seen seen;
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  EXPECT_EQ(ttSetLaunchHooks(before, nullptr, &seen), ttSuccess);
  tt::launch(add, 4, nullptr, values, values, values, 1024);
  tt::launch(add, 4, nullptr, values, values, values, 1023);
  tt::launch(add, 4, nullptr, values + 1, values, values, 16);
  ASSERT_EQ(seen.calls.size(), 3u);
  EXPECT_EQ(seen.calls[0], "before add _Z3addPKfS0_Pfi add_16 4 on 1: ttSuccess");
  EXPECT_EQ(seen.calls[1], "before add _Z3addPKfS0_Pfi add_p16 4 on 1: ttSuccess");
  EXPECT_EQ(seen.calls[2], "before add _Z3addPKfS0_Pfi generic 4 on 1: ttSuccess");
}
TEST(LaunchHooks, KnowTheVariantAndTheDevice) {
  run("hooksSeeVariants", {{"FAKE_CUDA_ARCHS", "80,90"}}).expectSuccess();
}

// After ttSetLaunchHooks has returned, no thread is in the old hook with its data.
SCENARIO(hooksChangeMeanwhile) {
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      alignas(16) float own[256] = {};
      while (!done)
        tt::launch(add, 1, nullptr, own, own, own, 256);
    });
  for (int i = 0; i < 200; ++i) {
    auto *calls = new std::atomic<int>(0);
    ttSetLaunchHooks([](const ttLaunchInfo *, void *data) { ++*static_cast<std::atomic<int> *>(data); }, nullptr,
                     calls);
    ttSetLaunchHooks(nullptr, nullptr, nullptr);
    delete calls;
  }
  done = true;
  for (std::thread &thread : threads)
    thread.join();
}
TEST(LaunchHooks, MayChangeWhileOthersLaunch) {
  run("hooksChangeMeanwhile", {{"TILECC_DEVICE", "cpu"}}).expectSuccess();
}

//===-- The trace ---------------------------------------------------------------------------------------------------===//

SCENARIO(tracesWork) {
  tt::device_buffer<float> x(1024), y(1024);
  x.set_bytes(0);
  tt::stream stream;
  {
    tt::range_guard outer("outer \"range\"\n");
    tt::range_guard inner("inner");
    tt::launch(add, tt::launch_config(4, stream), x.data(), x.data(), y.data(), 1024);
  }
  tt::check(ttMemcpyAsync(y.data(), x.data(), 64, ttMemcpyDefault, stream));
  tt::graph::capture(stream, [&] { tt::launch(add, 1, stream, x.data(), x.data(), y.data(), 256); })
      .instantiate()
      .launch(stream);
  scenario::inChild([] { tt::range_guard child("in a child"); });
  stream.synchronize();
}
TEST(Trace, HasLaunchesCopiesAndRanges) {
  for (const char *device : {"cpu", "emu:sm_90"}) {
    TemporaryFile file;
    run("tracesWork", {{"TILECC_DEVICE", device}, {"TILECC_TRACE", file.path}}).expectSuccess();
    std::string trace = read(file.path);
    expectWellFormed(trace);
    EXPECT_EQ(
        count(trace,
              "\"name\":\"add\",\"cat\":\"kernel\",\"ph\":\"X\",\"ts\":[0-9.]+,\"dur\":[0-9.]+,\"pid\":[0-9]+,"
              "\"tid\":[0-9]+,\"args\":\\{\"grid\":\"4 x 1 x 1\",\"variant\":\"(cpu|add_16)\",\"device\":0,\"error\":0"),
        1u)
        << trace;
    EXPECT_EQ(count(trace, "\"ttMemset\",\"cat\":\"copy\".*\"bytes\":4096"), 1u) << trace;
    EXPECT_EQ(count(trace, "\"ttMemcpyAsync\",\"cat\":\"copy\".*\"bytes\":64"), 1u) << trace;
    EXPECT_EQ(count(trace, "\"ttGraphLaunch\",\"cat\":\"graph\""), 1u) << trace;
    EXPECT_EQ(count(trace, "\"outer \\\\\"range\\\\\"\\\\u000a\",\"cat\":\"range\""), 1u) << trace;
    EXPECT_EQ(count(trace, "\"inner\",\"cat\":\"range\""), 1u) << trace;
    EXPECT_EQ(count(trace, "\"in a child\""), 1u) << trace;
    EXPECT_EQ(count(trace, "\"add.tt.cpp\",\"cat\":\"load\""), device[0] == 'e') << trace;
    // A second program overwrites the file.
    run("tracesWork", {{"TILECC_DEVICE", device}, {"TILECC_TRACE", file.path}}).expectSuccess();
    EXPECT_EQ(count(read(file.path), "\"in a child\""), 1u);
  }
}

SCENARIO(tracesAGpu) {
  tt::stream stream;
  tt::launch(add, 4, stream, values, values, values, 1024);
  tt::check(ttMemcpyAsync(values, values + 512, 64, ttMemcpyDefault, stream));
  tt::graph::capture(stream, [&] { tt::launch(clustered, 1, stream, nullptr); });
}
TEST(Trace, HasTheGpusTime) {
  TemporaryFile file;
  auto outcome = run("tracesAGpu", {{"TILECC_TRACE", file.path}});
  std::string trace = read(file.path);
  outcome.expectSuccess();
  expectWellFormed(trace);
  EXPECT_EQ(count(trace, "\"add\",\"cat\":\"launch\""), 1u) << trace;
  EXPECT_EQ(
      count(
          trace,
          "\"add\",\"cat\":\"kernel\",\"ph\":\"X\",\"ts\":[0-9.]+,\"dur\":1500.000,\"pid\":[0-9]+,\"tid\":4294967296,"),
      1u)
      << trace;
  EXPECT_EQ(count(trace, "\"ttMemcpyAsync\",\"cat\":\"copy\""), 2u) << trace; // the call, and the copy
  EXPECT_EQ(count(trace, "\"thread_name\".*\"tid\":4294967296,\"args\":\\{\"name\":\"GPU 0, stream 0x"), 1u) << trace;
  EXPECT_EQ(count(trace, "\"clustered<4>\",\"cat\":\"launch\""), 1u) << trace;
  EXPECT_EQ(count(trace, "\"clustered<4>\",\"cat\":\"kernel\""), 0u) << trace; // it was captured
  EXPECT_EQ(count(trace, "\"cat\":\"load\""), 2u) << trace;
  outcome.expectNoLog("VIOLATION");
  EXPECT_EQ(outcome.calls("cuEventCreate 0"), outcome.calls("cuEventDestroy") + 1) << outcome.log; // the origin stays
}
TEST(Trace, IsNotWritten) {
  run("tracesWork", {{"TILECC_DEVICE", "cpu"}, {"TILECC_TRACE", "/nowhere/to/go"}})
      .expectSuccess()
      .expectOutput("tilecc: TILECC_TRACE=/nowhere/to/go: cannot be written: No such file or directory");
}
TEST(Trace, MayBeNamedAfterTheProcess) {
  std::string directory = testing::TempDir();
  auto outcome = run("tracesWork", {{"TILECC_DEVICE", "cpu"}, {"TILECC_TRACE", directory + "tilecc-%p-trace"}});
  outcome.expectSuccess();
  std::string command = "ls " + directory + "tilecc-*-trace && rm " + directory + "tilecc-[0-9]*-trace";
  EXPECT_EQ(system(command.c_str()), 0);
}

//===-- NVTX --------------------------------------------------------------------------------------------------------===//

SCENARIO(rangesForATool) {
  tt::range_guard outer("outer");
  tt::launch(add, 4, nullptr, values, values, values, 1024);
}
TEST(Nvtx, GetsRangesOnRequest) {
  scenario::Environment environment = {
      {"TILECC_DEVICE", "cpu"}, {"NVTX_INJECTION64_PATH", NVTX_TOOL}, {"TILECC_NVTX", "1"}};
  run("rangesForATool", environment).expectSuccess().expectOutput("push outer\npush add\npop\npop\n");
  environment[2].second = "0";
  EXPECT_EQ(run("rangesForATool", environment).expectSuccess().output.find("push"), std::string::npos);
  environment[2].second = "1";
  environment[1].second = "/nowhere/tool.so";
  run("rangesForATool", environment)
      .expectSuccess()
      .expectOutput("tilecc: NVTX_INJECTION64_PATH=/nowhere/tool.so: is not a tool that accepts ranges");
}

//===-- Forks -------------------------------------------------------------------------------------------------------===//

// A process is forked while other threads capture, trace and change hooks. The child can do all of this itself.
SCENARIO(forksWhileOthersCapture) {
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  auto capture = [] {
    alignas(16) float own[256] = {};
    tt::stream stream;
    tt::graph::capture(stream, [&] { tt::launch(add, 1, stream, own, own, own, 256); }, ttStreamCaptureModeGlobal)
        .instantiate()
        .launch(stream);
  };
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!done) {
        capture();
        ttSetLaunchHooks([](const ttLaunchInfo *, void *) { usleep(500); }, nullptr, nullptr); // forks often hit it
        capture();
        ttSetLaunchHooks(nullptr, nullptr, nullptr);
      }
    });
  for (int i = 0; i < 20; ++i)
    scenario::inChild([&] {
      alarm(30);
      void *memory;
      EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess) << "another thread's capture forbids it";
      EXPECT_EQ(ttFree(memory), ttSuccess);
      EXPECT_EQ(ttSetLaunchHooks(nullptr, nullptr, nullptr), ttSuccess);
      capture();
      fflush(nullptr);
      _exit(testing::Test::HasFailure() ? 3 : 0);
    });
  done = true;
  for (std::thread &thread : threads)
    thread.join();
}
TEST(Watching, SurvivesForks) {
  if (std::string(TILECC_SANITIZE) == "thread")
    GTEST_SKIP() << "ThreadSanitizer's own locks do not survive a fork beside other threads";
  TemporaryFile file;
  run("forksWhileOthersCapture", {{"TILECC_DEVICE", "cpu"}, {"TILECC_TRACE", file.path}}).expectSuccess();
}
