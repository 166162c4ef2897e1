#include "harness.h"
namespace f16 {
#include "f16.h"
}
namespace bf16 {
#include "bf16.h"
}
namespace f32 {
#include "f32.h"
}
namespace f64 {
#include "f64.h"
}
namespace i8 {
#include "i8.h"
}
namespace i16 {
#include "i16.h"
}
namespace i32 {
#include "i32.h"
}
namespace i64 {
#include "i64.h"
}

template <class T> struct Plain {
  using Storage = T;
  static double get(T v) { return double(v); }
  static T put(double v) { return T(v); }
};
struct Half {
  using Storage = uint16_t;
  static double get(uint16_t v) { return fromHalf(v); }
  static uint16_t put(double v) { return toHalf(v); }
};
struct BFloat {
  using Storage = uint16_t;
  static double get(uint16_t v) { return fromBFloat(v); }
  static uint16_t put(double v) { return toBFloat(v); }
};
/// One operation, rounded (or wrapped) to the element type.
template <class E, class T> static T op(char what, T x, T y) {
  if constexpr (std::is_same_v<E, Plain<T>> && std::is_integral_v<T>) {
    uint64_t a = uint64_t(int64_t(x)), b = uint64_t(int64_t(y));
    return T(what == '+' ? a + b : what == '-' ? a - b : a * b);
  } else {
    double a = E::get(x), b = E::get(y);
    return E::put(what == '+' ? a + b : what == '-' ? a - b : a * b);
  }
}

template <class E, size_t count> static int test(const tilecc_cpu_entry (&entries)[count]) {
  using T = typename E::Storage;
  constexpr bool isInteger = std::is_same_v<E, Plain<T>> && std::is_integral_v<T>;
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    for (int n : {1, 3, 8, 100, 255, 256, 257, 1000}) {
      std::vector<T> x(n), y(n), out(n + 9, T(0x55)), sum(n + 8, T(0x55));
      std::vector<uint8_t> flags(n), less(n + 8, 0xaa);
      for (int i = 0; i < n; ++i) {
        x[i] = isInteger ? T(random.integer(-1000000, 1000000)) : E::put(random.uniform(-9, 9));
        y[i] = isInteger ? T(random.integer(-1000000, 1000000)) : E::put(random.uniform(-9, 9));
        flags[i] = random.integer(0, 1);
      }
      T scale = E::put(2);
      bool flip = random.integer(0, 1);
      launch(entry, {uint32_t(n + 255) / 256}, x.data(), y.data(), flags.data(), out.data(), sum.data(), less.data(), n,
             scale, flip);
      for (int i = 0; i < n; ++i) {
        T a = op<E>('*', x[i], scale), product = op<E>('*', a, y[i]);
        T max = E::get(product) > E::get(a) ? product : a;
        T want = bool(flags[i]) != flip ? max : op<E>('-', a, y[i]);
        // Contraction may omit the rounding of f32 and f64 multiplications.
        double tolerance = isInteger ? 0 : sizeof(T) == 2 ? 0 : sizeof(T) == 4 ? 1e-6 : 1e-14;
        expectNear("out", i, E::get(out[i]), E::get(want), tolerance, entry.level);
        expectNear("sum", i, E::get(sum[i]), E::get(op<E>('+', a, y[i])), tolerance, entry.level);
        expectNear("less", i, less[i], E::get(a) < E::get(y[i]), 0, entry.level);
      }
      expectNear("last", n, E::get(out[n]), E::get(x[0]), 0, entry.level);
      for (int i = n + 1; i < n + 8; ++i)
        expectNear("past the end", i, E::get(out[i]), E::get(T(0x55)), 0, entry.level);
      for (int i = n; i < n + 8; ++i)
        expectNear("less past the end", i, less[i], 0xaa, 0, entry.level);
    }
  });
}

int main() {
  return test<Half>(f16::entries) | test<BFloat>(bf16::entries) | test<Plain<float>>(f32::entries) |
         test<Plain<double>>(f64::entries) | test<Plain<int8_t>>(i8::entries) | test<Plain<int16_t>>(i16::entries) |
         test<Plain<int32_t>>(i32::entries) | test<Plain<int64_t>>(i64::entries);
}
