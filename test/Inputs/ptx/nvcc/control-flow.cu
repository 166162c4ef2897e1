// Branches, loops, jump tables, and the promises about a launch.
__global__ void jumpTable(int *out, int n) {
  switch (n) {
  case 0: out[0] = out[1] / 3; break;
  case 1: out[1] = out[2] * 5; [[fallthrough]];
  case 2: out[2] ^= out[3]; break;
  case 3: out[3] = __popc(out[4]); break;
  case 4: out[4] = out[5] >> 2; break;
  case 5: out[5] = -out[6]; break;
  case 6: out[6] = out[7] & 0x55; break;
  case 7: out[7] = ~out[8]; break;
  case 9: out[8] = out[9] + 12; break;
  default: out[9] = 0;
  }
}

__global__ void collatz(const unsigned *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned value = in[i];
  int steps = 0;
  while (value != 1) {
    if (++steps > 1000)
      break;
    value = value & 1 ? 3 * value + 1 : value / 2;
  }
  out[i] = steps;
}

__global__ void __launch_bounds__(128, 2) bounded(int *out) { out[threadIdx.x] = 1; }
__global__ void __maxnreg__(40) registers(int *out) { out[threadIdx.x] = 2; }

#if __CUDA_ARCH__ >= 900
__global__ void __cluster_dims__(2, 1, 1) clusters(int *out) { out[blockIdx.x] = 3; }
__global__ void __launch_bounds__(128, 1, 4) clusterBounds(int *out) { out[blockIdx.x] = 4; }
#endif

__global__ void gotos(int *out, int n) {
  int i = 0;
again:
#pragma unroll 1
  for (int j = 0; j < 3; ++j)
    if (out[i + j] == n)
      goto done;
  if (++i < n)
    goto again;
done:
  out[0] = i;
  if (threadIdx.x == 5)
    asm volatile("exit;");
  __nanosleep(100);
}
