//===-- ProfileTest.cpp - tests times inside kernels on GPUs with the fake driver -------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <fstream>
#include <regex>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <vector>

using scenario::run;

static float *at(uintptr_t address) { return reinterpret_cast<float *>(address); }

static void launchAdd(ttStream_t stream, unsigned blocks) {
  tt::launch(add, blocks, stream, at(0x1000), at(0x2000), at(0x3000), 1024);
}

/// Runs a scenario with a profile, and returns it with the trace as its output.
static scenario::Outcome profile(const char *name, scenario::Environment environment = {}, bool records = true) {
  char trace[] = "/tmp/tilecc-profile-XXXXXX";
  close(mkstemp(trace));
  environment.push_back({"TILECC_PROFILE", trace});
  if (records)
    environment.push_back({"FAKE_CUDA_RECORDS", "1"});
  auto outcome = run(name, environment);
  outcome.expectSuccess();
  std::ifstream file(trace);
  outcome.output += std::string(std::istreambuf_iterator<char>(file), {});
  unlink(trace);
  return outcome;
}

/// The warps and scopes in a trace: "add launch 1 block 0 1.000; wait 0.200; ".
static std::string summarize(const std::string &trace) {
  std::string summary;
  const std::regex event(R"x(\{"name":"(\w+)","cat":"(warp|scope)","ph":"X","ts":[\d.]+,"dur":([\d.]+),.*)x");
  const std::regex warp(R"x("where":"block \((\d+), 0, 0\), warp 0","launch":(\d+))x");
  for (std::sregex_iterator found(trace.begin(), trace.end(), event), end; found != end; ++found) {
    std::string line = found->str();
    std::smatch parts;
    summary += (*found)[1];
    if (std::regex_search(line, parts, warp))
      summary += " launch " + parts[2].str() + " block " + parts[1].str();
    summary += " " + (*found)[3].str() + "; ";
  }
  return summary;
}

SCENARIO(profilesLaunches) {
  for (int launch = 0; launch < 3; ++launch)
    launchAdd(nullptr, 2);
}
TEST(Profile, TheFirstLaunchesAreRecorded) {
  auto outcome = profile("profilesLaunches");
  EXPECT_EQ(summarize(outcome.output), "add launch 1 block 0 1.000; wait 0.200; "
                                       "add launch 1 block 1 1.000; wait 0.200; ")
      << outcome.output;
  EXPECT_NE(outcome.output.find(R"("args":{"file":"app.tt.cpp","line":7})"), std::string::npos);
  // Each is waited for, and all memory is freed.
  EXPECT_EQ(outcome.calls("cuCtxSynchronize"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("cuMemAlloc"), outcome.calls("cuMemFree"));
  outcome = profile("profilesLaunches", {{"TILECC_PROFILE_LAUNCHES", "2"}});
  EXPECT_NE(summarize(outcome.output).find("add launch 2 block 1"), std::string::npos) << outcome.output;
  EXPECT_EQ(summarize(outcome.output).find("add launch 3"), std::string::npos) << outcome.output;
}
TEST(Profile, WhatDoesNotFitIsReported) {
  profile("profilesLaunches", {{"TILECC_PROFILE_BYTES", "16"}})
      .expectOutput("kernel 'add': there was no room for 1 of 2 warps, and 0 of the others have filled theirs; set "
                    "TILECC_PROFILE_BYTES to more than 16");
  profile("profilesLaunches", {{"FAKE_CUDA_FAIL", "cuMemAlloc=2"}})
      .expectOutput("kernel 'add' is not recorded: there is no memory for it on the device");
}
TEST(Profile, CodeWithoutRecordsHasNoVariables) {
  auto outcome = profile("profilesLaunches", {}, /*records=*/false);
  outcome.expectLog("cuModuleGetGlobal add_16$profile").expectNoLog("cuMemAlloc");
  EXPECT_EQ(summarize(outcome.output), "");
}

SCENARIO(profilesGraphs) {
  tt::stream stream;
  tt::graph other = tt::graph::capture(stream, [&] { ttMemsetAsync(at(0x1000), 0, 4, stream); });
  tt::graph_exec without = other.instantiate();
  tt::graph graph = tt::graph::capture(stream, [&] { launchAdd(stream, 1); });
  tt::graph_exec exec = graph.instantiate();
  without.launch(stream); // the kernel has a buffer, and leaves it empty
  exec.launch(stream);
  exec.launch(stream);
}
TEST(Profile, LaunchesInGraphsAreRecorded) {
  auto outcome = profile("profilesGraphs");
  EXPECT_EQ(summarize(outcome.output), "add launch 1 block 0 1.000; wait 0.200; ") << outcome.output;
  outcome.expectNoLog("CAPTURE VIOLATION");
  outcome = profile("profilesGraphs", {{"TILECC_PROFILE_LAUNCHES", "2"}});
  EXPECT_NE(summarize(outcome.output).find("add launch 2 block 0"), std::string::npos) << outcome.output;
}
