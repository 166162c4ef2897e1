// Kernels with everything that synchronizes on sm_90. without-each.py removes or weakens each instruction. They are
// compiled with tensor maps, and their loops have enough iterations to fill every slot twice.
//
//   hopper [name]    all, or those of one name
//
// Instructions that may be omitted, by PTX's rules or because of earlier synchronization:
//
// unseen: * fence.mbarrier_init *: they concern other blocks of a cluster, and a fence.proxy.async follows
// unseen: product fence.proxy.async 1: each mbarrier has a fence.mbarrier_init
// unseen: from_registers fence.proxy.async 1: the same
// unseen: persistent fence.proxy.async 1: the same
// unseen: gradients fence.proxy.async 2: each mbarrier has a fence.mbarrier_init; the fence for the keys and the one before the slots cover both
// unseen: gradients bar.warp.sync 1: the slot's reader is followed by a wait for wgmmas, which concerns the whole warp group
// unseen: gradients wgmma.commit_group 1: one wait covers both last wgmmas of an iteration
// unseen: gradients wgmma.fence 2: the registers of the next iteration's first wgmma have not been accessed since the previous fence
// unseen: attention fence.proxy.async 2: each mbarrier has a fence.mbarrier_init; the fence behind the next tile covers this one, too
// unseen: attention wgmma.fence 2: the registers of the second wgmma have not been accessed since the first one's fence
// unseen: attention bar.warp.sync 8: only wgmmas read the slot, and a wait for them concerns the whole warp group; a tile's loop is between two stores
// unseen: attention bar.sync 1: nothing needs the last turn
// unseen: shared mbarrier.arrive 3: for iterations that no program executes; there are none
// unseen: shared fence.proxy.async 1: the fence behind the queries covers this one, too
// unseen: shared wgmma.fence 1: the registers of the second wgmma have not been accessed since the first one's fence
// unseen: shared bar.warp.sync 6: only wgmmas read the slot, and a wait for them concerns the whole warp group; or nothing reads it
// unseen: shared mbarrier.try_wait 2: in iterations that other programs execute: a program that takes its turn is not a slot ahead
// unseen: shared bar.sync 2: the last turn, and those in iterations that other programs execute, which do nothing
// unseen: persistent bar.warp.sync 1: the loop of the next tile is between two stores
// unseen: persistent bar.sync 2: the last dot's slot is not refilled, and the others are free since the previous barrier
// unseen: computed fence.proxy.async 1: each mbarrier has a fence.mbarrier_init
// unseen: computed bar.sync 1: threads compute with bytes that they have copied themselves
// unseen: computed cp.async.wait_group 1: the copies in flight behind the loop are for iterations that do not exist
// unseen: meeting fence.proxy.async 1: each mbarrier has a fence.mbarrier_init
// unseen: meeting bar.warp.sync 2: only wgmmas read the slot, and a wait for them concerns the whole warp group
// unseen: meeting bar.sync 1: memory that is written behind the last wait for the other block is read behind another barrier
// unseen: meeting barrier.cluster.wait 2: those at the end, for racecheck of compute-sanitizer; synchronization by mbarriers has ordered everything
// unseen: stored fence.proxy.async 2: each mbarrier has a fence.mbarrier_init
// unseen: stored bar.sync 4: the last dot's slot is not refilled, and the others are free since the previous barrier
// unseen: product bar.sync 1: each warp group stores its result where only its own wgmmas have read, and no warp waits any more
#include "../../e2e/support/attention.h"
#include <algorithm>

using tt::float16;

static float16 small(int) { return float16(float(int(e2e::random_bits() % 9) - 4) / 4); }

// Tensor copies several steps ahead of wgmmas, and a result that is copied back.
[[tt::num_warps(8), tt::num_stages(3), tt::num_consumers(1)]] __tile_global__ void product(const float16 *a, const float16 *b, float16 *c, int k) {
  auto from_a = tt::make_tensor_descriptor<128, 64>(a, {128, k}, {k, 1});
  auto from_b = tt::make_tensor_descriptor<64, 64>(b, {k, 64}, {64, 1});
  auto to_c = tt::make_tensor_descriptor<128, 64>(c, {128, 64}, {64, 1});
  auto acc = tt::zeros<float, 128, 64>();
  for (int first = 0; first < k; first += 64)
    acc = tt::dot(from_a.load({0, first}), from_b.load({first, 0}), acc);
  to_c.store({0, 0}, acc.template to<float16>());
}

