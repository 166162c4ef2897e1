// 20: loads and launches PTX with the CUDA driver API, without CUDA's runtime or tcc's. The driver compiles the PTX for
// the GPU of the machine. The PTX of a tile kernel (tcc --emit=ptx add.tt.cpp) is loaded in the same way: it takes the
// parameters of the C++ declaration, and .reqntid gives the number of threads.
//
//   tcc -ptx -arch=compute_80 vector-add.cu -o vector-add.ptx
//   tcc --rt=none driver-api.cpp -I$CUDA_PATH/include -lcuda -o driver-api && ./driver-api vector-add.ptx

#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

static void check(CUresult result, const char *call) {
  if (result == CUDA_SUCCESS)
    return;
  const char *text = "an error without a name";
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s: %s\n", call, text);
  std::exit(EXIT_FAILURE);
}
#define CHECK(call) check(call, #call)

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "vector-add.ptx");
  std::string ptx{std::istreambuf_iterator<char>(file), {}};

  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction function;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuModuleLoadData(&module, ptx.c_str()));
  CHECK(cuModuleGetFunction(&function, module, "vector_add"));

  int n = 100003;
  std::vector<float> x(n), y(n), out(n);
  for (int i = 0; i < n; ++i)
    x[i] = float(i), y[i] = 0.5f * float(i);
  const size_t bytes = n * sizeof(float);
  CUdeviceptr dx, dy, dout;
  CHECK(cuMemAlloc(&dx, bytes));
  CHECK(cuMemAlloc(&dy, bytes));
  CHECK(cuMemAlloc(&dout, bytes));
  CHECK(cuMemcpyHtoD(dx, x.data(), bytes));
  CHECK(cuMemcpyHtoD(dy, y.data(), bytes));

  void *arguments[] = {&dx, &dy, &dout, &n};
  CHECK(cuLaunchKernel(function, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(out.data(), dout, bytes));

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += out[i] != x[i] + y[i];
  std::printf("driver-api: %s, %d of %d wrong\n", wrong ? "WRONG" : "correct", wrong, n);
  CHECK(cuModuleUnload(module));
  CHECK(cuDevicePrimaryCtxRelease(device));
  return wrong != 0;
}
