#include <tilecc/tt.h>

__tile_global__ void rounds(int *x, int count) {
  auto i = tt::arange<256>();
  for (int r = 0; r < count; ++r) {
    auto v = tt::load(x + i + 1);
    tt::debug_barrier();
    tt::store(x + i, v + r);
    tt::debug_barrier();
  }
}
