// Tests what only a GPU can run: tensors of more than 4 GiB, and grids of the largest sizes. Elsewhere, these tests are
// skipped.
// RUN: %tcc -O2 %s -o %t
// RUN: not env TILECC_DEVICE=cpu %t | FileCheck %s
// CHECK: limits: skipped: it needs a GPU

#include "support/check.h"

constexpr int block = 4096;

// Positions beyond 2^31 elements are 64-bit numbers.
__tile_global__ void mark_bytes(uint8_t *x, int64_t n) {
  auto i = int64_t(tt::program_id(0)) * block + tt::arange<block>().to<int64_t>();
  tt::store(x + i, i % 251, i < n);
}
// With fewer elements, positions fit into int, but their byte offsets do not.
__tile_global__ void mark_ints(int *x, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  tt::store(x + i, i ^ 0x5a5a5a5a, i < n);
}
// Rows with such a stride that the last one begins beyond 4 GiB.
__tile_global__ void add_rows(const int *x, int64_t *sums, int64_t stride) {
  auto r = tt::arange<4>()(tt::all, tt::newaxis).to<int64_t>();
  auto c = tt::arange<256>()(tt::newaxis, tt::all);
  tt::store(sums + tt::arange<4>(), tt::sum<1>(tt::load(x + r * stride + c).to<int64_t>()));
}

template <class T, class F> void check_places(const T *x, int64_t n, F reference) {
  const int64_t near_4g = (int64_t(1) << 32) / int64_t(sizeof(T)), near_2g = int64_t(1) << 31;
  for (int64_t around : {int64_t(0), near_2g, near_4g, n - 64})
    for (int64_t first = std::max<int64_t>(around - 64, 0); first < std::min(around + 64, n); first += 64) {
      T values[64];
      int64_t count = std::min<int64_t>(64, n - first);
      tt::check(ttMemcpy(values, x + first, count * sizeof(T), ttMemcpyDeviceToHost));
      for (int64_t i = 0; i < count; ++i)
        if (++e2e::checks; values[i] != reference(first + i))
          return e2e::fail("%s element %lld is %lld", e2e::name_of<T>, (long long)(first + i), (long long)values[i]);
    }
}

[[tt::num_warps(1)]] __tile_global__ void last_x(int *out) {
  if (tt::program_id(0) != 0x7ffffffe)
    return;
  out[0] = tt::program_id(0);
  out[1] = tt::num_programs(0);
}
[[tt::num_warps(1)]] __tile_global__ void last_yz(int *out) {
  int y = tt::program_id(1), z = tt::program_id(2);
  if (y != tt::num_programs(1) - 1 || z != tt::num_programs(2) - 1)
    return;
  out[0] = y;
  out[1] = z;
}

int main() {
  return e2e::run("limits", [] {
    if (e2e::device().kind != ttDeviceKindCuda)
      e2e::skip("it needs a GPU");
    size_t free, total;
    tt::check(ttMemGetInfo(&free, &total));
    if (free < size_t(14) << 30)
      e2e::skip("it needs 14 GiB of free memory on the GPU");
    {
      e2e::context("bytes");
      const int64_t n = (int64_t(5) << 30) + 77;
      tt::device_buffer<uint8_t> x(n);
      mark_bytes<<<unsigned((n + block - 1) / block)>>>(x.data(), n);
      e2e::synchronize();
      check_places(x.data(), n, [](int64_t i) { return uint8_t(i % 251); });
    }
    {
      e2e::context("ints");
      const int n = 0x7fffffff - block;
      tt::device_buffer<int> x(n);
      mark_ints<<<tt::cdiv(n, block)>>>(x.data(), n);
      e2e::synchronize();
      check_places(x.data(), n, [](int64_t i) { return int(i) ^ 0x5a5a5a5a; });
      e2e::context("rows");
      const int64_t stride = 500'000'003;
      e2e::buffer<int64_t> sums(4);
      add_rows<<<1>>>(x.data(), sums.data(), stride);
      sums.expect([&](int r) {
        int64_t sum = 0;
        for (int c = 0; c < 256; ++c)
          sum += int(r * stride + c) ^ 0x5a5a5a5a;
        return sum;
      });
    }
    e2e::context("grids");
    e2e::buffer<int> out(2);
    last_x<<<0x7fffffff>>>(out.data());
    out.expect([](int i) { return i == 0 ? 0x7ffffffe : 0x7fffffff; });
    for (dim3 grid : {dim3{1, 65535, 1}, dim3{1, 1, 65535}, dim3{1, 65535, 2}, dim3{2, 3, 65535}}) {
      e2e::buffer<int> place(2);
      last_yz<<<grid>>>(place.data());
      place.expect([&](int i) { return int(i == 0 ? grid.y : grid.z) - 1; });
    }
  });
}
