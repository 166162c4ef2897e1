//===-- HipMemoryTest.cpp - tests memory and graphs of AMD's GPUs with the fake HIP ------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <string.h>
#include <string>
#include <vector>

namespace {

scenario::Outcome runNamed(const std::string &name, scenario::Environment environment = {}) {
  environment.insert(environment.begin(), {{"LD_LIBRARY_PATH", FAKE_HIP_DIR}, {"TILECC_DEVICE", "hip"}});
  return scenario::run(name, environment);
}

void useAmdCode() { __tilecc_register(&amdOnly); }

float *at(uintptr_t address) { return reinterpret_cast<float *>(address); }
void launch(ttStream_t stream = nullptr) { tt::launch(onAmd, 4, stream, at(0x1000), 16l); }

} // namespace

//===-- Memory ----------------------------------------------------------------------------------------------------===//

SCENARIO(describesPointers) {
  char host[64];
  tt::device_buffer<char> device(64);
  tt::managed_buffer<char> managed(64);
  tt::pinned_buffer<char> pinned(64);
  auto attributesOf = [](const void *pointer) {
    ttPointerAttributes attributes;
    EXPECT_EQ(ttPointerGetAttributes(&attributes, pointer), ttSuccess) << ttGetLastErrorMessage();
    return attributes;
  };
  ttPointerAttributes attributes = attributesOf(device.data() + 5);
  EXPECT_EQ(attributes.type, ttMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 0);
  EXPECT_EQ(attributes.devicePointer, device.data() + 5);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  EXPECT_EQ(attributes.blockBegin, device.data());
  EXPECT_EQ(attributes.blockBytes, 64u);
  attributes = attributesOf(managed.data());
  EXPECT_EQ(attributes.type, ttMemoryTypeManaged);
  EXPECT_EQ(attributes.hostPointer, managed.data());
  EXPECT_EQ(attributesOf(pinned.data()).type, ttMemoryTypeHost);
  EXPECT_EQ(attributesOf(host).type, ttMemoryTypeUnregistered);
  EXPECT_EQ(attributesOf(host).hostPointer, host);
}
TEST(HipMemory, IsDescribed) { runNamed("describesPointers").expectSuccess(); }

// The fake does asynchronous work as late as it may.
SCENARIO(copiesLate) {
  tt::stream stream;
  tt::device_buffer<char> device(64);
  tt::pinned_buffer<char> pinned(64), back(64);
  memset(pinned.data(), 'a', 64);
  memset(back.data(), '-', 64);
  EXPECT_EQ(ttMemcpyAsync(device.data(), pinned.data(), 64, ttMemcpyHostToDevice, stream), ttSuccess);
  EXPECT_EQ(ttMemsetAsync(device.data(), 'b', 8, stream), ttSuccess);
  EXPECT_EQ(ttMemset2DAsync(device.data() + 16, 16, 'c', 2, 3, stream), ttSuccess);
  EXPECT_EQ(ttMemcpyAsync(back.data(), device.data(), 64, ttMemcpyDefault, stream), ttSuccess);
  tt::event end;
  end.record(stream);
  EXPECT_EQ(back[0], '-');
  EXPECT_EQ(ttEventQuery(end), ttErrorNotReady);
  stream.synchronize();
  EXPECT_EQ(ttEventQuery(end), ttSuccess);
  EXPECT_EQ(std::string(back.data(), 34), "bbbbbbbbaaaaaaaaccaaaaaaaaaaaaaacc");
  // A copy without a stream waits.
  EXPECT_EQ(ttMemset(device.data(), 'd', 64), ttSuccess);
  char rows[2][4] = {};
  EXPECT_EQ(ttMemcpy2D(rows, 4, device.data(), 32, 3, 2, ttMemcpyDeviceToHost), ttSuccess);
  EXPECT_EQ(std::string(rows[0]) + rows[1], "dddddd");
  // Beyond the end, and after the end.
  EXPECT_FAILS(ttMemcpy(device.data(), pinned.data(), 65, ttMemcpyHostToDevice), ttErrorInvalidValue,
               "hipMemcpy failed");
  void *freed;
  EXPECT_EQ(ttMalloc(&freed, 16), ttSuccess);
  EXPECT_EQ(ttFree(freed), ttSuccess);
  EXPECT_FAILS(ttMemset(freed, 0, 16), ttErrorInvalidValue, "hipMemsetD8 failed");
  EXPECT_FAILS(ttFree(freed), ttErrorInvalidValue, "hipFree failed: hipErrorInvalidValue (1)");
}
TEST(HipMemory, IsCopiedInStreams) {
  runNamed("copiesLate").expectSuccess().expectOutput("fake HIP: hipFree: ").expectOutput("memory that was freed");
}

