// Products of few tiles with many iterations, such as the gradients of weights: several clusters run each program, and
// add up their sums in memory that belongs to the launch (targets/nvidia/hopper/SplitIterations.cpp). The emulator has
// a multiprocessor for each of its threads: 32, so that up to four clusters of eight blocks run a program.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 -arch=compute_90a %s -o %t.90
// RUN: env TILECC_NUM_THREADS=32 TILECC_EMU_PROFILE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=PROFILE < %t.json
// RUN: env TILECC_NUM_THREADS=32 %emulate_at_random %t.90
// RUN: env TILECC_NUM_THREADS=6 %emulate %t.90
// PROFILE: $a8_few

#include "support/check.h"

using T = tt::bfloat16;

/// C = A^T B, of matrices with K rows. A grid of rows and columns of tiles.
template <int BM, int BN, int BK>
[[tt::num_stages(3)]] __tile_global__ void gram(const T *a, const T *b, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (k.row() * M + m.col()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <int BM, int BN, int BK> static void check(int M, int N, int K) {
  e2e::context("%dx%dx%d", M, N, K);
  e2e::buffer<T> a(K * M, small), b(K * N, small);
  e2e::buffer<float> c(M * N);
  for (int launch = 0; launch < 2; ++launch) { // the second one uses the memory of the first
    gram<BM, BN, BK><<<dim3(tt::cdiv(M, BM), tt::cdiv(N, BN))>>>(a.data(), b.data(), c.data(), M, N, K);
    c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
      double sum = 0;
      for (int k = 0; k < K; ++k)
        sum += double(float(a[k * M + i / N])) * double(float(b[k * N + i % N]));
      return sum;
    });
  }
}

int main() {
  return e2e::run("split-clusters", [] {
    check<64, 32, 64>(64, 32, 16384); // two of four clusters have iterations
    check<64, 32, 64>(72, 24, 12000); // two programs, and rows and columns that do not exist
    check<64, 32, 64>(64, 32, 1000); // one part
  });
}
