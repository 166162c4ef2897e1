//===-- CxxLayerTest.cpp - tests the RAII layer of the C++ interface ----------------------------------------------===//
#include "Scenario.h"
#include "TestKernels.h"

#include <type_traits>
#include <utility>
#include <vector>

using scenario::run;

namespace {
struct Dim3 { // as CUDA's dim3
  unsigned x, y, z;
};
} // namespace

static_assert(!std::is_copy_constructible_v<tt::stream> && std::is_nothrow_move_constructible_v<tt::stream>);
static_assert(!std::is_copy_constructible_v<tt::device_buffer<int>> &&
              std::is_nothrow_move_assignable_v<tt::device_buffer<int>>);

TEST(Check, KeepsTheWordsOfAnErrorThatIsAlreadyReset) {
  int notAKernel = 0;
  (void)ttLaunchKernel(&notAKernel, ttDim3{1, 1, 1}, nullptr, nullptr);
  try {
    tt::check(ttGetLastError());
    FAIL() << "the launch of something that is no kernel succeeded";
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorInvalidDeviceFunction);
    EXPECT_NE(std::string(error.what()).find("no kernel is registered"), std::string::npos) << error.what();
  }
}

TEST(LaunchGrid, TakesIntegersAndTriples) {
  auto equal = [](tt::launch_grid grid, unsigned x, unsigned y, unsigned z) {
    return grid.get().x == x && grid.get().y == y && grid.get().z == z;
  };
  EXPECT_TRUE(equal(7, 7, 1, 1));
  EXPECT_TRUE(equal(7u, 7, 1, 1));
  EXPECT_TRUE(equal(7ll, 7, 1, 1));
  EXPECT_TRUE(equal(size_t(7), 7, 1, 1));
  EXPECT_TRUE(equal(short(7), 7, 1, 1));
  EXPECT_TRUE(equal(Dim3{2, 3, 4}, 2, 3, 4));
  EXPECT_TRUE(equal(ttDim3{2, 3}, 2, 3, 1));
  // A size that no grid can have stays too large, and is an error at the launch.
  EXPECT_TRUE(equal(-1, 0xffffffff, 1, 1));
  EXPECT_TRUE(equal((1ll << 32) + 1, 0xffffffff, 1, 1));
}

SCENARIO(ownsAndMoves) {
  tt::device_buffer<int> a(10), empty;
  a.set_bytes(0);
  int *data = a.data();
  tt::device_buffer<int> b(std::move(a));
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.size(), 0u);
  EXPECT_EQ(b.data(), data);
  a = std::move(b);
  EXPECT_EQ(a.data(), data);
  EXPECT_EQ(empty.data(), nullptr);

  std::vector<int> host = {1, 2, 3};
  tt::device_buffer<int> c(host.data(), host.size());
  std::vector<int> back(3);
  c.copy_to(back.data());
  EXPECT_EQ(back, host);

  tt::stream stream;
  ttStream_t handle = stream;
  tt::stream moved(std::move(stream));
  EXPECT_EQ(moved.get(), handle);
  EXPECT_EQ(stream.get(), nullptr);
  moved = tt::stream();
  moved.synchronize();

  try {
    tt::device_buffer<double> tooMuch(size_t(-1) / 4);
    FAIL();
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorMemoryAllocation);
    EXPECT_STREQ(error.what(), "not enough memory for 18446744073709551615 bytes on the CPU device");
  }
}
TEST(Owners, FreeOnceAndMove) { run("ownsAndMoves", {{"TILECC_DEVICE", "cpu"}}).expectSuccess(); }

SCENARIO(convertsArguments) {
  float x[4] = {1, 2, 3, 4}, out[4];
  const float *constant = x;
  short n = 4;
  tt::launch(add, 1, nullptr, constant, x, out, n);
  EXPECT_EQ(out[3], 8);
  try {
    tt::launch(add, -1, nullptr, x, x, out, 4ull);
    FAIL();
  } catch (const tt::error &error) {
    EXPECT_EQ(error.code(), ttErrorInvalidConfiguration);
    EXPECT_EQ(ttGetLastError(), ttSuccess); // reported, and so reset
    tt::error copy = error;
    EXPECT_STREQ(copy.what(), "kernel 'add': a grid of 4294967295 x 1 x 1 programs is beyond the limits, which are "
                              "2147483647 along x and 65535 along y and z");
  }
}
TEST(Launch, ConvertsArgumentsToTheKernelsTypes) { run("convertsArguments", {{"TILECC_DEVICE", "cpu"}}).expectSuccess(); }
