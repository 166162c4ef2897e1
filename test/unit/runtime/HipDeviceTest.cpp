//===-- HipDeviceTest.cpp - tests AMD's GPUs with the fake HIP ----------------------------------------------------===//
//
// Tests the differences from CUDA: the library, contexts, the selection of code, and functions with other parameters.
// Kernels do nothing here; test/amd/hip.test runs compiled kernels.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "LoadedPlugin.h"
#include "Scenario.h"
#include "TestKernels.h"

#include <dlfcn.h>
#include <fstream>
#include <stdio.h>
#include <string>
#include <thread>
#include <unistd.h>

using scenario::Environment;
using scenario::Outcome;

namespace {

// Only HIP is there.
Outcome run(const std::string &name, Environment environment = {}) {
  environment.insert(environment.begin(), {"LD_LIBRARY_PATH", FAKE_HIP_DIR});
  return scenario::run(name, environment);
}
Outcome runNamed(const std::string &name, Environment environment = {}) {
  environment.insert(environment.begin(), {"TILECC_DEVICE", "hip"});
  return run(name, environment);
}

void useAmdCode() { __tilecc_register(&amdOnly); }

float *at(uintptr_t address) { return reinterpret_cast<float *>(address); }
void launch(ttStream_t stream = nullptr) { tt::launch(onAmd, 4, stream, at(0x1000), 16l); }

void describe() {
  int count, device;
  ttDeviceProp properties;
  if (ttGetDeviceCount(&count) || ttGetDevice(&device) || ttGetDeviceProperties(&properties, device))
    printf("error %s: %s\n", ttGetErrorName(ttPeekAtLastError()), ttGetLastErrorMessage());
  else
    printf("count %d device %d kind %d name '%s' arch %x target %s processors %d LDS %zu L2 %d\n", count, device, properties.kind,
           properties.name, static_cast<unsigned>(properties.arch), properties.target, properties.multiProcessorCount,
           properties.sharedMemPerBlockOptin, properties.l2CacheSize);
}

} // namespace

//===-- Which device a program gets -------------------------------------------------------------------------------===//

SCENARIO(describesWithAmdCode) {
  useAmdCode();
  describe();
}
SCENARIO(describesWithoutAmdCode) { describe(); }

TEST(HipDevice, IsTheDefaultOfProgramsWithCodeForIt) {
  run("describesWithAmdCode")
      .expectSuccess()
      .expectOutput("count 2 device 0 kind 4 name 'Fake AMD GPU 0' arch 942 target gfx942 processors 304 LDS 65536 L2 4096");
  auto outcome = run("describesWithoutAmdCode");
  outcome.expectSuccess().expectOutput("count 1 device 0 kind 0");
  EXPECT_EQ(outcome.log, ""); // HIP is not opened
}

// The program has no code for AMD's GPUs, and a library has. Both copies of the runtime agree.
SCENARIO(describesWithALibrary) {
  Plugin library("one");
  describe();
  EXPECT_EQ(library.run(at(0x1000), 64), 0);
}
TEST(HipDevice, IsTheDefaultOfLibrariesWithCodeForIt) {
  run("describesWithALibrary")
      .expectSuccess()
      .expectOutput("count 2 device 0 kind 4")
      .expectLog("hipModuleLoadData 'fake code of plugin one' on device 0\n")
      .expectLog("hipModuleLaunchKernel scale grid 1,1,1 block 256,1,1");
}

TEST(HipDevice, ComesAfterNvidiasIfThereIsCodeForBoth) {
  run("describesWithAmdCode", {{"LD_LIBRARY_PATH", FAKE_HIP_DIR ":" FAKE_CUDA_DIR}})
      .expectSuccess()
      .expectOutput("kind 1 name 'Fake GPU 0'")
      .expectNoLog("hip");
  run("describesWithAmdCode", {{"LD_LIBRARY_PATH", FAKE_HIP_DIR ":" FAKE_CUDA_DIR}, {"FAKE_CUDA_ARCHS", ""}})
      .expectSuccess()
      .expectOutput("kind 4 name 'Fake AMD GPU 0'");
}

