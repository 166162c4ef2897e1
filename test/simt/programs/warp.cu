// Shuffles, votes, matches and warp-wide reductions.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void warp(int *out) {
  int lane = threadIdx.x, *mine = out + lane * 8;
  int scan = lane;
  for (int distance = 1; distance < 32; distance *= 2)
    if (int other = __shfl_up_sync(~0u, scan, distance); lane >= distance)
      scan += other;
  mine[0] = scan;
  mine[1] = __shfl_xor_sync(~0u, lane, 5);
  mine[2] = __shfl_sync(~0u, lane * lane, 7);
  mine[3] = __ballot_sync(~0u, lane % 3 == 0);
  mine[4] = __all_sync(~0u, lane < 32) * 2 + __any_sync(~0u, lane == 31);
  mine[5] = __match_any_sync(~0u, lane / 8);
  mine[6] = __reduce_add_sync(~0u, lane) + __reduce_max_sync(~0u, unsigned(lane));
  mine[7] = __popc(__activemask());
}

int main() {
  int *out = allocate<int>(32 * 8);
  warp<<<1, 32>>>(out);
  finishKernels();
  long wrong = 0;
  unsigned thirds = 0;
  for (int i = 0; i < 32; i += 3)
    thirds |= 1u << i;
  for (int lane = 0; lane < 32; ++lane) {
    int *mine = out + lane * 8;
    wrong += mine[0] != lane * (lane + 1) / 2 || mine[1] != (lane ^ 5) || mine[2] != 49 || unsigned(mine[3]) != thirds;
    wrong += mine[4] != 3 || unsigned(mine[5]) != 0xffu << (lane / 8 * 8) || mine[6] != 496 + 31 || mine[7] != 32;
  }
  return report("warp", wrong);
}
