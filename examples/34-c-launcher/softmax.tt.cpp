// 34: kernels for a C program. See program.c.
#include <tilecc/tt.h>

// For rows of at most BLOCK columns.
template <int BLOCK> __tile_global__ void softmax(const float *x, float *out, int columns) {
  auto i = tt::arange<BLOCK>();
  long row = long(tt::program_id(0)) * columns;
  auto values = tt::load(x + row + i, i < columns, -__builtin_inff());
  auto powers = tt::exp(values - tt::max(values));
  tt::store(out + row + i, powers / tt::sum(powers), i < columns);
}

template __tile_global__ void softmax<512>(const float *, float *, int);
template __tile_global__ void softmax<2048>(const float *, float *, int);
