// Tests reductions of several tiles by a function, with and without control flow; xor_sum, reduce_or, keep_dims.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// Mean and variance in one pass (Welford, as Chan et al. combine it): count, mean, sum of squared distances.
struct welford {
  template <class T> constexpr auto operator()(T n, T mean, T m2, T count, T other_mean, T other_m2) const {
    T total = n + count, delta = other_mean - mean, part = count / total;
    return tt::tuple{total, mean + delta * part, m2 + other_m2 + delta * delta * n * part};
  }
};

template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void moments(const T *x, T *mean, T *variance, T *all) {
  auto r = tt::arange<M>();
  auto v = tt::load(x + r(tt::all, tt::newaxis) * N + tt::arange<N>());
  auto one = tt::full<T>(tt::shape<M, N>{}, T(1));
  auto [count, m, m2] = tt::reduce<1>(tt::tuple{one, v, v * T(0)}, welford());
  tt::store(mean + r, m);
  tt::store(variance + r, m2 / count);
  auto [n, am, am2] = tt::reduce(tt::tuple{one, v, v * T(0)}, welford());
  all[0] = n;
  all[1] = am;
  all[2] = am2 / n;
}

// Four tiles of four types: the element with the smallest key, found with branches, and the values that belong to it.
template <int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void gather_smallest(const int *key, int64_t *keys, double *values, bool *flags,
                                                          uint8_t *bytes) {
  auto c = tt::arange<N>();
  auto at = tt::arange<M>()(tt::all, tt::newaxis) * N + c;
  auto k = tt::load(key + at).template to<int64_t>() * 1000000 + at; // all different
  auto d = k.template to<double>() * 0.5;
  auto [a, b, f, u] = tt::reduce<0>(
      tt::tuple{k, d, (k & 1) == 1, (k & 255).template to<uint8_t>()},
      [](int64_t k0, double d0, bool f0, uint8_t u0, int64_t k1, double d1, bool f1, uint8_t u1) {
        if (k0 < k1)
          return tt::tuple{k0, d0, f0, u0};
        return tt::tuple{k1, d1, f1, u1};
      },
      tt::keep_dims);
  auto o = c(tt::newaxis, tt::all);
  tt::store(keys + o, a);
  tt::store(values + o, b);
  tt::store(flags + o, f);
  tt::store(bytes + o, u);
}

template <class T, int M, int N, int W> [[tt::num_warps(W)]] __tile_global__ void bits(const T *x, T *out) {
  auto r = tt::arange<M>();
  auto c = tt::arange<N>();
  auto v = tt::load(x + r(tt::all, tt::newaxis) * N + c);
  tt::store(out + r, tt::xor_sum<1>(v));
  tt::store(out + M + r(tt::all, tt::newaxis), tt::reduce_or<1>(v, tt::keep_dims));
  tt::store(out + 2 * M + c, tt::xor_sum<0>(v));
  tt::store(out + 2 * M + N, tt::xor_sum(v));
  tt::store(out + 2 * M + N + 1 + tt::arange<1>()(tt::newaxis, tt::all), tt::reduce_or(v, tt::keep_dims));
}

template <class T, int M, int N, int W> void check_moments() {
  e2e::context("%s, %d x %d, %d warps", e2e::name_of<T>, M, N, W);
  e2e::buffer<T> x(M * N, e2e::random<T>), mean(M), variance(M), all(3);
  moments<T, M, N, W><<<1>>>(x.data(), mean.data(), variance.data(), all.data());
  auto reference = [&](int begin, int count, bool variance) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i)
      sum += double(x[begin + i]);
    for (int i = 0; i < count; ++i)
      squares += (double(x[begin + i]) - sum / count) * (double(x[begin + i]) - sum / count);
    return variance ? squares / count : sum / count;
  };
  e2e::tolerance allowed{64, 64 * e2e::ulp<T>(4)};
  mean.expect(allowed, [&](int r) { return reference(r * N, N, false); });
  variance.expect(allowed, [&](int r) { return reference(r * N, N, true); });
  all.expect(allowed, [&](int i) { return i == 0 ? double(M * N) : reference(0, M * N, i == 2); });
}

template <int M, int N, int W> void check_smallest() {
  e2e::context("%d x %d, %d warps", M, N, W);
  e2e::buffer<int> key(M * N, [](int) { return int(e2e::between(-100, 100)); });
  e2e::buffer<int64_t> keys(N);
  e2e::buffer<double> values(N);
  e2e::buffer<bool> flags(N);
  e2e::buffer<uint8_t> bytes(N);
  gather_smallest<M, N, W><<<1>>>(key.data(), keys.data(), values.data(), flags.data(), bytes.data());
  auto smallest = [&](int c) {
    int64_t least = INT64_MAX;
    for (int r = 0; r < M; ++r)
      if (int64_t k = int64_t(key[r * N + c]) * 1000000 + r * N + c; k < least)
        least = k;
    return least;
  };
  keys.expect([&](int c) { return smallest(c); });
  values.expect([&](int c) { return double(smallest(c)) * 0.5; });
  flags.expect([&](int c) { return (smallest(c) & 1) == 1; });
  bytes.expect([&](int c) { return uint8_t(smallest(c)); });
}

template <class T, int M, int N, int W> void check_bits() {
  e2e::context("%s, %d x %d, %d warps", e2e::name_of<T>, M, N, W);
  e2e::buffer<T> x(M * N, e2e::random<T>), out(2 * M + N + 2);
  bits<T, M, N, W><<<1>>>(x.data(), out.data());
  out.expect([&](int i) {
    int begin = 0, count = M * N, stride = 1;
    bool is_xor = i < M || (i >= 2 * M && i <= 2 * M + N);
    if (i < 2 * M)
      begin = i % M * N, count = N;
    else if (i < 2 * M + N)
      begin = i - 2 * M, count = M, stride = N;
    T result = x[begin];
    for (int k = 1; k < count; ++k)
      result = is_xor ? T(result ^ x[begin + k * stride]) : T(result | x[begin + k * stride]);
    return result;
  });
}

int main() {
  return e2e::run("reduce-tuples", [] {
    check_moments<float, 16, 64, 4>();
    check_moments<float, 2, 256, 8>();
    check_moments<double, 8, 32, 1>();
    check_smallest<16, 8, 4>();
    check_smallest<64, 2, 8>();
    check_smallest<4, 64, 1>();
    check_bits<bool, 8, 64, 4>();
    check_bits<int8_t, 32, 32, 1>();
    check_bits<uint8_t, 1, 128, 4>();
    check_bits<int16_t, 16, 8, 4>();
    check_bits<uint16_t, 4, 256, 8>();
    check_bits<int32_t, 32, 64, 4>();
    check_bits<uint32_t, 2, 32, 1>();
    check_bits<int64_t, 64, 16, 8>();
    check_bits<uint64_t, 16, 16, 4>();
  });
}
