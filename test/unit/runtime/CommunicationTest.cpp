//===-- CommunicationTest.cpp - tests ranks and their memory with the fake driver --------------------------------===//
//
// Kernels that communicate are tested by test/examples/ranks.test.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <tilecc/communication.h>

#include <string>

using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}};

SCENARIO(hasARankOnEachDevice) {
  tt::comm comm = tt::comm::devices(2);
  tt::comm again = tt::comm::devices(2); // the devices reach each other already
  EXPECT_EQ(comm.ranks(), 2);
  EXPECT_FALSE(comm.is_on_one_device());
  EXPECT_EQ(comm.device(1), 1);
  EXPECT_NE(comm.stream(0), comm.stream(1));
  tt::symmetric_buffer<float> x(comm, 256);
  EXPECT_NE(x.data(0), x.data(1));
  for (int rank = 0; rank < 2; ++rank) { // the fake's memory is the host's
    tt::symmetric<float> argument = x.on(rank);
    EXPECT_EQ(argument.own, rank);
    EXPECT_EQ(argument.ranks, 2);
    EXPECT_EQ(argument.parts[0], x.data(0));
    EXPECT_EQ(argument.parts[1], x.data(1));
    EXPECT_EQ(x.data(rank)[255], 0.0f);
  }
  EXPECT_NE(x.on(0).parts, x.on(1).parts); // each in its own memory
  comm.launch(add, 1, x.data(0), x.data(0), x.data(1), 256);
  comm.synchronize();
  int device = -1;
  EXPECT_EQ(ttGetDevice(&device), ttSuccess);
  EXPECT_EQ(device, 0);
}
TEST(Communication, HasARankOnEachDevice) {
  auto outcome = run("hasARankOnEachDevice", {{"FAKE_CUDA_ARCHS", "90,90,80"}});
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuCtxEnablePeerAccess"), 4) << outcome.log;
  EXPECT_EQ(outcome.calls("cuLaunchKernel add_16"), 2) << outcome.log;
  // All ranks have their code before the first launch.
  EXPECT_LT(outcome.log.rfind("cuModuleLoadDataEx"), outcome.log.find("cuLaunchKernel")) << outcome.log;
}

SCENARIO(hasTooFewDevices) {
  EXPECT_THROW(tt::comm::devices(4), tt::error); // 2 GPUs, and the CPU
  EXPECT_THROW(tt::comm::devices(3), tt::error); // the third one is the CPU
}
TEST(Communication, WantsADeviceForEachRank) {
  run("hasTooFewDevices", {{"FAKE_CUDA_ARCHS", "90,90"}}).expectSuccess();
  run("hasTooFewDevices", cpu).expectSuccess();
}

SCENARIO(hasUnreachableDevices) { EXPECT_THROW(tt::comm::devices(3), tt::error); }
TEST(Communication, WantsDevicesThatReachEachOther) { // as those of one architecture do
  run("hasUnreachableDevices", {{"FAKE_CUDA_ARCHS", "90,90,80"}}).expectSuccess();
}

SCENARIO(hasAllRanksOnOneDevice) {
  tt::comm comm = tt::comm::on_one_device(3);
  EXPECT_TRUE(comm.is_on_one_device());
  EXPECT_EQ(comm.device(2), comm.device(0));
  tt::symmetric_buffer<int> x(comm, 8);
  EXPECT_EQ(x.on(-1).own, -1);
  for (int rank = 0; rank < 3; ++rank) {
    int values[8] = {rank}, back[8] = {};
    x.copy_from(rank, values);
    x.copy_to(rank, back);
    EXPECT_EQ(back[0], rank);
    EXPECT_EQ(x.on(-1).parts[rank], x.data(rank));
  }
  ttDim3 deep = {1, 1, 2};
  EXPECT_THROW(comm.launch(add, deep, nullptr, nullptr, nullptr, 0), tt::error); // z is the rank
}
TEST(Communication, HasAllRanksOnOneDevice) { run("hasAllRanksOnOneDevice", cpu).expectSuccess(); }
