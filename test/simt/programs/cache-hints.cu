// Loads and stores with cache operators, of scalars and vectors.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void copy(const float4 *in, float4 *out, const char2 *smallIn, char2 *smallOut, const double *wide,
                     double *wideOut) {
  int i = threadIdx.x;
  __stcs(out + i, __ldcs(in + i));
  __stcg(smallOut + i, __ldg(smallIn + i));
  __stwb(wideOut + i, __ldcg(wide + i));
  __stwt(wideOut + 32 + i, __ldca(wide + i));
}

int main() {
  auto *in = allocate<float4>(32), *out = allocate<float4>(32);
  auto *small = allocate<char2>(32), *smallOut = allocate<char2>(32);
  auto *wide = allocate<double>(32), *wideOut = allocate<double>(64);
  for (int i = 0; i < 32; ++i) {
    in[i] = make_float4(i, i + 1, i + 2, i + 3);
    small[i] = make_char2(i, -i);
    wide[i] = i * 0.5;
  }
  copy<<<1, 32>>>(in, out, small, smallOut, wide, wideOut);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i)
    wrong += out[i].x != i || out[i].w != i + 3 || smallOut[i].x != i || smallOut[i].y != -i || wideOut[i] != i * 0.5 ||
             wideOut[32 + i] != i * 0.5;
  return report("cache-hints", wrong);
}
