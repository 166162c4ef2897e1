// For sm_90 and later: mbarriers that count bytes, bulk and tensor copies, clusters, wgmma, through cuda::ptx and
// inline assembly.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;

__global__ void bulkCopies(const int *in, int *out) {
  __shared__ alignas(128) int stage[1024];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage, in, sizeof(stage), &full);
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, sizeof(stage));
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0))
    ;
  stage[threadIdx.x] += 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, stage, sizeof(stage));
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, stage, sizeof(stage));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

__global__ void tensorCopies(const __grid_constant__ CUtensorMap map, int x, int y) {
  __shared__ alignas(128) float tile[32][32];
  __shared__ uint64_t full;
  int coordinates[] = {x, y};
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, coordinates, &full);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, coordinates, &full, uint16_t(3));
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 2 * sizeof(tile));
  }
  while (!ptx::mbarrier_try_wait_parity(&full, 0))
    ;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, coordinates, tile);
    ptx::cp_reduce_async_bulk_tensor(ptx::space_global, ptx::space_shared, ptx::op_max, &map, coordinates, tile);
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
    asm volatile("cp.async.bulk.prefetch.tensor.2d.L2.global [%0, {%1, %2}];" ::"l"(&map), "r"(x), "r"(y) : "memory");
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint"
                 " [%0], [%1, {%2, %3, %2, %3}], [%4], {%5, %6}, %7;" ::"r"(x),
                 "l"(&map), "r"(x), "r"(y), "r"(y), "h"(static_cast<short>(1)), "h"(static_cast<short>(2)),
                 "l"(0x14F0000000000000)
                 : "memory");
  }
}

__global__ void __cluster_dims__(4) clusters(int *out) {
  __shared__ int mine;
  __shared__ uint64_t barrier;
  auto cluster = cooperative_groups::this_cluster();
  mine = cluster.block_rank();
  cluster.sync();
  int *theirs = cluster.map_shared_rank(&mine, (cluster.block_rank() + 1) % cluster.num_blocks());
  atomicAdd(theirs, 1);
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  ptx::st_async(theirs, 7, &barrier);
  ptx::red_async(ptx::op_add, theirs, 1, &barrier);
  out[cluster.block_rank()] = mine + cluster.thread_rank();
  asm volatile("mapa.shared::cluster.u32 %0, %1, 2;"
               : "=r"(out[5])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&mine))));
  asm volatile("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;" ::: "memory");
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
__global__ void warpGroups(uint64_t a, uint64_t b, float *out) {
  float f[4] = {};
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("{\n"
               ".reg .pred p;\n"
               "setp.ne.b32 p, %6, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, -1, 0, 1;\n"
               "}\n"
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])
               : "l"(a), "l"(b), "r"(static_cast<int>(b)));
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  out[threadIdx.x] = f[0] + f[1] + f[2] + f[3];
}
#endif
