// Kernels that run.py runs in the emulator of AMD's GPUs; run.py also computes their results.
#include <tilecc/tt.h>

__tile_global__ void add(const float *x, const float *y, float *out, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto mask = i < n;
  tt::store(out + i, tt::load(x + i, mask) + tt::load(y + i, mask, 7.0f), mask);
}

__tile_global__ void softmax(const float *x, float *out) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto v = tt::load(x + i);
  auto e = tt::exp(v - tt::max(v));
  tt::store(out + i, e / tt::sum(e));
}

template <class T> __tile_global__ void multiply(const T *a, const T *b, float *c) {
  auto m = tt::arange<64>();
  auto k = tt::arange<32>();
  auto x = tt::load(a + (tt::expand_dims<1>(m) * 32 + tt::expand_dims<0>(k)));
  auto y = tt::load(b + (tt::expand_dims<1>(k) * 64 + tt::expand_dims<0>(m)));
  auto sums = tt::dot<tt::precision::ieee>(x, y, tt::zeros<float, 64, 64>());
  tt::store(c + (tt::expand_dims<1>(m) * 64 + tt::expand_dims<0>(m)), sums);
}
template __tile_global__ void multiply<float>(const float *, const float *, float *);
template __tile_global__ void multiply<tt::float16>(const tt::float16 *, const tt::float16 *, float *);
template __tile_global__ void multiply<tt::bfloat16>(const tt::bfloat16 *, const tt::bfloat16 *, float *);

__tile_global__ void transpose(const int *x, int *out) {
  auto i = tt::arange<64>();
  auto at = tt::expand_dims<1>(i) * 64 + tt::expand_dims<0>(i);
  tt::store(out + at, tt::trans(tt::load(x + at)));
}

__tile_global__ void running_sums(const int *x, int *out) {
  auto i = tt::arange<1024>();
  tt::store(out + i, tt::cumsum<0>(tt::load(x + i)));
}

__tile_global__ void ordered(const int *x, int *out) {
  auto i = tt::arange<512>();
  tt::store(out + i, tt::sort(tt::load(x + i)));
}

__tile_global__ void totals(const int *x, int *sum, float *sums, int *largest) {
  auto i = tt::arange<256>();
  auto v = tt::load(x + tt::program_id(0) * 256 + i);
  tt::atomic_add(sum, tt::sum(v));
  tt::atomic_add(sums + i % 16, v.to<float>());
  tt::atomic_max(largest, tt::max(v));
}

[[tt::num_warps(4)]] __tile_global__ void grid(int *out) {
  int number = tt::program_id(0) + tt::num_programs(0) * tt::program_id(1);
  tt::store(out + number, number * 100 + tt::num_programs(0) * 10 + tt::num_programs(1));
}
