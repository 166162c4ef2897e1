// Compares the cost of launching a kernel that was compiled at run time with that of the same kernel compiled ahead of
// time: the time until the call returns, in interleaved batches, on any device.
//
//   tcc -O2 jit-launches.tt.cpp -o jit-launches -ltilecc && ./jit-launches [batches]
//   TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 ./jit-launches
//
// Prints medians of nanoseconds for a launch, and their ratio.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <tilecc/jit.h>
#include <tilecc/tt.h>

#define KERNEL                                                                                                         \
  template <int BLOCK> __tile_global__ void add(const float *x, const float *y, float *out, int n) {                   \
    auto i = tt::program_id(0) * BLOCK + tt::arange<BLOCK>();                                                          \
    tt::store(out + i, tt::load(x + i, i < n) + tt::load(y + i, i < n), i < n);                                        \
  }
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
KERNEL

int main(int argc, char **argv) {
  const int batches = argc > 1 ? std::atoi(argv[1]) : 200, launches = 500, n = 64;
  tt::device_buffer<float> x(n), y(n), out(n);
  tt::stream stream;
  tt::jit_kernel jitted = tt::jit("#include <tilecc/tt.h>\n" TEXT(KERNEL), "add<64>");
  std::vector<double> times[2];
  auto batch = [&](int which, auto launch) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < launches; ++i)
      launch();
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    stream.synchronize();
    times[which].push_back(time.count() / launches);
  };
  for (int i = 0; i < batches; ++i) {
    batch(0, [&] { tt::launch(add<64>, 1, stream, x.data(), y.data(), out.data(), n); });
    batch(1, [&] { tt::launch(jitted, 1, stream, x.data(), y.data(), out.data(), n); });
  }
  double median[2];
  for (int which : {0, 1}) {
    std::sort(times[which].begin(), times[which].end());
    median[which] = times[which][batches / 2];
  }
  std::printf("ahead of time %.1f ns, at run time %.1f ns, ratio %.3f\n", median[0], median[1], median[1] / median[0]);
}
