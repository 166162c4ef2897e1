// Tests conversions of every 8-bit float to every type, and of numbers of every type to 8-bit floats: all 16-bit
// numbers; of wider types the 8-bit values, the numbers halfway between, their neighbours, and random numbers.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t
// RUN: %tcc -O2 -gencode arch=compute_80,code=compute_80 %s -o %t.80 && env TILECC_DEVICE=emu:sm_80 %t.80

#include "support/check.h"
#include "support/float8.h"
#include <cfloat>
#include <climits>

constexpr int block = 256;

template <class T, class R> __tile_global__ void cast(const T *x, R *out, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(out + i, tt::load(x + i, i < n).template to<R>(), i < n);
}

template <class F, class R> void check_extension() {
  e2e::context("%s to %s", e2e::name_of<F>, e2e::name_of<R>);
  e2e::buffer<F> x(256, [](int i) { return from_bits<F>(i); });
  e2e::buffer<R> out(256);
  cast<F, R><<<1>>>(x.data(), out.data(), 256);
  out.expect_if([&](int i, R got) {
    double value = value_of<F>(i);
    if constexpr (std::is_same_v<R, bool>)
      return e2e::same(got, value != 0);
    else if constexpr (std::is_integral_v<R>)
      return !(value > std::numeric_limits<R>::min() - 1. && value < double(std::numeric_limits<R>::max()) + 1.) ||
             got == R(value);
    else
      return e2e::same(got, R(value)); // exact
  });
}

template <class T, class F> void check_rounding(const std::vector<T> &numbers) {
  e2e::context("%s to %s", e2e::name_of<T>, e2e::name_of<F>);
  int n = int(numbers.size());
  e2e::buffer<T> x(n, [&](int i) { return numbers[i]; });
  e2e::buffer<F> out(n);
  cast<T, F><<<tt::cdiv(n, block)>>>(x.data(), out.data(), n);
  out.expect_if([&](int i, F got) {
    bool ok = got.bits == nearest<F>(double(x[i])) && F(x[i]).bits == got.bits; // on the host the same
    if (!ok)
      e2e::fail("%a is 0x%02x, not 0x%02x (on the host 0x%02x)", double(x[i]), got.bits, nearest<F>(double(x[i])),
                F(x[i]).bits);
    return ok;
  });
}

// All numbers at which the result changes, as T rounds them, and many random ones.
template <class T, class F> std::vector<T> edges() {
  std::vector<T> numbers;
  auto add = [&](double x) {
    for (double y : {x, -x})
      if constexpr (std::is_integral_v<T>) {
        if (y >= double(std::numeric_limits<T>::min()) && y <= double(std::numeric_limits<T>::max()) - 1)
          numbers.push_back(T(y));
      } else {
        numbers.push_back(T(y));
      }
  };
  for (int i = 0; i < format<F>::max; ++i) {
    double low = value_of<F>(i), high = value_of<F>(i + 1), half = (low + high) / 2;
    for (double x : {low, half, std::nextafter(half, 0.0), std::nextafter(half, 1e300), double(std::nextafterf(half, 0)),
                     double(std::nextafterf(half, 1e30f)), e2e::uniform(low, high)})
      add(x);
  }
  double largest = value_of<F>(format<F>::max);
  for (double x : {largest * 1.03, largest * 1.06, largest * 1.07, largest * 2, 1e30, double(FLT_MAX)})
    add(x);
  if constexpr (!std::is_integral_v<T>) {
    for (double x : {1e300, double(INFINITY), DBL_MIN, double(FLT_MIN), 1e-40, 5e-324})
      add(x);
    for (T x : {T(NAN), T(-NAN)})
      numbers.push_back(x);
    for (int i = 0; i < 4000; ++i) // of all magnitudes that matter
      add(std::ldexp(e2e::uniform(1, 2), int(e2e::between(-20, 17))));
  } else {
    for (int i = 0; i < 2000; ++i)
      numbers.push_back(e2e::random<T>());
  }
  return numbers;
}

template <class T> std::vector<T> all_of_16_bits() {
  std::vector<T> numbers;
  for (int i = 0; i < 65536; ++i)
    numbers.push_back(__builtin_bit_cast(T, uint16_t(i)));
  return numbers;
}

