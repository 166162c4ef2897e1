// Tests reductions of a matrix along either axis or of all elements, and reductions of their results.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/check.h"

// Along each axis, and of everything; of real numbers, whose sums are rounded in an order of the target's choice.
template <int M, int N> __tile_global__ void axes(const float *x, float *by_row, float *by_column, float *all) {
  auto r = tt::arange<M>()(tt::all, tt::newaxis);
  auto c = tt::arange<N>()(tt::newaxis, tt::all);
  auto v = tt::load(x + r * N + c);
  tt::store(by_row + tt::arange<M>(), tt::sum<1>(v));
  tt::store(by_row + M + tt::arange<M>(), tt::max<1>(v));
  tt::store(by_row + 2 * M + tt::arange<M>(), tt::min<-1>(v));
  tt::store(by_column + tt::arange<N>(), tt::sum<0>(v));
  tt::store(by_column + N + tt::arange<N>(), tt::max<0>(v));
  tt::store(by_column + 2 * N + tt::arange<N>(), tt::min<-2>(v));
  tt::store(all, tt::sum(v));
  tt::store(all + 1, tt::max(v));
  tt::store(all + 2, tt::min(v));
  tt::store(all + 3, tt::sum(tt::max<1>(v))); // a reduction of a reduction
}

template <int M, int N> void check() {
  e2e::context("%d x %d", M, N);
  e2e::buffer<float> x(M * N, e2e::random<float>), by_row(3 * M), by_column(3 * N), all(4);
  axes<M, N><<<1>>>(x.data(), by_row.data(), by_column.data(), all.data());
  // Reduces `count` elements `stride` apart: 0 adds, 1 is the largest, 2 the smallest.
  auto reduced = [&](int kind, int first, int count, int stride) {
    double result = kind == 0 ? 0 : x[first];
    for (int i = 0; i < count; ++i) {
      double v = x[first + i * stride];
      result = kind == 0 ? result + v : kind == 1 ? std::fmax(result, v) : std::fmin(result, v);
    }
    return result;
  };
  auto allowed = [](int count) { return e2e::tolerance{1, 4 * count * 0x1p-24 * std::log2(count + 2)}; };
  by_row.expect(allowed(N), [&](int i) { return reduced(i / M, i % M * N, N, 1); });
  by_column.expect(allowed(M), [&](int i) { return reduced(i / N, i % N, M, N); });
  all.expect(allowed(M * N), [&](int i) {
    if (i < 3)
      return reduced(i, 0, M * N, 1);
    double sum = 0;
    for (int r = 0; r < M; ++r)
      sum += reduced(1, r * N, N, 1);
    return sum;
  });
}

int main() {
  return e2e::run("reduce-axes", [] {
    check<1, 64>();
    check<64, 1>();
    check<16, 16>();
    check<4, 256>();
    check<128, 4>();
    check<32, 64>();
  });
}
