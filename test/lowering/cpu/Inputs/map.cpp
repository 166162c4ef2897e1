#include "harness.h"

int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    std::vector<float> x(64), formula(64, NAN), single(1, NAN);
    std::vector<int> y(64), constant(64, -1), branch(64, -1);
    for (int i = 0; i < 64; ++i) {
      x[i] = random.integer(-50, 50);
      y[i] = random.integer(-9, 9);
    }
    launch(entry, {}, x.data(), y.data(), formula.data(), constant.data(), branch.data(), single.data());
    for (int i = 0; i < 64; i += 2) {
      expectNear("product of the second by the first", i, formula[i], double(x[i + 1]) * y[i], 0, entry.level);
      expectNear("difference", i + 1, formula[i + 1], double(x[i]) - y[i + 1], 0, entry.level);
      expectNear("constant", i, constant[i], 7, 0, entry.level);
      expectNear("the first", i + 1, constant[i + 1], y[i], 0, entry.level);
    }
    for (int i = 0; i < 64; ++i) {
      int first = i / 4 * 4, k = i % 4;
      int from = y[first] < y[first + 3] ? 3 - k : (k + 1) % 4;
      expectNear("branch", i, branch[i], y[first + from], 0, entry.level);
    }
    expectNear("one alone", 0, single[0], 2 * x[0], 0, entry.level);
  });
}
