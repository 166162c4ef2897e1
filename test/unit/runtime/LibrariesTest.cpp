//===-- LibrariesTest.cpp - tests libraries that contain a copy of the runtime -----------------------------------===//
#include "LoadedPlugin.h"
#include "Scenario.h"
#include "TestKernels.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>
#include <vector>

using scenario::inChild;
using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "4"}};

static void expectAdds() {
  std::vector<float> values(1024, 1);
  tt::launch(add, 4, nullptr, values.data(), values.data(), values.data(), 1024);
  EXPECT_EQ(values[1023], 2);
}

//===-- Copies do not disturb each other ---------------------------------------------------------------------------===//

SCENARIO(loadsTwoLibraries) {
  expectAdds();
  Plugin one("one"), two("two");
  EXPECT_EQ(one.scaleOne(), 10);
  EXPECT_EQ(two.scaleOne(), 20);
  for (const char *name : {"ttMalloc", "ttLaunchKernel", "ttGetLastError", "__tilecc_register", "__tilecc_launch",
                           "__truncsfbf2", "_ZN6tilecc2rt4failE9ttError_tPKcz"})
    EXPECT_EQ(dlsym(one.library, name), nullptr) << name << " is visible";
  // Another copy does not know this one's memory, and reports that.
  one.close(); // its workers end first
  EXPECT_EQ(two.scaleOne(), 20);
  expectAdds();
  Plugin again("one");
  EXPECT_EQ(again.scaleOne(), 10);
  again.close();
  two.close();
  expectAdds();
}
TEST(Libraries, TwoWithTheRuntimeDoNotClash) { run("loadsTwoLibraries", cpu).expectSuccess(); }

