// The kernel and the check for tests of .to<T>(): integers wrap, numbers round to nearest even or, towards integers,
// truncate, and conversions to bool compare with zero.
#ifndef TEST_E2E_SUPPORT_CASTS_H
#define TEST_E2E_SUPPORT_CASTS_H

#include "check.h"

constexpr int block = 128;

// All casts from one type, each to the memory of its own.
struct outputs {
  bool *b;
  int8_t *i8;
  uint8_t *u8;
  int16_t *i16;
  uint16_t *u16;
  int32_t *i32;
  uint32_t *u32;
  int64_t *i64;
  uint64_t *u64;
  tt::float16 *f16;
  tt::bfloat16 *bf16;
  float *f32;
  double *f64;
};

template <class T> __tile_global__ void cast_all(const T *x, outputs out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto mask = i < n;
  auto v = tt::load(x + i, mask);
  tt::store(out.b + i, v.template to<bool>(), mask);
  tt::store(out.i8 + i, v.template to<int8_t>(), mask);
  tt::store(out.u8 + i, v.template to<uint8_t>(), mask);
  tt::store(out.i16 + i, v.template to<int16_t>(), mask);
  tt::store(out.u16 + i, v.template to<uint16_t>(), mask);
  tt::store(out.i32 + i, v.template to<int32_t>(), mask);
  tt::store(out.u32 + i, v.template to<uint32_t>(), mask);
  tt::store(out.i64 + i, v.template to<int64_t>(), mask);
  tt::store(out.u64 + i, v.template to<uint64_t>(), mask);
  tt::store(out.f16 + i, v.template to<tt::float16>(), mask);
  tt::store(out.bf16 + i, v.template to<tt::bfloat16>(), mask);
  tt::store(out.f32 + i, v.template to<float>(), mask);
  tt::store(out.f64 + i, v.template to<double>(), mask);
}

// The value to which x is converted. If the target type cannot represent it, the result is undefined and not checked.
template <class To, class From> bool right(From x, To got) {
  if constexpr (std::is_same_v<To, bool>) {
    return e2e::same(got, x != From(0));
  } else if constexpr (std::is_integral_v<To> && !std::is_integral_v<From>) {
    double t = std::trunc(double(x));
    bool fits = t >= double(std::numeric_limits<To>::min()) && t < std::ldexp(1.0, std::numeric_limits<To>::digits);
    return !fits || got == To(t);
  } else if constexpr (sizeof(To) == 2 && !std::is_integral_v<To> && !std::is_same_v<From, double>) {
    // Exact, except from integers of 32 and 64 bits: those are rounded to float first, or only once, as the target can.
    return e2e::same(got, To(float(x))) || e2e::near(got, double(x), {0.500001});
  } else {
    return e2e::same(got, To(x));
  }
}

template <class T, class Make> void check(const char *what, Make make) {
  for (int n : {1, block - 1, block, 5 * block + 3}) {
    e2e::context("%s %s, n = %d", what, e2e::name_of<T>, n);
    e2e::buffer<T> x(n, make);
    e2e::buffer<bool> b(n);
    e2e::buffer<int8_t> i8(n);
    e2e::buffer<uint8_t> u8(n);
    e2e::buffer<int16_t> i16(n);
    e2e::buffer<uint16_t> u16(n);
    e2e::buffer<int32_t> i32(n);
    e2e::buffer<uint32_t> u32(n);
    e2e::buffer<int64_t> i64(n);
    e2e::buffer<uint64_t> u64(n);
    e2e::buffer<tt::float16> f16(n);
    e2e::buffer<tt::bfloat16> bf16(n);
    e2e::buffer<float> f32(n);
    e2e::buffer<double> f64(n);
    cast_all<T><<<tt::cdiv(n, block)>>>(x.data(), {b.data(), i8.data(), u8.data(), i16.data(), u16.data(), i32.data(),
                                                   u32.data(), i64.data(), u64.data(), f16.data(), bf16.data(),
                                                   f32.data(), f64.data()},
                                        n);
    auto expect = [&]<class To>(e2e::buffer<To> &out) {
      out.expect_if([&](int i, To got) {
        bool good = right<To>(x[i], got);
        if (!good)
          e2e::fail("%s %.17g became %s %.17g", e2e::name_of<T>, double(x[i]), e2e::name_of<To>, double(got));
        return good;
      });
    };
    expect(b), expect(i8), expect(u8), expect(i16), expect(u16), expect(i32), expect(u32), expect(i64), expect(u64);
    expect(f16), expect(bf16), expect(f32), expect(f64);
  }
}

#endif // TEST_E2E_SUPPORT_CASTS_H
