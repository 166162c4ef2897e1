// Mathematical functions of one, two and three numbers of every floating-point type, of whole rows, and NVIDIA's from libdevice.
// REQUIRES: cuda
// RUN: %matrix %s -o %t
// RUN: grep '^functions ' %cases > %t.cases && %t --list | %count | diff %t.cases -
// RUN: env TILECC_DEVICE=cpu %t --seed=%seed --hash=%t.cpu
// RUN: %emulate %t --seed=%seed --hash=%t.emu
// RUN: diff %t.cpu %t.emu
#include "../e2e/support/functions.h"
#include "support/matrix.h"

#include <tilecc/libdevice.h>

namespace {

using e2e::function;

// Rows of results: first the functions of one number, then these.
enum operation { pow_ = e2e::functions, div_rn_, fdiv_, fma_, clamp_, clamp_nan_, softmax_, operations };
constexpr const char *names_of_others[] = {"pow", "div-rn", "fdiv", "fma", "clamp", "clamp-nan", "softmax"};

// NVIDIA's, float and double: name, how far off in units of the last place, and in which range of arguments.
#define LIBDEVICE(F)                                                                                                   \
  F(tan, 5, 8) F(asin, 4, 1) F(acos, 4, 1) F(atan, 3, 100) F(sinh, 4, 8) F(cosh, 4, 8) F(asinh, 4, 100)                \
  F(expm1, 3, 8) F(exp10, 4, 4) F(cbrt, 1, 1e6) F(erfc, 8, 4) F(tgamma, 12, 5) F(round, 0, 1e5) F(rint, 0, 1e5)        \
  F(trunc, 0, 1e5) F(logb, 0, 1e6)

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void functions(const T *x, const T *y, const T *row, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask), w = tt::load(y + i, mask);
  constexpr int pitch = 4 * B;
  auto put = [&](int k, auto result) { tt::store(out + k * pitch + i, result, mask); };
#define PUT(name) put(int(function::name), tt::name(v));
  E2E_FUNCTIONS(PUT)
#undef PUT
  put(pow_, tt::pow(v, w));
  put(div_rn_, tt::div_rn(v, w));
  put(fdiv_, tt::fdiv(v, w));
  put(fma_, tt::fma(v, w, v));
  put(clamp_, tt::clamp(v, -0.5f, w));
  put(clamp_nan_, tt::clamp<tt::propagate_nan::all>(v, w, 2));
  put(softmax_, tt::softmax<0>(tt::load(row + i, mask, -INFINITY)));
}

// Rounded once to double: no more than that for double, and good enough for the others.
double reference_of_others(int operation, double x, double y) {
  auto larger = [](double a, double b) { return a != a ? b : b != b ? a : a > b ? a : b; };
  auto smaller = [](double a, double b) { return a != a ? b : b != b ? a : a < b ? a : b; };
  switch (operation) {
  case pow_: return double(std::pow((long double)x, (long double)y));
  case div_rn_:
  case fdiv_: return x / y;
  case fma_: return std::fma(x, y, x);
  case clamp_: return smaller(larger(x, -0.5), y);
  default: return x != x || y != y ? NAN : smaller(larger(x, y), 2);
  }
}

template <class T> double allowed_of_others(int operation) {
  switch (operation) {
  case pow_:
  case fdiv_: return sizeof(T) == 2 ? 0.51 : 2;
  case div_rn_:
  case fma_: return sizeof(T) == 2 ? 0.51 : 0.5001;
  default: return 0;
  }
}

