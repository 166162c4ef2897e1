// Tests tiles of 1 to 65536 elements, many of them smaller than a block's number of threads, and many far larger.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

template <int B, int Warps> [[tt::num_warps(Warps)]] __tile_global__ void whole(const float *x, float *out) {
  auto i = tt::arange<B>();
  tt::store(out + i, tt::load(x + i) * 2.0f + i);
}

template <int B, int Warps = 4> void check() {
  e2e::context("one tile of %d", B);
  e2e::buffer<float> x(B, [](int) { return float(e2e::between(-100, 100)); }), out(B);
  whole<B, Warps><<<1>>>(x.data(), out.data());
  out.expect([&](int i) { return x[i] * 2 + i; });
}

int main() {
  return e2e::run("tile-sizes", [] {
    check<1>();
    check<2>();
    check<64>();
    check<1024>();
    check<8192>();
    check<65536, 32>();
  });
}