void check_product() {
  constexpr int K = 448;
  e2e::buffer<float16> a(128 * K, small), b(K * 64, small), c(128 * 64);
  product<<<1>>>(a.data(), b.data(), c.data(), K);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / 64 * K + k])) * double(float(b[k * 64 + i % 64]));
    return sum;
  });
}

// The left operand comes from registers, the other one from copies by threads: its rows have any stride.
[[tt::num_warps(8), tt::num_stages(3), tt::num_consumers(1)]] __tile_global__ void from_registers(const float16 *a, const float16 *b, float *c, int k, int pitch) {
  auto m = tt::arange<128>();
  auto n = tt::arange<32>();
  auto acc = tt::zeros<float, 128, 32>();
  for (int first = 0; first < k; first += 32) {
    auto left = tt::load(a + (m.col() * k + (first + n).row()));
    acc = tt::dot(left + left, tt::load(b + ((first + n).col() * pitch + n.row())), acc);
  }
  tt::store(c + (m.col() * 32 + n.row()), acc);
}

template <int Pitch, int Skew = 0> void check_from_registers() {
  constexpr int K = 224;
  e2e::buffer<float16> a(128 * K, small, Skew), b(K * Pitch, small, Skew);
  e2e::buffer<float> c(128 * 32);
  from_registers<<<1>>>(a.data(), b.data(), c.data(), K, Pitch);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += 2 * double(float(a[i / 32 * K + k])) * double(float(b[k * Pitch + i % 32]));
    return sum;
  });
}

// A loop adds a tile to memory while the next iteration's first dot runs, as in attention's backward; a vector belongs
// to a tile.
[[tt::num_warps(8)]] __tile_global__ void gradients(const float16 *q, const float16 *k, const float *numbers, float *sums, float *out, int queries) {
  constexpr int M = 64, N = 128, D = 64;
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto d = tt::arange<D>();
  auto keys = tt::load(k + (n.col() * D + d.row()));
  auto acc = tt::zeros<float, N, D>();
  for (int from : tt::range(0, queries, M).warp_specialize(true)) {
    auto rows = (from + m).col() * D + d.row();
    auto tile = tt::load(q + rows);
    auto p = tt::exp2(tt::dot(keys, tt::trans(tile)) - tt::load(numbers + from + m).row()).to<float16>();
    acc = tt::dot(p, tile, acc);
    tt::atomic_add(sums + rows, tt::dot(tt::trans(p), keys), true, tt::sem::relaxed);
  }
  tt::store(out + (n.col() * D + d.row()), acc);
}

void check_gradients() {
  constexpr int M = 320, N = 128, D = 64;
  auto few = [](int i) { return float16(float(small(i)) / 4); };
  e2e::buffer<float16> q(M * D, few), k(N * D, few);
  e2e::buffer<float> numbers(M, [](int) { return float(e2e::uniform(0, 2)); }), sums(M * D, [](int) { return 0.0f; }), out(N * D);
  gradients<<<1>>>(q.data(), k.data(), numbers.data(), sums.data(), out.data(), M);
  std::vector<double> of_queries(M * D), of_keys(N * D);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < N; ++n) {
      double score = -numbers[m];
      for (int i = 0; i < D; ++i)
        score += double(float(k[n * D + i])) * double(float(q[m * D + i]));
      for (int i = 0; i < D; ++i) {
        of_queries[m * D + i] += std::exp2(score) * double(float(k[n * D + i]));
        of_keys[n * D + i] += std::exp2(score) * double(float(q[m * D + i]));
      }
    }
  sums.expect(e2e::tolerance{1, 1e-2}, [&](int i) { return of_queries[i]; });
  out.expect(e2e::tolerance{1, 1e-2}, [&](int i) { return of_keys[i]; });
}