template <class T>
void launch_functions(int block, int warps, matrix::form form, void (*functions)(const T *, const T *, const T *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  std::vector<const char *> names(e2e::function_names, e2e::function_names + e2e::functions);
  names.insert(names.end(), names_of_others, names_of_others + operations - e2e::functions);
  if (!cases.of(names.data(), names.size()))
    return;
  const int n = form.n;
  matrix::buffer<T> x(n, matrix::any<T>, form.skew), y(n, matrix::any<T>, form.skew ? form.skew + 1 : 0);
  matrix::buffer<T> row(n, [](int) { return T(matrix::uniform(-4, 4)); }, form.skew);
  matrix::results<T> out(operations, 4 * block, form.skew);
  functions<<<tt::cdiv(n, block)>>>(x.data(), y.data(), row.data(), out.data(), n);

  const bool gpu = e2e::on_gpu();
  // Of a square root, a double is the true value correctly rounded.
  auto true_value = [](function f, double x) {
    return f == function::sqrt_rn ? std::sqrt(x) : double(e2e::true_value(f, x));
  };
  for (int k = 0; k < e2e::functions; ++k) {
    const auto f = function(k);
    cases.check(names[k], out, k, n, [&](int i) { return !e2e::is_lost_sigmoid(f, double(x[i]), out.after(k * out.pitch + i)); },
                [&](int i) {
                  const e2e::tolerance t = e2e::allowed<T>(f, double(x[i]), gpu);
                  return matrix::approximately{true_value(f, double(x[i])), t.ulps, t.absolute};
                });
  }
  for (int k = pow_; k < softmax_; ++k)
    cases.check(names[k], out, k, n,
                [&](int i) { // div.full flushes quotients of numbers above 2^126
                  return k != fdiv_ || sizeof(T) != 4 || !gpu || !(std::fabs(double(y[i])) > 0x1p126);
                },
                [&](int i) {
                  return matrix::approximately{reference_of_others(k, double(x[i]), double(y[i])), allowed_of_others<T>(k)};
                });
  cases.check(names[softmax_], out, softmax_, n, [&](int i) {
    double sum = 0;
    for (int j = i / block * block; j < std::min(i / block * block + block, n); ++j)
      sum += std::exp(double(row[j]));
    return matrix::approximately{std::exp(double(row[i])) / sum, sizeof(T) == 2 ? 1.0 : 64.0};
  });
}

//===-- libdevice -------------------------------------------------------------------------------------------------===//

enum libdevice_operation {
#define NAME(name, ulps, range) libdevice_##name,
  LIBDEVICE(NAME) libdevice_copysign, libdevice_ldexp, libdevice_fmod, libdevice_operations
#undef NAME
};
#define NAME(name, ulps, range) "libdevice-" #name,
constexpr const char *libdevice_names[] = {LIBDEVICE(NAME) "libdevice-copysign", "libdevice-ldexp", "libdevice-fmod"};
#undef NAME

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void libdevice(const T *x, const T *y, const int *powers, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 0.5f), w = tt::load(y + i, mask, 1.0f);
  constexpr int pitch = 4 * B;
  auto put = [&](int k, auto result) { tt::store(out + k * pitch + i, result, mask); };
#define PUT(name, ulps, range) put(libdevice_##name, tt::libdevice::name(v * T(range)));
  LIBDEVICE(PUT)
#undef PUT
  put(libdevice_copysign, tt::libdevice::copysign(v, w));
  put(libdevice_ldexp, tt::libdevice::ldexp(v, tt::load(powers + i, mask, 0)));
  put(libdevice_fmod, tt::libdevice::fmod(v * T(100), w));
}

