// Tests which loads become copies of pixels (ImageTensorMaps.cpp), including similar loads that must not.
// test/e2e/convolution and test/unit/runtime test the code that a launch runs to create the maps.
// RUN: %tcc -O2 -arch=sm_90 --tensor-maps=true --variant=a16 --emit=ttgir %s -o %t.ttgir && FileCheck %s < %t.ttgir
// RUN: %tcc -O2 -arch=sm_90 --tensor-maps=true --variant=a16 --emit=ptx %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %tcc -O2 -arch=sm_90 --tensor-maps=true --variant=all --emit=ptx --kernel=constants %s -o - | FileCheck %s --check-prefix=VARIANTS
// A kernel without variants has no code for a launch whose image has no map.
// RUN: %tcc -O2 -arch=sm_90 --variant=a16 --emit=ttir --kernel=constants %s -o %t.ttir
// RUN: %tcc -O2 -arch=sm_90 --tensor-maps=true --emit=ptx %t.ttir -o - | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: im2col
// ALONE: cp.async.bulk.tensor
// ALONE-NOT: im2col
#include <tilecc/tt.h>

using T = tt::bfloat16;
constexpr int BM = 64, BN = 64, BK = 32;

template <class Pixels> __tile__ void multiply(const T *w, T *out, int rows, int depth, int K, Pixels pixels) {
  auto m = tt::program_id(0) * BM + tt::arange<BM>();
  auto n = tt::program_id(1) * BN + tt::arange<BN>();
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < depth; from += BK) {
    auto k = from + tt::arange<BK>();
    acc = tt::dot(pixels(m, k), tt::load(w + (k.col() * K + n.row()), (k < depth).col() && (n < K).row(), T(0)), acc);
  }
  tt::store(out + (m.col() * K + n.row()), acc.template to<T>(), (m < rows).col() && (n < K).row());
}

// Everything is a constant except for the number of images. The launch only requires that it is an integer. The code
// leaves 3 image sizes: 64 channels, 12 columns, 10 rows, rows / 120 of them; strides; corners -1 and -1 for 3x3; steps
// 1.
// CHECK-LABEL: tt.func public @{{.*}}constants
// CHECK-SAME: !tt.tensordesc<tensor<1x1x64x32xbf16
// CHECK-SAME: {base = 0 : i32, box = array<i64: 32, 64>, bytes = 2 : i32, code = array<i64: 0, 0, 1, 3, 0, 120, 6, 3, 7, 0, 64, 0, 12, 0, 10, 1, 3, 0, 120, 5, 0, 128, 0, 1536, 0, 15360, 0, -1, 0, -1, 0, -1, 0, -1, 0, 1, 0, 1>, image_dimensions = 2 : i32, swizzle = 64 : i32}
// CHECK-NOT: async_copy_global_to_local
// CHECK: async_tma_copy_global_to_local %{{[^ ]*}}[%{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}}]
// PTX-LABEL: .entry {{.*}}constants
// PTX: cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r{{[0-9]+}}], [%rd{{[0-9]+}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}}], [%r{{[0-9]+}}], {%rs{{[0-9]+}}, %rs{{[0-9]+}}};
// VARIANTS: .entry {{.*}}constants{{.*}}$a8_few(
// VARIANTS: im2col
// VARIANTS: .entry {{.*}}constants{{.*}}$a8_few_plain(
// VARIANTS-NOT: im2col
// VARIANTS: .entry {{.*}}constants{{.*}}$a8(
// VARIANTS: im2col
// VARIANTS: .entry {{.*}}constants{{.*}}$a8_plain(
// VARIANTS-NOT: im2col
// VARIANTS: .entry {{.*}}constants{{.*}}$p16(
// VARIANTS: im2col
// VARIANTS: .entry {{.*}}constants{{.*}}$p16_plain(
// VARIANTS-NOT: im2col
__tile_global__ void constants(const T *x, const T *w, T *out, int rows, int K) {
  multiply(w, out, rows, 9 * 64, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    auto c = k % 64, s = k / 64 % 3, r = k / 64 / 3;
    auto h = (p - 1).col() + r.row(), v = (q - 1).col() + s.row();
    return tt::load(x + (((n.col() * 10 + h) * 12 + v) * 64 + c.row()), (m < rows).col() && h >= 0 && h < 10 && v >= 0 && v < 12, T(0));
  });
}

