// 30: memory shared by the host and the device. The program contains no explicit copies. Prefetches move data before it
// is needed.
//
//   tcc -O2 managed-buffer.tt.cpp -o managed-buffer && ./managed-buffer

#include "../support/report.h"
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>

__tile_global__ void square(float *x, int n) {
  auto i = tt::program_id(0) * 1024 + tt::arange<1024>();
  auto values = tt::load(x + i, i < n);
  tt::store(x + i, values * values, i < n);
}

int main(int argc, char **argv) {
  const int n = example::size_from(argc, argv, (1 << 24) + 77);
  auto input = example::random_floats(n);
  int device;
  tt::check(ttGetDevice(&device));
  tt::stream stream;
  tt::managed_buffer<float> x(n);

  double error = 0;
  double ms[2]; // without and with prefetches
  for (int prefetches = 0; prefetches < 2; ++prefetches) {
    ms[prefetches] = example::median_ms([&] {
      for (int i = 0; i < n; ++i)
        x[i] = input[i]; // written by the host, at the same address
      if (prefetches)
        x.prefetch(device, stream);
      square<<<tt::cdiv(n, 1024), stream>>>(x.data(), n);
      tt::check(ttGetLastError());
      if (prefetches)
        x.prefetch(ttCpuDeviceId, stream);
      stream.synchronize();
      double sum = 0; // the host reads all of it
      for (float value : x)
        sum += value;
      if (std::isnan(sum))
        error = sum;
    }, 3);
    for (int i = 0; i < n; ++i)
      error = std::max(error, std::fabs(x[i] - double(input[i]) * input[i]) / (1 + double(input[i]) * input[i]));
  }
  std::printf("write, square, read: %.3f ms when pages move as they are touched, %.3f ms with prefetches\n", ms[0],
              ms[1]);
  return example::report("managed-buffer", error, 1e-6, ms[1], ms[0], 2.0 * sizeof(float) * n, "GB/s");
}
