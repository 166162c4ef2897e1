// A scan along the rows of a tile of 64x1024: each thread holds many elements (see RESULTS.md).
#include <tilecc/tt.h>
__tile_global__ void scan(const float *x, float *out) {
  auto i = tt::arange<64>().col() * 1024 + tt::arange<1024>().row();
  tt::store(out + i, tt::cumsum<1>(tt::load(x + i)));
}
