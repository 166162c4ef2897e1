// Scaled dots on GPUs with tensor memory. The numbers go to shared memory unchanged, and threads store the scales to
// two places in tensor memory alternately, because the previous dot may still read its scales. An instruction selects
// the scales of its part of K among the four of a column: four instructions of kind mxf8f6f4 read one column, and one
// of kind mxf4nvf4 reads a column alone. The descriptors differ in the number of the first scale.
// RUN: %tcc -O2 -arch=compute_100a --emit=ptx %s -o - | FileCheck %s
// RUN: %tcc -O2 -arch=compute_100f --emit=ptx %s -o - | FileCheck %s
// RUN: %tcc -O2 -arch=compute_100a --emit=ttir %s -o - | FileCheck %s --check-prefix=TTIR
// Other GPUs compute scaled dots in bf16, and so do all GPUs if a dot has few rows.
// RUN: %tcc -O2 -arch=compute_90a --emit=ptx %s -o - | FileCheck %s --check-prefix=HOPPER
#include <tilecc/tt.h>

using tt::mx;

// CHECK-LABEL: .entry mxfp8
// CHECK: tcgen05.st.sync.aligned.32x32b.x4.b32
// CHECK: tcgen05.st.sync.aligned.32x32b.x2.b32
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [%[[D:r[0-9]+]]], %{{rd[0-9]+}}, %{{rd[0-9]+}}, %[[I:r[0-9]+]], [%[[A:r[0-9]+]]], [%[[B:r[0-9]+]]], p;
// CHECK: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32 [%[[D]]], %{{rd[0-9]+}}, %{{rd[0-9]+}}, %{{r[0-9]+}}, [%[[A]]], [%[[B]]], p;
// CHECK-COUNT-2: tcgen05.mma
// CHECK-NOT: tcgen05.mma
// TTIR-LABEL: @mxfp8
// TTIR: tt.dot_scaled
// HOPPER-LABEL: .entry mxfp8
// HOPPER: wgmma.mma_async{{.*}}bf16
extern "C" [[tt::num_warps(4)]] __tile_global__ void mxfp8(const tt::float8_e4m3fn *a, const unsigned char *as, const tt::float8_e4m3fn *b, const unsigned char *bs,
                                      float *out, int K) {
  auto m = tt::arange<128>();
  auto n = tt::arange<64>();
  auto k = tt::arange<128>();
  auto s = tt::arange<4>();
  auto acc = tt::zeros<float, 128, 64>();
  for (int i = 0; i < K; i += 128)
    acc = tt::dot_scaled<mx::e4m3, mx::e4m3>(
        tt::load(a + m.col() * K + (i + k.row())), tt::load(as + m.col() * (K / 32) + (i / 32 + s.row())),
        tt::load(b + n.row() * K + (i + k.col())), tt::load(bs + n.col() * (K / 32) + (i / 32 + s.row())), acc);
  tt::store(out + m.col() * 64 + n.row(), acc);
}

// CHECK-LABEL: .entry nvfp4
// CHECK-COUNT-2: tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.block16
// CHECK-NOT: tcgen05.mma
extern "C" __tile_global__ void nvfp4(const unsigned char *a, const tt::float8_e4m3fn *as, const unsigned char *b, const tt::float8_e4m3fn *bs,
                                      float *out) {
  auto m = tt::arange<128>();
  auto n = tt::arange<64>();
  auto k = tt::arange<64>();
  auto s = tt::arange<8>();
  auto x = tt::load(a + m.col() * 64 + k.row());
  auto y = tt::load(b + n.row() * 64 + k.col());
  tt::store(out + m.col() * 64 + n.row(), tt::dot_scaled<mx::e2m1, mx::e2m1>(x, tt::load(as + m.col() * 8 + s.row()), y,
                                                                             tt::load(bs + n.col() * 8 + s.row())));
}

// Beside 8-bit floats, 4-bit floats become e4m3. An operand without scales gets scales of 1.
// CHECK-LABEL: .entry mixed
// CHECK-COUNT-4: tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.block32
// TTIR-LABEL: @mixed
// TTIR-DAG: arith.constant dense<127> : tensor<64x4xi8>
// TTIR: tt.dot_scaled {{.*}} lhs = e4m3 rhs = e5m2 {fastMath = false} : tensor<128x128xf8E4M3FN>, tensor<128x4xi8> * tensor<128x64xf8E5M2>, tensor<64x4xi8>
extern "C" __tile_global__ void mixed(const unsigned char *a, const unsigned char *as, const tt::float8_e5m2 *b, float *out) {
  auto m = tt::arange<128>();
  auto n = tt::arange<64>();
  auto k = tt::arange<128>();
  auto s = tt::arange<4>();
  auto x = tt::load(a + m.col() * 64 + tt::arange<64>().row());
  auto y = tt::load(b + n.row() * 128 + k.col());
  tt::store(out + m.col() * 64 + n.row(), tt::dot_scaled<mx::e2m1, mx::e5m2>(x, tt::load(as + m.col() * 4 + s.row()), y, tt::no_scale));
}

// CHECK-LABEL: .entry few
// CHECK-NOT: block_scale
// TTIR-LABEL: @few
// TTIR-NOT: tt.dot_scaled
extern "C" __tile_global__ void few(const tt::float8_e4m3fn *a, const unsigned char *as, float *out) {
  auto m = tt::arange<64>();
  auto k = tt::arange<128>();
  auto s = tt::arange<4>();
  auto x = tt::load(a + m.col() * 128 + k.row());
  auto scale = tt::load(as + m.col() * 4 + s.row());
  tt::store(out + m.col() * 64 + m.row(), tt::dot_scaled<mx::e4m3, mx::e4m3>(x, scale, tt::trans(x), scale));
}
