// Tests kernels without parameters: in a namespace or not, as a template, inline, and with internal linkage.
// RUN: %tcc -O2 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 %t | FileCheck %s
// RUN: %emulate %t | FileCheck %s
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

__tile_global__ void hello() { tt::device_print("hello"); }
namespace inner {
__tile_global__ void hello() { tt::device_print("inner"); }
} // namespace inner
template <int N> __tile_global__ void sized() { tt::device_print("sized", N); }
inline __tile_global__ void inlined() { tt::device_print("inlined"); }
inline __tile_global__ void unused() { tt::device_print("unused"); }
static __tile_global__ void own() { tt::device_print("own"); }

int main() {
  // CHECK-COUNT-2: hello
  hello<<<2>>>();
  // CHECK: inner
  inner::hello<<<1>>>();
  // CHECK: sized: 7
  sized<7><<<1>>>();
  // CHECK: inlined
  inlined<<<1>>>();
  // CHECK: own
  own<<<1>>>();
  // CHECK: hello
  tt::launch(hello, 1, nullptr);
  tt::check(ttGetLastError());
  tt::check(ttDeviceSynchronize());
}
