//===-- DefaultDeviceTest.cpp - tests which device a program gets by default -------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <dlfcn.h>
#include <fstream>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

using scenario::run;

// Prints the available devices and the default one, or the error.
SCENARIO(describeDevices) {
  int count, device;
  ttDeviceProp properties;
  if (ttGetDeviceCount(&count) || ttGetDevice(&device) || ttGetDeviceProperties(&properties, device)) {
    printf("error %s: %s\n", ttGetErrorName(ttPeekAtLastError()), ttGetLastErrorMessage());
    // Later calls report the same reason; nothing falls back to the CPU.
    void *pointer;
    EXPECT_EQ(ttPeekAtLastError(), ttMalloc(&pointer, 1));
    float values[2] = {1, 2};
    pushCall(1);
    add(values, values, values, 2);
    EXPECT_NE(ttGetLastError(), ttSuccess);
    EXPECT_EQ(values[0], 1);
    return;
  }
  printf("count %d device %d kind %s name '%s' arch %d target %s\n", count, device,
         properties.kind == ttDeviceKindCpu ? "cpu" : properties.kind == ttDeviceKindCuda ? "cuda" : "emulator",
         properties.name, properties.arch, properties.target);
}

SCENARIO(useNothing) {}

SCENARIO(addsOnCpuBesideGpus) {
  int count;
  ASSERT_EQ(ttGetDeviceCount(&count), ttSuccess);
  ASSERT_EQ(ttSetDevice(count - 1), ttSuccess);
  float values[3] = {1, 2, 3};
  tt::launch(add, 1, nullptr, values, values, values, 3);
  EXPECT_EQ(values[2], 6);
  int device;
  ttGetDevice(&device);
  EXPECT_EQ(device, count - 1);
}

TEST(DefaultDevice, IsTheCpuWithoutDriver) {
  if (dlopen("libcuda.so.1", RTLD_NOW))
    GTEST_SKIP() << "this machine has a CUDA driver, and the test is about having none";
  run("describeDevices", {{"LD_LIBRARY_PATH", ""}}).expectSuccess().expectOutput("count 1 device 0 kind cpu");
}

TEST(DefaultDevice, IsTheCpuWhenTheDriverReportsNoDevice) {
  auto outcome = run("describeDevices", {{"FAKE_CUDA_ARCHS", ""}});
  outcome.expectSuccess().expectOutput("count 1 device 0 kind cpu");
  EXPECT_EQ(outcome.log, "cuInit\n");
}

TEST(DefaultDevice, IsTheFirstGpu) {
  run("describeDevices", {{"FAKE_CUDA_ARCHS", "90,80"}})
      .expectSuccess()
      .expectOutput("count 3 device 0 kind cuda name 'Fake GPU 0' arch 90 target sm_90");
}

TEST(DefaultDevice, OtherDriverErrorsAreErrors) {
  run("describeDevices", {{"FAKE_CUDA_FAIL", "cuInit=999"}})
      .expectSuccess()
      .expectOutput("error ttErrorUnknown: cuInit failed: CUDA_ERROR_UNKNOWN (999): as the fake driver was told; "
                    "TILECC_DEVICE=cpu runs this program on the CPU");
  run("describeDevices", {{"FAKE_CUDA_FAIL", "cuInit=802"}}).expectSuccess().expectOutput("error ttErrorSystemNotReady");
  run("describeDevices", {{"FAKE_CUDA_FAIL", "cuInit=34"}}).expectSuccess().expectOutput("error ttErrorStubLibrary");
  run("describeDevices", {{"FAKE_CUDA_FAIL", "cuDeviceGetCount=3"}})
      .expectSuccess()
      .expectOutput("error ttErrorInitializationError");
}

TEST(DefaultDevice, DriverTooOldIsAnError) {
  run("describeDevices", {{"LD_LIBRARY_PATH", OLD_CUDA_DIR}})
      .expectSuccess()
      .expectOutput("error ttErrorInsufficientDriver: the CUDA driver is too old: libcuda.so.1 has no ");
}

TEST(DefaultDevice, DamagedDriverIsAnError) {
  char folder[] = "/tmp/tilecc-damaged-XXXXXX";
  ASSERT_TRUE(mkdtemp(folder));
  std::string path = std::string(folder) + "/libcuda.so.1";
  std::ofstream(path) << "not a library, but long enough to be looked at: " << std::string(100, 'x');
  run("describeDevices", {{"LD_LIBRARY_PATH", folder}})
      .expectSuccess()
      .expectOutput("error ttErrorInitializationError: the CUDA driver cannot be opened: " + path);
  unlink(path.c_str());
  rmdir(folder);
}

