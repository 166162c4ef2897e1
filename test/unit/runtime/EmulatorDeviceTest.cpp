//===-- EmulatorDeviceTest.cpp - tests the PTX emulator as a device ----------------------------------------------===//
//
// The tests use fake-emulator instead of the real emulator.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "LoadedPlugin.h"
#include "Scenario.h"
#include "TestKernels.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string>
#include <thread>
#include <unistd.h>

using scenario::inChild;
using scenario::run;

// `environment` and TILECC_DEVICE=emu:sm_90, unless it says otherwise.
static scenario::Environment emulated(scenario::Environment environment = {}) {
  environment.insert(environment.begin(), {"TILECC_DEVICE", "emu:sm_90"});
  return environment;
}

//===-- Which device it is -----------------------------------------------------------------------------------------===//

TEST(EmulatorDevice, IsTheOnlyOneBesideTheCpu) {
  auto outcome = run("describeDevices", {{"TILECC_DEVICE", "emu:sm_80"}, {"FAKE_CUDA_ARCHS", "90,80"}});
  outcome.expectSuccess().expectOutput(
      "count 2 device 0 kind emulator name 'PTX emulator, sm_80' arch 80 target compute_80");
  EXPECT_EQ(outcome.log, "emu default_device arch 80 checks 23 schedule 0 seed 0 limit 0\n"); // and no driver
}

TEST(EmulatorDevice, ArchSpecificCodeIsForTheSameDevice) {
  run("describeDevices", {{"TILECC_DEVICE", "emu:sm_90a"}})
      .expectSuccess()
      .expectOutput("kind emulator name 'PTX emulator, sm_90' arch 90 target compute_90")
      .expectLog("emu default_device arch 90 ");
}

TEST(EmulatorDevice, IsWhatThereIsPtxFor) {
  run("describeDevices", {{"TILECC_DEVICE", "emu"}})
      .expectSuccess()
      .expectOutput("kind emulator name 'PTX emulator, sm_90' arch 90 target compute_90")
      .expectLog("emu default_device arch 0 ");
}

SCENARIO(launchesForAmd) {
  int *pointer = nullptr;
  void *args[] = {&pointer, &pointer, &pointer, &pointer};
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(add), ttDim3(), args, nullptr),
            ttErrorNoKernelImageForDevice);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'add' (add.tt.cpp) has no code for gfx90a; it was compiled for: sm_80, "
                                        "sm_90, compute_90; compile it with --offload-arch=gfx90a as well");
}

// The fake emulator also replaces the library for AMD GPUs.
TEST(EmulatorDevice, IsAnAmdGpu) {
  scenario::Environment environment = {{"TILECC_DEVICE", "emu:gfx90a"},
                                       {"TILECC_EMU_LIBRARY", FAKE_EMULATOR_DIR "/libtilecc_emu.so.0"}};
  run("describeDevices", environment)
      .expectSuccess()
      .expectOutput("kind emulator name 'AMD emulator, gfx90a' arch 0 target gfx90a")
      .expectLog("emu default_device arch 0 ");
  run("launchesForAmd", environment).expectSuccess();
  for (const char *name : {"emu:gfx", "emu:gfx90A", "emu:gfx12010", "emu:gfx942x"})
    run("describeDevices", {{"TILECC_DEVICE", name}}).expectSuccess().expectOutput("the device must be ");
}

SCENARIO(printsProperties) {
  ttDeviceProp properties;
  EXPECT_EQ(ttGetDeviceProperties(&properties, 0), ttSuccess);
  EXPECT_EQ(properties.kind, ttDeviceKindEmulator);
  EXPECT_EQ(properties.multiProcessorCount, 3);
  EXPECT_EQ(properties.totalGlobalMem, size_t(1) << 30);
  EXPECT_EQ(properties.sharedMemPerBlockOptin, 227u * 1024);
  EXPECT_EQ(ttGetDeviceProperties(&properties, 1), ttSuccess);
  EXPECT_EQ(properties.kind, ttDeviceKindCpu);
  EXPECT_EQ(ttGetDeviceProperties(&properties, 2), ttErrorInvalidDevice);

  int device;
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  EXPECT_EQ(ttGetDevice(&device), ttSuccess);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttGetDevice(&device), ttSuccess);
  EXPECT_EQ(device, 0);
}
TEST(EmulatorDevice, HasProperties) { run("printsProperties", emulated({{"TILECC_NUM_THREADS", "3"}})).expectSuccess(); }

