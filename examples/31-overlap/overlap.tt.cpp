// 31: overlapping copies and kernels. The data is processed in parts, which are distributed over a few streams. While
// the GPU computes one part, the next one is copied to the GPU, and the previous result is copied back. In total, this
// takes hardly longer than copying or computing alone, whichever is longer. (On the CPU device and the emulator,
// streams run in order and nothing overlaps.)
//
//   tcc -O2 overlap.tt.cpp -o overlap && ./overlap

#include "../support/report.h"
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

__tile_global__ void iterate(const float *from, float *to, int n, int rounds) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto value = tt::load(from + i, i < n);
  for (int round = 0; round < rounds; ++round)
    value = value * 0.5f + 1.0f; // converges to 2
  tt::store(to + i, value, i < n);
}

int main(int argc, char **argv) {
  int device;
  ttDeviceProp properties;
  tt::check(ttGetDevice(&device));
  tt::check(ttGetDeviceProperties(&properties, device));
  const bool is_gpu = properties.kind == ttDeviceKindCuda || properties.kind == ttDeviceKindHip;
  const int part_size = example::size_from(argc, argv, is_gpu ? 1 << 20 : 10007), parts = is_gpu ? 64 : 5;
  enum { stream_count = 4 };

  // Only copies of pinned memory overlap with kernels.
  tt::pinned_buffer<float> host(size_t(part_size) * parts), result(host.size());
  auto input = example::random_floats(host.size());
  std::copy(input.begin(), input.end(), host.begin());
  std::fill(result.begin(), result.end(), -1.0f);

  struct Lane {
    explicit Lane(int size) : in(size), out(size) {}
    tt::stream stream;
    tt::device_buffer<float> in, out;
  };
  std::vector<Lane> lanes;
  for (int i = 0; i < stream_count; ++i)
    lanes.emplace_back(part_size);

  int rounds = 64;
  auto run = [&](bool copies, bool computes) {
    for (int part = 0; part < parts; ++part) {
      Lane &lane = lanes[part % stream_count];
      size_t first = size_t(part) * part_size;
      if (copies)
        lane.in.copy_from(&host[first], lane.stream);
      if (computes)
        iterate<<<tt::cdiv(part_size, 1024), lane.stream>>>(lane.in.data(), lane.out.data(), part_size, rounds);
      if (copies)
        lane.out.copy_to(&result[first], lane.stream);
    }
    tt::check(ttGetLastError());
  };

  double copy_ms = example::median_ms([&] { run(true, false); });
  double compute_ms = example::median_ms([&] { run(false, true); });
  for (; is_gpu && compute_ms < 1.2 * copy_ms; compute_ms = example::median_ms([&] { run(false, true); }))
    rounds = rounds * 3 / 2; // enough work to hide the copies
  double ms = example::median_ms([&] { run(true, true); });

  double error = 0;
  for (size_t i = 0; i < host.size(); ++i) {
    double expected = 2 + (input[i] - 2.0) * std::pow(0.5, rounds);
    error = std::max(error, std::fabs(result[i] - expected) / 2);
  }
  double ratio = ms / std::max(copy_ms, compute_ms);
  std::printf("copies alone %.3f ms, kernels alone %.3f ms, together %.3f ms: %.3f times the longer%s\n", copy_ms,
              compute_ms, ms, ratio,
              !is_gpu        ? ""
              : ratio <= 1.1 ? ", PASS (1.1)"
                             : ", FAIL (1.1)");
  return example::report("overlap", error, 1e-6, ms, copy_ms + compute_ms, 2.0 * sizeof(float) * host.size(), "GB/s");
}
