// Functions of one or two elements that need no library: rounding, tangent, angle, log1p, what is no number, and bits of integers.
// RUN: %matrix %s -o %t
// RUN: grep '^numbers ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "support/matrix.h"

namespace {

enum operation { trunc_, round_, rint_, tan_, atan2_, log1p_, operations };
constexpr const char *names[] = {"trunc", "round", "rint", "tan", "atan2", "log1p"};
constexpr const char *flag_names[] = {"isnan", "isinf"};

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void numbers(const T *x, const T *y, T *out, bool *flags, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask), w = tt::load(y + i, mask);
  constexpr int pitch = 4 * B;
  auto put = [&](int k, auto result) { tt::store(out + k * pitch + i, result, mask); };
  put(trunc_, tt::trunc(v));
  put(round_, tt::round(v));
  put(rint_, tt::rint(v));
  put(tan_, tt::tan(v));
  put(atan2_, tt::atan2(v, w));
  put(log1p_, tt::log1p(v));
  tt::store(flags + i, tt::isnan(v), mask);
  tt::store(flags + pitch + i, tt::isinf(v), mask);
}

template <class T> struct allowed {
  static constexpr bool narrow = sizeof(T) == 2;
  static constexpr double tan = narrow ? 0.51 : sizeof(T) == 4 ? 6 : 5;
  static constexpr double others = narrow ? 0.51 : sizeof(T) == 4 ? 5 : 4;
};

template <class T>
void launch_numbers(int block, int warps, matrix::form form, void (*numbers)(const T *, const T *, T *, bool *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  std::vector<const char *> wanted(names, names + operations);
  wanted.insert(wanted.end(), flag_names, flag_names + 2);
  if (!cases.of(wanted.data(), wanted.size()))
    return;
  const int n = form.n;
  matrix::buffer<T> x(n, matrix::any<T>, form.skew), y(n, matrix::any<T>, form.skew ? form.skew + 1 : 0);
  matrix::results<T> out(operations, 4 * block, form.skew);
  matrix::results<bool> flags(2, 4 * block, form.skew);
  numbers<<<tt::cdiv(n, block)>>>(x.data(), y.data(), out.data(), flags.data(), n);
  const double least = std::ldexp(1, e2e::float_format<T>::min_exponent); // below it, results may be flushed
  auto exactly = [](double value) { return matrix::approximately{value, 0}; };
  cases.check(names[trunc_], out, trunc_, n, [&](int i) { return exactly(std::trunc(double(x[i]))); });
  cases.check(names[round_], out, round_, n, [&](int i) { return exactly(std::round(double(x[i]))); });
  cases.check(names[rint_], out, rint_, n, [&](int i) { return exactly(std::rint(double(x[i]))); });
  cases.check(names[tan_], out, tan_, n, [&](int i) {
    return matrix::approximately{double(std::tan((long double)x[i])), allowed<T>::tan, least};
  });
  cases.check(names[atan2_], out, atan2_, n, [&](int i) {
    return matrix::approximately{double(std::atan2((long double)x[i], (long double)y[i])), allowed<T>::others, least};
  });
  cases.check(names[log1p_], out, log1p_, n, [&](int i) {
    return matrix::approximately{double(std::log1p((long double)x[i])), allowed<T>::others, least};
  });
  cases.check(flag_names[0], flags, 0, n, [&](int i) { return std::isnan(double(x[i])); });
  cases.check(flag_names[1], flags, 1, n, [&](int i) { return std::isinf(double(x[i])); });
}

template <class T, int B, int W> [[tt::num_warps(W)]] __tile_global__ void bits(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto v = tt::load(x + i, i < n);
  tt::store(out + i, tt::popcount(v), i < n);
  tt::store(out + 4 * B + i, tt::clz(v), i < n);
}

template <class T> void launch_bits(int block, int warps, matrix::form form, void (*bits)(const T *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  const char *names[] = {"popcount", "clz"};
  if (!cases.of(names, 2))
    return;
  matrix::buffer<T> x(form.n, [](int i) { return i % 5 ? T(matrix::any<T>() >> (i % (8 * sizeof(T)))) : T(0); }, form.skew);
  matrix::results<T> out(2, 4 * block, form.skew);
  bits<<<tt::cdiv(form.n, block)>>>(x.data(), out.data(), form.n);
  using U = std::make_unsigned_t<T>;
  cases.check("popcount", out, 0, form.n, [&](int i) { return T(__builtin_popcountll(U(x[i]))); });
  cases.check("clz", out, 1, form.n, [&](int i) {
    int zeros = 8 * sizeof(T);
    for (U rest = U(x[i]); rest; rest >>= 1)
      --zeros;
    return T(zeros);
  });
}

matrix::family family("numbers", [] {
  matrix::for_each<matrix::floats>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, I))
      launch_numbers<T>(block, W, form, numbers<T, block, W>);
  });
  matrix::for_each<matrix::integers>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, I))
      launch_bits<T>(block, W, form, bits<T, block, W>);
  });
});

} // namespace
