// Each launch of a chain reads what the launch before it has written, also what other blocks have written. From sm_90 on
// a launch begins before the one before it has ended, and waits for it (targets/nvidia/hopper/OverlapLaunches.cpp). On a
// GPU, run this with a larger size and more launches: `overlapping-launches 4096 500`.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %tcc -O1 -arch=compute_90a --emit=llvm --kernel=shift %s | FileCheck %s

#include "support/check.h"

using T = tt::bfloat16;

// CHECK-LABEL: define ptx_kernel void @"_Z5shift
// CHECK-NOT: ld.global
// CHECK-NOT: st.global
// CHECK: griddepcontrol.wait
// CHECK: ld.global
__tile_global__ void shift(const int *x, int *out, int n, int distance) {
  auto i = tt::program_id(0) * 256 + tt::arange<256>();
  auto from = i + distance;
  from = tt::where(from < n, from, from - n);
  tt::store(out + i, tt::load(x + from, i < n) + 1, i < n);
}

__tile_global__ void sum_rows(const int *x, int *sums, int columns) {
  int row = tt::program_id(0), sum = 0;
  for (int from = 0; from < columns; from += 256) {
    auto i = from + tt::arange<256>();
    sum += tt::sum(tt::load(x + row * columns + i, i < columns));
  }
  sums[row] = sum;
}

template <int BM, int BN, int BK> __tile_global__ void multiply(const T *a, const T *b, T *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc.template to<T>(), (m < M).col() && (n < N).row());
}

/// Numbers go around in a circle, and each launch adds 1.
static void checkShifts(int n, int launches) {
  e2e::context("shifts of %d, %d launches", n, launches);
  e2e::buffer<int> x(n, [](int i) { return i; }), y(n), sums(n / 256);
  for (int i = 0; i < launches; ++i)
    shift<<<tt::cdiv(n, 256)>>>(i % 2 ? y.data() : x.data(), i % 2 ? x.data() : y.data(), n, n / 3);
  sum_rows<<<n / 256>>>(launches % 2 ? y.data() : x.data(), sums.data(), 256);
  sums.expect([&](int row) {
    int sum = 0;
    for (int i = row * 256; i < (row + 1) * 256; ++i)
      sum += int((i + int64_t(launches) * (n / 3)) % n) + launches;
    return sum;
  });
}

/// Products with a permutation, which moves column j to column (j + 1) % n. Some launches have two parts
/// (NumberPrograms.cpp), clusters or persistent blocks.
template <int BM, int BN> static void checkProducts(int m, int n, int launches) {
  e2e::context("products of %dx%d in tiles of %dx%d, %d launches", m, n, BM, BN, launches);
  auto start = [&](int i) { return T((i / n * 7 + i % n) % 251); };
  e2e::buffer<T> x(m * n, start), y(m * n), p(n * n, [&](int i) { return T((i / n + 1) % n == i % n); });
  for (int i = 0; i < launches; ++i)
    multiply<BM, BN, 32><<<dim3(tt::cdiv(m, BM), tt::cdiv(n, BN))>>>(i % 2 ? y.data() : x.data(), p.data(),
                                                                      i % 2 ? x.data() : y.data(), m, n, n);
  (launches % 2 ? y : x).expect([&](int i) { return start(i / n * n + (i % n + n - launches % n) % n); });
}

int main(int argc, char **argv) {
  return e2e::run("overlapping-launches", [&] {
    const int size = argc > 1 ? std::atoi(argv[1]) : 128, launches = argc > 2 ? std::atoi(argv[2]) : 5;
    checkShifts(size * 256, launches);
    checkProducts<64, 64>(size / 2, size / 2, launches);
    checkProducts<128, 64>(size, size / 2, launches);
    checkProducts<128, 128>(size + 64, size, launches);
  });
}
