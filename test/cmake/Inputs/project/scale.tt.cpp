#include <app/scale.h>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#ifndef ONLY_TILE
#error "the option for TILE sources did not arrive"
#endif

__tile_global__ void scale_kernel(float *x, int n) {
  auto i = tt::program_id(0) * 64 + tt::arange<64>();
  tt::store(x + i, float(SCALE) * tt::load(x + i, i < n) + float(OFFSET), i < n);
}

void scale(float *x, int n) {
  scale_kernel<<<tt::cdiv(n, 64)>>>(x, n);
  tt::check(ttGetLastError());
}
