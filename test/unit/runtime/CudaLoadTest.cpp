//===-- CudaLoadTest.cpp - tests loading and launching on GPUs with the fake driver ----------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <atomic>
#include <dlfcn.h>
#include <regex>
#include <stdint.h>
#include <stdio.h>
#include <thread>
#include <vector>

using scenario::run;

template <class Kernel> static const void *stub(Kernel *kernel) { return reinterpret_cast<const void *>(kernel); }

static float *at(uintptr_t address) { return reinterpret_cast<float *>(address); }

SCENARIO(launchesVariants) {
  tt::launch(add, 1, nullptr, at(0x1000), at(0x2000), at(0x3000), 1024);
  tt::launch(add, 1, nullptr, at(0x1000), at(0x2000), at(0x3000), 1023);
  tt::launch(add, 1, nullptr, at(0x1000), at(0x2004), at(0x3000), 1024);
  tt::launch(add, 1, nullptr, at(0x1008), at(0x2000), at(0x3000), 7);
  pushCall(1);
  add(at(0x1000), at(0x2000), at(0x3000), 1040);
  pushCall(1);
  add(at(0x1000), at(0x2000), at(0x3001), 1040);
}
TEST(CudaLaunch, TheArgumentsChooseTheVariant) {
  auto outcome = run("launchesVariants");
  outcome.expectSuccess();
  std::string variants, line;
  for (size_t at = 0; (at = outcome.log.find("\ncuLaunchKernel ", at)) != std::string::npos; ++at)
    variants += outcome.log.substr(at + 16, outcome.log.find(" of", at) - at - 16) + " ";
  EXPECT_EQ(variants, "add_16 add_p16 add add add_16 add ") << outcome.log;
}

SCENARIO(launchesOnce) {
  try {
    tt::launch(add, 2, nullptr, at(0x1000), at(0x2000), at(0x3000), 1024);
    printf("launched\n");
  } catch (const tt::error &error) {
    printf("error %s: %s\n", ttGetErrorName(error.code()), error.what());
  }
}
TEST(CudaLaunch, TheDeviceChoosesTheImage) {
  run("launchesOnce", {{"FAKE_CUDA_ARCHS", "80"}}).expectSuccess().expectLog("of 'fatbin of add' grid 2,1,1 block 128,1,1 "
                                                                             "shared 0 ");
  run("launchesOnce", {{"FAKE_CUDA_ARCHS", "89"}}).expectLog("of 'fatbin of add' grid 2,1,1 block 128,1,1 shared 0 ");
  run("launchesOnce", {{"FAKE_CUDA_ARCHS", "90"}}).expectLog("of 'fatbin of add' grid 2,1,1 block 128,1,1 shared 16384 ");
  run("launchesOnce", {{"FAKE_CUDA_ARCHS", "100"}}).expectLog("of 'ptx of add' grid 2,1,1 block 128,1,1 shared 0 ");
}
TEST(CudaLaunch, AGpuWithoutAnImageIsAnError) {
  auto outcome = run("launchesOnce", {{"FAKE_CUDA_ARCHS", "75"}});
  outcome.expectSuccess().expectNoLog("cuLaunchKernel").expectNoLog("cuModuleLoadDataEx");
  outcome.expectOutput("error ttErrorNoKernelImageForDevice: kernel 'add' (add.tt.cpp) has no code for Fake GPU 0 (sm_75); "
                       "it was compiled for: sm_80, sm_90, compute_90");
}
TEST(CudaLaunch, PtxIsForcedAsTheDriverForcesIt) {
  run("launchesOnce", {{"CUDA_FORCE_PTX_JIT", "1"}}).expectSuccess().expectLog("of 'ptx of add'");
  run("launchesOnce", {{"CUDA_FORCE_PTX_JIT", "1"}, {"FAKE_CUDA_ARCHS", "80"}})
      .expectOutput("has no code for Fake GPU 0 (sm_80) with CUDA_FORCE_PTX_JIT set");
}
TEST(CudaLaunch, WhatTheDriverSaysOfLoadingIsReported) {
  run("launchesOnce", {{"FAKE_CUDA_FAIL", "cuModuleGetFunction=500"}})
      .expectOutput("error ttErrorSymbolNotFound: kernel 'add': cuModuleGetFunction failed: CUDA_ERROR_NOT_FOUND (500): as "
                    "the fake driver was told (symbol add_16)");
}

