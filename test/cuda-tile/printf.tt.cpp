// C's printf prints the same on every device: a line for each program, or for each element of a tile.
// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t > %t.cpu && FileCheck %s < %t.cpu && FileCheck %s --check-prefix=COUNT < %t.cpu
// RUN: %emulate %t > %t.emu && FileCheck %s < %t.emu && FileCheck %s --check-prefix=COUNT < %t.emu
// RUN: not %tcc -DMISTAKES -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=MISTAKE --implicit-check-not=error:
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <stdio.h>
#include <tilecc/runtime.h>

namespace ct = cuda::tiles;

// CHECK-DAG: {{^}}100% of program 0{{$}}
// CHECK-DAG: {{^}}100% of program 1{{$}}
// CHECK-DAG: {{^}}-7 +7 fffffffffffffff9 x|  1.50| 4294967289 5.000000e-01{{$}}
// CHECK-DAG: {{^}}0: 0.250{{$}}
// CHECK-DAG: {{^}}0: 1.250{{$}}
// CHECK-DAG: {{^}}0: 2.250{{$}}
// CHECK-DAG: {{^}}0: 3.250{{$}}
// CHECK-DAG: {{^}}in a helper{{$}}
// COUNT-COUNT-8: {{^.+$}}
// COUNT-NOT: {{.}}
__tile__ void help() { printf("in a helper\n"); }

__tile_global__ void messages(int n, signed char c, __half h) {
  int program = ct::bid().x, count = printf("100%% of program %d\n", program);
  if (program != 0)
    return;
  help();
  printf("%d %+i %lx %c|%6.2f| %u %e\n", n, -n, long(n), 'x', 1.5f, c, h);
  auto x = ct::element_cast<__half>(ct::iota<ct::tile<int, ct::shape<2, 2>>>());
  printf("%d: %.3f\n", count - 1, x + __half(0.25f));
}

#ifdef MISTAKES
__tile_global__ void mistakes(const char *format, float *p) {
  // MISTAKE: [[#@LINE+1]]:{{[0-9]+}}: error: the format of printf in a kernel must be a string literal
  printf(format, 1);
}
__tile_global__ void types(float *p) {
  // MISTAKE: [[#@LINE+1]]:{{[0-9]+}}: error: %5d of printf takes an integer, and value 2 is float
  printf("%p %5d\n", p, 1.0f);
}
__tile_global__ void texts(float *p) {
  // MISTAKE: [[#@LINE+1]]:{{[0-9]+}}: error: printf in a kernel has no conversion %s
  printf("%s\n", 1);
}
__tile_global__ void numbers(float *p) {
  // MISTAKE: [[#@LINE+1]]:{{[0-9]+}}: error: the format of printf has 2 conversions for 1 values
  printf("%d %d\n", 1);
}
__tile_global__ void tiles(float *p) {
  auto x = ct::iota<ct::tile<int, ct::shape<4>>>();
  // MISTAKE: [[#@LINE+1]]:{{[0-9]+}}: error: printf in a kernel prints one tile at a time
  printf("%d %d\n", x, x);
}
#endif

int main() {
  messages<<<2, 1>>>(-7, -7, __half(0.5f));
  tt::check(ttDeviceSynchronize());
}
