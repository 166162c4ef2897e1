//===- JitTest.cpp - tt::jit on the CPU device --------------------------------------------------------------------===//
//
// Kernels are launched from several threads, call functions of the runtime, and are unloaded.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "TestProgram.h"
#include <cmath>
#include <gtest/gtest.h>
#include <thread>
#include <tilecc/host.h>
#include <tilecc/jit.h>

static tt::jit_options uncached() {
  tt::jit_options options;
  options.cache = false;
  return options;
}

TEST(Jit, Launches) {
  tt::jit_kernel add = tt::jit(addSource, "add<64>", uncached());
  std::vector<float> x(1000, 1), y(1000, 2), out(1000, -1);
  tt::launch(add, 16, nullptr, x.data(), y.data(), out.data(), 999);
  EXPECT_EQ(out[998], 3);
  EXPECT_EQ(out[999], -1);
  tt::launch(add, tt::launch_config(16).cooperative(), x.data(), out.data(), out.data(), 999);
  tt::buffer<float> ones(999, 1.0f), sums(999);
  tt::launch(add, 16, nullptr, ones, ones, sums, 999);
  EXPECT_EQ(sums[998], 2.0f);
  EXPECT_EQ(out[998], 4);
}

TEST(Jit, ChecksArguments) {
  tt::jit_kernel add = tt::jit(addSource, "add<64>", uncached());
  float *data = nullptr;
  try {
    tt::launch(add, 16, nullptr, data, data, data, 999L);
    FAIL() << "a long for an int";
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorInvalidValue);
    EXPECT_STREQ(error.what(),
                 "kernel 'add<64>' takes (pointer, pointer, pointer, int32) and was launched with "
                 "(pointer, pointer, pointer, int64)");
  }
  try { // the same size, but another type
    tt::launch(add, 16, nullptr, data, data, data, 999.0f);
    FAIL() << "a float for an int";
  } catch (const tt::error &error) {
    EXPECT_STREQ(error.what(),
                 "kernel 'add<64>' takes (pointer, pointer, pointer, int32) and was launched with "
                 "(pointer, pointer, pointer, float32)");
  }
  EXPECT_THROW(tt::launch(add, 16, nullptr, data, data, 1.0, 999), tt::error);
  EXPECT_THROW(tt::launch(add, 16, nullptr, data, data), tt::error);
}

// Captured launches keep their kernel and arguments, like launches of other kernels.
TEST(Jit, IsPartOfGraphs) {
  tt::jit_kernel twice = tt::jit(addSource, "twice", uncached());
  std::vector<float> x(64, 1);
  tt::stream stream;
  tt::graph graph = tt::graph::capture(stream, [&] { tt::launch(twice, 1, stream, x.data(), 64); });
  tt::graph_exec exec = graph.instantiate();
  exec.launch(stream);
  exec.launch(stream);
  EXPECT_EQ(x[63], 4);
}

// The compiled library does not itself contain conversions of 16-bit floats, functions of the mathematical library and
// of libdevice, or print.
TEST(Jit, HasTheRuntimesFunctions) {
  const char source[] = "#include <tilecc/tt.h>\n#include <tilecc/libdevice.h>\n"
                        "__tile_global__ void k(double *x, _Float16 *h, __bf16 *b) {\n"
                        "  auto i = tt::arange<16>();\n"
                        "  auto v = tt::load(x + i);\n"
                        "  tt::store(h + i, v.to<_Float16>());\n"
                        "  tt::store(b + i, v.to<__bf16>());\n"
                        "  tt::store(x + i, tt::libdevice::lgamma(v) + tt::libdevice::cyl_bessel_i0(v));\n"
                        "}\n";
  tt::jit_kernel kernel = tt::jit(source, "k", uncached());
  std::vector<double> x(16, 2.5);
  std::vector<uint16_t> half(16), brain(16);
  tt::launch(kernel, 1, nullptr, x.data(), half.data(), brain.data());
  EXPECT_NEAR(x[15], std::lgamma(2.5) + 3.2898391440501231, 1e-12);
  EXPECT_EQ(half[3], 0x4100);
  EXPECT_EQ(brain[3], 0x4020);
}

