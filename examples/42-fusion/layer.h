// The last operations of a layer, as in a library of operators: each kernel performs one, from memory to memory.
#ifndef EXAMPLES_42_FUSION_LAYER_H
#define EXAMPLES_42_FUSION_LAYER_H

#include <tilecc/tt.h>

template <int BLOCK>
__tile_global__ void add_bias(const float *x, const float *bias, float *out, int columns, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(out + i, tt::load(x + i, i < n) + tt::load(bias + i % columns, i < n), i < n);
}

template <int BLOCK> __tile_global__ void gelu(const float *x, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto v = tt::load(x + i, i < n);
  tt::store(out + i, 0.5f * v * (1.0f + tt::erf(v * 0.70710678f)), i < n);
}

template <int BLOCK> __tile_global__ void dropout(const float *x, float *out, int n, float p, int seed) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto kept = tt::load(x + i, i < n) * (1.0f / (1.0f - p));
  tt::store(out + i, tt::where(tt::rand(seed, i) > p, kept, 0.0f), i < n);
}

template <int BLOCK> __tile_global__ void add_residual(const float *x, const float *residual, float *out, int n) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  tt::store(out + i, tt::load(x + i, i < n) + tt::load(residual + i, i < n), i < n);
}

#endif // EXAMPLES_42_FUSION_LAYER_H
