// 26: overlapping copies and kernels. The data is processed in parts, each in its own stream. While the GPU computes
// one part, the next one is copied to the GPU, and the previous result is copied back.
//
//   tcc -O2 streams.cu -o streams && ./streams

#include "../support/cuda_check.h"
#include <chrono>
#include <cmath>
#include <tilecc/tt.h>

__tile_global__ void iterate(float *x, int n, int rounds) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto value = tt::load(x + i, i < n);
  for (int round = 0; round < rounds; ++round)
    value = value * 0.5f + 1.0f; // converges to 2
  tt::store(x + i, value, i < n);
}

static double milliseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - since).count();
}

int main() {
  const int parts = 8, partSize = 1 << 20, n = parts * partSize, rounds = 200;
  float *host, *device;
  CHECK(cudaMallocHost(&host, n * sizeof(float))); // only copies of pinned memory overlap with kernels
  CHECK(cudaMalloc(&device, n * sizeof(float)));

  cudaStream_t streams[parts];
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

  double times[3];
  for (int run = 0; run < 3; ++run) { // run 0 loads the code; run 1 uses one stream; run 2 uses one stream per part
    for (int i = 0; i < n; ++i)
      host[i] = float(i % 1000);
    CHECK(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    for (int part = 0; part < parts; ++part) {
      cudaStream_t stream = streams[run == 2 ? part : 0];
      float *from = host + size_t(part) * partSize, *to = device + size_t(part) * partSize;
      CHECK(cudaMemcpyAsync(to, from, partSize * sizeof(float), cudaMemcpyHostToDevice, stream));
      iterate<<<tt::cdiv(partSize, 1024), stream>>>(to, partSize, rounds);
      CHECK(cudaMemcpyAsync(from, to, partSize * sizeof(float), cudaMemcpyDeviceToHost, stream));
    }
    CHECK(cudaDeviceSynchronize());
    times[run] = milliseconds(start);
  }

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += !(std::fabs(host[i] - 2.0f) < 1e-5f);
  std::printf("one stream %.2f ms, %d streams %.2f ms\n", times[1], parts, times[2]);
  for (cudaStream_t stream : streams)
    CHECK(cudaStreamDestroy(stream));
  return report("streams", wrong, n);
}
