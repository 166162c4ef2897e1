//===-- ManyDevicesTest.cpp - tests one process with many devices and threads ------------------------------------===//
//
// The fake driver returns an error if a function is called for a context that is not current, and logs which image each
// context has loaded.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

using scenario::run;

namespace {

template <class F> void inThreads(int count, F f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] { f(i); });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace

// Each thread visits all devices, starting at a different one.
SCENARIO(launchesEverywhere) {
  constexpr int devices = 4, threads = 16;
  std::atomic<bool> begin{false};
  inThreads(threads, [&](int thread) {
    alignas(16) float values[256] = {};
    if (thread == threads - 1)
      begin = true;
    while (!begin)
      std::this_thread::yield();
    for (int round = 0; round < 3; ++round)
      for (int i = 0; i < devices; ++i) {
        int device = (thread + i) % devices, current;
        EXPECT_EQ(ttSetDevice(device), ttSuccess);
        EXPECT_NO_THROW(tt::launch(add, 1, nullptr, values, values, values, 256)) << device;
        EXPECT_EQ(ttGetDevice(&current), ttSuccess);
        EXPECT_EQ(current, device);
      }
  });
}
TEST(ManyDevices, HaveImagesOfTheirOwn) {
  auto outcome = run("launchesEverywhere", {{"FAKE_CUDA_ARCHS", "90,80,120,86"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx"), 4)
      << outcome.log; // once per context, although several threads launch first
  EXPECT_EQ(outcome.calls("cuLaunchKernel add_16"), 16 * 3 * 4);
  // Only code for sm_90 uses shared memory. Device 9.0 runs it; 8.0 and 8.6 run the code for sm_80, and 12.0 the PTX.
  size_t ofNinety = 0, others = 0;
  for (size_t at = 0; (at = outcome.log.find("shared 16384", at)) != std::string::npos; ++at)
    ++ofNinety;
  for (size_t at = 0; (at = outcome.log.find("shared 0 stream", at)) != std::string::npos; ++at)
    ++others;
  EXPECT_EQ(ofNinety, 16u * 3);
  EXPECT_EQ(others, 16u * 3 * 3);
}

// Uses memory, pools and graphs of one device while other threads use other devices.
SCENARIO(worksEverywhere) {
  inThreads(8, [](int thread) {
    int device = thread % 2;
    EXPECT_EQ(ttSetDevice(device), ttSuccess);
    for (int round = 0; round < 10; ++round) {
      tt::stream stream;
      tt::stream_buffer<float> x(256, stream);
      tt::managed_buffer<float> y(256);
      tt::pinned_buffer<float> z(256);
      tt::graph graph =
          tt::graph::capture(stream, [&] { tt::launch(add, 1, stream, x.data(), y.data(), z.data(), 256); });
      graph.instantiate().launch(stream);
      ttPointerAttributes attributes;
      EXPECT_EQ(ttPointerGetAttributes(&attributes, y.data() + 7), ttSuccess);
      EXPECT_EQ(attributes.device, device);
      ttMemPool_t pool;
      EXPECT_EQ(ttDeviceGetDefaultMemPool(&pool, device), ttSuccess);
      EXPECT_NE(ttPreload(nullptr), ttSuccess); // some kernels cannot be loaded, but the others are
      ttGetLastError();
      EXPECT_EQ(ttPreload(reinterpret_cast<const void *>(add)), ttSuccess);
    }
  });
}
TEST(ManyDevices, DoNotDisturbEachOther) {
  auto outcome = run("worksEverywhere", {{"FAKE_CUDA_ARCHS", "90,90"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx 'fatbin of add'"), 2) << outcome.log;
  EXPECT_EQ(outcome.calls("cuGraphLaunch"), 80);
}

// If a device is lost or out of memory at any point, the call returns an error, and the other devices and the CPU still
// work.
SCENARIO(losesADevice) {
  alignas(16) float values[256] = {};
  void *memory;
  tt::stream stream;
  EXPECT_EQ(ttMallocManaged(&memory, 64), ttErrorLaunchFailure);
  EXPECT_EQ(ttMallocAsync(&memory, 64, stream), ttErrorLaunchFailure);
  EXPECT_EQ(ttMemcpy2DAsync(values, 16, values, 16, 16, 2, ttMemcpyDefault, stream), ttErrorLaunchFailure);
  EXPECT_EQ(ttGraphLaunch(tt::graph().instantiate(), stream), ttErrorLaunchFailure);
  EXPECT_EQ(ttStreamSynchronize(stream), ttErrorLaunchFailure);
  EXPECT_THROW(tt::launch(add, tt::launch_config(1).cooperative(), values, values, values, 256), tt::error);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "kernel 'add': cuLaunchKernelEx failed: CUDA_ERROR_LAUNCH_FAILED (719): as the fake driver "
               "was told");
  tt::device_guard cpu(ttCpuDeviceId);
  EXPECT_NO_THROW(tt::launch(add, 1, nullptr, values, values, values, 256));
}
TEST(ManyDevices, MayBeLost) {
  run("losesADevice",
      {{"FAKE_CUDA_ARCHS", "90,90"},
       {"FAKE_CUDA_FAIL", "cuMemAllocManaged=719,cuMemAllocAsync=719,cuMemcpy2DAsync=719,cuGraphLaunch=719,"
                          "cuStreamSynchronize=719,cuLaunchKernelEx=719"}})
      .expectSuccess();
}