SCENARIO(launchesMapped) {
  tt::launch(mapped, 3, nullptr, at(0x1000), 1024l);
  tt::launch(mapped, 3, nullptr, at(0x1004), 1024l);
  // There is no map for rows with negative strides, without rows, or for more rows than coordinates can count.
  for (long distance : {-1024l, 0l, 1l << 31})
    tt::launch(mapped, 3, nullptr, at(0x1000), distance);
}
TEST(CudaLaunch, MakesTensorMapsOfTheArguments) {
  auto outcome = run("launchesMapped", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess();
  size_t constant = outcome.log.find("cuTensorMapEncodeTiled type 1 rank 4 at (nil) sizes 64,32,2147483648,8192 strides "
                                     "256,16,34359738368 box 64,32,1,1 swizzle 3 aligned 1"),
         scaled = outcome.log.find("cuTensorMapEncodeTiled type 7 rank 4 at 0x1000 sizes 32,1024,2147483648,8192 strides "
                                   "4096,16,34359738368 box 16,8,1,1 swizzle 2 aligned 1"),
         launch = outcome.log.find("cuLaunchKernel mapped_p16 of"), other = outcome.log.find("cuLaunchKernel mapped of");
  EXPECT_LT(constant, scaled) << outcome.log;
  EXPECT_LT(scaled, launch) << outcome.log;
  // A variant without maps gets none.
  EXPECT_LT(launch, other) << outcome.log;
  EXPECT_EQ(outcome.log.substr(launch, other - launch).find("cuTensorMapEncodeTiled"), std::string::npos) << outcome.log;
}

SCENARIO(launchesImaged) {
  tt::launch(imaged, 3, nullptr, at(0x1000), 10l);
  tt::launch(imaged, 3, nullptr, at(0x1000), 3l);       // less than is required
  tt::launch(imaged, 3, nullptr, at(0x1000), 1l << 60); // overflows
}
TEST(CudaLaunch, MakesMapsOfImagesOfTheArguments) {
  auto outcome = run("launchesImaged", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess();
  size_t image = outcome.log.find(
             "cuTensorMapEncodeIm2col type 7 rank 4 at 0x1000 sizes 16,10,6,2 strides 64,640,3840 corners -1,-1 to "
             "-1,-1 box 16,128 steps 1,1,2,1 swizzle 2 aligned 1"),
         launch = outcome.log.find("cuLaunchKernelEx imaged_p16 grid 3,1,1"),
         other = outcome.log.find("cuLaunchKernel imaged of"),
         another = outcome.log.find("cuLaunchKernel imaged of", other + 1);
  EXPECT_LT(image, launch) << outcome.log;
  EXPECT_LT(launch, other) << outcome.log;
  EXPECT_NE(another, std::string::npos) << outcome.log;
  EXPECT_EQ(outcome.log.find("cuTensorMapEncodeIm2col", launch), std::string::npos) << outcome.log;
}

// Code that waits for the previous launch is launched before that has ended, unless the caller or a capture orders them.
SCENARIO(launchesThatWait) {
  tt::launch(imaged, 4, nullptr, at(0x1000), 10l);
  tt::launch(imaged, tt::launch_config(5).priority(1), at(0x1000), 10l);
  tt::launch(imaged, tt::launch_config(6).programmatic(false), at(0x1000), 10l);
  tt::launch(imaged, tt::launch_config(7).cooperative(), at(0x1000), 10l);
  tt::launch(imaged, 8, nullptr, at(0x1000), 3l); // a variant that does not wait
  tt::stream stream;
  tt::graph::capture(stream, [&] { tt::launch(imaged, 9, stream, at(0x1000), 10l); });
}
TEST(CudaLaunch, LaunchesEarlyWhatWaits) {
  run("launchesThatWait", {{"FAKE_CUDA_ARCHS", "90"}})
      .expectSuccess()
      .expectLog("cuLaunchKernelEx imaged_p16 grid 4,1,1 block 256 shared 0 attributes 6:1")
      .expectLog("cuLaunchKernelEx imaged_p16 grid 5,1,1 block 256 shared 0 attributes 6:1 8:1")
      .expectLog("cuLaunchKernelEx imaged_p16 grid 6,1,1 block 256 shared 0 attributes 6:0")
      .expectLog("cuLaunchKernelEx imaged_p16 grid 7,1,1 block 256 shared 0 attributes 2:1")
      .expectLog("cuLaunchKernel imaged of 'ptx 90 of clustered' grid 8,1,1")
      .expectLog("cuLaunchKernel imaged_p16 of 'ptx 90 of clustered' grid 9,1,1");
}

// Four blocks run on each of 132 multiprocessors at once.
SCENARIO(launchesPersistent) {
  tt::launch(persistent, 3, nullptr, at(0x1000), 1024l);
  tt::launch(persistent, 5000, nullptr, at(0x1000), 1024l);
  tt::launch(persistent, ttDim3{5000, 4, 2}, nullptr, at(0x1000), 1024l);
  tt::launch(persistent, ttDim3{5000, 400, 1}, nullptr, at(0x1000), 1024l); // one for each of 400 would leave a fourth of the GPU idle
  tt::launch(persistent, ttDim3{7, 1000, 1}, nullptr, at(0x1000), 1024l);
  tt::launch(persistent, 5000, nullptr, at(0x1004), 1024l); // a variant that is not persistent
}
TEST(CudaLaunch, StartsAsManyPersistentBlocksAsRunAtOnce) {
  auto outcome = run("launchesPersistent", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess();
  for (auto [symbol, grid] : {std::pair{"persistent_p16", "3,1,1"}, {"persistent_p16", "528,1,1"}, {"persistent_p16", "66,4,2"},
                              {"persistent_p16", "5000,400,1"}, {"persistent_p16", "7,1000,1"}, {"persistent", "5000,1,1"}}) {
    std::regex launch("cuLaunchKernel " + std::string(symbol) + " of '[^']*' grid " + grid + " ");
    EXPECT_TRUE(std::regex_search(outcome.log, launch)) << symbol << " " << grid << "\n" << outcome.log;
  }
}

// Rows of 4112 bytes do not begin with cache lines. 66 pairs of blocks run at once.
SCENARIO(launchesPairs) {
  tt::launch(persistent, 5000, nullptr, at(0x1000), 1028l);
  tt::launch(persistent, 6, nullptr, at(0x1000), 1028l);
  tt::launch(persistent, ttDim3{5000, 4, 1}, nullptr, at(0x1000), 1028l);
  tt::launch(persistent, tt::launch_config(5000).priority(1), at(0x1000), 1028l);
  tt::launch(persistent, 5001, nullptr, at(0x1000), 1028l); // one program would have no neighbour
  tt::launch(persistent, tt::launch_config(5000).cooperative(), at(0x1000), 1028l);
  tt::launch(persistent, 5000, nullptr, at(0x1004), 1028l); // a variant that is not persistent
}
TEST(CudaLaunch, PairsPersistentBlocksForRowsThatCrossLines) {
  run("launchesPairs", {{"FAKE_CUDA_ARCHS", "90"}})
      .expectSuccess()
      .expectLog("cuLaunchKernelEx persistent_p16 grid 132,1,1 block 256 shared 0 attributes 4:2x1x1")
      .expectLog("cuLaunchKernelEx persistent_p16 grid 6,1,1 block 256 shared 0 attributes 4:2x1x1")
      .expectLog("cuLaunchKernelEx persistent_p16 grid 32,4,1 block 256 shared 0 attributes 4:2x1x1")
      .expectLog("cuLaunchKernelEx persistent_p16 grid 132,1,1 block 256 shared 0 attributes 4:2x1x1 8:1")
      .expectLog("cuLaunchKernel persistent_p16 of 'ptx 90 of clustered' grid 528,1,1")
      .expectLog("cuLaunchKernelEx persistent_p16 grid 5000,1,1 block 256 shared 0 attributes 2:1")
      .expectLog("cuLaunchKernel persistent of 'ptx 90 of clustered' grid 5000,1,1");
}

// Programs are numbered along x and y; the axis z stays. Many programs run as three halves in a block.
SCENARIO(launchesFlattened) {
  tt::launch(flattened, ttDim3{3, 7, 1}, nullptr, at(0x1000), 1024l);
  tt::launch(flattened, ttDim3{65, 16, 1}, nullptr, at(0x1000), 1024l);
  tt::launch(flattened, ttDim3{11, 16, 3}, nullptr, at(0x1000), 1024l);
  tt::launch(flattened, ttDim3{300, 20, 1}, nullptr, at(0x1000), 1024l);
  tt::launch(flattened, ttDim3{50, 12, 1}, nullptr, at(0x1004), 1024l);
  tt::launch(flattened, ttDim3{1u << 28, 20, 1}, nullptr, at(0x1000), 1024l); // a number would not fit
}
TEST(CudaLaunch, NumbersPersistentProgramsAcrossAxes) {
  auto outcome = run("launchesFlattened", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess();
  for (auto [symbol, grid] : {std::pair{"flattened_p16", "21,1,1"}, {"flattened_p16", "528,1,1"},
                              {"flattened_p16", "176,1,3"}, {"flattened_shared", "200,20,1"}, {"flattened", "50,12,1"},
                              {"flattened", "268435456,20,1"}}) {
    std::regex launch("cuLaunchKernel " + std::string(symbol) + " of '[^']*' grid " + grid + " ");
    EXPECT_TRUE(std::regex_search(outcome.log, launch)) << symbol << " " << grid << "\n" << outcome.log;
  }
}

// Attributes change nothing, except if all blocks must run at once: those wait for each other, so there is one for each
// program.
SCENARIO(launchesPersistentWithAttributes) {
  for (tt::launch_config config : {tt::launch_config(5000).priority(1), tt::launch_config(5000).programmatic(),
                                   tt::launch_config(5000).cooperative()})
    tt::launch(persistent, config, at(0x1000), 1024l);
}
TEST(CudaLaunch, StartsAsManyPersistentBlocksWithAttributes) {
  run("launchesPersistentWithAttributes", {{"FAKE_CUDA_ARCHS", "90"}})
      .expectSuccess()
      .expectLog("cuLaunchKernelEx persistent_p16 grid 528,1,1 block 256 shared 0 attributes 8:1")
      .expectLog("cuLaunchKernelEx persistent_p16 grid 528,1,1 block 256 shared 0 attributes 6:1")
      .expectLog("cuLaunchKernelEx persistent_p16 grid 5000,1,1 block 256 shared 0 attributes 2:1");
}

// Two programs by 33 clusters of eight blocks each, of which 66 run at once. They get memory for 66 tiles of 4096 bytes
// and two counters, which the stream keeps for its next such launch.
SCENARIO(launchesClusters) {
  tt::launch(summed, 2, nullptr, at(0x1000), 1024l);
  tt::launch(summed, 2, nullptr, at(0x1000), 1024l);
  tt::launch(summed, 100, nullptr, at(0x1000), 1024l); // programs have a cluster each
  tt::launch(summed, tt::launch_config(2).cooperative(), at(0x1000), 1024l); // clusters that end early cannot be waited for
  tt::launch(summed, 2, nullptr, at(0x1004), 1024l); // a variant that cannot
}
TEST(CudaLaunch, RunsFewProgramsBySeveralClusters) {
  auto outcome = run("launchesClusters", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess()
      .expectLog("cuMemPoolCreate type 1 on 1:0")
      .expectLog("cuMemAllocFromPoolAsync 274432 of device 0")
      .expectLog("cuMemsetD8Async 0 4096")
      .expectLog("cuLaunchKernelEx summed_few grid 528,1,1 block 256 shared 204800 attributes 4:8x1x1");
  EXPECT_EQ(outcome.calls("cuMemAllocFromPoolAsync"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("cuMemsetD8Async"), 1) << outcome.log;
  EXPECT_EQ(outcome.calls("cuMemFreeAsync"), 0) << outcome.log;
  EXPECT_EQ(outcome.calls("cuLaunchKernel"), 5) << outcome.log;
}
// Without memory, programs have a cluster each.
TEST(CudaLaunch, RunsFewProgramsWithoutMemory) {
  run("launchesClusters", {{"FAKE_CUDA_ARCHS", "90"}, {"FAKE_CUDA_FAIL", "cuMemPoolCreate=2"}})
      .expectSuccess()
      .expectLog("cuLaunchKernelEx summed_few grid 16,1,1 block 256 shared 204800 attributes 4:8x1x1");
}

// Blocks for three programs each along y; the last block may have fewer.
SCENARIO(launchesShared) {
  tt::launch(shared, ttDim3{5, 6, 2}, nullptr, at(0x1000), 1024l);
  tt::launch(shared, ttDim3{5, 7, 2}, nullptr, at(0x1000), 1024l);
  tt::launch(shared, ttDim3{5, 1, 1}, nullptr, at(0x1000), 1024l);
  tt::launch(shared, tt::launch_config(ttDim3{2, 9, 1}).priority(1), at(0x1000), 1024l);
  tt::launch(shared, ttDim3{5, 7, 2}, nullptr, at(0x1004), 1024l); // a variant whose programs have blocks of their own
}
TEST(CudaLaunch, StartsABlockForSeveralPrograms) {
  auto outcome = run("launchesShared", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess().expectLog("cuLaunchKernelEx shared_p16 grid 2,3,1 block 512 shared 0 attributes 8:1");
  for (auto [symbol, grid] : {std::pair{"shared_p16", "5,2,2 block 512,1,1"}, {"shared_p16", "5,3,2 block 512,1,1"},
                              {"shared_p16", "5,1,1 block 512,1,1"}, {"shared", "5,7,2 block 128,1,1"}}) {
    std::regex launch("cuLaunchKernel " + std::string(symbol) + " of '[^']*' grid " + grid + " ");
    EXPECT_TRUE(std::regex_search(outcome.log, launch)) << symbol << " " << grid << "\n" << outcome.log;
  }
}

// The fake device has 132 multiprocessors, and runs 4 blocks on each if they have little shared memory, or 66 clusters of
// any size.
SCENARIO(launchesSplits) {
  int value;
  for (unsigned programs : {33u, 66u, 67u, 132u, 133u, 528u, 529u})
    tt::launch(splits, programs, nullptr, &value);
  tt::launch(splits, tt::launch_config(10).cooperative(), &value);
}
TEST(CudaLaunch, ChoosesVariantsAndClustersByTheNumberOfPrograms) {
  auto outcome = run("launchesSplits", {{"FAKE_CUDA_ARCHS", "90"}});
  outcome.expectSuccess()
      .expectLog("cuLaunchKernelEx splits_halves grid 528,1,1 block 128 shared 204800 attributes 4:8x1x1")
      .expectLog("cuLaunchKernelEx splits_halves grid 20,1,1 block 128 shared 204800 attributes 2:1");
  for (auto [symbol, grid] : {std::pair{"splits_halves", "132"}, {"splits_few", "67"}, {"splits_few", "132"}, {"splits_wave", "133"},
                              {"splits_wave", "528"}, {"splits", "529"}}) {
    std::regex launch("cuLaunchKernel " + std::string(symbol) + " of '[^']*' grid " + grid + ",");
    EXPECT_TRUE(std::regex_search(outcome.log, launch)) << symbol << " " << grid << "\n" << outcome.log;
  }
}

SCENARIO(launchesBroken) {
  int value;
  try {
    tt::launch(broken, 1, nullptr, &value);
    FAIL();
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorInvalidPtx);
    EXPECT_STREQ(error.what(),
                 "kernel 'broken' (broken.tt.cpp) cannot be loaded: cuModuleLoadDataEx failed: CUDA_ERROR_INVALID_PTX "
                 "(218): as the fake driver was told:\nptxas application ptx input, line 7; fatal   : Parsing error");
  }
}
TEST(CudaLaunch, ErrorsInPtxComeWithTheCompilersWords) { run("launchesBroken").expectSuccess(); }

SCENARIO(launchesSpecial) {
  int value;
  tt::launch(bigShared, 3, nullptr, &value);
  tt::launch(clustered, ttDim3{5, 6, 7}, nullptr, &value);
  try {
    tt::launch(tooBig, 3, nullptr, &value);
    FAIL();
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorLaunchOutOfResources);
    EXPECT_STREQ(error.what(), "kernel 'tooBig' needs 1048576 bytes of shared memory, this GPU has 232448 for a block; use "
                               "smaller tiles or fewer stages");
  }
  try {
    tt::launch(clustered, 1u << 30, nullptr, &value);
    FAIL();
  } catch (const tt::error &error) {
    EXPECT_STREQ(error.what(), "kernel 'clustered<4>': a grid of 1073741824 programs along x, in clusters of 4 blocks, is "
                               "beyond the limit of 2^31 - 1 blocks");
  }
}
TEST(CudaLaunch, MuchSharedMemoryIsOptedInto) {
  run("launchesSpecial")
      .expectSuccess()
      .expectLog("cuFuncSetAttribute bigShared 8=102400\n")
      .expectLog("cuLaunchKernel bigShared of 'ptx 80 of one rule each' grid 3,1,1 block 256,1,1 shared 102400");
}
TEST(CudaLaunch, AProgramMayBeAClusterOfBlocks) {
  run("launchesSpecial").expectLog("cuLaunchKernelEx clustered grid 20,6,7 block 128 shared 1024 attributes 4:4x1x1");
}

SCENARIO(launchesFromManyThreads) {
  std::atomic<bool> go{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; ++i)
    threads.emplace_back([&] {
      while (!go)
        std::this_thread::yield();
      int value;
      for (int j = 0; j < 3; ++j) {
        tt::launch(add, 2, nullptr, at(0x1000), at(0x2000), at(0x3000), 1024);
        tt::launch(bigShared, 2, nullptr, &value);
      }
    });
  go = true;
  for (std::thread &thread : threads)
    thread.join();
}
TEST(CudaLaunch, ManyThreadsLoadOnce) {
  auto outcome = run("launchesFromManyThreads");
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuInit"), 1);
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx 'fatbin of add'"), 1);
  EXPECT_EQ(outcome.calls("cuModuleLoadDataEx 'ptx 80"), 1);
  EXPECT_EQ(outcome.calls("cuModuleGetFunction add_16"), 1);
  EXPECT_EQ(outcome.calls("cuLaunchKernel "), 64 * 6);
}

SCENARIO(launchesOddGrids) {
  for (ttDim3 empty : {ttDim3{0, 1, 1}, ttDim3{1, 0, 1}, ttDim3{1, 1, 0}})
    EXPECT_NO_THROW(tt::launch(add, empty, nullptr, nullptr, nullptr, nullptr, 0));
  EXPECT_EQ(scenario::driverLog().find("cuLaunchKernel"), std::string::npos);
  for (ttDim3 most : {ttDim3{2147483647, 1, 1}, ttDim3{1, 65535, 1}, ttDim3{1, 1, 65535}})
    EXPECT_NO_THROW(tt::launch(add, most, nullptr, nullptr, nullptr, nullptr, 0));
  for (ttDim3 tooMuch : {ttDim3{2147483648u, 1, 1}, ttDim3{1, 65536, 1}, ttDim3{1, 1, 65536}, ttDim3{0, 65536, 1}}) {
    void *args[4] = {};
    EXPECT_EQ(ttLaunchKernel(stub(add), tooMuch, args, nullptr), ttErrorInvalidConfiguration);
  }
  EXPECT_STREQ(ttGetLastErrorMessage(), "kernel 'add': a grid of 0 x 65536 x 1 programs is beyond the limits, which are "
                                        "2147483647 along x and 65535 along y and z");
}
TEST(CudaLaunch, GridsAreChecked) {
  auto outcome = run("launchesOddGrids");
  outcome.expectSuccess();
  EXPECT_EQ(outcome.calls("cuLaunchKernel"), 3) << outcome.log;
}

SCENARIO(launchesWhileCapturing) {
  int count;
  EXPECT_EQ(ttGetDeviceCount(&count), ttSuccess);
  EXPECT_EQ(ttSetDevice(0), ttSuccess);
  EXPECT_EQ(ttPreload(stub(add)), ttSuccess);
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  reinterpret_cast<int (*)(ttStream_t, int)>(dlsym(library, "cuStreamBeginCapture_v2"))(nullptr, 0);
  size_t before = scenario::driverLog().size();
  tt::launch(add, 2, nullptr, at(0x1000), at(0x2000), at(0x3000), 1024);
  std::string during = scenario::driverLog().substr(before);
  EXPECT_EQ(during.find("cuLaunchKernel add_16"), 0u) << during;
  EXPECT_EQ(during.find('\n'), during.size() - 1) << during; // a preloaded launch is that one call
  int value;
  tt::launch(bigShared, 2, nullptr, &value); // a first launch loads, in relaxed mode
}
TEST(CudaLaunch, CapturesAreNotDisturbed) {
  run("launchesWhileCapturing")
      .expectSuccess()
      .expectLog("cuFuncLoad add_p16\n")
      .expectLog("cuLaunchKernel bigShared")
      .expectNoLog("CAPTURE VIOLATION");
}

SCENARIO(preloadsEverything) {
  // Kernels without code for this GPU are reported, and do not keep the others from being loaded.
  EXPECT_NE(ttPreload(nullptr), ttSuccess);
  std::string loaded = scenario::driverLog();
  EXPECT_NE(loaded.find("cuFuncLoad add_16"), std::string::npos);
  EXPECT_NE(loaded.find("cuFuncLoad clustered"), std::string::npos);
}
TEST(CudaLaunch, PreloadTakesEveryKernel) { run("preloadsEverything").expectSuccess(); }

SCENARIO(getsFunctions) {
  ttFunction_t function = nullptr;
  EXPECT_EQ(ttGetFunction(&function, stub(add)), ttSuccess);
  EXPECT_NE(function, nullptr);
  ttFuncAttributes attributes;
  EXPECT_EQ(ttFuncGetAttributes(&attributes, stub(clustered)), ttSuccess);
  EXPECT_EQ(attributes.threads, 128u);
  EXPECT_EQ(attributes.shared_bytes, 1024u);
  EXPECT_EQ(attributes.cluster, 4u);
  EXPECT_EQ(attributes.num_regs, 40);
  EXPECT_EQ(attributes.binary_version, 90);
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  using Launch = int(ttFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, ttStream_t,
                     void **, void **);
  auto *launch = reinterpret_cast<Launch *>(dlsym(library, "cuLaunchKernel"));
  EXPECT_EQ(launch(function, 9, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr), 0);
}
TEST(CudaLaunch, FunctionsCanBeHandedToTheDriver) {
  run("getsFunctions").expectSuccess().expectLog("cuLaunchKernel add of 'fatbin of add' grid 9,1,1");
}