TEST(HipDevice, IsTheCpuWithoutAmdGpus) {
  run("describesWithAmdCode", {{"FAKE_HIP_ARCHS", ""}}).expectSuccess().expectOutput("count 1 device 0 kind 0");
  run("describesWithAmdCode", {{"LD_LIBRARY_PATH", ""}}).expectSuccess().expectOutput("count 1 device 0 kind 0");
}

TEST(HipDevice, IsNamedByTheVariable) {
  Environment two = {{"FAKE_HIP_ARCHS", "gfx942,gfx1100"}, {"TILECC_DEVICE", "hip:1"}};
  run("describesWithoutAmdCode", two)
      .expectSuccess()
      .expectOutput("count 3 device 1 kind 4 name 'Fake AMD GPU 1' arch 1100");
  runNamed("describesWithoutAmdCode", {{"LD_LIBRARY_PATH", FAKE_HIP_DIR ":" FAKE_CUDA_DIR}})
      .expectSuccess()
      .expectOutput("count 2 device 0 kind 4")
      .expectNoLog("cu");
}

TEST(HipDevice, ThatIsNotThereIsAnError) {
  run("describesWithAmdCode", {{"TILECC_DEVICE", "hip:1"}})
      .expectSuccess()
      .expectOutput("error ttErrorInvalidDevice: TILECC_DEVICE=hip:1: HIP reports 1 device\n");
  runNamed("describesWithAmdCode", {{"FAKE_HIP_ARCHS", ""}})
      .expectSuccess()
      .expectOutput("error ttErrorNoDevice: TILECC_DEVICE=hip: HIP reports no device");
  runNamed("describesWithAmdCode", {{"LD_LIBRARY_PATH", ""}})
      .expectSuccess()
      .expectOutput("error ttErrorNoDevice: TILECC_DEVICE=hip: there is no HIP runtime (libamdhip64.so: cannot open");
}

TEST(HipDevice, OtherFailuresAreErrors) {
  run("describesWithAmdCode", {{"LD_LIBRARY_PATH", OLD_HIP_DIR}})
      .expectSuccess()
      .expectOutput(
          "error ttErrorInsufficientDriver: HIP is too old: libamdhip64.so.5 has no hipGetErrorName; HIP 6.0 or "
          "later is needed");
  run("describesWithAmdCode", {{"FAKE_HIP_FAIL", "hipInit=999"}})
      .expectSuccess()
      .expectOutput("error ttErrorUnknown: hipInit failed: hipErrorUnknown (999): as the fake HIP was told; "
                    "TILECC_DEVICE=cpu runs this program on the CPU");
  runNamed("describesWithAmdCode", {{"FAKE_HIP_ARCHS", "sm_90"}})
      .expectSuccess()
      .expectOutput(
          "error ttErrorInvalidDevice: HIP's device 0 (Fake AMD GPU 0) has the architecture 'sm_90', which is not "
          "a gfx number");
  char folder[] = "/tmp/tilecc-damaged-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  std::string path = std::string(folder) + "/libamdhip64.so.6";
  std::ofstream(path) << "not a library, but long enough to be looked at: " << std::string(100, 'x');
  run("describesWithAmdCode", {{"LD_LIBRARY_PATH", folder}})
      .expectSuccess()
      .expectOutput("error ttErrorInitializationError: HIP cannot be opened: " + path);
  unlink(path.c_str());
  rmdir(folder);
}

//===-- Contexts --------------------------------------------------------------------------------------------------===//

