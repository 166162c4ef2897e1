//===-- LoadedLibraryTest.cpp - tests kernels that are loaded while the program runs ------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

using scenario::inChild;
using scenario::run;

static const scenario::Environment cpu = {{"TILECC_DEVICE", "cpu"}, {"TILECC_NUM_THREADS", "2"}};

static std::string bytesOf(const char *name) {
  std::ifstream file(std::string(PLUGIN_DIR "/") + name + ".so", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

namespace {
struct Library {
  Library() {
    std::string bytes = bytesOf("library");
    EXPECT_EQ(ttLibraryLoadData(&handle, bytes.data(), bytes.size()), ttSuccess) << ttGetLastErrorMessage();
    EXPECT_EQ(ttLibraryGetKernel(&kernel, handle, "set"), ttSuccess) << ttGetLastErrorMessage();
  }
  ~Library() { EXPECT_EQ(ttLibraryUnload(handle), ttSuccess); }
  ttError_t launch(int *out, int value) {
    void *args[] = {&out, &value};
    return ttLaunchKernel(kernel, {1, 1, 1}, args, nullptr);
  }
  ttLibrary_t handle = nullptr;
  const void *kernel = nullptr;
};
} // namespace

SCENARIO(loadsLibraries) {
  int out = 0;
  const void *before;
  {
    Library one, two; // the same bytes, as two libraries
    EXPECT_NE(one.kernel, two.kernel);
    EXPECT_EQ(one.launch(&out, 3), ttSuccess);
    EXPECT_EQ(out, 3);
    EXPECT_EQ(two.launch(&out, 4), ttSuccess);
    EXPECT_EQ(out, 4);
    EXPECT_FAILS(two.launch(&out, 13), ttErrorAssert, "kernel 'set': an assertion failed");
    EXPECT_EQ(ttPreload(nullptr), ttErrorNoKernelImageForDevice); // because of fromTheFuture
    before = two.kernel;
    inChild([&] { EXPECT_EQ(two.launch(&out, 5), ttSuccess); });
  }
  void *args[1];
  EXPECT_FAILS(ttLaunchKernel(before, {1, 1, 1}, args, nullptr), ttErrorInvalidDeviceFunction,
               "no kernel is registered");
  Library again;
  EXPECT_EQ(again.launch(&out, 6), ttSuccess);
  EXPECT_EQ(out, 6);
}
TEST(LoadedLibrary, ComesAndGoes) { run("loadsLibraries", cpu).expectSuccess(); }

SCENARIO(loadsLibrariesInThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 20; ++i) {
        int out = -1;
        Library library;
        EXPECT_EQ(library.launch(&out, 100 * t + i + 20), ttSuccess);
        EXPECT_EQ(out, 100 * t + i + 20);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
TEST(LoadedLibrary, ThreadsLoadAndLaunch) { run("loadsLibrariesInThreads", cpu).expectSuccess(); }

SCENARIO(refusesOtherLibraries) {
  ttLibrary_t library;
  std::string good = bytesOf("library"), other = bytesOf("library-other-version"),
              plugin = bytesOf("runtime-plugin-one");
  ASSERT_FALSE(plugin.empty());
  EXPECT_FAILS(ttLibraryLoadData(&library, other.data(), other.size()), ttErrorInvalidKernelImage,
               "another version of tcc");
  EXPECT_FAILS(ttLibraryLoadData(&library, plugin.data(), plugin.size()), ttErrorInvalidKernelImage,
               "not a library of tile kernels");
  EXPECT_FAILS(ttLibraryLoadData(&library, good.data(), good.size() - 64), ttErrorInvalidKernelImage,
               "are not a library");
  EXPECT_EQ(library, nullptr);
  EXPECT_FAILS(ttLibraryUnload(nullptr), ttErrorInvalidResourceHandle, "null");
  const void *kernel;
  Library loaded;
  EXPECT_FAILS(ttLibraryGetKernel(&kernel, loaded.handle, "get"), ttErrorSymbolNotFound,
               "library.tt.cpp has no kernel 'get'; it has: set");
  ttKernelInfo info;
  EXPECT_EQ(ttKernelGetInfo(&info, loaded.kernel), ttSuccess);
  EXPECT_STREQ(info.ttir, "module {}");
  EXPECT_EQ(info.ttirSize, 9u);
  EXPECT_EQ(info.params[1].kind, ttParamInteger);
}
TEST(LoadedLibrary, OthersAreRefused) { run("refusesOtherLibraries", cpu).expectSuccess(); }

SCENARIO(loadsLibraryOnGpu) {
  int *out;
  ASSERT_EQ(ttMalloc(reinterpret_cast<void **>(&out), 4), ttSuccess);
  {
    Library library;
    EXPECT_EQ(library.launch(out, 3), ttSuccess) << ttGetLastErrorMessage();
    ttFunction_t function;
    EXPECT_EQ(ttGetFunction(&function, library.kernel), ttSuccess);
  }
  EXPECT_EQ(ttFree(out), ttSuccess);
}
TEST(LoadedLibrary, GpusLoadItsImage) { run("loadsLibraryOnGpu", {{"FAKE_CUDA_ARCHS", "90"}}).expectSuccess(); }