// Attention with producer warps, for one query tile after the other: p is the register operand of the second dot.
[[tt::num_warps(8)]] __tile_global__ void attention(const float16 *q, const float16 *k, const float16 *v, float *out, int keys, int times) {
  constexpr int M = 128, N = 64, D = 64;
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto d = tt::arange<D>();
  auto rows = m.col() * D + d.row();
  for (int t = 0; t < times; ++t) {
    auto queries = tt::load(q + t * M * D + rows);
    auto acc = tt::zeros<float, M, D>();
    auto sum = tt::zeros<float, M>();
    auto largest = tt::full<float, M>(-1e30f);
    for (int from = 0; from < keys; from += N) {
      auto scores = tt::dot(queries, tt::load(k + ((from + n).row() * D + d.col())));
      auto next = tt::maximum(largest, tt::max<1>(scores));
      auto p = tt::exp2(scores - next.col());
      auto scale = tt::exp2(largest - next);
      sum = sum * scale + tt::sum<1>(p);
      acc = tt::dot(p.to<float16>(), tt::load(v + ((from + n).col() * D + d.row())), acc * scale.col());
      largest = next;
    }
    tt::store(out + t * M * D + rows, acc / tt::maximum(sum, 1e-30f).col());
  }
}

template <int Skew, int Keys> void check_attention() {
  constexpr int M = 128, D = 64, Times = 3;
  e2e::buffer<float16> q(Times * M * D, small, Skew), k(Keys * D + 8, small, Skew), v(Keys * D + 8, small, Skew);
  e2e::buffer<float> out(Times * M * D);
  attention<<<1>>>(q.data(), k.data(), v.data(), out.data(), Keys, Times);
  std::vector<double> want =
      e2e::attention(q, k, v, Times * M, Keys, /*heads=*/1, D, /*isCausal=*/false, /*first=*/0, /*scale=*/1);
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
}

// Three programs, two of which share a block and its partition, for as many keys as each has.
[[tt::num_warps(4), tt::num_consumers(2)]] __tile_global__ void shared(const float16 *q, const float16 *k, const float16 *v, float *out) {
  constexpr int M = 64, N = 64, D = 64;
  auto m = tt::program_id(0) * M + tt::arange<M>();
  auto n = tt::arange<N>();
  auto d = tt::arange<D>();
  auto queries = tt::load(q + (m.col() * D + d.row()));
  auto acc = tt::zeros<float, M, D>();
  for (int from = 0; from < tt::program_id(0) * 256 + 128; from += N) {
    auto scores = tt::dot(queries, tt::load(k + ((from + n).row() * D + d.col())));
    acc = tt::dot((scores * 0.0625f).to<float16>(), tt::load(v + ((from + n).col() * D + d.row())), acc);
  }
  tt::store(out + (m.col() * D + d.row()), acc);
}

void check_shared() {
  constexpr int M = 64, D = 64, Programs = 3, Keys = 256 * Programs - 128;
  e2e::buffer<float16> q(Programs * M * D, small), k(Keys * D, small), v(Keys * D, small);
  e2e::buffer<float> out(Programs * M * D);
  shared<<<Programs>>>(q.data(), k.data(), v.data(), out.data());
  std::vector<double> want(Programs * M * D);
  for (int row = 0; row < Programs * M; ++row)
    for (int key = 0; key < row / M * 256 + 128; ++key) {
      double score = 0;
      for (int i = 0; i < D; ++i)
        score += double(float(q[row * D + i])) * double(float(k[key * D + i]));
      for (int i = 0; i < D; ++i)
        want[row * D + i] += score / 16 * double(float(v[key * D + i]));
    }
  out.expect(e2e::tolerance{1, 0.2}, [&](int i) { return want[i]; });
}

// One tile after the other: the first copies for a tile begin before the previous tile is stored, in its loop, or
// behind it if it is short.
[[tt::num_warps(8), tt::num_stages(3)]] __tile_global__ void persistent(const float16 *a, const float16 *b, float *c, int rows, int k, int least, int more) {
  auto from_a = tt::make_tensor_descriptor<128, 32>(a, {rows, k}, {k, 1});
  auto from_b = tt::make_tensor_descriptor<32, 64>(b, {k, 64}, {64, 1});
  for (int tile = tt::program_id(0); tile < tt::cdiv(rows, 128); tile += tt::num_programs(0)) {
    auto acc = tt::zeros<float, 128, 64>();
    for (int first = 0; first < least + tile * more; first += 32)
      acc = tt::dot(from_a.load({tile * 128, first}), from_b.load({first, 0}), acc);
    tt::store(c + ((tile * 128 + tt::arange<128>()).col() * 64 + tt::arange<64>().row()), acc);
  }
}