SCENARIO(launchesInThreads) {
  useAmdCode();
  launch();
  std::thread([] {
    int device;
    EXPECT_EQ(ttGetDevice(&device), ttSuccess);
    EXPECT_EQ(device, 1);
    launch();
  }).join();
  std::thread([] { // the program selects a device of HIP's
    reinterpret_cast<int (*)(int)>(dlsym(dlopen("libamdhip64.so.7", RTLD_NOW), "hipSetDevice"))(2);
    int device;
    EXPECT_EQ(ttGetDevice(&device), ttSuccess);
    EXPECT_EQ(device, 2);
    launch();
  })
      .join();
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  launch();
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess);
}
TEST(HipDevice, IsCurrentInAThread) {
  auto outcome = run("launchesInThreads", {{"TILECC_DEVICE", "hip:1"}, {"FAKE_HIP_ARCHS", "gfx942,gfx942,gfx942"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("hipModuleLoadData 'fake code of onAmd' on device 1"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("hipModuleLoadData"), 3) << outcome.log;
  std::string devices, mark = "hipModuleLaunchKernel onAmd_p16 grid 4,1,1 block 256,1,1 shared 0 stream (nil) device ";
  for (size_t at = 0; (at = outcome.log.find(mark, at)) != std::string::npos; ++at)
    devices += outcome.log[at + mark.size()];
  EXPECT_EQ(devices, "1120") << outcome.log;
}

// The program's objects end after HIP, which the fake does not forgive.
static tt::device_buffer<float> *buffer;
struct AtExit {
  ~AtExit() { delete buffer; }
};
static AtExit atExit;
SCENARIO(endsAfterHip) {
  useAmdCode();
  buffer = new tt::device_buffer<float>(16);
  launch();
  printf("the scenario ends\n");
}
TEST(HipDevice, IsGoneAtExit) {
  runNamed("endsAfterHip").expectSuccess().expectLog("HIP ends\n").expectNoLog("hipFree");
}

SCENARIO(forksAfterHip) {
  useAmdCode();
  launch();
  EXPECT_EQ(ttDeviceSynchronize(), ttSuccess);
  scenario::inChild([] {
    void *pointer;
    EXPECT_FAILS(ttMalloc(&pointer, 16), ttErrorInitializationError,
                 "this process was forked after its parent had initialized HIP, which does not survive a fork");
    EXPECT_EQ(ttSetDevice(1), ttSuccess); // the CPU
    EXPECT_EQ(ttMalloc(&pointer, 16), ttSuccess);
    _exit(testing::Test::HasFailure() ? 3 : 0); // the fake's exit handlers are the parent's
  });
}
TEST(HipDevice, DoesNotSurviveAFork) {
  runNamed("forksAfterHip").expectSuccess().expectNoLog("called in a forked child");
}

//===-- Code ------------------------------------------------------------------------------------------------------===//

SCENARIO(launchesOnAnyArchitecture) {
  useAmdCode();
  try {
    launch();
    printf("launched\n");
  } catch (const tt::error &error) {
    printf("error %s: %s\n", ttGetErrorName(error.code()), error.what());
  }
}
TEST(HipDevice, NeedsCodeForItsArchitecture) {
  for (const char *name : {"gfx942", "gfx942:sramecc+:xnack-"})
    runNamed("launchesOnAnyArchitecture", {{"FAKE_HIP_ARCHS", name}}).expectSuccess().expectOutput("launched");
  runNamed("launchesOnAnyArchitecture", {{"FAKE_HIP_ARCHS", "gfx90a:sramecc+:xnack-"}})
      .expectSuccess()
      .expectNoLog("hipModuleLoadData")
      .expectOutput("error ttErrorNoKernelImageForDevice: kernel 'onAmd' (amd.tt.cpp) has no code for Fake AMD GPU 0 "
                    "(gfx90a); it was compiled for: gfx942; compile it with --offload-arch=gfx90a as well");
}
TEST(HipDevice, ErrorsHaveItsFunctionsNames) {
  runNamed("launchesOnAnyArchitecture", {{"FAKE_HIP_FAIL", "hipModuleLoadData=200"}})
      .expectOutput("error ttErrorInvalidKernelImage: kernel 'onAmd' (amd.tt.cpp) cannot be loaded: hipModuleLoadData "
                    "failed: hipErrorInvalidImage (200): as the fake HIP was told");
  runNamed("launchesOnAnyArchitecture", {{"FAKE_HIP_FAIL", "hipModuleLaunchKernel=719"}})
      .expectOutput("kernel 'onAmd': hipModuleLaunchKernel failed: hipErrorLaunchFailure (719)");
}

SCENARIO(launchesTooMany) {
  useAmdCode();
  EXPECT_NO_THROW(tt::launch(onAmd, 16777215, nullptr, at(0x1000), 16l));
  void *args[2] = {};
  float *pointer = at(0x1000);
  long n = 16;
  args[0] = &pointer, args[1] = &n;
  EXPECT_FAILS(
      ttLaunchKernel(reinterpret_cast<const void *>(onAmd), ttDim3{16777216, 1, 1}, args, nullptr),
      ttErrorInvalidConfiguration,
      "kernel 'onAmd': a grid of 16777216 programs along x, of 256 threads each, is beyond the limit of this GPU, "
      "which is 4294967295 threads");
}
TEST(HipDevice, ChecksTheNumberOfThreads) { runNamed("launchesTooMany").expectSuccess(); }

SCENARIO(launchesWithAttributes) {
  useAmdCode();
  tt::launch(onAmd, tt::launch_config(3).priority(1).programmatic(), at(0x1000), 16l);
  tt::launch(onAmd, tt::launch_config(1216).cooperative(), at(0x1000), 16l);
  EXPECT_THROW(tt::launch(onAmd, tt::launch_config(1217).cooperative(), at(0x1000), 16l), tt::error);
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'onAmd': hipModuleLaunchCooperativeKernel failed: "
                                        "hipErrorCooperativeLaunchTooLarge (720): as the fake HIP was told");
  int programs;
  EXPECT_EQ(ttOccupancyMaxActivePrograms(&programs, reinterpret_cast<const void *>(onAmd)), ttSuccess);
  EXPECT_EQ(programs, 1216);
  ttFuncAttributes attributes;
  EXPECT_EQ(ttFuncGetAttributes(&attributes, reinterpret_cast<const void *>(onAmd)), ttSuccess);
  EXPECT_EQ(attributes.threads, 256u);
  EXPECT_EQ(attributes.binary_version, 94);
}
TEST(HipDevice, LaunchesWithAttributes) {
  runNamed("launchesWithAttributes")
      .expectSuccess()
      .expectLog("hipModuleLaunchKernel onAmd_p16 grid 3,1,1")
      .expectLog("hipModuleLaunchCooperativeKernel onAmd_p16 grid 1216,1,1");
}

SCENARIO(capturesCooperative) {
  useAmdCode();
  tt::stream stream;
  launch(stream);
  stream.synchronize();
  EXPECT_EQ(ttStreamBeginCapture(stream, ttStreamCaptureModeGlobal), ttSuccess);
  try {
    tt::launch(onAmd, tt::launch_config(3, stream).cooperative(), at(0x1000), 16l);
    printf("captured\n");
  } catch (const tt::error &error) {
    printf("error %s: %s\n", ttGetErrorName(error.code()), error.what());
  }
}
TEST(HipDevice, CapturesCooperativeLaunchesSinceHip7) {
  runNamed("capturesCooperative").expectSuccess().expectOutput("captured");
  runNamed("capturesCooperative", {{"FAKE_HIP_VERSION", "60443483"}})
      .expectSuccess()
      .expectNoLog("hipModuleLaunchCooperativeKernel")
      .expectOutput("error ttErrorStreamCaptureUnsupported: kernel 'onAmd': hipModuleLaunchCooperativeKernel failed");
}
