// Tests [[tt::num_ctas(C)]]: C thread blocks run a program together, each with its part of every tile. On GPUs without
// clusters, and on the CPU, a single block runs the whole program.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -O1 -arch=compute_80 %s -o %t.80 && %emulate %t.80

#include "support/check.h"

/// A row that does not fit into a block, read once: the blocks' partial results are combined.
template <int C, int N> [[tt::num_ctas(C), tt::num_warps(2)]] __tile_global__ void softmax(const float *x, float *y, int n) {
  auto i = tt::arange<N>();
  int row = tt::program_id(0);
  auto v = tt::load(x + row * n + i, i < n, -INFINITY);
  auto e = tt::exp(v - tt::max(v));
  tt::store(y + row * n + i, e / tt::sum(e), i < n);
}

template <int C, int N> static void check_softmax(int rows, int n) {
  e2e::context("softmax of %d rows of %d by %d blocks", rows, n, C);
  e2e::buffer<float> x(rows * n, [](int) { return float(int(e2e::random_bits() % 2048) - 1024) / 256; }), y(rows * n);
  softmax<C, N><<<rows>>>(x.data(), y.data(), n);
  std::vector<double> most(rows, -1e30), sum(rows);
  for (int i = 0; i < rows * n; ++i)
    most[i / n] = std::max<double>(most[i / n], x[i]);
  for (int i = 0; i < rows * n; ++i)
    sum[i / n] += std::exp(x[i] - most[i / n]);
  y.expect(e2e::tolerance{64, 0}, [&](int i) { return std::exp(x[i] - most[i / n]) / sum[i / n]; });
}

