#include <cstdio>
extern __device__ int addInDevice(int x);
__global__ void kernel(int *x) { *x = addInDevice(*x); }
int main(int argc, char **) {
  if (argc > 1) // on a GPU
    kernel<<<1, 1>>>(nullptr);
  std::puts("separate");
}
