//===-- GraphTest.cpp - captures, graphs and launch attributes ---------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <string>
#include <thread>
#include <vector>

using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}}, emulator = {{"TILECC_DEVICE", "emu:sm_90"}};

#define EXPECT_FAILS(call, error, words)                                                                               \
  do {                                                                                                                 \
    EXPECT_EQ(call, error);                                                                                            \
    EXPECT_NE(std::string(ttGetLastErrorMessage()).find(words), std::string::npos) << ttGetLastErrorMessage();         \
    ttGetLastError();                                                                                                  \
  } while (0)

namespace {

// n floats on the device, all of one value.
struct Values {
  explicit Values(float value, int n = 512) : memory(n) { set(value); }
  void set(float value) {
    std::vector<float> host(memory.size(), value);
    memory.copy_from(host.data());
  }
  operator float *() const { return memory.data(); }
  // All of them, or -1.
  float value() const {
    std::vector<float> host(memory.size());
    memory.copy_to(host.data());
    for (float element : host)
      if (element != host[0])
        return -1;
    return host[0];
  }
  tt::device_buffer<float> memory;
};

constexpr int n = 512, programs = 2;
constexpr size_t bytes = n * sizeof(float);

} // namespace

//===-- Graphs that are built ---------------------------------------------------------------------------------------===//

static void count(void *data) { ++*static_cast<int *>(data); }

SCENARIO(buildsGraphs) {
  Values x(1), y(2), sum(0), copy(0), other(10);
  int calls = 0;
  tt::stream stream;
  tt::graph graph, twice;
  ttGraphNode_t first = graph.add_kernel({}, add, programs, x, y, sum, n);
  ttGraphNode_t copied = graph.add_copy({first}, copy, sum, bytes);
  graph.add_kernel({first, copied}, add, tt::launch_config(programs).priority(-1), sum, copy, sum, n);
  graph.add_host({}, count, &calls);
  ttGraphNode_t empty = graph.add_empty({copied});
  graph.add_set({empty}, y, 0, bytes);
  EXPECT_EQ(graph.node_count(), 6u);
  EXPECT_EQ(sum.value(), 0); // nothing has run

  tt::graph_exec exec = graph.instantiate();
  exec.upload(stream);
  exec.launch(stream);
  stream.synchronize();
  EXPECT_EQ(sum.value(), 6);
  EXPECT_EQ(copy.value(), 3);
  EXPECT_EQ(y.value(), 0);
  exec.launch(stream);
  EXPECT_EQ(sum.value(), 2);
  EXPECT_EQ(calls, 2);

  // Other arguments for one node.
  exec.set_kernel(first, add, programs, other, other, sum, n);
  exec.launch(stream);
  EXPECT_EQ(sum.value(), 40);

  // All parameters from another graph.
  tt::graph changed;
  first = changed.add_kernel({}, add, programs, other, x, sum, n);
  copied = changed.add_copy({first}, copy, sum, bytes);
  changed.add_kernel({first, copied}, add, programs, sum, copy, sum, n);
  changed.add_host({}, count, &calls);
  changed.add_set({changed.add_empty({copied})}, y, 0, bytes);
  exec.update(changed);
  exec.launch(stream);
  EXPECT_EQ(sum.value(), 22);

  // Both at once, one after the other.
  twice.add_graph({twice.add_graph({}, changed)}, changed);
  calls = 0;
  twice.instantiate().launch(stream);
  EXPECT_EQ(calls, 2);

  tt::graph different;
  different.add_empty({});
  EXPECT_FAILS(ttGraphExecUpdate(exec, different), ttErrorGraphExecUpdateFailure, "nodes");
  different = tt::graph();
  for (int i = 0; i < 6; ++i)
    different.add_empty({});
  EXPECT_FAILS(ttGraphExecUpdate(exec, different), ttErrorGraphExecUpdateFailure, "node 0 does something else");
  exec.launch(stream); // as before
  EXPECT_EQ(sum.value(), 22);
}
TEST(Graph, DoesItsNodesWork) {
  run("buildsGraphs", cpu).expectSuccess();
  run("buildsGraphs", emulator).expectSuccess();
}

