// Attention with a bias for each pair of positions. The loop is split, and both loops read the queries from one tile in
// shared memory. That tile counts when the number of stages is chosen: three stages would take 245760 bytes.
// RUN: %tcc -arch=compute_90 --emit=ptx --variant=a16 %s -o %t.ptx 2>&1 | FileCheck %s
// CHECK-NOT: error
// CHECK: warning: with 3 stages the loops take 2{{[0-9]+}} bytes of shared memory, and the GPU has 232448; they get 2
// CHECK-NOT: error

#include <tilecc/tt.h>

using T = tt::bfloat16;

[[tt::num_warps(8)]] __tile_global__ void attention(const T *q, const T *k, const T *v, const T *bias, T *out,
                                                     int length, float scale) {
  auto m = tt::program_id(0) * 128 + tt::arange<128>();
  auto d = tt::arange<64>();
  auto rows = m.col() * 64 + d.row();
  auto queries = tt::load(q + rows, (m < length).col(), T(0));
  auto largest = tt::full<float, 128>(-tt::inf<float>), sum = tt::zeros<float, 128>();
  auto acc = tt::zeros<float, 128, 64>();
  for (int from = 0; from < length; from += 128) {
    auto n = from + tt::arange<128>();
    auto keys = tt::load(k + (n.row() * 64 + d.col()), (n < length).row(), T(0));
    auto extra = tt::load(bias + (m.col() * length + n.row()), (m < length).col() && (n < length).row());
    auto scores = tt::dot(queries, keys) * scale + tt::cast<float>(extra);
    scores = tt::where((n < length).row(), scores, -tt::inf<float>);
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp(scores - next.col());
    auto shrink = tt::exp(largest - next);
    sum = sum * shrink + tt::sum<1>(p);
    auto values = tt::load(v + (n.col() * 64 + d.row()), (n < length).col(), T(0));
    acc = tt::dot(tt::cast<T>(p), values, acc * shrink.col());
    largest = next;
  }
  tt::store(out + rows, tt::cast<T>(acc / sum.col()), (m < length).col());
}
