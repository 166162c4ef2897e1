// A transpose through padded shared memory, of a ragged matrix.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
__global__ void transpose(const int *in, int *out, int rows, int columns) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < columns && y + j < rows)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < rows && y + j < columns)
      out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int rows = 70, columns = 101;
  int *in = allocate<int>(rows * columns), *out = allocate<int>(rows * columns);
  for (int i = 0; i < rows * columns; ++i)
    in[i] = i;
  transpose<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, columns);
  finishKernels();
  long wrong = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      wrong += out[column * rows + row] != row * columns + column;
  return report("transpose", wrong);
}
