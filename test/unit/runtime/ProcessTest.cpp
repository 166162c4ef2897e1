//===-- ProcessTest.cpp - tests constructors, forks and exits -----------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <atomic>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <unistd.h>
#include <vector>

using scenario::inChild;
using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "4"}};

static ttError_t addOnce(float *sum) {
  static float values[4096];
  for (float &value : values)
    value = 1;
  pushCall(16);
  add(values, values, values, 4096);
  *sum = values[4095];
  return ttGetLastError();
}

static void expectAdds() {
  float sum = 0;
  EXPECT_EQ(addOnce(&sum), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(sum, 2);
}

//===-- Constructors -----------------------------------------------------------------------------------------------===//

// Before any C++ object of the program or the runtime is constructed, that is, before the kernels are registered; and
// after.
static ttError_t beforeRegistration = ttSuccess, afterRegistration = ttErrorUnknown;
static float sumInConstructor = 0;
__attribute__((constructor(150))) static void launchBeforeRegistration() {
  if (getenv("TEST_CONSTRUCTORS"))
    beforeRegistration = addOnce(&sumInConstructor);
}
__attribute__((constructor(250))) static void launchAfterRegistration() {
  if (getenv("TEST_CONSTRUCTORS"))
    afterRegistration = addOnce(&sumInConstructor);
}

SCENARIO(launchedInConstructors) {
  EXPECT_EQ(beforeRegistration, ttErrorInvalidDeviceFunction);
  EXPECT_EQ(afterRegistration, ttSuccess);
  EXPECT_TRUE(getenv("TILECC_DEVICE") == nullptr || sumInConstructor == 2);
  expectAdds();
}
TEST(Process, LaunchesFromConstructorsOnTheCpu) {
  run("launchedInConstructors", {{"TILECC_DEVICE", "cpu"}, {"TEST_CONSTRUCTORS", "1"}}).expectSuccess();
}
SCENARIO(launchedInConstructorsOnGpu) {
  EXPECT_EQ(beforeRegistration, ttErrorInvalidDeviceFunction);
  EXPECT_EQ(afterRegistration, ttSuccess);
}
TEST(Process, LaunchesFromConstructorsOnAGpu) {
  run("launchedInConstructorsOnGpu", {{"TEST_CONSTRUCTORS", "1"}}).expectSuccess().expectLog("cuLaunchKernel add");
}

//===-- Exit ---------------------------------------------------------------------------------------------------------===//

static void launchAtExit() {
  float sum = 0;
  ttError_t error = addOnce(&sum);
  fprintf(stderr, "at exit: %s, sum %g\n", ttGetErrorName(error), sum);
}
// After atexit's handlers, and after the runtime's own destructor.
__attribute__((destructor(250))) static void launchInDestructor() {
  if (getenv("TEST_DESTRUCTORS"))
    launchAtExit();
}

SCENARIO(exitsAfterLaunching) {
  atexit(launchAtExit);
  expectAdds();
}
TEST(Process, LaunchesAtExitOnTheCpu) {
  run("exitsAfterLaunching", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "4"}, {"TEST_DESTRUCTORS", "1"}})
      .expectSuccess()
      .expectOutput("at exit: ttSuccess, sum 2\nat exit: ttSuccess, sum 2");
}

// After everything else, when kernels are unregistered and workers stopped: calls of other threads must still work.
__attribute__((destructor(150))) static void waitInDestructor() {
  if (getenv("TEST_LATE_DESTRUCTOR"))
    usleep(20000);
}
SCENARIO(exitsWhileOthersLaunch) {
  static float values[4][256];
  static std::atomic<int> launching{0};
  for (auto &mine : values)
    std::thread([&mine] {
      for (int i = 0;; ++i) {
        pushCall(1);
        add(mine, mine, mine, 256);
        if (ttGetLastError())
          abort();
        launching += i == 0;
      }
    }).detach();
  while (launching < 4)
    std::this_thread::yield();
}
TEST(Process, ExitsWhileOtherThreadsLaunch) {
  run("exitsWhileOthersLaunch", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "4"}, {"TEST_LATE_DESTRUCTOR", "1"}})
      .expectSuccess();
}