TEST(Jit, AssertionsAreErrors) {
  const char source[] = "#include <tilecc/tt.h>\n"
                        "__tile_global__ void k(int *x) { tt::device_assert(tt::load(x) == 1, \"is one\"); }\n";
  tt::jit_kernel kernel = tt::jit(source, "k", uncached());
  int one = 1, two = 2;
  tt::launch(kernel, 1, nullptr, &one);
  try {
    tt::launch(kernel, 1, nullptr, &two);
    FAIL() << "2 is not 1";
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorAssert);
  }
}

TEST(Jit, MistakesAreExceptions) {
  try {
    tt::jit("#include <tilecc/tt.h>\n__tile_global__ void k(int *x) { oops(); }\n", "k", uncached());
    FAIL();
  } catch (const tt::compile_error &error) {
    EXPECT_EQ(error.code(), TILECC_ERROR_COMPILATION);
    EXPECT_NE(std::string(error.what()).find("kernels.tt.cpp:2:34: error: "), std::string::npos) << error.what();
  }
  EXPECT_THROW(tt::jit(addSource, "add<7>", uncached()), tt::compile_error); // 7 is not a power of two
}

// Libraries with the same kernel can be loaded together, used by several threads, and unloaded.
TEST(Jit, ComesAndGoes) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      for (int round = 0; round < 2; ++round) {
        tt::jit_options options = uncached();
        options.options = {"-DBIAS=" + std::to_string(t)};
        tt::jit_kernel kernel =
            tt::jit("#include <tilecc/tt.h>\n__tile_global__ void k(int *x) { tt::store(x, BIAS); }\n", "k", options);
        tt::jit_kernel copy = kernel;
        int value = -1;
        tt::launch(copy, 1, nullptr, &value);
        EXPECT_EQ(value, t);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Jit, LibrariesTellTheirKernels) {
  TestProgram program(addSource, {"add<64>"});
  ASSERT_EQ(program.compile({"-arch=cpu:3"}), TILECC_SUCCESS) << program.log();
  std::string bytes = program.get(TILECC_LIBRARY);
  ttLibrary_t library;
  ASSERT_EQ(ttLibraryLoadData(&library, bytes.data(), bytes.size()), ttSuccess) << ttGetLastErrorMessage();
  const void *kernel;
  EXPECT_EQ(ttLibraryGetKernel(&kernel, library, "add<64>"), ttSuccess);
  EXPECT_EQ(ttLibraryGetKernel(&kernel, library, "_Z5twicePfi"), ttSuccess);
  ttKernelInfo info;
  EXPECT_EQ(ttKernelGetInfo(&info, kernel), ttSuccess);
  EXPECT_STREQ(info.name, "twice");
  EXPECT_STREQ(info.source, "test.tt.cpp");
  ASSERT_EQ(info.paramCount, 2u);
  EXPECT_EQ(info.params[0].kind, ttParamPointer);
  EXPECT_EQ(ttLibraryGetKernel(&kernel, library, "add<128>"), ttErrorSymbolNotFound);
  EXPECT_STREQ(ttGetLastErrorMessage(), "test.tt.cpp has no kernel 'add<128>'; it has: add<64>, twice");
  EXPECT_EQ(ttLibraryUnload(library), ttSuccess);
  EXPECT_EQ(ttKernelGetInfo(&info, kernel), ttErrorInvalidDeviceFunction);
  EXPECT_EQ(ttLibraryLoadData(&library, "no library", 10), ttErrorInvalidKernelImage);
  bytes.resize(bytes.size() / 2);
  EXPECT_EQ(ttLibraryLoadData(&library, bytes.data(), bytes.size()), ttErrorInvalidKernelImage);
  ttGetLastError();
}