SCENARIO(refusesWrongNodes) {
  Values x(1);
  tt::graph graph, other;
  ttGraphNode_t node = graph.add_empty({}), foreign = other.add_empty({}), result;
  float *pointer = x;
  int size = n;
  void *args[] = {&pointer, &pointer, &pointer, &size};
  ttKernelNodeParams params = {reinterpret_cast<const void *>(add), {0, 1, 1}, args, nullptr, 0};
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, nullptr, 0, &params), ttErrorInvalidConfiguration, "must have a program");
  params.grid.x = 1;
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, &foreign, 1, &params), ttErrorInvalidValue, "dependency 0 is not a node");
  ttLaunchAttribute twice[] = {{ttLaunchAttributeCooperative, 1}, {ttLaunchAttributeCooperative, 1}};
  params.attributes = twice;
  params.attributeCount = 2;
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, nullptr, 0, &params), ttErrorInvalidValue, "given twice");
  twice[1].id = static_cast<ttLaunchAttributeID>(3);
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, nullptr, 0, &params), ttErrorInvalidValue, "3 is no launch attribute");
  params.attributeCount = 0;
  EXPECT_EQ(ttGraphAddKernelNode(&result, graph, &node, 1, &params), ttSuccess);
  tt::graph_exec exec = graph.instantiate();
  EXPECT_FAILS(ttGraphExecKernelNodeSetParams(exec, node, &params), ttErrorInvalidValue, "not one of a kernel");
  EXPECT_FAILS(ttGraphAddMemcpyNode1D(&result, graph, nullptr, 0, x, x, 4, ttMemcpyKind(9)), ttErrorInvalidMemcpyDirection,
               "9 is no direction");
  EXPECT_EQ(graph.node_count(), 2u);
}
TEST(Graph, RefusesWhatIsWrong) { run("refusesWrongNodes", cpu).expectSuccess(); }

//===-- Capture -----------------------------------------------------------------------------------------------------===//

SCENARIO(capturesLaunches) {
  Values x(1), y(2), sum(0), more(0);
  tt::stream stream, beside;
  tt::event forked, joined;
  std::vector<float> host(n);
  tt::graph graph = tt::graph::capture(stream, [&] {
    tt::launch(add, programs, stream, x, y, sum, n);
    forked.record(stream);
    beside.wait(forked);
    tt::launch(add, programs, beside, sum, y, more, n);
    tt::check(ttMemcpyAsync(host.data(), sum, bytes, ttMemcpyDeviceToHost, stream));
    tt::check(ttMemsetAsync(x, 0, bytes, stream));
    joined.record(beside);
    stream.wait(joined);
    ttStreamCaptureStatus status;
    EXPECT_EQ(ttStreamIsCapturing(beside, &status), ttSuccess);
    EXPECT_EQ(status, ttStreamCaptureStatusActive);
  });
  ttStreamCaptureStatus status;
  EXPECT_EQ(ttStreamIsCapturing(beside, &status), ttSuccess);
  EXPECT_EQ(status, ttStreamCaptureStatusNone);
  EXPECT_EQ(graph.node_count(), 4u);
  EXPECT_EQ(sum.value(), 0);
  tt::graph_exec exec = graph.instantiate();
  exec.launch(stream);
  stream.synchronize();
  EXPECT_EQ(sum.value(), 3);
  EXPECT_EQ(more.value(), 5);
  EXPECT_EQ(x.value(), 0);
  EXPECT_EQ(host[n - 1], 3);
  EXPECT_EQ(ttEventQuery(joined), ttErrorCapturedEvent);
  ttGetLastError();

  // A graph in a capture, in the thread's own stream.
  tt::graph outer = tt::graph::capture(ttStreamPerThread, [&] {
    exec.launch(ttStreamPerThread);
    tt::launch(add, programs, ttStreamPerThread, more, more, more, n);
  });
  EXPECT_EQ(outer.node_count(), 6u);
  outer.instantiate().launch(stream);
  EXPECT_EQ(more.value(), 8);

  // Captures may be relaunched with what a capture of the same work has for parameters.
  tt::graph again = tt::graph::capture(stream, [&] { tt::launch(add, programs, stream, x, y, more, n); });
  tt::graph_exec one = tt::graph::capture(stream, [&] { tt::launch(add, programs, stream, x, x, sum, n); }).instantiate();
  one.update(again);
  more.set(0);
  one.launch();
  EXPECT_EQ(more.value(), 2);
}
TEST(Capture, RecordsLaunchesAndCopies) {
  run("capturesLaunches", cpu).expectSuccess();
  run("capturesLaunches", emulator).expectSuccess();
}

