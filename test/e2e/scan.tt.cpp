// Tests scans: cumsum, cumprod and associative_scan with a function, forward and reverse, along either axis.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// Integers narrower than int are added as int, bfloat16 as float.
template <class T> using sum_type = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4,
    std::conditional_t<std::is_unsigned_v<T> && !std::is_same_v<T, bool>, unsigned, int>,
    std::conditional_t<std::is_same_v<T, tt::bfloat16>, float, T>>;

// The first element that is not zero: associative, but not commutative.
struct first_of {
  template <class T> constexpr T operator()(T a, T b) const { return a != T(0) ? a : b; }
};

template <class T, int M, int N, int W>
[[tt::num_warps(W)]] __tile_global__ void scans(const T *x, sum_type<T> *sums, T *firsts) {
  auto at = tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>();
  auto v = tt::load(x + at);
  tt::store(sums + at, tt::cumsum<1>(v));
  tt::store(sums + M * N + at, tt::cumsum(v));
  tt::store(sums + 2 * M * N + at, tt::cumsum<-1>(v, tt::reverse));
  tt::store(sums + 3 * M * N + at, tt::cumsum<0>(v, tt::reverse));
  tt::store(firsts + at, tt::associative_scan<1>(v, first_of()));
  tt::store(firsts + M * N + at, tt::associative_scan<0>(v, first_of()));
  tt::store(firsts + 2 * M * N + at, tt::associative_scan<1>(v, first_of(), tt::reverse));
  tt::store(firsts + 3 * M * N + at, tt::associative_scan<0>(v, first_of(), tt::reverse));
}

// A recurrence y = a * y + b: two tiles, a function that is not commutative, one of them with a branch.
template <int B, int W> [[tt::num_warps(W)]] __tile_global__ void recurrence(const int *a, const int *b, int *y, int64_t *z) {
  auto i = tt::arange<B>();
  auto factor = tt::load(a + i);
  auto term = tt::load(b + i);
  auto [all, last] = tt::associative_scan<0>(tt::pair{factor, term}, [](int a0, int b0, int a1, int b1) {
    return tt::pair{a0 * a1, b0 * a1 + b1};
  });
  tt::store(y + i, all);
  tt::store(y + B + i, last);
  auto [rall, rlast] = tt::associative_scan<0>(
      tt::pair{factor, term}, [](int a0, int b0, int a1, int b1) { return tt::pair{a0 * a1, b0 * a1 + b1}; }, tt::reverse);
  tt::store(y + 2 * B + i, rall);
  tt::store(y + 3 * B + i, rlast);
  // Segmented sum: it starts again where the flag is odd.
  auto [flag, sum] = tt::associative_scan<0>(tt::pair{factor & 1, term.template to<int64_t>()},
                                             [](int f0, int64_t s0, int f1, int64_t s1) {
                                               if (f1)
                                                 return tt::pair{f0 | f1, s1};
                                               return tt::pair{f0 | f1, s0 + s1};
                                             });
  tt::store(z + i, sum);
}

template <class T, int M, int N, int W> __tile_global__ [[tt::num_warps(W)]] void products(const T *x, T *out) {
  auto at = tt::arange<M>()(tt::all, tt::newaxis) * N + tt::arange<N>();
  auto v = tt::load(x + at);
  tt::store(out + at, tt::cumprod<1>(v));
  tt::store(out + M * N + at, tt::cumprod<0>(v, tt::reverse));
}

// Element i of quarter q of the output: which elements of x it combines, in order.
template <int M, int N, class F> void visit(int i, F f) {
  int q = i / (M * N), r = i % (M * N) / N, c = i % N;
  bool along_rows = q % 2 == 0, reverse = q >= 2;
  int position = along_rows ? c : r, size = along_rows ? N : M;
  for (int p = reverse ? size - 1 : 0; reverse ? p >= position : p <= position; reverse ? --p : ++p)
    f(along_rows ? r * N + p : p * N + c);
}

template <class T, int M, int N, int W> void check() {
  e2e::context("%s, %d x %d, %d warps", e2e::name_of<T>, M, N, W);
  // Sums of these are exact in every type.
  e2e::buffer<T> x(M * N, [](int) { return T(e2e::between(0, 3) ? 0 : e2e::between(std::is_unsigned_v<T> ? 0 : -3, 3)); });
  e2e::buffer<sum_type<T>> sums(4 * M * N);
  e2e::buffer<T> firsts(4 * M * N);
  scans<T, M, N, W><<<1>>>(x.data(), sums.data(), firsts.data());
  sums.expect([&](int i) {
    double sum = 0;
    visit<M, N>(i, [&](int k) { sum += double(x[k]); });
    return sum_type<T>(int64_t(sum));
  });
  firsts.expect([&](int i) {
    T first = T(0);
    visit<M, N>(i, [&](int k) { first = first != T(0) ? first : x[k]; });
    return first;
  });
}

template <int B, int W> void check_recurrence() {
  e2e::context("%d, %d warps", B, W);
  e2e::buffer<int> a(B, e2e::random<int>), b(B, e2e::random<int>), y(4 * B);
  e2e::buffer<int64_t> z(B);
  recurrence<B, W><<<1>>>(a.data(), b.data(), y.data(), z.data());
  y.expect([&](int i) {
    bool reverse = i >= 2 * B, wants_term = i / B % 2;
    int to = i % B;
    uint32_t factor = 1, term = 0;
    for (int k = reverse ? B - 1 : 0; reverse ? k >= to : k <= to; reverse ? --k : ++k) {
      factor *= uint32_t(a[k]);
      term = term * uint32_t(a[k]) + uint32_t(b[k]);
    }
    return int(wants_term ? term : factor);
  });
  z.expect([&](int i) {
    int64_t sum = 0;
    for (int k = 0; k <= i; ++k)
      sum = a[k] & 1 && k > 0 ? b[k] : sum + b[k];
    return sum;
  });
}

template <class T, int M, int N, int W> void check_products() {
  e2e::context("products of %s, %d x %d, %d warps", e2e::name_of<T>, M, N, W);
  e2e::buffer<T> x(M * N, [](int) { return T(e2e::uniform(0.9, 1.1) * (e2e::random_bits() & 1 ? 1 : -1)); }), out(2 * M * N);
  products<T, M, N, W><<<1>>>(x.data(), out.data());
  out.expect(e2e::tolerance{4.0 * (M > N ? M : N)}, [&](int i) {
    double product = 1;
    visit<M, N>(i < M * N ? i : i + 2 * M * N, [&](int k) { product *= double(x[k]); });
    return product;
  });
}

int main() {
  return e2e::run("scan", [] {
    check<bool, 8, 16, 4>();
    check<int8_t, 16, 64, 4>();
    check<uint8_t, 2, 32, 1>();
    check<int16_t, 64, 4, 8>();
    check<uint16_t, 32, 32, 4>();
    check<int32_t, 16, 16, 1>();
    check<int32_t, 1, 512, 4>();
    check<uint32_t, 128, 2, 4>();
    check<int64_t, 4, 128, 8>();
    check<uint64_t, 8, 8, 4>();
    check<tt::float16, 32, 16, 4>();
    check<tt::bfloat16, 2, 64, 1>();
    check<float, 32, 64, 4>();
    check<float, 512, 1, 8>();
    check<double, 16, 8, 4>();
    check_recurrence<32, 1>();
    check_recurrence<256, 4>();
    check_recurrence<1024, 8>();
    check_recurrence<8, 4>();
    check_products<float, 16, 16, 4>();
    check_products<double, 4, 64, 1>();
  });
}
