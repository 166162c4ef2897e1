// Atomics of every operation, type and scope, and the ordered loads and stores of cuda::atomic_ref.
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void integers(int *i, unsigned *u, unsigned long long *w, long long *s) {
  i[0] = atomicAdd(i + 1, 2);
  i[2] = atomicMin(i + 3, 4);
  i[4] = atomicMax(i + 5, 6);
  u[0] = atomicSub(u + 1, 2);
  u[2] = atomicInc(u + 3, 4);
  u[4] = atomicDec(u + 5, 6);
  u[6] = atomicMin(u + 7, 8);
  u[8] = atomicMax(u + 9, 10);
  u[10] = atomicAnd(u + 11, 12);
  u[12] = atomicOr(u + 13, 14);
  u[14] = atomicXor(u + 15, 16);
  u[16] = atomicExch(u + 17, 18);
  u[18] = atomicCAS(u + 19, 20, 21);
  w[0] = atomicAdd(w + 1, 2);
  w[2] = atomicMin(w + 3, 4);
  w[4] = atomicMax(w + 5, 6);
  w[6] = atomicAnd(w + 7, 8);
  w[8] = atomicOr(w + 9, 10);
  w[10] = atomicXor(w + 11, 12);
  w[12] = atomicExch(w + 13, 14);
  w[14] = atomicCAS(w + 15, 16, 17);
  s[0] = atomicMin(s + 1, -2);
  s[2] = atomicMax(s + 3, -4);
}

__global__ void noResult(int *i, float *f) { // red
  atomicAdd(i, 1);
  atomicMax(i + 1, 2);
  atomicAdd(f, 1.0f);
}

__global__ void floats(float *f, double *d, __half2 *h2, __nv_bfloat162 *b2, __half *h, __nv_bfloat16 *b) {
  f[0] = atomicAdd(f + 1, 2.0f);
  f[2] = atomicExch(f + 3, 4.0f);
  d[0] = atomicAdd(d + 1, 2.0);
  h2[0] = atomicAdd(h2 + 1, h2[2]);
  b2[0] = atomicAdd(b2 + 1, b2[2]);
  h[0] = atomicAdd(h + 1, h[2]);
  b[0] = atomicAdd(b + 1, b[2]);
}

__global__ void scopes(int *i, unsigned short *small) {
  __shared__ int counter;
  i[0] = atomicAdd_block(&counter, 1);
  i[1] = atomicAdd_system(i + 2, 3);
  i[3] = atomicCAS_block(i + 4, 5, 6);
  small[0] = atomicCAS(small + 1, 2, 3);
}

__global__ void ordered(int *i, unsigned long long *w) {
  cuda::atomic_ref<int, cuda::thread_scope_block> block(i[0]);
  cuda::atomic_ref<int, cuda::thread_scope_device> device(i[1]);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> system(*w);
  block.store(1, cuda::memory_order_relaxed);
  device.store(block.load(cuda::memory_order_acquire), cuda::memory_order_release);
  i[2] = device.fetch_add(2, cuda::memory_order_acq_rel);
  system.fetch_max(3, cuda::memory_order_relaxed);
  w[1] = system.exchange(4, cuda::memory_order_seq_cst);
  int expected = 5;
  i[3] = device.compare_exchange_strong(expected, 6, cuda::memory_order_seq_cst);
  __threadfence_block();
  __threadfence();
  __threadfence_system();
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}

#if __CUDA_ARCH__ >= 900
struct alignas(16) Pair {
  unsigned long long a, b;
};
__global__ void wide(Pair *p, float4 *f) {
  p[0] = atomicExch(p + 1, p[2]);
  p[3] = atomicCAS(p + 4, p[5], p[6]);
  f[0] = atomicAdd(f + 1, f[2]);
}
#endif
