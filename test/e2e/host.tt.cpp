// Tests <tilecc/host.h>: memory, tensors, comparison, times, and checks that report their line.
// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t | FileCheck %s
// RUN: %emulate %t | FileCheck %s
// RUN: %clangxx -std=c++20 -Wall -Wextra -Werror -fsyntax-only -DPLAIN -I %source_dir/runtime/include -x c++ %s
// RUN: %gxx -std=c++20 -Wall -Wextra -Werror -fsyntax-only -DPLAIN -I %source_dir/runtime/include -x c++ %s
#include <algorithm>
#include <cmath>
#include <iostream>
#include <tilecc/host.h>

#ifdef PLAIN // no kernels in other compilers
static void scale(const float *, float *, int, float) {}
#define LAUNCH(grid, ...) tt::launch(__VA_ARGS__)
#define SCALE(x, y, n, factor) tt::launch(scale, 1, nullptr, x, y, n, factor)
#else
#include <tilecc/tt.h>
__tile_global__ void scale(const float *x, float *y, int n, float factor) {
  auto i = tt::program_id(0) * 256 + tt::arange<256>();
  tt::store(y + i, tt::load(x + i, i < n) * factor, i < n);
}
#define SCALE(x, y, n, factor) scale<<<tt::cdiv(n, 256)>>>(x, y, n, factor)
#endif

template <class F> void expect_error(const char *name, F call) {
  try {
    call();
    std::cout << name << ": no error\n";
  } catch (const tt::error &error) {
    std::string text = error.what();
    std::cout << name << ": " << text.substr(text.rfind('/') + 1) << "\n";
  }
}

int main() {
  const int n = 1000;
  std::vector<float> values = tt::random_normal(n, 7), expected = values;
  for (float &value : expected)
    value *= 2;
  tt::buffer<float> x(values), y(n, -1.0f);

  // CHECK: -1 -1
  std::vector<float> before = y.to_vector();
  std::cout << before.front() << " " << before.back() << "\n";

  // A buffer can be a kernel's argument.
  SCALE(x, y, n, 2.0f);
  // CHECK-NEXT: doubled: all 1000 elements are right, the largest difference is 0
  std::cout << tt::compare("doubled", y.to_vector(), expected) << "\n";

  expected[17] = 5, expected[400] += 1;
  auto result = tt::compare("spoiled", y.to_vector(), expected, {.relative = 1e-3});
  // CHECK-NEXT: 0 2 17
  std::cout << bool(result) << " " << result.wrong << " " << result.first << "\n";
  // CHECK-NEXT: nans: 2 of 4 elements are wrong, the first at 1; the worst at 1: nan, expected 1, which is off by inf
  const float nan = NAN, inf = INFINITY;
  std::cout << tt::compare("nans", std::vector{nan, nan, inf, inf}, std::vector{nan, 1.0f, inf, -inf}) << "\n";

  // CHECK-NEXT: {{\[\[}}0, 1, 2],
  // CHECK-NEXT: {{^ }}[3, 4, 5]]
  std::vector<int> numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  std::cout << tt::view(numbers.data(), {2, 3}) << "\n";
  // CHECK-NEXT: [0, 1, 2, ..., 7, 8, 9]
  std::cout << tt::view(numbers.data(), {10}) << "\n";
  // CHECK-NEXT: {{\[\[}}0, 2],
  // CHECK-NEXT: {{^ }}[1, 3]]
  std::cout << tt::view(numbers.data(), {numbers.size() / 5, size_t(2)}, {1, 2}) << "\n";
  // CHECK-NEXT: [9, 7, 5] 5
  tt::view<int, 1> back(numbers.data() + 9, {3}, {-2});
  std::cout << back << " " << back(2) << "\n";

  auto time = tt::do_bench([&] { SCALE(x, y, n, 2.0f); }, {.warmup_ms = 0, .measured_ms = 1});
  // CHECK-NEXT: 1 1 1
  std::cout << (time.least <= time.median && time.median <= time.most) << " " << (time.runs > 0) << " "
            << (time.gigabytes_per_second(8.0 * n) > 0) << "\n";

  // CHECK-NEXT: check: host.tt.cpp:[[#@LINE+1]]: ttSetDevice(77): {{.+}}
  expect_error("check", [&] { TT_CHECK(ttSetDevice(77)); });
  // A buffer converts to a pointer, and is a sequence of elements on the device.
  // CHECK-NEXT: 4 9 7 1
  tt::buffer<float> list = {1, 2, 3, 4}, one = {7};
  SCALE(list + 1, &list[2], 1, 2.0f);
  list[0] = 9;
  std::cout << list[2] << " " << list[0] << " " << one.item() << " " << (+list == list.data() && 1 + list == &list[1])
            << std::endl;
  // CHECK-NEXT: {{\[\[}}9, 2],
  // CHECK-NEXT: {{^ }}[4, 4]]
  tt::print(list, {2, 2});
  fflush(stdout);
  std::vector<int> integers = tt::random_int(1000, -3, 4);
  // CHECK-NEXT: -3 3
  std::cout << *std::min_element(integers.begin(), integers.end()) << " "
            << *std::max_element(integers.begin(), integers.end()) << "\n";
  // CHECK-NEXT: item: item() of 4 elements where there are 1
  expect_error("item", [&] { (void)list.item(); });
  // An error has its own message, not that of an earlier error of the same kind.
  // CHECK-NEXT: earlier: {{.*}} 1000000000000000000 bytes
  expect_error("earlier", [&] { tt::device_buffer<char>(1000000000000000000); });
  // CHECK-NEXT: huge: {{.*}} 18446744073709551615 bytes
  expect_error("huge", [&] { tt::buffer<double>(-1); });
  // CHECK-NEXT: size: a copy of 10 elements where there are 1000
  expect_error("size", [&] { x.copy_from(std::span<const float>(values.data(), 10)); });
}
