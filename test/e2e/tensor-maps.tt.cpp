// Tests tiles that the tensor memory accelerator copies by maps of the launch's arguments: the distance between rows is
// an argument or a constant, addresses are arbitrary, and a kernel has several loops.
// RUN: %tcc -O2 %s -o %t
// RUN: %emulate %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %tcc -O2 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --variant=a16 %s | FileCheck %s
// The distance is parameter 5 of one kernel, twice 7 * 2 bytes is a constant of none: it comes through threads' copies.
// CHECK: ttng.tensor_maps = [{{.*}}parameter = 5 : i32

#include "support/check.h"

/// out = p2 v for p2 = (q k^T) * (q k^T), in halves: keys of the first half are `step` elements apart from row to row.
template <int BM, int BN, int D, class Step>
[[tt::num_warps(8)]] __tile_global__ void squares(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out,
                                                  int keys, Step step) {
  auto m = tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto queries = tt::load(q + (m(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all)));
  auto acc = tt::zeros<float, BM, D>();
  auto multiply = [&](int begin, int end) {
    for (int from = begin; from < end; from += BN) {
      auto scores = tt::dot(queries, tt::load(k + ((from + n(tt::newaxis, tt::all)) * step + d(tt::all, tt::newaxis))));
      auto squared = (scores * scores * 0.015625f).template to<tt::float16>();
      acc = tt::dot(squared, tt::load(v + ((from + n(tt::all, tt::newaxis)) * step + d(tt::newaxis, tt::all))), acc);
    }
  };
  multiply(0, keys / 2);
  multiply(keys / 2, keys);
  tt::store(out + (m(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all)), acc);
}

template <int BM, int BN, int D, class Step> void check(int keys, Step step, int first) {
  e2e::context("BM %d BN %d D %d, %d keys %lld apart, from element %d on", BM, BN, D, keys, (long long)step, first);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> q(BM * D, small), k(first + keys * step, small), v(first + keys * step, small);
  e2e::buffer<float> out(BM * D);
  squares<BM, BN, D, Step><<<1>>>(q.data(), k.data() + first, v.data() + first, out.data(), keys, step);
  std::vector<double> want(BM * D);
  for (int m = 0; m < BM; ++m)
    for (int n = 0; n < keys; ++n) {
      double score = 0;
      for (int i = 0; i < D; ++i)
        score += double(float(q[m * D + i])) * double(float(k[first + n * step + i]));
      for (int i = 0; i < D; ++i)
        want[m * D + i] += score * score / 64 * double(float(v[first + n * step + i]));
    }
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
}

int main() {
  return e2e::run("tensor-maps", [] {
    check<128, 64, 64, int>(256, 64, 0);
    check<128, 64, 64, int>(256, 80, 8);
    check<128, 64, 64, int64_t>(128, 192, 24);
    check<128, 32, 128, int>(128, 144, 16);
    check<128, 64, 64, int>(128, 72, 0); // no multiple of 16
    check<128, 64, 64, int>(128, 67, 3); // nor aligned
  });
}
