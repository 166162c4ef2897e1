//===-- DlpackTest.cpp - tests the exchange of tensors with other libraries --------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <tilecc/dlpack_cxx.h>
#include <utility>

using scenario::run;

SCENARIO(handsTensorsOver) {
  float host[12];
  for (int i = 0; i < 12; ++i)
    host[i] = i;
  tt::device_buffer<float> buffer(host, 12);
  float *data = buffer.data();
  DLManagedTensor *managed = tt::to_dlpack(std::move(buffer), {3, 4});
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(managed->dl_tensor.strides[0], 4);

  tt::dlpack_tensor tensor(managed);
  EXPECT_EQ(tensor.dim(), 2);
  EXPECT_EQ(tensor.size(0), 3);
  EXPECT_EQ(tensor.stride(0), 4);
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_EQ(tensor.data<float>(), data);
  EXPECT_THROW(tensor.data<int>(), tt::error);
  ttDeviceProp properties;
  EXPECT_EQ(ttGetDeviceProperties(&properties, 0), ttSuccess);
  EXPECT_EQ(tensor.device(), properties.kind == ttDeviceKindCpu ? int(ttCpuDeviceId) : 0);
  printf("device type %d\n", static_cast<int>(managed->dl_tensor.device.device_type));
  tt::launch(add, 1, nullptr, tensor.data<float>(), tensor.data<float>(), tensor.data<float>(), 12);
  managed->dl_tensor.strides[0] = 8;
  EXPECT_FALSE(tensor.is_contiguous());
  tt::dlpack_tensor moved(std::move(tensor));
  EXPECT_THROW(tt::to_dlpack(tt::device_buffer<float>(3), {2, 2}), tt::error);
  EXPECT_THROW(tt::to_dlpack(tt::device_buffer<float>(3), {-1}), tt::error);
}
TEST(Dlpack, HandsBuffersOver) {
  run("handsTensorsOver", {{"TILECC_DEVICE", "cpu"}}).expectSuccess().expectOutput("device type 1");
  run("handsTensorsOver", {{"TILECC_DEVICE", "emu:sm_90"}}).expectSuccess().expectOutput("device type 12");
  auto outcome = run("handsTensorsOver");
  outcome.expectSuccess().expectOutput("device type 2");
  EXPECT_EQ(outcome.calls("cuMemAlloc"), outcome.calls("cuMemFree")) << outcome.log;
}

SCENARIO(takesTensorsOver) {
  static int deleted;
  static float values[8];
  int64_t shape[] = {2, 3};
  DLManagedTensorVersioned foreign = {{1, 1}, nullptr, [](DLManagedTensorVersioned *) { ++deleted; }, 0, {}};
  foreign.dl_tensor = {values, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 8};
  {
    tt::dlpack_tensor tensor(&foreign);
    EXPECT_EQ(tensor.data<float>(), values + 2);
    EXPECT_EQ(tensor.stride(0), 3);
    EXPECT_TRUE(tensor.is_contiguous());
    EXPECT_EQ(tensor.device(), ttCpuDeviceId);
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  foreign.version.major = 2;
  EXPECT_THROW(tt::dlpack_tensor tensor(&foreign), tt::error);
  EXPECT_EQ(deleted, 2);
  foreign.version.major = 1;
  foreign.dl_tensor.device.device_type = static_cast<DLDeviceType>(8); // a device of another kind
  EXPECT_THROW(tt::dlpack_tensor(&foreign).device(), tt::error);
}
TEST(Dlpack, TakesTensorsOver) { run("takesTensorsOver", {{"TILECC_DEVICE", "cpu"}}).expectSuccess(); }
