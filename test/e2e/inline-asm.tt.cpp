// Tests PTX in a kernel: on single elements, on packed elements, with several results. There is no CPU code for such a
// kernel, so compilation gives a warning, and a launch on the CPU an error.
// RUN: %tcc -O2 %s -o %t 2>&1 | FileCheck %s --check-prefix=WARNING
// RUN: not env TILECC_DEVICE=cpu %t 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: %emulate %t
// RUN: %emulate_at_random %t
// RUN: not %tcc -Werror=tile-cpu -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// WARNING: inline-asm.tt.cpp:[[#@LINE+7]]:{{.*}}: warning: the kernel has inline assembly, which is for GPUs: there is no code for the CPU [-Wtile-cpu]
// ERROR: error: the kernel has inline assembly, which is for GPUs: there is no code for the CPU [-Werror,-Wtile-cpu]
// CPU: was compiled without code for the CPU

#include "support/check.h"

template <int N, int W>
[[tt::num_warps(W)]] __tile_global__ void shifts(const int *x, int *shifted, int *sum, int *difference, const uint8_t *bytes,
                                                 uint8_t *inverted, const float *f, float *sines) {
  auto i = tt::arange<N>();
  auto v = tt::load(x + i);
  tt::store(shifted + i, tt::inline_asm_elementwise<"shl.b32 $0, $1, 3;", "=r,r", int>(v));
  auto [s, d] = tt::inline_asm_elementwise<"add.s32 $0, $2, $3; sub.s32 $1, $2, $3;", "=&r,=r,r,r", int, int>(
      tt::side_effects, v, 7);
  tt::store(sum + i, s);
  tt::store(difference + i, d);
  // Four bytes in one register.
  tt::store(inverted + i, tt::inline_asm_elementwise<"not.b32 $0, $1;", "=r,r", uint8_t>(tt::pack<4>, tt::load(bytes + i)));
  tt::store(sines + i, tt::inline_asm_elementwise<"sin.approx.f32 $0, $1;", "=f,f", float>(tt::load(f + i)));
}

template <int N, int W> void check() {
  e2e::context("%d, %d warps", N, W);
  e2e::buffer<int> x(N, [](int) { return int(e2e::between(-1000, 1000)); }), shifted(N), sum(N), difference(N);
  e2e::buffer<uint8_t> bytes(N, e2e::random<uint8_t>), inverted(N);
  e2e::buffer<float> f(N, e2e::random<float>), sines(N);
  shifts<N, W><<<1>>>(x.data(), shifted.data(), sum.data(), difference.data(), bytes.data(), inverted.data(), f.data(),
                      sines.data());
  shifted.expect([&](int i) { return int(unsigned(x[i]) << 3); });
  sum.expect([&](int i) { return x[i] + 7; });
  difference.expect([&](int i) { return x[i] - 7; });
  inverted.expect([&](int i) { return uint8_t(~bytes[i]); });
  sines.expect(e2e::tolerance{0, 1e-5}, [&](int i) { return std::sin(double(f[i])); });
}

int main() {
  return e2e::run("inline-asm", [] {
    check<32, 1>();
    check<512, 4>();
    check<128, 8>();
  });
}
