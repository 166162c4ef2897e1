// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/language.cuh"
#include "Inputs/support.h"
#include <algorithm>

template <class T> void check_functions(double ulps, double slack) {
  constexpr int n = 256;
  e2e::context("functions of %s", e2e::name_of<host<T>>);
  numbers<T> x(n, 3), out(22 * n);
  functions<T><<<1>>>(x.get(), out.get());
  out.expect(e2e::tolerance{ulps, slack}, [&](int i) -> double {
    double v = x.at(i % n), r = x.at(n - 1 - i % n), a = std::fabs(v);
    switch (i / n) {
    case 0: return std::exp(v);
    case 1: return std::exp2(v);
    case 2: return std::log(a);
    case 3: return std::log2(a);
    case 4: return std::sqrt(a);
    case 5: return 1 / std::sqrt(a);
    case 6: return std::sin(v);
    case 7: return std::cos(v);
    case 8: return std::tan(v);
    case 9: return std::sinh(v);
    case 10: return std::cosh(v);
    case 11: return std::tanh(v);
    case 12: return std::floor(v);
    case 13: return std::ceil(v);
    case 14: return std::pow(a, v);
    case 15: return i % n > 128 ? v : 1;
    case 16: return std::atan2(v, r);
    case 17: return v / r;
    case 18: return std::fma(v, r, v);
    case 19: return std::max(v, r);
    case 20: return std::min(v, r);
    default: return r * v - 2 * v;
    }
  });
}

template <class T> void check_integers() {
  constexpr int n = 128;
  e2e::context("integers of %zu bytes", sizeof(T));
  e2e::buffer<T> x(n, e2e::random<T>), y(n, [](int i) {
    return T(i % 2 ? e2e::between(1, 9) : std::is_signed_v<T> ? -int(e2e::between(2, 90)) : e2e::between(1, 200));
  });
  e2e::buffer<T> out(17 * n);
  integers<T><<<1>>>(x.data(), y.data(), out.data());
  using W = __int128;
  out.expect([&](int i) {
    W a = x[i % n], b = y[i % n], q = a / b, shift = y[i % n] & T(7);
    switch (i / n) {
    case 0: return T(a + b);
    case 1: return T(a - b);
    case 2: return T(a * b);
    case 3: return T(q);
    case 4: return T(a % b);
    case 5: return T(a & b);
    case 6: return T(a | b);
    case 7: return T(a ^ b);
    case 8: return T(~a);
    case 9: return T(a << int(shift));
    case 10: return T(a >> int(shift));
    case 11: return T(q + (q * b != a && (a < 0) == (b < 0)));
    case 12: return T(q - (q * b != a && (a < 0) != (b < 0)));
    case 13: return T((a * b) >> (8 * sizeof(T)));
    case 14: return T(std::max(a, b));
    case 15: return T(std::min(a, b));
    default: return T(std::min(a, b));
    }
  });
}

static float tf32(float x, bool nearest) {
  unsigned bits;
  std::memcpy(&bits, &x, 4);
  if (nearest)
    bits += 0xfff + ((bits >> 13) & 1);
  bits &= 0xffffe000;
  std::memcpy(&x, &bits, 4);
  return x;
}
// The number of that type next to x that is not further from zero.
template <class T> static float toward_zero(float x) {
  T near = static_cast<T>(x);
  short bits;
  std::memcpy(&bits, &near, 2);
  bits -= std::fabs(float(near)) > std::fabs(x);
  std::memcpy(&near, &bits, 2);
  return float(near);
}
static float four_bits(float x) {
  const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
  int best = 0;
  for (int i = 1; i < 8; ++i) {
    float d = std::fabs(std::fabs(x) - values[i]), e = std::fabs(std::fabs(x) - values[best]);
    if (d < e || (d == e && i % 2 == 0))
      best = i;
  }
  return std::copysign(values[best], x);
}
template <class T> static float saturated(float x) {
  return float(T(std::clamp(double(x), double(std::numeric_limits<T>::min()), double(std::numeric_limits<T>::max()))));
}

