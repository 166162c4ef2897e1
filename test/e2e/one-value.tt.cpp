// A value that the language treats as one must have the same bits in every thread with a copy: in a sum of products
// that two halves of a warp exchange, neither half may contract its own product to an FMA.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %tcc -O0 --cpu-level=3 -arch=compute_80 --cuda-path=none -fcheck-replicas %s -o %t.checked && %emulate %t.checked

#include "support/check.h"

// If the halves disagree about the sign of s, they disagree about the branch.
[[tt::num_warps(1)]] __tile_global__ void branch(const float *x, const float *y, float *out) {
  auto i = tt::arange<32>();
  float s = tt::sum(tt::load(x + i * 3) * tt::load(y + i * 3));
  if (s > 0)
    out[0] = tt::sum(tt::load(x + i) + s);
  tt::store(out + 1 + i, s + tt::zeros<float, 32>());
}

template <int N, int W> [[tt::num_warps(W)]] __tile_global__ void rows(const float *x, const float *y, float *out) {
  auto at = tt::arange<N>()(tt::all, tt::newaxis) * 64 + tt::arange<64>()(tt::newaxis, tt::all);
  auto s = tt::sum<1>(tt::load(x + at) * tt::load(y + at));
  tt::store(out + at, s(tt::all, tt::newaxis) + tt::zeros<float, N, 64>());
}

template <int N, int W> void check_rows() {
  e2e::context("%d rows, %d warps", N, W);
  e2e::buffer<float> x(N * 64, e2e::random<float>), y(N * 64, e2e::random<float>), out(N * 64, e2e::random<float>);
  rows<N, W><<<1>>>(x.data(), y.data(), out.data());
  float first = 0;
  out.expect_if([&](int i, float got) {
    first = i % 64 == 0 ? got : first;
    return got == first;
  });
}

int main() {
  return e2e::run("one-value", [] {
    // Two products that cancel except for rounding errors, which may be zero or not, but are the same everywhere.
    const float one = 1 + 0x1p-12f;
    e2e::buffer<float> x(96, [&](int i) { return i == 0 || i == 48 ? one : 0; });
    e2e::buffer<float> y(96, [&](int i) { return i == 0 ? one : i == 48 ? -one : 0; });
    e2e::buffer<float> out(33, [](int) { return 5.0f; });
    branch<<<1>>>(x.data(), y.data(), out.data());
    float branched = 0, s = 0;
    out.expect_if([&](int i, float got) {
      if (i == 0)
        branched = got;
      s = i == 1 ? got : s;
      return i == 0 || (got == s && (s > 0 ? std::fabs(branched - (one + 32 * s)) < 1e-5 : branched == 5));
    });
    check_rows<4, 1>();
    check_rows<16, 4>();
    check_rows<64, 8>();
  });
}
