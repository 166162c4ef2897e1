#include "harness.h"
namespace a {
#include "a.h"
}
namespace b {
#include "b.h"
}
namespace c {
#include "c.h"
}
namespace d {
#include "d.h"
}
namespace e {
#include "e.h"
}
namespace f {
#include "f.h"
}
namespace g {
#include "g.h"
}
namespace h {
#include "h.h"
}

struct F16 {
  uint16_t bits;
  F16(double v = 0) : bits(toHalf(v)) {}
  operator double() const { return fromHalf(bits); }
};
struct BF {
  uint16_t bits;
  BF(double v = 0) : bits(toBFloat(v)) {}
  operator double() const { return fromBFloat(bits); }
};

template <class IN, class OUT, int M, int N, int K, size_t count>
static int test(const tilecc_cpu_entry (&entries)[count]) {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    std::vector<IN> a(2 * M * K), b(2 * K * N);
    std::vector<OUT> out(M * N, OUT(77)), out2(2 * M * N, OUT(77));
    for (IN &v : a)
      v = IN(std::is_integral_v<IN> ? random.integer(-11, 11) : random.uniform(-1, 1)); // i8 squares fit
    for (IN &v : b)
      v = IN(std::is_integral_v<IN> ? random.integer(-128, 127) : random.uniform(-1, 1));
    int times = random.integer(0, 3);
    launch(entry, {}, a.data(), b.data(), out.data(), out2.data(), times);
    double tolerance = std::is_integral_v<OUT> ? 0 : sizeof(OUT) == 2 ? 2e-2 : sizeof(OUT) == 8 ? 1e-12 : 1e-4;
    for (int t = 0; t < 2; ++t)
      for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
          double sum = 0, squares = 0;
          for (int k = 0; k < K; ++k) {
            double x = double(a[(t * M + i) * K + k]), y = double(b[(t * K + k) * N + j]);
            sum += x * y;
            squares += double(IN(x * x)) * y;
          }
          expectNear("out2", (t * M + i) * N + j, double(out2[(t * M + i) * N + j]), sum, tolerance, entry.level);
          if (t == 0)
            expectNear("out", i * N + j, double(out[i * N + j]), times * sum * times * sum + squares, tolerance,
                       entry.level);
        }
  });
}

int main() {
  int failed = 0;
  failed |= test<float, float, 32, 64, 16>(a::entries);
  failed |= test<double, double, 16, 16, 32>(b::entries);
  failed |= test<int8_t, int32_t, 64, 32, 32>(c::entries);
  failed |= test<float, float, 2, 4, 2>(d::entries);
  failed |= test<float, float, 1, 1, 64>(e::entries);
  failed |= test<float, float, 128, 8, 1>(f::entries);
  failed |= test<BF, float, 16, 32, 16>(g::entries);
  failed |= test<F16, F16, 16, 32, 16>(h::entries);
  return failed;
}