SCENARIO(reachesHipPeers) {
  useAmdCode();
  int can;
  EXPECT_EQ(ttDeviceCanAccessPeer(&can, 0, 1), ttSuccess);
  EXPECT_EQ(can, 1);
  EXPECT_EQ(ttDeviceEnablePeerAccess(1), ttSuccess);
  EXPECT_FAILS(ttDeviceEnablePeerAccess(1), ttErrorPeerAccessAlreadyEnabled, "hipDeviceEnablePeerAccess failed");
  EXPECT_EQ(ttDeviceDisablePeerAccess(1), ttSuccess);
  EXPECT_FAILS(ttDeviceDisablePeerAccess(1), ttErrorPeerAccessNotEnabled, "hipDeviceDisablePeerAccess failed");
  // A stream of one device takes no kernel of the other.
  tt::stream stream;
  EXPECT_EQ(ttSetDevice(1), ttSuccess);
  try {
    launch(stream);
    ADD_FAILURE();
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorInvalidResourceHandle);
  }
}
TEST(HipMemory, IsReachedByPeers) {
  runNamed("reachesHipPeers", {{"FAKE_HIP_ARCHS", "gfx942,gfx942"}})
      .expectSuccess()
      .expectLog("hipDeviceEnablePeerAccess of 0 to 1\n")
      .expectOutput("onAmd_p16 is of device 1, and the launch on device 0");
}

SCENARIO(usesHipPools) {
  tt::stream stream;
  void *memory;
  ttMemPool_t pool;
  EXPECT_EQ(ttMemPoolCreate(&pool, 0), ttSuccess);
  EXPECT_EQ(ttMallocFromPoolAsync(&memory, 64, pool, stream), ttSuccess);
  unsigned long long used;
  EXPECT_EQ(ttMemPoolGetAttribute(pool, ttMemPoolAttrUsedMemCurrent, &used), ttSuccess);
  EXPECT_EQ(used, 64u);
  EXPECT_EQ(ttFreeAsync(memory, stream), ttSuccess);
  stream.synchronize();
  EXPECT_EQ(ttMemPoolDestroy(pool), ttSuccess);
  tt::managed_buffer<char> managed(64);
  managed.prefetch(0, stream);
  EXPECT_EQ(ttMemAdvise(managed.data(), 64, ttMemAdviseSetReadMostly, 0), ttSuccess);
  std::vector<char> host(64);
  EXPECT_EQ(ttHostRegister(host.data(), 64), ttSuccess);
  EXPECT_EQ(ttHostUnregister(host.data()), ttSuccess);
}
TEST(HipMemory, HasPools) {
  runNamed("usesHipPools")
      .expectSuccess()
      .expectLog("hipMemPoolCreate type 1 on 1:0\n")
      .expectLog("hipHostRegister 64 flags 1\n");
}

//===-- Graphs ----------------------------------------------------------------------------------------------------===//

