// Names in decltype and sizeof are not called, so they may be host functions.
// RUN: %raise %s | FileCheck %s
// RUN: not %raise -DCALLED %s 2>&1 | FileCheck %s --check-prefix=CALLED
#include <tilecc/tt.h>
#include <type_traits>
#include <utility>

float on_host(int);
char quiet(char) noexcept;
double on_host(float);
char of_char(char);
template <class T> struct Pair { T a, b; };
template <class T> Pair<T> pair_of(T);
template <class T> constexpr int twice = 2 * sizeof(pair_of(T()));
template <class T> T element_of(tt::tile<T, 16>);

// CHECK-LABEL: tt.func public @kernel
// CHECK: arith.constant dense<1.055000e+03> : tensor<16xf32>
// CHECK-NOT: call
extern "C" __tile_global__ void kernel(float *p) {
  auto x = tt::arange<16>().to<float>();
  decltype(std::declval<float>() * 2) a = 1;
  decltype(on_host(3)) b = 2;
  decltype(element_of(x)) c = 4;
  decltype([](auto x) { return on_host(x); }(1)) d = 0;
  int sizes = sizeof(on_host(1.0f)) + sizeof on_host(2) * 2;          // 8 + 8
  sizes += sizeof(pair_of(on_host(of_char('c')))) + alignof(Pair<char>); // 8 + 1
  sizes += [](auto x) { return sizeof(pair_of(x)); }(1.0) + twice<short>; // 16 + 8
  static_assert(std::is_nothrow_invocable_v<decltype(quiet), char> && !std::is_nothrow_invocable_v<decltype(of_char), char>);
  sizes += 1000 + sizeof(of_char(on_host(1))) + sizeof(sizeof(of_char(1)) + on_host(2)) - 6; // 1 + 4
  tt::store(p + tt::arange<16>(), tt::full<float, 16>(a + b + c + d + sizes));
}

#ifdef CALLED
extern "C" __tile_global__ void calls(float *p) {
  // CALLED: [[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}of_char
  tt::store(p, sizeof(on_host(1)) + of_char(1) + sizeof(on_host(1)));
  // CALLED: [[#@LINE+1]]:{{[0-9]+}}: error: host function 'quiet' is not available in a tile kernel
  tt::store(p, noexcept(quiet(1)));
}
#endif
