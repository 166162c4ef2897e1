// The game of life: two-dimensional blocks, and votes of a block.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
constexpr int size = 32;
__global__ void evolve(const unsigned char *in, unsigned char *out, int *population) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, neighbors = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        neighbors += in[(y + dy + size) % size * size + (x + dx + size) % size];
  bool lives = neighbors == 3 || (neighbors == 2 && in[y * size + x]);
  out[y * size + x] = lives;
  int alive = __syncthreads_count(lives);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    atomicAdd(population, alive);
  if (__syncthreads_or(lives) != (alive > 0) || __syncthreads_and(lives) != (alive == 256))
    atomicAdd(population, 100000);
}

int main() {
  unsigned char *grids[2] = {allocate<unsigned char>(size * size), allocate<unsigned char>(size * size)};
  int *population = allocate<int>(8);
  CHECK(cudaMemset(population, 0, 8 * sizeof(int)));
  CHECK(cudaMemset(grids[0], 0, size * size));
  CHECK(cudaDeviceSynchronize());
  for (int cell : {1, size + 2, 2 * size, 2 * size + 1, 2 * size + 2}) // a glider
    grids[0][cell] = 1;
  for (int round = 0; round < 8; ++round)
    evolve<<<dim3(2, 2), dim3(16, 16)>>>(grids[round % 2], grids[1 - round % 2], population + round);
  finishKernels();
  long wrong = 0;
  for (int round = 0; round < 8; ++round)
    wrong += population[round] != 5;
  for (int cell : {1, size + 2, 2 * size, 2 * size + 1, 2 * size + 2}) // two cells down, two to the right
    wrong += grids[0][cell + 2 * size + 2] != 1;
  return report("life", wrong);
}
