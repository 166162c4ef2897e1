// Shared memory, static (also of several dimensions) and dynamic; barriers that also vote.
extern __shared__ float dynamicPart[];

__global__ void reduce(const float *in, float *out, int n) {
  __shared__ float part[8];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  for (int offset = 16; offset; offset >>= 1)
    sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; ++w)
      sum += part[w];
    out[blockIdx.x] = sum;
  }
}

__global__ void transpose(const int *in, int *out, int width) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int row = 0; row < 32; row += 8)
    out[(y + row) * width + x] = tile[threadIdx.x][threadIdx.y + row];
}

__global__ void scan(const float *in, float *out) {
  dynamicPart[threadIdx.x] = in[threadIdx.x];
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    float other = threadIdx.x >= step ? dynamicPart[threadIdx.x - step] : 0;
    __syncthreads();
    dynamicPart[threadIdx.x] += other;
  }
  out[threadIdx.x] = dynamicPart[threadIdx.x];
}

__global__ void barrierVotes(const int *in, int *out) {
  int value = in[threadIdx.x];
  out[0] = __syncthreads_count(value > 0);
  out[1] = __syncthreads_and(value > 1);
  out[2] = __syncthreads_or(value > 2);
}
