//===-- CudaDeviceTest.cpp - tests contexts, memory and streams with the fake driver ---------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <thread>

using scenario::run;

namespace {

// The calls of a program that uses the driver directly.
struct Driver {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  template <class F> F *get(const char *name) { return reinterpret_cast<F *>(dlsym(library, name)); }
  void *createContext(int device) {
    void *context = nullptr;
    get<int(unsigned)>("cuInit")(0);
    EXPECT_EQ(get<int(void **, unsigned, int)>("cuCtxCreate_v2")(&context, 0, device), 0);
    return context;
  }
};

void launchAdd(ttStream_t stream = nullptr) {
  alignas(16) static float values[16];
  EXPECT_NO_THROW(tt::launch(add, 4, stream, values, values, values, 16));
}

} // namespace

SCENARIO(usesTheCurrentContext) {
  Driver driver;
  driver.createContext(1);
  int device;
  EXPECT_EQ(ttGetDevice(&device), ttSuccess);
  EXPECT_EQ(device, 1);
  void *memory;
  EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess);
  launchAdd();
  EXPECT_EQ(ttFree(memory), ttSuccess);
}
TEST(Context, TheCurrentOneDecides) {
  run("usesTheCurrentContext", {{"FAKE_CUDA_ARCHS", "90,80"}})
      .expectSuccess()
      .expectLog("cuLaunchKernel add_16 of 'fatbin of add' grid 4,1,1 block 128,1,1 shared 0 stream (nil) context 1")
      .expectNoLog("cuDevicePrimaryCtxRetain");
}
TEST(Context, TheCurrentOneGoesBeforeTheVariable) {
  run("usesTheCurrentContext", {{"FAKE_CUDA_ARCHS", "90,80"}, {"TILECC_DEVICE", "cuda:0"}})
      .expectSuccess()
      .expectNoLog("cuDevicePrimaryCtxRetain");
}

