// What the threads of a warp do together: shuffles, votes, matches, reductions, an election.
#include <cstdint>

__global__ void shuffles(const int *in, double *doubles, int *out) {
  int lane = threadIdx.x, v = in[lane];
  v += __shfl_sync(~0u, v, 3);
  v += __shfl_up_sync(~0u, v, 1, 16);
  v += __shfl_down_sync(~0u, v, 2);
  v += __shfl_xor_sync(0xFFFF, v, 4, 8);
  doubles[lane] = __shfl_xor_sync(~0u, doubles[lane], 1);
  out[lane] = v;
}

__global__ void votes(const int *in, unsigned *out) {
  int v = in[threadIdx.x];
  unsigned active = __activemask();
  out[0] = __ballot_sync(active, v > 3);
  out[1] = __any_sync(~0u, v == 5);
  out[2] = __all_sync(~0u, v != 6);
  if (v & 1) {
    out[3] = __activemask();
    __syncwarp(out[4]);
  }
}

__global__ void matches(const int *in, const uint64_t *wide, unsigned *out) {
  int all;
  out[0] = __match_any_sync(~0u, in[threadIdx.x]);
  out[1] = __match_any_sync(~0u, wide[threadIdx.x]);
  out[2] = __match_all_sync(~0u, in[threadIdx.x], &all);
  out[3] = all;
}

#if __CUDA_ARCH__ >= 800
__global__ void reductions(const int *in, int *out, unsigned *bits) {
  int v = in[threadIdx.x];
  out[0] = __reduce_add_sync(~0u, v);
  out[1] = __reduce_min_sync(~0u, v);
  out[2] = __reduce_max_sync(~0u, v);
  bits[0] = __reduce_min_sync(~0u, bits[threadIdx.x]);
  bits[1] = __reduce_and_sync(~0u, bits[threadIdx.x]);
  bits[2] = __reduce_or_sync(~0u, bits[threadIdx.x]);
  bits[3] = __reduce_xor_sync(~0u, bits[threadIdx.x]);
}
#endif

#if __CUDA_ARCH__ >= 900
__global__ void election(int *out) {
  asm volatile("{\n"
               ".reg .pred P;\n"
               ".reg .b32 leader;\n"
               "elect.sync leader|P, 0xffffffff;\n"
               "@P st.global.u32 [%0], leader;\n"
               "elect.sync _|P, 0xffffffff;\n"
               "@!P st.global.u32 [%0+4], 1;\n"
               "}" ::"l"(out)
               : "memory");
}
#endif
