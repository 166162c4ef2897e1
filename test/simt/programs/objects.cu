// Virtual functions, new and delete, recursion and pointers to functions on the device.
// The emulated runtime does not have pointers to functions.
//
// RUN: %tcc -O2 %s -o %t
#include "Inputs/check.h"
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  __device__ Circle(float radius) : radius(radius) {}
  __device__ float area() const override { return 3 * radius * radius; }
};

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ int (*const functions[2])(int) = {twice, square};

__global__ void kernel(float *out) {
  Shape *shape =
      threadIdx.x % 2 ? static_cast<Shape *>(new Square(float(threadIdx.x))) : new Circle(float(threadIdx.x));
  out[threadIdx.x] = shape->area() + fibonacci(threadIdx.x % 10) + functions[threadIdx.x % 2](threadIdx.x);
  delete shape;
}

int main() {
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  float *out = allocate<float>(32);
  kernel<<<1, 32>>>(out);
  finishKernels();
  int fib[10] = {0, 1};
  for (int i = 2; i < 10; ++i)
    fib[i] = fib[i - 1] + fib[i - 2];
  long wrong = 0;
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != (i % 2 ? 2 * i * i : 3 * i * i + 2 * i) + fib[i % 10];
  return report("objects", wrong);
}
