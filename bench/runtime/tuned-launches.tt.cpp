// Compares the cost of a tuned launch with a launch of the kernel itself. The choice is for a key that was seen before,
// among many keys; key, heuristic and grid are lambdas. Runs on any device, and prints PASS or FAIL according to the
// bound.
//
//   tcc -O2 -arch=sm_90 -static-libstdc++ -static-libgcc tuned-launches.tt.cpp -o tuned-launches && ./tuned-launches

#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <tilecc/tune.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

struct blocking {
  int size, warps;
};

template <blocking B>
[[tt::num_warps(B.warps)]] __tile_global__ void touch(float *x, const float *y, int n, int rows, int columns,
                                                      float scale) {
  auto i = tt::program_id(0) * B.size + tt::arange<B.size>();
  auto mask = i < n && rows + columns > 0;
  tt::store(x + i, tt::load(y + i, mask) * scale, mask);
}

constexpr blocking blockings[] = {{16, 1}, {32, 1}, {64, 1}, {128, 1}};
static auto tuned_touch = tt::autotune<blockings>([]<blocking B>() { return touch<B>; });
static auto fancy_touch = tt::autotune<blockings>(
    []<blocking B>() { return touch<B>; },
    tt::key([](float *, const float *, int, int rows, int columns, float) { return tt::tuning_key(rows, columns); }),
    tt::heuristics(
        [](const blocking &b, float *, const float *, int, int, int columns, float) { return columns % b.size == 0; }));

using steady = std::chrono::steady_clock;
constexpr int launches = 200, rounds = 400;
constexpr double bound = 100;

template <class F> static double nanoseconds(F launch) {
  auto start = steady::now();
  for (int i = 0; i < launches; ++i)
    launch();
  double time = std::chrono::duration<double, std::nano>(steady::now() - start).count() / launches;
  tt::check(ttDeviceSynchronize());
  return time;
}

static double median(std::vector<double> &times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

template <class Tuned> static bool compare(const char *name, const Tuned &tuned, float *x, const float *y) {
  const int n = 16, rows = 64;
  for (int columns = 128; columns <= 1 << 20; columns *= 2) // other keys
    tuned.choose([](const blocking &) { return 1; }, nullptr, x, y, n, rows, columns, 2.0f);
  const int columns = 1024;
  const blocking &best = tuned.choose([](const blocking &) { return 1; }, nullptr, x, y, n, rows, columns, 2.0f);
  void (*kernel)(float *, const float *, int, int, int, float) = best.size == 16   ? touch<blockings[0]>
                                                                 : best.size == 32 ? touch<blockings[1]>
                                                                 : best.size == 64 ? touch<blockings[2]>
                                                                                   : touch<blockings[3]>;
  auto plain = [&] { tt::launch(kernel, tt::cdiv(n, best.size), nullptr, x, y, n, rows, columns, 2.0f); };
  auto chosen = [&] {
    tuned.launch([&](const blocking &b) { return tt::cdiv(n, b.size); }, nullptr, x, y, n, rows, columns, 2.0f);
  };
  std::vector<double> times[2];
  for (int round = 0; round < rounds; ++round) // alternately, and each round begins with another one
    for (int k = 0; k < 2; ++k)
      times[(round + k) % 2].push_back((round + k) % 2 ? nanoseconds(chosen) : nanoseconds(plain));
  double plain_time = median(times[0]), tuned_time = median(times[1]);
  bool passed = tuned_time - plain_time <= bound;
  std::printf("%s: %s: plain %.0f ns, tuned %.0f ns: %.0f ns more, bound %.0f\n", passed ? "PASS" : "FAIL", name,
              plain_time, tuned_time, tuned_time - plain_time, bound);
  return passed;
}

int main() {
  tt::device_buffer<float> x(1 << 10), y(1 << 10);
  bool all = compare("a tuned launch", tuned_touch, x.data(), y.data());
  all &= compare("with a key and a heuristic", fancy_touch, x.data(), y.data());
  return all ? 0 : 1;
}
