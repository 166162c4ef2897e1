/* 34: tile kernels in a C program that another compiler builds. It uses only the CUDA driver API.
 *
 *   tcc --emit=c-launcher -arch=sm_90 softmax.tt.cpp
 *   gcc -I$CUDA/include program.c softmax.c -L$CUDA/lib64/stubs -lcuda -lm -o program && ./program
 */
#include "softmax.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    CUresult result_ = call;                                                                                           \
    if (result_) {                                                                                                     \
      const char *text_ = "?";                                                                                         \
      cuGetErrorString(result_, &text_);                                                                               \
      printf("FAIL: %s: %s (%d)\n", #call, text_, result_);                                                            \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

enum { rows = 1000, most = 2048 };

/* The largest error of a run with addresses `offset` elements past an aligned one. */
static double run(const softmax_module *module, int columns, int offset) {
  static float x[rows * most], out[rows * most];
  CUdeviceptr device_x, device_out;
  double error = 0;
  size_t bytes = (size_t)rows * columns * sizeof(float);
  for (int i = 0; i < rows * columns; ++i)
    x[i] = (float)rand() / RAND_MAX * 20 - 10;
  CHECK(cuMemAlloc(&device_x, bytes + 64));
  CHECK(cuMemAlloc(&device_out, bytes + 64));
  CHECK(cuMemcpyHtoD(device_x + offset * sizeof(float), x, bytes));
  CHECK((columns <= 512 ? softmax_softmax_512 : softmax_softmax_2048)(
      module, 0, rows, 1, 1, device_x + offset * sizeof(float), device_out + offset * sizeof(float), columns));
  CHECK(cuMemcpyDtoH(out, device_out + offset * sizeof(float), bytes));
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i)
      sum += exp(x[row * columns + i]);
    for (int i = 0; i < columns; ++i)
      error = fmax(error, fabs(out[row * columns + i] - exp(x[row * columns + i]) / sum));
  }
  CHECK(cuMemFree(device_x));
  CHECK(cuMemFree(device_out));
  return error;
}

int main(void) {
  CUdevice device;
  CUcontext context;
  softmax_module module;
  int failed = 0;
  char name[256];
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof(name), device));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(softmax_load(&module));
  for (int i = 0; i < 4; ++i) {
    int columns = i < 2 ? 512 : 1999, offset = i % 2;
    double error = run(&module, columns, offset);
    int passed = error < 1e-6;
    printf("%s: softmax of %d columns, %d elements off, on %s: largest error %.2g\n", passed ? "PASS" : "FAIL", columns,
           offset, name, error);
    failed |= !passed;
  }
  CHECK(softmax_unload(&module));
  return failed;
}
