// Kernels of both kinds in one source. A tile kernel's stub launches with our runtime and CUDA's does not know it; launches
// of both push to CUDA's stack of configurations, also where neither kind is named.
//
// RUN: %tcc --simt --emit=host-llvm %s | FileCheck %s --check-prefix=HOST --implicit-check-not="@__cudaRegisterFunction({{.*}}tile"
// RUN: %tcc --simt --emit=ptx -arch=sm_90 %s -o - | FileCheck %s --check-prefix=SIMT --implicit-check-not=_Z4tile
// RUN: %tcc --simt --emit=ptx -arch=sm_90 --kernel='tile<64>' %s -o - | FileCheck %s --check-prefix=TILE --implicit-check-not=_Z4simt
// RUN: %tcc --simt --emit=ttir %s | FileCheck %s --check-prefix=TTIR
// RUN: %tcc --simt -c %s -o %t.o && llvm-nm %t.o | FileCheck %s --check-prefix=SYMBOLS

// HOST: define {{.*}}void @_Z4simtPfi(
// HOST: call {{.*}}@cudaLaunchKernel(
// HOST-LABEL: define {{.*}}void @_Z9launchAllPfiP11CUstream_st(
// HOST-COUNT-4: call {{.*}}@__cudaPushCallConfiguration(
// HOST: define {{.*}}void @_Z4tileILi64EEvPfi(
// HOST: call {{.*}}@__cudaPopCallConfiguration(
// HOST: call {{.*}}@__tilecc_launch_args(ptr {{.*}}@_Z4tileILi64EEvPfi,
// HOST: call {{.*}}@__cudaRegisterFunction({{.*}}@_Z4simtPfi,
// SIMT: .visible .entry _Z4simtPfi(
// TILE: .visible .entry _Z4tileILi64EEvPfi
// TTIR: tt.func public @_Z4tileILi64EEvPfi
// SYMBOLS-DAG: U __cudaRegisterFatBinary
// SYMBOLS-DAG: U __tilecc_register
// SYMBOLS-DAG: T _Z4simtPfi
// SYMBOLS-DAG: W _Z4tileILi64EEvPfi

#include <tilecc/tt.h>

template <int N> __tile_global__ void tile(float *x, int n) {
  auto i = tt::program_id(0) * N + tt::arange<N>();
  tt::store(x + i, tt::load(x + i, i < n) + 1.0f, i < n);
}

// The device parse must parse this for its type, but generates no code for it.
__tile__ auto twice(tt::tile<float, 64> x) { return x * 2.0f; }

__global__ void simt(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}

template <class Kernel> void launchAny(Kernel kernel, float *x, int n, int threads, cudaStream_t stream) {
  kernel<<<(n + 63) / 64, threads, 0, stream>>>(x, n);
}

void launchAll(float *x, int n, cudaStream_t stream) {
  simt<<<(n + 63) / 64, 64, 0, stream>>>(x, n);
  tile<64><<<tt::cdiv(n, 64), stream>>>(x, n);
  tile<64><<<dim3(4, 2), 1, 0, stream>>>(x, n);
  auto pointer = n > 7 ? tile<64> : simt;
  pointer<<<tt::cdiv(n, 64), 1>>>(x, n);
  launchAny(tile<64>, x, n, 1, stream);
  launchAny(simt, x, n, 64, stream);
}