TEST(EmulatorDevice, TakesItsOrdersFromTheEnvironment) {
  run("describeDevices", emulated({{"TILECC_EMU_CHECKS", "memory,races"},
                                   {"TILECC_EMU_SCHEDULE", "random"},
                                   {"TILECC_EMU_SEED", "7"},
                                   {"TILECC_EMU_MAX_INSTRUCTIONS", "1000"}}))
      .expectSuccess()
      .expectLog("emu default_device arch 90 checks 5 schedule 1 seed 7 limit 1000\n");
  auto outcome = run("describeDevices", emulated({{"TILECC_EMU_CHECKS", "everything"}}));
  outcome.expectSuccess().expectOutput("error ttErrorInvalidValue: TILECC_DEVICE=emu:sm_90: TILECC_EMU_CHECKS=everything: "
                                       "the checks are 'all', 'none', or some of 'memory,init,races,replicas,copy-fences,tensor-fences'");
  EXPECT_EQ(outcome.log, "");
}

//===-- The library ------------------------------------------------------------------------------------------------===//

TEST(EmulatorLibrary, MissingIsAnErrorThatHelps) {
  if (dlopen("libtilecc_emu.so.0", RTLD_NOW))
    GTEST_SKIP() << "this machine has the PTX emulator installed, and the test is about having none";
  run("describeDevices", emulated({{"LD_LIBRARY_PATH", FAKE_CUDA_DIR}, {"PATH", "/usr/bin"}}))
      .expectSuccess()
      .expectOutput("error ttErrorInitializationError: TILECC_DEVICE=emu:sm_90: the PTX emulator, libtilecc_emu.so.0, is "
                    "neither among the system's libraries nor beside a tcc in PATH; it is installed with tcc, in the folder "
                    "of libtilecc_rt: add that folder to LD_LIBRARY_PATH, or set TILECC_EMU_LIBRARY to the file");
}

TEST(EmulatorLibrary, OfAmdGpusIsAnother) {
  if (dlopen("libtilecc_emu_amd.so.0", RTLD_NOW))
    GTEST_SKIP() << "this machine has the emulator of AMD GPUs installed, and the test is about having none";
  run("describeDevices", {{"TILECC_DEVICE", "emu:gfx942"}, {"PATH", "/usr/bin"}})
      .expectSuccess()
      .expectOutput("the emulator of AMD GPUs, libtilecc_emu_amd.so.0, is neither among the system's libraries nor ");
}

TEST(EmulatorLibrary, IsNamedByTheEnvironment) {
  run("describeDevices", emulated({{"LD_LIBRARY_PATH", FAKE_CUDA_DIR},
                                   {"TILECC_EMU_LIBRARY", FAKE_EMULATOR_DIR "/libtilecc_emu.so.0"}}))
      .expectSuccess()
      .expectOutput("kind emulator");
  run("describeDevices", emulated({{"TILECC_EMU_LIBRARY", "/nowhere/emu.so"}}))
      .expectSuccess()
      .expectOutput("error ttErrorInitializationError: TILECC_DEVICE=emu:sm_90: TILECC_EMU_LIBRARY=/nowhere/emu.so cannot "
                    "be opened: /nowhere/emu.so: cannot open shared object file");
}

