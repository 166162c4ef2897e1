// Kernels with everything that synchronizes on sm_100a. without-each.py removes or weakens each instruction. They are
// compiled with tensor maps, and their loops have enough iterations to fill every slot twice.
//
//   blackwell [name]    all, or those of one name
//
// Instructions that may be omitted, by PTX's rules or because of earlier synchronization:
//
// unseen: * fence.mbarrier_init *: they concern other blocks of a cluster, and a fence.proxy.async follows
// unseen: product bar.sync 1: tensor memory is released behind another barrier that follows the last load
// unseen: tiles fence.proxy.async 2: nothing has accessed the memory before
// unseen: tiles bar.warp.sync 1: all lanes have executed tcgen05.ld together
// unseen: tiles bar.sync 1: tensor memory is released behind another barrier that follows the last load
// unseen: scaled bar.sync 3: other barriers of the loop keep warps from being two dots behind; the loop ends with one; tensor memory is released behind another one
// unseen: attention bar.sync 4: other barriers of the loop keep warps from being two dots behind (2); threads store the accumulator where they have loaded it; tensor memory is released behind another one
// unseen: attention tcgen05.wait::st 2: another store follows at once, and the wait behind it covers both
// unseen: attention mbarrier.arrive 1: nothing refills the last slot
#include "../../e2e/support/attention.h"

using tt::bfloat16;
using tt::mx;

static bfloat16 small(int) { return bfloat16(float(int(e2e::random_bits() % 9) - 4) / 4); }

// Tensor copies by producer warps; the dots release the slots that they have read.
[[tt::num_stages(3)]] __tile_global__ void product(const bfloat16 *a, const bfloat16 *b, float *c, int k) {
  auto m = tt::arange<128>();
  auto n = tt::arange<64>();
  auto d = tt::arange<64>();
  auto acc = tt::zeros<float, 128, 64>();
  for (int i = 0; i < k; i += 64)
    acc = tt::dot(tt::load(a + m.col() * k + (i + d.row())), tt::load(b + (i + d.col()) * 64 + n.row()), acc);
  tt::store(c + m.col() * 64 + n.row(), acc);
}

void check_product(int K) {
  e2e::buffer<bfloat16> a(128 * K + 8, small), b(K * 64 + 8, small);
  e2e::buffer<float> c(128 * 64);
  product<<<1>>>(a.data(), b.data(), c.data(), K);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / 64 * K + k])) * double(float(b[k * 64 + i % 64]));
    return sum;
  });
}

// One block computes five tiles: a partition starts the dots, and two accumulators take turns.
[[tt::num_stages(3)]] __tile_global__ void tiles(const bfloat16 *a, const bfloat16 *b, float *c, int count, int k) {
  auto n = tt::arange<64>();
  auto d = tt::arange<64>();
  for (int tile = tt::program_id(0); tile < count; tile += tt::num_programs(0)) {
    auto m = tile * 128 + tt::arange<128>();
    auto acc = tt::zeros<float, 128, 64>();
    for (int i = 0; i < k; i += 64)
      acc = tt::dot(tt::load(a + m.col() * k + (i + d.row())), tt::load(b + (i + d.col()) * 64 + n.row()), acc);
    tt::store(c + m.col() * 64 + n.row(), acc);
  }
}

void check_tiles(int K) {
  constexpr int M = 5 * 128;
  e2e::buffer<bfloat16> a(M * K + 8, small), b(K * 64 + 8, small);
  e2e::buffer<float> c(M * 64);
  tiles<<<1>>>(a.data(), b.data(), c.data(), M / 128, K);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / 64 * K + k])) * double(float(b[k * 64 + i % 64]));
    return sum;
  });
}

