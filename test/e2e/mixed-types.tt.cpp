// Tests tiles and scalars of different types in one expression. They are converted as in C, except that a scalar of the
// same kind takes the tile's type, and small integers do not promote.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 64;

template <class Expected, class T, int... Dims> __tile__ auto is(tt::tile<T, Dims...> x) {
  static_assert(std::is_same_v<T, Expected>);
  return x;
}

struct inputs {
  const int8_t *i8;
  const uint8_t *u8;
  const int *i32;
  const unsigned *u32;
  const int64_t *i64;
  const tt::float16 *f16;
  const tt::bfloat16 *bf16;
  const float *f32;
  const double *f64;
};

// Every result is one that double holds exactly.
__tile_global__ void mix(inputs in, double *out, int n, int s32, int64_t s64, float sf, double sd, bool sb) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto i8 = tt::load(in.i8 + i, mask);
  auto u8 = tt::load(in.u8 + i, mask);
  auto i32 = tt::load(in.i32 + i, mask);
  auto u32 = tt::load(in.u32 + i, mask);
  auto i64 = tt::load(in.i64 + i, mask);
  auto f16 = tt::load(in.f16 + i, mask);
  auto bf16 = tt::load(in.bf16 + i, mask);
  auto f32 = tt::load(in.f32 + i, mask);
  auto f64 = tt::load(in.f64 + i, mask);
  int k = 0;
  auto put = [&](auto result) { tt::store(out + k++ * n + i, result.template to<double>(), mask); };

  put(is<int8_t>(i8 + 1)); // tile and scalar of one kind: the tile's type
  put(is<int8_t>(s32 + i8));
  put(is<int>(i32 * s64));
  put(is<tt::float16>(f16 * 2.0f));
  put(is<tt::bfloat16>(2.0 * bf16));
  put(is<float>(f32 + sd));
  put(is<float>(i32 * sf)); // of different kinds: as in C
  put(is<double>(u8 * sd));
  put(is<float>(f32 * s32));
  put(is<tt::float16>(f16 - s32));
  put(is<int>(i32 + sb));
  put(is<int8_t>(i8 + i8)); // two tiles: C's common type, without promotion
  put(is<uint8_t>(i8 + u8));
  put(is<int>(i8 * i32));
  put(is<unsigned>(i32 + u32));
  put(is<int64_t>(u32 + i64));
  put(is<float>(i32 + f32));
  put(is<float>(f16 + f32));
  put(is<float>(bf16 * f32));
  put(is<double>(f32 + f64));
  put(is<double>(i64 * f64));
  put(is<bool>(i8 < i32)); // comparisons convert, too
  put(is<bool>(f16 >= f32));
  put(is<bool>(i32 < 0.5f));
  put(is<float>(tt::where(i32 > 0, f32, 0)));
  put(is<int>(tt::maximum(i32, s64)));
  put(is<float>(tt::minimum(f16, f32)));
  auto sum = f32; // assignment converts back
  sum += f64;
  put(is<float>(sum));
  auto small = i8;
  small += 300;
  put(is<int8_t>(small));
}
constexpr int results = 29;

template <class T> T small_integer(int) { return T(e2e::between(std::is_same_v<T, unsigned> ? 0 : -8, 8)); }

int main() {
  return e2e::run("mixed-types", [] {
    for (int n : e2e::edges(block)) {
      e2e::context("n = %d", n);
      e2e::buffer<int8_t> i8(n, e2e::random<int8_t>);
      e2e::buffer<uint8_t> u8(n, e2e::random<uint8_t>);
      e2e::buffer<int> i32(n, small_integer<int>);
      e2e::buffer<unsigned> u32(n, small_integer<unsigned>);
      e2e::buffer<int64_t> i64(n, small_integer<int64_t>);
      e2e::buffer<tt::float16> f16(n, small_integer<tt::float16>);
      e2e::buffer<tt::bfloat16> bf16(n, small_integer<tt::bfloat16>);
      e2e::buffer<float> f32(n, small_integer<float>);
      e2e::buffer<double> f64(n, small_integer<double>), out(results * n);
      int s32 = 5;
      int64_t s64 = 3;
      float sf = 0.5f;
      double sd = 0.25;
      bool sb = true;
      inputs in{i8.data(), u8.data(), i32.data(), u32.data(), i64.data(),
                f16.data(), bf16.data(), f32.data(), f64.data()};
      mix<<<tt::cdiv(n, block)>>>(in, out.data(), n, s32, s64, sf, sd, sb);
      out.expect_value([&](int j) -> double {
        int e = j % n, a = i8[e], b = u8[e], c = i32[e];
        unsigned u = u32[e];
        int64_t l = i64[e];
        double h = f16[e], g = bf16[e], f = f32[e], d = f64[e];
        switch (j / n) {
        case 0: return int8_t(a + 1);
        case 1: return int8_t(a + s32);
        case 2: return double(c * s64);
        case 3: return h * 2;
        case 4: return g * 2;
        case 5: return f + sd;
        case 6: return c * sf;
        case 7: return b * sd;
        case 8: return f * s32;
        case 9: return h - s32;
        case 10: return c + sb;
        case 11: return int8_t(a + a);
        case 12: return uint8_t(a + b);
        case 13: return a * c;
        case 14: return unsigned(c) + u;
        case 15: return double(u + l);
        case 16: return c + f;
        case 17: return h + f;
        case 18: return g * f;
        case 19: return f + d;
        case 20: return double(l) * d;
        case 21: return a < c;
        case 22: return h >= f;
        case 23: return c < 0.5f;
        case 24: return c > 0 ? f : 0;
        case 25: return double(c > s64 ? c : s64);
        case 26: return h < f ? h : f;
        case 27: return f + d;
        default: return int8_t(a + 300);
        }
      });
    }
  });
}