template <class T>
void launch_libdevice(int block, int warps, matrix::form form, void (*libdevice)(const T *, const T *, const int *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  if (!cases.of(libdevice_names, libdevice_operations))
    return;
  const int n = form.n;
  matrix::buffer<T> x(n, [](int) { return T(matrix::uniform(-1, 1)); }, form.skew);
  matrix::buffer<T> y(n, [](int) { return T(matrix::uniform(0.1, 2) * (matrix::random_bits() & 1 ? 1 : -1)); }, form.skew);
  matrix::buffer<int> powers(n, [](int) { return int(matrix::between(-20, 20)); }, form.skew);
  matrix::results<T> out(libdevice_operations, 4 * block, form.skew);
  libdevice<<<tt::cdiv(n, block)>>>(x.data(), y.data(), powers.data(), out.data(), n);
  struct entry {
    long double (*reference)(long double);
    double ulps, range;
  };
  static const entry entries[] = {
#define ENTRY(name, ulps, range) {[](long double v) -> long double { return ::name##l(v); }, ulps, range},
      LIBDEVICE(ENTRY)
#undef ENTRY
  };
  for (int k = 0; k < libdevice_copysign; ++k)
    cases.check(libdevice_names[k], out, k, n, [&](int i) {
      return matrix::approximately{double(entries[k].reference(double(T(x[i] * T(entries[k].range))))), entries[k].ulps};
    });
  cases.check("libdevice-copysign", out, libdevice_copysign, n, [&](int i) { return T(std::copysign(x[i], y[i])); });
  cases.check("libdevice-ldexp", out, libdevice_ldexp, n, [&](int i) { return T(std::ldexp(x[i], powers[i])); });
  cases.check("libdevice-fmod", out, libdevice_fmod, n, [&](int i) { return T(std::fmod(T(x[i] * T(100)), y[i])); });
}

//===-- integers --------------------------------------------------------------------------------------------------===//

template <class T> constexpr T low_of = std::is_same_v<T, bool> ? 0 : 10;

template <class T, int B, int W>
[[tt::num_warps(W)]] __tile_global__ void integers(const T *x, const T *y, T *out, int n) {
  auto i = tt::program_id(0) * B + tt::arange<B>();
  auto v = tt::load(x + i, i < n, T(1)), w = tt::load(y + i, i < n, T(1));
  tt::store(out + i, tt::clamp(v, low_of<T>, tt::maximum(w, low_of<T>)), i < n);
  if constexpr (sizeof(T) >= 4)
    tt::store(out + 4 * B + i, tt::umulhi(v, w), i < n);
}

template <class T> void launch_integers(int block, int warps, matrix::form form, void (*integers)(const T *, const T *, T *, int)) {
  matrix::cases cases(matrix::name_of<T>, std::to_string(block), warps, form.name);
  const char *names[] = {"clamp", "umulhi"};
  if (!cases.of(names, sizeof(T) >= 4 ? 2 : 1))
    return;
  matrix::buffer<T> x(form.n, matrix::any<T>, form.skew), y(form.n, matrix::any<T>, form.skew ? form.skew + 1 : 0);
  matrix::results<T> out(2, 4 * block, form.skew);
  integers<<<tt::cdiv(form.n, block)>>>(x.data(), y.data(), out.data(), form.n);
  cases.check("clamp", out, 0, form.n, [&](int i) { 
    return std::max(low_of<T>, std::min(x[i], std::max(y[i], low_of<T>)));
  });
  if constexpr (sizeof(T) >= 4)
    cases.check("umulhi", out, 1, form.n, [&](int i) {
      using U = std::make_unsigned_t<T>;
      return T(((unsigned __int128)(U(x[i])) * U(y[i])) >> (8 * sizeof(T)));
    });
}

matrix::family family("functions", [] {
  matrix::for_each<matrix::floats>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, 3 * I))
      launch_functions<T>(block, W, form, functions<T, block, W>);
  });
  matrix::for_each<matrix::types<float, double>>([]<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, I))
      launch_libdevice<T>(block, W, form, libdevice<T, block, W>);
  });
  auto of_integers = []<class T, int W, int I>() {
    constexpr int block = matrix::length<W, I>;
    for (const matrix::form &form : matrix::forms(block, 2 * I))
      launch_integers<T>(block, W, form, integers<T, block, W>);
  };
  matrix::for_each<matrix::integers>(of_integers);
  matrix::for_each<matrix::types<bool>>(of_integers);
});

} // namespace