// A library's tuned kernel, and a tuned kernel of the program's whose rows are a library's.
SCENARIO(tunesInALibrary) {
  for (int i = 0; i < 3; ++i) {
    Plugin one("one");
    std::vector<float> data(1000, 10);
    EXPECT_EQ(one.tune(data.data(), 1000), 0);
    EXPECT_EQ(data[999], 10);
    one.close();
  }
  Plugin two("two");
  std::vector<float> data(1000, 10);
  float *pointer = data.data();
  int n = 1000;
  void *args[] = {&pointer, &n};
  const void *kernels[] = {two.stub(), two.stub()};
  ttLaunchConfig launches[2] = {{{16, 1, 1}, nullptr, nullptr, 0}, {{16, 1, 1}, nullptr, nullptr, 0}};
  ttTuned tuned = {};
  ttTuneKey key = {1, {1000}};
  ttTuneRequest request = {};
  request.rows = 2;
  request.kernels = kernels;
  request.launches = launches;
  request.args = args;
  unsigned row = 7;
  EXPECT_EQ(ttTuneChoose(&tuned, &key, &request, &row), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_LT(row, 2u);
  EXPECT_EQ(ttTuneFind(&tuned, &key, args), static_cast<int>(row));
  ttTuneForget(&tuned);
  EXPECT_EQ(ttTuneFind(&tuned, &key, args), -1);
  request.kernels = reinterpret_cast<const void *const *>(args); // no kernels
  ttTuned other = {};
  EXPECT_EQ(ttTuneChoose(&other, &key, &request, &row), ttErrorInvalidDeviceFunction);
  const void *unlike[] = {two.stub(), reinterpret_cast<const void *>(add)};
  request.kernels = unlike;
  EXPECT_FAILS(ttTuneChoose(&other, &key, &request, &row), ttErrorInvalidValue,
               "kernels 'scale' and 'add' have different parameters, and cannot be rows of one tuned kernel");
}
TEST(Libraries, HaveTunedKernels) { run("tunesInALibrary", cpu).expectSuccess(); }

SCENARIO(forksWithALibraryClosed) {
  Plugin one("one");
  one.scaleOne();
  one.close();
  inChild([] { expectAdds(); }); // no handler of the closed library is called
}
TEST(Libraries, ForkAfterOneIsClosed) { run("forksWithALibraryClosed", cpu).expectSuccess(); }

SCENARIO(unloadsFromGpu) {
  Plugin one("one"), two("two");
  std::vector<float> data(64, 1);
  EXPECT_EQ(one.run(data.data(), 64), 0);
  EXPECT_EQ(two.run(data.data(), 64), 0);
  one.close();
  EXPECT_EQ(two.run(data.data(), 64), 0);
  Plugin again("one");
  EXPECT_EQ(again.run(data.data(), 64), 0);
}
TEST(Libraries, ClosingOneUnloadsItsGpuCode) {
  auto outcome = run("unloadsFromGpu");
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx 'ptx of plugin one'"), 2) << outcome.log;
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx 'ptx of plugin two'"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("cuModuleUnload 'ptx of plugin one'"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("cuModuleUnload 'ptx of plugin two'"), 0) << outcome.log; // gone with the driver, at exit
  EXPECT_EQ(outcome.calls("cuLaunchKernel scale of 'ptx of plugin one'"), 2) << outcome.log;
}

//===-- Copies find each other's kernels -------------------------------------------------------------------------===//

static void expectUnknown(const void *stub) {
  ttDim3 grid;
  void *args[2] = {};
  char expected[100];
  snprintf(expected, sizeof(expected), "no kernel is registered for the function at %p", stub);
  EXPECT_EQ(ttLaunchKernel(stub, grid, args, nullptr), ttErrorInvalidDeviceFunction);
  EXPECT_STREQ(ttGetLastErrorMessage(), expected);
  EXPECT_EQ(ttGetLastError(), ttErrorInvalidDeviceFunction);
}

SCENARIO(launchesALibrarysKernel) {
  Plugin one("one"), two("two");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(one.scaleOneFromOutside(), 10);
    EXPECT_EQ(two.scaleOneFromOutside(), 20);
    expectAdds();
  }
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  EXPECT_EQ(ttPreload(two.stub()), ttSuccess);
  EXPECT_EQ(two.scaleOne(), 20);
  expectUnknown(reinterpret_cast<const void *>(two.run));
  expectUnknown(nullptr);
}
TEST(Peers, AProgramLaunchesALibrarysKernel) { run("launchesALibrarysKernel", cpu).expectSuccess(); }

// The next library is loaded at the last one's address, so everything remembered about an address is wrong then.
SCENARIO(closesLibraries) {
  std::vector<const void *> seen;
  int sameAddress = 0;
  for (int i = 0; i < 40; ++i) {
    bool second = i % 3 == 1; // one of a kind after the other, and of the other kind
    Plugin plugin(second ? "two" : "one");
    EXPECT_EQ(plugin.scaleOneFromOutside(), second ? 20 : 10);
    EXPECT_EQ(plugin.scaleOneFromOutside(), second ? 20 : 10);
    sameAddress += std::count(seen.begin(), seen.end(), plugin.stub()) != 0;
    seen.push_back(plugin.stub());
    plugin.close();
    expectUnknown(seen.back());
  }
  printf("%d times at the same address\n", sameAddress);
}
TEST(Peers, NothingIsRememberedOfAClosedLibrary) {
  auto outcome = run("closesLibraries", cpu);
  outcome.expectSuccess();
  if (!*TILECC_SANITIZE) // sanitizers keep addresses apart
    EXPECT_EQ(outcome.output.find("\n0 times"), std::string::npos) << outcome.output;
}

SCENARIO(loadsAnotherVersion) {
  loadPlugin("other-version");
  ttDim3 grid;
  void *args[1];
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(loadPlugin), grid, args, nullptr), ttErrorInvalidDeviceFunction);
  printf("%s\n", ttGetLastErrorMessage());
  Plugin two("two"); // and the search goes on
  EXPECT_EQ(two.scaleOneFromOutside(), 20);
}
TEST(Peers, OfAnotherVersionAreNamed) {
  run("loadsAnotherVersion", cpu)
      .expectSuccess()
      .expectOutput("an object was compiled by another version of tcc (its tables have version 99, this runtime reads "
                    "version " +
                    std::to_string(TILECC_ABI_VERSION) + ")");
}

