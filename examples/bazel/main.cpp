// Calls a kernel of a Bazel workspace by its C++ function.
#include "scale.h"

#include <cstdio>
#include <tilecc/runtime.h>
#include <vector>

int main() {
  std::vector<float> x(1000, 3.0f);
  tt::device_buffer<float> dx(x.data(), x.size());
  scale(dx.data(), 14.0f, int(x.size()));
  dx.copy_to(x.data());
  std::printf("%g\n", x[999]);
}
