// Cooperative groups by label and by predicate, of other sizes, and what they know of themselves.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void groups(int *out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto byLabel = cg::labeled_partition(warp, int(threadIdx.x % 3));
  auto byPredicate = cg::binary_partition(warp, threadIdx.x < 5);
  auto four = cg::tiled_partition<4>(warp);
  int *mine = out + threadIdx.x * 5;
  mine[0] = int(byLabel.size() * 100 + byLabel.thread_rank());
  mine[1] = cg::reduce(byPredicate, int(threadIdx.x), cg::plus<int>());
  mine[2] = four.shfl(int(threadIdx.x), 3) * 100 + int(four.meta_group_rank());
  mine[3] = four.any(threadIdx.x == 6) * 2 + four.all(threadIdx.x < 30);
  mine[4] = cg::reduce(four, int(threadIdx.x * 7 % 11), cg::greater<int>());
}

int main() {
  int *out = allocate<int>(32 * 5);
  groups<<<1, 32>>>(out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i) {
    int *mine = out + i * 5, size = i % 3 < 2 ? 11 : 10, first = i / 4 * 4, most = 0;
    for (int k = first; k < first + 4; ++k)
      most = max(most, k * 7 % 11);
    wrong += (mine[0] != size * 100 + i / 3) + (mine[1] != (i < 5 ? 10 : 486)) +
             (mine[2] != (first + 3) * 100 + i / 4) + (mine[3] != (first == 4) * 2 + (first + 3 < 30)) +
             (mine[4] != most);
  }
  return report("groups-labeled", wrong);
}
