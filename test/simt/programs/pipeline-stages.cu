// cuda::pipeline of a block: copies of the next stage while this one is used.
// The emulator finds a race in libcu++, for which it is not asked here: a lane invalidates the pipeline's barriers after
// the last wait of another lane of its warp, and only match.any stands in between, which orders no memory.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ env TILECC_EMU_CHECKS=memory,init %emulated %t | FileCheck %s %}
// RUN: %if emulated-cudart %{ not env TILECC_EMU_CHECKS=races,nothing %emulated %t 2>&1 | FileCheck %s --check-prefix=WRONG %}
// CHECK: PASS
// WRONG: emulated CUDA: TILECC_EMU_CHECKS=races,nothing: the checks are 'all', 'none', or some of
#include "Inputs/check.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out, int stages) {
  constexpr int depth = 2, size = 128;
  __shared__ __align__(16) int buffer[depth][size];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, depth> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int use = 0, fetch = 0; use < stages; ++use) {
    for (; fetch < stages && fetch < use + depth; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffer[fetch % depth], in + fetch * size, cuda::aligned_size_t<16>(sizeof buffer[0]),
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += buffer[use % depth][size - 1 - threadIdx.x] * (use + 1);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  const int stages = 5;
  int *in = allocate<int>(stages * 128), *out = allocate<int>(128);
  for (int i = 0; i < stages * 128; ++i)
    in[i] = i * 3 % 50;
  sums<<<1, 128>>>(in, out, stages);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 128; ++i) {
    int sum = 0;
    for (int stage = 0; stage < stages; ++stage)
      sum += in[stage * 128 + 127 - i] * (stage + 1);
    wrong += out[i] != sum;
  }
  return report("pipeline-stages", wrong);
}
