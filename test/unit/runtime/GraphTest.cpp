//===-- GraphTest.cpp - tests graphs and launch attributes ------------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"
#include "Values.h"

#include <string>
#include <thread>
#include <vector>

using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}}, emulator = {{"TILECC_DEVICE", "emu:sm_90"}};

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
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, nullptr, 0, &params), ttErrorInvalidConfiguration,
               "must have a program");
  params.grid.x = 1;
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, &foreign, 1, &params), ttErrorInvalidValue,
               "dependency 0 is not a node");
  ttLaunchAttribute twice[] = {{ttLaunchAttributeCooperative, 1}, {ttLaunchAttributeCooperative, 1}};
  params.attributes = twice;
  params.attributeCount = 2;
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, nullptr, 0, &params), ttErrorInvalidValue, "given twice");
  twice[1].id = static_cast<ttLaunchAttributeID>(3);
  EXPECT_FAILS(ttGraphAddKernelNode(&result, graph, nullptr, 0, &params), ttErrorInvalidValue,
               "3 is not a launch attribute");
  params.attributeCount = 0;
  EXPECT_EQ(ttGraphAddKernelNode(&result, graph, &node, 1, &params), ttSuccess);
  tt::graph_exec exec = graph.instantiate();
  EXPECT_FAILS(ttGraphExecKernelNodeSetParams(exec, node, &params), ttErrorInvalidValue, "not a kernel node");
  EXPECT_FAILS(ttGraphAddMemcpyNode1D(&result, graph, nullptr, 0, x, x, 4, ttMemcpyKind(9)),
               ttErrorInvalidMemcpyDirection, "9 is not a copy direction");
  EXPECT_EQ(graph.node_count(), 2u);
}
TEST(Graph, RefusesWhatIsWrong) { run("refusesWrongNodes", cpu).expectSuccess(); }

//===-- On a GPU ----------------------------------------------------------------------------------------------------===//

//===-- Graphs that are looked at and changed -----------------------------------------------------------------------===//

static size_t dependencyCount(ttGraphNode_t node) {
  size_t count = 0;
  EXPECT_EQ(ttGraphNodeGetDependencies(node, nullptr, &count), ttSuccess);
  return count;
}

