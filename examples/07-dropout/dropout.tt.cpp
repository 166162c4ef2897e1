// 07: random numbers. Dropout with a counter-based generator: a seed and the index of an element decide whether the
// element is kept. So the backward pass needs no mask in memory, and every device keeps the same elements.
//
//   tcc -O2 dropout.tt.cpp -o dropout && ./dropout

#include "../support/report.h"
#include <random>
#include <tilecc/host.h>
#include <tilecc/tt.h>

template <int BLOCK> __tile_global__ void dropout(const float *x, float *out, int n, float p, int seed) {
  auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();
  auto keeps = tt::rand(seed, i) > p;
  tt::store(out + i, tt::where(keeps, tt::load(x + i, i < n) / (1 - p), 0.0f), i < n);
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, 1'000'003);
  const float p = 0.25f;
  auto x = tt::random_uniform(n, 1, 2, 5); // no zeros
  tt::buffer<float> dx(x), forward(n), backward(n);
  auto time = tt::do_bench([&] { dropout<1024><<<tt::cdiv(n, 1024)>>>(dx, forward, n, p, 42); });
  dropout<1024><<<tt::cdiv(n, 1024)>>>(dx, backward, n, p, 42);

  // Kept elements are scaled, about a quarter is dropped, and the same seed keeps the same elements.
  std::vector<float> out = forward.to_vector(), again = backward.to_vector();
  double error = out == again ? 0 : 1, dropped = 0;
  for (int i = 0; i < n; ++i) {
    dropped += out[i] == 0;
    error = std::max(error, out[i] == 0 ? 0 : std::fabs(out[i] - double(x[i]) / (1 - p)));
  }
  if (n > 10000)
    error = std::max(error, std::fabs(dropped / n - p) < 0.02 ? 0 : 1.0);
  std::mt19937 bits;
  std::uniform_real_distribution<float> numbers;
  double plain_ms = example::median_ms([&] {
    for (int i = 0; i < n; ++i)
      out[i] = numbers(bits) > p ? x[i] / (1 - p) : 0;
  });
  return example::report("dropout", error, 1e-6, time.median, plain_ms, 8.0 * n, "GB/s");
}
