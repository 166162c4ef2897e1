// Tests dots of both 8-bit floats: on matrix units that support them (sm_89 and later), as f16 on earlier units, and on
// the CPU; with partial sums; exact dots of small numbers; and a dot in a pipelined loop.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t
// RUN: %tcc -O2 -gencode arch=compute_80,code=compute_80 %s -o %t.80 && env TILECC_DEVICE=emu:sm_80 %t.80

#include "support/dot.h"
#include "support/float8.h"

using e4m3 = tt::float8_e4m3fn;
using e5m2 = tt::float8_e5m2;
using tt::float16;
using tt::precision;

constexpr int M = 32, N = 32, K = 64;

// out = a b for any K, with a masked last iteration. Each 64 elements are scaled by a number of their own, like
// block-scaled weights.
template <int Imprecise, class A, class B>
__tile_global__ void scaled_product(const A *a, const B *b, const float *scales, float *out, int depth) {
  auto m = tt::arange<M>()(tt::all, tt::newaxis);
  auto n = tt::arange<N>()(tt::newaxis, tt::all);
  auto k = tt::arange<K>();
  auto acc = tt::zeros<float, M, N>();
  for (int first : tt::range(0, depth, K).num_stages(3)) {
    auto row = k(tt::newaxis, tt::all);
    auto column = k(tt::all, tt::newaxis);
    auto x = tt::load(a + m * depth + (first + row), row < depth - first, A(0));
    auto y = tt::load(b + (first + column) * N + n, column < depth - first, B(0));
    acc += tt::dot<precision::ieee, Imprecise>(x, y) * scales[first / K];
  }
  tt::store(out + m * N + n, acc);
}

template <class A, class B, int Imprecise = 0> void check_scaled() {
  for (int depth : {64, 192, 200}) {
    e2e::context("%s x %s, depth %d, scaled", e2e::name_of<A>, e2e::name_of<B>, depth);
    // Sums are exact: any other result is wrong.
    e2e::buffer<A> a(M * depth, [](int) { return A(e2e::between(-4, 4)); });
    e2e::buffer<B> b(depth * N, [](int) { return B(e2e::between(-4, 4)); });
    e2e::buffer<float> scales(4, [](int) { return std::ldexp(1.0f, int(e2e::between(-2, 2))); }), out(M * N);
    scaled_product<Imprecise><<<1>>>(a.data(), b.data(), scales.data(), out.data(), depth);
    out.expect_value([&](int i) {
      double sum = 0;
      for (int k = 0; k < depth; ++k)
        sum += double(a[i / N * depth + k]) * double(b[k * N + i % N]) * scales[k / K];
      return float(sum);
    });
  }
}

int main() {
  return e2e::run("dot-float8", [] {
    check_tile<e4m3, e4m3, float, 16, 16, 32, 1>();
    check_tile<e4m3, e5m2, float, 32, 32, 32, 4>();
    check_tile<e5m2, e4m3, float, 64, 32, 64, 4>();
    check_tile<e5m2, e5m2, float, 32, 16, 128, 2>();
    check_tile<e4m3, e4m3, float, 32, 32, 64, 16>();
    check_tile<e4m3, e4m3, float16, 32, 32, 32, 4>();
    check_tile<e5m2, e5m2, float, 32, 32, 128, 4, precision::ieee, 32>();
    check_tile<e4m3, e4m3, float, 32, 32, 128, 4, precision::ieee, 64>();
    check_tile<e4m3, e4m3, float, 32, 32, 64, 4, precision::ieee, 0, true, false>();
    check_tile<e5m2, e4m3, float, 32, 32, 64, 4, precision::ieee, 0, true, true>();
    check_tile<e4m3, e4m3, double, 16, 16, 32, 4>();
    // Less than one instruction.
    check_tile<e4m3, e4m3, float, 16, 16, 16, 4>();
    check_tile<e5m2, e5m2, float, 4, 8, 32, 1>();
    check_tile<e4m3, e5m2, float, 16, 16, 4, 4>();
    check_batches<e4m3, float, 4, 16, 16, 32>();
    check_scaled<e4m3, e4m3>();
    check_scaled<e4m3, e5m2>();
    check_scaled<e5m2, e5m2, 32>();
  });
}
