// __managed__ variables in CUDA's protocol: device code has them with an attribute, and the host has a pointer for
// each, which CUDA's runtime sets. Host code may use them and their addresses like any variable.
//
// RUN: %tcc --emit=host-llvm %s | FileCheck %s --check-prefix=HOST
// RUN: %tcc -ptx -arch=sm_90 %s -o - | FileCheck %s --check-prefix=PTX
// RUN: %tcc %s -o %t
//
// PTX-DAG: .visible .global .attribute(.managed) .align 4 .u32 counter = 1;
// PTX-DAG: .visible .global .attribute(.managed) .align 4 .b8 table[16]
// PTX-DAG: .visible .global .align 4 .u32 plain = 3;
// HOST-DAG: @counter.managed = internal global ptr null, section "__nv_managed_data__"
// HOST-DAG: call void @__cudaRegisterManagedVar({{.*}}, ptr @counter.managed,
// HOST-DAG: call void @__cudaRegisterManagedVar({{.*}}, ptr @table.managed,
// HOST-DAG: call {{.*}}@__cudaRegisterVar({{.*}}@plain
// HOST-DAG: call i8 @__cudaInitModule(
#include <cstdio>

__managed__ int counter = 1;
__managed__ float table[4] = {1, 2, 3, 4};
__device__ int plain = 3;

__global__ void kernel() {
  counter += 41 + plain;
  table[2] = 9;
}

int main(int argc, char **) {
  counter = 2;
  kernel<<<1, 1>>>();
  cudaError_t error = cudaDeviceSynchronize();
  float *third = argc > 1 ? table + 2 : &table[2];
  bool right = !error && counter == 46 && *third == 9 && table[3] == 4;
  printf("%s managed: error %d\n", right ? "PASS" : "FAIL", error);
  return !right;
}
