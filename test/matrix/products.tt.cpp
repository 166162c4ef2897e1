// dot of every element type and precision, of matrices and of batches of them, operands in rows and in columns, with and without
// something to add to.
// RUN: %matrix %s -o %t
// RUN: grep '^products ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

template <class T>
using accumulator = std::conditional_t<std::is_integral_v<T>, int, std::conditional_t<std::is_same_v<T, double>, double, float>>;

// Two programs with inputs of their own: integers, whose products and sums are exact in every type and precision, so
// that only the right elements in the right positions give the right result; and random numbers around 1.
enum operation { plain, added };
enum content { exact_numbers, any_numbers };
constexpr int operations = 2, contents = 2;

template <class T, int B, int M, int N, int K, bool ColumnsA, bool ColumnsB, tt::precision P, int W>
[[tt::num_warps(W)]] __tile_global__ void products(const T *a, const T *b, const accumulator<T> *c, accumulator<T> *out,
                                                   int m, int n, int k) {
  int p = tt::program_id(0);
  auto batch = [] {
    if constexpr (B > 1)
      return tt::arange<B>()(tt::all, tt::newaxis, tt::newaxis);
    else
      return 0;
  }();
  auto i = tt::arange<M>()(tt::all, tt::newaxis);
  auto j = tt::arange<N>()(tt::newaxis, tt::all);
  auto down = tt::arange<K>()(tt::all, tt::newaxis);
  auto right = tt::arange<K>()(tt::newaxis, tt::all);
  auto x = tt::load(a + (p * B + batch) * (M * K) + (ColumnsA ? i + right * M : i * K + right), i < m && right < k, T(0));
  auto y = tt::load(b + (p * B + batch) * (K * N) + (ColumnsB ? down + j * K : down * N + j), down < k && j < n, T(0));
  auto inside = i < m && j < n;
  auto place = (p * B + batch) * (M * N) + i * N + j;
  constexpr int row = contents * B * M * N;
  tt::store(out + place, tt::dot<P>(x, y), inside);
  tt::store(out + row + place, tt::dot<P>(x, y, tt::load(c + place, inside, accumulator<T>(0))), inside);
}

// The relative error of a product of two numbers, which depends on the remaining digits of the operands, and of each
// step of the sum.
template <class T> double product_error(tt::precision p) {
  if (matrix::is_float8<T>) // what matrix units keep of their sums of products
    return 0x1p-12;
  if (!std::is_same_v<T, float>)
    return 0;
  switch (p) {
  case tt::precision::tf32: return 0x1p-9;
  case tt::precision::tf32x3: return 0x1p-19;
  case tt::precision::bf16x3: return 0x1p-14;
  case tt::precision::bf16x6: return 0x1p-20;
  default: return 0;
  }
}

template <class T> const char *suffix(tt::precision p) {
  if (!std::is_same_v<T, float>)
    return "";
  switch (p) {
  case tt::precision::tf32: return "-tf32";
  case tt::precision::tf32x3: return "-tf32x3";
  case tt::precision::bf16x3: return "-bf16x3";
  case tt::precision::bf16x6: return "-bf16x6";
  default: return "-ieee";
  }
}

template <class T> struct shape {
  int B, M, N, K;
  bool columns_a, columns_b;
  tt::precision precision;
  int warps;
  void (*products)(const T *, const T *, const accumulator<T> *, accumulator<T> *, int, int, int);
};

