// Tests exponentials, logarithms, sine, cosine, the hyperbolic tangent, the error function, powers, roots and rounding
// of every floating-point type: the distance from the true value over all magnitudes, near multiples of pi/2, for
// subnormal numbers and at the limits.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=3 %t
// RUN: %emulate %t

#include "support/functions.h"
#include "support/ulps.h"

constexpr int block = 256;

template <class T> __tile_global__ void of_one(const T *x, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 1.0f);
#define STORE(name) tt::store(out + int(e2e::function::name) * n + i, tt::name(v), mask);
  E2E_FUNCTIONS(STORE)
#undef STORE
}

// The same for scalars.
template <class T> __tile_global__ void of_scalars(const T *x, T *out) {
  int i = tt::program_id(0), n = tt::num_programs(0);
  T v = x[i];
#define STORE(name) out[int(e2e::function::name) * n + i] = tt::name(v);
  E2E_FUNCTIONS(STORE)
#undef STORE
}

template <class T> void expect_functions(e2e::buffer<T> &out, const e2e::buffer<T> &x, int n) {
  const bool gpu = e2e::on_gpu();
  out.expect_if([&](int at, T got) {
    const auto f = e2e::function(at / n);
    const double argument = double(x[at % n]);
    if (e2e::is_lost_sigmoid(f, argument, got))
      return true;
    const long double want = e2e::true_value(f, argument);
    const e2e::tolerance t = e2e::allowed<T>(f, argument, gpu);
    const double ulps = t.absolute ? t.ulps + t.absolute / e2e::ulp<T>(double(want)) : t.ulps;
    return e2e::within_ulps(e2e::function_names[at / n], got, want, ulps, argument);
  });
}

template <class T, class Make> void check(const char *what, int n, Make make) {
  e2e::buffer<T> x(n, make), out(e2e::functions * n);
  of_one<T><<<tt::cdiv(n, block)>>>(x.data(), out.data(), n);
  e2e::context("%s, %s, n = %d", e2e::name_of<T>, what, n);
  expect_functions(out, x, n);
}

template <class T> void check_scalars() {
  const int n = 50;
  e2e::context("%s, scalars", e2e::name_of<T>);
  e2e::buffer<T> x(n, [](int) { return T(e2e::uniform(0, 10)); }), out(e2e::functions * n);
  of_scalars<T><<<n>>>(x.data(), out.data());
  expect_functions(out, x, n);
}

template <class T> void check() {
  using format = e2e::float_format<T>;
  const int top = 1 - format::min_exponent;
  const double pi = 3.14159265358979323846;
  for (int n : {1, block - 1, block + 1})
    check<T>("small", n, [](int) { return T(e2e::uniform(-2, 2)); });
  check<T>("around 0", 2000, [](int) { return T(e2e::uniform(-7, 7)); });
  check<T>("all magnitudes", 3000, [&](int) {
    double x = std::ldexp(e2e::uniform(1, 2), int(e2e::between(format::min_exponent, top - 1)));
    return T(e2e::between(0, 1) ? x : -x);
  });
  const double exponents = -format::min_exponent * 0.69; // about where exp overflows
  check<T>("the range of exp", 2000, [&](int) { return T(e2e::uniform(-1.6 * exponents, 1.1 * exponents)); });
  check<T>("around 1", 1000, [](int) { return T(1 + e2e::uniform(-0.01, 0.01)); });
  check<T>("multiples of pi/2", 1000, [&](int) {
    return T(pi / 2 * std::floor(std::ldexp(1.0, int(e2e::between(0, format::digits + 4))) * e2e::uniform(1, 2)));
  });
  check<T>("subnormal", 300, [&](int) { return T(std::ldexp(e2e::uniform(-1, 1), format::min_exponent)); });
  const double edges[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, -NAN, std::ldexp(1.0, top - 1), 0.5, -0.5, 1.5, 2.5,
                          0.6, -0.6, 0x1p17, 0x1p28, 100000.0};
  check<T>("edges", std::size(edges), [&](int i) { return T(edges[i]); });
}

//===-- functions of two and three --------------------------------------------------------------------------------===//

enum { pow_, div_rn_, fdiv_, fma_, clamp_, clamp_nan_, functions_of_two };
constexpr const char *names_of_two[] = {"pow", "div_rn", "fdiv", "fma", "clamp", "clamp with NaN"};

template <class T> __tile_global__ void of_two(const T *x, const T *y, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 1.0f), w = tt::load(y + i, mask, 1.0f);
  tt::store(out + pow_ * n + i, tt::pow(v, w), mask);
  tt::store(out + div_rn_ * n + i, tt::div_rn(v, w), mask);
  tt::store(out + fdiv_ * n + i, tt::fdiv(v, w), mask);
  tt::store(out + fma_ * n + i, tt::fma(v, w, v), mask);
  tt::store(out + clamp_ * n + i, tt::clamp(v, -0.5f, w), mask);
  tt::store(out + clamp_nan_ * n + i, tt::clamp<tt::propagate_nan::all>(v, w, 2), mask);
}

template <class T> long double reference_of_two(int f, long double x, long double y) {
  auto larger = [](long double a, long double b) { return a != a ? b : b != b ? a : a > b ? a : b; };
  auto smaller = [](long double a, long double b) { return a != a ? b : b != b ? a : a < b ? a : b; };
  switch (f) {
  case pow_: return std::pow(x, y);
  case div_rn_:
  case fdiv_: return x / y;
  case fma_: return std::fma(x, y, x);
  case clamp_: return smaller(larger(x, -0.5L), y);
  default: return x != x || y != y ? NAN : smaller(larger(x, y), 2);
  }
}

