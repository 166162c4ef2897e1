// Inputs and outputs that overlap. A program's load is complete before its later store begins, whatever the target does
// inside of a tile.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 TILECC_NUM_THREADS=1 %t

#include "support/check.h"

constexpr int block = 256;

__tile_global__ void in_place(float *x, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(x + i, tt::load(x + i, i < n) * 2.0f + 1.0f, i < n);
}

// One program moves a range by any distance, up or down, reading all before it writes.
__tile_global__ void move(const int *from, int *to, int n) {
  auto i = tt::arange<block>();
  tt::store(to + i, tt::load(from + i, i < n) + 1, i < n);
}

// Reversed in place: element i needs what stands at the far end.
__tile_global__ void reverse(int *x, int n) {
  auto i = tt::arange<block>();
  tt::store(x + i, tt::load(x + (n - 1) - i, i < n), i < n);
}

// Transposed in place.
__tile_global__ void transpose(int *x) {
  auto r = tt::arange<32>()(tt::all, tt::newaxis);
  auto c = tt::arange<32>()(tt::newaxis, tt::all);
  tt::store(x + c * 32 + r, tt::load(x + r * 32 + c));
}

// Two values exchanged, and a value used after its memory has changed.
__tile_global__ void exchange(int *x, int *y, int *out) {
  auto i = tt::arange<block>();
  auto a = tt::load(x + i), b = tt::load(y + i);
  tt::store(x + i, b);
  tt::store(y + i, a);
  auto again = tt::load(x + i);
  tt::store(x + i, 0);
  tt::store(out + i, again * 1000 + a);
}

// Each round reads what the round before stored, shifted by one: on the CPU a program sees its own stores, all of them. On
// a GPU the elements move between threads, for which Triton asks for a barrier that the language does not have yet.
__tile_global__ void rounds(int *x, int count) {
  auto i = tt::arange<block>();
  for (int r = 0; r < count; ++r) {
    auto v = tt::load(x + i + 1);
    tt::store(x + i, v + r);
  }
}

// Scalars and tiles in the same memory.
__tile_global__ void scalar_and_tile(int *x) {
  auto i = tt::arange<block>();
  x[3] = 5;
  auto v = tt::load(x + i);
  int before = x[0];
  tt::store(x + i, v * 2);
  x[1] = before + x[0] + x[3]; // 3 times what was, and 10
}

int main() {
  return e2e::run("aliasing", [] {
    for (int n : e2e::edges(block)) {
      e2e::context("in_place, n = %d", n);
      e2e::buffer<float> x(n, [](int) { return float(e2e::between(-1000, 1000)); });
      in_place<<<tt::cdiv(n, block)>>>(x.data(), n);
      x.expect([&](int i) { return x[i] * 2 + 1; });
    }
    auto number = [](int) { return int(e2e::between(-1000, 1000)); };
    for (int n : {1, 17, block - 1, block})
      for (int distance : {-100, -16, -8, -3, -1, 0, 1, 2, 7, 8, 16, 64, 100}) {
        e2e::context("move, n = %d, distance %d", n, distance);
        e2e::buffer<int> x(n + 200, number);
        move<<<1>>>(x.data() + 100, x.data() + 100 + distance, n);
        x.expect([&](int i) {
          int from = i - distance;
          return from >= 100 && from < 100 + n ? x[from] + 1 : x[i];
        });
      }
    for (int n : {1, 2, 100, block - 1, block}) {
      e2e::context("reverse, n = %d", n);
      e2e::buffer<int> x(n, number);
      reverse<<<1>>>(x.data(), n);
      x.expect([&](int i) { return x[n - 1 - i]; });
    }
    e2e::context("transpose");
    e2e::buffer<int> square(32 * 32, number);
    transpose<<<1>>>(square.data());
    square.expect([&](int i) { return square[i % 32 * 32 + i / 32]; });

    e2e::context("exchange");
    e2e::buffer<int> x(block, number), y(block, number), out(block);
    exchange<<<1>>>(x.data(), y.data(), out.data());
    x.expect([](int) { return 0; });
    y.expect([&](int i) { return x[i]; });
    out.expect([&](int i) { return y[i] * 1000 + x[i]; });

    for (int count : {0, 1, 2, 9}) {
      if (e2e::on_gpu() && count > 1)
        break;
      e2e::context("rounds, %d", count);
      e2e::buffer<int> z(block + 1, number);
      rounds<<<1>>>(z.data(), count);
      z.expect([&](int i) {
        std::vector<int> values;
        for (int k = 0; k <= block; ++k)
          values.push_back(z[k]);
        for (int r = 0; r < count; ++r)
          for (int k = 0; k < block; ++k)
            values[k] = values[k + 1] + r;
        return values[i];
      });
    }

    e2e::context("scalar_and_tile");
    e2e::buffer<int> s(block, number);
    scalar_and_tile<<<1>>>(s.data());
    s.expect([&](int i) { return i == 1 ? 3 * s[0] + 10 : i == 3 ? 10 : 2 * s[i]; });
  });
}