SCENARIO(losesCaptures) {
  Values x(1);
  void *memory;
  ttGraph_t graph;
  tt::stream stream, beside;
  ttStream_t quiet;
  tt::event event;
  EXPECT_EQ(ttStreamCreateWithFlags(&quiet, ttStreamNonBlocking), ttSuccess);
  auto begin = [&](ttStream_t stream, ttStreamCaptureMode mode = ttStreamCaptureModeGlobal) {
    EXPECT_EQ(ttStreamBeginCapture(stream, mode), ttSuccess);
  };
  auto expectLost = [&](ttStream_t stream) {
    ttStreamCaptureStatus status;
    EXPECT_EQ(ttStreamIsCapturing(stream, &status), ttSuccess);
    EXPECT_EQ(status, ttStreamCaptureStatusInvalidated);
    EXPECT_EQ(ttMemsetAsync(x, 0, 4, stream), ttErrorStreamCaptureInvalidated);
    EXPECT_EQ(ttStreamEndCapture(stream, &graph), ttErrorStreamCaptureInvalidated);
    EXPECT_EQ(graph, nullptr);
    ttGetLastError();
  };
  begin(stream);
  EXPECT_FAILS(ttMalloc(&memory, 64), ttErrorStreamCaptureUnsupported, "ttMalloc is not possible while a stream is captured");
  expectLost(stream);
  begin(stream);
  EXPECT_FAILS(ttDeviceSynchronize(), ttErrorStreamCaptureUnsupported, "ttDeviceSynchronize");
  expectLost(stream);
  begin(stream);
  EXPECT_FAILS(ttStreamSynchronize(stream), ttErrorStreamCaptureUnsupported, "is not possible while the stream is captured");
  expectLost(stream);
  begin(stream);
  EXPECT_FAILS(ttMemsetAsync(x, 0, 4, nullptr), ttErrorStreamCaptureImplicit, "default stream");
  expectLost(stream);
  begin(quiet); // the default stream does not wait for it
  EXPECT_EQ(ttMemsetAsync(x, 0, 4, nullptr), ttSuccess);
  EXPECT_EQ(ttStreamEndCapture(quiet, &graph), ttSuccess);
  EXPECT_EQ(ttGraphDestroy(graph), ttSuccess);

  // What other threads may do depends on the mode.
  for (auto mode : {ttStreamCaptureModeGlobal, ttStreamCaptureModeThreadLocal, ttStreamCaptureModeRelaxed}) {
    ttError_t here = ttSuccess, there = ttSuccess;
    begin(stream, mode);
    std::thread([&] { there = ttMalloc(&memory, 64), there ? 0 : ttFree(memory); }).join();
    here = ttMalloc(&memory, 64), here ? 0 : ttFree(memory);
    EXPECT_EQ(there == ttSuccess, mode != ttStreamCaptureModeGlobal);
    EXPECT_EQ(here == ttSuccess, mode == ttStreamCaptureModeRelaxed);
    (void)(ttStreamEndCapture(stream, &graph) || ttGraphDestroy(graph));
    ttGetLastError();
  }

  // Streams that are not joined, merged, or ended elsewhere.
  begin(stream);
  event.record(stream);
  beside.wait(event);
  EXPECT_EQ(ttMemsetAsync(x, 0, 4, beside), ttSuccess);
  EXPECT_FAILS(ttStreamEndCapture(stream, &graph), ttErrorStreamCaptureUnjoined, "does not wait for");
  EXPECT_FAILS(ttStreamWaitEvent(beside, event, 0), ttErrorCapturedEvent, "a capture that has ended");
  begin(stream);
  begin(beside);
  event.record(stream);
  EXPECT_FAILS(ttStreamWaitEvent(beside, event, 0), ttErrorStreamCaptureMerge, "another capture");
  expectLost(stream);
  expectLost(beside);
  begin(stream);
  event.record(stream);
  beside.wait(event);
  EXPECT_FAILS(ttStreamEndCapture(beside, &graph), ttErrorStreamCaptureUnmatched, "begun in another stream");
  expectLost(stream);
  begin(stream);
  std::thread([&] { EXPECT_EQ(ttStreamEndCapture(stream, &graph), ttErrorStreamCaptureWrongThread); }).join();
  EXPECT_EQ(ttStreamBeginCapture(stream, ttStreamCaptureModeGlobal), ttErrorIllegalState);
  EXPECT_EQ(ttStreamEndCapture(stream, &graph), ttSuccess);
  EXPECT_EQ(ttGraphDestroy(graph), ttSuccess);

  EXPECT_FAILS(ttStreamEndCapture(stream, &graph), ttErrorIllegalState, "not captured");
  EXPECT_FAILS(ttStreamBeginCapture(nullptr, ttStreamCaptureModeGlobal), ttErrorStreamCaptureUnsupported, "legacy stream");
  EXPECT_THROW(tt::graph::capture(stream, [] { throw 1; }), int);
  EXPECT_EQ(ttStreamSynchronize(stream), ttSuccess); // it is over
  begin(stream);
  EXPECT_FAILS(ttMallocAsync(&memory, 64, stream), ttErrorNotSupported, "cannot capture an allocation");
  EXPECT_EQ(ttStreamEndCapture(stream, &graph), ttSuccess);
  EXPECT_EQ(ttGraphDestroy(graph), ttSuccess);
  EXPECT_EQ(ttStreamDestroy(quiet), ttSuccess);
  EXPECT_EQ(ttMalloc(&memory, 64), ttSuccess);
  EXPECT_EQ(ttFree(memory), ttSuccess);
}
TEST(Capture, RefusesWhatAGpuWouldRefuse) {
  run("losesCaptures", cpu).expectSuccess();
  run("losesCaptures", emulator).expectSuccess();
}

