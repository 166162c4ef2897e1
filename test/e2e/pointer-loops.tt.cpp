// Tests loops that carry pointers and tiles of pointers, that store, or whose exit depends on loaded values.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=7 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

constexpr int block = 64;

// The sum of a row by a tile of pointers that moves along it.
__tile_global__ void row_sums(const float *x, float *out, int columns, int stride) {
  int row = tt::program_id(0);
  auto i = tt::arange<block>();
  auto p = x + row * stride + i;
  auto sum = tt::zeros<float, block>();
  for (int left = columns; left > 0; left -= block, p += block)
    sum += tt::load(p, i < left, 0);
  out[row] = tt::sum(sum);
}

// Two pointers, one forward and one backward, which each iteration exchanges.
__tile_global__ void ping_pong(const float *x, const float *y, float *out, int rounds) {
  auto i = tt::arange<block>();
  auto p = x + i, q = y + i;
  for (int r = 0; r < rounds; ++r) {
    tt::store(out + r * block + i, tt::load(p));
    auto t = p + block;
    p = q;
    q = t;
  }
}

// A number of iterations that each program reads from memory, and a loop that ends at a zero.
__tile_global__ void read_bounds(const int *bounds, const int *x, int *out) {
  int p = tt::program_id(0);
  int first = bounds[p], end = bounds[p + 1];
  auto i = tt::arange<block>();
  int sum = 0;
  for (int at = first; at < end; at += block) {
    auto v = tt::load(x + at + i, at + i < end, 0);
    sum += tt::sum(v);
  }
  int length = 0;
  for (const int *s = x + first; s != x + end && *s; ++s)
    ++length;
  out[2 * p] = sum;
  out[2 * p + 1] = length;
}

// A grid that is smaller than the work: each program takes every num_programs-th block.
__tile_global__ void strided(const float *x, float *out, int n) {
  for (int64_t first = int64_t(tt::program_id(0)) * block; first < n; first += int64_t(tt::num_programs(0)) * block) {
    auto i = first + tt::arange<block>();
    auto mask = i < n;
    if (first % (2 * block) == 0)
      tt::store(out + i, tt::load(x + i, mask) + 1.0f, mask);
    else
      tt::store(out + i, tt::load(x + i, mask) - 1.0f, mask);
  }
}

int main() {
  return e2e::run("pointer-loops", [] {
    for (int columns : e2e::edges(block)) {
      const int rows = 9, stride = columns + 2;
      e2e::context("row_sums, %d columns", columns);
      e2e::buffer<float> x(rows * stride, [](int) { return float(e2e::between(-100, 100)); }), out(rows);
      row_sums<<<rows>>>(x.data(), out.data(), columns, stride);
      out.expect_value([&](int r) {
        float sum = 0;
        for (int c = 0; c < columns; ++c)
          sum += x[r * stride + c];
        return sum;
      });
    }

    for (int rounds : {0, 1, 2, 5}) {
      e2e::context("ping_pong, %d rounds", rounds);
      e2e::buffer<float> x(3 * block, e2e::random<float>), y(3 * block, e2e::random<float>), out(6 * block);
      ping_pong<<<1>>>(x.data(), y.data(), out.data(), rounds);
      out.expect([&](int i) {
        int r = i / block;
        if (r >= rounds)
          return out[i];
        return (r % 2 ? y : x)[r / 2 * block + i % block];
      });
    }

    e2e::context("read_bounds");
    const int programs = 7;
    const int lengths[programs] = {0, 1, block - 1, block, block + 1, 200, 3 * block};
    e2e::buffer<int> bounds(programs + 1), found(2 * programs);
    int total = 0;
    for (int p = 0; p <= programs; ++p) {
      bounds.set(p, total);
      total += p < programs ? lengths[p] : 0;
    }
    bounds.upload();
    e2e::buffer<int> numbers(total, [](int) { return int(e2e::between(0, 50)); });
    read_bounds<<<programs>>>(bounds.data(), numbers.data(), found.data());
    found.expect([&](int j) {
      int sum = 0, length = 0;
      bool ended = false;
      for (int i = bounds[j / 2]; i < bounds[j / 2 + 1]; ++i) {
        sum += numbers[i];
        ended |= numbers[i] == 0;
        length += !ended;
      }
      return j % 2 ? length : sum;
    });

    for (int n : e2e::edges(block))
      for (int grid : {1, 3, 8}) {
        e2e::context("strided, n = %d, %d programs", n, grid);
        e2e::buffer<float> x(n, e2e::random<float>), out(n);
        strided<<<grid>>>(x.data(), out.data(), n);
        out.expect([&](int i) { return x[i] + (i / block % 2 ? -1.0f : 1.0f); });
      }
  });
}
