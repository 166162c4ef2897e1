#include "shared.h"
#include <tilecc/tt.h>

namespace one {
__tile_global__ void fill(float *x, float value) { tt::store(x + tt::arange<32>(), tt::full<float, 32>(value)); }
} // namespace one

// The same name in both libraries, hidden in each.
namespace {
__tile_global__ void twice(float *x) {
  auto p = x + tt::arange<32>();
  tt::store(p, tt::load(p) * 2.0f);
}
} // namespace

void multiply_in_one(float *x) {
  twice<<<1>>>(x);
  add<1><<<1>>>(x);
}
