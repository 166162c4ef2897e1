// Tests inputs and outputs that overlap: the load of a program is complete before a later store of it begins.
//
// On a GPU, the elements of a tile belong to threads that run independently, and a program uses tt::debug_barrier()
// where threads must wait for each other: between the load of an element and its store by another thread, and between a
// store and a load of the same element. On the CPU device, a program is one thread, and a load and a store share a loop
// unless barriers or aliasing prevent that. So there, all kernels run once more without barriers.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 TILECC_NUM_THREADS=1 %t
// RUN: env TILECC_DEVICE=emu:sm_90 TILECC_EMU_SCHEDULE=random %t

#include "support/check.h"

constexpr int block = 256;

template <bool Wait> __tile__ void meet() {
  if constexpr (Wait)
    tt::debug_barrier();
}

// Each element stays with its thread.
__tile_global__ void in_place(float *x, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(x + i, tt::load(x + i, i < n) * 2.0f + 1.0f, i < n);
}

// One program moves a range by any distance, up or down; it reads everything before it writes.
template <bool Wait> __tile_global__ void move(const int *from, int *to, int n) {
  auto i = tt::arange<block>();
  auto v = tt::load(from + i, i < n);
  meet<Wait>();
  tt::store(to + i, v + 1, i < n);
}

// Reversed in place: element i comes from the other end.
template <bool Wait> __tile_global__ void reverse(int *x, int n) {
  auto i = tt::arange<block>();
  auto v = tt::load(x + (n - 1) - i, i < n);
  meet<Wait>();
  tt::store(x + i, v, i < n);
}

// Transposed in place.
template <bool Wait> __tile_global__ void transpose(int *x) {
  auto r = tt::arange<32>()(tt::all, tt::newaxis);
  auto c = tt::arange<32>()(tt::newaxis, tt::all);
  auto v = tt::load(x + r * 32 + c);
  meet<Wait>();
  tt::store(x + c * 32 + r, v);
}

// Two values exchanged, and a value used after its memory has changed.
template <bool Wait> __tile_global__ void exchange(int *x, int *y, int *out) {
  auto i = tt::arange<block>();
  auto a = tt::load(x + i), b = tt::load(y + i);
  meet<Wait>();
  tt::store(x + i, b);
  tt::store(y + i, a);
  meet<Wait>();
  auto again = tt::load(x + i);
  meet<Wait>();
  tt::store(x + i, 0);
  tt::store(out + i, again * 1000 + a);
}

// Each round reads what the previous round stored, shifted by one.
template <bool Wait> __tile_global__ void rounds(int *x, int count) {
  auto i = tt::arange<block>();
  for (int r = 0; r < count; ++r) {
    auto v = tt::load(x + i + 1);
    meet<Wait>();
    tt::store(x + i, v + r);
    meet<Wait>();
  }
}

// A reduction tree: in each round fewer elements take part, and all threads wait. The last barrier is needed, too,
// because every thread loads the sum.
template <bool Wait> __tile_global__ void tree(int *x, int *out) {
  auto i = tt::arange<block>();
  for (int half = block / 2; half; half /= 2) {
    auto sum = tt::load(x + i, i < half) + tt::load(x + half + i, i < half);
    meet<Wait>();
    tt::store(x + i, sum, i < half);
    meet<Wait>();
  }
  tt::store(out + i, i + x[0]);
}

// Scalars and tiles in the same memory. Every thread loads a single element, and one thread stores it.
template <bool Wait> __tile_global__ void scalar_and_tile(int *x) {
  auto i = tt::arange<block>();
  x[3] = 5;
  meet<Wait>();
  auto v = tt::load(x + i);
  int before = x[0];
  meet<Wait>();
  tt::store(x + i, v * 2);
  meet<Wait>();
  int after = x[0], third = x[3];
  meet<Wait>();
  x[1] = before + after + third; // 3 times the old value, and 10
}

static int number(int) { return int(e2e::between(-1000, 1000)); }

template <bool Wait> void check() {
  const char *how = Wait ? "with barriers" : "without barriers";
  for (int n : {1, 17, block - 1, block})
    for (int distance : {-100, -16, -8, -3, -1, 0, 1, 2, 7, 8, 16, 64, 100}) {
      e2e::context("move %s, n = %d, distance %d", how, n, distance);
      e2e::buffer<int> x(n + 200, number);
      move<Wait><<<1>>>(x.data() + 100, x.data() + 100 + distance, n);
      x.expect([&](int i) {
        int from = i - distance;
        return from >= 100 && from < 100 + n ? x[from] + 1 : x[i];
      });
    }
  for (int n : {1, 2, 100, block - 1, block}) {
    e2e::context("reverse %s, n = %d", how, n);
    e2e::buffer<int> x(n, number);
    reverse<Wait><<<1>>>(x.data(), n);
    x.expect([&](int i) { return x[n - 1 - i]; });
  }
  e2e::context("transpose %s", how);
  e2e::buffer<int> square(32 * 32, number);
  transpose<Wait><<<1>>>(square.data());
  square.expect([&](int i) { return square[i % 32 * 32 + i / 32]; });

  e2e::context("exchange %s", how);
  e2e::buffer<int> x(block, number), y(block, number), out(block);
  exchange<Wait><<<1>>>(x.data(), y.data(), out.data());
  x.expect([](int) { return 0; });
  y.expect([&](int i) { return x[i]; });
  out.expect([&](int i) { return y[i] * 1000 + x[i]; });

  for (int count : {0, 1, 2, 9}) {
    e2e::context("rounds %s, %d", how, count);
    e2e::buffer<int> z(block + 1, number);
    rounds<Wait><<<1>>>(z.data(), count);
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

  e2e::context("tree %s", how);
  e2e::buffer<int> t(block, number), total(block);
  tree<Wait><<<1>>>(t.data(), total.data());
  int sum = 0;
  for (int k = 0; k < block; ++k)
    sum += t[k];
  total.expect([&](int i) { return i + sum; });

  e2e::context("scalar_and_tile %s", how);
  e2e::buffer<int> s(block, number);
  scalar_and_tile<Wait><<<1>>>(s.data());
  s.expect([&](int i) { return i == 1 ? 3 * s[0] + 10 : i == 3 ? 10 : 2 * s[i]; });
}

int main() {
  return e2e::run("aliasing", [] {
    for (int n : e2e::edges(block)) {
      e2e::context("in_place, n = %d", n);
      e2e::buffer<float> x(n, [](int) { return float(e2e::between(-1000, 1000)); });
      in_place<<<tt::cdiv(n, block)>>>(x.data(), n);
      x.expect([&](int i) { return x[i] * 2 + 1; });
    }
    check<true>();
    if (!e2e::on_gpu())
      check<false>();
  });
}
