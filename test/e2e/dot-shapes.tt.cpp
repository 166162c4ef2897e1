// Tests matrix multiplications with several shapes of tiles, one to eight warps, and sizes around the edges of tiles.
// RUN: %tcc -O2 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_LEVEL=2 %t
// RUN: %emulate %t
// RUN: %emulate_at_random %t

#include "support/matmul.h"

int main() {
  return e2e::run("dot-shapes", [] {
    for (int M : {1, 15, 16, 17})
      for (int N : {1, 16, 33})
        for (int K : {1, 15, 16, 17, 40})
          check<float, float, 16, 16, 16>(M, N, K);
    check<float, float, 32, 32, 16, 1>(33, 63, 17);
    check<float, float, 64, 16, 32, 2>(65, 31, 33);
    check<float, float, 64, 64, 16, 8>(130, 70, 95);
  });
}
