//===-- CpuDeviceTest.cpp - tests the CPU as a device ------------------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <random>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

using scenario::run;

template <class Kernel> static const void *stub(Kernel *kernel) { return reinterpret_cast<const void *>(kernel); }
static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}};

SCENARIO(addsRaggedSizes) {
  std::mt19937 random(7);
  for (int n : {1, 2, 255, 256, 257, 1000, 4096, 100003}) {
    std::vector<float> x(n), y(n), out(n, -1), guard(8, -1);
    for (int i = 0; i < n; ++i)
      x[i] = random() % 1000, y[i] = random() % 1000;
    tt::device_buffer<float> dx(x.data(), n), dy(y.data(), n), dout(n + 8);
    dout.set_bytes(0x55);
    tt::launch(add, (n + 255) / 256, nullptr, dx.data(), dy.data(), dout.data(), n);
    dout.copy_to((out.resize(n + 8), out.data()));
    for (int i = 0; i < n; ++i)
      ASSERT_EQ(out[i], x[i] + y[i]) << i << " of " << n;
    for (int i = n; i < n + 8; ++i)
      ASSERT_EQ(std::vector<unsigned char>(4, 0x55),
                std::vector<unsigned char>(reinterpret_cast<unsigned char *>(&out[i]),
                                           reinterpret_cast<unsigned char *>(&out[i] + 1)));
  }
}

SCENARIO(runsEveryProgramOnce) {
  for (ttDim3 grid : {ttDim3{1}, ttDim3{2}, ttDim3{63}, ttDim3{1000}, ttDim3{100000}, ttDim3{3, 5, 7}, ttDim3{1, 1, 100},
                      ttDim3{1, 65535, 1}, ttDim3{17, 1, 31}, ttDim3{2, 300, 2}}) {
    std::vector<unsigned> counts(static_cast<size_t>(grid.x) * grid.y * grid.z);
    tt::launch(countPrograms, grid, nullptr, counts.data());
    for (size_t i = 0; i < counts.size(); ++i)
      ASSERT_EQ(counts[i], 1u) << "program " << i << " of " << grid.x << "x" << grid.y << "x" << grid.z;
  }
}

TEST(CpuLaunch, AddsRaggedSizes) { run("addsRaggedSizes", cpu).expectSuccess(); }

TEST(CpuLaunch, RunsEveryProgramOnceOnAnyNumberOfThreads) {
  for (const char *threads : {"1", "2", "3", "8", "33"})
    run("runsEveryProgramOnce", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", threads}}).expectSuccess();
}

SCENARIO(describesTheCpu) {
  ttDeviceProp properties;
  if (ttGetDeviceProperties(&properties, 0)) {
    printf("error %s: %s\n", ttGetErrorName(ttGetLastError()), ttGetLastErrorMessage());
    float value = 0;
    pushCall(1);
    add(&value, &value, &value, 1);
    EXPECT_EQ(ttGetLastError(), ttErrorInvalidValue); // a launch says the same
    return;
  }
  EXPECT_NE(properties.name[0], 0);
  EXPECT_GT(properties.totalGlobalMem, 1u << 20);
  std::string target = properties.arch > 1 ? "cpu:" + std::to_string(properties.arch) : "cpu";
  EXPECT_EQ(properties.target, target);
  printf("threads %d level %d\n", properties.multiProcessorCount, properties.arch);
}

TEST(CpuVariables, NumberOfThreads) {
  run("describesTheCpu", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "5"}}).expectOutput("threads 5 ");
  for (const char *bad : {"0", "-1", "two", "2x", "65537", "99999999999999999999"})
    run("describesTheCpu", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", bad}})
        .expectSuccess()
        .expectOutput("error ttErrorInvalidValue: TILECC_NUM_THREADS=" + std::string(bad) +
                      ": the number of threads must be from 1 to 65536");
}

