// tt::static_print prints, at compile time, the values of constants and the types of other values, for each instance of
// a kernel.
//
// RUN: %raise %s 2>&1 >/dev/null | FileCheck %s --implicit-check-not="{{error|warning|remark}}:"
// RUN: %raise %s 2>/dev/null | FileCheck %s --check-prefix=IR
// RUN: not %raise -DMISTAKE %s 2>&1 | FileCheck %s --check-prefix=MISTAKE
#include <tilecc/tt.h>

enum color { red = 7 };

// IR-NOT: static_print
template <int N, class T> __tile_global__ void instance(T *x, int n, bool flag) {
  auto v = tt::load(x + tt::arange<N>());
  constexpr float scale = 0.25f;
  // CHECK-DAG: static-print.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: block 64 tile<float, 64> float * 0.25 int true
  // CHECK-DAG: static-print.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: block 16 tile<uint8, 16> uint8 * 0.25 int true
  tt::static_print("block", N, v, x, scale, n, N > 8);
  // CHECK-DAG: static-print.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: more 4294967295 -1 7 tile<bool, 64, 2> 1.5 bool
  // CHECK-DAG: static-print.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: more 4294967295 -1 7 tile<bool, 16, 2> 1.5 bool
  tt::static_print("more", ~0u, -1l, red, tt::join(v, v) == v(tt::all, tt::newaxis), tt::float8_e5m2(1.5f), flag);
  // CHECK-DAG: static-print.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: remark: just text
  // CHECK-DAG: static-print.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: remark: just text
  tt::static_print("just text");
}
template __global__ void instance<64, float>(float *, int, bool);
template __global__ void instance<16, unsigned char>(unsigned char *, int, bool);

#ifdef MISTAKE
// MISTAKE: static-print.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the text of tt::static_print must be a string literal
__tile_global__ void mistake(const char *text) { tt::static_print(text); }
#endif
