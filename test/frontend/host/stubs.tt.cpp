// The host stub has the kernel's symbol, packs the arguments, and calls the runtime.
//
// RUN: %raise --host-llvm %s | FileCheck %s --implicit-check-not=__device_stub__ --implicit-check-not=llvmLaunchKernel --implicit-check-not=offload --implicit-check-not="tt.kernel"
// RUN: %raise --host-llvm %s | FileCheck %s --check-prefix=SYMBOLS
#include <tilecc/tt.h>

struct CUstream_st;
struct wrapped {
  CUstream_st *stream;
  operator CUstream_st *() const { return stream; }
};

__tile_global__ void kernel(float *x [[tt::divisible(16)]], char c, double d) {}
template <int N> __tile_global__ void block(float *x) {}
extern template __tile_global__ void block<64>(float *);
template __tile_global__ void block<32>(float *);
__tile_global__ void elsewhere(float *x);

// CHECK: %[[PACKED:[0-9]+]] = type { ptr, i8, double }
// CHECK: define {{.*}}void @_Z6kernelPfcd(ptr {{.*}}, i8 {{.*}}, double {{.*}})
// CHECK: alloca %[[PACKED]]
// CHECK: call i32 @__tilecc_pop_configuration(
// CHECK: call {{.*}}i32 @__tilecc_launch(ptr {{.*}}@_Z6kernelPfcd,

// CHECK: define {{.*}}void @_Z8launchesP
void launches(float *x, CUstream_st *s, wrapped w, unsigned u, unsigned long z, dim3 d) {
  // CHECK: call {{.*}} @_Z27__llvmPushCallConfiguration
  // CHECK: call void @_Z6kernelPfcd(
  kernel<<<3>>>(x, 'c', 1.0);
  kernel<<<u, s>>>(x, 'c', 1.0);
  kernel<<<d, w>>>(x, 'c', 1.0);
  kernel<<<z, nullptr>>>(x, 'c', 1.0);
  kernel<<<tt::cdiv(u, 64), 1, 0, s>>>(x, 'c', 1.0);
  kernel<<<dim3(1, 2, 3), dim3(1), 0, w>>>(x, 'c', 1.0);
  kernel<<<dim3{4, 5}>>>(x, 'c', 1.0);
  // CHECK: call void @_Z5blockILi64EEvPf(
  block<64><<<1>>>(x);
  // CHECK: call void @_Z9elsewherePf(
  elsewhere<<<1>>>(x);
}
// CHECK: store ptr @_Z6kernelPfcd
void address(void (**f)(float *, char, double)) { *f = kernel; }

// SYMBOLS-DAG: define linkonce_odr hidden i32 @__tilecc_pop_configuration({{.*}} comdat
// SYMBOLS-DAG: select i1 {{.*}}, ptr @__cudaPopCallConfiguration, ptr @__tilecc_pop_call
// SYMBOLS-DAG: declare extern_weak i32 @__cudaPopCallConfiguration(
// SYMBOLS-DAG: define {{.*}}void @_Z5blockILi32EEvPf({{.*}} comdat
// SYMBOLS-DAG: declare {{.*}}@_Z5blockILi64EEvPf(
// SYMBOLS-DAG: declare {{.*}}@_Z9elsewherePf(
// SYMBOLS-DAG: call i32 @__tilecc_push_call(