TEST(CpuVariables, Level) {
#if defined(__x86_64__)
  run("describesTheCpu", {{"TILECC_DEVICE", "cpu"}, {"TILECC_CPU_LEVEL", "1"}}).expectSuccess().expectOutput("level 1");
#endif
  for (const char *bad : {"9", "3x", "-1", "sve1024"})
    run("describesTheCpu", {{"TILECC_DEVICE", "cpu"}, {"TILECC_CPU_LEVEL", bad}})
        .expectSuccess()
        .expectOutput("error ttErrorInvalidValue: TILECC_CPU_LEVEL=" + std::string(bad) + ": this processor has no such level; its best one is ");
}

SCENARIO(lacksCode) {
  int value;
  void *args[] = {&value};
  EXPECT_EQ(ttLaunchKernel(stub(fromTheFuture), ttDim3{}, args, nullptr), ttErrorNoKernelImageForDevice);
  EXPECT_EQ(std::string(ttGetLastErrorMessage()).find("kernel 'fromTheFuture' (cpu.tt.cpp) has no code for this processor ("),
            0u);
  EXPECT_EQ(ttLaunchKernel(stub(bigShared), ttDim3{}, args, nullptr), ttErrorNoKernelImageForDevice);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'bigShared' (ptx.tt.cpp) was compiled without code for the CPU");
  EXPECT_EQ(ttPreload(stub(add)), ttSuccess);
  ttFunction_t function;
  EXPECT_EQ(ttGetFunction(&function, stub(add)), ttErrorNotSupported);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'add': the current device is the CPU, which has no CUDA functions");
}
TEST(CpuLaunch, MissingCodeIsAnError) { run("lacksCode", cpu).expectSuccess(); }

SCENARIO(launchesByStub) {
  float x[300], y[300], out[300] = {};
  for (int i = 0; i < 300; ++i)
    x[i] = i, y[i] = 2 * i;
  EXPECT_EQ(pushCall(2), 0u);
  add(x, y, out, 300);
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  EXPECT_EQ(out[299], 897);

  pushCall(2, 128);
  add(x, y, out, 300);
  EXPECT_EQ(ttGetLastError(), ttErrorInvalidConfiguration);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "kernel 'add': a tile kernel chooses its threads itself; launch it with <<<grid>>>, <<<grid, stream>>> or "
               "<<<grid, 1, 0, stream>>>, not with blocks of 128 x 1 x 1");
  pushCall(2, 1, 4096);
  add(x, y, out, 300);
  EXPECT_EQ(ttGetLastError(), ttErrorInvalidConfiguration);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "kernel 'add': a tile kernel sizes its shared memory itself; launch it with 0 bytes, not 4096");
  add(x, y, out, 300);
  EXPECT_EQ(ttGetLastError(), ttErrorInvalidConfiguration);
  EXPECT_STREQ(ttGetLastErrorMessage(), "a kernel was called as a function; launch it with <<<grid>>>");

  // An argument that launches a kernel itself.
  pushCall(1);
  auto inner = [&] {
    pushCall(1);
    add(x, x, y, 300);
    return y;
  };
  add(x, inner(), out, 300);
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  EXPECT_EQ(out[5], 15);

  // Arguments that throw leave their configurations on the stack; later launches still work.
  for (int i = 0; i < 100; ++i)
    pushCall(0);
  pushCall(1);
  add(x, x, out, 256);
  EXPECT_EQ(out[7], 14);
}
TEST(CpuLaunch, StubsPopWhatWasPushed) { run("launchesByStub", cpu).expectSuccess(); }

SCENARIO(limitsGrids) {
  void *args[4] = {};
  EXPECT_EQ(ttLaunchKernel(stub(add), ttDim3{0}, args, nullptr), ttSuccess);
  EXPECT_EQ(ttLaunchKernel(stub(add), ttDim3{1, 70000}, args, nullptr), ttErrorInvalidConfiguration);
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(args), ttDim3{1}, args, nullptr), ttErrorInvalidDeviceFunction);
  char message[64];
  snprintf(message, sizeof(message), "no kernel is registered for the function at %p", reinterpret_cast<void *>(args));
  EXPECT_STREQ(ttGetLastErrorMessage(), message);
}
TEST(CpuLaunch, ChecksGridAndKernel) { run("limitsGrids", cpu).expectSuccess(); }

