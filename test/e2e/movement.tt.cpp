// Tests movements of elements: reshape, ravel, permute, trans, join, split, cat, interleave, flip, and combinations.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_STREAM_BYTES=0 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// All operations from one tile to one tile: each result has the elements of an M x N matrix in some order.
template <class T, int M, int N, int Warps> [[tt::num_warps(Warps)]] __tile_global__ void of_one(const T *x, T *out) {
  constexpr int size = M * N;
  auto i = tt::arange<size>();
  auto r = tt::arange<M>()(tt::all, tt::newaxis);
  auto c = tt::arange<N>()(tt::newaxis, tt::all);
  auto flat = tt::load(x + i);
  auto v = tt::load(x + r * N + c);
  int k = 0;
  auto put = [&](auto row) { tt::store(out + k++ * size + i, row); };
  put(tt::ravel(v));
  put(tt::ravel(tt::reshape<M, N>(flat)));
  put(tt::ravel(tt::trans(v)));
  tt::store(out + k++ * size + tt::arange<N>()(tt::all, tt::newaxis) * M + tt::arange<M>()(tt::newaxis, tt::all),
            tt::permute<1, 0>(v)); // in the layout that the store likes
  put(tt::ravel(tt::trans(tt::trans(v))));
  put(tt::reshape(tt::permute<2, 0, 1>(tt::reshape<M, N, 1>(flat)), tt::shape<size>{}));
  put(tt::ravel(tt::trans<1, 0>(tt::reshape(flat, tt::shape<N, M>{}))));
  put(tt::flip(flat));
  put(tt::ravel(tt::flip<0>(v)));
  put(tt::ravel(tt::flip(v)));
  if constexpr (size >= 4) {
    // A cube with its first and its last dimension exchanged, and one whose middle goes last.
    put(tt::ravel(tt::permute<2, 1, 0>(tt::reshape<2, size / 4, 2>(flat))));
    put(tt::ravel(tt::permute<0, 2, 1>(tt::reshape<2, 2, size / 4>(flat))));
    // Halves, the other way round.
    auto [even, odd] = tt::split(tt::reshape<size / 2, 2>(flat));
    put(tt::interleave(odd, even));
    put(tt::cat(even, odd));
    put(tt::ravel(tt::join(odd, even)));
    auto [low, high] = tt::split(tt::trans(tt::reshape<2, size / 2>(flat)));
    put(tt::cat(high, low));
    put(tt::ravel(tt::flip<0>(tt::join(low, high))));
  }
}

template <class T, int M, int N, int Warps> void check_of_one() {
  e2e::context("%s, %d x %d, %d warps", e2e::name_of<T>, M, N, Warps);
  constexpr int size = M * N, results = size >= 4 ? 17 : 10;
  e2e::buffer<T> x(size, e2e::random<T>), out(results * size);
  of_one<T, M, N, Warps><<<1>>>(x.data(), out.data());
  out.expect([&](int at) {
    int k = at / size, i = at % size, half = size / 2, quarter = size / 4;
    int transposed = i % M * N + i / M;
    switch (k) {
    case 2: case 3: return x[transposed];
    case 6: return x[i % N * M + i / N];
    case 7: return x[size - 1 - i];
    case 8: return x[(M - 1 - i / N) * N + i % N];
    case 9: return x[i / N * N + N - 1 - i % N];
    case 10: return x[i % 2 * half + i / 2 % quarter * 2 + i / half];
    case 11: return x[i / half * half + i % 2 * quarter + i % half / 2];
    case 12: case 14: return x[i ^ 1];
    case 13: return x[i % half * 2 + i / half];
    case 15: return x[i ^ half];
    case 16: { int j = half - 1 - i / 2; return x[i % 2 * half + j]; }
    default: return x[i];
    }
  });
}