//===-- On a GPU ----------------------------------------------------------------------------------------------------===//

SCENARIO(graphsOnAGpu) {
  Values x(1);
  int size = n;
  tt::stream stream;
  tt::graph graph;
  ttGraphNode_t node = graph.add_kernel({}, add, tt::launch_config(programs).cooperative(), x, x, x, size);
  ttGraphNode_t other = graph.add_kernel({node}, clustered, 5, nullptr);
  graph.add_copy({node, other}, x, x, 64);
  graph.add_set({}, x, 257, 32);
  tt::graph_exec exec = graph.instantiate();
  exec.set_kernel(node, add, 7, x, x, x, 13);
  EXPECT_FAILS(ttGraphExecUpdate(exec, tt::graph()), ttErrorGraphExecUpdateFailure, "differs too much");
  float *pointer = x;
  void *args[] = {&pointer, &pointer, &pointer, &size};
  ttKernelNodeParams params = {reinterpret_cast<const void *>(add), {1, 1, 1}, args, nullptr, 0};
  EXPECT_FAILS(ttGraphExecKernelNodeSetParams(exec, other, &params), ttErrorGraphExecUpdateFailure,
               "runs in clusters of 4 blocks, the new one in clusters of 1");
  exec.launch(stream);
}
TEST(Graph, IsTheDriversOnAGpu) {
  run("graphsOnAGpu")
      .expectSuccess()
      .expectLog("graph node: kernel add_16 grid 2,1,1 block 128 shared 16384 after\ncuGraphKernelNodeSetAttribute 2:1\n")
      .expectLog("graph node: kernel clustered grid 20,1,1 block 128 shared 1024 after 0\ncuGraphKernelNodeSetAttribute 4:4\n"
                 "graph node: copy 64 after 0 1\ngraph node: set 32 x 1 to 1 after\ncuGraphInstantiate of 4\n")
      .expectLog("graph runs kernel add_p16 grid 7,1,1 block 128");
}