SCENARIO(replacesChains) {
  Values x(1), y(2), sum(0), other(10), copy(0);
  tt::graph graph;
  ttGraphNode_t set = graph.add_set({}, y, 0, bytes);
  ttGraphNode_t first = graph.add_kernel({set}, add, programs, x, y, sum, n);
  ttGraphNode_t second = graph.add_kernel({first}, add, programs, sum, y, sum, n);
  ttGraphNode_t third = graph.add_kernel({second}, add, tt::launch_config(programs).cooperative(), sum, y, sum, n);
  ttGraphNode_t copied = graph.add_copy({third}, copy, sum, bytes);

  float *pointer = sum;
  void *args[4] = {};
  ttKernelNodeParams params = {};
  params.args = args;
  EXPECT_EQ(ttGraphKernelNodeGetParams(second, &params), ttSuccess);
  EXPECT_EQ(params.kernel, reinterpret_cast<const void *>(add));
  EXPECT_EQ(params.grid.x, unsigned(programs));
  EXPECT_EQ(params.attributeCount, 0u);
  EXPECT_EQ(*static_cast<float **>(args[2]), pointer);
  EXPECT_EQ(*static_cast<int *>(args[3]), n);
  params.args = nullptr;
  EXPECT_EQ(ttGraphKernelNodeGetParams(third, &params), ttSuccess);
  EXPECT_EQ(params.attributeCount, 1u);
  EXPECT_EQ(ttGraphKernelNodeGetParams(copied, &params), ttSuccess);
  EXPECT_EQ(params.kernel, nullptr);
  ttGraphNode_t before = nullptr;
  size_t count = 1;
  EXPECT_EQ(ttGraphNodeGetDependencies(copied, &before, &count), ttSuccess);
  EXPECT_EQ(before, third);
  EXPECT_EQ(dependencyCount(set), 0u);

  // Launches that do not form a chain stay.
  float *ten = other;
  int size = n;
  void *newArgs[] = {&ten, &ten, &pointer, &size};
  ttKernelNodeParams one = {reinterpret_cast<const void *>(add), {unsigned(programs), 1, 1}, newArgs, nullptr, 0};
  ttGraphNode_t chain[] = {first, second, third}, wrong[] = {set, first}, gap[] = {first, third};
  EXPECT_FAILS(ttGraphReplaceKernelNodes(graph, wrong, 2, &one), ttErrorInvalidValue, "node 0 of the chain");
  EXPECT_FAILS(ttGraphReplaceKernelNodes(graph, gap, 2, &one), ttErrorInvalidValue, "node 1 of the chain");
  graph.add_empty({second});
  EXPECT_FAILS(ttGraphReplaceKernelNodes(graph, chain, 3, &one), ttErrorInvalidValue, "depends on node 1 of the chain");
  EXPECT_EQ(graph.node_count(), 6u);

  EXPECT_EQ(ttGraphReplaceKernelNodes(graph, &chain[1], 1, &one), ttSuccess);
  EXPECT_EQ(ttGraphReplaceKernelNodes(graph, chain, 2, &one), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(graph.node_count(), 5u);
  EXPECT_EQ(dependencyCount(second), 1u); // the set
  EXPECT_EQ(dependencyCount(third), 1u);
  tt::graph_exec exec = graph.instantiate();
  exec.launch();
  EXPECT_EQ(sum.value(), 20);
  EXPECT_EQ(copy.value(), 20);
  EXPECT_EQ(y.value(), 0);
}
TEST(Graphs, ReplaceChainsOnTheCpu) { run("replacesChains", cpu).expectSuccess(); }

SCENARIO(replacesChainsOnAGpu) {
  Values x(1), y(2), sum(0);
  tt::graph graph;
  ttGraphNode_t set = graph.add_set({}, y, 0, bytes);
  ttGraphNode_t first = graph.add_kernel({set}, add, programs, x, y, sum, n);
  ttGraphNode_t second = graph.add_kernel({first}, clustered, 2, nullptr);
  ttKernelNodeParams params = {};
  EXPECT_EQ(ttGraphKernelNodeGetParams(first, &params), ttSuccess);
  EXPECT_EQ(params.kernel, reinterpret_cast<const void *>(add));
  EXPECT_EQ(ttGraphKernelNodeGetParams(second, &params), ttSuccess);
  EXPECT_EQ(params.kernel, reinterpret_cast<const void *>(clustered));
  EXPECT_EQ(params.grid.x, 2u); // programs, not blocks
  EXPECT_EQ(params.attributeCount, 1u); // its clusters
  EXPECT_EQ(ttGraphKernelNodeGetParams(set, &params), ttSuccess);
  EXPECT_EQ(params.kernel, nullptr);
  for (unsigned programs : {33u, 66u}) { // each runs as two, in a cluster or without
    tt::graph other;
    ttGraphNode_t third = other.add_kernel({}, splits, programs, nullptr);
    EXPECT_EQ(ttGraphKernelNodeGetParams(third, &params), ttSuccess);
    EXPECT_EQ(params.grid.x, programs);
    EXPECT_EQ(params.attributeCount, programs == 33);
  }
  ttPointerAttributes attributes;
  EXPECT_EQ(ttPointerGetAttributes(&attributes, static_cast<float *>(sum) + 1), ttSuccess);
  EXPECT_EQ(attributes.blockBegin, static_cast<float *>(sum));
  EXPECT_EQ(attributes.blockBytes, size_t(bytes));

  float *a = x, *b = y, *c = sum;
  int size = n;
  void *args[] = {&a, &b, &c, &size};
  ttKernelNodeParams one = {reinterpret_cast<const void *>(add), {1, 1, 1}, args, nullptr, 0};
  ttGraphNode_t chain[] = {first, second};
  EXPECT_EQ(ttGraphReplaceKernelNodes(graph, chain, 2, &one), ttSuccess) << ttGetLastErrorMessage();
  EXPECT_EQ(graph.node_count(), 2u);
  EXPECT_EQ(dependencyCount(second), 1u);
  graph.instantiate().launch();
}
TEST(Graphs, ReplaceChainsOnAGpu) {
  run("replacesChainsOnAGpu", {{"FAKE_CUDA_ARCHS", "90"}})
      .expectSuccess()
      .expectLog("cuGraphDestroyNode kernel add_16")
      .expectLog("graph runs kernel add_16 grid 1,1,1");
}

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
      .expectLog(
          "graph node: kernel add_16 grid 2,1,1 block 128 shared 16384 after\ncuGraphKernelNodeSetAttribute 2:1\n")
      .expectLog(
          "graph node: kernel clustered grid 20,1,1 block 128 shared 1024 after 0\ncuGraphKernelNodeSetAttribute 4:4\n"
          "graph node: copy 64 after 0 1\ngraph node: set 32 x 1 to 1 after\ncuGraphInstantiate of 4\n")
      .expectLog("graph runs kernel add_p16 grid 7,1,1 block 128");
}

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
  run("graphsFail",
      {{"FAKE_CUDA_FAIL", "cuGraphAddEmptyNode=2,cuGraphInstantiateWithFlags=2,cuStreamBeginCapture=719"}})
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
    EXPECT_STREQ(error.what(),
                 "kernel 'meet': 5000 programs cannot run at the same time on the CPU device, which starts a thread "
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
