// A tensor map that the program creates by the driver's function, which it asks the runtime for. Blocks at the edge read
// zeros outside of the tensor, and do not store there.
//
// RUN: %tcc -O2 -gencode arch=compute_90,code=[sm_90,compute_90] --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

constexpr int width = 48, height = 40, box = 32;

__global__ void addOne(const __grid_constant__ CUtensorMap map, int *wrong) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(128) int tile[box][box];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  const int corner[] = {int(blockIdx.x) * box, int(blockIdx.y) * box};
  if (threadIdx.x == 0) {
    init(&arrived, blockDim.x);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, tile, &map, corner,
                              cuda::device::barrier_native_handle(arrived));
    token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof tile);
  } else {
    token = arrived.arrive();
  }
  arrived.wait(cuda::std::move(token));
  for (int i = threadIdx.x; i < box * box; i += blockDim.x) {
    bool inside = corner[0] + i % box < width && corner[1] + i / box < height;
    if (!inside && tile[i / box][i % box])
      atomicAdd(wrong, 1);
    tile[i / box][i % box] += 1;
  }
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &map, corner, tile);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
}

template <class F> F *driverFunction(const char *name, unsigned version) {
  void *function;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion(name, &function, version, cudaEnableDefault, &found));
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<F *>(function) : nullptr;
}

int main() {
  auto *encode = driverFunction<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled", 12000);
  long wrong = !encode;
  wrong += driverFunction<void()>("cuTensorMapEncodeTiled", 11080) != nullptr; // older than the function
  wrong += driverFunction<void()>("cuNoSuchFunction", 12000) != nullptr;
  int *values = allocate<int>(width * height), *outside = allocate<int>(1);
  *outside = 0;
  for (int i = 0; i < width * height; ++i)
    values[i] = i;
  CUtensorMap map;
  const cuuint64_t sizes[] = {width, height}, strides[] = {width * sizeof(int)};
  const cuuint32_t boxSizes[] = {box, box}, steps[] = {1, 1};
  auto make = [&](int rank) {
    return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, values, sizes, strides, boxSizes, steps,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                  CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  wrong += make(7) != CUDA_ERROR_INVALID_VALUE;
  wrong += make(2) != CUDA_SUCCESS;
  addOne<<<dim3((width + box - 1) / box, (height + box - 1) / box), 128>>>(map, outside);
  finishKernels();
  wrong += *outside;
  for (int i = 0; i < width * height; ++i)
    wrong += values[i] != i + 1;
  return report("tensor-map", wrong);
}