SCENARIO(failsInALibrary) {
  Plugin two("two");
  const char *message;
  // What the library has not asked for yet stays its own.
  two.scale(nullptr, 0);
  EXPECT_EQ(two.pendingError(&message), ttErrorInvalidConfiguration);
  EXPECT_STREQ(message, "a kernel was called as a function; launch it with <<<grid>>>");

  ttDim3 grid;
  grid.y = 70000;
  void *args[2] = {};
  EXPECT_EQ(ttLaunchKernel(two.stub(), grid, args, nullptr), ttErrorInvalidConfiguration);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "kernel 'scale': a grid of 1 x 70000 x 1 programs is beyond the limits, which are 2147483647 along x and "
               "65535 along y and z");
  EXPECT_EQ(ttPeekAtLastError(), ttErrorInvalidConfiguration);
  ttFunction_t function;
  ttFuncAttributes attributes;
  EXPECT_EQ(ttGetFunction(&function, two.stub()), ttErrorNotSupported);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'scale': the current device is the CPU, which has no CUDA functions");
  EXPECT_EQ(ttFuncGetAttributes(&attributes, two.stub()), ttErrorNotSupported);
  EXPECT_EQ(two.scaleOneFromOutside(), 20);
  EXPECT_EQ(ttGetLastError(), ttErrorNotSupported);
  EXPECT_EQ(ttGetLastError(), ttSuccess);

  EXPECT_EQ(two.pendingError(&message), ttErrorInvalidConfiguration);
  EXPECT_STREQ(message, "a kernel was called as a function; launch it with <<<grid>>>");
}
TEST(Peers, ErrorsArriveAtTheCaller) { run("failsInALibrary", cpu).expectSuccess(); }

SCENARIO(choosesForALibrary) {
  Plugin two("two");
  float data[64] = {1};
  int count, n = 64;
  EXPECT_EQ(ttGetDeviceCount(&count), ttSuccess);
  ttFunction_t function;
  ttFuncAttributes attributes;
  EXPECT_EQ(ttGetFunction(&function, two.stub()), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(ttFuncGetAttributes(&attributes, two.stub()), ttSuccess);
  EXPECT_EQ(attributes.threads, 128u);
  tt::launch(two.scale, 1, nullptr, data, n); // GPU 0
  EXPECT_EQ(ttSetDevice(count - 1), ttSuccess);
  tt::launch(two.scale, 1, nullptr, data, n); // the CPU
  EXPECT_EQ(data[0], 2);
  EXPECT_EQ(two.run(data, 64), ttSuccess); // the library has chosen nothing
  EXPECT_EQ(data[0], 2);
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  tt::launch(two.scale, 1, nullptr, data, n); // GPU 1
  std::thread([&] { tt::launch(two.scale, 1, nullptr, data, n); }).join();
  EXPECT_EQ(data[0], 2);
  two.close();
}
TEST(Peers, TheCallersDeviceIsUsed) {
  auto outcome = run("choosesForALibrary", {{"FAKE_CUDA_ARCHS", "90,80"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuLaunchKernel scale of 'ptx of plugin two'"), 4) << outcome.log;
  std::string contexts;
  for (size_t at = 0; (at = outcome.log.find("\ncuLaunchKernel ", at)) != std::string::npos; ++at)
    contexts += outcome.log[outcome.log.find(" context ", at) + 9];
  EXPECT_EQ(contexts, "1121") << outcome.log;
  // Loaded once in each context, by the library's copy, which unloads it.
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx 'ptx of plugin two'"), 2) << outcome.log;
  EXPECT_EQ(outcome.calls("cuModuleUnload 'ptx of plugin two'"), 2) << outcome.log;
}

SCENARIO(changesTheEnvironment) {
  int count;
  EXPECT_EQ(ttGetDeviceCount(&count), ttSuccess); // the program has a GPU
  setenv("TILECC_DEVICE", "cpu", 1);
  Plugin two("two");
  ttDim3 grid;
  void *args[2] = {};
  EXPECT_EQ(ttLaunchKernel(two.stub(), grid, args, nullptr), ttErrorInvalidDevice);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "another copy of the runtime, in a library or the program, has chosen GPU 0, and this copy knows 0; "
               "TILECC_DEVICE must not be changed after the first call");
  EXPECT_EQ(ttSetDevice(count - 1), ttSuccess);
  EXPECT_EQ(two.scaleOneFromOutside(), 20);
}
TEST(Peers, AnEnvironmentThatChangesIsAnError) { run("changesTheEnvironment").expectSuccess(); }

SCENARIO(closesWhileOthersLaunch) {
  std::atomic<bool> stop{false};
  Plugin two("two");
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stop) {
        EXPECT_EQ(two.scaleOneFromOutside(), 20);
        expectUnknown(&stop); // asks everybody
      }
    });
  for (int i = 0; i < 100; ++i) {
    Plugin one("one");
    EXPECT_EQ(one.scaleOneFromOutside(), 10);
    one.close();
  }
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}
TEST(Peers, LibrariesComeAndGoWhileOthersLaunch) { run("closesWhileOthersLaunch", cpu).expectSuccess(); }

