#include "harness.h"

int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    for (int cols : {1, 5, 8, 100, 1000, 1023, 1024}) {
      int rows = 5, stride = cols + 3;
      std::vector<float> x(rows * stride), out(rows * stride, NAN);
      for (float &v : x)
        v = random.uniform(-20, 20);
      for (int j = 0; j < cols; ++j)
        x[3 * stride + j] = -INFINITY; // no maximum: NaN throughout
      x[4 * stride] = 1e30f;           // one element gets all the weight
      launch(entry, {uint32_t(rows)}, x.data(), out.data(), stride, cols);
      for (int r = 0; r < rows; ++r) {
        double max = -INFINITY, sum = 0;
        for (int j = 0; j < cols; ++j)
          max = std::fmax(max, x[r * stride + j]);
        for (int j = 0; j < cols; ++j)
          sum += std::exp(double(x[r * stride + j]) - max);
        for (int j = 0; j < cols; ++j)
          expectNear("out", r * stride + j, out[r * stride + j], std::exp(double(x[r * stride + j]) - max) / sum, 2e-6,
                     entry.level);
        for (int j = cols; j < stride; ++j)
          expectNear("padding", r * stride + j, out[r * stride + j], NAN, 0, entry.level);
      }
    }
  });
}
