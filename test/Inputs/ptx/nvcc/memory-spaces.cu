// Constant, global, managed and local memory; initial values of every form; vector accesses and cache operators.
#include <cuda_fp16.h>

struct Node {
  const Node *next;
  const char *name;
  int values[3];
  float f;
  unsigned char flags;
};
extern __device__ const Node second;
__device__ const Node first = {&second, "first", {1, 2, 3}, 1.5f, 0xFF};
__device__ const Node second = {nullptr, "second", {-1, -2, -3}, -0.0f, 1};
__device__ int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ int *middle = &matrix[1][1];
__device__ float zeros[100];
__device__ double one = 1.0;
__device__ __half_raw oneAndAHalf = {0x3E00};
__device__ long long big = 0x123456789ABCDEF0;
__device__ bool flag = true;
__device__ float4 vector = {1, 2, 3, 4};
__constant__ float coefficients[4] = {0.5f, 1e-10f, -3, __builtin_huge_valf()};
__constant__ Node constantNode = {&first, "constant", {7, 8, 9}, 2.5f, 3};
__managed__ int managed = 42;
static __device__ volatile unsigned counter = 7;

__global__ void globals(int *out, float *f, int i) {
  out[0] = first.next->values[i] + second.next->values[i] + matrix[i][i] + *middle + managed + counter++;
  f[0] = zeros[i] + one + __half2float(__half(oneAndAHalf)) + big + flag + vector.y;
  out[1] = first.name[i];
}

__global__ void constants(float *out, int i) {
  out[0] = coefficients[i] + constantNode.values[i] + constantNode.next->f + coefficients[2];
}

__global__ void locals(int *out, int n) {
  int histogram[40] = {};
  double spare[3];
  for (int i = 0; i < n; ++i)
    ++histogram[out[i] % 40], spare[i % 3] = i;
  out[0] = histogram[n] + spare[n % 2];
}

__global__ void vectors(const float4 *a, float4 *b, const short4 *s, uchar2 *c, const double2 *d, longlong2 *l) {
  b[0] = a[threadIdx.x];
  c[0] = {static_cast<unsigned char>(s[1].x), static_cast<unsigned char>(s[1].w)};
  l[0] = {static_cast<long long>(d[0].x), static_cast<long long>(d[0].y)};
}

__global__ void cached(const int *__restrict__ in, int *out) {
  out[0] = __ldg(in) + __ldcg(in + 1) + __ldca(in + 2) + __ldcs(in + 3) + __ldlu(in + 4) + __ldcv(in + 5);
  __stwb(out + 1, 1), __stcg(out + 2, 2), __stcs(out + 3, 3), __stwt(out + 4, 4);
  out[5] = *static_cast<const volatile int *>(in);
  out[6] = __isGlobal(in);
  out[7] = __isShared(in) + __isLocal(in) + __isConstant(in);
}

__global__ void onlyOnce(int *out) {
  static int calls = 5; // of all threads
  static const int table[] = {3, 1, 4, 1, 5};
  out[0] = calls++ + table[out[1]];
}