// Two tiles, or scalars, combined to one.
template <class T, int M, int N, int Warps>
[[tt::num_warps(Warps)]] __tile_global__ void of_two(const T *x, const T *y, T *out) {
  constexpr int size = 2 * M * N;
  auto at = tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>()(tt::newaxis, tt::all);
  auto i = tt::arange<size>();
  auto a = tt::load(x + at), b = tt::load(y + at);
  int k = 0;
  auto put = [&](auto v) { tt::store(out + k++ * size + i, tt::ravel(v)); };
  put(tt::join(a, b));
  put(tt::interleave(a, b));
  put(tt::cat(a, b));
  put(tt::cat<1>(a, b));
  put(tt::cat<-1>(b, a));
  put(tt::join(a, *y));                               // a scalar beside every element
  put(tt::join(tt::load(x + tt::arange<N>()), b));    // a row beside every row
  auto [left, right] = tt::split(tt::join(tt::trans(a), tt::trans(b)));
  put(tt::cat(right, left));
  auto [s, t] = tt::split(tt::join(*x, *y));
  tt::store(out + k * size, t);
  tt::store(out + k * size + 1, s);
  tt::store(out + k * size + 2 + tt::arange<2>(), tt::interleave(*x, *y));
}

template <class T, int M, int N, int Warps> void check_of_two() {
  e2e::context("%s, two of %d x %d, %d warps", e2e::name_of<T>, M, N, Warps);
  constexpr int half = M * N, size = 2 * half;
  e2e::buffer<T> x(half, e2e::random<T>), y(half, e2e::random<T>), out(8 * size + 4);
  of_two<T, M, N, Warps><<<1>>>(x.data(), y.data(), out.data());
  out.expect([&](int at) {
    int k = at / size, i = at % size, row = i / (2 * N), column = i % (2 * N);
    auto behind = [&](auto &a, auto &b) { return column < N ? a[row * N + column] : b[row * N + column - N]; };
    auto second = [&](int j) { return j < half ? y[j % M * N + j / M] : x[(j - half) % M * N + (j - half) / M]; };
    switch (k) {
    case 0: case 1: return i % 2 ? y[i / 2] : x[i / 2];
    case 2: return i < half ? x[i] : y[i - half];
    case 3: return behind(x, y);
    case 4: return behind(y, x);
    case 5: return i % 2 ? y[0] : x[i / 2];
    case 6: return i % 2 ? y[i / 2] : x[i / 2 % N];
    case 7: return second(i);
    default: return at - 8 * size == 0 || at - 8 * size == 3 ? y[0] : x[0];
    }
  });
}

// If any order is allowed, every element still occurs once.
template <class T, int N, int Warps> [[tt::num_warps(Warps)]] __tile_global__ void in_any_order(const T *x, T *out) {
  auto i = tt::arange<N>();
  auto a = tt::load(x + i), b = tt::load(x + N + i);
  tt::store(out, tt::sum(tt::cat(a, b, tt::can_reorder)));
  tt::store(out + 1, tt::sum(tt::reshape<2, N / 2>(a, tt::can_reorder)));
  tt::store(out + 2 + tt::arange<4 * N>(),
            tt::cat(tt::cat(a, b, tt::can_reorder), tt::zeros_like(tt::cat(b, a, tt::can_reorder)), tt::can_reorder));
}

template <class T, int N, int Warps> void check_any_order() {
  e2e::context("%s, any order of %d, %d warps", e2e::name_of<T>, N, Warps);
  e2e::buffer<T> x(2 * N, [](int) { return T(e2e::between(1, 9)); }), out(2 + 4 * N);
  in_any_order<T, N, Warps><<<1>>>(x.data(), out.data());
  int counts[10] = {}, sum = 0, first = 0;
  for (int i = 0; i < 2 * N; ++i)
    ++counts[int(x[i])], sum += x[i], first += i < N ? x[i] : 0;
  counts[0] = 2 * N;
  out.expect_if([&](int i, T got) {
    return i == 0 ? got == T(sum) : i == 1 ? got == T(first) : got >= T(0) && got <= T(9) && --counts[int(got)] >= 0;
  });
}

