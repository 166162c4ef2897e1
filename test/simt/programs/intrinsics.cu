// Bits, integer products, byte permutations, inline PTX and fast functions.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void kernel(const unsigned *x, unsigned *out, float *real) {
  unsigned v = x[threadIdx.x], *mine = out + threadIdx.x * 8;
  mine[0] = __popc(v) * 1000 + __clz(v);
  mine[1] = __brev(v);
  mine[2] = __ffs(v);
  mine[3] = __byte_perm(v, 0, 0x0123);
  mine[4] = __umulhi(v, 0x10000);
  mine[5] = __dp4a(int(v), 0x01010101, 0);
  mine[6] = __funnelshift_l(v, v, 8);
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(mine[7]) : "r"(v), "r"(3u), "r"(7u));
  real[threadIdx.x] = __expf(0.5f) + rsqrtf(4.0f) + __fdividef(1.0f, 4.0f) + __saturatef(3.0f);
}

int main() {
  auto *x = allocate<unsigned>(32), *out = allocate<unsigned>(32 * 8);
  auto *real = allocate<float>(32);
  for (int i = 0; i < 32; ++i)
    x[i] = 0x9e3779b9u * (i + 1);
  kernel<<<1, 32>>>(x, out, real);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i) {
    unsigned v = x[i], *mine = out + i * 8, reversed = 0;
    int bytes = 0;
    for (int bit = 0; bit < 32; ++bit)
      reversed |= (v >> bit & 1) << (31 - bit);
    for (int byte = 0; byte < 4; ++byte)
      bytes += (signed char)(v >> byte * 8);
    wrong += mine[0] != unsigned(__builtin_popcount(v) * 1000 + __builtin_clz(v)) || mine[1] != reversed;
    wrong += mine[2] != unsigned(__builtin_ffs(v)) || mine[3] != __builtin_bswap32(v) || mine[4] != v >> 16;
    wrong += mine[5] != unsigned(bytes) || mine[6] != (v << 8 | v >> 24) || mine[7] != v * 3 + 7;
    wrong += !close(real[i], std::exp(0.5) + 0.5 + 0.25 + 1);
  }
  return report("intrinsics", wrong);
}
