// RUN: %raise %s | FileCheck %s
#include <tilecc/tt.h>

// CHECK-LABEL: @options(
// CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cg evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
// CHECK: tt.load %{{.*}}, %{{.*}} evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
// A volatile load stays, even if its result is unused.
// CHECK: tt.load %{{.*}} {isVolatile = true} : tensor<64x!tt.ptr<f32>>
// CHECK: tt.load %{{.*}} {isVolatile = true} : !tt.ptr<f32>
// CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} cacheModifier = cs evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
extern "C" __tile_global__ void options(float *x, int n) {
  auto i = tt::arange<64>();
  auto v = tt::load(x + i, i < n, 0, tt::cache::cg, tt::evict::first);
  v += tt::load(x + 64 + i, i < n, tt::evict::last);
  tt::load(x + 128 + i, tt::volatile_access);
  v += tt::load(x, tt::volatile_access);
  tt::store(x + i, v, i < n, tt::evict::last, tt::cache::cs);
}

// CHECK-LABEL: @hints(
// CHECK: arith.addi {{.*}} {tt.contiguity = dense<4> : tensor<1xi32>, tt.divisibility = dense<8> : tensor<1xi32>} : tensor<64xi32>
// CHECK: arith.divsi {{.*}} {tt.constancy = dense<4> : tensor<1xi32>} : tensor<64xi32>
extern "C" __tile_global__ void hints(int *x, int n) {
  auto i = tt::max_contiguous<4>(tt::multiple_of<8>(tt::program_id(0) * n + tt::arange<64>()));
  tt::store(x + i, tt::max_constancy<4>(i / n));
}
