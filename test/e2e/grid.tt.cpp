// Tests grids of one to three dimensions: every program must run once and know its position.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=7 %t
// RUN: %tcc -O1 -g -fsanitize=address %s -o %t.asan && env TILECC_DEVICE=cpu %t.asan
// RUN: %tcc -O1 -g -fsanitize=thread %s -o %t.tsan && env TILECC_DEVICE=cpu TILECC_NUM_THREADS=4 %t.tsan
// RUN: %emulate %t

#include "support/check.h"

// Adds one at the program's position, so that a program that ran twice, or never, is visible.
__tile_global__ void places(int *visits, int *out) {
  int x = tt::program_id(0), y = tt::program_id(1), z = tt::program_id(2);
  int sx = tt::num_programs(0), sy = tt::num_programs(1), sz = tt::num_programs(2);
  int at = (z * sy + y) * sx + x;
  int before = visits[at];
  tt::debug_barrier(); // every thread loads a scalar, one stores it
  visits[at] = before + 1;
  auto i = tt::arange<8>();
  auto place = tt::where(i == 0, x, tt::where(i == 1, y, z));
  auto size = tt::where(i == 3, sx, tt::where(i == 4, sy, sz));
  auto values = tt::where(i < 3, place, size);
  tt::store(out + at * 8 + i, values, i < 6);
}

struct extent {
  unsigned x, y, z;
};

int main() {
  return e2e::run("grid", [] {
    for (auto [x, y, z] : {extent{1, 1, 1}, {2, 1, 1}, {1000, 1, 1}, {1, 77, 1}, {1, 1, 33}, {5, 7, 1}, {3, 1, 5},
                           {6, 5, 4}, {0, 1, 1}, {4, 0, 2}, {3, 3, 0}}) {
      e2e::context("%u x %u x %u", x, y, z);
      int n = int(x * y * z);
      e2e::buffer<int> visits(n, [](int) { return 41; }), out(8 * n);
      places<<<dim3(x, y, z)>>>(visits.data(), out.data());
      visits.expect([](int) { return 42; });
      out.expect([&](int i) {
        int at = i / 8;
        const int wanted[] = {at % int(x), at / int(x) % int(y), at / int(x * y), int(x),
                              int(y),      int(z),               out[i],          out[i]};
        return wanted[i % 8];
      });
    }
    for (int n : {1, 2, 300}) { // an integer is a grid of one dimension
      e2e::context("%d", n);
      e2e::buffer<int> visits(n, [](int) { return 0; }), out(8 * n);
      places<<<n>>>(visits.data(), out.data());
      visits.expect([](int) { return 1; });
    }
  });
}