// Cold: nothing of the kernel is loaded yet.
SCENARIO(capturesColdOnAGpu) {
  alignas(16) static float values[n];
  tt::stream stream;
  for (auto mode : {ttStreamCaptureModeGlobal, ttStreamCaptureModeThreadLocal, ttStreamCaptureModeRelaxed})
    tt::graph::capture(stream, [] {}, mode);
  tt::graph graph = tt::graph::capture(
      stream, [&] { tt::launch(add, programs, stream, values, values, values, n); }, ttStreamCaptureModeGlobal);
  EXPECT_EQ(graph.node_count(), 1u);
  graph.instantiate().launch(stream);
}
TEST(Capture, OfAColdKernelIsNoViolation) {
  run("capturesColdOnAGpu").expectSuccess().expectNoLog("VIOLATION").expectLog("graph runs kernel add_16");
}

// Loaded before: between the begin and the end of the capture there are launches alone.
SCENARIO(capturesPreloaded) {
  alignas(16) static float values[n];
  tt::stream stream;
  EXPECT_EQ(ttPreload(reinterpret_cast<const void *>(add)), ttSuccess);
  tt::graph graph = tt::graph::capture(stream, [&] {
    tt::launch(add, programs, stream, values, values, values, n);
    tt::launch(add, programs, stream, values, values, values, n);
  });
  std::string log = scenario::driverLog();
  size_t begin = log.find("cuStreamBeginCapture"), end = log.find("cuStreamEndCapture");
  std::string between = log.substr(begin, end - begin);
  EXPECT_EQ(between.find("cuModule"), std::string::npos) << between;
  EXPECT_EQ(between.find("cuMem"), std::string::npos) << between;
  EXPECT_EQ(std::count(between.begin(), between.end(), '\n'), 3) << between; // the begin and two launches
}
TEST(Capture, OfAPreloadedKernelLoadsAndAllocatesNothing) { run("capturesPreloaded").expectSuccess(); }

SCENARIO(graphsFail) {
  tt::stream stream;
  ttGraph_t graph = nullptr;
  ttGraphExec_t exec = nullptr;
  ttGraphNode_t node;
  EXPECT_EQ(ttGraphCreate(&graph), ttSuccess);
  EXPECT_EQ(ttGraphAddEmptyNode(&node, graph, nullptr, 0), ttErrorMemoryAllocation);
  EXPECT_EQ(ttGraphInstantiate(&exec, graph), ttErrorMemoryAllocation);
  EXPECT_EQ(ttStreamBeginCapture(stream, ttStreamCaptureModeGlobal), ttErrorLaunchFailure);
  EXPECT_EQ(ttGraphDestroy(graph), ttSuccess);
  EXPECT_EQ(ttStreamSynchronize(stream), ttSuccess);
}
TEST(Graph, FailuresLeaveTheRestUsable) {
  run("graphsFail", {{"FAKE_CUDA_FAIL", "cuGraphAddEmptyNode=2,cuGraphInstantiateWithFlags=2,cuStreamBeginCapture=719"}})
      .expectSuccess();
}

