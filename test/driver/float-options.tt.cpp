// nvcc's floating-point options apply to the GPU code of kernels; the host's -ffast-math applies only to host code.
//
// RUN: %tcc --emit=ptx -arch=sm_90 %s | FileCheck %s --check-prefix=DEFAULT
// RUN: %tcc --emit=ptx -arch=sm_90 -ffast-math %s | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: fma.rn.f32
// DEFAULT: div.full.f32
// DEFAULT: sqrt.approx.f32
//
// RUN: %tcc --emit=ptx -arch=sm_90 -fmad=false -prec-div=true --prec-sqrt=true %s | FileCheck %s --check-prefix=PRECISE
// PRECISE-NOT: fma
// PRECISE: mul.rn.f32
// PRECISE: add.rn.f32
// PRECISE: div.rn.f32
// PRECISE: sqrt.rn.f32
//
// RUN: %tcc --emit=ptx -arch=sm_90 -use_fast_math %s | FileCheck %s --check-prefix=FAST
// FAST: fma.rn.ftz.f32
// FAST: div.approx.ftz.f32
// FAST: sqrt.approx.ftz.f32
//
// Options given in addition to -use_fast_math take precedence.
// RUN: %tcc --emit=ptx -arch=sm_90 -use_fast_math -ftz=false -prec-sqrt=true %s | FileCheck %s --check-prefix=MIXED
// MIXED: fma.rn.f32
// MIXED: sqrt.rn.f32
//
// RUN: not %tcc --emit=ptx -arch=sm_90 -ftz=maybe %s 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: -ftz=maybe: neither true nor false
//
// nvcc's spellings with the value after a space.
// RUN: %tcc --emit=ptx -arch=sm_90 -fmad false --prec-div true -prec-sqrt true -ftz false -maxrregcount 64 -std c++20 %s | FileCheck %s --check-prefix=PRECISE
// RUN: not %tcc --emit=ptx -fmad maybe %s 2>&1 | FileCheck %s --check-prefix=BAD-VALUE
// BAD-VALUE: error: -fmad{{=| }}maybe: neither true nor false
//
// On the CPU, multiplications and additions are contracted, too, for tiles and scalars, unless -fmad=false forbids it.
// RUN: %tcc --emit=cpu-asm --cpu-level=3 %s | FileCheck %s --check-prefix=CPU
// RUN: %tcc --emit=cpu-asm --cpu-level=3 -fmad=false %s | FileCheck %s --check-prefix=CPU-PRECISE --implicit-check-not=vfm
// CPU: vfmadd{{[0-9]+}}ps
// CPU: vfmadd{{[0-9]+}}ss
// CPU-PRECISE: vmulps
// CPU-PRECISE: vaddps
// CPU-PRECISE: vmulss
// CPU-PRECISE: vaddss
#include <tilecc/tt.h>

__tile_global__ void f(const float *x, float *out) {
  auto i = tt::arange<128>();
  auto v = tt::load(x + i), w = tt::load(x + 128 + i);
  auto s = v * w + v;
  tt::debug_barrier();
  tt::store(out + i, s);
  tt::store(out + 128 + i, s / w);
  tt::store(out + 256 + i, tt::sqrt(w));
  out[1024] = x[0] * x[1] + x[2];
}