template <int Least, int More> void check_persistent() {
  constexpr int Rows = 384, K = Least + 2 * More;
  e2e::buffer<float16> a(Rows * K, small), b(K * 64, small);
  e2e::buffer<float> c(Rows * 64);
  persistent<<<1>>>(a.data(), b.data(), c.data(), Rows, K, Least, More);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < Least + i / 64 / 128 * More; ++k)
      sum += double(float(a[i / 64 * K + k])) * double(float(b[k * 64 + i % 64]));
    return sum;
  });
}

// The right operand is computed from bytes: each iteration stores it to a slot while the previous dot is in flight.
[[tt::num_warps(8), tt::num_stages(3), tt::num_consumers(1)]] __tile_global__ void computed(const float16 *a, const int8_t *b, float *c, int k) {
  auto from_a = tt::make_tensor_descriptor<128, 32>(a, {128, k}, {k, 1});
  auto m = tt::arange<128>();
  auto n = tt::arange<64>();
  auto acc = tt::zeros<float, 128, 64>();
  for (int first = 0; first < k; first += 32) {
    auto weights = tt::load(b + ((first + tt::arange<32>()).col() * 64 + n.row()));
    acc = tt::dot(from_a.load({0, first}), weights.to<float16>(), acc);
  }
  tt::store(c + (m.col() * 64 + n.row()), acc);
}

void check_computed() {
  constexpr int K = 256;
  e2e::buffer<float16> a(128 * K, small);
  e2e::buffer<int8_t> b(K * 64, [](int) { return int8_t(int(e2e::random_bits() % 17) - 8); });
  e2e::buffer<float> c(128 * 64);
  computed<<<1>>>(a.data(), b.data(), c.data(), K);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / 64 * K + k])) * b[k * 64 + i % 64];
    return sum;
  });
}

// Two blocks, each of which has half of every row and column: they exchange their results, in a loop and behind it.
[[tt::num_ctas(2), tt::num_warps(4)]] __tile_global__ void cluster(const float *x, float *out, float *sums, int times) {
  constexpr int M = 16, N = 64;
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto total = tt::zeros<float, N>();
  for (int t = 0; t < times; ++t) {
    auto v = tt::load(x + t * M * N + (m.col() * N + n.row()));
    auto scaled = v - tt::max<0>(v).row();
    total = total + tt::sum<0>(scaled);
    tt::store(out + t * M * N + (n.col() * M + m.row()), tt::trans(scaled));
  }
  tt::store(sums + n, tt::cumsum(total));
}

void check_cluster() {
  constexpr int M = 16, N = 64, Times = 3;
  e2e::buffer<float> x(Times * M * N, [](int) { return float(int(e2e::random_bits() % 65) - 32); });
  e2e::buffer<float> out(Times * M * N), sums(N);
  cluster<<<1>>>(x.data(), out.data(), sums.data(), Times);
  std::vector<double> most(Times * N, -100), want(N);
  for (int i = 0; i < Times * M * N; ++i)
    most[i / (M * N) * N + i % N] = std::max<double>(most[i / (M * N) * N + i % N], x[i]);
  for (int i = 0; i < Times * M * N; ++i)
    for (int column = i % N; column < N; ++column)
      want[column] += x[i] - most[i / (M * N) * N + i % N];
  out.expect(e2e::tolerance{1, 0}, [&](int i) {
    int t = i / (M * N), row = i % M, column = i % (M * N) / M;
    return x[t * M * N + row * N + column] - most[t * N + column];
  });
  sums.expect(e2e::tolerance{1, 0}, [&](int i) { return want[i]; });
}

