// Blocks of a persistent matrix multiplication run in pairs if the rows of a matrix do not begin at cache lines. Where
// both blocks need the same rows of A or columns of B, each loads half of these tiles for both (SpecializeLoops.cpp).
// Tests orders of programs in which neighbours share columns, rows, or in some pairs neither, numbers of programs that
// are even, or odd (without pairs), and loops without iterations.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90
// RUN: env TILECC_NUM_THREADS=4 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=TRACE < %t.json
// RUN: env TILECC_NUM_THREADS=2 %emulate_at_random %t.90
// RUN: %tcc -O1 -arch=sm_90 --tensor-maps=true --emit=ttgir --variant=a8 %s | FileCheck %s
// RUN: %tcc -O1 -arch=sm_90a --tensor-maps=true --variant=a8 --emit=ptx %s | FileCheck %s --check-prefix=PTX
// TRACE-DAG: "product<0, 256>"{{.*}}"variant":"a8"
// TRACE-DAG: "product<0, 128>"{{.*}}"grid":"12 x 1 x 1","variant":"a8_pairs"
// CHECK: tt.func public {{.*}}product{{.*}}ttng.block_pairs
// CHECK: ttg.warp_specialize
// CHECK: ttng.async_tma_copy_global_to_local {{.*}}multicast
// CHECK: tt.func public {{.*}}uneven
// CHECK-NOT: ttng.block_pairs
// CHECK-NOT: multicast
// PTX-DAG: mbarrier.arrive.shared::cluster.b64
// PTX-DAG: cp.async.bulk.tensor.{{.*}}.multicast::cluster

#include "support/check.h"

using T = tt::bfloat16;

/// The order of programs: down a column of tiles, along a row, or in groups of `order` rows.
enum Order { byColumns = 0, byRows = 1 };

/// C = A B.
template <int order, int BN>
[[tt::num_warps(8)]] __tile_global__ void product(const T *a, const T *b, float *c, int M, int N, int K) {
  constexpr int BM = 128, BK = 64;
  int columns = tt::cdiv(N, BN), rows = tt::cdiv(M, BM), program = tt::program_id(0), row, column;
  if (order == byColumns) {
    row = program % rows;
    column = program / rows;
  } else if (order == byRows) {
    row = program / columns;
    column = program % columns;
  } else {
    int group = program / (order * columns), inside = program % (order * columns);
    int size = tt::minimum(rows - order * group, order);
    row = order * group + inside % size;
    column = inside / size;
  }
  auto m = row * BM + tt::arange<BM>();
  auto n = column * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// The lower triangle of A times B: the number of iterations depends on the program, so that the blocks of a pair would
/// not fill the same slots.
[[tt::num_warps(8)]] __tile_global__ void uneven(const T *a, const T *b, float *c, int M, int N) {
  constexpr int BM = 128, BN = 256, BK = 64;
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < tt::minimum((tt::program_id(0) + 1) * BM, M); i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * M + k.row()), (m < M).col() && (k < M).row() && m.col() >= k.row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < M).col() && (n < N).row(), T(0)), acc);
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

template <class Launch> static void check(const char *name, int M, int N, int K, bool isLower, Launch launch) {
  e2e::context("%s: %dx%dx%d", name, M, N, K);
  e2e::buffer<T> a(M * K + 1, small), b(K * N + 1, small);
  e2e::buffer<float> c(M * N);
  launch(a.data(), b.data(), c.data());
  c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) {
    double sum = 0;
    for (int k = 0, end = isLower ? i / N + 1 : K; k < end; ++k)
      sum += double(float(a[i / N * K + k])) * double(float(b[k * N + i % N]));
    return sum;
  });
}

template <int order> static void checkOrder(const char *name) {
  // Grids of 8, 9 and 10 programs.
  for (auto [M, N] : {std::pair(488, 264), {328, 520}, {600, 264}})
    for (int K : {0, 40, 328})
      check(name, M, N, K, /*isLower=*/false, [&](T *a, T *b, float *c) {
        product<order, 256><<<unsigned(tt::cdiv(M, 128) * tt::cdiv(N, 256))>>>(a, b, c, M, N, K);
      });
  // 12 programs of smaller tiles
  check(name, 488, 264, 328, /*isLower=*/false, [&](T *a, T *b, float *c) {
    product<order, 128><<<12>>>(a, b, c, 488, 264, 328);
  });
}

int main() {
  return e2e::run("block-pairs", [] {
    checkOrder<byColumns>("down columns");
    checkOrder<byRows>("along rows");
    checkOrder<3>("in groups of three rows");
    check("lower triangle", 328, 520, 328, /*isLower=*/true, [](T *a, T *b, float *c) {
      uneven<<<dim3(3, 3)>>>(a, b, c, 328, 520);
    });
  });
}
