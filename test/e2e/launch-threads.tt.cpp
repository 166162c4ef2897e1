// Tests simultaneous launches from several threads, of the same and of different kernels, including the first launch.
// RUN: %tcc -O2 -pthread %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: env TILECC_DEVICE=cpu TILECC_NUM_THREADS=1 %t
// RUN: %tcc -O1 -g -pthread -fsanitize=address %s -o %t.asan && env TILECC_DEVICE=cpu %t.asan
// RUN: %tcc -O1 -g -pthread -fsanitize=thread %s -o %t.tsan && env TILECC_DEVICE=cpu TILECC_NUM_THREADS=4 %t.tsan
// RUN: %emulate %t

#include "support/check.h"

#include <thread>

constexpr int block = 64;

template <int Amount> __tile_global__ void add(int *x, int n) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto v = tt::load(x + i, i < n);
  tt::debug_barrier(); // several threads load each of so few elements, one stores it
  tt::store(x + i, v + Amount, i < n);
}
__tile_global__ void scale(int *x, int n, int factor) {
  auto i = tt::program_id(0) * block + tt::arange<block>();
  auto v = tt::load(x + i, i < n);
  tt::debug_barrier(); // several threads load each of so few elements, one stores it
  tt::store(x + i, v * factor, i < n);
}

int main() {
  return e2e::run("launch-threads", [] {
    const int threads = 8, rounds = 20, n = 10 * block + 3, grid = tt::cdiv(n, block);
    std::vector<e2e::buffer<int>> buffers;
    for (int t = 0; t < threads; ++t)
      buffers.emplace_back(n, [](int) { return int(e2e::between(0, 9)); });
    std::vector<ttError_t> errors(threads, ttErrorUnknown);
    std::vector<std::thread> workers;
    for (int t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        int *x = buffers[t].data();
        try {
          tt::stream stream;
          for (int r = 0; r < rounds; ++r) {
            if (t % 2)
              add<1><<<grid, stream>>>(x, n);
            else
              add<2><<<grid, stream>>>(x, n);
            scale<<<grid, stream>>>(x, n, r % 10 == 5 ? 2 : 1);
          }
          stream.synchronize();
          if (t == 3) // each thread has its own last error
            scale<<<dim3(1, 1, 65536)>>>(x, n, 0);
          errors[t] = ttGetLastError();
        } catch (const tt::error &error) {
          errors[t] = error.code();
        }
      });
    for (std::thread &worker : workers)
      worker.join();
    for (int t = 0; t < threads; ++t) {
      e2e::context("thread %d", t);
      E2E_EXPECT(errors[t] == (t == 3 ? ttErrorInvalidConfiguration : ttSuccess));
      buffers[t].expect([&](int i) {
        int v = buffers[t][i];
        for (int r = 0; r < rounds; ++r)
          v = (v + (t % 2 ? 1 : 2)) * (r % 10 == 5 ? 2 : 1);
        return v;
      });
    }
  });
}