// Two blocks with a specialized loop: they synchronize by barriers in memory.
[[tt::num_ctas(2), tt::num_warps(8)]] __tile_global__ void meeting(const float16 *q, const float16 *k, float *out, int keys) {
  constexpr int M = 256, N = 64, D = 64;
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto d = tt::arange<D>();
  auto queries = tt::load(q + (m.col() * D + d.row()));
  auto acc = tt::zeros<float, M, D>();
  for (int from = 0; from < keys; from += N) {
    auto scores = tt::dot(queries, tt::load(k + ((from + n).row() * D + d.col())));
    auto p = ((scores - tt::max<0>(scores).row()) * 0.015625f).to<float16>();
    acc = tt::dot(p, tt::load(k + ((from + n).col() * D + d.row())), acc);
  }
  tt::store(out + (m.col() * D + d.row()), acc);
}

void check_meeting() {
  constexpr int M = 256, D = 64, Keys = 256;
  e2e::buffer<float16> q(M * D, small), k(Keys * D, small);
  e2e::buffer<float> out(M * D);
  meeting<<<1>>>(q.data(), k.data(), out.data(), Keys);
  std::vector<double> want(M * D);
  for (int key = 0; key < Keys; ++key) {
    std::vector<double> scores(M);
    for (int row = 0; row < M; ++row)
      for (int i = 0; i < D; ++i)
        scores[row] += double(float(q[row * D + i])) * double(float(k[key * D + i]));
    double most = *std::max_element(scores.begin(), scores.end());
    for (int i = 0; i < M * D; ++i)
      want[i] += double(float(float16(float((scores[i / D] - most) / 64)))) * double(float(k[key * D + i % D]));
  }
  out.expect(e2e::tolerance{1, 2e-2}, [&](int i) { return want[i]; });
}

// A result that such a program stores by descriptors goes through two slots in four parts: rows of each warp or, for
// the transposed product (TALL), of all.
template <bool TALL>
[[tt::num_warps(8), tt::num_stages(3)]] __tile_global__ void stored(const float16 *a, const float16 *b, float16 *c, int rows, int k, int least, int more) {
  constexpr int M = TALL ? 256 : 128, N = TALL ? 128 : 256;
  auto from_a = tt::make_tensor_descriptor<M, 32>(a, {rows, k}, {k, 1});
  auto from_b = tt::make_tensor_descriptor<32, N>(b, {k, N}, {N, 1});
  auto to = tt::make_tensor_descriptor<M, N>(c, {rows, N}, {N, 1});
  for (int tile = tt::program_id(0); tile < tt::cdiv(rows, M); tile += tt::num_programs(0)) {
    auto acc = tt::zeros<float, M, N>();
    for (int first = 0; first < least + tile * more; first += 32)
      acc = tt::dot(from_a.load({tile * M, first}), from_b.load({first, 0}), acc);
    to.store({tile * M, 0}, acc.template to<float16>());
  }
}

template <bool TALL, int Least, int More> void check_stored() {
  constexpr int M = TALL ? 256 : 128, N = TALL ? 128 : 256, Rows = 3 * M - 64, K = Least + 2 * More;
  e2e::buffer<float16> a(Rows * K, small), b(K * N, small), c(Rows * N);
  stored<TALL><<<1>>>(a.data(), b.data(), c.data(), Rows, K, Least, More);
  c.expect(e2e::tolerance{1, 1e-2}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < Least + i / N / M * More; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  });
}

int main(int count, char **arguments) {
  return e2e::run("hopper", [&] {
    auto check = [&](const char *kernel, auto... bodies) {
      if (count < 2 || std::strcmp(arguments[1], kernel) == 0)
        (bodies(), ...);
    };
    check("product", check_product);
    check("from_registers", check_from_registers<40>, check_from_registers<36>, check_from_registers<36, 1>);
    check("gradients", check_gradients);
    check("attention", check_attention<0, 256>, check_attention<1, 256>, check_attention<0, 0>);
    check("shared", check_shared);
    check("computed", check_computed);
    check("cluster", check_cluster);
    check("meeting", check_meeting);
    check("persistent", check_persistent<128, 0>, check_persistent<32, 32>);
    check("stored", check_stored<false, 128, 0>, check_stored<false, 32, 32>, check_stored<true, 128, 0>, check_stored<true, 32, 32>);
  });
}
