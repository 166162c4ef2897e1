// RUN: not %raise %s 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
#include <tilecc/tt.h>

__tile_global__ void text(float *x, const char *message) {
  // CHECK-DAG: messages.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: the text of tt::device_print must be a string literal
  tt::device_print(message, x[0]);
}

__tile_global__ void inside(float *x) {
  auto v = tt::load(x + tt::arange<64>());
  x[0] = tt::reduce(v, [](float a, float b) {
    // CHECK-DAG: messages.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: tt::device_print is not available in a function on elements
    tt::device_print("a", a);
    return a + b;
  });
}

__tile_global__ void formats(float *x) {
  // CHECK-DAG: messages.tt.cpp:[[#@LINE+1]]:3: warning: tt::device_print has no formats: it prints '%5.2f' as it is, and the values behind the text; tt::device_print("x", x) names one
  tt::device_print("x = %5.2f", x[0]);
  // CHECK-DAG: messages.tt.cpp:[[#@LINE+1]]:3: warning: tt::device_print has no formats: it prints '%ld'
  tt::device_print("x = %ld", int64_t(x[0]));
  tt::device_print("100% done, 5% more", x[0]);
  tt::device_print("%d");
}
// CHECK: 2 warnings and 2 errors generated.
