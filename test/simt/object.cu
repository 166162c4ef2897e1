// The contents of an object of a .cu: stubs with the kernels' names, CUDA's registration with one fatbinary for all
// targets, and no descriptor of tile kernels, since there are none.
//
// RUN: %tcc --emit=host-llvm %s | FileCheck %s --check-prefix=HOST --implicit-check-not="@__tilecc_register"
// RUN: %tcc -ptx -arch=compute_80 %s -o - | FileCheck %s --check-prefixes=PTX,SM80
// RUN: %tcc --emit=ptx -arch=sm_90 %s -o - | FileCheck %s --check-prefixes=PTX,SM90
// RUN: %tcc --emit=llvm -arch=sm_90 %s | FileCheck %s --check-prefix=LLVM
// RUN: %tcc -fatbin %s -o %t.fatbin && grep -c sm_80 %t.fatbin
// RUN: %tcc -x cu - -arch=sm_90 -cubin -o %t.cubin < %s
// RUN: %tcc -c %s -o %t.o && llvm-objdump -h %t.o | FileCheck %s --check-prefix=SECTIONS
// RUN: %tcc -c -t 1 %s -o %t.1.o && cmp %t.o %t.1.o

// HOST-DAG: define {{.*}}void @_Z5scalePffi(
// HOST-DAG: call {{.*}}@__cudaRegisterFatBinary(
// HOST-DAG: call {{.*}}@__cudaRegisterFunction({{.*}}@_Z5scalePffi,
// HOST-DAG: call {{.*}}@cudaLaunchKernel(ptr {{.*}}@_Z5scalePffi,
// HOST-DAG: call {{.*}}@__cudaPopCallConfiguration(
// PTX: .visible .entry _Z5scalePffi(
// SM80: ld.param.{{.}}32
// PTX: .loc
// SM90: .loc
// LLVM: target triple = "nvptx64-nvidia-cuda"
// LLVM: define {{.*}}ptx_kernel void @_Z5scalePffi(
// SECTIONS-DAG: .nv_fatbin
// SECTIONS-DAG: .nvFatBinSegment

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by;
}

void launch(float *x, int n, cudaStream_t stream) { scale<<<(n + 127) / 128, 128, 0, stream>>>(x, 2, n); }