int main() {
  return e2e::run("language", [] {
    check_functions<float>(24, 4e-6);
    check_functions<double>(24, 1e-14);
    check_functions<__half>(1, 4e-3);
    check_integers<int>();
    check_integers<unsigned char>();
    check_integers<long>();
    check_integers<short>();
    {
      e2e::context("conversions");
      constexpr int n = 256;
      e2e::buffer<float> x(n, [](int i) {
        return i < 8 ? 0.25f * (i + 0.5f) : float(e2e::uniform(-1, 1) * std::exp2(e2e::uniform(-3, i < 200 ? 8 : 15)));
      });
      e2e::buffer<float> out(14 * n);
      conversions<<<1>>>(x.data(), out.data());
      out.expect_value([&](int i) -> float {
        float v = x[i % n];
        switch (i / n) {
        case 0: return float(tt::float16(v));
        case 1: return float(tt::bfloat16(v));
        case 2: return tf32(v, true);
        case 3: return float(tt::float8_e4m3fn(v));
        case 4: return float(tt::float8_e5m2(v));
        case 5: return toward_zero<tt::float16>(v);
        case 6: return toward_zero<tt::bfloat16>(v);
        case 7: return tf32(v, false);
        case 8: {
          double exact = double(v) * 1.0000001;
          float near = float(exact);
          return near < exact ? std::nextafter(near, INFINITY) : near;
        }
        case 9: return saturated<int>(v);
        case 10: return saturated<signed char>(v);
        case 11: return saturated<unsigned short>(v);
        case 12: return v != 0;
        default: return four_bits(v);
        }
      });
    }
    for (int row : {0, 1, 3}) {
      int column = 3 - row / 2;
      e2e::context("shapes, part %d, %d", row, column);
      e2e::buffer<int> x(512, [](int) { return int(e2e::between(0, 1000)); }), out(6 * 512);
      shapes<<<1>>>(x.data(), out.data(), row, column);
      out.expect([&](int place) {
        int i = place % 512 / 32, j = place % 32;
        auto v = [&](int r, int c) { return x[r * 32 + c]; };
        const int constants[] = {10, 40, 90, 160, 500, 1200, 2100, 3200};
        switch (place / 512) {
        case 0: return i / 4 == 3 - row && j / 8 == 3 - column ? 100 * v(row * 4 + i % 4, column * 8 + j % 8) : v(i, j);
        case 1: return v(i, j ^ 16);
        case 2: return constants[j % 8];
        case 3: return v(place % 512 % 16, place % 512 / 16);
        case 4: return v(i, j) ^ 0x01010101;
        default: {
          bool all = true;
          for (int c = 0; c < 32; ++c)
            all &= v(i, c) % 2 == 1;
          return int(all);
        }
        }
      });
    }
    {
      e2e::context("scaled products");
      numbers<__nv_fp8_e4m3> a(32 * 64, 4), b(64 * 32, 4);
      auto power = [](int) { return (unsigned char)(e2e::between(120, 134)); };
      e2e::buffer<unsigned char> as(64, power), bs(64, power);
      e2e::buffer<unsigned char> a4(1024, e2e::random<unsigned char>), b4(1024, e2e::random<unsigned char>);
      e2e::buffer<float> out(1024), out4(1024);
      scaled<<<1>>>(a.get(), b.get(), as.data(), bs.data(), out.data(), a4.data(), b4.data(), out4.data());
      auto scale = [&](e2e::buffer<unsigned char> &s, int i) { return std::ldexp(1.0, s[i] - 127); };
      auto four = [&](e2e::buffer<unsigned char> &bytes, int byte, int half) {
        const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
        int code = (bytes[byte] >> (4 * half)) & 15;
        return (code & 8 ? -1 : 1) * values[code & 7];
      };
      out.expect(e2e::tolerance{4, 2}, [&](int i) {
        double sum = 0;
        for (int p = 0; p < 64; ++p)
          sum += a.at(i / 32 * 64 + p) * scale(as, i / 32 * 2 + p / 32) * b.at(p * 32 + i % 32) *
                 scale(bs, p / 32 * 32 + i % 32);
        return sum;
      });
      out4.expect(e2e::tolerance{4, 2}, [&](int i) {
        double sum = 0;
        for (int p = 0; p < 64; ++p)
          sum += four(a4, i / 32 * 32 + p / 2, p % 2) * scale(as, i / 32 * 2 + p / 32) *
                 four(b4, p / 2 * 32 + i % 32, p % 2) * scale(bs, p / 32 * 32 + i % 32);
        return sum;
      });
    }
    {
      e2e::context("mixed types");
      e2e::buffer<int> x(64, [](int) { return int(e2e::between(-1000, 1000)); });
      e2e::buffer<bool> less(64);
      e2e::buffer<short> narrow(64);
      e2e::buffer<float> real(64);
      mixed<<<1>>>(x.data(), 5000000000, less.data(), narrow.data(), real.data());
      less.expect([](int) { return true; });
      narrow.expect([&](int i) { return short(x[i] * x[i]); });
      real.expect([&](int i) { return float(x[i]); });
    }
  });
}
