// Instructions on the bytes and halves of words, sums of products of four bytes, bits.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void kernel(const unsigned *x, unsigned *out) {
  unsigned a = x[2 * threadIdx.x], b = x[2 * threadIdx.x + 1], *mine = out + threadIdx.x * 8;
  mine[0] = __vadd4(a, b);
  mine[1] = __vmaxu4(a, b);
  mine[2] = __vabsdiffu4(a, b);
  mine[3] = __vcmpgtu4(a, b);
  mine[4] = __dp4a(a, b, 5u);
  mine[5] = __vsub2(a, b);
  mine[6] = __sad(int(a & 0xffff), int(b & 0xffff), 3u);
  mine[7] = __uhadd(a, b) ^ __rhadd(int(a >> 1), int(b >> 1));
}

int main() {
  auto *x = allocate<unsigned>(64), *out = allocate<unsigned>(32 * 8);
  for (int i = 0; i < 64; ++i)
    x[i] = 0x85ebca6bu * (i + 3);
  kernel<<<1, 32>>>(x, out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i) {
    unsigned a = x[2 * i], b = x[2 * i + 1], sum = 0, greatest = 0, difference = 0, greater = 0, product = 5,
             *mine = out + i * 8;
    for (int shift = 0; shift < 32; shift += 8) {
      unsigned p = a >> shift & 255, q = b >> shift & 255;
      sum |= (p + q & 255) << shift;
      greatest |= max(p, q) << shift;
      difference |= (p > q ? p - q : q - p) << shift;
      greater |= (p > q ? 255u : 0u) << shift;
      product += p * q;
    }
    unsigned low = (a - b) & 0xffff, high = ((a >> 16) - (b >> 16)) << 16;
    int distance = abs(int(a & 0xffff) - int(b & 0xffff));
    unsigned mean = unsigned((1ull * a + b) / 2), rounded = unsigned((1ll * int(a >> 1) + int(b >> 1) + 1) >> 1);
    wrong += (mine[0] != sum) + (mine[1] != greatest) + (mine[2] != difference) + (mine[3] != greater) +
             (mine[4] != product) + (mine[5] != (low | high)) + (mine[6] != unsigned(distance) + 3) +
             (mine[7] != (mean ^ rounded));
  }
  return report("video-instructions", wrong);
}