TEST(EmulatorLibrary, OfAnotherVersionIsAnError) {
  run("describeDevices", emulated({{"FAKE_EMU_VERSION", "99"}}))
      .expectSuccess()
      .expectOutput("error ttErrorInsufficientDriver: TILECC_DEVICE=emu:sm_90: this emulator is of version 99, the "
                    "program's runtime wants version 4");
  run("describeDevices", emulated({{"LD_LIBRARY_PATH", OLD_EMULATOR_DIR}}))
      .expectSuccess()
      .expectOutput("error ttErrorInitializationError: TILECC_DEVICE=emu:sm_90: libtilecc_emu.so.0 is not the PTX emulator "
                    "of this program's runtime: it has no tilecc_emu_default_device, so it is of another version of tcc");
}

TEST(EmulatorLibrary, RefusesWhatItCannotEmulate) {
  run("describeDevices", {{"TILECC_DEVICE", "emu:sm_75"}})
      .expectSuccess()
      .expectOutput("error ttErrorInvalidDevice: TILECC_DEVICE=emu:sm_75: there is no sm_75");
}

TEST(EmulatorLibrary, IsNotOpenedUnlessAskedFor) {
  EXPECT_EQ(run("describeDevices", {{"FAKE_CUDA_ARCHS", ""}}).expectSuccess().calls("emu "), 0);
  EXPECT_EQ(run("useNothing", emulated()).expectSuccess().log, "");
}

//===-- Memory, streams and events ---------------------------------------------------------------------------------===//

SCENARIO(copiesAndSetsOnEmulator) {
  char host[64] = "some text", back[64] = "";
  void *device, *pinned, *none;
  EXPECT_EQ(ttMalloc(&none, 0), ttSuccess);
  EXPECT_EQ(none, nullptr);
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
  EXPECT_LT(free, total);
  EXPECT_EQ(total, size_t(1) << 30);
  EXPECT_EQ(ttFreeHost(pinned), ttSuccess);
  EXPECT_EQ(ttFreeHost(pinned), ttErrorInvalidValue);
  EXPECT_STREQ(ttGetLastErrorMessage(), "not host memory of the emulator");
  EXPECT_EQ(ttFree(device), ttSuccess);
  EXPECT_EQ(ttFree(device), ttErrorInvalidValue);
  EXPECT_EQ(ttFree(nullptr), ttSuccess);

  // For any device, whichever is current.
  void *onCpu;
  EXPECT_EQ(ttMalloc(&device, 64), ttSuccess);
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  EXPECT_EQ(ttMalloc(&onCpu, 64), ttSuccess);
  EXPECT_EQ(ttFree(device), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttFree(onCpu), ttSuccess);
}
TEST(EmulatorMemory, IsTheLibrarys) {
  auto outcome = run("copiesAndSetsOnEmulator", emulated());
  outcome.expectSuccess()
      .expectLog("emu allocate 64\n")
      .expectLog("emu allocate_host 64\n")
      .expectLog("emu set 121 2\n")
      .expectLog("emu free_host\n");
  EXPECT_EQ(outcome.calls("emu allocate "), 2) << outcome.log;
}

