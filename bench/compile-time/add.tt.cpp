// The same kernel and launch as add.cu, in tile form. HEAVY adds the standard headers that host code often includes.
#ifdef HEAVY
#include <algorithm>
#include <iostream>
#include <vector>
#endif
#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask), mask);
}

void launch(const float *x, const float *y, float *out, int n) { add<1024><<<tt::cdiv(n, 1024)>>>(x, y, out, n); }
