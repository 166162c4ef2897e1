// 40: choosing tile sizes. The best blocking of a product depends on its shape and on the device. The first launch for
// a shape measures the candidates. Later launches find the answer in a cache, or in a table that is shipped with the
// program.
//
//   tcc -O2 tuning.tt.cpp -o tuning && TILECC_TUNE=verbose ./tuning
//   tcc-tune ./tuning                   makes tuning.tune, which the program finds next to itself

#include "../support/report.h"
#include <chrono>
#include <tilecc/tt.h>
#include <tilecc/tune.h>

#include <array>

struct blocking {
  int m, n, k, warps, stages;
  bool even_k; // K is a multiple of k: loads need no mask along it
};

template <blocking B>
[[tt::num_warps(B.warps), tt::num_stages(B.stages)]] __tile_global__ void
matmul(const tt::float16 *a, const tt::float16 *b, float *c, int M, int N, int K) {
  auto rm = tt::program_id(0) * B.m + tt::arange<B.m>();
  auto rn = tt::program_id(1) * B.n + tt::arange<B.n>();
  auto rk = tt::arange<B.k>();
  auto pa = a + rm(tt::all, tt::newaxis) * K + rk(tt::newaxis, tt::all);
  auto pb = b + rk(tt::all, tt::newaxis) * N + rn(tt::newaxis, tt::all);
  auto acc = tt::zeros<float, B.m, B.n>();
  for (int k = 0; k < K; k += B.k) {
    auto in_k = B.even_k ? tt::full<bool, B.k>(true) : rk < K - k;
    auto ta = tt::load(pa, (rm < M)(tt::all, tt::newaxis) && in_k(tt::newaxis, tt::all), tt::float16(0));
    auto tb = tt::load(pb, in_k(tt::all, tt::newaxis) && (rn < N)(tt::newaxis, tt::all), tt::float16(0));
    acc = tt::dot(ta, tb, acc);
    pa += B.k;
    pb += B.k * N;
  }
  auto pc = c + rm(tt::all, tt::newaxis) * N + rn(tt::newaxis, tt::all);
  tt::store(pc, acc, (rm < M)(tt::all, tt::newaxis) && (rn < N)(tt::newaxis, tt::all));
}

// Computes the list at compile time: each blocking with and without even_k.
template <size_t count> constexpr auto with_even_k(const blocking (&list)[count]) {
  std::array<blocking, 2 * count> both{};
  for (size_t i = 0; i < count; ++i) {
    both[2 * i] = both[2 * i + 1] = list[i];
    both[2 * i + 1].even_k = true;
  }
  return both;
}
constexpr auto blockings =
    with_even_k({{128, 128, 64, 8, 3}, {64, 128, 32, 4, 4}, {64, 64, 32, 4, 3}, {16, 64, 64, 4, 4}});

static auto tuned_matmul = tt::autotune<blockings>(
    []<blocking B>() { return matmul<B>; },
    tt::key(
        [](const tt::float16 *, const tt::float16 *, float *, int M, int N, int K) { return tt::tuning_key(M, N, K); }),
    tt::heuristics([](const blocking &b, const tt::float16 *, const tt::float16 *, float *, int, int, int K) {
      return b.even_k == (K % b.k == 0);
    }),
    // Skip tiles that are mostly outside C.
    tt::early_config_prune([](const blocking &b, const tt::float16 *, const tt::float16 *, float *, int M, int N, int) {
      return b.m < 2 * M && b.n < 2 * N;
    }));

static int multiply(int M, int N, int K) {
  auto a = example::random_floats(size_t(M) * K), b = example::random_floats(size_t(K) * N);
  auto c = example::poisoned(size_t(M) * N);
  std::vector<tt::float16> ha(a.begin(), a.end()), hb(b.begin(), b.end());
  tt::device_buffer<tt::float16> da(ha.data(), ha.size()), db(hb.data(), hb.size());
  tt::device_buffer<float> dc(c.data(), c.size());

  auto grid = [&](const blocking &b) { return dim3(tt::cdiv(M, b.m), tt::cdiv(N, b.n)); };
  auto run = [&] { tuned_matmul.launch(grid, nullptr, da.data(), db.data(), dc.data(), M, N, K); };
  double ms = example::median_ms(run);
  dc.copy_to(c.data());

  std::vector<double> reference(size_t(M) * N);
  auto start = std::chrono::steady_clock::now();
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        reference[size_t(m) * N + n] += double(ha[size_t(m) * K + k]) * double(hb[size_t(k) * N + n]);
  std::chrono::duration<double, std::milli> plain = std::chrono::steady_clock::now() - start;
  double error = example::largest_error(c, reference, /*scale=*/std::sqrt(double(K)));

  const blocking &best = tuned_matmul.choose(grid, nullptr, da.data(), db.data(), dc.data(), M, N, K);
  std::printf("%d x %d x %d in tiles of %d x %d x %d, %d warps, %d stages\n", M, N, K, best.m, best.n, best.k,
              best.warps, best.stages);
  return example::report("matmul", error, 1e-3, ms, plain.count(), 2.0 * M * N * K, "GFLOP/s");
}

int main(int argc, char **argv) {
  const int size = example::size_from(argc, argv, 512);
  int square = multiply(size, size, size);
  int flat = multiply(9, size, size + 3);
  return square || flat ? EXIT_FAILURE : EXIT_SUCCESS;
}