TEST(DefaultDevice, NothingIsOpenedBeforeTheFirstUse) { EXPECT_EQ(run("useNothing").expectSuccess().log, ""); }

TEST(DefaultDevice, CpuCanBeChosenBesideGpus) {
  run("addsOnCpuBesideGpus", {{"FAKE_CUDA_ARCHS", "90,80"}}).expectSuccess().expectNoLog("cuLaunchKernel");
}

TEST(DeviceVariable, CpuNeverOpensTheDriver) {
  auto outcome = run("describeDevices", {{"TILECC_DEVICE", "cpu"}});
  outcome.expectSuccess().expectOutput("count 1 device 0 kind cpu");
  EXPECT_EQ(outcome.log, "");
}

TEST(DeviceVariable, ChoosesAGpu) {
  run("describeDevices", {{"TILECC_DEVICE", "cuda:1"}, {"FAKE_CUDA_ARCHS", "90,80"}})
      .expectSuccess()
      .expectOutput("count 3 device 1 kind cuda name 'Fake GPU 1' arch 80");
}

TEST(DeviceVariable, TheFirstGpuNeedsNoNumber) {
  run("describeDevices", {{"TILECC_DEVICE", "cuda"}, {"FAKE_CUDA_ARCHS", "90,80"}})
      .expectSuccess()
      .expectOutput("count 3 device 0 kind cuda name 'Fake GPU 0' arch 90");
  run("describeDevices", {{"TILECC_DEVICE", "cuda"}, {"FAKE_CUDA_ARCHS", ""}})
      .expectSuccess()
      .expectOutput("error ttErrorNoDevice: TILECC_DEVICE=cuda: the CUDA driver reports no device");
}

TEST(DeviceVariable, AGpuThatIsNotThereIsAnError) {
  run("describeDevices", {{"TILECC_DEVICE", "cuda:2"}, {"FAKE_CUDA_ARCHS", "90,80"}})
      .expectSuccess()
      .expectOutput("error ttErrorInvalidDevice: TILECC_DEVICE=cuda:2: the CUDA driver reports 2 devices");
  run("describeDevices", {{"TILECC_DEVICE", "cuda:0"}, {"FAKE_CUDA_ARCHS", ""}})
      .expectSuccess()
      .expectOutput("error ttErrorNoDevice: TILECC_DEVICE=cuda:0: the CUDA driver reports no device");
}

TEST(DeviceVariable, AnythingElseIsAnError) {
  for (const char *value : {"gpu", "hip:", "hipx", "hip:1a", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "cuda:1a", "CPU", "cuda:99999", "emu:",
                            "emu:90", "emu:sm_", "emu:sm_x", "emu:sm_90b", "emu:sm_90aa", "emu:compute_90"})
    run("describeDevices", {{"TILECC_DEVICE", value}})
        .expectSuccess()
        .expectOutput("error ttErrorInvalidDevice: TILECC_DEVICE=" + std::string(value) +
                      ": the device must be 'cpu', 'cuda' or 'cuda:N', 'hip' or 'hip:N', 'emu', 'emu:sm_NN' or "
                      "'emu:gfxNNN', 'opencl' or 'opencl:P.D', one of TILECC_DEVICE_PLUGINS");
}

SCENARIO(guardsTheCpu) {
  alignas(16) static float x[256] = {1}, y[256];
  int before = 7;
  {
    tt::device_guard cpu(ttCpuDeviceId);
    tt::launch(add, 1, nullptr, x, x, y, 256);
    EXPECT_EQ(y[0], 2);
    EXPECT_EQ(scenario::driverLog(), ""); // no driver is opened
    int device;
    EXPECT_EQ(ttGetDevice(&device), ttSuccess);
    EXPECT_EQ(device, 2);
  }
  EXPECT_EQ(ttExchangeDevice(1, &before), ttSuccess);
  EXPECT_EQ(before, ttDeviceNone);
  EXPECT_EQ(ttExchangeDevice(ttDeviceNone, &before), ttSuccess);
  EXPECT_EQ(before, 1);
  EXPECT_EQ(ttExchangeDevice(-3, nullptr), ttErrorInvalidDevice);
  EXPECT_EQ(ttExchangeDevice(5, nullptr), ttSuccess);
  EXPECT_EQ(ttDeviceSynchronize(), ttErrorInvalidDevice);
}
TEST(DeviceGuard, TouchesNoGpu) {
  run("guardsTheCpu", {{"FAKE_CUDA_ARCHS", "90,80"}}).expectSuccess().expectNoLog("cuCtxSetCurrent");
}
