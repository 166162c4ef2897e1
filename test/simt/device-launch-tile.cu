// SIMT kernels launch tile kernels: they read the numbers of threads and of bytes of shared memory from constants that
// come with the tile kernels' code. One kernel needs more than 48 KB, which code for sm_90a may have; one is a
// template, and one calls a function of another file.
//
// RUN: %tcc -rdc=true --emit=llvm -arch=sm_90 %s | FileCheck %s --check-prefix=SIMT
// RUN: %tcc -dc -arch=sm_90a %s -o %t.o && %tcc -dc -arch=sm_90a %S/Inputs/tile-functions.tt.cpp -o %t-functions.o
// RUN: mkdir -p %t.keep && %tcc --keep --keep-dir %t.keep -arch=sm_90a %t.o %t-functions.o -o %t
// RUN: FileCheck %s --check-prefix=TILE < %t.keep/device-link-launched.sm_90a.ptx
// RUN: not %tcc -arch=sm_90 -dlink %t.o %t-functions.o -o %t-dlink.o 2>&1 | FileCheck %s --check-prefix=SMALL --implicit-check-not=error:
// RUN: not %tcc -arch=sm_90a -dlink %t.o -o %t-dlink.o 2>&1 | FileCheck %s --check-prefix=MISSING --implicit-check-not=error:
//
// The constant gives the block size, and the second value is the dynamic shared memory.
// SIMT: @"_Z5scalePfi$launch" = external {{.*}}addrspace(4) constant [4 x i32]
// SIMT: load i32, ptr addrspace(4) @"_Z5scalePfi$launch"
// TILE-DAG: .visible .const .align 16 .b8 _Z5scalePfi$launch[16] = {64, 0, 0, 0, 0, 0, 0, 0, 1}
// TILE-DAG: .visible .const .align 16 .b8 _Z7productPKDF16_S0_Pf$launch[16] = {128, 0, 0, 0, 0, 0, 0, 0, 1}
// TILE-DAG: .shared .align {{[0-9]+}} .b8 _Z7productPKDF16_S0_Pf$shared
// TILE-DAG: .visible .entry _Z5scalePfi(
// TILE-DAG: .visible .entry _Z4fillILi3EEvPi(
// SMALL: device-launch-tile.cu:[[#]]:[[#]]: error: product needs {{[0-9]+}} bytes of shared memory on sm_90, where a launch by SIMT code has 49152 at most: use smaller tiles or fewer stages, or compile and link with -arch=sm_90a, which has more
// MISSING: device-launch-tile.cu:[[#]]:[[#]]: error: tile function 'scaled(tt::tile<float, 64>)' is not defined in any object or archive of the device link
#include <cstdio>
#include <tilecc/tt.h>

__tile__ tt::tile<float, 64> scaled(tt::tile<float, 64> x);

[[tt::num_warps(2)]] __tile_global__ void scale(float *x, int n) {
  auto i = tt::program_id(0) * 64 + tt::arange<64>();
  tt::store(x + i, scaled(tt::load(x + i, i < n)), i < n);
}

template <int Value> __tile_global__ void fill(int *x) { tt::store(x + tt::arange<32>(), tt::full<int, 32>(Value)); }

constexpr int size = 128;

[[tt::num_warps(4), tt::num_stages(3)]] __tile_global__ void product([[tt::divisible(16)]] const tt::float16 *a,
                                                                     [[tt::divisible(16)]] const tt::float16 *b, float *c) {
  auto i = tt::arange<size>();
  auto k = tt::arange<64>();
  auto sum = tt::full<float, size, size>(0.0f);
  for (int at = 0; at < 1024; at += 64) {
    auto x = tt::load(a + i.col() * 1024 + (at + k).row());
    auto y = tt::load(b + (at + k).col() * size + i.row());
    sum = tt::dot(x, y, sum);
  }
  tt::store(c + i.col() * size + i.row(), sum);
}

__global__ void parent(float *x, int n, int *filled, const tt::float16 *a, const tt::float16 *b, float *c) {
  scale<<<(n + 63) / 64, 1, 0, cudaStreamFireAndForget>>>(x, n);
  fill<3><<<1>>>(filled);
  product<<<1, 1, 0, cudaStreamTailLaunch>>>(a, b, c);
}

int main() {
  const int n = 1000;
  float *x, *c;
  int *filled;
  tt::float16 *a, *b;
  if (cudaMallocManaged(&x, n * sizeof(float)) || cudaMallocManaged(&filled, 32 * sizeof(int)) ||
      cudaMallocManaged(&a, size * 1024 * 2) || cudaMallocManaged(&b, size * 1024 * 2) ||
      cudaMallocManaged(&c, size * size * sizeof(float))) {
    printf("FAIL tile kernels launched on the device: no memory\n");
    return 1;
  }
  for (int i = 0; i < n; ++i)
    x[i] = i;
  for (int i = 0; i < size * 1024; ++i)
    a[i] = i % 7 - 3, b[i] = i % 5 - 2;
  parent<<<1, 1>>>(x, n, filled, a, b, c);
  cudaError_t error = cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += x[i] != 3 * i;
  for (int i = 0; i < 32; ++i)
    wrong += filled[i] != 3;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      int sum = 0;
      for (int k = 0; k < 1024; ++k)
        sum += ((i * 1024 + k) % 7 - 3) * ((k * size + j) % 5 - 2);
      wrong += c[i * size + j] != sum;
    }
  printf("%s tile kernels launched on the device: error %d, %d wrong\n", error || wrong ? "FAIL" : "PASS", error, wrong);
  return error || wrong;
}
