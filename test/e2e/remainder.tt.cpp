// x % y of floating-point numbers must be C's fmod, bit for bit, whatever the quotient is. Tests numbers of all
// magnitudes, multiples and their neighbours, and special values.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"
#include <cfloat>

constexpr int block = 128;

template <class T> __tile_global__ void remainders(const T *x, const T *y, T *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(out + i, tt::load(x + i, i < n) % tt::load(y + i, i < n), i < n);
}

template <class T> T any_magnitude() {
  using format = e2e::float_format<T>;
  int lowest = format::min_exponent - format::digits;
  double x = std::ldexp(e2e::uniform(1, 2), int(e2e::between(lowest, -format::min_exponent)));
  return T(e2e::random_bits() & 1 ? x : -x);
}

template <class T> T special() {
  using format = e2e::float_format<T>;
  const double largest = std::ldexp(2 - std::ldexp(1, 1 - format::digits), 1 - format::min_exponent);
  const double values[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 3, largest, -largest,
                           std::ldexp(1, format::min_exponent), std::ldexp(1, format::min_exponent - format::digits + 1),
                           std::ldexp(3, format::min_exponent - format::digits + 1)};
  return T(values[e2e::random_bits() % (sizeof values / sizeof *values)]);
}

template <class T> void check() {
  for (int kind = 0; kind < 4; ++kind) {
    e2e::context("%s, kind %d", e2e::name_of<T>, kind);
    const int n = 2000 + kind;
    std::vector<T> x(n), y(n);
    for (int i = 0; i < n; ++i) {
      x[i] = kind == 3 ? special<T>() : any_magnitude<T>();
      y[i] = kind == 3 ? special<T>() : any_magnitude<T>();
      if (kind == 1) // near: small quotients
        y[i] = T(double(x[i]) * e2e::uniform(-2, 2) * std::ldexp(1, -int(e2e::between(0, 12))));
      if (kind == 2) { // a multiple, or next to one
        double multiple = double(y[i]) * double(e2e::between(1, 1 << 20));
        x[i] = T(multiple * (1 + double(e2e::between(-1, 1)) * std::ldexp(1, 1 - e2e::float_format<T>::digits)));
      }
    }
    e2e::buffer<T> a(n, [&](int i) { return x[i]; }), b(n, [&](int i) { return y[i]; }), out(n);
    remainders<<<tt::cdiv(n, block)>>>(a.data(), b.data(), out.data(), n);
    out.expect([&](int i) { return T(std::fmod(double(a[i]), double(b[i]))); }); // exact in every type
  }
}

int main() {
  return e2e::run("remainder", [] {
    check<tt::float16>();
    check<tt::bfloat16>();
    check<float>();
    check<double>();
  });
}
