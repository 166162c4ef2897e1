// -fsanitize=tile: each access is checked against its allocation on the CPU device, and a launch that makes a wrong one fails.
// RUN: %tcc -O2 -arch=compute_90 -fsanitize=tile %s -o %t
// RUN: env TILECC_DEVICE=cpu %t 2>&1 | FileCheck %s
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=4 %t 2>&1 | FileCheck %s
// RUN: %tcc -O2 -arch=compute_90 -fsanitize=address,tile %s -o %t.asan && env TILECC_DEVICE=cpu %t.asan 2>&1 | FileCheck %s
// RUN: %tcc -dryrun -fsanitize=undefined,tile %s 2>&1 | FileCheck %s --check-prefix=STEPS
// STEPS: tcc{{.*}}-fsanitize=undefined,tile
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <vector>

__tile_global__ void fill(float *x, int first, int n) {
  auto i = first + tt::program_id(0) * 64 + tt::arange<64>();
  tt::store(x + i, 1.0f, i < n);
}
__tile_global__ void sum_rows(const float *x, float *sums, int rows, int stride) {
  auto row = tt::program_id(0) * 4 + tt::arange<4>();
  auto column = tt::arange<16>();
  auto tile = tt::load(x + row.col() * stride + column.row(), row.col() < rows);
  tt::store(sums + row, tt::sum<1>(tile), row < rows);
}
__tile_global__ void count(int *counts, const int *which) {
  auto i = tt::arange<8>();
  tt::atomic_add(counts + tt::load(which + i), 1);
}
__tile_global__ void first_of(float *const *tensors, float *result) {
  *result = 0;
  for (int i = 0; i < 2; ++i)
    *result = *result + tensors[i][3];
}
__tile_global__ void at(float *x, int row, int stride) {
  // A row of a tensor with more elements than 32 bits can count.
  tt::store(x + row * stride + tt::arange<16>(), 1.0f, tt::arange<16>() < 0);
  tt::store(x + row * stride + tt::arange<16>(), 1.0f);
}

__tile_global__ void rows(float *x, int stride, int n) {
  auto row = tt::arange<16>(), column = tt::arange<16>();
  tt::store(x + row.col() * stride + column.row(), 1.0f, row.col() == n);
}

static void told(const char *what) {
  ttError_t error = ttGetLastError();
  std::printf("%s: %d %s\n", what, error, error ? ttGetLastErrorMessage() : "");
  std::fflush(stdout);
}

// The table of allocations is overwritten. The fault comes while it is searched, and the handler of signals does not wait for
// the search to end.
// RUN: env TILECC_DEVICE=cpu not --crash timeout 60 %t corrupt 2>&1 | FileCheck %s --check-prefix=CORRUPT
static void corrupt() {
  std::vector<float> own(100);
  tt::device_buffer<float> x(100);
  auto page = reinterpret_cast<uintptr_t>(x.data()) / 4096 * 4096;
  *reinterpret_cast<uintptr_t *>(page - (uintptr_t(1) << 30)) = 16;
  // CORRUPT: tilecc: {{.*}}kernel 'fill', program [0, 0, 0] on the CPU device: access to 0x
  fill<<<1>>>(own.data(), 0, 100);
}