template <class T> void launch(const shape<T> &s, const char *form, int m, int n, int k, int skew) {
  using D = accumulator<T>;
  std::string text;
  for (int dim : {s.B, s.M, s.N, s.K})
    if (dim != s.B || s.B > 1)
      text += (text.empty() ? "" : "x") + std::to_string(dim);
  const std::string prefix = std::string(s.B > 1 ? "dot-3d" : "dot") + suffix<T>(s.precision);
  const std::string names[] = {prefix, prefix + "-acc", prefix + "-any", prefix + "-acc-any"};
  const char *listed[] = {names[0].c_str(), names[1].c_str(), names[2].c_str(), names[3].c_str()};
  const char *orders[] = {"-rr", "-rc", "-cr", "-cc"};
  matrix::cases cases(matrix::name_of<T>, text, s.warps, form + std::string(orders[2 * s.columns_a + s.columns_b]));
  if (!cases.of(listed, std::is_integral_v<T> ? operations : 2 * operations))
    return;

  const int elements_a = s.B * s.M * s.K, elements_b = s.B * s.K * s.N, elements = s.B * s.M * s.N;
  auto input = [](auto type, int i, int count) {
    using V = decltype(type);
    if constexpr (std::is_integral_v<V>)
      return matrix::any<V>();
    else
      return i < count ? V(double(matrix::between(-4, 4))) : V(matrix::uniform(-2, 2));
  };
  matrix::buffer<T> a(contents * elements_a, [&](int i) { return input(T(), i, elements_a); }, skew);
  matrix::buffer<T> b(contents * elements_b, [&](int i) { return input(T(), i, elements_b); }, skew);
  matrix::buffer<D> c(contents * elements, [&](int i) { return input(D(), i, elements); }, skew);
  matrix::results<D> out(operations * contents, elements, skew);
  s.products<<<contents>>>(a.data(), b.data(), c.data(), out.data(), m, n, k);

  // Sum of products, and of their magnitudes, of one element of the result.
  auto reference = [&](int content, int place, bool add, double &magnitude) {
    int batch = place / (s.M * s.N) + content * s.B, i = place / s.N % s.M, j = place % s.N;
    double sum = add ? double(c[content * elements + place]) : 0;
    magnitude = std::fabs(sum);
    for (int at = 0; at < k; ++at) {
      double x = double(a[batch * s.M * s.K + (s.columns_a ? i + at * s.M : i * s.K + at)]);
      double y = double(b[batch * s.K * s.N + (s.columns_b ? at + j * s.K : at * s.N + j)]);
      sum += x * y;
      magnitude += std::fabs(x * y);
    }
    return sum;
  };
  for (int content = 0; content < contents; ++content)
    for (int op = 0; op < operations; ++op) {
      if (std::is_integral_v<T> && content == any_numbers)
        continue;
      const char *name = listed[content * operations + op];
      cases.check(name, out, op * contents + content, elements, [&](int place) {
        using V = std::conditional_t<std::is_integral_v<T>, D, matrix::approximately>;
        if (place / s.N % s.M >= m || place % s.N >= n)
          return std::optional<V>();
        double magnitude, sum = reference(content, place, op == added, magnitude);
        if constexpr (std::is_integral_v<T>)
          return std::optional(D(unsigned(int64_t(sum)))); // exact: far below 2^53; modulo 2^32
        else if (content == exact_numbers)
          return std::optional(V{sum, 0});
        else
          return std::optional(
              V{sum, 0, magnitude * (product_error<T>(s.precision) + (k + 4) * std::ldexp(2, -e2e::float_format<D>::digits))});
      });
    }
}

template <class T, int W, int I, int B, int M, int N, int K, tt::precision P = tt::precision::ieee> void forms_of() {
  constexpr bool columns_a = I & 1, columns_b = I & 2;
  const shape<T> s{B, M, N, K, columns_a, columns_b, P, W, products<T, B, M, N, K, columns_a, columns_b, P, W>};
  launch(s, "full", M, N, K, 0);
  launch(s, "ragged", M - 1, N - 3, K - 5, 0);
  launch(s, "full+", M, N, K, 1 + I % 15);
  launch(s, "nothing", M, N, 0, 0);
}

template <class T, int W, int I, tt::precision P = tt::precision::ieee> void shapes_of() {
  if constexpr (I % 6 == 0)
    forms_of<T, W, I, 1, 16, 16, 16, P>();
  else if constexpr (I % 6 == 1)
    forms_of<T, W, I, 1, 64, 32, 32, P>();
  else if constexpr (I % 6 == 2)
    forms_of<T, W, I, 1, 16, 64, 64, P>();
  else if constexpr (I % 6 == 3)
    forms_of<T, W, I, 2, 16, 32, 16, P>();
  else if constexpr (I % 6 == 4)
    forms_of<T, W, I, 1, 128, 16, 16, P>();
  else
    forms_of<T, W, I, 4, 32, 16, 32, P>();
}

matrix::family family("products", [] {
  matrix::for_each<matrix::types<int8_t, uint8_t, tt::float16, double, tt::float8_e4m3fn, tt::float8_e5m2>>(
      []<class T, int W, int I>() { shapes_of<T, W, I>(); });
  matrix::for_each<matrix::types<tt::bfloat16>>([]<class T, int W, int I>() { shapes_of<T, W, I + 1>(); });
  matrix::for_each<matrix::types<float>>([]<class T, int W, int I>() {
    shapes_of<T, W, I, tt::precision::ieee>();
    shapes_of<T, W, I + 1, tt::precision::tf32>();
    shapes_of<T, W, I + 2, tt::precision::tf32x3>();
    shapes_of<T, W, I + 3, tt::precision::bf16x3>();
    if constexpr (I % 2)
      shapes_of<T, W, I + 4, tt::precision::bf16x6>();
  });
});

} // namespace
