//===-- CaptureTest.cpp - tests the capture of streams ----------------------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"
#include "Values.h"

#include <string>
#include <thread>
#include <vector>

using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}}, emulator = {{"TILECC_DEVICE", "emu:sm_90"}};

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

  // A captured graph can be updated from another capture of the same work with other parameters.
  tt::graph again = tt::graph::capture(stream, [&] { tt::launch(add, programs, stream, x, y, more, n); });
  tt::graph_exec one =
      tt::graph::capture(stream, [&] { tt::launch(add, programs, stream, x, x, sum, n); }).instantiate();
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
  EXPECT_FAILS(ttMalloc(&memory, 64), ttErrorStreamCaptureUnsupported,
               "ttMalloc is not possible while a stream is captured");
  expectLost(stream);
  begin(stream);
  EXPECT_FAILS(ttDeviceSynchronize(), ttErrorStreamCaptureUnsupported, "ttDeviceSynchronize");
  expectLost(stream);
  begin(stream);
  EXPECT_FAILS(ttStreamSynchronize(stream), ttErrorStreamCaptureUnsupported,
               "is not possible while the stream is captured");
  expectLost(stream);
  begin(stream);
  EXPECT_FAILS(ttMemsetAsync(x, 0, 4, nullptr), ttErrorStreamCaptureImplicit, "default stream");
  expectLost(stream);
  begin(quiet); // the default stream does not wait for it
  EXPECT_EQ(ttMemsetAsync(x, 0, 4, nullptr), ttSuccess);
  EXPECT_EQ(ttStreamEndCapture(quiet, &graph), ttSuccess);
  EXPECT_EQ(ttGraphDestroy(graph), ttSuccess);

  // The mode determines what other threads may do.
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
  EXPECT_FAILS(ttStreamBeginCapture(nullptr, ttStreamCaptureModeGlobal), ttErrorStreamCaptureUnsupported,
               "legacy stream");
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

// Loaded before: between the begin and the end of the capture, there are only launches.
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