SCENARIO(runsOutOfEmulatorMemory) {
  void *pointer = &pointer;
  EXPECT_EQ(ttMalloc(&pointer, size_t(2) << 30), ttErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  EXPECT_STREQ(ttGetLastErrorMessage(), "the emulator has no 2147483648 bytes left");
}
TEST(EmulatorMemory, CanRunOut) { run("runsOutOfEmulatorMemory", emulated()).expectSuccess(); }

SCENARIO(usesEmulatorStreams) {
  tt::stream stream;
  tt::event start, end;
  EXPECT_EQ(ttStreamQuery(stream), ttSuccess);
  start.record(stream);
  usleep(2000);
  stream.wait(start);
  end.record(ttStreamPerThread);
  end.synchronize();
  EXPECT_EQ(ttEventQuery(end), ttSuccess);
  EXPECT_GE(end.since(start), 2.0f);

  // The CPU's are others, also where both run on the host.
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  EXPECT_EQ(ttStreamSynchronize(stream), ttErrorInvalidResourceHandle);
  EXPECT_STREQ(ttGetLastErrorMessage(), "the stream is not one of the CPU device, which is the current device");
  EXPECT_EQ(ttEventSynchronize(start), ttErrorInvalidResourceHandle);
  ttStream_t onCpu;
  ttEvent_t cpuEvent;
  EXPECT_EQ(ttStreamCreate(&onCpu), ttSuccess);
  EXPECT_EQ(ttEventCreate(&cpuEvent), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttStreamSynchronize(onCpu), ttErrorInvalidResourceHandle);
  EXPECT_STREQ(ttGetLastErrorMessage(), "the stream is not one of the emulator, which is the current device");
  EXPECT_EQ(ttEventRecord(cpuEvent, nullptr), ttErrorInvalidResourceHandle);
  EXPECT_STREQ(ttGetLastErrorMessage(), "the event is not one of the emulator, which is the current device");
  ttDim3 grid;
  void *args[] = {nullptr};
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(bigShared), grid, args, onCpu), ttErrorInvalidResourceHandle);
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  EXPECT_EQ(ttStreamDestroy(onCpu), ttSuccess);
  EXPECT_EQ(ttEventDestroy(cpuEvent), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess); // where the others are destroyed
}
TEST(EmulatorStreams, AreIdleAndItsOwn) { run("usesEmulatorStreams", emulated()).expectSuccess(); }

//===-- Launches ---------------------------------------------------------------------------------------------------===//

namespace {
// Vectors on the device, and their sum.
struct Sum {
  explicit Sum(int n, int skew = 0) : n(n), x(n + skew), out(n + skew), skew(skew) {
    std::vector<float> ones(n + skew, 1), zeros(n + skew, 0);
    x.copy_from(ones.data());
    out.copy_from(zeros.data());
  }
  void launch(ttStream_t stream = nullptr) {
    tt::launch(add, (n + 255) / 256, stream, x.data() + skew, x.data() + skew, out.data() + skew, n);
  }
  // How many elements are 2; the others are 0.
  int done() {
    std::vector<float> values(n + skew);
    out.copy_to(values.data());
    int count = 0;
    for (float value : values)
      count += value == 2;
    return count;
  }
  int n;
  tt::device_buffer<float> x, out;
  int skew;
};
} // namespace

SCENARIO(addsOnEmulator) {
  Sum aligned(1024), ragged(1000), skewed(777, 1);
  tt::stream stream;
  aligned.launch(stream);
  ragged.launch();
  skewed.launch();
  EXPECT_EQ(aligned.done(), 1024);
  EXPECT_EQ(ragged.done(), 1000);
  EXPECT_EQ(skewed.done(), 777);
}
TEST(EmulatorLaunch, PicksTheVariant) {
  auto outcome = run("addsOnEmulator", emulated({{"TILECC_NUM_THREADS", "4"}}));
  outcome.expectSuccess()
      .expectLog("emu launch add_16 of 'ptx of add' grid 4,1,1 block 128,1,1 cluster 1,1,1 shared 0\n")
      .expectLog("emu launch add_p16 of 'ptx of add' grid 4,1,1 block 128,1,1 cluster 1,1,1 shared 0\n")
      .expectLog("emu launch add of 'ptx of add' grid 4,1,1 block 128,1,1 cluster 1,1,1 shared 0\n");
  EXPECT_EQ(outcome.calls("emu load 'ptx of add' of add.ptx"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("emu get_kernel add_16 of 'ptx of add' as add"), 1) << outcome.log;
}

SCENARIO(launchesOneOfEach) {
  tt::device_buffer<int> out(1);
  ttDim3 grid;
  grid.x = 5, grid.y = 6, grid.z = 7;
  tt::launch(bigShared, grid, nullptr, out.data());
  tt::launch(clustered, grid, nullptr, out.data());
  grid.x = 1u << 30;
  int *address = out.data();
  void *args[] = {&address};
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(clustered), grid, args, nullptr), ttErrorInvalidConfiguration);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'clustered<4>': a grid of 1073741824 programs along x, in clusters of 4 "
                                        "blocks, is beyond the limit of 2^31 - 1 blocks");
  grid.x = 0;
  tt::launch(clustered, grid, nullptr, out.data());
}
TEST(EmulatorLaunch, IsConfiguredAsOnAGpu) {
  auto outcome = run("launchesOneOfEach", emulated());
  outcome.expectSuccess()
      .expectLog("emu launch bigShared of 'ptx 80 of one rule each' grid 5,6,7 block 256,1,1 cluster 1,1,1 shared 102400\n")
      .expectLog("emu launch clustered of 'ptx 90 of clustered' grid 20,6,7 block 128,1,1 cluster 4,1,1 shared 1024\n");
  EXPECT_EQ(outcome.calls("emu launch"), 2) << outcome.log;
}