SCENARIO(forksWhileOthersAsk) {
  Plugin one("one"), two("two");
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stop) {
        expectUnknown(&stop);
        EXPECT_EQ(two.scaleOneFromOutside(), 20);
        // fork waits for each of its locks: threads that never rest keep them for minutes on a busy machine.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  for (int i = 0; i < 20; ++i)
    inChild([&] {
      alarm(30);
      EXPECT_EQ(two.scaleOneFromOutside(), 20);
      expectUnknown(&stop);
      one.close(); // does not wait
      _exit(testing::Test::HasFailure() ? 3 : 0);
    });
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}
TEST(Peers, ForkWhileOthersAsk) {
  if (!strcmp(TILECC_SANITIZE, "thread"))
    GTEST_SKIP() << "ThreadSanitizer's own locks do not survive a fork in the middle of other threads' work";
  run("forksWhileOthersAsk", cpu).expectSuccess();
}

// A library's kernel in a graph that the program makes, captured and by hand.
SCENARIO(putsALibrarysKernelInAGraph) {
  Plugin two("two");
  std::vector<float> data(64, 1), other(64, 3);
  int active = 0;
  EXPECT_EQ(ttOccupancyMaxActivePrograms(&active, two.stub()), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_GT(active, 0);
  tt::stream stream;
  tt::graph graph = tt::graph::capture(stream, [&] { tt::launch(two.scale, 1, stream, data.data(), 64); });
  EXPECT_EQ(graph.node_count(), 1u);
  ttGraphNode_t node = graph.add_kernel({}, two.scale, tt::launch_config(1).cooperative(), data.data(), 64);
  tt::graph_exec exec = graph.instantiate();
  exec.set_kernel(node, two.scale, 1, other.data(), 64);
  exec.launch(stream);
  if (strcmp(getenv("TILECC_DEVICE"), "cuda:0")) { // kernels of the fake driver do nothing
    EXPECT_EQ(data[63], 2);
    EXPECT_EQ(other[63], 6);
  }
  EXPECT_THROW(graph.add_kernel({}, two.scale, -1, data.data(), 64), tt::error);
}
TEST(Peers, GiveTheirKernelsToGraphs) {
  for (const char *device : {"cpu", "emu:sm_90", "cuda:0"})
    run("putsALibrarysKernelInAGraph", {{"TILECC_DEVICE", device}}).expectSuccess();
}
