// Mathematical functions are Triton's operations; 16-bit types are converted to f32 and back.
//
// RUN: %raise %s | FileCheck %s
#include <tilecc/libdevice.h>
#include <tilecc/tt.h>

template <class T> __tile__ auto tile_of(const void *p) { return tt::load((const T *)p + tt::arange<64>()); }
template <class T> __tile__ void keep(void *p, T t) { tt::store((typename T::element_type *)p + tt::arange<64>(), t); }

// CHECK-LABEL: @floats(
extern "C" __tile_global__ void floats(void *p) {
  auto x = tile_of<float>(p);
  auto y = x * 2;
  // CHECK: math.ceil %{{.*}} : tensor<64xf32>
  keep(p, tt::ceil(x));
  // CHECK: math.floor
  keep(p, tt::floor(x));
  // CHECK: math.cos
  keep(p, tt::cos(x));
  // CHECK: math.sin
  keep(p, tt::sin(x));
  // CHECK: math.erf
  keep(p, tt::erf(x));
  // CHECK: math.rsqrt
  keep(p, tt::rsqrt(x));
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<64xf32>
  keep(p, tt::sqrt_rn(x));
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<64xf32>
  keep(p, tt::div_rn(x, y));
  // CHECK: arith.divf
  keep(p, tt::fdiv(y, x));
  // CHECK: math.fma
  keep(p, tt::fma(x, y, 1));
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "tilecc", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
  keep(p, tt::tanh(x));
  // CHECK: tt.extern_elementwise %{{.*}}, %{{.*}} {libname = "tilecc", libpath = "", pure = true, symbol = "__nv_powf"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  keep(p, tt::pow(x, 2.5f));
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : tensor<64xf32>
  keep(p, tt::clamp(x, 0, 1));
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = all : tensor<64xf32>
  keep(p, tt::clamp<tt::propagate_nan::all>(x, 0, y));
  // CHECK: arith.subf
  // CHECK: math.exp
  // CHECK: arith.addf
  // CHECK: arith.divf
  keep(p, tt::sigmoid(x));
}

// CHECK-LABEL: @others(
extern "C" __tile_global__ void others(void *p, float s) {
  auto d = tile_of<double>(p);
  // CHECK: math.sqrt %{{.*}} : tensor<64xf64>
  keep(p, tt::sqrt_rn(d));
  // CHECK: arith.divf %{{.*}} : tensor<64xf64>
  keep(p, tt::div_rn(d, 3));
  // CHECK: symbol = "__nv_pow"} : (tensor<64xf64>, tensor<64xf64>) -> tensor<64xf64>
  keep(p, tt::pow(d, d));
  auto h = tile_of<tt::float16>(p);
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<64xf16> to tensor<64xf32>
  // CHECK: %[[SIN:.*]] = math.sin %[[WIDE]] : tensor<64xf32>
  // CHECK: arith.truncf %[[SIN]] : tensor<64xf32> to tensor<64xf16>
  keep(p, tt::sin(h));
  // CHECK: math.fma %{{.*}} : tensor<64xf16>
  keep(p, tt::fma(h, h, h));
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<64xi32>
  keep(p, tt::umulhi(tile_of<unsigned>(p), 123456789u));
  // CHECK: arith.maxui
  // CHECK: arith.minui
  keep(p, tt::clamp(tile_of<unsigned>(p), 3, 5));
  // A scalar stays a scalar.
  // CHECK: math.cos %{{.*}} : f32
  // CHECK: symbol = "__nv_tanhf"} : (f32) -> f32
  keep(p, tile_of<float>(p) * tt::cos(s) + tt::tanh(s));
}

// Libdevice's functions keep their names, as in Triton.
// CHECK-LABEL: @libdevice(
extern "C" __tile_global__ void libdevice(void *p) {
  auto x = tile_of<float>(p);
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_sinpif"} : (tensor<64xf32>) -> tensor<64xf32>
  keep(p, tt::libdevice::sinpi(x));
  // CHECK: symbol = "__nv_isnand"} : (tensor<64xf64>) -> tensor<64xi32>
  keep(p, tt::libdevice::isnan(tile_of<double>(p)));
  // CHECK: symbol = "__nv_atan2f"} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  keep(p, tt::libdevice::atan2(x, 1.0f));
  // CHECK: symbol = "__nv_ldexpf"} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  keep(p, tt::libdevice::ldexp(x, 3));
  // CHECK: symbol = "__nv_popcll"} : (tensor<64xi64>) -> tensor<64xi32>
  keep(p, tt::libdevice::popc(tile_of<long>(p)));
  // CHECK: symbol = "__nv_double2int_rz"} : (tensor<64xf64>) -> tensor<64xi32>
  keep(p, tt::libdevice::double2int_rz(tile_of<double>(p)));
}

// CHECK-LABEL: @random(
extern "C" __tile_global__ void random(void *p, int seed) {
  // Two multiplications per round, except for those with a counter of 0 or whose result is unused.
  // CHECK-COUNT-17: tt.mulhiui
  // CHECK-NOT: tt.mulhiui
  // CHECK: arith.sitofp
  keep(p, tt::rand(seed, tt::arange<64>()));
}
