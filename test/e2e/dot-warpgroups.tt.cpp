// Tests dots by warp groups on sm_90: every type, operands by rows and by columns, one and two groups along rows and
// columns, narrow tiles (with narrow swizzles), left operands in registers, and loops of all lengths.
// RUN: %tcc -O2 -arch=compute_90a %s -o %t && grep -c wgmma.mma_async %t | FileCheck %s --check-prefix=WGMMA
// RUN: %emulate %t
// RUN: %emulate_at_random %t
// RUN: env TILECC_DEVICE=cpu %t
// WGMMA: {{^[1-9][0-9][0-9]}}

#include "support/dot.h"

using tt::bfloat16;
using tt::float16;
using tt::precision;

// out = a b in tiles along K. Functor: what is done to a tile of a, which then stays in registers.
struct nothing {
  __tile__ auto operator()(auto x) const { return x; }
};
struct doubled {
  __tile__ auto operator()(auto x) const { return x + x; }
};

template <class T, class R, int M, int N, int K, int W, int STAGES, bool TransA, bool TransB, class F, int Imprecise>
[[tt::num_warps(W), tt::num_stages(STAGES)]] __tile_global__ void dot_loop(const T *a, const T *b, R *out, int k_all) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto acc = tt::zeros<R, M, N>();
  for (int first = 0; first < k_all; first += K) {
    auto k = first + tt::arange<K>();
    auto rest = k < k_all;
    auto pa = a + (TransA ? m(tt::all, tt::newaxis) + k(tt::newaxis, tt::all) * M
                          : m(tt::all, tt::newaxis) * k_all + k(tt::newaxis, tt::all));
    auto pb = b + (TransB ? k(tt::all, tt::newaxis) + n(tt::newaxis, tt::all) * k_all
                          : k(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all));
    acc = tt::dot<precision::tf32, Imprecise>(F()(tt::load(pa, rest(tt::newaxis, tt::all), 0)), tt::load(pb, rest(tt::all, tt::newaxis), 0), acc);
  }
  tt::store(out + m(tt::all, tt::newaxis) * N + n(tt::newaxis, tt::all), acc);
}

template <class T, class R, int M, int N, int K, int W, int STAGES = 3, bool TransA = false, bool TransB = false,
          class F = nothing, int Imprecise = 0>
void check_loop(int k_all) {
  e2e::context("%s -> %s, %d x %d, %d of %d at a time, %d warps, %d stages%s%s%s", e2e::name_of<T>, e2e::name_of<R>, M, N, K,
               k_all, W, STAGES, TransA ? ", a by columns" : "", TransB ? ", b by columns" : "",
               std::is_same_v<F, doubled> ? ", a doubled" : "");
  e2e::buffer<T> a(M * k_all, e2e::random<T>), b(k_all * N, e2e::random<T>);
  e2e::buffer<R> out(M * N, [](int) { return R(-77); });
  dot_loop<T, R, M, N, K, W, STAGES, TransA, TransB, F, Imprecise><<<1>>>(a.data(), b.data(), out.data(), k_all);
  out.expect_if([&](int i, R got) {
    int m = i / N, n = i % N;
    sum<T, R> want;
    for (int k = 0; k < k_all; ++k) {
      T left = a[TransA ? k * M + m : m * k_all + k];
      if (std::is_same_v<F, doubled>)
        left = T(left + left);
      want.add(double(left) * double(b[TransB ? n * k_all + k : k * N + n]));
    }
    return want.accepts(got, k_all, precision::tf32);
  });
}

template <class T, int M, int N, int K, int W> void check_orders() {
  check_tile<T, T, float, M, N, K, W, precision::ieee, 0, false, false>();
  check_tile<T, T, float, M, N, K, W, precision::ieee, 0, false, true>();
  check_tile<T, T, float, M, N, K, W, precision::ieee, 0, true, false>();
  check_tile<T, T, float, M, N, K, W, precision::ieee, 0, true, true>();
}

int main() {
  return e2e::run("dot-warpgroups", [] {
    // Boxes of 128, 64 and 32 bytes, whole and in parts, in both orders of both operands.
    check_orders<float16, 64, 64, 64, 4>();
    check_orders<bfloat16, 64, 16, 32, 4>();
    check_orders<float16, 64, 32, 16, 4>();
    check_orders<bfloat16, 128, 128, 32, 4>();
    check_orders<float16, 128, 64, 128, 8>();
    // Warp groups along the columns, and along both.
    check_orders<float16, 64, 128, 64, 8>();
    check_orders<bfloat16, 128, 128, 16, 16>();
    check_tile<float16, float16, float, 64, 256, 32, 4>();
    check_tile<float16, float16, float, 256, 64, 32, 8>();
    // 16-bit results are f32 accumulators that are rounded once.
    check_tile<float16, float16, float16, 64, 64, 64, 4>();
    check_tile<bfloat16, bfloat16, bfloat16, 64, 32, 64, 4>();
    // The other types, whose operands are contiguous along the contracted axis.
    check_tile<float, float, float, 64, 64, 32, 4, precision::tf32, 0, false, true>();
    check_tile<float, float, float, 128, 32, 8, 8, precision::tf32, 0, false, true>();
    check_tile<int8_t, int8_t, int, 64, 64, 64, 4, precision::ieee, 0, false, true>();
    check_tile<int8_t, int8_t, int, 128, 16, 128, 8, precision::ieee, 0, false, true>();
    check_tile<tt::float8_e4m3fn, tt::float8_e4m3fn, float, 64, 64, 64, 4, precision::ieee, 0, false, true>();
    check_tile<tt::float8_e4m3fn, tt::float8_e5m2, float, 64, 32, 128, 4, precision::ieee, 0, false, true>();
    // Partial sums of 8-bit floats, with and without an accumulator, and left operands from registers.
    check_tile<tt::float8_e4m3fn, tt::float8_e4m3fn, float, 64, 64, 128, 4, precision::ieee, 32, false, true>();
    check_tile<tt::float8_e5m2, tt::float8_e4m3fn, float, 128, 32, 128, 8, precision::ieee, 64, false, true>();
    for (int k : {0, 64, 200, 448}) {
      check_loop<tt::float8_e4m3fn, float, 64, 64, 128, 4, 3, false, true, nothing, 64>(k);
      check_loop<tt::float8_e4m3fn, float, 128, 64, 64, 8, 3, false, true, nothing, 64>(k);
    }
    // Loops: fewer iterations than stages, none, and many; masked at the end.
    for (int k : {0, 16, 64, 200, 448}) {
      check_loop<float16, float, 64, 64, 64, 4, 1>(k);
      check_loop<float16, float, 64, 64, 64, 4, 2>(k);
      check_loop<bfloat16, float, 128, 64, 32, 8, 3>(k);
      check_loop<bfloat16, float, 64, 128, 64, 8, 4, false, true>(k);
      check_loop<float16, float, 64, 64, 32, 4, 3, true, false>(k);
      check_loop<float16, float, 64, 64, 32, 4, 3, false, false, doubled>(k);
      check_loop<int8_t, int, 64, 64, 64, 4, 3, false, true>(k);
      check_loop<float, float, 64, 32, 32, 4, 3, false, true>(k);
      // The transposed product, whose left operand goes from shared memory to registers.
      check_loop<float, float, 64, 64, 32, 4, 3>(k);
      check_loop<float, float, 32, 128, 16, 8, 4>(k);
      check_loop<int8_t, int, 64, 128, 64, 4, 3>(k);
      check_loop<tt::float8_e5m2, float, 16, 64, 128, 4, 3>(k);
    }
  });
}
