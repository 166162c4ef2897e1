// 20: PTX for the driver API. This file is compiled to PTX, which driver-api.cpp loads at run time.
//
//   tcc -ptx -arch=compute_80 vector-add.cu -o vector-add.ptx

extern "C" __global__ void vector_add(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = x[i] + y[i];
}
