// RUN: %tcc -O2 -arch=compute_90a %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %if ptxas %{ %tcc -w -cubin -arch=sm_90 --resource-usage %s -o %t.cubin 2>&1 | %python %S/Inputs/spills.py 256 %}

#include "Inputs/memory.cuh"
#include "Inputs/support.h"
#include <algorithm>

int main() {
  return e2e::run("memory", [] {
    for (int n : {1, 64, 100}) {
      e2e::context("copy of %d", n);
      e2e::buffer<double> x(n, e2e::random<double>), out(n);
      copy_1<<<(n + 63) / 64>>>(x.data(), out.data(), n);
      out.expect([&](int i) { return x[i]; });
    }
    {
      e2e::context("transpose");
      const int m = 37, n = 50;
      e2e::buffer<float> x(m * n, e2e::random<float>), out(m * n);
      transpose_2<<<dim3(3, 2)>>>(x.data(), out.data(), m, n);
      out.expect([&](int i) { return x[i % m * n + i / m]; });
    }
    {
      e2e::context("permute");
      const int a = 6, b = 9, c = 20;
      e2e::buffer<short> x(a * b * c, e2e::random<short>), out(a * b * c);
      permute_3<<<dim3(2, 2, 2)>>>(x.data(), out.data(), a, b, c);
      out.expect([&](int i) { return x[i / b % a * b * c + i % b * c + i / (a * b)]; });
    }
    {
      e2e::context("slices");
      const int a = 2, stride = 1000;
      e2e::buffer<float> x(a * stride, e2e::random<float>), out(a * 768);
      slices_4<<<dim3(a, 2)>>>(x.data(), out.data(), a, stride);
      out.expect([&](int i) { return x[i / 768 * stride + i % 768]; });
    }
    {
      e2e::context("sum over three of five dimensions");
      const int a = 3, b = 5;
      numbers<float> x(a * b * 128, 1), out(a * b);
      sum_5<<<dim3(2, 2)>>>(x.get(), out.get(), a, b);
      out.expect(e2e::tolerance{0, 2e-5}, [&](int i) {
        double sum = 0;
        for (int j = 0; j < 128; ++j)
          sum += x.at(i * 128 + j);
        return sum;
      });
    }
    {
      e2e::context("layouts");
      const int m = 11, n = 21, pitch = 24;
      e2e::buffer<int> x(m * n, e2e::random<int>), left(m * n), padded(m * pitch);
      layouts<<<dim3(2, 2)>>>(x.data(), left.data(), padded.data(), m, n);
      left.expect([&](int i) { return x[i % m * n + i / m]; });
      padded.expect([&](int i) { return i % pitch < n ? x[i / pitch * n + i % pitch] : padded[i]; });
    }
    {
      e2e::context("moving sum");
      const int n = 30, windows = 8;
      numbers<float> x(n, 1), out(windows);
      moving_sum<<<windows>>>(x.get(), out.get(), n);
      out.expect(e2e::tolerance{0, 1e-5}, [&](int i) {
        double sum = 0;
        for (int j = 4 * i; j < std::min(n, 4 * i + 8); ++j)
          sum += x.at(j);
        return sum;
      });
    }
    {
      e2e::context("rows by number");
      const int m = 20, n = 37, rows = 16;
      e2e::buffer<float> x(m * n, e2e::random<float>), out(rows * n);
      e2e::buffer<int> row(rows, [&](int i) { return i == 5 ? m : int(e2e::between(0, m - 1)); });
      shuffle_rows<<<2>>>(x.data(), out.data(), row.data(), m, n);
      out.expect([&](int i) { return row[i / n] < m ? x[row[i / n] * n + i % n] : 0.0f; });
    }
    {
      e2e::context("changes");
      const int n = 300;
      e2e::buffer<int> x(n, [](int) { return int(e2e::between(-100000, 100000)); });
      const int first[] = {0, 0, -1000000, 1000000, 0, -1, 0};
      e2e::buffer<int> results(7, [&](int i) { return first[i]; });
      e2e::buffer<unsigned> bits(1, [](int) { return 0u; });
      e2e::buffer<float> total(4, [](int) { return 0.0f; });
      changes<<<3>>>(x.data(), results.data(), bits.data(), total.data(), n);
      int want[7];
      std::copy(first, first + 7, want);
      unsigned mask = 0;
      double sums[4] = {};
      for (int i = 0; i < n; ++i) {
        int v = x[i];
        want[0] += v, want[1] -= v, want[2] = std::max(want[2], v), want[3] = std::min(want[3], v), want[4] ^= v;
        want[5] &= v, want[6] |= v, mask |= 1u << (v & 31), sums[i % 4] += v;
      }
      results.expect([&](int i) { return want[i]; });
      bits.expect([&](int) { return mask; });
      total.expect(e2e::tolerance{0, 1}, [&](int i) { return sums[i]; });
    }
    {
      e2e::context("turns");
      const int programs = 20;
      e2e::buffer<int> lock(1, [](int) { return 0; }), counter(1, [](int) { return 0; }), seen(programs);
      turns<<<programs>>>(lock.data(), counter.data(), seen.data());
      counter.expect([&](int) { return programs; });
      lock.expect([](int) { return 0; });
      seen.fetch();
      std::vector<int> all;
      for (int i = 0; i < programs; ++i)
        all.push_back(seen.after(i));
      std::sort(all.begin(), all.end());
      for (int i = 0; i < programs; ++i)
        E2E_EXPECT(all[i] == i);
    }
  });
}
