// Tests tt::grid_barrier: programs of a cooperative launch read what others stored before it, twice in a launch, and in
// two launches. Also tests atomic loads and stores of tiles, with masks.
// RUN: %tcc -O2 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
#include "support/check.h"

constexpr int programs = 6, block = 64;

__tile_global__ void rotate(int *x, int *y, unsigned *counter) {
  auto i = tt::arange<block>();
  int p = tt::program_id(0), next = (p + 1) % tt::num_programs(0);
  tt::store(x + p * block + i, p * 1000 + i);
  tt::grid_barrier(counter);
  auto others = tt::load(x + next * block + i);
  tt::grid_barrier(counter);
  tt::store(x + p * block + i, others);
  tt::store(y + p * block + i, others + 1);
}
__tile_global__ void access(int *x, float *y) {
  auto i = tt::arange<block>();
  tt::atomic_store(x + i, i * 2, i < 60);
  tt::debug_barrier();
  tt::atomic_store(y + i, tt::atomic_load(x + (63 - i), i > 3, tt::sem::relaxed) * 0.5f, i > 3);
}

int main() {
  return e2e::run("grid-barrier", [] {
    e2e::buffer<int> x(programs * block, [](int) { return 0; }), y(programs * block, [](int) { return 0; });
    e2e::buffer<unsigned> counter(1, [](int) { return 0u; });
    for (int launch = 0; launch < 2; ++launch)
      tt::launch(rotate, tt::launch_config(programs).cooperative(), x.data(), y.data(), counter.data());
    x.expect([&](int i) { return (i / block + 1) % programs * 1000 + i % block; });
    y.expect([&](int i) { return (i / block + 1) % programs * 1000 + i % block + 1; });

    e2e::buffer<int> a(block, [](int) { return -1; });
    e2e::buffer<float> b(block, [](int) { return -1.0f; });
    access<<<1>>>(a.data(), b.data());
    a.expect([&](int i) { return i < 60 ? 2 * i : -1; });
    b.expect([&](int i) { return i > 3 ? float(63 - i) : -1.0f; });
  });
}
