// Errors in kernels on the CPU device must be reported with kernel, program, address, and the nearest allocation.
// Two programs that run at once may both make the mistake; either may be the one that is reported.
// RUN: %tcc -O2 -arch=compute_90 %s -o %t
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_CHECKS=1 %t
// RUN: not --crash env TILECC_DEVICE=cpu %t null 2>&1 | FileCheck %s --check-prefix=NULL
// RUN: not --crash env TILECC_DEVICE=cpu TILECC_CPU_CHECKS=1 %t behind 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not --crash env TILECC_DEVICE=cpu TILECC_CPU_CHECKS=1 %t before 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: not --crash env TILECC_DEVICE=cpu TILECC_CPU_CHECKS=1 %t freed 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: env TILECC_DEVICE=cpu TILECC_CPU_CHECKS=1 %t beside 2>&1 | FileCheck %s --check-prefix=BESIDE
// RUN: %tcc -O2 -g -arch=compute_90 %s -o %t.g
// RUN: not --crash env TILECC_DEVICE=cpu TILECC_CPU_CHECKS=1 %t.g behind 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: env TILECC_DEVICE=cpu %t assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=4 %t assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: env TILECC_DEVICE=cpu %t lost 2>&1 | FileCheck %s --check-prefix=LOST
#include <cstdio>
#include <cstring>
#include <string>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

__tile_global__ void fill(float *x, int first, int n) {
  auto i = first + tt::program_id(0) * 64 + tt::arange<64>();
  tt::store(x + i, 1.0f, i < n);
}
__tile_global__ void demand(int *x, int limit) {
  tt::device_assert(tt::program_id(0) < limit, "too many programs");
  *x = 7;
}

// LINE: tilecc: {{.*}}cpu-mistakes.tt.cpp:[[#@LINE-7]]: kernel 'fill', program [1, 0, 0] on the CPU device: access to 0x
// NULL: tilecc: kernel 'fill', program [{{[01]}}, 0, 0] on the CPU device: access to {{.+}}, which is not memory of this process (TILECC_CPU_CHECKS=1 gives bounds to each allocation)
// BEHIND: tilecc: kernel 'fill', program [1, 0, 0] on the CPU device: access to 0x{{[0-9a-f]+}}, {{[0-9]+}} bytes past the end of an allocation of 400 bytes at 0x
// BEFORE: tilecc: kernel 'fill', program [{{[01]}}, 0, 0] on the CPU device: access to 0x{{[0-9a-f]+}}, {{[0-9]+}} bytes before an allocation of 400 bytes at 0x
// FREED: tilecc: kernel 'fill', program [{{[01]}}, 0, 0] on the CPU device: access to 0x{{[0-9a-f]+}}, {{[0-9]+}} bytes into an allocation of 400 bytes at 0x{{[0-9a-f]+}} that has been freed

int main(int count, char **argv) {
  std::string mistake = count > 1 ? argv[1] : "";
  tt::device_buffer<float> x(100);
  tt::device_buffer<int> number(1);
  float *p = x.data();
  if (mistake == "freed")
    x = tt::device_buffer<float>();
  if (mistake == "assert") {
    // ASSERT: cpu-mistakes.tt.cpp:[[#@LINE-18]]: demand(int*, int): program: [2,0,0] Assertion `too many programs` failed.
    // ASSERT: 710 kernel 'demand': an assertion failed
    demand<<<3>>>(number.data(), 2);
    std::printf("%d %s\n", ttGetLastError(), ttGetLastErrorMessage());
  } else if (mistake == "beside") {
    // BESIDE: tilecc: kernel 'fill' on the CPU device has written 8 bytes at 0x{{[0-9a-f]+}}, 8 bytes before an allocation of 400 bytes at
    // BESIDE-NEXT: 700 kernel 'fill' has written 8 bytes at 0x{{[0-9a-f]+}}, 8 bytes before an allocation of 400 bytes at
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    fill<<<1>>>(p, -2, 0);
    std::printf("%d %s\n", ttGetLastError(), ttGetLastErrorMessage());
  } else if (mistake == "lost") {
    // LOST: 9 kernel 'fill': {{.*}}
    // LOST-NEXT: {{^}}0{{$}}
    // LOST-NEXT: {{^}}0 9{{$}}
    int block = 32, one;
    fill<<<1, block>>>(p, 0, 100);
    std::printf("%d %s\n", ttMemcpy(&one, number.data(), sizeof(one), ttMemcpyDeviceToHost), ttGetLastErrorMessage());
    std::printf("%d\n", ttMemcpy(&one, number.data(), sizeof(one), ttMemcpyDeviceToHost));
    (void)ttGetLastError();
    fill<<<1, block>>>(p, 0, 100);
    int asked = ttGetLastError();
    std::printf("%d %d\n", ttDeviceSynchronize(), asked);
  } else {
    fill<<<2>>>(mistake == "null" ? nullptr : p, mistake == "before" ? -64 * 64 : 0, mistake == "behind" ? 200 : 100);
    tt::check(ttDeviceSynchronize());
  }
}
