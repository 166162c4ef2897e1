#include "harness.h"

int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    for (int n : {1, 7, 8, 31, 32, 33, 1000, 1023, 1024, 1025, 5000}) {
      uint32_t programs = (n + 1023) / 1024;
      std::vector<float> x(n), y(n), out(n + 64, NAN);
      for (int i = 0; i < n; ++i) {
        x[i] = random.uniform(-1, 1);
        y[i] = random.uniform(-1, 1);
      }
      launch(entry, {programs}, x.data(), y.data(), out.data(), n);
      for (int i = 0; i < n; ++i)
        expectNear("out", i, out[i], x[i] + y[i], 0, entry.level);
      for (int i = n; i < n + 64; ++i)
        expectNear("out past the end", i, out[i], NAN, 0, entry.level);

      // In place, and shifted by a few elements either way: all loads of a program precede its stores.
      for (int shift : {0, 1, 3, 8, 100, -1, -5, -32}) {
        std::vector<float> memory(n + 400), expected;
        for (float &v : memory)
          v = random.uniform(-1, 1);
        expected = memory;
        float *a = memory.data() + 150, *o = a + shift;
        for (uint32_t p = 0; p < programs; ++p) {
          std::vector<float> sums;
          int begin = p * 1024, end = std::min(n, begin + 1024);
          for (int i = begin; i < end; ++i)
            sums.push_back(expected[150 + i] + y[i]);
          for (int i = begin; i < end; ++i)
            expected[150 + shift + i] = sums[i - begin];
        }
        launch(entry, {programs}, a, y.data(), o, n);
        for (size_t i = 0; i < memory.size(); ++i)
          expectNear("overlapping", i, memory[i], expected[i], 0, entry.level);
      }
    }
  });
}
