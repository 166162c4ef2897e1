// Tests dots with few tiles, which a launch divides among more programs, and dots with few rows, of which missing
// rows are not computed (lowering/clusters/DivideTiles.cpp). The emulator has a multiprocessor for each of its
// threads.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a -Rtile=blocks %s -o %t.90 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: env TILECC_NUM_THREADS=16 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=TRACE < %t.json
// RUN: env TILECC_NUM_THREADS=16 %emulate_at_random %t.90
// RUN: env TILECC_NUM_THREADS=2 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=MANY < %t.json
// CHOSEN-DAG: remark: launches of few programs, and the last programs of others, divide each tile of swizzled<128, 128, 32> between 4 or 2 programs; {{\[\[}}tt::num_consumers(1)]] prevents it
// CHOSEN-DAG: remark: launches of few programs, and the last programs of others, divide each tile of tall<256, 128, 32> between 8 or 4 or 2 programs; {{\[\[}}tt::num_consumers(1)]] prevents it
// CHOSEN-DAG: remark: launches of swizzled<128, 128, 32> with M <= 16 compute only the first 16 rows of a tile
// CHOSEN-DAG: remark: launches of swizzled<128, 128, 32> with M <= 64 compute only the first 64 rows of a tile
// CHOSEN-NOT: remark: launches{{.*}}(normalized|asked)<
// TRACE-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"2 x 2 x 1","variant":"u8_halves"
// TRACE-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"u8_rows64_few"
// TRACE-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"u8_rows16_few"
// TRACE-DAG: "tall<256, 128, 32>"{{.*}}"grid":"2 x 2 x 1","variant":"a8_quarters"
// TRACE-DAG: "tall<256, 128, 32>"{{.*}}"grid":"2 x 4 x 1","variant":"a8_halves"
// TRACE-DAG: "tall<256, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"a8_rows64_few"
// TRACE-DAG: "transposed<128, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"a8_rows64_few"
// TRACE-DAG: "transposed<128, 256, 32>"{{.*}}"grid":"1 x 2 x 1","variant":"a8_rows64_few"
// TRACE-DAG: "grouped<128, 128, 32>"{{.*}}"grid":"4 x 1 x 1","variant":"a8_halves"
// TRACE-DAG: "grouped<128, 128, 32>"{{.*}}"grid":"4 x 1 x 1","variant":"a8_rows64_few"
// TRACE-DAG: "transposed<128, 128, 32>"{{.*}}"grid":"2 x 2 x 1","variant":"a8_quarters"
// TRACE-DAG: "transposed<128, 256, 32>"{{.*}}"grid":"1 x 2 x 1","variant":"a8_eighths"
// TRACE-DAG: "normalized<128, 128, 32>"{{.*}}"grid":"2 x 1 x 1","variant":"a8_few"
// MANY-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"2 x 2 x 1","variant":"u8"
// MANY-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"u8_rows64"
// MANY-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"u8_rows16"
// MANY-DAG: "swizzled<128, 128, 32>"{{.*}}"grid":"3 x 1 x 1","variant":"u8_shares"
// MANY-DAG: "tall<256, 128, 32>"{{.*}}"grid":"1 x 4 x 1","variant":"a8_rows16"
// MANY-DAG: "transposed<128, 256, 32>"{{.*}}"grid":"1 x 2 x 1","variant":"a8_rows64"
// TRACE-DAG: "asked<128, 128, 32>"{{.*}}"grid":"2 x 2 x 1","variant":"u8_few"

#include "support/check.h"

using T = tt::bfloat16;

template <int BM, int BN, int BK>
__tile__ void multiply(const T *a, const T *b, float *c, int M, int N, int K, int stride, int one) {
  auto [pm, pn] = tt::swizzle2d(tt::program_id(0), tt::program_id(1), tt::num_programs(0), tt::num_programs(1), 2);
  auto m = pm * BM + tt::arange<BM>();
  auto n = pn * BN + tt::arange<BN>();
  auto k = tt::arange<BK>();
  auto pa = a + (m.col() * K + k.row());
  auto pb = b + (k.col() * stride + n.row() * one);
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto x = tt::load(pa, (m < M).col() && k.row() < K - i, T(0));
    auto y = tt::load(pb, k.col() < K - i && (n < N).row(), T(0));
    acc = tt::dot(x, y, acc);
    pa += BK;
    pb += BK * stride;
  }
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

template <int BM, int BN, int BK>
__tile_global__ void swizzled(const T *a, const T *b, float *c, int M, int N, int K, int stride, int one) {
  multiply<BM, BN, BK>(a, b, c, M, N, K, stride, one);
}

/// The source decides what runs in a block.
template <int BM, int BN, int BK>
[[tt::num_consumers(1)]] __tile_global__ void asked(const T *a, const T *b, float *c, int M, int N, int K, int stride, int one) {
  multiply<BM, BN, BK>(a, b, c, M, N, K, stride, one);
}

