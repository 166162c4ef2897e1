// A tile is in memory, because it is stored and reduced. When its mask was also in memory, the reduction must not read
// the end of the mask from there, because the memory of the mask may already hold the result.
// RUN: %tcc -O2 -arch=compute_80 %s -o %t
// RUN: env TILECC_DEVICE=cpu %t | FileCheck %s
// RUN: %emulate %t | FileCheck %s
#include <cstdio>
#include <tilecc/host.h>
#include <tilecc/tt.h>

__tile_global__ void largest_of_rows(const double *x, double *largest, double *copy, int n) {
  auto a = tt::arange<4>().col()(tt::all, tt::all, tt::newaxis);
  auto b = tt::arange<2>().row()(tt::all, tt::all, tt::newaxis);
  auto c = tt::arange<2>().row()(tt::all, tt::newaxis, tt::all);
  auto at = a * 4 + b * 2 + c;
  auto values = tt::load(x + at, tt::broadcast_to<4, 2, 2>(b < n), 4.0);
  tt::store(largest + tt::arange<4>().col() * 2 + tt::arange<2>().row(), tt::max<2>(values));
  tt::store(copy + at, values);
}

int main() {
  std::vector<double> numbers(16);
  for (int i = 0; i < 16; ++i)
    numbers[i] = -i;
  tt::buffer<double> x(numbers), largest(8, 99), copy(16, 99);
  for (int n : {2, 1}) {
    largest_of_rows<<<1>>>(x, largest, copy, n);
    for (double number : largest.to_vector())
      printf("%g ", number);
    puts("");
  }
  // CHECK: 0 -2 -4 -6 -8 -10 -12 -14
  // CHECK-NEXT: 0 4 -4 4 -8 4 -12 4
}
