// Prints the device on which it runs, and what a sum and a product are there. With an argument, it adds on the second
// device, in a thread of its own, and copies the result to the first.
#include <cstdio>
#include <thread>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <vector>

__tile_global__ void sum(const float *x, float *out, int n) {
  auto i = tt::arange<1024>();
  *out = tt::sum(tt::load(x + i, i < n, 0.0f));
}

__tile_global__ void product(const _Float16 *a, const _Float16 *b, float *c) {
  auto i = tt::arange<32>();
  auto place = tt::expand_dims<1>(i) * 32 + tt::expand_dims<0>(i);
  tt::store(c + place, tt::dot(tt::load(a + place), tt::load(b + place), tt::zeros<float, 32, 32>()));
}

static void describe() {
  int device;
  ttDeviceProp properties;
  tt::check(ttGetDevice(&device));
  tt::check(ttGetDeviceProperties(&properties, device));
  bool is_cpu = properties.kind == ttDeviceKindCpu;
  std::printf("device %d: %s, architecture %x\n", device, is_cpu ? "CPU" : properties.name, is_cpu ? 0 : properties.arch);
}

// The sum of 1 to 1000, times what the first device computes on the second.
static void run() {
  describe();
  std::vector<float> numbers(1000), products(1024);
  std::vector<_Float16> a(1024), b(1024);
  for (int i = 0; i < 1000; ++i)
    numbers[i] = i + 1;
  for (int i = 0; i < 1024; ++i)
    a[i] = i / 32 == i % 32 ? 2 : 0, b[i] = i % 7;
  tt::stream stream;
  tt::device_buffer<float> x(numbers.data(), 1000), total(1), c(1024);
  tt::device_buffer<_Float16> da(a.data(), 1024), db(b.data(), 1024);
  sum<<<1, stream>>>(x.data(), total.data(), 1000);
  product<<<1, stream>>>(da.data(), db.data(), c.data());
  stream.synchronize();
  tt::check(ttGetLastError());
  float result;
  total.copy_to(&result);
  c.copy_to(products.data());
  bool is_right = true;
  for (int i = 0; i < 1024; ++i)
    is_right &= products[i] == 2 * (i % 7);
  std::printf("sum %g, product %s\n", result, is_right ? "right" : "wrong");
}

int main(int argc, char **) try {
  run();
  if (argc > 1)
    std::thread([] {
      tt::check(ttSetDevice(1));
      run();
    }).join();
} catch (const tt::error &error) {
  std::printf("%s\n", error.what());
  return 1;
}