SCENARIO(allocates) {
  void *pointer = nullptr;
  for (size_t bytes : {size_t(1), size_t(255), size_t(4096), size_t(1) << 24}) {
    EXPECT_EQ(ttMalloc(&pointer, bytes), ttSuccess);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(pointer) % 256, 0u);
    EXPECT_EQ(ttMemset(pointer, 1, bytes), ttSuccess);
    EXPECT_EQ(ttFree(pointer), ttSuccess);
  }
  EXPECT_EQ(ttFree(pointer), ttErrorInvalidValue);
  int local;
  EXPECT_EQ(ttFree(&local), ttErrorInvalidValue);
  EXPECT_EQ(ttFreeHost(&local), ttErrorInvalidValue);
  EXPECT_EQ(ttMalloc(&pointer, 0), ttSuccess);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_EQ(ttFree(nullptr), ttSuccess);
  EXPECT_EQ(ttMallocHost(&pointer, 100), ttSuccess);
  EXPECT_EQ(ttFreeHost(pointer), ttSuccess);
  EXPECT_EQ(ttMemcpy(&local, &local, sizeof(local), static_cast<ttMemcpyKind>(5)), ttErrorInvalidMemcpyDirection);
  EXPECT_EQ(ttMemcpy(nullptr, &local, sizeof(local), ttMemcpyHostToDevice), ttErrorInvalidValue);
  EXPECT_STREQ(ttGetLastErrorMessage(), "ttMemcpy of 4 bytes to a null pointer");
  EXPECT_EQ(ttMemcpy(&local, nullptr, sizeof(local), ttMemcpyDeviceToHost), ttErrorInvalidValue);
  EXPECT_EQ(ttMemset(nullptr, 0, 1), ttErrorInvalidValue);
  EXPECT_EQ(ttMemcpy(nullptr, nullptr, 0, ttMemcpyDefault), ttSuccess);
  size_t free, total;
  EXPECT_EQ(ttMemGetInfo(&free, &total), ttSuccess);
  EXPECT_LE(free, total);
}
TEST(CpuMemory, IsAlignedAndItsOwn) { run("allocates", cpu).expectSuccess(); }

SCENARIO(failsToAllocateOnCpu) {
  void *pointer;
  EXPECT_EQ(ttMalloc(&pointer, size_t(1) << 62), ttErrorMemoryAllocation);
  EXPECT_STREQ(ttGetLastErrorMessage(), "not enough memory for 4611686018427387904 bytes on the CPU device");
  EXPECT_EQ(pointer, nullptr);
}
TEST(CpuMemory, CanRunOut) {
  run("failsToAllocateOnCpu", {{"TILECC_DEVICE", "cpu"}, {"ASAN_OPTIONS", "allocator_may_return_null=1"}, {"TSAN_OPTIONS", "allocator_may_return_null=1"}})
      .expectSuccess();
}

SCENARIO(usesStreamsAndEvents) {
  ttStream_t stream;
  ttEvent_t start, end, untimed;
  EXPECT_EQ(ttStreamCreateWithFlags(&stream, ttStreamNonBlocking), ttSuccess);
  EXPECT_EQ(ttEventCreate(&start), ttSuccess);
  EXPECT_EQ(ttEventCreate(&end), ttSuccess);
  EXPECT_EQ(ttEventCreateWithFlags(&untimed, ttEventDisableTiming), ttSuccess);
  float milliseconds = -1;
  EXPECT_EQ(ttEventElapsedTime(&milliseconds, start, end), ttErrorInvalidResourceHandle);
  EXPECT_STREQ(ttGetLastErrorMessage(), "an event has not been recorded");
  EXPECT_EQ(ttEventRecord(start, stream), ttSuccess);
  std::vector<unsigned> counts(1000);
  tt::launch(countPrograms, 1000, stream, counts.data());
  EXPECT_EQ(ttEventRecord(end, stream), ttSuccess);
  EXPECT_EQ(ttEventRecord(untimed, stream), ttSuccess);
  EXPECT_EQ(ttEventElapsedTime(&milliseconds, start, end), ttSuccess);
  EXPECT_GT(milliseconds, 0);
  EXPECT_LT(milliseconds, 60000);
  EXPECT_EQ(ttEventElapsedTime(&milliseconds, start, untimed), ttErrorInvalidResourceHandle);
  EXPECT_EQ(ttStreamWaitEvent(nullptr, end, 0), ttSuccess);
  EXPECT_EQ(ttStreamQuery(stream), ttSuccess);
  EXPECT_EQ(ttEventQuery(end), ttSuccess);
  EXPECT_EQ(ttEventSynchronize(end), ttSuccess);
  EXPECT_EQ(ttStreamSynchronize(ttStreamPerThread), ttSuccess);
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess);
  EXPECT_EQ(ttStreamDestroy(ttStreamLegacy), ttErrorInvalidResourceHandle);
  EXPECT_EQ(ttEventDestroy(start), ttSuccess);
  EXPECT_EQ(ttEventDestroy(end), ttSuccess);
  EXPECT_EQ(ttEventDestroy(untimed), ttSuccess);
  EXPECT_EQ(ttStreamDestroy(stream), ttSuccess);
}
TEST(CpuStreams, AreAlwaysIdle) { run("usesStreamsAndEvents", cpu).expectSuccess(); }

