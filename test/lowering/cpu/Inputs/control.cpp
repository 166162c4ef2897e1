#include "harness.h"

int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    for (int round = 0; round < 12; ++round) {
      int times = round % 6;
      bool flag = random.integer(0, 1);
      float stop = random.uniform(100, 100000);
      std::vector<float> x(64), out(64 * 8, NAN), wout(65, NAN), bout(64, NAN);
      for (float &v : x)
        v = random.integer(1, 9);
      launch(entry, {}, x.data(), out.data(), wout.data(), bout.data(), times, flag, stop);
      for (int i = 0; i < 64; ++i) {
        double a = x[i], b = 1, r = i;
        for (int t = 0; t < times; ++t) {
          double s = a + b;
          expectNear("sums", t * 64 + i, out[t * 64 + i], s, 0, entry.level);
          a = b;
          b = s;
          r *= 2;
        }
        expectNear("last", i, out[times * 64 + i], flag ? b - a : r, 0, entry.level);
        double p = x[i], q = 1;
        for (int t = 0; t < times; ++t) {
          double before = p;
          p = q;
          q = before + 1;
        }
        expectNear("swapped", i, bout[i], flag ? NAN : p - q, 0, entry.level);
      }
      std::vector<double> t(x.begin(), x.end());
      int n = 0;
      for (;; ++n) {
        double sum = 0;
        for (double v : t)
          sum += v;
        for (double &v : t)
          v += 1;
        if (!(sum < stop))
          break;
        for (double &v : t)
          v *= 2;
      }
      for (int i = 0; i < 64; ++i)
        expectNear("while", i, wout[i], t[i], 0, entry.level);
      expectNear("while count", 0, wout[64], n, 0, entry.level);
    }
  });
}
