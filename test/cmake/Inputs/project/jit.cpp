#include <cstdio>
#include <tilecc/jit.h>

int main() {
  tt::jit_options options;
  options.cache = false;
  tt::jit_kernel kernel = tt::jit("#include <tilecc/tt.h>\n__tile_global__ void set(int *x, int n) { tt::store(x, n); }\n", "set", options);
  tt::device_buffer<int> x(1);
  tt::launch(kernel, 1, nullptr, x.data(), 7);
  int value = 0;
  x.copy_to(&value);
  std::printf("at run time %d\n", value);
  return value != 7;
}
