// Measures the cost of launches and of graphs of launches, compared with plain CUDA: 100 small kernels, as launches and
// as one graph, of a tile kernel through tcc's runtime and of a SIMT kernel through CUDA's. One executable, which
// prints PASS or FAIL for each bound.
//
//   tcc -O2 -std=gnu++20 -gencode arch=compute_90,code=sm_90 --compress-mode=size -static-libstdc++ -static-libgcc \
//     bench/runtime/launches.cu -o launches

#include <cuda_runtime.h>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call)                                                                                                     \
  do {                                                                                                                 \
    cudaError_t error_ = call;                                                                                         \
    if (error_) {                                                                                                      \
      std::printf("FAIL: %s: %s\n", #call, cudaGetErrorString(error_));                                                \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int kernels = 100, n = 16 * 1024, runs = 200;

[[tt::num_warps(4)]] __tile_global__ void increment_tiles(float *x, int count) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  tt::store(x + i, tt::load(x + i, i < count) + 1.0f, i < count);
}

__global__ void increment_threads(float4 *x, int count) { // the same work per thread
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int j = 0; j < 2; ++j, i += 128)
    if (4 * i < count) {
      float4 v = x[i];
      x[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};
    }
}

struct Times {
  double total; // microseconds for all kernels, from the first call to the end on the GPU
  double calls; // the part of it until the last call has returned
};

template <class F> static Times median(cudaStream_t stream, F f) {
  std::vector<double> totals, calls;
  for (int run = 0; run < runs + 20; ++run) {
    CUDA(cudaStreamSynchronize(stream));
    auto start = std::chrono::steady_clock::now();
    f();
    auto called = std::chrono::steady_clock::now();
    CUDA(cudaStreamSynchronize(stream));
    auto end = std::chrono::steady_clock::now();
    if (run < 20)
      continue;
    calls.push_back(std::chrono::duration<double, std::micro>(called - start).count());
    totals.push_back(std::chrono::duration<double, std::micro>(end - start).count());
  }
  std::sort(totals.begin(), totals.end());
  std::sort(calls.begin(), calls.end());
  return {totals[runs / 2], calls[runs / 2]};
}

static bool print(const char *what, Times ours, Times plain, double bound) {
  double ratio = ours.total / plain.total;
  bool passed = ratio <= bound;
  std::printf("%s: %s: tcc %.1f us (calls %.1f), CUDA %.1f us (calls %.1f): %.3f times, bound %.2f\n",
              passed ? "PASS" : "FAIL", what, ours.total, ours.calls, plain.total, plain.calls, ratio, bound);
  return passed;
}

int main() {
  float *x;
  cudaStream_t stream;
  CUDA(cudaMalloc(&x, n * sizeof(float)));
  CUDA(cudaMemset(x, 0, n * sizeof(float)));
  CUDA(cudaStreamCreate(&stream));
  tt::check(ttPreload(nullptr));

  auto tiles = [&] {
    for (int i = 0; i < kernels; ++i)
      increment_tiles<<<n / 1024, stream>>>(x, n);
    tt::check(ttGetLastError());
  };
  auto threads = [&] {
    for (int i = 0; i < kernels; ++i)
      increment_threads<<<n / 1024, 128, 0, stream>>>(reinterpret_cast<float4 *>(x), n);
    CUDA(cudaGetLastError());
  };
  cudaGraph_t plain;
  cudaGraphExec_t plain_exec;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  threads();
  CUDA(cudaStreamEndCapture(stream, &plain));
  CUDA(cudaGraphInstantiate(&plain_exec, plain, 0));
  tt::graph_exec exec = tt::graph::capture(stream, tiles, ttStreamCaptureModeGlobal).instantiate();
  exec.upload(stream);
  CUDA(cudaGraphUpload(plain_exec, stream));

  bool passed = true;
  // Runs twice, the second time in the opposite order, and keeps the better of each: clocks and caches change
  // meanwhile.
  Times best[4];
  for (int round = 0; round < 2; ++round) {
    Times times[4];
    for (int k = 0; k < 4; ++k) {
      int which = round ? 3 - k : k;
      times[which] = which == 0   ? median(stream, tiles)
                     : which == 1 ? median(stream, threads)
                     : which == 2 ? median(stream, [&] { exec.launch(stream); })
                                  : median(stream, [&] { CUDA(cudaGraphLaunch(plain_exec, stream)); });
      if (round == 0 || times[which].total < best[which].total)
        best[which] = times[which];
    }
  }
  passed &= print("100 launches", best[0], best[1], 1.05);
  passed &= print("a graph of 100 launches", best[2], best[3], 1.02);
  std::printf("the graph of tile kernels takes %.2f of the launches' time\n", best[2].total / best[0].total);

  // All of them have added 1: 4 x (runs + 20) x 2 times 100. The launches during capture did not run.
  std::vector<float> host(n);
  CUDA(cudaMemcpy(host.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  const float expected = 4.0f * (runs + 20) * 2 * kernels;
  bool right = std::all_of(host.begin(), host.end(), [&](float value) { return value == expected; });
  std::printf("%s: every element is %.0f\n", right ? "PASS" : "FAIL", expected);
  return passed && right ? 0 : 1;
}
