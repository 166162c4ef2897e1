// Attention for tests: the tile function, and the expected result in double precision.
#ifndef TILECC_TEST_E2E_SUPPORT_ATTENTION_H
#define TILECC_TEST_E2E_SUPPORT_ATTENTION_H

#include "check.h"

/// Attention of block `block` of one head; the first `absent` blocks see no key. Its rows.
template <int BM, int BN, int D, bool CAUSAL>
__tile__ tt::tile<float, BM, D> attend(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, int length, int absent, float scale,
                                       int block, int head) {
  auto m = block * BM + tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = head * length * D + m.col() * D + d.row();
  auto queries = tt::load(q + rows);
  auto pk = k + head * length * D + (n.row() * D + d.col());
  auto pv = v + head * length * D + (n.col() * D + d.row());
  auto largest = tt::full<float, BM>(-1e30f);
  auto sum = tt::zeros<float, BM>();
  auto acc = tt::zeros<float, BM, D>();
  auto step = [&](int from, bool masked) {
    auto scores = tt::dot(queries, tt::load(pk + from * D), tt::zeros<float, BM, BN>());
    if (masked)
      scores = tt::where(m.col() >= (from + n).row(), scores, -1e30f);
    auto next = tt::maximum(largest, tt::max<1>(scores) * scale);
    auto p = tt::exp2(scores * scale - next.col());
    auto shrink = tt::exp2(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    acc = acc * shrink.col();
    largest = next;
    acc = tt::dot(p.template to<tt::float16>(), tt::load(pv + from * D), acc);
  };
  int seen = block < absent ? 0 : CAUSAL ? block * BM + BM : length;
  int full = CAUSAL ? seen == 0 ? 0 : block * BM / BN * BN : seen;
  for (int from = 0; from < full; from += BN)
    step(from, false);
  if (CAUSAL)
    for (int from = full; from < seen; from += BN)
      step(from, true);
  return acc / tt::maximum(sum, 1e-30f).col();
}

/// The location of `attend`'s rows in memory.
template <int BM, int D> __tile__ auto attended(float *out, int length, int block, int head) {
  return out + (head * length * D + (block * BM + tt::arange<BM>()).col() * D + tt::arange<D>().row());
}

namespace e2e {

/// Rows from `first` on of each head: softmax(q k^T * scale) v, with `scale` for powers of two. Others are 0. A head has
/// `length` queries and `keys` keys.
template <class T>
std::vector<double> attention(const buffer<T> &q, const buffer<T> &k, const buffer<T> &v, int length, int keys, int heads, int width,
                              bool isCausal, int first, float scale) {
  std::vector<double> want(heads * length * width);
  for (int head = 0; head < heads; ++head)
    for (int m = first; m < length; ++m) {
      auto at = [&](const buffer<T> &x, int row, int i) { return double(float(x[row * width + i])); };
      std::vector<double> scores(isCausal ? m + 1 : keys);
      double largest = -INFINITY, sum = 0;
      for (size_t n = 0; n < scores.size(); ++n) {
        for (int i = 0; i < width; ++i)
          scores[n] += at(q, head * length + m, i) * at(k, head * keys + n, i) * scale;
        largest = std::max(largest, scores[n]);
      }
      double *row = &want[(head * length + m) * width];
      for (size_t n = 0; n < scores.size(); ++n) {
        double p = std::exp2(scores[n] - largest);
        sum += p;
        for (int i = 0; i < width; ++i)
          row[i] += p * at(v, head * keys + n, i);
      }
      for (int i = 0; i < width && sum > 0; ++i) // without keys, the row is 0
        row[i] /= sum;
    }
  return want;
}

} // namespace e2e

#endif // TILECC_TEST_E2E_SUPPORT_ATTENTION_H
