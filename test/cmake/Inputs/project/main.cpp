#include <app/scale.h>
#include <cstdio>
#include <tilecc/runtime.h>
#ifdef ONLY_TILE
#error "an option for TILE sources arrived at a C++ source"
#endif

int main() {
  float x[100];
  for (int i = 0; i < 100; ++i)
    x[i] = i;
  tt::device_buffer<float> dx(x, 100);
  scale(dx.data(), 100);
  dx.copy_to(x);
  for (int i = 0; i < 100; ++i)
    if (x[i] != SCALE * i + OFFSET)
      return std::printf("x[%d] is %g\n", i, x[i]), 1;
  std::printf("right, offset %d\n", OFFSET);
}
