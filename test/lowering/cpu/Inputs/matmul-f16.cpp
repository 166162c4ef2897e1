#include "harness.h"

// Parameters of the kernel, from its signature: a, b, c, M, N, K, sam, sbk, scm.
int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    struct Size {
      int m, n, k;
    };
    for (Size s : {Size{128, 256, 64}, Size{130, 77, 70}, Size{1, 1, 1}, Size{300, 520, 129}, Size{1200, 40, 33}}) {
      int lda = s.k + 2, ldb = s.n + 1, ldc = s.n + 5;
      std::vector<uint16_t> a(s.m * lda), b(s.k * ldb), c(s.m * ldc, 0x7e00);
      for (uint16_t &v : a)
        v = toHalf(random.uniform(-1, 1));
      for (uint16_t &v : b)
        v = toHalf(random.uniform(-1, 1));
      uint32_t programs = ((s.m + 127) / 128) * ((s.n + 255) / 256);
      launch(entry, {programs}, a.data(), b.data(), c.data(), s.m, s.n, s.k, lda, ldb, ldc);
      std::vector<double> af(a.size()), bf(b.size());
      for (size_t i = 0; i < a.size(); ++i)
        af[i] = fromHalf(a[i]);
      for (size_t i = 0; i < b.size(); ++i)
        bf[i] = fromHalf(b[i]);
      for (int i = 0; i < s.m; ++i) {
        std::vector<double> row(s.n);
        for (int k = 0; k < s.k; ++k)
          for (int j = 0; j < s.n; ++j)
            row[j] += af[i * lda + k] * bf[k * ldb + j];
        for (int j = 0; j < s.n; ++j)
          expectNear("c", i * ldc + j, fromHalf(c[i * ldc + j]), row[j], 1e-3, entry.level);
        for (int j = s.n; j < ldc; ++j)
          expectNear("padding", i * ldc + j, fromHalf(c[i * ldc + j]), NAN, 0, entry.level);
      }
    }
  });
}