SCENARIO(usesThePrimaryContext) {
  launchAdd();
  launchAdd();
  std::thread([] { launchAdd(); }).join();
}
TEST(Context, WithoutOneThePrimaryOneIsMadeCurrent) {
  auto outcome = run("usesThePrimaryContext", {{"FAKE_CUDA_ARCHS", "90,80"}, {"TILECC_DEVICE", "cuda:1"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuDevicePrimaryCtxRetain 1"), 2) << outcome.log; // once for each thread
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx"), 1) << outcome.log;         // and one context for both
  EXPECT_EQ(outcome.calls("cuLaunchKernel add_16"), 3) << outcome.log;
}

SCENARIO(switchesDevices) {
  int device;
  launchAdd();
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  launchAdd();
  EXPECT_EQ(ttGetDevice(&device), ttSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  launchAdd();
  EXPECT_EQ(ttSetDevice(3), ttErrorInvalidDevice);
  EXPECT_STREQ(ttGetLastErrorMessage(), "there is no device 3: devices are 0 to 2, the last one the CPU");
  EXPECT_EQ(ttSetDevice(-1), ttErrorInvalidDevice);
}
TEST(Context, EachDeviceLoadsItsOwnCode) {
  auto outcome = run("switchesDevices", {{"FAKE_CUDA_ARCHS", "90,80"}});
  outcome.expectSuccess().expectLog("shared 16384 stream (nil) context 1").expectLog("shared 0 stream (nil) context 2");
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx"), 2) << outcome.log;
}

SCENARIO(survivesAReset) {
  launchAdd();
  Driver driver;
  EXPECT_EQ(driver.get<int(int)>("cuDevicePrimaryCtxReset_v2")(0), 0);
  launchAdd();
}
TEST(Context, AfterAResetTheCodeIsLoadedAgain) {
  auto outcome = run("survivesAReset");
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx"), 2) << outcome.log;
}

// The driver leaves the thread with a context that does not exist any more.
SCENARIO(allocatesAfterAReset) {
  Driver driver;
  void *memory;
  int device;
  auto reset = [&] { EXPECT_EQ(driver.get<int(int)>("cuDevicePrimaryCtxReset_v2")(1), 0); };
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  reset();
  EXPECT_EQ(ttGetDevice(&device), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(device, 1);
  EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(ttFree(memory), ttSuccess);
  reset();
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess) << ttGetLastErrorMessage();
}
TEST(Context, AfterAResetThePrimaryOneIsMadeAnew) {
  auto outcome = run("allocatesAfterAReset", {{"FAKE_CUDA_ARCHS", "90,80"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuDevicePrimaryCtxRetain 1"), 3) << outcome.log;
  EXPECT_EQ(outcome.calls("cuDevicePrimaryCtxRetain 0"), 0) << outcome.log;
}

SCENARIO(passesHandlesThrough) {
  launchAdd(nullptr);
  launchAdd(ttStreamLegacy);
  launchAdd(ttStreamPerThread);
  pushCall(4, 1, 0, ttStreamPerThread);
  add(nullptr, nullptr, nullptr, 0);
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  tt::stream stream;
  launchAdd(stream);
  printf("the stream is %p\n", static_cast<void *>(stream.get()));
}
TEST(Streams, EveryHandleIsTheDrivers) {
  auto outcome = run("passesHandlesThrough");
  outcome.expectSuccess().expectLog("stream (nil) ").expectLog("stream 0x1 ");
  EXPECT_EQ(outcome.log.find("stream 0x2 ") != outcome.log.rfind("stream 0x2 "), true) << outcome.log;
  std::string stream = outcome.output.substr(outcome.output.find("the stream is ") + 14);
  outcome.expectLog("stream " + stream.substr(0, stream.find('\n')) + " context");
}

SCENARIO(strayHandles) {
  int count;
  ttGetDeviceCount(&count);
  ttSetDevice(count - 1);
  ttStream_t stream;
  ttEvent_t event;
  EXPECT_EQ(ttStreamCreate(&stream), ttSuccess);
  EXPECT_EQ(ttEventCreate(&event), ttSuccess);
  ttSetDevice(0);
  EXPECT_EQ(ttStreamSynchronize(stream), ttErrorInvalidResourceHandle);
  EXPECT_EQ(ttEventRecord(event, nullptr), ttErrorInvalidResourceHandle);
  ttDim3 grid;
  void *args[] = {nullptr};
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(clustered), grid, args, stream), ttErrorInvalidResourceHandle);
  EXPECT_STREQ(ttGetLastErrorMessage(), "the stream or event is one of the CPU device; the current device is a GPU");
  ttStream_t gpuStream;
  EXPECT_EQ(ttStreamCreate(&gpuStream), ttSuccess);
  ttSetDevice(count - 1);
  EXPECT_EQ(ttStreamSynchronize(gpuStream), ttErrorInvalidResourceHandle);
  EXPECT_EQ(ttStreamDestroy(stream), ttSuccess);
  EXPECT_EQ(ttEventDestroy(event), ttSuccess);
  ttSetDevice(0);
  EXPECT_EQ(ttStreamDestroy(gpuStream), ttSuccess);
}
TEST(Streams, OfTheCpuAreRefusedByGpus) { run("strayHandles").expectSuccess(); }

SCENARIO(copiesAndSets) {
  char host[64] = "some text", back[64] = "";
  void *device, *pinned;
  EXPECT_EQ(ttMalloc(&device, 64), ttSuccess);
  EXPECT_EQ(ttMallocHost(&pinned, 64), ttSuccess);
  tt::stream stream;
  EXPECT_EQ(ttMemcpy(device, host, 64, ttMemcpyHostToDevice), ttSuccess);
  EXPECT_EQ(ttMemcpyAsync(pinned, device, 64, ttMemcpyDefault, stream), ttSuccess);
  stream.synchronize();
  EXPECT_STREQ(static_cast<char *>(pinned), "some text");
  EXPECT_EQ(ttMemset(device, 'x', 63), ttSuccess);
  EXPECT_EQ(ttMemsetAsync(device, 'y', 2, stream), ttSuccess);
  EXPECT_EQ(ttMemcpy(back, device, 64, ttMemcpyDeviceToHost), ttSuccess);
  EXPECT_EQ(std::string(back), "yy" + std::string(61, 'x'));
  EXPECT_EQ(ttMemcpy(back, device, 64, static_cast<ttMemcpyKind>(9)), ttErrorInvalidMemcpyDirection);
  size_t free, total;
  EXPECT_EQ(ttMemGetInfo(&free, &total), ttSuccess);
  EXPECT_EQ(total, size_t(80) << 30);
  EXPECT_EQ(ttFreeHost(pinned), ttSuccess);
  EXPECT_EQ(ttFree(device), ttSuccess);
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess);

  tt::event start, end;
  start.record(stream);
  stream.wait(start);
  end.record(stream);
  end.synchronize();
  EXPECT_EQ(ttEventQuery(end), ttSuccess);
  EXPECT_EQ(end.since(start), 1.5f);
}
TEST(Memory, IsTheDrivers) {
  run("copiesAndSets")
      .expectSuccess()
      .expectLog("cuMemAlloc 64\n")
      .expectLog("cuMemHostAlloc 64 flags 1\n")
      .expectLog("cuMemsetD8 120 63\n")
      .expectLog("cuMemFree\n")
      .expectLog("cuMemFreeHost\n")
      .expectLog("cuStreamWaitEvent\n")
      .expectLog("cuStreamDestroy\n")
      .expectLog("cuEventDestroy\n");
}

SCENARIO(freesAcrossDevices) {
  int count;
  ttGetDeviceCount(&count);
  void *onGpu, *onCpu;
  EXPECT_EQ(ttMalloc(&onGpu, 64), ttSuccess);
  EXPECT_EQ(ttSetDevice(count - 1), ttSuccess);
  EXPECT_EQ(ttMalloc(&onCpu, 64), ttSuccess);
  EXPECT_EQ(ttFree(onGpu), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttFree(onCpu), ttSuccess);
}
TEST(Memory, IsFreedWhicheverDeviceIsCurrent) {
  auto outcome = run("freesAcrossDevices");
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuMemFree"), 1) << outcome.log;
}

SCENARIO(failsToAllocate) {
  void *pointer = &pointer;
  EXPECT_EQ(ttMalloc(&pointer, 64), ttErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "cuMemAlloc failed: CUDA_ERROR_OUT_OF_MEMORY (2): as the fake driver was told");
  EXPECT_EQ(ttDeviceSynchronize(), ttErrorUnknown); // a number we have no name for
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "cuCtxSynchronize failed: unknown error (12345): as the fake driver was told");
  EXPECT_EQ(ttStreamQuery(nullptr), ttErrorNotReady);
  EXPECT_EQ(ttGetLastError(), ttErrorUnknown); // "not ready" is not kept
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  try {
    launchAdd();
  } catch (...) {
    FAIL();
  }
}
TEST(Errors, AreMappedAndKept) {
  run("failsToAllocate", {{"FAKE_CUDA_FAIL", "cuMemAlloc=2,cuCtxSynchronize=12345,cuStreamQuery=600"}}).expectSuccess();
}

SCENARIO(kernelFailed) {
  float value = 0;
  pushCall(1);
  add(&value, &value, &value, 1);
  EXPECT_EQ(ttGetLastError(), ttErrorLaunchFailure);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'add': cuLaunchKernel failed: CUDA_ERROR_LAUNCH_FAILED (719): as the fake "
                                        "driver was told");
}
TEST(Errors, OfALaunchNameTheKernel) { run("kernelFailed", {{"FAKE_CUDA_FAIL", "cuLaunchKernel=719"}}).expectSuccess(); }
