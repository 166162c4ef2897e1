// libcu++ as the standard library of kernels: tuple, optional, variant, bit, numeric limits, chrono, mdspan, type
// traits.
//
// RUN: %tcc -O2 --cudart=shared %s -o %t
// RUN: %if emulated-cudart %{ %emulated %t | FileCheck %s %}
// CHECK: PASS
#include "Inputs/check.h"
#include <cuda/std/array>
#include <cuda/std/bit>
#include <cuda/std/chrono>
#include <cuda/std/limits>
#include <cuda/std/mdspan>
#include <cuda/std/optional>
#include <cuda/std/tuple>
#include <cuda/std/variant>
namespace std_ = cuda::std;

__host__ __device__ std_::optional<int> halved(int x) { return x % 2 ? std_::nullopt : std_::optional<int>(x / 2); }

__host__ __device__ int compute(int i, int *data) {
  std_::array<int, 3> values = {i, i + 1, i + 2};
  auto [low, high] = std_::make_tuple(values[0], values[2]);
  std_::variant<int, float> either = 1.5f * i;
  if (i % 2)
    either = low;
  int chosen = std_::visit([](auto v) { return int(v * 2); }, either);
  std_::mdspan<int, std_::extents<int, 4, std_::dynamic_extent>> grid(data, 8);
  grid(i % 4, i / 4) = std_::popcount(unsigned(i)) + std_::countl_zero(unsigned(i) | 1);
  static_assert(std_::numeric_limits<int>::max() == 0x7fffffff && std_::is_same_v<std_::decay_t<const int &>, int>);
  std_::chrono::milliseconds time = std_::chrono::seconds(high);
  return halved(i).value_or(-1) + chosen + int(time.count()) + grid(i % 4, i / 4);
}

__global__ void kernel(int *out, int *data) { out[threadIdx.x] = compute(threadIdx.x, data); }

int main() {
  int *out = allocate<int>(32), *data = allocate<int>(32), own[32];
  kernel<<<1, 32>>>(out, data);
  finishKernels();
  long wrong = 0;
  for (int i = 0; i < 32; ++i)
    wrong += out[i] != compute(i, own);
  for (int i = 0; i < 32; ++i)
    wrong += data[i] != own[i];
  return report("libcudacxx-types", wrong);
}
