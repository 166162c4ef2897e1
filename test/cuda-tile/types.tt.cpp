// NVIDIA's number types in kernels: their own functions, scalars, and nvcc's symbols, with the toolkit's headers and
// with tcc's replacements.
// RUN: %tcc --emit=ttir --kernel='mixed_in' %s | FileCheck %s
// RUN: %tcc --emit=ttir --kernel='mixed_in' -Xcompiler -nostdlibinc,-ffreestanding %s | FileCheck %s --check-prefixes=CHECK,OURS
// RUN: %tcc -c -std=c++23 -fno-exceptions %s -o %t.o
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;

// CHECK: tt.func public @_Z8mixed_inPK6__halfPS_P13__nv_bfloat16S_i
// OURS-DAG: arith.extf {{.*}} : f16 to f32
// OURS-DAG: arith.truncf {{.*}} : f32 to bf16
// CHECK-DAG: tt.load {{.*}} : tensor<64x!tt.ptr<f16>>
__tile_global__ void mixed_in(const __half *x, __half *out, __nv_bfloat16 *sum, __half factor, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  auto mask = i < n;
  auto v = ct::load_masked(x + i, mask, __float2half(0.0f));
  ct::store_masked(out + i, v * factor, mask);
  float first = __half2float(x[0]) + float(ct::sum<0>(ct::element_cast<float>(v)));
  ct::store(sum, __float2bfloat16(first));
}
static_assert(__is_same(ct::tile<__half, ct::shape<2>>::element_type, __half));
static_assert(ct::tile_rank_v<__nv_bfloat16> == 0 && ct::scalar<__half> && !ct::arithmetic_tile<__nv_fp8_e4m3>);
static_assert(ct::non_narrowing_tile_convertible_to<__nv_fp8_e4m3, __half> &&
              !ct::non_narrowing_tile_convertible_to<__half, __nv_bfloat16>);
