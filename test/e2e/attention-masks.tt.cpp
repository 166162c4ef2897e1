// Tests attention with one loop and one `where` for each reason to mask: causal, in a sliding window, of any length.
// Iterations that need no mask run in a loop of their own, which shares the producer partition of the masked
// iterations. The programs have blocks of their own, share a block, or run one after the other in a block, as the
// compiler chooses for 8 warps.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a -Rtile=blocks %s -o %t.90 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="attention<CAUSAL, 128, 64, 64, 8>" %s | FileCheck %s
// Both loops of a tile share one partition, and there is a loop around them.
// CHECK: ttng.persistent
// CHECK: ttg.warp_specialize
// CHECK: partition0
// CHECK-COUNT-3: scf.for
// CHECK-NOT: ttg.warp_specialize
// CHOSEN-COUNT-3: remark: a block of attention<{{.*}}, 128, 64, 64, 8> runs several programs, one after the other
// CHOSEN-NOT: remark: a block of

#include "support/check.h"
#include <algorithm>

enum Form { FULL, CAUSAL, WINDOW };

template <Form FORM, int BM, int BN, int D>
__tile__ void attend(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out, int length, int window, float scale) {
  int block = tt::program_id(0);
  auto m = block * BM + tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  auto queries = tt::load(q + rows, (m < length).col(), tt::float16(0));
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  int begin = FORM == WINDOW && block * BM > window ? (block * BM - window) / BN * BN : 0;
  int end = FORM == FULL || block * BM + BM > length ? length : block * BM + BM;
  for (int from = begin; from < end; from += BN) {
    auto n = from + tt::arange<BN>();
    auto keys = tt::load(k + (n.row() * D + d.col()), (n < length).row(), tt::float16(0));
    auto scores = tt::where((n < length).row(), tt::dot(queries, keys) * scale, -1e30f);
    if (FORM != FULL)
      scores = tt::where(m.col() >= n.row(), scores, -1e30f);
    if (FORM == WINDOW)
      scores = tt::where(m.col() - n.row() < window, scores, -1e30f);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + (n.col() * D + d.row()), (n < length).col(), tt::float16(0));
    acc = tt::dot(p.template to<tt::float16>(), values, acc * shrink.col());
    largest = next;
  }
  tt::store(out + rows, acc / sum.col(), (m < length).col());
}

template <Form FORM, int BM, int BN, int D, int W>
[[tt::num_warps(W)]] __tile_global__ void attention(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out,
                                                    int length, int window, float scale) {
  attend<FORM, BM, BN, D>(q, k, v, out, length, window, scale);
}
template <Form FORM, int BM, int BN, int D, int W>
[[tt::num_warps(W), tt::num_consumers(2)]] __tile_global__ void shared(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v,
                                                                       float *out, int length, int window, float scale) {
  attend<FORM, BM, BN, D>(q, k, v, out, length, window, scale);
}
enum Kind { ONE, SHARED };

template <Kind KIND, Form FORM, int BM, int BN, int D, int W> void check(int length, int window = 0) {
  e2e::context("kernel %d, mask %d, BM %d BN %d D %d, %d of %d tokens", KIND, FORM, BM, BN, D, window, length);
  e2e::buffer<tt::float16> q(length * D, e2e::random<tt::float16>), k(length * D, e2e::random<tt::float16>),
      v(length * D, e2e::random<tt::float16>);
  e2e::buffer<float> out(length * D);
  float scale = 1.4427f / std::sqrt(float(D));
  int blocks = tt::cdiv(length, BM);
  if (KIND == ONE)
    attention<FORM, BM, BN, D, W><<<blocks>>>(q.data(), k.data(), v.data(), out.data(), length, window, scale);
  if (KIND == SHARED)
    shared<FORM, BM, BN, D, W><<<blocks>>>(q.data(), k.data(), v.data(), out.data(), length, window, scale);
  std::vector<double> want(length * D);
  for (int m = 0; m < length; ++m) {
    double sum = 0;
    int first = FORM == WINDOW ? std::max(0, m - window + 1) : 0, last = FORM == FULL ? length : m + 1;
    for (int n = first; n < last; ++n) {
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

template <Kind KIND, int BM, int BN, int D, int W> void check_forms(std::initializer_list<int> lengths) {
  for (int length : lengths) {
    check<KIND, FULL, BM, BN, D, W>(length);
    check<KIND, CAUSAL, BM, BN, D, W>(length);
    check<KIND, WINDOW, BM, BN, D, W>(length, 100);
  }
  check<KIND, WINDOW, BM, BN, D, W>(2 * BM, 16);
  check<KIND, WINDOW, BM, BN, D, W>(2 * BM, 10 * BM);
}

int main() {
  return e2e::run("attention-masks", [] {
    check_forms<ONE, 64, 32, 32, 4>({1, 63, 64, 320, 335});
    check_forms<ONE, 128, 64, 64, 8>({128, 200, 512});
    check_forms<SHARED, 64, 32, 32, 4>({64, 320, 335});
  });
}
