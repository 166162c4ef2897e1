// -Rtile=loops reports which loops are split, once for all targets and variants. tt::range(...).split(false) keeps a
// loop whole.
// RUN: %tcc --emit=ttgir -Rtile=loops %s -o %t.ttgir 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: %tcc --emit=ttir --kernel=causal -arch=sm_90 %s | FileCheck %s --check-prefix=LOOPS
// RUN: %tcc --emit=cpu-llvm -Rtile=loops %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=CPU --allow-empty
// LOOPS-COUNT-2: scf.for
// LOOPS-NOT: scf.for
// CPU-NOT: remark

#include <tilecc/tt.h>

template <class Range> __tile__ void accumulate(const tt::float16 *x, float *out, Range range) {
  auto m = tt::program_id(0) * 32 + tt::arange<32>();
  auto d = tt::arange<32>();
  auto rows = tt::load(x + (m.col() * 32 + d.row()));
  auto sum = tt::zeros<float, 32, 32>();
  for (int from : range) {
    auto n = from + tt::arange<32>();
    auto scores = tt::dot(rows, tt::load(x + (n.row() * 32 + d.col())));
    sum += tt::where(m.col() >= n.row(), scores, 0.0f);
  }
  tt::store(out + (m.col() * 32 + d.row()), sum);
}

// CHECK: split-loops.tt.cpp:[[#@LINE-8]]:{{.*}} remark: this loop runs as 2 loops: iterations that need no mask have none
__tile_global__ void causal(const tt::float16 *x, float *out, int n) { accumulate(x, out, tt::range(0, n, 32)); }

__tile_global__ void whole(const tt::float16 *x, float *out, int n) { accumulate(x, out, tt::range(0, n, 32).split(false)); }
