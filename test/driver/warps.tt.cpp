// -Rtile=warps reports the number of warps of a program whose source does not specify it.
// RUN: %tcc --emit=ttir -Rtile=warps %s -o %t.ttir 2>&1 | FileCheck %s
// RUN: %tcc --emit=ttgir --kernel=wide %s | FileCheck %s --check-prefix=CHOSEN
// RUN: %tcc --emit=ttgir --kernel=wide -num-warps=2 -Rtile=warps %s 2>&1 | FileCheck %s --check-prefix=ASKED --implicit-check-not=remark
// RUN: %tcc --emit=ttgir --kernel=said -num-warps=2 %s | FileCheck %s --check-prefix=SAID
// RUN: not %tcc -Rtile=threads %s 2>&1 | FileCheck %s --check-prefix=WRONG
// CHOSEN: "ttg.num-warps" = 8 : i32
// ASKED: "ttg.num-warps" = 2 : i32
// SAID: "ttg.num-warps" = 16 : i32
// WRONG: tcc: error: -Rtile=threads: there is only -Rtile=warps and -Rtile=loops and -Rtile=blocks

#include <tilecc/tt.h>

// CHECK: warps.tt.cpp:[[#@LINE+1]]:{{.*}} remark: 1 warp runs a program of scalar: it has no tile of several elements
__tile_global__ void scalar(float *x) { *x += 1; }

// CHECK: :[[#@LINE+1]]:{{.*}} remark: 4 warps run a program of row: it holds 1024 elements at once
__tile_global__ void row(float *x) { tt::store(x + tt::arange<1024>(), 1.0f); }

// CHECK: :[[#@LINE+1]]:{{.*}} remark: 8 warps run a program of wide: it holds 8192 elements at once
__tile_global__ void wide(float *x) { tt::store(x + tt::arange<8192>(), 1.0f); }

// Two loop-carried tiles count together.
// CHECK: :[[#@LINE+1]]:{{.*}} remark: 8 warps run a program of carried: it holds 8192 elements at once
__tile_global__ void carried(float *x, int n) {
  auto i = tt::arange<4096>();
  auto a = tt::load(x + i), b = a * 2;
  for (int t = 0; t < n; ++t) {
    auto next = a + b * tt::load(x + t);
    b = a;
    a = next;
  }
  tt::store(x + i, a + b);
}

template <int M, int N> __tile_global__ void product(const tt::float16 *x, float *out) {
  auto i = tt::arange<M>();
  auto j = tt::arange<N>();
  auto k = tt::arange<32>();
  auto a = tt::load(x + (i.col() * 32 + k.row()));
  auto b = tt::load(x + (k.col() * N + j.row()));
  tt::store(out + (i.col() * N + j.row()), tt::dot(a, b));
}
// CHECK: remark: 4 warps run a program of product<64, 64>: the accumulators of its dots have 4096 elements at once
template __tile_global__ void product<64, 64>(const tt::float16 *, float *);
// CHECK: remark: 8 warps run a program of product<128, 64>: the accumulators of its dots have 8192 elements at once
template __tile_global__ void product<128, 64>(const tt::float16 *, float *);

// A sort is long: a thread would execute that many instructions for each of its elements.
// CHECK: :[[#@LINE+1]]:{{.*}} remark: 16 warps run a program of sorted: it makes {{[0-9]+}} operations on elements in a row
__tile_global__ void sorted(float *x) { tt::store(x + tt::arange<4096>(), tt::sort<0>(tt::load(x + tt::arange<4096>()))); }

// Each row of the inverse of a triangular matrix is a sum over the rows before it.
// CHECK: :[[#@LINE+1]]:{{.*}} remark: 1 warp runs a program of solved: a loop computes a tile from its former value by a reduction, which one warp does without barriers
__tile_global__ void solved(const float *a, float *out) {
  auto i = tt::arange<32>();
  auto inverse = -tt::load(a + (i.col() * 32 + i.row()));
  for (int r = 1; r < 32; ++r) {
    auto row = tt::load(a + r * 32 + i);
    row += tt::sum<0>(row.col() * inverse);
    inverse = tt::where((i == r).col(), row.row(), inverse);
  }
  tt::store(out + (i.col() * 32 + i.row()), inverse);
}

// A reduction of which the next iteration does not depend.
// CHECK: :[[#@LINE+1]]:{{.*}} remark: 4 warps run a program of scanned: it holds 1024 elements at once
__tile_global__ void scanned(const float *x, float *out, int n) {
  auto i = tt::arange<32>();
  auto state = tt::zeros<float, 32, 32>();
  for (int t = 0; t < n; ++t) {
    state = state * 0.5f + tt::load(x + t * 32 + i).row();
    tt::store(out + t * 32 + i, tt::sum<1>(state));
  }
}

// Dots that continue each other's accumulators count once.
// CHECK: :[[#@LINE+1]]:{{.*}} remark: 4 warps run a program of chained: the accumulators of its dots have 4096 elements at once
__tile_global__ void chained(const tt::float16 *x, float *out) {
  auto i = tt::arange<64>().col() * 64 + tt::arange<64>().row();
  auto a = tt::load(x + i), b = tt::load(x + i + 4096);
  tt::store(out + i, tt::dot(b, a, tt::dot(a, b, tt::dot(a, a))));
}

// Rows that are reduced between two dots are whole in a warp, 16 in each.
template <int M, int N> __tile_global__ void attention(const tt::float16 *x, float *out, int n) {
  auto i = tt::arange<M>();
  auto j = tt::arange<N>();
  auto d = tt::arange<64>();
  auto q = tt::load(x + (i.col() * 64 + d.row()));
  auto sum = tt::zeros<float, M, 64>();
  for (int k = 0; k < n; k += N) {
    auto p = tt::dot(q, tt::load(x + ((k + j).row() * 64 + d.col())));
    p = tt::exp2(p - tt::max<1>(p).col());
    sum = tt::dot(p.template to<tt::float16>(), tt::load(x + ((k + j).col() * 64 + d.row())), sum);
  }
  tt::store(out + (i.col() * 64 + d.row()), sum);
}
// CHECK: remark: 4 warps run a program of attention<64, 128>: rows of 64 are reduced between its dots, 16 by each warp
template __tile_global__ void attention<64, 128>(const tt::float16 *, float *, int);
// CHECK: remark: 8 warps run a program of attention<128, 64>: the accumulators of its dots have 16384 elements at once
template __tile_global__ void attention<128, 64>(const tt::float16 *, float *, int);

// CHECK-NOT: remark
[[tt::num_warps(16)]] __tile_global__ void said(float *x) { tt::store(x + tt::arange<1024>(), 1.0f); }
