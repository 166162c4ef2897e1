#include "harness.h"
#include <algorithm>
#include <numeric>

int main() {
  Random random;
  return forEachLevel(entries, [&](const tilecc_cpu_entry &entry) {
    for (int round = 0; round < 20; ++round) {
      // Two matrices in one allocation, disjoint or shifted against each other.
      std::vector<float> memory(8192);
      for (float &v : memory)
        v = random.uniform(-1, 1);
      std::vector<float> expected = memory;
      int sx = random.integer(64, 70), sy = random.integer(16, 20);
      int xo = 2048, yo = round % 2 ? 4096 : 2048 + random.integer(-70, 70);
      std::vector<int32_t> perm(64), a(64), d(64), q(64, 12345), hash(128, -7);
      std::iota(perm.begin(), perm.end(), 0);
      std::shuffle(perm.begin(), perm.end(), random.engine);
      std::vector<float> g(64), gout(64, NAN), sout(64, NAN);
      for (int i = 0; i < 64; ++i) {
        g[i] = random.uniform(-1, 1);
        a[i] = random.integer(INT32_MIN, INT32_MAX);
        d[i] = random.integer(-9, 9);
        d[i] += d[i] == 0;
      }
      int64_t n = random.integer(0, 70);
      int32_t seed = round < 10 ? int32_t(random.integer(-70, 90)) : int32_t(random.integer(INT32_MAX - 70, INT32_MAX));
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 64; ++j)
          expected[yo + j * sy + i] = memory[xo + i * sx + j];
      std::vector<float> ex(expected.begin() + xo, expected.begin() + xo + 64);
      std::vector<float> ey(expected.begin() + yo, expected.begin() + yo + 64);
      std::copy(ey.begin(), ey.end(), expected.begin() + xo);
      std::copy(ex.begin(), ex.end(), expected.begin() + yo);

      launch(entry, {}, &memory[xo], &memory[yo], perm.data(), g.data(), gout.data(), sout.data(), a.data(), d.data(),
             q.data(), hash.data(), sx, sy, seed, n);
      for (size_t i = 0; i < memory.size(); ++i)
        expectNear("memory", i, memory[i], expected[i], 0, entry.level);
      for (int i = 0; i < 64; ++i) {
        expectNear("gather", i, gout[i], perm[i] % 2 ? g[perm[i]] : -1, 0, entry.level);
        expectNear("scatter", perm[i], sout[perm[i]], perm[i] % 2 ? g[i] : NAN, 0, entry.level);
        expectNear("quotient", i, q[i], i < n ? int32_t(uint32_t(a[i] / d[i]) + uint32_t(a[i] % d[i])) : 12345, 0, entry.level);
        uint32_t h = uint32_t(seed) + i;
        expectNear("hash", i, hash[i], int32_t(h < 100 ? h : h >> 16), 0, entry.level);
        expectNear("masked hash", i, hash[64 + i], h < 100 ? i : -7, 0, entry.level);
      }
    }
  });
}
