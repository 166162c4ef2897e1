// cp.async with groups and barriers, as since sm_80.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

__global__ void groups(const float4 *in, float4 *out) {
  __shared__ float4 stage[2][128];
  __pipeline_memcpy_async(&stage[0][threadIdx.x], in + threadIdx.x, 16);
  __pipeline_commit();
  __pipeline_memcpy_async(&stage[1][threadIdx.x], in + 128 + threadIdx.x, 16, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  out[threadIdx.x] = stage[0][threadIdx.x ^ 1];
  __pipeline_wait_prior(0);
  out[128 + threadIdx.x] = stage[1][threadIdx.x];
}

__global__ void barriers(const int *in, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int stage[256];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(stage + threadIdx.x, in + threadIdx.x, sizeof(int), barrier);
  auto token = barrier.arrive();
  barrier.wait(cuda::std::move(token));
  out[threadIdx.x] = stage[255 - threadIdx.x];
}

__global__ void cooperative(int *out) {
  namespace cg = cooperative_groups;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  out[block.thread_rank()] = cg::reduce(tile, out[0], cg::plus<int>()) + tile.shfl(out[1], 2) + tile.any(out[2]);
  cg::coalesced_group active = cg::coalesced_threads();
  out[2] = active.size() + active.thread_rank();
}
