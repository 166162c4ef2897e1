// Tests specialized loops that programs start repeatedly or not at all: inside another loop, under a condition, with
// any number of iterations, and in programs that end before the loop.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -arch=sm_90 --emit=ttgir %s | FileCheck %s
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

/// As in attention's backward, both the first dots and the last read the tile of k: out = p k for p = (q k^T) * (q v^T)
/// / 64, and sums = p v.
template <int BM, int BN, int D, int WARPS>
[[tt::num_warps(WARPS)]] __tile_global__ void products(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v,
                                                       float *out, float *sums, int keys) {
  auto m = tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  auto queries = tt::load(q + rows);
  auto acc = tt::zeros<float, BM, D>(), sum = tt::zeros<float, BM, D>();
  for (int from = 0; from < keys; from += BN) {
    auto x = tt::load(k + ((from + n).col() * D + d.row())), y = tt::load(v + ((from + n).col() * D + d.row()));
    auto a = tt::dot(queries, tt::trans(x)), b = tt::dot(queries, tt::trans(y));
    auto quarter = (a * 0.25f).template to<tt::float16>(); // before b is there
    auto p = (quarter.template to<float>() * b * 0.0625f).template to<tt::float16>();
    acc = tt::dot(p, x, acc);
    sum = tt::dot((a * 0.125f).template to<tt::float16>(), y, sum);
  }
  tt::store(out + rows, acc);
  tt::store(sums + rows, sum);
}

/// The tiles of the first loop are blocks of tensors, which one thread copies. Those of the second one are not, so all
/// threads copy: rows in groups of 16, 48 apart. out = the sum of p v for p = q k^T / 64 over both.
[[tt::num_warps(8)]] __tile_global__ void bothWays(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out, int keys) {
  constexpr int BN = 64, D = 64;
  auto n = tt::arange<BN>();
  auto d = tt::arange<D>();
  auto rows = tt::arange<128>().col() * D + d.row();
  auto queries = tt::load(q + rows);
  auto acc = tt::zeros<float, 128, D>();
  auto step = [&](auto key) {
    auto scores = tt::dot(queries, tt::load(k + (key.row() * D + d.col()))) * 0.015625f;
    acc = tt::dot(scores.template to<tt::float16>(), tt::load(v + (key.col() * D + d.row())), acc);
  };
  for (int from = 0; from < keys; from += BN)
    step(from + n);
  for (int from = 0; from < keys; from += BN)
    step(from + n / 16 * 48 + n % 16);
  tt::store(out + rows, acc);
}

static void expectBothWays(int keys) {
  constexpr int BM = 128, BN = 64, D = 64;
  e2e::context("both ways, %d keys", keys);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> q(BM * D, small), k((keys + 3 * BN) * D, small), v((keys + 3 * BN) * D, small);
  e2e::buffer<float> out(BM * D);
  bothWays<<<1>>>(q.data(), k.data(), v.data(), out.data(), keys);
  std::vector<double> want(BM * D);
  for (int row = 0; row < BM; ++row)
    for (int i = 0; i < 2 * keys; ++i) {
      int n = i % keys % BN, from = i % keys - n, key = i < keys ? from + n : from + n / 16 * 48 + n % 16;
      double p = 0;
      for (int j = 0; j < D; ++j)
        p += double(float(q[row * D + j])) * double(float(k[key * D + j])) / 64;
      for (int j = 0; j < D; ++j)
        want[row * D + j] += double(float(tt::float16(float(p)))) * double(float(v[key * D + j]));
    }
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
}

template <int WARPS> static void expectProducts(int keys) {
  constexpr int BM = WARPS * 16, BN = 64, D = 64;
  e2e::context("products, %d warps, %d keys", WARPS, keys);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> q(BM * D, small), k(keys * D + 8, small), v(keys * D + 8, small);
  e2e::buffer<float> out(BM * D), sums(BM * D);
  products<BM, BN, D, WARPS><<<1>>>(q.data(), k.data(), v.data(), out.data(), sums.data(), keys);
  std::vector<double> want(BM * D), wantSums(BM * D);
  for (int row = 0; row < BM; ++row)
    for (int key = 0; key < keys; ++key) {
      double a = 0, b = 0;
      for (int i = 0; i < D; ++i) {
        a += double(float(q[row * D + i])) * double(float(k[key * D + i]));
        b += double(float(q[row * D + i])) * double(float(v[key * D + i]));
      }
      for (int i = 0; i < D; ++i) {
        want[row * D + i] += a * b / 64 * double(float(k[key * D + i]));
        wantSums[row * D + i] += a / 8 * double(float(v[key * D + i]));
      }
    }
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
  sums.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return wantSums[i]; });
}

int main() {
  return e2e::run("specialized-loops", [] {
    expectBothWays(192);
    for (int keys : {0, 64, 320}) {
      expectProducts<4>(keys);
      expectProducts<8>(keys);
    }
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
