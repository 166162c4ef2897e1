#include <cstdio>
#include <tilecc/runtime.h>

namespace one { void fill(float *x, float value); }
namespace two { void fill(float *x, float value); }
void multiply_in_one(float *x);
void multiply_in_two(float *x);

int main() {
  float a[32], b[32];
  tt::device_buffer<float> da(32), db(32);
  tt::launch(one::fill, 1, nullptr, da.data(), 1); // the int becomes the kernel's float
  tt::launch(two::fill, 1, nullptr, db.data(), 10.0);
  multiply_in_one(da.data());
  multiply_in_two(db.data());
  da.copy_to(a);
  db.copy_to(b);
  std::printf("%g and %g\n", a[31], b[31]);
}
