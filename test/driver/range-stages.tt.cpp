// A loop's own number of stages takes precedence over the kernel's: it has one slot less in shared memory for each
// operand, but at least two.
//
// RUN: %tcc -arch=sm_80 --emit=ttgir --kernel='sum<2, 4>' %s -o - | FileCheck %s --check-prefix=FOUR
// RUN: %tcc -arch=sm_80 --emit=ttgir --kernel='sum<4, 2>' %s -o - | FileCheck %s --check-prefix=TWO
// RUN: %tcc -arch=sm_80 --emit=ttgir --kernel='sum<4, 1>' %s -o - | FileCheck %s --check-prefix=ONE
// RUN: %tcc -arch=sm_80 --emit=ttgir --kernel=twice %s -o - | FileCheck %s --check-prefix=TWICE
#include <tilecc/tt.h>

template <int Kernel, int Loop>
[[tt::num_stages(Kernel)]] __tile_global__ void sum(const tt::float16 *a, const tt::float16 *b, float *c, int n) {
  auto i = tt::arange<64>()(tt::all, tt::newaxis) * 64 + tt::arange<64>()(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, 64, 64>();
  for (int k : tt::range(0, n, 4096).num_stages(Loop))
    acc = tt::dot(tt::load(a + k + i), tt::load(b + k + i), acc);
  tt::store(c + i, acc);
}
template __global__ void sum<2, 4>(const tt::float16 *, const tt::float16 *, float *, int);
template __global__ void sum<4, 2>(const tt::float16 *, const tt::float16 *, float *, int);
template __global__ void sum<4, 1>(const tt::float16 *, const tt::float16 *, float *, int);

// FOUR-COUNT-2: ttg.local_alloc {{.*}}!ttg.memdesc<3x64x64xf16
// TWO-COUNT-2: ttg.local_alloc {{.*}}!ttg.memdesc<2x64x64xf16
// ONE-NOT: async_copy

// RUN: %tcc -arch=sm_80 --emit=ttgir --kernel=without_sign %s -o - | FileCheck %s --check-prefix=UNSIGNED
// UNSIGNED-COUNT-2: ttg.local_alloc {{.*}}!ttg.memdesc<2x64x64xf16
// UNSIGNED: %[[END:.*]] = arith.maxui
// UNSIGNED: scf.for unsigned
// UNSIGNED: arith.cmpi ult
__tile_global__ void without_sign(const tt::float16 *a, const tt::float16 *b, float *c, unsigned n) {
  auto i = tt::arange<64>()(tt::all, tt::newaxis) * 64 + tt::arange<64>()(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, 64, 64>();
  for (unsigned k = 0; k < n; k += 4096)
    acc = tt::dot(tt::load(a + k + i), tt::load(b + k + i), acc);
  tt::store(c + i, acc);
}

// Two iterations in one, and a remaining one: two dots, then one.
// TWICE: scf.for
// TWICE-COUNT-2: tt.dot
// TWICE: scf.for
// TWICE: tt.dot
// TWICE-NOT: tt.dot
__tile_global__ void twice(const tt::float16 *a, const tt::float16 *b, float *c, int n) {
  auto i = tt::arange<64>()(tt::all, tt::newaxis) * 64 + tt::arange<64>()(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, 64, 64>();
  for (int k : tt::range(0, n, 4096).unroll(2))
    acc = tt::dot(tt::load(a + k + i), tt::load(b + k + i), acc);
  tt::store(c + i, acc);
}
