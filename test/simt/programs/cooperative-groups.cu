// Tiled partitions, reductions, scans and coalesced groups.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

__global__ void groups(int *out) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto eight = cg::tiled_partition<8>(warp);
  int i = block.thread_rank();
  int sum = cg::reduce(eight, i, cg::plus<int>());
  int before = cg::exclusive_scan(warp, 1);
  int odd = 0;
  if (i % 2) {
    cg::coalesced_group active = cg::coalesced_threads();
    odd = active.size();
  }
  block.sync();
  out[i] = sum * 10000 + before * 100 + odd;
}

int main() {
  int *out = allocate<int>(64);
  groups<<<1, 64>>>(out);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 64; ++i)
    wrong += out[i] != (i / 8 * 64 + 28) * 10000 + i % 32 * 100 + (i % 2 ? 16 : 0);
  return report("cooperative-groups", wrong);
}
