// device_assert ends the kernel with file, line, kernel and message. With NDEBUG it does nothing.
// RUN: %tcc -O2 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t 0 && env TILECC_DEVICE=emu:sm_90 %t 0
// RUN: not --crash env TILECC_DEVICE=cpu %t 1 2>&1 | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: not --crash env TILECC_DEVICE=emu:sm_90 %t 1 2>&1 | FileCheck %s
// RUN: %tcc -DNDEBUG -O2 %s -o %t && env TILECC_DEVICE=cpu %t 1 && env TILECC_DEVICE=emu:sm_90 %t 1

#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <cstdlib>
#include <vector>

__tile_global__ void positive(const int *x, int *out, int limit) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + i);
  tt::device_assert(limit < 1000);
  // CHECK: assert.tt.cpp:[[#@LINE+2]]: positive(int const*, int*, int):
  // CPU-SAME: program: [1,0,0] Assertion `positive, please` failed.
  tt::device_assert(v > 0 || tt::program_id(0) == 0, "positive, please");
  tt::store(out + i, v);
}

int main(int count, char **argv) {
  tt::device_buffer<int> x(64), out(64);
  std::vector<int> values(64, 5);
  if (count > 1 && std::atoi(argv[1])) // without an argument, as in the gpu-bundle, the assertion holds
    values[37] = 0;
  x.copy_from(values.data());
  positive<<<2>>>(x.data(), out.data(), 10);
  tt::check(ttDeviceSynchronize());
}