template <class F> void check_conversions() {
  check_extension<F, bool>();
  check_extension<F, int8_t>();
  check_extension<F, int32_t>();
  check_extension<F, uint64_t>();
  check_extension<F, tt::float16>();
  check_extension<F, tt::bfloat16>();
  check_extension<F, float>();
  check_extension<F, double>();
  check_rounding<tt::float16, F>(all_of_16_bits<tt::float16>());
  check_rounding<tt::bfloat16, F>(all_of_16_bits<tt::bfloat16>());
  check_rounding<float, F>(edges<float, F>());
  check_rounding<double, F>(edges<double, F>());
  check_rounding<int8_t, F>(edges<int8_t, F>());
  check_rounding<int32_t, F>(edges<int32_t, F>());
  check_rounding<uint32_t, F>(edges<uint32_t, F>());
  check_rounding<int64_t, F>(edges<int64_t, F>());
}

template <class From, class To> void check_between() {
  e2e::context("%s to %s", e2e::name_of<From>, e2e::name_of<To>);
  e2e::buffer<From> x(256, [](int i) { return from_bits<From>(i); });
  e2e::buffer<To> out(256);
  cast<From, To><<<1>>>(x.data(), out.data(), 256);
  out.expect_if([&](int i, To got) { return got.bits == nearest<To>(value_of<From>(i)); });
}

template <class F> struct scaled {
  int n;
  F scale;
};

// Operations that only move bits: masked loads with `other`, constants, selection, transposition, join, split, gather.
template <class F>
__tile_global__ void move(const F *x, F *out, scaled<F> by, F other, const F *one, float *scalars) {
  auto i = tt::arange<16>();
  auto j = tt::arange<32>();
  auto at = i(tt::all, tt::newaxis) * 32 + j(tt::newaxis, tt::all);
  auto a = tt::load(x + at, at < by.n, other);
  tt::store(out + j(tt::all, tt::newaxis) * 16 + i(tt::newaxis, tt::all), tt::trans(a));
  out += 512;
  auto [even, odd] = tt::split(tt::reshape<16, 16, 2>(a));
  tt::store(out + at, tt::reshape<16, 32>(tt::join(odd, even)));
  out += 512;
  tt::store(out + at, tt::where(at % 3 == 0, a, tt::full<F, 16, 32>(by.scale)));
  out += 512;
  tt::store(out + at, tt::gather<1>(a, tt::broadcast_to<16, 32>(31 - j)));
  out += 512;
  F first = x[0], second = tt::load(x + 1), third = *one;
  scalars[0] = float(first) * float(second) + third;
  tt::store(scalars + at, tt::bitcast<unsigned char>(a).template to<float>(), at == 1);
  out[0] = F(float(second) * 2);
  tt::store(out + 1, F(3));
  tt::store(out + 2, 0.1f); // rounded as it is stored
}

template <class F> void check_moves() {
  for (int n : {512, 300, 0}) {
    e2e::context("moving %s, n = %d", e2e::name_of<F>, n);
    // No NaN, which scalars as float would not keep; compared by their bits.
    auto any = [](int) { return from_bits<F>(int(e2e::between(0, format<F>::max)) | (e2e::random_bits() & 0x80)); };
    e2e::buffer<F> x(512, any), out(2051), one(1, any);
    e2e::buffer<float> scalars(2);
    F other(-1.5f), scale(0.25f);
    move<F><<<1>>>(x.data(), out.data(), {n, scale}, other, one.data(), scalars.data());
    auto a = [&](int i) { return i < n ? x[i] : other; };
    out.expect_if([&](int i, F got) {
      F want;
      int k = i % 512;
      if (i >= 2048)
        want = i == 2048 ? F(float(x[1]) * 2) : F(i == 2049 ? 3 : 0.1f);
      else if (i < 512)
        want = a(k % 16 * 32 + k / 16);
      else if (i < 1024)
        want = a(k ^ 1);
      else if (i < 1536)
        want = k % 3 == 0 ? a(k) : scale;
      else
        want = a(k / 32 * 32 + 31 - k % 32);
      return got.bits == want.bits;
    });
    scalars.expect([&](int i) { return i == 0 ? float(x[0]) * float(x[1]) + float(one[0]) : float(a(1).bits); });
  }
}

int main() {
  return e2e::run("float8", [] {
    check_conversions<tt::float8_e4m3fn>();
    check_conversions<tt::float8_e5m2>();
    check_between<tt::float8_e4m3fn, tt::float8_e5m2>();
    check_between<tt::float8_e5m2, tt::float8_e4m3fn>();
    check_moves<tt::float8_e4m3fn>();
    check_moves<tt::float8_e5m2>();
  });
}