static void *memoryForExit;
static ttStream_t streamForExit;
static void releaseAtExit() {
  // The driver's own handler was registered later, so it has run: what is left to us is gone, and that is no failure.
  fprintf(stderr, "released: %d %d %d\n", ttFree(memoryForExit), ttStreamDestroy(streamForExit), ttDeviceSynchronize());
  launchAtExit();
}
SCENARIO(exitsAfterTheDriver) {
  atexit(releaseAtExit);
  float value = 0;
  tt::launch(add, 1, nullptr, &value, &value, &value, 1);
  EXPECT_EQ(ttMalloc(&memoryForExit, 64), ttSuccess);
  EXPECT_EQ(ttStreamCreate(&streamForExit), ttSuccess);
}
TEST(Process, ReleasesAtExitAfterTheDriver) {
  run("exitsAfterTheDriver", {{"ASAN_OPTIONS", "detect_leaks=0"}}) // the fake driver's "GPU memory"
      .expectSuccess()
      .expectLog("the driver ends\n")
      .expectNoLog("cuModuleUnload")
      .expectOutput("released: 0 0 0\nat exit: ttErrorDeinitialized");
}

//===-- Fork -----------------------------------------------------------------------------------------------------------===//

SCENARIO(forksOnCpu) {
  expectAdds();
  void *memory;
  EXPECT_EQ(ttMalloc(&memory, 100), ttSuccess);
  inChild([&] {
    expectAdds();
    EXPECT_EQ(ttFree(memory), ttSuccess);
    inChild([] { expectAdds(); });
  });
  inChild([] {}); // a child that ends without using anything
  EXPECT_EQ(ttFree(memory), ttSuccess);
  expectAdds();
}
TEST(Fork, TheCpuWorksInChildren) { run("forksOnCpu", cpu).expectSuccess(); }

SCENARIO(forksWhileOthersLaunch) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      std::vector<unsigned> counts(100);
      while (!stop) {
        tt::launch(countPrograms, counts.size(), nullptr, counts.data());
        void *memory;
        ttMalloc(&memory, 64);
        ttFree(memory);
      }
    });
  for (int i = 0; i < 20; ++i)
    inChild([] {
      alarm(30);
      expectAdds();
      void *memory;
      EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess);
      EXPECT_EQ(ttFree(memory), ttSuccess);
      fflush(nullptr);
      _exit(testing::Test::HasFailure() ? 3 : 0); // nothing frees the other threads' memory
    });
  stop = true;
  for (std::thread &thread : threads)
    thread.join();
}
TEST(Fork, MayHappenWhileOtherThreadsLaunch) {
  if (!strcmp(TILECC_SANITIZE, "thread"))
    GTEST_SKIP() << "ThreadSanitizer's own locks do not survive a fork in the middle of other threads' work";
  run("forksWhileOthersLaunch", cpu).expectSuccess();
}

SCENARIO(forksBeforeCuda) {
  inChild([] {
    float value = 0;
    tt::launch(add, 1, nullptr, &value, &value, &value, 1);
  });
  float value = 0;
  tt::launch(add, 1, nullptr, &value, &value, &value, 1);
}
TEST(Fork, CudaWorksInAChildOfAParentThatHadNotUsedIt) {
  auto outcome = run("forksBeforeCuda");
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuInit"), 2) << outcome.log;
  EXPECT_EQ(outcome.calls("cuLaunchKernel"), 2) << outcome.log;
}

SCENARIO(forksAfterCuda) {
  float value = 1;
  tt::launch(add, 1, nullptr, &value, &value, &value, 1);
  size_t logged = scenario::driverLog().size();
  inChild([&] {
    static const char message[] = "this process was forked after its parent had initialized CUDA, which does not survive a "
                                  "fork; fork before the first use of a GPU, or use the CPU device";
    void *memory;
    EXPECT_EQ(ttMalloc(&memory, 64), ttErrorInitializationError);
    EXPECT_STREQ(ttGetLastErrorMessage(), message);
    pushCall(1);
    add(&value, &value, &value, 1);
    EXPECT_EQ(ttGetLastError(), ttErrorInitializationError);
    int device, count;
    ttDeviceProp properties;
    EXPECT_EQ(ttGetDevice(&device), ttErrorInitializationError);
    EXPECT_EQ(ttSetDevice(0), ttErrorInitializationError);
    EXPECT_EQ(ttGetDeviceProperties(&properties, 0), ttErrorInitializationError);
    EXPECT_EQ(scenario::driverLog().size(), logged); // no call reaches the driver
    // The CPU is there for who asks for it.
    EXPECT_EQ(ttGetLastError(), ttErrorInitializationError);
    EXPECT_EQ(ttGetDeviceCount(&count), ttSuccess);
    EXPECT_EQ(ttSetDevice(count - 1), ttSuccess);
    expectAdds();
  });
  tt::launch(add, 1, nullptr, &value, &value, &value, 1);
}
TEST(Fork, CudaIsAnErrorInAChildOfAParentThatHadUsedIt) { run("forksAfterCuda").expectSuccess(); }
