// 10: counting. Each program counts the bytes of its part in a tile of 256 numbers. It adds the whole tile to memory
// with one atomic addition.
//
//   tcc -O2 byte-counts.tt.cpp -o byte-counts && ./byte-counts

#include "../support/report.h"
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int BLOCK> __tile_global__ void count_bytes(const unsigned char *x, int *counts, int n, int per_program) {
  auto bins = tt::arange<256>();
  auto sum = tt::zeros<int, 256>();
  int first = tt::program_id(0) * per_program, last = tt::minimum(first + per_program, n);
  for (int i = first; i < last; i += BLOCK) {
    auto at = i + tt::arange<BLOCK>();
    sum += tt::histogram<256>(tt::load(x + at, at < last, (unsigned char)0), at < last);
  }
  tt::atomic_add(counts + bins, sum);
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 4'000'003), part = 65536;
  auto numbers = tt::random_normal(n, 3);
  std::vector<unsigned char> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = static_cast<unsigned char>(static_cast<int>(numbers[i] * 40) + 128);
  tt::buffer<unsigned char> dx(x);
  tt::buffer<int> counts(256);
  auto time = tt::do_bench([&] {
    TT_CHECK(ttMemsetAsync(counts, 0, counts.bytes(), nullptr));
    count_bytes<1024><<<tt::cdiv(n, part)>>>(dx, counts, n, part);
  });
  std::vector<int> expected(256);
  double plain_ms = example::median_ms([&] {
    std::fill(expected.begin(), expected.end(), 0);
    for (unsigned char byte : x)
      ++expected[byte];
  });
  return example::report("histogram", tt::compare("counts", counts.to_vector(), expected).difference, 0, time.median,
                         plain_ms, n, "GB/s");
}
