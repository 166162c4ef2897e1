// Tests attention written as a plain loop with dependent dots. On GPUs with warp groups, the loop is rotated and
// pipelined.
// RUN: %tcc -O2 %s -o %t
// RUN: %emulate %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %tcc -O2 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90

#include "support/check.h"

/// As in every textbook: a running maximum and sum over blocks of BN keys, the last of which may be partial.
template <int BM, int BN, int D, int W, int STAGES, bool MASKED>
[[tt::num_warps(W), tt::num_stages(STAGES)]] __tile_global__ void attention(const tt::float16 *q, const tt::float16 *k,
                                                                            const tt::float16 *v, float *out, int keys,
                                                                            float scale) {
  auto m = tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = m(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all);
  auto queries = tt::load(q + rows);
  auto largest = tt::full<float, BM>(-1e30f), sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  auto pv = v + (n(tt::all, tt::newaxis) * D + d(tt::newaxis, tt::all));
  for (int from = 0; from < keys; from += BN) {
    auto kt = tt::load(k + ((from + n(tt::newaxis, tt::all)) * D + d(tt::all, tt::newaxis)));
    auto scores = tt::dot(queries, kt) * scale;
    if (MASKED)
      scores = tt::where((from + n)(tt::newaxis, tt::all) < keys, scores, -1e30f);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next(tt::all, tt::newaxis));
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = tt::dot(p.template to<tt::float16>(), tt::load(pv), acc * shrink(tt::all, tt::newaxis));
    pv = pv + BN * D;
    largest = next;
  }
  tt::store(out + rows, acc / sum(tt::all, tt::newaxis));
}

template <int BM, int BN, int D, int W, int STAGES, bool MASKED = false> void check(int keys) {
  e2e::context("BM %d BN %d D %d, %d warps, %d stages, %d keys", BM, BN, D, W, STAGES, keys);
  int held = (keys + BN - 1) / BN * BN; // the kernel reads whole blocks
    e2e::buffer<tt::float16> q(BM * D, e2e::random<tt::float16>), k(held * D, e2e::random<tt::float16>), v(held * D, e2e::random<tt::float16>);
  e2e::buffer<float> out(BM * D);
  float scale = 1.4427f / std::sqrt(float(D));
  attention<BM, BN, D, W, STAGES, MASKED><<<1>>>(q.data(), k.data(), v.data(), out.data(), keys, scale);
  std::vector<double> want(BM * D);
  for (int m = 0; m < BM; ++m) {
    double sum = 0;
    for (int n = 0; n < keys; ++n) {
      double score = 0;
      for (int i = 0; i < D; ++i)
        score += double(float(q[m * D + i])) * double(float(k[n * D + i]));
      double p = std::exp2(score * scale);
      sum += p;
      for (int i = 0; i < D; ++i)
        want[m * D + i] += p * double(float(v[n * D + i]));
    }
    for (int i = 0; i < D; ++i)
      want[m * D + i] /= sum;
  }
  out.expect(e2e::tolerance{1, 4e-3}, [&](int i) { return want[i]; });
}

int main() {
  return e2e::run("attention", [] {
    // One block to several more than there are slots, and none of the rows alone in its warpgroup.
    for (int keys : {64, 128, 192, 448})
      check<64, 64, 64, 4, 3>(keys);
    check<128, 64, 64, 8, 2>(320);
    check<128, 128, 128, 8, 2>(384);
    check<128, 64, 128, 8, 3, true>(200);
    check<64, 32, 64, 4, 4, true>(250);
  });
}
