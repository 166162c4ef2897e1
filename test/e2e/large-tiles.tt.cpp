// Tests matrix multiplications in tiles so large that a multiprocessor runs only one block. A block computes several
// tiles one after the other, and producer warps run ahead to the next tile
// (targets/nvidia/hopper/PersistentPrograms.cpp). The emulator has a multiprocessor for each of its threads. Loops have
// no iteration, fewer iterations than stages, or more. Grids have one or two axes. One epilogue loads.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90
// RUN: env TILECC_NUM_THREADS=3 %emulate %t.90
// RUN: env TILECC_NUM_THREADS=2 %emulate_at_random %t.90
// RUN: %tcc -O1 -arch=sm_90 --tensor-maps=true --emit=ttgir --variant=a8 %s | FileCheck %s
// CHECK: tt.func public {{.*}}Li128ELi256ELi64E{{.*}}ttng.persistent
// CHECK: ttg.warp_specialize
// With short steps, there must be no producers, because warps would wait for them too often.
// CHECK: tt.func public {{.*}}Li128ELi256ELi32E
// CHECK-NOT: ttng.persistent
// CHECK-NOT: ttg.warp_specialize
// CHECK: tt.func public {{.*}}Li256ELi128ELi64E{{.*}}ttng.persistent
// CHECK: ttg.warp_specialize
// CHECK: tt.func public {{.*}}sum{{.*}}ttng.persistent
// CHECK: ttg.warp_specialize
// CHECK: tt.func public {{.*}}experts
// CHECK-NOT: ttng.persistent
// CHECK-NOT: ttg.warp_specialize

#include "support/check.h"

using T = tt::bfloat16;

/// C = A B in groups of two rows of tiles, as in Triton's tutorial.
template <int BM, int BN, int BK>
[[tt::num_warps(8)]] __tile_global__ void groups(const T *a, const T *b, float *c, int M, int N, int K) {
  int columns = tt::cdiv(N, BN), rows = tt::cdiv(M, BM), group = tt::program_id(0) / (2 * columns);
  int size = tt::minimum(rows - 2 * group, 2), inside = tt::program_id(0) % (2 * columns);
  auto m = (2 * group + inside % size) * BM + tt::arange<BM>();
  auto n = inside / size * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// C = |A B + bias| in a grid of two axes; the source asks for two stages.
template <int BM, int BN, int BK>
[[tt::num_warps(8), tt::num_stages(2)]] __tile_global__ void grid(const T *a, const T *b, const float *bias, float *c, int M, int N,
                                                                  int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + (m.col() * K + k.row());
  auto pb = b + (k.col() * N + n.row());
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(pa, (m < M).col() && k.row() < K - i, T(0));
    acc = tt::dot(x, tt::load(pb, k.col() < K - i && (n < N).row(), T(0)), acc);
    pa += BK;
    pb += BK * N;
  }
  auto start = tt::load(bias + n, n < N, 0.0f);
  tt::store(c + (m.col() * N + n.row()), tt::abs(acc + start.row()), (m < M).col() && (n < N).row());
}

/// C = A B + D E: two loops.
template <int BM, int BN, int BK>
[[tt::num_warps(8)]] __tile_global__ void sum(const T *a, const T *b, const T *d, const T *e, float *c, int M, int N, int K, int L) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  for (int i = 0; i < L; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(d + (m.col() * L + k.row()), (m < M).col() && (k < L).row(), T(0));
    acc = tt::dot(x, tt::load(e + (k.col() * N + n.row()), (k < L).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// Tokens of experts: tables say which rows and which weights a program multiplies, so producers cannot run ahead.
template <int BM, int BN, int BK>
[[tt::num_warps(8)]] __tile_global__ void experts(const T *a, const T *b, float *c, const int *expert, const int *first, int N, int K) {
  int e = tt::load(expert + tt::program_id(0)), row = tt::load(first + tt::program_id(0));
  int end = tt::load(first + tt::program_id(0) + 1);
  auto m = row + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < end).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (e * K * N + k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < end).col() && (n < N).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <class Launch> static void check(const char *name, bool hasBias, int M, int N, int K, Launch launch) {
  e2e::context("%s: %dx%dx%d", name, M, N, K);
  e2e::buffer<T> a(M * K + 1, small), b(K * N + 1, small);
  e2e::buffer<float> c(M * N), bias(N, [](int i) { return float(i % 7) - 3; });
  launch(a.data(), b.data(), bias.data(), c.data());
  c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    double sum = hasBias ? bias[i % N] : 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return hasBias ? (sum < 0 ? -sum : sum) : sum;
  });
}

int main() {
  return e2e::run("large-tiles", [] {
    for (int K : {0, 24, 64, 328}) {
      check("128x256x64", false, 648, 264, K, [&](T *a, T *b, float *, float *c) {
        groups<128, 256, 64><<<unsigned(tt::cdiv(648, 128) * tt::cdiv(264, 256))>>>(a, b, c, 648, 264, K);
      });
      check("256x128x64, with an epilogue", true, 520, 264, K, [&](T *a, T *b, float *bias, float *c) {
        grid<256, 128, 64><<<dim3(tt::cdiv(520, 256), tt::cdiv(264, 128))>>>(a, b, bias, c, 520, 264, K);
      });
    }
    for (int K : {0, 72, 328}) {
      const int M = 520, N = 264, L = 136;
      e2e::context("two loops: %dx%dx%d + %d", M, N, K, L);
      e2e::buffer<T> a(M * K + 1, small), b(K * N + 1, small), d(M * L, small), e(L * N, small);
      e2e::buffer<float> c(M * N);
      sum<128, 256, 64><<<dim3(tt::cdiv(M, 128), tt::cdiv(N, 256))>>>(a.data(), b.data(), d.data(), e.data(), c.data(), M, N, K, L);
      c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
        double result = 0;
        for (int k = 0; k < K; ++k)
          result += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
        for (int k = 0; k < L; ++k)
          result += double(float(d[i / N * L + k])) * double(float(e[k * N + i % N]));
        return result;
      });
    }
    {
      const int programs = 7, rows = 88, N = 264, K = 136;
      e2e::context("experts");
      e2e::buffer<int> expert(programs, [](int i) { return i * 5 % 3; }), first(programs + 1, [](int i) { return i * rows; });
      e2e::buffer<T> a(programs * rows * K, small), b(3 * K * N, small);
      e2e::buffer<float> c(programs * rows * N);
      experts<128, 256, 64><<<dim3(programs, 2)>>>(a.data(), b.data(), c.data(), expert.data(), first.data(), N, K);
      c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
        double result = 0;
        for (int k = 0, row = i / N, e = expert[row / rows]; k < K; ++k)
          result += double(float(a[row * K + k])) * double(float(b[e * K * N + k * N + i % N]));
        return result;
      });
    }
    check("128x256x32", false, 392, 264, 136, [&](T *a, T *b, float *, float *c) {
      groups<128, 256, 32><<<unsigned(tt::cdiv(392, 128) * tt::cdiv(264, 256))>>>(a, b, c, 392, 264, 136);
    });
  });
}
