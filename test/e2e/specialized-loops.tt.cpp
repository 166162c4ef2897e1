// Loops whose loads other warps do, where programs start them again and again, or not at all: inside another loop, under a
// condition, with any number of iterations, in programs that end before.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --variant=a16 %s | FileCheck %s
// CHECK: scf.for
// CHECK: scf.if
// CHECK: ttg.warp_specialize

#include "support/check.h"

/// For each of `times` matrices q, but the second: out = p v for p = (q k^T) * (q k^T) / 64.
template <int BM, int BN, int D>
[[tt::num_warps(8)]] __tile_global__ void squares(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out,
                                                  int keys, int times) {
  auto m = tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = m(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all);
  if (times < 0)
    return;
  for (int t = 0; t < times; ++t) {
    auto queries = tt::load(q + t * BM * D + rows);
    auto acc = tt::zeros<float, BM, D>();
    if (t != 1)
      for (int from = 0; from < keys; from += BN) {
        auto scores = tt::dot(queries, tt::load(k + ((from + n(tt::newaxis, tt::all)) * D + d(tt::all, tt::newaxis))));
        auto squared = (scores * scores * 0.015625f).template to<tt::float16>();
        acc = tt::dot(squared, tt::load(v + ((from + n(tt::all, tt::newaxis)) * D + d(tt::newaxis, tt::all))), acc);
      }
    tt::store(out + t * BM * D + rows, acc);
  }
}

int main() {
  return e2e::run("specialized-loops", [] {
    constexpr int BM = 128, BN = 64, D = 64, times = 3;
    for (int keys : {0, 64, 192}) {
      e2e::context("%d keys", keys);
      auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
      e2e::buffer<tt::float16> q(times * BM * D, small), k(keys * D + 8, small), v(keys * D + 8, small);
      e2e::buffer<float> out(times * BM * D);
      squares<BM, BN, D><<<1>>>(q.data(), k.data(), v.data(), out.data(), keys, -1);
      squares<BM, BN, D><<<1>>>(q.data(), k.data(), v.data(), out.data(), keys, times);
      std::vector<double> want(times * BM * D);
      for (int row = 0; row < times * BM; ++row)
        for (int key = 0; row / BM != 1 && key < keys; ++key) {
          double score = 0;
          for (int i = 0; i < D; ++i)
            score += double(float(q[row * D + i])) * double(float(k[key * D + i]));
          for (int i = 0; i < D; ++i)
            want[row * D + i] += score * score / 64 * double(float(v[key * D + i]));
        }
      out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
    }
  });
}