// One-dimensional images, with unsigned comparisons and steps of 2.
// CHECK-LABEL: tt.func public @{{.*}}lines
// CHECK-SAME: !tt.tensordesc<tensor<1x64x32xbf16
// CHECK-SAME: image_dimensions = 1 : i32
// CHECK-NOT: async_copy_global_to_local
// CHECK: async_tma_copy_global_to_local %{{[^ ]*}}[%{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}}, %{{[^ ,]*}}]
// PTX-LABEL: .entry {{.*}}lines
// PTX: cp.async.bulk.tensor.3d.shared::cluster.global.im2col.{{.*}}, {%rs{{[0-9]+}}};
__tile_global__ void lines(const T *x, const T *w, T *out, int N, int W, int Q, int K) {
  multiply(w, out, N * Q, 4 * 32, K, [&](auto m, auto k) {
    auto v = (m % Q * 2 - 3).col() + (k / 32).row();
    auto inside = tt::bitcast<unsigned>(v) < unsigned(W);
    return tt::load(x + ((m / Q).col() * W + v) * 32 + (k % 32).row(), (m < N * Q).col() && inside, T(0));
  });
}

// Without masks: pixels of every other row and column.
// CHECK-LABEL: tt.func public @{{.*}}unmasked
// CHECK-SAME: image_dimensions = 2 : i32
// CHECK-NOT: async_copy_global_to_local
// CHECK: async_tma_copy_global_to_local
__tile_global__ void unmasked(const T *x, const T *w, T *out, int rows, int H, int W, int P, int Q, int K) {
  multiply(w, out, rows, 64, K, [&](auto m, auto k) {
    auto q = m % Q, p = m / Q % P, n = m / (P * Q);
    return tt::load(x + (((n * H + p * 2) * W + q * 2).col() * 64 + k.row()));
  });
}

// A block of columns would belong to two pixels.
// CHECK-LABEL: tt.func public @{{.*}}straddling
// CHECK-NOT: image_dimensions
// CHECK: async_copy_global_to_local
__tile_global__ void straddling(const T *x, const T *w, T *out, int rows, int K) {
  multiply(w, out, rows, 9 * 48, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    auto c = k % 48, s = k / 48 % 3, r = k / 48 / 3;
    auto h = (p - 1).col() + r.row(), v = (q - 1).col() + s.row();
    return tt::load(x + (((n.col() * 10 + h) * 12 + v) * 48 + c.row()), (m < rows).col() && h >= 0 && h < 10 && v >= 0 && v < 12, T(0));
  });
}

// A filter that is visited backwards: the box begins at its end, and offsets are counted from there.
// CHECK-LABEL: tt.func public @{{.*}}backwards
// CHECK-SAME: 0, 128, 0, 1536, 0, 15360, 0, -1, 0, -1, 0, -1, 0, -1, 0, 1, 0, 1>, image_dimensions = 2 : i32
// CHECK-NOT: async_copy_global_to_local
// CHECK: scf.for
// CHECK: %[[R:.*]] = arith.divsi %{{.*}}, %c192_i32
// CHECK: arith.subi %c2_i32, %[[R]]
// CHECK: async_tma_copy_global_to_local
__tile_global__ void backwards(const T *x, const T *w, T *out, int rows, int K) {
  multiply(w, out, rows, 9 * 64, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    auto c = k % 64, s = k / 64 % 3, r = k / 64 / 3;
    auto h = (p + 1).col() - r.row(), v = (q + 1).col() - s.row();
    return tt::load(x + (((n.col() * 10 + h) * 12 + v) * 64 + c.row()), (m < rows).col() && h >= 0 && h < 10 && v >= 0 && v < 12, T(0));
  });
}