// Transposed in place, and next to itself: a store may not move in front of loads of other positions.
template <int N> __tile_global__ void in_place(int *x, int *y, int n) {
  auto r = tt::arange<N>()(tt::all, tt::newaxis);
  auto c = tt::arange<N>()(tt::newaxis, tt::all);
  auto mask = r < n && c < n;
  auto v = tt::load(x + r * N + c, mask, -1);
  tt::debug_barrier();
  tt::store(x + r * N + c, tt::trans(v));
  auto w = tt::load(y + r * N + c, mask, 7);
  tt::debug_barrier();
  tt::store(y + r * N + c, w * 3 + tt::trans(w) + tt::flip(w), c < n);
}

template <int N> void check_in_place() {
  for (int n : {1, N - 3, N}) {
    e2e::context("in place, %d of %d", n, N);
    auto number = [](int) { return int(e2e::between(-1000, 1000)); };
    e2e::buffer<int> x(N * N, number), y(N * N, number);
    in_place<N><<<1>>>(x.data(), y.data(), n);
    auto loaded = [&](auto &memory, int r, int c, int other) { return r < n && c < n ? memory[r * N + c] : other; };
    x.expect([&](int i) { return loaded(x, i % N, i / N, -1); });
    y.expect([&](int i) {
      int r = i / N, c = i % N;
      return c < n ? loaded(y, r, c, 7) * 3 + loaded(y, c, r, 7) + loaded(y, r, N - 1 - c, 7) : y[i];
    });
  }
}

// Bits reinterpreted as another type.
template <int N> __tile_global__ void bits(const float *x, const uint16_t *h, int *out, tt::bfloat16 *b, float *back) {
  auto i = tt::arange<N>();
  tt::store(out + i, tt::bitcast<int>(tt::load(x + i)));
  tt::store(b + i, tt::bitcast<tt::bfloat16>(tt::load(h + i)));
  tt::store(back + i, tt::bitcast<float>(tt::bitcast<unsigned>(tt::load(x + i)) ^ 0x80000000u));
  tt::store(out + N, tt::bitcast<int>(*x));
}

void check_bits() {
  constexpr int N = 256;
  e2e::context("bits");
  e2e::buffer<float> x(N, e2e::random<float>), back(N);
  e2e::buffer<uint16_t> h(N, e2e::random<uint16_t>);
  e2e::buffer<int> out(N + 1);
  e2e::buffer<tt::bfloat16> b(N);
  bits<N><<<1>>>(x.data(), h.data(), out.data(), b.data(), back.data());
  out.expect([&](int i) {
    float v = x[i % N];
    int want;
    std::memcpy(&want, &v, sizeof want);
    return want;
  });
  b.expect([&](int i) {
    uint16_t v = h[i];
    tt::bfloat16 want;
    std::memcpy(&want, &v, sizeof want);
    return want;
  });
  back.expect([&](int i) { return -x[i]; });
}

template <class T> void check_type() {
  check_of_one<T, 16, 32, 4>();
  check_of_two<T, 8, 16, 4>();
}
template <int M, int N> void check_shape() {
  check_of_one<int, M, N, 1>();
  check_of_one<int, M, N, 8>();
  check_of_two<int, M, N, 1>();
  check_of_two<int, M, N, 8>();
}

int main() {
  return e2e::run("movement", [] {
    check_type<bool>();
    check_type<int8_t>();
    check_type<uint16_t>();
    check_type<int64_t>();
    check_type<tt::float16>();
    check_type<tt::bfloat16>();
    check_type<float>();
    check_type<double>();
    check_shape<1, 1>();
    check_shape<1, 2>();
    check_shape<64, 1>();
    check_shape<2, 64>();
    check_shape<32, 32>();
    check_any_order<int, 64, 4>();
    check_any_order<float, 512, 2>();
    check_in_place<16>();
    check_in_place<64>();
    check_bits();
  });
}