SCENARIO(registersTwice) {
  int value = 0;
  auto launch = [&] {
    pushCall(1);
    twice(&value);
    return ttGetLastError();
  };
  EXPECT_EQ(launch(), ttErrorInvalidDeviceFunction);
  // Outside the main program's image, like those of a library; those of the main program stay until the end.
  auto *first = new tilecc_module(firstTwice), *second = new tilecc_module(secondTwice);
  __tilecc_register(first);
  EXPECT_EQ(launch(), ttSuccess);
  EXPECT_EQ(value, 1);
  __tilecc_register(second);
  EXPECT_EQ(launch(), ttSuccess);
  EXPECT_EQ(value, 1);
  __tilecc_unregister(first);
  EXPECT_EQ(launch(), ttSuccess);
  EXPECT_EQ(value, 2);
  __tilecc_unregister(second);
  EXPECT_EQ(launch(), ttErrorInvalidDeviceFunction);
  __tilecc_unregister(second); // unknown by now: nothing happens
  __tilecc_register(first);
  __tilecc_register(second);
  EXPECT_EQ(launch(), ttSuccess); // indexes both
  __tilecc_unregister(second);
  EXPECT_EQ(launch(), ttSuccess);
  __tilecc_unregister(first);
  EXPECT_EQ(launch(), ttErrorInvalidDeviceFunction);

  auto *newer = new tilecc_module(firstTwice);
  newer->abi_version = 99;
  __tilecc_register(newer);
  EXPECT_EQ(launch(), ttErrorInvalidDeviceFunction);
  EXPECT_NE(std::string(ttGetLastErrorMessage()).find("its tables have version 99, this runtime reads version " +
                                                     std::to_string(TILECC_ABI_VERSION)),
            std::string::npos);
  __tilecc_unregister(newer);
  delete first;
  delete second;
  delete newer;
}
TEST(Registration, ObjectsMayShareAKernel) { run("registersTwice", cpu).expectSuccess(); }

SCENARIO(keepsErrors) {
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  EXPECT_STREQ(ttGetLastErrorMessage(), "");
  int local;
  EXPECT_EQ(ttFree(&local), ttErrorInvalidValue);
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess); // a success does not reset it
  EXPECT_EQ(ttPeekAtLastError(), ttErrorInvalidValue);
  EXPECT_EQ(ttGetLastError(), ttErrorInvalidValue);
  EXPECT_EQ(ttGetLastError(), ttSuccess);
  EXPECT_NE(ttGetLastErrorMessage()[0], 0); // the words stay
  EXPECT_STREQ(ttGetErrorName(ttErrorInvalidValue), "ttErrorInvalidValue");
  EXPECT_STREQ(ttGetErrorString(ttErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(ttGetErrorName(static_cast<ttError_t>(424242)), "unrecognized error code");
}
TEST(Errors, AreTheThreadsUntilAskedFor) { run("keepsErrors", cpu).expectSuccess(); }