// The offset is loaded, so its range is not known.
// CHECK-LABEL: tt.func public @{{.*}}unknown_offset
// CHECK-NOT: image_dimensions
// CHECK: async_copy_global_to_local
__tile_global__ void unknown_offset(const T *x, const T *w, T *out, const int *offset, int rows, int K) {
  int r = tt::load(offset);
  multiply(w, out, rows, 64, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    auto h = p + r;
    return tt::load(x + (((n * 10 + h) * 12 + q).col() * 64 + k.row()), (m < rows && h >= 0 && h < 10).col(), T(0));
  });
}

// The mask tests other columns than those that are loaded.
// CHECK-LABEL: tt.func public @{{.*}}other_mask
// CHECK-NOT: image_dimensions
// CHECK: async_copy_global_to_local
__tile_global__ void other_mask(const T *x, const T *w, T *out, int rows, int K) {
  multiply(w, out, rows, 64, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    return tt::load(x + (((n * 10 + p) * 12 + q).col() * 64 + k.row()), (m < rows && p + q < 10).col(), T(0));
  });
}

// Rows and images are masked. The map has as many images as their mask lets through, if the mask of the rows lets at
// least as many through.
// CHECK-LABEL: tt.func public @{{.*}}two_masks
// CHECK-SAME: 1, 3, 0, 120, 5, 1, 4, 3, 7{{.*}}image_dimensions = 2 : i32
// CHECK-NOT: async_copy_global_to_local
// CHECK: async_tma_copy_global_to_local
__tile_global__ void two_masks(const T *x, const T *w, T *out, int rows, int N, int K) {
  multiply(w, out, rows, 64, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    return tt::load(x + (((n * 10 + p) * 12 + q).col() * 64 + k.row()), (m < rows && n < N).col(), T(0));
  });
}

// Digits in other bases than those of the result: pixels are not consecutive.
// CHECK-LABEL: tt.func public @{{.*}}other_bases
// CHECK-NOT: image_dimensions
// CHECK: async_copy_global_to_local
__tile_global__ void other_bases(const T *x, const T *w, T *out, int rows, int K) {
  multiply(w, out, rows, 64, K, [&](auto m, auto k) {
    auto q = m % 12, p = m / 10 % 10, n = m / 120;
    return tt::load(x + (((n * 10 + p) * 12 + q).col() * 64 + k.row()), (m < rows && p < 10).col(), T(0));
  });
}

// Gradients of weights: the contracted axis is that of the pixels. The mask of the columns bounds the offset.
// CHECK-LABEL: tt.func public @{{.*}}gradients
// CHECK-SAME: image_dimensions = 2 : i32
// CHECK-NOT: async_copy_global_to_local
// CHECK: async_tma_copy_global_to_local
__tile_global__ void gradients(const T *x, const T *dy, float *dw, int rows, int K) {
  auto k = tt::program_id(0) * BM + tt::arange<BM>();
  auto d = tt::program_id(1) * BN + tt::arange<BN>();
  auto c = d % 64, s = d / 64 % 3, r = d / 64 / 3;
  auto acc = tt::zeros<float, BM, BN>();
  for (int from = 0; from < rows; from += BK) {
    auto m = from + tt::arange<BK>();
    auto q = m % 12, p = m / 12 % 10, n = m / 120;
    auto h = (p - 1).col() + r.row(), v = (q - 1).col() + s.row();
    auto inside = (m < rows).col() && h >= 0 && h < 10 && v >= 0 && v < 12 && (d < 9 * 64).row();
    auto pixels = tt::load(x + (((n.col() * 10 + h) * 12 + v) * 64 + c.row()), inside, T(0));
    acc = tt::dot(tt::load(dy + (m.row() * K + k.col()), (m < rows).row() && (k < K).col(), T(0)), pixels, acc);
  }
  tt::store(dw + (k.col() * (9 * 64) + d.row()), acc, (k < K).col() && (d < 9 * 64).row());
}