SCENARIO(launchesWhatItCannot) {
  int *pointer = nullptr;
  ttDim3 grid;
  void *args[] = {&pointer, &pointer, &pointer, &pointer};
  auto expectFailure = [&](const void *kernel, const char *words) {
    ttError_t error = ttLaunchKernel(kernel, grid, args, nullptr);
    EXPECT_STREQ(ttGetLastErrorMessage(), words);
    EXPECT_EQ(ttPreload(kernel), error);
    return error;
  };
  EXPECT_EQ(expectFailure(reinterpret_cast<const void *>(add),
                          "kernel 'add' (add.tt.cpp) has no PTX that runs on sm_80; it was compiled for: sm_80, sm_90, "
                          "compute_90; compile it with -gencode arch=compute_80,code=compute_80 as well"),
            ttErrorNoKernelImageForDevice);
  EXPECT_EQ(expectFailure(reinterpret_cast<const void *>(broken),
                          "kernel 'broken' (broken.tt.cpp) cannot be loaded: broken.ptx:1: error: expected a directive"),
            ttErrorInvalidPtx);
  EXPECT_EQ(expectFailure(reinterpret_cast<const void *>(countPrograms),
                          "kernel 'countPrograms' (cpu.tt.cpp) has no PTX that runs on sm_80; it was compiled for: none; "
                          "compile it with -gencode arch=compute_80,code=compute_80 as well"),
            ttErrorNoKernelImageForDevice);
  EXPECT_EQ(ttPreload(nullptr), ttErrorNoKernelImageForDevice); // and loads the others
}
TEST(EmulatorLaunch, OfWhatIsNotThereIsAnError) {
  run("launchesWhatItCannot", {{"TILECC_DEVICE", "emu:sm_80"}})
      .expectSuccess()
      .expectLog("emu get_kernel bigShared of 'ptx 80 of one rule each' as bigShared\n")
      .expectNoLog("emu launch");
}

SCENARIO(launchesCubins) {
  ttDim3 grid;
  void *args[1];
  __tilecc_register(&cubinsOnly);
  EXPECT_EQ(ttLaunchKernel(reinterpret_cast<const void *>(compiled), grid, args, nullptr), ttErrorNoKernelImageForDevice);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "kernel 'compiled' (compiled.tt.cpp) has no PTX, which the emulator runs; it was compiled for: sm_80, "
               "sm_90a; compile it with -gencode arch=compute_90,code=compute_90 as well");
}
TEST(EmulatorLaunch, OfCubinsAloneIsAnError) { run("launchesCubins", {{"TILECC_DEVICE", "emu"}}).expectSuccess(); }

