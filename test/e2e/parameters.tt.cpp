// Tests kernel parameters: every scalar type, structs by value in all forms in which an ABI would split them, and many
// parameters.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O0 -g %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

__tile_global__ void scalars(double *out, bool b, int8_t i8, uint8_t u8, int16_t i16, uint16_t u16, int32_t i32,
                             uint32_t u32, int64_t i64, uint64_t u64, tt::float16 f16, tt::bfloat16 bf16, float f32,
                             double f64) {
  out[0] = b;
  out[1] = i8;
  out[2] = u8;
  out[3] = i16;
  out[4] = u16;
  out[5] = i32;
  out[6] = u32;
  out[7] = i64;
  out[8] = u64;
  out[9] = f16;
  out[10] = bf16;
  out[11] = f32;
  out[12] = f64;
}

struct two_ints {
  int a, b;
};
struct pointer_and_int {
  const float *p;
  int n;
};
struct mixed {
  char c;
  double d;
  short s;
  float f;
  bool b;
};
struct nested {
  two_ints first;
  pointer_and_int second;
  int64_t third;
};
struct single {
  float x;
};
struct with_array {
  int64_t strides[3];
  const float *p;
};
enum class mode : uint8_t { add = 3, subtract = 200 };

__tile_global__ void structs(two_ints t, pointer_and_int p, mixed m, nested n, single s, with_array w, mode how,
                             double *out) {
  int k = 0;
  auto put = [&](double v) { out[k++] = v; };
  put(t.a);
  put(t.b);
  put(p.p[1]);
  put(p.n);
  put(m.c);
  put(m.d);
  put(m.s);
  put(m.f);
  put(m.b);
  put(n.first.a);
  put(n.first.b);
  put(n.second.p[2]);
  put(n.second.n);
  put(n.third);
  put(s.x);
  put(w.strides[0]);
  put(w.strides[1]);
  put(w.strides[2]);
  put(w.p[0]);
  put(how == mode::subtract ? -1 : int(how));
}

// 40 parameters of alternating sizes.
#define FOUR(n) int8_t a##n, int64_t b##n, int16_t c##n, float d##n
#define SUM(n) a##n * 1.0 + b##n * 2.0 + c##n * 3.0 + d##n * 4.0
__tile_global__ void many(double *out, FOUR(0), FOUR(1), FOUR(2), FOUR(3), FOUR(4), FOUR(5), FOUR(6), FOUR(7), FOUR(8),
                          FOUR(9)) {
  out[0] = SUM(0);
  out[1] = SUM(1);
  out[2] = SUM(2);
  out[3] = SUM(3);
  out[4] = SUM(4);
  out[5] = SUM(5);
  out[6] = SUM(6);
  out[7] = SUM(7);
  out[8] = SUM(8);
  out[9] = SUM(9);
}

int main() {
  return e2e::run("parameters", [] {
    for (int round = 0; round < 20; ++round) {
      e2e::context("scalars");
      auto b = e2e::random<bool>();
      auto i8 = e2e::random<int8_t>();
      auto u8 = e2e::random<uint8_t>();
      auto i16 = e2e::random<int16_t>();
      auto u16 = e2e::random<uint16_t>();
      auto i32 = e2e::random<int32_t>();
      auto u32 = e2e::random<uint32_t>();
      auto i64 = e2e::random<int64_t>();
      auto u64 = e2e::random<uint64_t>();
      auto f16 = e2e::random<tt::float16>();
      auto bf16 = e2e::random<tt::bfloat16>();
      auto f32 = e2e::random<float>();
      auto f64 = e2e::random<double>();
      e2e::buffer<double> out(13);
      scalars<<<1>>>(out.data(), b, i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64);
      const double wanted[] = {double(b),   double(i8),  double(u8),  double(i16),  double(u16), double(i32),
                               double(u32), double(i64), double(u64), double(f16), double(bf16), double(f32), f64};
      out.expect_value([&](int i) { return wanted[i]; });

      e2e::context("structs");
      e2e::buffer<float> x(3, e2e::random<float>);
      two_ints t{e2e::random<int>(), e2e::random<int>()};
      pointer_and_int p{x.data(), e2e::random<int>()};
      mixed m{char(e2e::between(0, 100)), f64, i16, f32, b};
      nested n{{i32, -5}, {x.data(), 77}, i64};
      with_array w{{i64, 1, -2}, x.data()};
      mode how = b ? mode::subtract : mode::add;
      e2e::buffer<double> fields(20);
      structs<<<1>>>(t, p, m, n, {f32}, w, how, fields.data());
      const double want[] = {double(t.a), double(t.b), x[1],        double(p.n), double(m.c), m.d,         double(m.s),
                             m.f,         double(m.b), double(i32), -5,          x[2],        77,          double(i64),
                             f32,         double(i64), 1,           -2,          x[0],        b ? -1.0 : 3.0};
      fields.expect_value([&](int i) { return want[i]; });
    }

    e2e::context("many");
    e2e::buffer<double> sums(10);
#define VALUES(n) int8_t(n - 5), 1000000007ll * n, int16_t(-300 * n), 0.5f * n
    many<<<1>>>(sums.data(), VALUES(0), VALUES(1), VALUES(2), VALUES(3), VALUES(4), VALUES(5), VALUES(6), VALUES(7),
                VALUES(8), VALUES(9));
    sums.expect_value([](int n) { return (n - 5) + 1000000007.0 * n * 2 - 900.0 * n + 2.0 * n; });
  });
}
