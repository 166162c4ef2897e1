// A kernel and the host function that launches it, in a library built by Bazel.
#include "scale.h"

#include <tilecc/runtime.h>
#include <tilecc/tt.h>

template <int SIZE>
__tile_global__ void scale_block(float *x, float factor, int n) {
  auto i = tt::program_id(0) * SIZE + tt::arange<SIZE>();
  tt::store(x + i, tt::load(x + i, i < n) * factor, i < n);
}

void scale(float *x, float factor, int n) {
  scale_block<BLOCK><<<tt::cdiv(n, BLOCK)>>>(x, factor, n);
  tt::check(ttGetLastError());
}
