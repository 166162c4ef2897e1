#include "harness.h"

int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    for (int round = 0; round < 20; ++round) {
      int m = random.integer(0, 33), n = random.integer(0, 65);
      std::vector<float> x(32 * 64), rows(32, NAN), cols(64, NAN);
      std::vector<int32_t> args(33, -1), ints(128), iout(3, -1);
      std::vector<uint16_t> h(64), hsum(16, 0x7e00);
      for (float &v : x)
        v = random.integer(-50, 50); // many ties, exact sums
      for (uint16_t &v : h)
        v = toHalf(random.integer(-50, 50));
      for (int32_t &v : ints)
        v = random.integer(INT32_MIN, INT32_MAX);
      launch(entry, {}, x.data(), rows.data(), cols.data(), args.data(), h.data(), hsum.data(), ints.data(), iout.data(),
             m, n);
      auto at = [&](int i, int j) { return i < m && j < n ? x[i * 64 + j] : 0.0f; };
      double overall = -INFINITY;
      for (int i = 0; i < 32; ++i) {
        double sum = 0, best = -INFINITY;
        int arg = -1;
        for (int j = 0; j < 64; ++j) {
          sum += at(i, j);
          if (at(i, j) > best) {
            best = at(i, j);
            arg = j;
          }
        }
        overall = std::fmax(overall, best);
        expectNear("row sum", i, rows[i], sum, 0, entry.level);
        expectNear("row argmax", i, args[i], arg, 0, entry.level);
      }
      for (int j = 0; j < 64; ++j) {
        double best = -INFINITY;
        for (int i = 0; i < 32; ++i)
          best = std::fmax(best, at(i, j));
        expectNear("column max", j, cols[j], best, 0, entry.level);
      }
      int row = args[32]; // any row with the largest element
      double best = -INFINITY;
      for (int j = 0; row >= 0 && row < 32 && j < 64; ++j)
        best = std::fmax(best, at(row, j));
      expectNear("overall max", row, best, overall, 0, entry.level);
      for (int i = 0; i < 16; ++i) {
        double sum = 0;
        for (int j = 0; j < 4; ++j)
          sum += fromHalf(h[i * 4 + j]);
        expectNear("half sum", i, fromHalf(hsum[i]), sum, 0, entry.level);
      }
      int32_t bits = 0, least = INT32_MAX, either = 1024;
      for (int32_t v : ints) {
        bits ^= v;
        least = std::min(least, v);
        either |= v;
      }
      expectNear("xor", 0, iout[0], bits, 0, entry.level);
      expectNear("min", 1, iout[1], least, 0, entry.level);
      expectNear("or", 2, iout[2], either, 0, entry.level);
    }
  });
}
