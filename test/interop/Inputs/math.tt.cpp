// Mathematical functions, random numbers and libdevice in one kernel.
#include <tilecc/libdevice.h>
#include <tilecc/tt.h>

extern "C" __tile_global__ void everything(const float *x, float *out, int seed) {
  auto i = tt::arange<128>();
  auto v = tt::load(x + i), w = tt::load(x + 128 + i);
  auto r = tt::sin(v) + tt::cos(v) + tt::tanh(v) + tt::erf(v) + tt::pow(v, w) + tt::rsqrt(v) + tt::ceil(v);
  r += tt::sqrt_rn(v) + tt::div_rn(v, w) + tt::floor(v) + tt::fma(v, w, v) + tt::clamp(v, 0, w) + tt::sigmoid(v);
  r += tt::softmax(v) + tt::libdevice::sinpi(v) + tt::libdevice::atan2(v, w) + tt::exp2(v) + tt::log2(v);
  auto h = tt::sin(v.to<tt::float16>());
  tt::store(out + i, r + tt::randn(seed, i) + h.to<float>());
}
