// Tests dots of few tiles, whose iterations are split over the blocks of a cluster
// (targets/nvidia/hopper/SplitIterations.cpp). The emulator has a multiprocessor for each of its 16 threads, so that a
// program may have up to 8 blocks. There are tensor maps or not, pointers that the loop advances, dequantized operands,
// long loops, short loops that are not split, and numbers of iterations that no number of blocks divides.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a -Rtile=blocks %s -o %t.90 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: env TILECC_NUM_THREADS=16 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=TRACE < %t.json
// RUN: env TILECC_NUM_THREADS=16 %emulate_at_random %t.90
// RUN: env TILECC_NUM_THREADS=1 %emulate %t.90
// CHOSEN-COUNT-4: remark: the blocks of a cluster split the loop of {{.*}} if a launch leaves multiprocessors idle
// CHOSEN-NOT: remark
// TRACE: "variant":"{{[^"]*}}_few"

#include "support/check.h"

using T = tt::bfloat16;

/// C = A B as in Triton's tutorial: pointers that the loop advances.
template <int BM, int BN, int BK>
__tile_global__ void advance(const T *a, const T *b, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + ((m % M).col() * K + k.row());
  auto pb = b + (k.col() * N + (n % N).row());
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < tt::cdiv(K, BK); ++i) {
    acc = tt::dot(tt::load(pa, k.row() < K - i * BK, T(0)), tt::load(pb, k.col() < K - i * BK, T(0)), acc);
    pa += BK;
    pb += BK * N;
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// The same with an index of 64 bits, and a bias that is loaded before the loop.
template <int BM, int BN, int BK>
__tile_global__ void index(const T *a, const T *b, const float *bias, float *c, int M, int N, int64_t K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto start = tt::load(bias + n, n < N, 0.0f);
  auto acc = tt::zeros<float, BM, BN>();
  for (int64_t from = 0; from < K; from += BK) {
    auto k = from + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto y = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc + start.row(), (m < M).col() && (n < N).row());
}

/// 8-bit weights with a scale for each column.
template <int BM, int BN, int BK>
__tile_global__ void dequantize(const T *a, const int8_t *b, const float *scales, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < K; from += BK) {
    auto k = from + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    auto y = tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), int8_t(0));
    acc = tt::dot(x, y.template to<T>(), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc * tt::load(scales + n, n < N, 0.0f).row(), (m < M).col() && (n < N).row());
}

/// What must not be split: a program that writes before its loop.
__tile_global__ void count(const T *a, const T *b, float *c, int *counter, int K) {
  auto i = tt::arange<16>();
  tt::atomic_add(counter, 1);
  auto acc = tt::zeros<float, 16, 16>();
  for (int from = 0; from < K; from += 16) {
    auto k = from + tt::arange<16>();
    acc = tt::dot(tt::load(a + (i.col() * K + k.row())), tt::load(b + (k.col() * 16 + i.row())), acc);
  }
  tt::store(c + (i.col() * 16 + i.row()), acc);
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <class B, class Launch> static void check(const char *name, int M, int N, int K, Launch launch) {
  e2e::context("%s: %dx%dx%d", name, M, N, K);
  e2e::buffer<T> a(M * K + 8, small);
  e2e::buffer<B> b(K * N + 8, [](int i) { return B(float(small(i)) * 4); });
  e2e::buffer<float> c(M * N), row(N, [](int i) { return float(i % 7) - 3; });
  launch(a.data(), b.data(), row.data(), c.data());
  c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    double sum = 0;
    for (int k = 0; k < K; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return std::is_same_v<B, int8_t> ? sum * row[i % N] : name[0] == 'i' ? sum + row[i % N] : sum;
  });
}

int main() {
  return e2e::run("split-iterations", [] {
    const int sizes[][3] = {{16, 64, 8200}, {16, 128, 2112}, {40, 72, 4104}, {128, 64, 0}, {64, 64, 320}};
    for (auto [M, N, K] : sizes) {
      auto grid = [&](int BM, int BN) { return dim3(tt::cdiv(M, BM), tt::cdiv(N, BN)); };
      check<T>("advance", M, N, K, [&](T *a, T *b, float *, float *c) {
        advance<64, 64, 32><<<grid(64, 64)>>>(a, b, c, M, N, K);
      });
      check<T>("index", M, N, K, [&](T *a, T *b, float *row, float *c) {
        index<16, 64, 64><<<grid(16, 64)>>>(a, b, row, c, M, N, K);
      });
      check<int8_t>("dequantize", M, N, K, [&](T *a, int8_t *b, float *row, float *c) {
        dequantize<16, 32, 64><<<grid(16, 32)>>>(a, b, row, c, M, N, K);
      });
    }
    // Eight warps: those without valid rows exchange nothing.
    for (int M : {16, 128})
      check<T>("advance", M, 128, 4104, [&](T *a, T *b, float *, float *c) {
        advance<128, 128, 64><<<1>>>(a, b, c, M, 128, 4104);
      });
    e2e::buffer<int> counter(1, [](int) { return 0; });
    check<T>("count", 16, 16, 512, [&](T *a, T *b, float *, float *c) { count<<<1>>>(a, b, c, counter.data(), 512); });
    counter.expect([](int) { return 1; });
  });
}
