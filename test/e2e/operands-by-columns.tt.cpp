// Tests dots whose operands are stored by rows and by columns, of 16- and 8-bit floats. Each launch has one program, so
// that several thread blocks may share a loop with enough iterations; all blocks but the first end after the loop.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %emulate %t
// The same in tensor memory, where descriptors transpose the operands.
// RUN: rm -rf %t.blackwell && mkdir %t.blackwell
// RUN: bash %S/Inputs/on-blackwell.sh %S %t.blackwell "%tcc -O1 --cpu-level=2 -arch=compute_100a" %seed operands-by-columns

#include "support/check.h"

template <class T, bool AByColumns, bool BByColumns, int M, int N, int K, bool Producers>
__tile_global__ void multiply(const T *a, const T *b, float *c, int depth) {
  auto m = tt::arange<M>();
  auto n = tt::arange<N>();
  auto acc = tt::zeros<float, M, N>();
  for (int i : tt::range(0, depth, K).warp_specialize(Producers)) {
    auto k = i + tt::arange<K>();
    auto x = tt::load(AByColumns ? a + (k.row() * M + m.col()) : a + (m.col() * depth + k.row()));
    auto y = tt::load(BByColumns ? b + (n.row() * depth + k.col()) : b + (k.col() * N + n.row()));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + m.col() * N + n.row(), acc);
}

template <class T, bool AByColumns, bool BByColumns, int M, int N, int K, bool Producers = true> void check(int depth) {
  e2e::context("%d bits, a by columns: %d, b by columns: %d, tiles of %dx%dx%d, depth %d", int(8 * sizeof(T)), AByColumns, BByColumns, M, N,
               K, depth);
  auto small = [](int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); };
  e2e::buffer<T> a(M * depth, small), b(N * depth, small);
  e2e::buffer<float> c(M * N);
  multiply<T, AByColumns, BByColumns, M, N, K, Producers><<<1>>>(a.data(), b.data(), c.data(), depth);
  c.expect(e2e::tolerance{1, 1e-3}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += double(float(AByColumns ? a[k * M + i / N] : a[i / N * depth + k])) * double(float(BByColumns ? b[i % N * depth + k] : b[k * N + i % N]));
    return sum;
  });
}

int main() {
  return e2e::run("operands_by_columns", [] {
    using tt::bfloat16, tt::float8_e4m3fn, tt::float8_e5m2;
    check<bfloat16, false, false, 128, 64, 64>(192);
    check<bfloat16, true, true, 128, 64, 64>(192);
    check<float8_e4m3fn, false, false, 128, 128, 64>(256);
    check<float8_e4m3fn, false, true, 128, 64, 128>(256);
    check<float8_e5m2, true, false, 128, 64, 64>(192);
    check<float8_e4m3fn, true, true, 64, 64, 64>(128);
    check<float8_e4m3fn, true, false, 128, 256, 32>(96);
    // As many iterations as several blocks share.
    check<bfloat16, false, false, 128, 64, 128>(2176);
    check<float8_e4m3fn, false, false, 128, 64, 128>(4224);
    check<bfloat16, false, false, 128, 64, 128, false>(2176);
  });
}
