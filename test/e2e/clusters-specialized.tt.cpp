// Tests programs of several thread blocks with specialized loops: the consumer warps synchronize the blocks in the
// loop, after it, and between two loops.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -O1 -arch=sm_90 --emit=ttgir --tensor-maps=true %s | FileCheck %s
// RUN: %tcc -O1 -arch=sm_90 --emit=ttgir %s | FileCheck %s
// CHECK: ttg.warp_specialize
// CHECK: default
// CHECK: scf.for
// CHECK: ttng.redistribute
// CHECK: partition0
// CHECK-NOT: ttng.redistribute
// CHECK: ttg.warp_return

#include "support/check.h"
#include <algorithm>

/// For each of `times` matrices q, of rows that C blocks share: out = p v, for p = q k^T less the largest of each column, over 64; and
/// `sums` of out's columns.
template <int C, int BM, int BN, int D>
[[tt::num_ctas(C), tt::num_warps(8)]] __tile_global__ void together(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v,
                                                                    float *out, float *sums, int keys, int times) {
  auto m = tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  int first = tt::program_id(0) * times;
  for (int t = first; t < first + times; ++t) {
    auto queries = tt::load(q + t * BM * D + rows);
    auto acc = tt::zeros<float, BM, D>();
    for (int from = 0; from < keys; from += BN) {
      auto scores = tt::dot(queries, tt::load(k + ((from + n).row() * D + d.col())));
      auto p = ((scores - tt::max<0>(scores).row()) * 0.015625f).template to<tt::float16>();
      acc = tt::dot(p, tt::load(v + ((from + n).col() * D + d.row())), acc);
    }
    tt::store(out + t * BM * D + rows, acc);
    tt::store(sums + t * D + d, tt::sum<0>(acc));
  }
}

template <int C, int BM> static void expect(int keys, int programs, int times) {
  constexpr int BN = 64, D = 64;
  e2e::context("%d blocks, %d rows, %d keys, %d programs of %d", C, BM, keys, programs, times);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  int matrices = programs * times;
  e2e::buffer<tt::float16> q(matrices * BM * D, small), k(keys * D + 8, small), v(keys * D + 8, small);
  e2e::buffer<float> out(matrices * BM * D), sums(matrices * D);
  together<C, BM, BN, D><<<programs>>>(q.data(), k.data(), v.data(), out.data(), sums.data(), keys, times);
  std::vector<double> want(matrices * BM * D), wantSums(matrices * D);
  for (int t = 0; t < matrices; ++t)
    for (int key = 0; key < keys; ++key) {
      std::vector<double> scores(BM);
      for (int row = 0; row < BM; ++row)
        for (int i = 0; i < D; ++i)
          scores[row] += double(float(q[(t * BM + row) * D + i])) * double(float(k[key * D + i]));
      double most = *std::max_element(scores.begin(), scores.end());
      for (int row = 0; row < BM; ++row)
        for (int i = 0; i < D; ++i)
          want[(t * BM + row) * D + i] += double(float(tt::float16(float((scores[row] - most) / 64)))) * double(float(v[key * D + i]));
    }
  for (int i = 0; i < matrices * BM * D; ++i)
    wantSums[i / (BM * D) * D + i % D] += want[i];
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
  sums.expect(e2e::tolerance{1, 0.5}, [&](int i) { return wantSums[i]; });
}

int main() {
  return e2e::run("clusters-specialized", [] {
    expect<2, 256>(192, 2, 2);
    expect<4, 512>(128, 1, 3);
    expect<2, 256>(0, 1, 2);
  });
}
