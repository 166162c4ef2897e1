// Kernels that are called by one kernel must give the same bits as separate launches, whether or not values between
// them stay in registers.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// RUN: %tcc -O2 -arch=compute_90 --emit=ptx '--kernel=fused<256>' %s -o - | FileCheck %s
// CHECK-COUNT-1: st.global
// CHECK-NOT: st.global

#include "support/check.h"

template <int N> __tile_global__ void bias(const float *x, const float *b, float *y, int n) {
  auto i = tt::program_id(0) * N + tt::arange<N>();
  tt::store(y + i, tt::load(x + i, i < n) * tt::load(b + i, i < n), i < n);
}
template <int N> __tile_global__ void gelu(const float *x, float *y, int n) {
  auto i = tt::program_id(0) * N + tt::arange<N>();
  auto v = tt::load(x + i, i < n);
  tt::store(y + i, v * 0.5f * (1.0f + tt::erf(v * 0.70710678f)), i < n);
}
template <int N> __tile_global__ void residual(const float *x, const float *z, float *y, int n) {
  auto i = tt::program_id(0) * N + tt::arange<N>();
  tt::store(y + i, tt::load(x + i, i < n, 7.0f) + tt::load(z + i, i < n), i < n);
}
// t and u are the kernel's own.
template <int N>
__tile_global__ void fused(const float *x, const float *b, const float *z, float *t [[tt::temporary]],
                           float *u [[tt::temporary]], float *y, int n) {
  tt::call<bias<N>>(x, b, t, n);
  tt::call<gelu<N>>(t, u, n);
  tt::call<residual<N>>(u, z, y, n);
}
// Here they may alias: each other, or z.
template <int N>
__tile_global__ void chained(const float *x, const float *b, const float *z, float *t, float *u, float *y, int n) {
  tt::call<bias<N>>(x, b, t, n);
  tt::call<gelu<N>>(t, u, n);
  tt::call<residual<N>>(t, z, y, n);
}

int main() {
  return e2e::run("kernel-calls", [] {
    for (int n : e2e::edges(256)) {
      e2e::context("n = %d", n);
      e2e::buffer<float> x(n, e2e::random<float>), b(n, e2e::random<float>), z(n, e2e::random<float>);
      int grid = tt::cdiv(n, 256);
      e2e::buffer<float> t(n), u(n), v(n), y(n);
      bias<256><<<grid>>>(x.data(), b.data(), t.data(), n);
      gelu<256><<<grid>>>(t.data(), u.data(), n);
      residual<256><<<grid>>>(u.data(), z.data(), v.data(), n);
      fused<256><<<grid>>>(x.data(), b.data(), z.data(), nullptr, nullptr, y.data(), n);
      v.fetch();
      y.expect([&](int i) { return v.after(i); });

      // In place: the chain's first result is overwritten by its second.
      e2e::buffer<float> s(n), w(n);
      bias<256><<<grid>>>(x.data(), b.data(), s.data(), n);
      gelu<256><<<grid>>>(s.data(), s.data(), n);
      residual<256><<<grid>>>(s.data(), z.data(), w.data(), n);
      w.fetch();
      e2e::buffer<float> same(n), out(n);
      chained<256><<<grid>>>(x.data(), b.data(), z.data(), same.data(), same.data(), out.data(), n);
      out.expect([&](int i) { return w.after(i); });
    }
  });
}
