#include <tilecc/tt.h>

// Every operation of TTIR that moves elements.
extern "C" __tile_global__ void movement(const float *x, float *out, int *counts) {
  auto i = tt::arange<256>();
  auto a = tt::load(x + i), b = tt::load(x + 256 + i);
  auto m = tt::trans(tt::reshape<16, 16>(a));
  tt::store(out + i, tt::ravel(m) + tt::flip(b));
  auto [left, right] = tt::split(tt::reshape<128, 2>(b));
  tt::store(out + i, tt::cat(right, left));
  tt::store(out + tt::arange<512>(), tt::cat(a, b, tt::can_reorder));
  tt::store(out + tt::arange<512>(), tt::interleave(a, b));
  auto [p, q] = tt::split(tt::join(x[0], x[1]));
  auto n = tt::gather<0>(a, i * 3 % 256).to<int>();
  tt::store(counts + tt::arange<32>(), tt::histogram<32>(n, n > 3));
  out[0] = p + q;
}

extern "C" __tile_global__ void sort(const float *x, float *out) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + i);
  tt::store(out + i, tt::sort(v));
  tt::store(out + tt::arange<8>(), tt::topk<8>(v));
}
