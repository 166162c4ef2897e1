// Tests the backward pass of attention in one kernel, which accumulates the gradients of queries in memory. On GPUs
// with tensor copies, the tensor memory accelerator adds them.
// RUN: %tcc -O2 %s -o %t
// RUN: %emulate %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %tcc -O2 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ptx --tensor-maps=true --variant=p16 %s | FileCheck %s
// The loop has a barrier of all threads for the operands in shared memory, and one for the tile that is added to
// memory, at which time the first dot of the next iteration is in flight.
// CHECK-LABEL: .entry _Z9gradientsILi64ELi128ELi128ELi8ELb0ELb1ELi1E
// CHECK: cp.async.bulk.wait_group.read 0;
// CHECK: stmatrix
// CHECK: bar.sync 1, 256;
// CHECK-NOT: bar.sync
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n64k16
// CHECK-NOT: bar.sync
// CHECK: mbarrier.try_wait
// CHECK-NOT: bar.sync
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n64k16
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-NOT: bar.sync
// CHECK: st.shared
// CHECK-NOT: wgmma
// CHECK: bar.sync 1, 256;
// CHECK-NOT: bar.sync
// CHECK: cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.tile.bulk_group

#include "support/check.h"

using T = tt::bfloat16;

/// For BN keys and values: dk and dv, and the additions to sum_q, float32, for all queries and their gradients. In one
/// loop or two.
template <int BM, int BN, int D, int W, bool MASKED, bool SPECIALIZED, int LOOPS>
[[tt::num_warps(W), tt::num_stages(2)]] __tile_global__ void gradients(const T *q, const T *k, const T *v, const T *dout,
                                                                       const float *log_sum, const float *delta, float *sum_q,
                                                                       float *dk, float *dv, int length, float scale) {
  auto n = tt::program_id(0) * BN + tt::arange<BN>();
  auto m = tt::arange<BM>();
  auto d = tt::arange<D>();
  auto rows = n.col() * D + d.row();
  auto at = m.col() * D + d.row();
  auto keys = tt::load(k + rows), values = tt::load(v + rows);
  auto sum_k = tt::zeros<float, BN, D>(), sum_v = tt::zeros<float, BN, D>();
  auto step = [&](int from) {
    auto is_row = from + m < length;
    auto load = [&](auto *pointer) {
      return MASKED ? tt::load(pointer + from * D + at, is_row.col(), T(0)) : tt::load(pointer + from * D + at);
    };
    auto queries = load(q), gradients = load(dout);
    auto scores = tt::dot(keys, tt::trans(queries)), dp = tt::dot(values, tt::trans(gradients));
    auto p = tt::exp2(scores * scale - tt::load(log_sum + from + m).row());
    if (MASKED)
      p = tt::where(is_row.row(), p, 0.0f);
    auto ds = (p * (dp - tt::load(delta + from + m).row())).template to<T>();
    sum_v = tt::dot(p.template to<T>(), gradients, sum_v);
    sum_k = tt::dot(ds, queries, sum_k);
    auto dq = tt::dot(tt::trans(ds), keys);
    if (MASKED)
      tt::atomic_add(sum_q + from * D + at, dq, is_row.col(), tt::sem::relaxed);
    else
      tt::atomic_add(sum_q + from * D + at, dq, true, tt::sem::relaxed);
  };
  int first = LOOPS == 2 ? BM * (1 + tt::program_id(0)) : 0;
  if (LOOPS == 2)
    for (int from : tt::range(0, first, BM).warp_specialize(SPECIALIZED))
      step(from);
  for (int from : tt::range(first, length, BM).warp_specialize(SPECIALIZED))
    step(from);
  tt::store(dk + rows, sum_k);
  tt::store(dv + rows, sum_v);
}

template <int BM, int BN, int D, int W, bool MASKED, bool SPECIALIZED, int LOOPS = 1> void check(int queries, int keys) {
  e2e::context("BM %d BN %d D %d, %d warps, %d queries, %d keys, masked %d, specialized %d, %d loops", BM, BN, D, W, queries,
               keys, MASKED, SPECIALIZED, LOOPS);
  int held = (queries + BM - 1) / BM * BM;
  auto at = [](auto &x, int row, int column) { return double(float(x[row * D + column])); };
  auto small = [](int) { return T(float(e2e::uniform(-1, 1))); };
  e2e::buffer<T> q(queries * D, small), dout(queries * D, small), k(keys * D, small), v(keys * D, small);
  double scale = 1.4427 / std::sqrt(double(D));
  std::vector<double> p(queries * keys), dp(queries * keys), of_row(held), delta(held);
  for (int m = 0; m < queries; ++m) {
    double sum = 0;
    for (int n = 0; n < keys; ++n) {
      for (int i = 0; i < D; ++i) {
        p[m * keys + n] += scale * at(q, m, i) * at(k, n, i);
        dp[m * keys + n] += at(dout, m, i) * at(v, n, i);
      }
      sum += std::exp2(p[m * keys + n]);
    }
    of_row[m] = std::log2(sum);
    for (int n = 0; n < keys; ++n) {
      p[m * keys + n] = std::exp2(p[m * keys + n] - of_row[m]);
      delta[m] += p[m * keys + n] * dp[m * keys + n];
    }
  }
  std::vector<double> dq(queries * D), dk(keys * D), dv(keys * D);
  for (int m = 0; m < queries; ++m)
    for (int n = 0; n < keys; ++n)
      for (int i = 0; i < D; ++i) {
        double ds = p[m * keys + n] * (dp[m * keys + n] - delta[m]);
        dq[m * D + i] += ds * at(k, n, i);
        dk[n * D + i] += ds * at(q, m, i);
        dv[n * D + i] += p[m * keys + n] * at(dout, m, i);
      }
  e2e::buffer<float> log_sum(held, [&](int i) { return float(of_row[i]); }), deltas(held, [&](int i) { return float(delta[i]); });
  e2e::buffer<float> sum_q(queries * D, [](int) { return 0.0f; }), got_k(keys * D), got_v(keys * D);
  gradients<BM, BN, D, W, MASKED, SPECIALIZED, LOOPS>
      <<<keys / BN>>>(q.data(), k.data(), v.data(), dout.data(), log_sum.data(), deltas.data(), sum_q.data(), got_k.data(),
                      got_v.data(), queries, float(scale));
  e2e::tolerance close{1, 3e-3};
  sum_q.expect(close, [&](int i) { return dq[i]; });
  got_k.expect(close, [&](int i) { return dk[i]; });
  got_v.expect(close, [&](int i) { return dv[i]; });
}

int main() {
  return e2e::run("attention-gradients", [] {
    check<64, 128, 128, 8, false, true>(192, 256);
    check<64, 128, 128, 8, false, true, 2>(256, 256);
    check<64, 128, 128, 8, false, false>(128, 256);
    check<64, 128, 64, 8, true, true>(150, 128);
    check<64, 64, 64, 4, true, false>(100, 128);
  });
}