/// The groups are computed by hand, and rows wrap around, as in Triton's tutorial.
template <int BM, int BN, int BK>
__tile_global__ void grouped(const T *a, const T *b, float *c, int M, int N, int K) {
  int rows = tt::cdiv(M, BM), columns = tt::cdiv(N, BN), pid = tt::program_id(0);
  int first = pid / (2 * columns) * 2, size = rows - first < 2 ? rows - first : 2;
  auto m = (first + pid % (2 * columns) % size) * BM + tt::arange<BM>();
  auto n = pid % (2 * columns) / size * BN + tt::arange<BN>();
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

/// A B for the given rows and columns, whose indices along K are formed anew in each iteration.
template <int BM, int BN, int BK>
__tile__ auto accumulate(const T *a, const T *b, tt::tile<int, BM> m, tt::tile<int, BN> n, int M, int N, int K) {
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (m < M).col() && (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  return acc;
}

/// With a bias, of which a part has its own elements.
template <int BM, int BN, int BK>
__tile_global__ void tall(const T *a, const T *b, const float *bias, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = accumulate<BM, BN, BK>(a, b, m, n, M, N, K);
  acc += tt::load(bias + n, n < N, 0.0f).row() + (m % 3).template to<float>().col();
  tt::store(c + (m.col() * N + n.row()), acc, (m < M).col() && (n < N).row());
}

/// C is stored by columns.
template <int BM, int BN, int BK>
__tile_global__ void transposed(const T *a, const T *b, float *c, int M, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = accumulate<BM, BN, BK>(a, b, m, n, M, N, K);
  tt::store(c + (n.col() * M + m.row()), tt::trans(acc), (n < N).col() && (m < M).row());
}

/// What parts of a tile cannot compute alone: sums of rows and columns. All rows are stored.
template <int BM, int BN, int BK>
__tile_global__ void normalized(const T *a, const T *b, float *c, int N, int K) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int i = 0; i < K; i += BK) {
    auto k = i + tt::arange<BK>();
    auto x = tt::load(a + (m.col() * K + k.row()), (k < K).row(), T(0));
    acc = tt::dot(x, tt::load(b + (k.col() * N + n.row()), (k < K).col() && (n < N).row(), T(0)), acc);
  }
  acc = acc - tt::sum<1>(acc).col();
  tt::store(c + (m.col() * N + n.row()), acc - tt::sum<0>(acc).row(), (n < N).row());
}

static T small(int) { return T(float(int(e2e::random_bits() % 9) - 4) / 4); }

int main() {
  return e2e::run("divided-tiles", [] {
    auto check = [](const char *name, int M, int N, int K, int BM, auto launch, auto expected) {
      e2e::context("%s: %dx%dx%d", name, M, N, K);
      e2e::buffer<T> a(M * K, small), b(K * N, small);
      e2e::buffer<float> bias(N, [](int i) { return float(i % 7) - 3; }), c(M * N);
      launch(a.data(), b.data(), bias.data(), c.data(), dim3(tt::cdiv(M, BM), tt::cdiv(N, 128)));
      std::vector<double> products(M * N);
      for (int m = 0; m < M; ++m)
        for (int k = 0; k < K; ++k)
          for (int n = 0; n < N; ++n)
            products[m * N + n] += double(float(a[m * K + k])) * double(float(b[k * N + n]));
      c.expect(e2e::tolerance{1e-3, 1e-5}, [&](int i) { return expected(products, bias, i); });
    };
    // Sizes with tiles that are not full, of which some parts are empty.
    const int sizes[][3] = {{256, 256, 64}, {200, 152, 104}, {384, 128, 64}, {40, 512, 64}, {1, 392, 40}, {64, 400, 96}};
    for (auto [M, N, K] : sizes) {
      auto product = [](std::vector<double> &products, auto &, int i) { return products[i]; };
      check("swizzled", M, N, K, 128, [&](T *a, T *b, float *, float *c, dim3 grid) {
        swizzled<128, 128, 32><<<grid>>>(a, b, c, M, N, K, N, 1);
      }, product);
      check("asked", M, N, K, 128, [&](T *a, T *b, float *, float *c, dim3 grid) {
        asked<128, 128, 32><<<grid>>>(a, b, c, M, N, K, N, 1);
      }, product);
      check("grouped", M, N, K, 128, [&](T *a, T *b, float *, float *c, dim3 grid) {
        grouped<128, 128, 32><<<grid.x * grid.y>>>(a, b, c, M, N, K);
      }, product);
      check("transposed", M, N, K, 128, [&](T *a, T *b, float *, float *c, dim3 grid) {
        transposed<128, 128, 32><<<grid>>>(a, b, c, M, N, K);
      }, [&](std::vector<double> &products, auto &, int i) { return products[i % M * N + i / M]; });
    }
    // A wide tile of few rows is divided between its columns.
    for (int M : {16, 56, 128})
      check("transposed", M, 512, 64, 128, [&](T *a, T *b, float *, float *c, dim3 grid) {
        transposed<128, 256, 32><<<dim3(grid.x, grid.y / 2)>>>(a, b, c, M, 512, 64);
      }, [&](std::vector<double> &products, auto &, int i) { return products[i % M * 512 + i / M]; });
    const int talls[][3] = {{512, 256, 64}, {300, 504, 64}, {24, 512, 64}, {9, 512, 64}};
    for (auto [M, N, K] : talls)
      check("tall", M, N, K, 256, [&](T *a, T *b, float *bias, float *c, dim3 grid) {
        tall<256, 128, 32><<<grid>>>(a, b, bias, c, M, N, K);
      }, [&](std::vector<double> &products, auto &bias, int i) { return products[i] + bias[i % N] + i / N % 3; });
    check("normalized", 256, 128, 64, 128, [&](T *a, T *b, float *, float *c, dim3 grid) {
      normalized<128, 128, 32><<<grid>>>(a, b, c, 128, 64);
    }, [&](std::vector<double> &products, auto &, int i) {
      auto row = [&](int m) {
        double sum = 0;
        for (int n = 0; n < 128; ++n)
          sum += products[m * 128 + n];
        return sum;
      };
      double column = 0;
      for (int m = i / 128 / 128 * 128, end = m + 128; m < end; ++m)
        column += products[m * 128 + i % 128] - row(m);
      return products[i] - row(i / 128) - column;
    });
  });
}