SCENARIO(asksForFunctions) {
  ttFunction_t function;
  ttFuncAttributes attributes;
  EXPECT_EQ(ttGetFunction(&function, reinterpret_cast<const void *>(add)), ttErrorNotSupported);
  EXPECT_STREQ(ttGetLastErrorMessage(),
               "kernel 'add': the current device is the emulator, which has no CUDA functions");
  EXPECT_EQ(ttFuncGetAttributes(&attributes, reinterpret_cast<const void *>(clustered)), ttSuccess);
  EXPECT_EQ(attributes.threads, 128u);
  EXPECT_EQ(attributes.shared_bytes, 1024u);
  EXPECT_EQ(attributes.cluster, 4u);
  EXPECT_EQ(attributes.num_regs, 0);
  EXPECT_EQ(attributes.binary_version, 90);
}
TEST(EmulatorLaunch, HasAttributesAndNoFunction) { run("asksForFunctions", emulated()).expectSuccess(); }

SCENARIO(emulatesFromManyThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      for (int j = 0; j < 20; ++j) {
        Sum sum(1000);
        sum.launch();
        EXPECT_EQ(sum.done(), 1000);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
TEST(EmulatorLaunch, FromManyThreadsLoadsOnce) {
  auto outcome = run("emulatesFromManyThreads", emulated({{"TILECC_NUM_THREADS", "4"}}));
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("emu load"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("emu launch add_p16"), 160);
}

TEST(EmulatorLaunch, NeedsANumberOfThreads) {
  run("failsToLaunch", emulated({{"TILECC_NUM_THREADS", "many"}}))
      .expectSuccess()
      .expectOutput("launch: ttErrorInvalidValue: TILECC_NUM_THREADS=many: the number of threads must be from 1 to 65536");
}

TEST(EmulatorLaunch, OfAKernelThatIsNotInThePtxIsAnError) {
  run("failsToLaunch", emulated({{"FAKE_EMU_FAIL", "get_kernel=500"}}))
      .expectSuccess()
      .expectOutput("launch: ttErrorSymbolNotFound: kernel 'add' (add.tt.cpp) cannot be loaded: the PTX has no entry add_16");
}

//===-- What kernels do wrong --------------------------------------------------------------------------------------===//

SCENARIO(failsToLaunch) {
  Sum sum(1024);
  pushCall(4);
  add(sum.x.data(), sum.x.data(), sum.out.data(), 1024);
  ttError_t error = ttGetLastError();
  printf("launch: %s: %s\n", ttGetErrorName(error), ttGetLastErrorMessage());
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess);
}
TEST(EmulatorErrors, OfALaunchAreTheLaunchs) {
  run("failsToLaunch", emulated({{"FAKE_EMU_FAIL", "launch=701"}}))
      .expectSuccess()
      .expectOutput("launch: ttErrorLaunchOutOfResources: kernel 'add': as the fake emulator was told");
}

static const char *const words = "kernel 'add', block (0,0,0): a finding of the fake emulator";

SCENARIO(findsSomethingWrong) {
  Sum sum(1024);
  tt::stream stream;
  tt::event event;
  char byte;
  auto launch = [&] {
    pushCall(4);
    add(sum.x.data(), sum.x.data(), sum.out.data(), 1024);
    EXPECT_EQ(ttGetLastError(), ttSuccess) << "a kernel that does wrong has been launched all the same";
  };
  // The next call that waits or copies returns the error, once.
  auto expectFailure = [&](ttError_t error) {
    EXPECT_EQ(error, ttErrorLaunchFailure);
    EXPECT_STREQ(ttGetLastErrorMessage(), words);
    EXPECT_EQ(ttGetLastError(), ttErrorLaunchFailure);
    EXPECT_EQ(ttDeviceSynchronize(), ttSuccess);
  };
  launch();
  void *memory;
  EXPECT_EQ(ttMalloc(&memory, 16), ttSuccess);
  EXPECT_EQ(ttFree(memory), ttSuccess);
  expectFailure(ttDeviceSynchronize());
  EXPECT_EQ(sum.done(), 1024); // the device goes on

  launch();
  expectFailure(ttStreamSynchronize(stream));
  launch();
  expectFailure(ttStreamQuery(stream));
  launch();
  EXPECT_EQ(ttEventRecord(event, stream), ttSuccess);
  expectFailure(ttEventSynchronize(event));
  launch();
  expectFailure(ttMemcpy(&byte, sum.out.data(), 1, ttMemcpyDeviceToHost));
  launch();
  expectFailure(ttMemsetAsync(sum.out.data(), 0, 1, stream));
  launch();
  launch();
  std::thread([&] { expectFailure(ttDeviceSynchronize()); }).join();
}
TEST(EmulatorErrors, OfAKernelComeLater) {
  auto outcome = run("findsSomethingWrong", emulated({{"FAKE_EMU_FAIL", "launch=719"}}));
  outcome.expectSuccess().expectOutput(std::string(words) + "\n"); // on standard error, when it happens
}

SCENARIO(findsAnIllegalAddress) {
  Sum sum(1024);
  sum.launch();
  try {
    sum.done();
    FAIL();
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorIllegalAddress);
    EXPECT_STREQ(error.what(), words);
  }
}
TEST(EmulatorErrors, KeepTheirNumbers) {
  run("findsAnIllegalAddress", emulated({{"FAKE_EMU_FAIL", "launch=700"}})).expectSuccess();
}