SCENARIO(buildsHipGraphs) {
  useAmdCode();
  tt::stream stream;
  tt::device_buffer<char> device(64);
  std::vector<char> host(64);
  const auto *stub = reinterpret_cast<const void *>(onAmd);
  float *pointer = at(0x1000);
  long n = 16;
  void *args[] = {&pointer, &n};
  ttGraph_t graph, child;
  ttGraphNode_t set, kernel, copy, call, last;
  EXPECT_EQ(ttGraphCreate(&graph), ttSuccess);
  EXPECT_EQ(ttGraphCreate(&child), ttSuccess);
  EXPECT_EQ(ttGraphAddEmptyNode(&last, child, nullptr, 0), ttSuccess);
  EXPECT_EQ(ttGraphAddMemsetNode(&set, graph, nullptr, 0, device.data(), 'x', 64), ttSuccess);
  ttLaunchAttribute cooperative = {ttLaunchAttributeCooperative, 1};
  ttKernelNodeParams params = {stub, {7, 1, 1}, args, &cooperative, 1};
  EXPECT_EQ(ttGraphAddKernelNode(&kernel, graph, &set, 1, &params), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(ttGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host.data(), device.data(), 64, ttMemcpyDefault),
            ttSuccess);
  static int calls;
  EXPECT_EQ(ttGraphAddHostNode(
                &call, graph, &copy, 1, [](void *) { ++calls; }, nullptr),
            ttSuccess);
  EXPECT_EQ(ttGraphAddChildGraphNode(&last, graph, &call, 1, child), ttSuccess);
  ttGraphExec_t exec;
  EXPECT_EQ(ttGraphInstantiate(&exec, graph), ttSuccess);
  EXPECT_EQ(ttGraphUpload(exec, stream), ttSuccess);
  EXPECT_EQ(ttGraphLaunch(exec, stream), ttSuccess);
  EXPECT_EQ(calls, 0);
  stream.synchronize();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(host[63], 'x');
  params.grid.x = 9;
  EXPECT_EQ(ttGraphExecKernelNodeSetParams(exec, kernel, &params), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(ttGraphLaunch(exec, stream), ttSuccess);
  stream.synchronize();
  EXPECT_EQ(ttGraphExecUpdate(exec, graph), ttSuccess);
  EXPECT_FAILS(ttGraphExecUpdate(exec, child), ttErrorGraphExecUpdateFailure,
               "the graph differs too much from the one that was instantiated (update result 2)");
  EXPECT_EQ(ttGraphExecDestroy(exec), ttSuccess);
  EXPECT_EQ(ttGraphDestroy(graph), ttSuccess);
  EXPECT_FAILS(ttGraphLaunch(exec, stream), ttErrorInvalidValue, "hipGraphLaunch failed");
}
TEST(HipGraphs, AreBuiltOfNodes) {
  runNamed("buildsHipGraphs")
      .expectSuccess()
      .expectLog("runs kernel onAmd_p16 grid 7,1,1 block 256,1,1 shared 0 cooperative\n")
      .expectLog("runs kernel onAmd_p16 grid 9,1,1 block 256,1,1 shared 0 cooperative\n");
}

SCENARIO(capturesTwoStreams) {
  useAmdCode();
  tt::stream first, second;
  tt::event fork, join;
  EXPECT_EQ(ttPreload(reinterpret_cast<const void *>(onAmd)), ttSuccess);
  EXPECT_EQ(ttStreamBeginCapture(first, ttStreamCaptureModeGlobal), ttSuccess);
  launch(first);
  fork.record(first);
  second.wait(fork);
  launch(second);
  join.record(second);
  first.wait(join);
  ttGraph_t graph;
  EXPECT_EQ(ttStreamEndCapture(first, &graph), ttSuccess) << ttGetLastErrorMessage();
  size_t count;
  EXPECT_EQ(ttGraphGetNodes(graph, nullptr, &count), ttSuccess);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(scenario::driverLog().find("runs kernel"), std::string::npos);

  EXPECT_EQ(ttStreamBeginCapture(first, ttStreamCaptureModeGlobal), ttSuccess);
  fork.record(first);
  second.wait(fork);
  launch(second);
  EXPECT_FAILS(ttStreamEndCapture(first, &graph), ttErrorStreamCaptureUnjoined, "hipStreamEndCapture failed");

  void *memory;
  EXPECT_EQ(ttStreamBeginCapture(first, ttStreamCaptureModeGlobal), ttSuccess);
  EXPECT_FAILS(ttMalloc(&memory, 16), ttErrorStreamCaptureUnsupported, "hipMalloc failed");
  EXPECT_FAILS(ttStreamEndCapture(first, &graph), ttErrorStreamCaptureInvalidated, "hipStreamEndCapture failed");
}
TEST(HipGraphs, AreCaptured) { runNamed("capturesTwoStreams").expectSuccess(); }