SCENARIO(mixesUpGraphs) {
  tt::graph graph; // of the GPU
  int count;
  EXPECT_EQ(ttGetDeviceCount(&count), ttSuccess);
  EXPECT_EQ(ttSetDevice(count - 1), ttSuccess);
  ttGraphExec_t exec;
  EXPECT_FAILS(ttGraphInstantiate(&exec, graph), ttErrorInvalidResourceHandle, "not one of the CPU device");
  ttGraph_t cpuGraph;
  EXPECT_EQ(ttGraphCreate(&cpuGraph), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttGraphInstantiate(&exec, cpuGraph), ttErrorInvalidResourceHandle);
  EXPECT_EQ(ttSetDevice(count - 1), ttSuccess);
  EXPECT_EQ(ttGraphDestroy(cpuGraph), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
}
TEST(Graph, OfAnotherDeviceIsAnError) {
  run("mixesUpGraphs").expectSuccess();
  run("mixesUpGraphs", emulator).expectSuccess();
}

//===-- Launch attributes -------------------------------------------------------------------------------------------===//

SCENARIO(meetsOnTheCpu) {
  int active;
  EXPECT_EQ(ttOccupancyMaxActivePrograms(&active, reinterpret_cast<const void *>(meet)), ttSuccess);
  EXPECT_EQ(active, 2);
  unsigned arrived = 0;
  tt::launch(meet, tt::launch_config(100).cooperative(), &arrived); // many more than there are threads
  EXPECT_EQ(arrived, 100u);
  try {
    tt::launch(meet, tt::launch_config(5000).cooperative(), &arrived);
    ADD_FAILURE() << "5000 programs ran";
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorCooperativeLaunchTooLarge);
    EXPECT_STREQ(error.what(), "kernel 'meet': 5000 programs cannot run at the same time on the CPU device, which starts a thread "
                               "for each; the limit is 4096");
  }
  tt::stream stream;
  arrived = 0;
  tt::graph::capture(stream, [&] { tt::launch(meet, tt::launch_config(50, stream).cooperative(), &arrived); })
      .instantiate()
      .launch();
  EXPECT_EQ(arrived, 50u);
}
TEST(CooperativeLaunch, RunsAllProgramsAtTheSameTime) {
  run("meetsOnTheCpu", {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "2"}}).expectSuccess();
}

SCENARIO(passesAttributes) {
  alignas(16) static float values[n];
  int active;
  EXPECT_EQ(ttOccupancyMaxActivePrograms(&active, reinterpret_cast<const void *>(add)), ttSuccess);
  EXPECT_EQ(active, 4 * 132);
  EXPECT_EQ(ttOccupancyMaxActivePrograms(&active, reinterpret_cast<const void *>(clustered)), ttSuccess);
  EXPECT_EQ(active, 66);
  tt::launch(add, tt::launch_config(3).cooperative(), values, values, values, n);
  tt::launch(add, tt::launch_config(3, ttStreamPerThread).programmatic().priority(-2), values, values, values, n);
  tt::launch(clustered, tt::launch_config(3).programmatic(), nullptr);
  tt::launch(add, tt::launch_config(3).priority(1).priority(2), values, values, values, n);
}
TEST(LaunchAttributes, GoToTheDriver) {
  run("passesAttributes")
      .expectSuccess()
      .expectLog("cuLaunchKernelEx add_16 grid 3,1,1 block 128 shared 16384 attributes 2:1\n"
                 "cuLaunchKernelEx add_16 grid 3,1,1 block 128 shared 16384 attributes 6:1 8:-2\n"
                 "cuLaunchKernelEx clustered grid 12,1,1 block 128 shared 1024 attributes 4:4x1x1 6:1\n"
                 "cuLaunchKernelEx add_16 grid 3,1,1 block 128 shared 16384 attributes 8:2\n");
}