/// A dot through plain pointers, with rows and columns distributed over blocks.
template <int C, int BM, int BN, int BK>
[[tt::num_ctas(C), tt::num_warps(4)]] __tile_global__ void product(const tt::float16 *a, const tt::float16 *b, float *c,
                                                                   int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(a + (m.col() * K + (i + k).row()), (m < M).col() && (i + k < K).row(), tt::float16(0));
    auto y = tt::load(b + ((i + k).col() * N + n.row()), (i + k < K).col() && (n < N).row(), tt::float16(0));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

template <int C, int BM, int BN, int BK> static void check_product(int M, int N, int K) {
  e2e::context("product %dx%dx%d in tiles of %dx%dx%d by %d blocks", M, N, K, BM, BN, BK, C);
  auto small = [](int) { return tt::float16(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<tt::float16> a(M * K, small), b(K * N, small);
  e2e::buffer<float> c(M * N);
  product<C, BM, BN, BK><<<dim3(tt::cdiv(M, BM), tt::cdiv(N, BN))>>>(a.data(), b.data(), c.data(), M, N, K);
  c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  });
}

/// Programs take a lock one after the other and change a shared row by plain loads and stores.
template <int C> [[tt::num_ctas(C), tt::num_warps(1)]] __tile_global__ void locked(int *lock, int *row, int *count) {
  auto i = tt::arange<64>();
  while (tt::atomic_cas(lock, 0, 1) == 1)
    ;
  int seen = tt::load(count);
  tt::store(row + i, tt::load(row + i) + seen + 1);
  tt::store(count, seen + 1);
  tt::debug_barrier();
  tt::atomic_xchg(lock, 0);
}

template <int C> static void check_locked(int programs) {
  e2e::context("%d programs of %d blocks take turns", programs, C);
  e2e::buffer<int> lock(1, [](int) { return 0; }), row(64, [](int i) { return i; }), count(1, [](int) { return 0; });
  locked<C><<<programs>>>(lock.data(), row.data(), count.data());
  row.expect([&](int i) { return i + programs * (programs + 1) / 2; });
  count.expect([&](int) { return programs; });
  lock.expect([&](int) { return 0; });
}

/// One tile in several distributions: by rows, by columns, transposed, whole; of several types.
template <int C, class T> [[tt::num_ctas(C), tt::num_warps(2)]] __tile_global__ void around(const T *x, T *y, int *at) {
  constexpr int M = 32, N = 64;
  auto i = tt::arange<M>().col();
  auto j = tt::arange<N>().row();
  auto v = tt::load(x + i * N + j);
  tt::store(y + i * N + j, tt::flip<1>(v));
  tt::store(y + M * N + tt::arange<N>().col() * M + tt::arange<M>().row(), tt::trans(v));
  tt::store(y + 2 * M * N + i * N + j, tt::gather<0>(v, (i * 7 + 3) % M + j * 0));
  tt::store(at + tt::arange<N>(), tt::argmax<0>(v));
  tt::store(at + N + tt::arange<M>(), tt::argmax<1>(v));
  auto [low, high] = tt::split(tt::reshape<M * N / 2, 2>(v));
  tt::store(y + 3 * M * N + tt::arange<M * N / 2>(), high);
  tt::store(y + 3 * M * N + M * N / 2 + tt::arange<M * N / 2>(), low);
}

template <int C, class T> static void check_around() {
  constexpr int M = 32, N = 64;
  e2e::context("tiles of %zu bytes by %d blocks", sizeof(T), C);
  std::vector<int> order(M * N);
  for (int i = 0; i < M * N; ++i)
    order[i] = i * 1021 % (M * N); // all different, if the type has enough values
  e2e::buffer<T> x(M * N, [&](int i) { return T(sizeof(T) == 1 ? order[i] % 120 : order[i]); }), y(4 * M * N);
  e2e::buffer<int> at(M + N);
  around<C><<<1>>>(x.data(), y.data(), at.data());
  y.expect([&](int k) -> T {
    int part = k / (M * N), i = k % (M * N);
    switch (part) {
    case 0:
      return x[i / N * N + (N - 1 - i % N)];
    case 1:
      return x[i % M * N + i / M];
    case 2:
      return x[(i / N * 7 + 3) % M * N + i % N];
    default:
      return i < M * N / 2 ? x[2 * i + 1] : x[2 * (i - M * N / 2)];
    }
  });
  at.expect([&](int k) {
    int best = 0;
    bool isColumn = k < N;
    for (int i = 0; i < (isColumn ? M : N); ++i) {
      auto value = [&](int i) { return isColumn ? x[i * N + k] : x[(k - N) * N + i]; };
      if (value(i) > value(best))
        best = i;
    }
    return best;
  });
}

/// Program numbers are the same as without clusters.
[[tt::num_ctas(4)]] __tile_global__ void numbers(int *out) {
  int program = tt::program_id(0) + tt::num_programs(0) * tt::program_id(1);
  tt::store(out + 2 * program, program);
  tt::store(out + 2 * program + 1, tt::num_programs(0) * 100 + tt::num_programs(1));
}

int main() {
  return e2e::run("clusters", [] {
    check_softmax<2, 512>(3, 500);
    check_softmax<4, 1024>(3, 1000);
    check_softmax<8, 4096>(2, 4096);
    check_softmax<16, 1024>(1, 777);
    check_product<2, 128, 128, 32>(200, 136, 96);
    check_product<4, 128, 256, 64>(128, 300, 128);
    check_product<2, 64, 64, 64>(64, 64, 192);
    check_product<2, 256, 64, 64>(300, 72, 832); // long enough for slots to be refilled
    check_product<4, 256, 256, 64>(256, 200, 640);
    check_locked<2>(5);
    check_locked<4>(3);
    check_around<2, float>();
    check_around<4, short>();
    check_around<8, signed char>();
    check_around<2, double>();
    e2e::context("numbers of programs");
    e2e::buffer<int> out(12);
    numbers<<<dim3(3, 2)>>>(out.data());
    out.expect([](int i) { return i % 2 ? 302 : i / 2; });
  });
}