// Numbers with scales, which threads store to two places in tensor memory by turns.
[[tt::num_stages(3)]] __tile_global__ void scaled(const uint8_t *a, const uint8_t *a_scale, const uint8_t *b, const uint8_t *b_scale, float *c,
                                                  int k) {
  auto m = tt::arange<128>();
  auto n = tt::arange<32>();
  auto d = tt::arange<128>();
  auto s = tt::arange<4>();
  auto acc = tt::zeros<float, 128, 32>();
  for (int i = 0; i < k; i += 128)
    acc = tt::dot_scaled<mx::e4m3, mx::e4m3>(
        tt::load(a + m.col() * k + (i + d.row())), tt::load(a_scale + m.col() * (k / 32) + (i / 32 + s.row())),
        tt::load(b + n.row() * k + (i + d.col())), tt::load(b_scale + n.col() * (k / 32) + (i / 32 + s.row())), acc);
  tt::store(c + m.col() * 32 + n.row(), acc);
}

void check_scaled(int K) {
  auto number = [](int) { return uint8_t(0x30 + 8 * (e2e::random_bits() % 3) + (e2e::random_bits() & 128)); }; // 0.5, 1, 2
  auto power = [](int) { return uint8_t(126 + e2e::random_bits() % 3); };
  e2e::buffer<uint8_t> a(128 * K + 8, number), b(32 * K + 8, number), a_scale(4 * K + 8, power), b_scale(K + 8, power);
  e2e::buffer<float> c(128 * 32);
  scaled<<<1>>>(a.data(), a_scale.data(), b.data(), b_scale.data(), c.data(), K);
  auto decode = [](uint8_t x) { return std::ldexp(x & 128 ? -1.0 : 1.0, (x >> 3 & 15) - 7); };
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += decode(a[i / 32 * K + k]) * decode(b[i % 32 * K + k]) *
             std::ldexp(1.0, a_scale[(i / 32 * K + k) / 32] + b_scale[(i % 32 * K + k) / 32] - 254);
    return sum;
  });
}

// Attention: the weights are the left operand of the second dot in tensor memory.
__tile_global__ void attention(const bfloat16 *q, const bfloat16 *k, const bfloat16 *v, float *out, int keys) {
  constexpr int M = 128, N = 64, D = 64;
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto d = tt::arange<D>();
  auto queries = tt::load(q + (m.col() * D + d.row()));
  auto acc = tt::zeros<float, M, D>();
  auto sum = tt::zeros<float, M>();
  auto largest = tt::full<float, M>(-1e30f);
  for (int from = 0; from < keys; from += N) {
    auto scores = tt::dot(queries, tt::load(k + ((from + n).row() * D + d.col())));
    auto next = tt::maximum(largest, tt::max<1>(scores));
    auto p = tt::exp2(scores - next.col());
    auto scale = tt::exp2(largest - next);
    sum = sum * scale + tt::sum<1>(p);
    acc = tt::dot(p.to<bfloat16>(), tt::load(v + ((from + n).col() * D + d.row())), acc * scale.col());
    largest = next;
  }
  tt::store(out + (m.col() * D + d.row()), acc / sum.col());
}

void check_attention() {
  constexpr int M = 128, D = 64, Keys = 320;
  e2e::buffer<bfloat16> q(M * D, small), k(Keys * D, small), v(Keys * D, small);
  e2e::buffer<float> out(M * D);
  attention<<<1>>>(q.data(), k.data(), v.data(), out.data(), Keys);
  std::vector<double> want =
      e2e::attention(q, k, v, M, Keys, /*heads=*/1, D, /*isCausal=*/false, /*first=*/0, /*scale=*/1);
  out.expect(e2e::tolerance{1, 5e-2}, [&](int i) { return want[i]; });
}

int main(int count, char **arguments) {
  return e2e::run("blackwell", [&] {
    auto check = [&](const char *kernel, auto body) {
      if (count < 2 || std::strcmp(arguments[1], kernel) == 0)
        body();
    };
    for (int k : {448, 0}) // without iterations, threads store zeros
      check("product", [&] { check_product(k); });
    for (int k : {128, 0})
      check("tiles", [&] { check_tiles(k); });
    for (int k : {768, 0})
      check("scaled", [&] { check_scaled(k); });
    check("attention", check_attention);
  });
}
