// A sparse matrix times a vector: a warp for each row.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <vector>
__global__ void multiply(const int *rows, const int *columns, const float *values, const float *x, float *y, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n)
    return;
  float sum = 0;
  for (int i = rows[row] + lane; i < rows[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int distance = 16; distance; distance /= 2)
    sum += __shfl_down_sync(~0u, sum, distance);
  if (lane == 0)
    y[row] = sum;
}

template <class T> T *onDevice(const std::vector<T> &host) {
  T *memory;
  CHECK(cudaMalloc(&memory, host.size() * sizeof(T)));
  CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

int main() {
  const int n = 77;
  std::vector<int> rows = {0}, columns;
  std::vector<float> values, x(n), y(n);
  for (int row = 0; row < n; ++row) {
    x[row] = float(row % 9 - 4);
    for (int column = row % 5; column < n; column += 1 + row % 7) {
      columns.push_back(column);
      values.push_back(float((row * column) % 13));
    }
    rows.push_back(int(columns.size()));
  }
  float *out = onDevice(y);
  multiply<<<(n * 32 + 127) / 128, 128>>>(onDevice(rows), onDevice(columns), onDevice(values), onDevice(x), out, n);
  finishKernels();
  CHECK(cudaMemcpy(y.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
  long wrong = 0;
  for (int row = 0; row < n; ++row) {
    double sum = 0;
    for (int i = rows[row]; i < rows[row + 1]; ++i)
      sum += values[i] * x[columns[i]];
    wrong += !close(y[row], sum);
  }
  return report("sparse", wrong);
}
