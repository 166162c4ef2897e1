// device_print must print the same lines on every device, in any order.
// RUN: %tcc -O2 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t > %t.cpu && FileCheck %s < %t.cpu && FileCheck %s --check-prefix=COUNT < %t.cpu
// RUN: %emulate %t > %t.emu && FileCheck %s < %t.emu && FileCheck %s --check-prefix=COUNT < %t.emu
// RUN: %emulate_at_random %t > %t.random && FileCheck %s < %t.random && FileCheck %s --check-prefix=COUNT < %t.random

#include <cstdint>
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

// CHECK-DAG: {{^}}pid (0, 0, 0) 100% literal{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx (0, 0) tile: -1.500000{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx (0, 1) tile: -0.500000{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx (1, 0) tile: 0.500000{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx (1, 1) tile: 1.500000{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx ( 0) two: (operand 0) 0{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx ( 0) two: (operand 1) 255{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx (15) two: (operand 0) 15{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) idx (15) two: (operand 1) 240{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) negative: (operand 0) -7{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) negative: (operand 1) 18446744073709551609{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) of bits: (operand 0) 0x3fc00000{{$}}
// CHECK-DAG: {{^}}pid (0, 0, 0) of bits: (operand 1) 0x00000000deadbeef{{$}}
// CHECK-DAG: {{^}}pid (1, 0, 0) 100% literal{{$}}
// COUNT-COUNT-42: pid
// COUNT-NOT: pid
__tile_global__ void messages(int *p, int n) {
  tt::device_print("100% literal");
  auto i = tt::arange<2>();
  if (tt::program_id(0) == 0) {
    tt::device_print("tile", (i(tt::all, tt::newaxis) * 2 + i).to<float>() - 1.5f);
    auto k = tt::arange<16>();
    tt::device_print("two", k, (k ^ 255).to<uint8_t>());
    tt::device_print("negative", n, uint64_t(n));
    tt::device_print("of bits", tt::hex, 1.5f, int64_t(0xdeadbeef));
  }
}

int main() {
  tt::device_buffer<int> p(1);
  messages<<<2>>>(p.data(), -7);
  tt::check(ttDeviceSynchronize());
}