template <class T, class MakeX, class MakeY> void check_two(const char *what, int n, MakeX make_x, MakeY make_y) {
  e2e::buffer<T> x(n, make_x), y(n, make_y), out(functions_of_two * n);
  of_two<T><<<tt::cdiv(n, block)>>>(x.data(), y.data(), out.data(), n);
  e2e::context("%s, %s, n = %d", e2e::name_of<T>, what, n);
  out.expect_if([&](int i, T got) {
    const int f = i / n;
    double a = double(x[i % n]), b = double(y[i % n]);
    double ulps = f == pow_ ? 2 : f == fdiv_ ? 2 : f == div_rn_ || f == fma_ ? 0.5001 : 0;
    if (sizeof(T) == 2 && f != clamp_ && f != clamp_nan_)
      ulps = 0.51;
    // div.full flushes quotients of numbers above 2^126.
    if (f == fdiv_ && sizeof(T) == 4 && e2e::on_gpu() && std::fabs(b) > 0x1p126 && double(got) == 0)
      return true;
    return e2e::within_ulps(names_of_two[f], got, reference_of_two<T>(f, a, b), ulps, a, b);
  });
}

template <class T> void check_two() {
  using format = e2e::float_format<T>;
  const int top = 1 - format::min_exponent;
  check_two<T>("around 1", 2000, [](int) { return T(e2e::uniform(0, 3)); }, [](int) { return T(e2e::uniform(-9, 9)); });
  check_two<T>("large powers", 2000, [&](int) { return T(1 + e2e::uniform(-0.02, 0.02)); },
               [&](int) { return T(e2e::uniform(-1, 1) * (sizeof(T) == 2 ? 300 : top * 40)); });
  auto any = [&](int) {
    double x = std::ldexp(e2e::uniform(1, 2), int(e2e::between(format::min_exponent - 5, top - 1)));
    return T(e2e::between(0, 1) ? x : -x);
  };
  check_two<T>("all magnitudes", 2000, any, any);
  check_two<T>("the whole range of results", 2000,
               [&](int) { return T(std::ldexp(e2e::uniform(1, 2), int(e2e::between(-12, 12)))); },
               [&](int) { return T(e2e::uniform(-1, 1) * top / 6); });
  check_two<T>("whole powers", 1000, [](int) { return T(e2e::uniform(-5, 5)); },
               [](int) { return T(double(e2e::between(-7, 7))); });
  const double edges[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 3.0, -3.0, 0.5, -0.5, 2.0, 1e4, -1e4};
  const int count = std::size(edges);
  check_two<T>("edges", count * count, [&](int i) { return T(edges[i / count]); },
               [&](int i) { return T(edges[i % count]); });
}

//===-- integers --------------------------------------------------------------------------------------------------===//

template <class T> __tile_global__ void of_integers(const T *x, const T *y, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask, 1), w = tt::load(y + i, mask, 1);
  tt::store(out + i, tt::umulhi(v, w), mask);
  tt::store(out + n + i, tt::clamp(v, -100, tt::maximum(w, -100)), mask);
}

template <class T> void check_integers() {
  const int n = 700;
  e2e::buffer<T> x(n, e2e::random<T>), y(n, e2e::random<T>), out(2 * n);
  of_integers<T><<<tt::cdiv(n, block)>>>(x.data(), y.data(), out.data(), n);
  e2e::context("%s", e2e::name_of<T>);
  using U = std::make_unsigned_t<T>;
  out.expect([&](int i) {
    T a = x[i % n], b = y[i % n], low = T(-100);
    if (i < n)
      return T(((unsigned __int128)(U(a)) * U(b)) >> (8 * sizeof(T)));
    T high = b > low ? b : low;
    return a < low ? low : a > high ? high : a;
  });
}

//===-- softmax ---------------------------------------------------------------------------------------------------===//

template <class T> __tile_global__ void softmaxes(const T *x, T *out) {
  auto row = tt::arange<16>()(tt::all, tt::newaxis);
  auto column = tt::arange<32>()(tt::newaxis, tt::all);
  auto i = row * 32 + column;
  auto v = tt::load(x + i);
  tt::store(out + i, tt::softmax(v));
  tt::store(out + 512 + i, tt::softmax<1>(v));
}

template <class T> void check_softmax() {
  e2e::buffer<T> x(512, [](int) { return T(e2e::uniform(-20, 20)); }), out(1024);
  softmaxes<T><<<1>>>(x.data(), out.data());
  e2e::context("softmax, %s", e2e::name_of<T>);
  out.expect({sizeof(T) == 2 ? 1.0 : sizeof(T) == 4 ? 80.0 : 20.0}, [&](int i) {
    bool rows = i >= 512;
    int row = i % 512 / 32, column = i % 32;
    double largest = -INFINITY, sum = 0;
    for (int k = 0; k < (rows ? 32 : 16); ++k)
      largest = std::max(largest, double(rows ? x[row * 32 + k] : x[k * 32 + column]));
    for (int k = 0; k < (rows ? 32 : 16); ++k)
      sum += std::exp(double(rows ? x[row * 32 + k] : x[k * 32 + column]) - largest);
    return std::exp(double(x[i % 512]) - largest) / sum;
  });
}

int main() {
  return e2e::run("math", [] {
    auto for_each_type = [](auto body) {
      body(tt::float16());
      body(tt::bfloat16());
      body(float());
      body(double());
    };
    for_each_type([](auto t) {
      using T = decltype(t);
      check<T>();
      check_two<T>();
      check_softmax<T>();
      e2e::print_ulps(e2e::name_of<T>);
    });
    check_integers<int32_t>();
    check_integers<uint32_t>();
    check_integers<int64_t>();
    check_integers<uint64_t>();

    check_scalars<float>();
    check_scalars<double>();
  });
}