int main(int argc, char **) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  if (argc > 1)
    return corrupt(), 0;
  tt::device_buffer<float> x(100), sums(10), other(100);
  tt::device_buffer<int> counts(8), which(8);
  // CHECK: inside: 0
  fill<<<2>>>(x.data(), 0, 100);
  told("inside");
  // CHECK: tilecc: {{.*}}cpu-sanitizer.tt.cpp:15: kernel 'fill', program [1, 0, 0] on the CPU device: store of 4 bytes at 0x{{[0-9a-f]+}}, 0 bytes past the end of an allocation of 400 bytes at 0x{{[0-9a-f]+}}
  // CHECK-NEXT: behind: 700 kernel 'fill': {{.*}}cpu-sanitizer.tt.cpp:15: program [1, 0, 0]: store of 4 bytes at {{.*}}, 0 bytes past the end of an allocation of 400 bytes at
  fill<<<2>>>(x.data(), 0, 101);
  told("behind");
  // CHECK: tilecc: {{.*}}: store of 4 bytes at {{.*}}, 4 bytes before an allocation of 400 bytes
  fill<<<1>>>(x.data(), -1, 1);
  told("before");
  // An access from one allocation into another is an error like any other.
  // CHECK: tilecc: {{.*}}: store of 4 bytes at {{.*}} an allocation of 400 bytes at
  // CHECK-NEXT: neighbour: 700
  long distance = other.data() - x.data();
  if (distance == int(distance)) {
    fill<<<1>>>(x.data(), int(distance), int(distance) + 1);
  } else {
    fill<<<1>>>(x.data(), 1 << 20, (1 << 20) + 1);
  }
  told("neighbour");
  // CHECK: tilecc: {{.*}}cpu-sanitizer.tt.cpp:20: kernel 'sum_rows', program [1, 0, 0] on the CPU device: load of 4 bytes at {{.*}}, 0 bytes past the end of
  sum_rows<<<2>>>(x.data(), sums.data(), 5, 23);
  told("a row");
  // CHECK: tilecc: {{.*}}cpu-sanitizer.tt.cpp:25: kernel 'count', {{.*}}: atomic access of 4 bytes at {{.*}}, 4 bytes past the end of an allocation of 32 bytes
  int host[8] = {0, 1, 2, 3, 9, 4, 5, 6};
  tt::check(ttMemcpy(which.data(), host, sizeof(host), ttMemcpyHostToDevice));
  count<<<1>>>(counts.data(), which.data());
  told("an index");
  // CHECK: tilecc: {{.*}}cpu-sanitizer.tt.cpp:30: kernel 'first_of', {{.*}}: load of 4 bytes at {{.*}}, 4 bytes past the end of an allocation of 8 bytes
  tt::device_buffer<float> two(2), four(4);
  tt::device_buffer<float *> tensors(2);
  float *pointers[2] = {four.data(), two.data()};
  tt::check(ttMemcpy(tensors.data(), pointers, sizeof(pointers), ttMemcpyHostToDevice));
  first_of<<<1>>>(tensors.data(), sums.data());
  told("a loaded pointer");
  // CHECK: tilecc: {{.*}}cpu-sanitizer.tt.cpp:35: kernel 'at', {{.*}}: store of 4 bytes at 0x{{[0-9a-f]+}}: its offset has overflowed 32 bits
  // CHECK-NEXT: overflow: 700
  at<<<1>>>(x.data(), 65536, 65536);
  told("overflow");
  // CHECK-NEXT: masked: 0
  rows<<<1>>>(x.data(), 1 << 28, 0);
  told("masked");
  // CHECK: tilecc: {{.*}}cpu-sanitizer.tt.cpp:40: kernel 'rows', {{.*}}: its offset has overflowed 32 bits
  // CHECK-NEXT: tile: 700
  rows<<<1>>>(x.data(), 1 << 28, 15);
  told("tile");
  // CHECK: tilecc: {{.*}}: store of 4 bytes at {{.*}}, 0 bytes into an allocation of 400 bytes at {{.*}} that has been freed
  float *freed = x.data();
  x = tt::device_buffer<float>();
  fill<<<1>>>(freed, 0, 1);
  told("freed");
  // CHECK: tilecc: {{.*}}: store of 4 bytes at 0x{{[0-9a-f]+}}, which is not a multiple of them
  // CHECK-NEXT: misaligned: 716
  fill<<<1>>>(reinterpret_cast<float *>(reinterpret_cast<char *>(other.data()) + 1), 0, 1);
  told("misaligned");
  // Copies must also stay within their memory and have the direction that they state.
  // CHECK-NEXT: copy: 1 ttMemcpy writes 404 bytes at 0x{{[0-9a-f]+}}, 0 bytes into an allocation of 400 bytes at
  std::vector<float> longer(101);
  (void)ttMemcpy(other.data(), longer.data(), 404, ttMemcpyHostToDevice);
  told("copy");
  // CHECK-NEXT: set: 1 ttMemset writes 8 bytes at 0x{{[0-9a-f]+}}, 396 bytes into
  (void)ttMemset(other.data() + 99, 0, 8);
  told("set");
  // CHECK-NEXT: direction: 21 ttMemcpy: the direction requires the destination to be memory of the device, but 0x{{[0-9a-f]+}} is not
  (void)ttMemcpy(longer.data(), other.data(), 400, ttMemcpyHostToDevice);
  told("direction");
  // CHECK-NEXT: right: 0
  (void)ttMemcpy(longer.data(), other.data(), 400, ttMemcpyDeviceToHost);
  told("right");
  // CHECK-NEXT: huge: 2 not enough memory for 70368744177664 bytes on the CPU device
  void *huge;
  (void)ttMalloc(&huge, size_t(1) << 46);
  told("huge");
  // Host memory has unknown bounds.
  // CHECK: host: 0
  std::vector<float> own(100);
  fill<<<2>>>(own.data(), 0, 100);
  told("host");
}