//===-- Processes and libraries ------------------------------------------------------------------------------------===//

SCENARIO(forksOnEmulator) {
  Sum sum(1000);
  sum.launch();
  inChild([&] {
    EXPECT_EQ(sum.done(), 1000);
    Sum another(500);
    another.launch();
    EXPECT_EQ(another.done(), 500);
  });
  EXPECT_EQ(sum.done(), 1000);
}
TEST(EmulatorProcess, AForkedChildGoesOn) {
  run("forksOnEmulator", emulated({{"TILECC_NUM_THREADS", "4"}})).expectSuccess();
}

// Freed by its destructor, after main.
static tt::device_buffer<float> *global = nullptr;
SCENARIO(freesAtExit) {
  static tt::device_buffer<float> kept(64);
  global = &kept;
  float value = 5;
  EXPECT_EQ(ttMemcpy(kept.data(), &value, 4, ttMemcpyHostToDevice), ttSuccess);
}
TEST(EmulatorProcess, MemoryIsFreedAtExit) { run("freesAtExit", emulated()).expectSuccess().expectLog("emu free\n"); }

SCENARIO(sharesTheEmulator) {
  Plugin one("one"), two("two");
  std::vector<float> values(1000, 10);
  tt::device_buffer<float> data(values.data(), values.size());
  // By each library's own copy of the runtime, and by the program's for them.
  EXPECT_EQ(one.run(data.data(), 1000), ttSuccess);
  EXPECT_EQ(two.run(data.data(), 1000), ttSuccess);
  tt::stream stream;
  tt::launch(two.scale, (1000 + 63) / 64, stream, data.data(), 1000);
  data.copy_to(values.data());
  EXPECT_EQ(values[999], 40);
  one.close();
  two.close();
}
TEST(EmulatorLibraries, ShareOneDevice) {
  auto outcome = run("sharesTheEmulator", emulated({{"TILECC_NUM_THREADS", "4"}}));
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("emu load 'ptx of plugin two'"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("emu unload 'ptx of plugin one'"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("emu unload 'ptx of plugin two'"), 1) << outcome.log;
}

SCENARIO(learnsOfALibrarysError) {
  Plugin two("two");
  std::vector<float> values(64, 10);
  tt::device_buffer<float> data(values.data(), values.size());
  EXPECT_EQ(two.run(data.data(), 64), ttSuccess);
  EXPECT_EQ(ttDeviceSynchronize(), ttErrorLaunchFailure);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'scale', block (0,0,0): a finding of the fake emulator");
}
TEST(EmulatorLibraries, ReportToAnyCopy) {
  run("learnsOfALibrarysError", emulated({{"FAKE_EMU_FAIL", "launch=719"}})).expectSuccess();
}
