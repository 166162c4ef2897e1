// Arithmetic in half and bfloat16, and conversions down to 8, 6 and 4 bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void halfs(const __half *a, __half *o, int *i) {
  __half x = a[0], y = a[1], z = a[2];
  o[0] = __hadd(x, y), o[1] = __hmul(x, y), o[2] = __hfma(x, y, z), o[3] = __hdiv(x, y), o[4] = __hneg(x);
  o[5] = __habs(x), o[6] = __hmax(x, y), o[7] = __hmin_nan(x, y), o[8] = __hadd_sat(x, y), o[9] = __hfma_relu(x, y, z);
  o[10] = hsqrt(x), o[11] = hexp(x), o[12] = hlog2(x), o[13] = htanh_approx(x), o[14] = hrcp(x), o[15] = hfloor(x);
  i[0] = __hlt(x, y), i[1] = __hne(x, y), i[2] = __hisnan(x), i[3] = __half2int_rz(x), i[4] = __half2ll_rn(y);
  o[16] = __float2half_ru(1.1f), o[17] = __double2half(1.2), o[18] = __int2half_rn(i[5]), o[19] = __ushort2half_rd(7);
}

__global__ void halfPairs(const __half2 *a, __half2 *o, float2 *f, unsigned *m) {
  __half2 x = a[0], y = a[1], z = a[2];
  o[0] = __hadd2(x, y), o[1] = __hmul2(x, y), o[2] = __hfma2(x, y, z), o[3] = __hmax2(x, y), o[4] = h2exp2(x);
  o[5] = __hgt2(x, y), o[6] = __lowhigh2highlow(x), o[7] = __floats2half2_rn(f[0].x, f[0].y), f[1] = __half22float2(y);
  m[0] = __hle2_mask(x, y);
}

__global__ void bfloats(const __nv_bfloat16 *a, const __nv_bfloat162 *p, __nv_bfloat16 *o, __nv_bfloat162 *q,
                        float *f) {
  o[0] = __hadd(a[0], a[1]), o[1] = __hmul(a[0], a[1]), o[2] = __hfma(a[0], a[1], a[2]), o[3] = __hmax(a[0], a[1]);
  o[4] = __float2bfloat16_rz(f[0]), f[1] = __bfloat162float(a[3]), o[5] = __hfma_relu(a[0], a[1], a[2]);
  q[0] = __hadd2(p[0], p[1]), q[1] = __hfma2(p[0], p[1], p[2]), q[2] = __floats2bfloat162_rn(f[2], f[3]);
}

__global__ void eighths(const float2 *f, const __half2 *h, __nv_fp8x2_e4m3 *a, __nv_fp8x2_e5m2 *b, float2 *o) {
  a[0] = __nv_fp8x2_e4m3(f[0]), b[0] = __nv_fp8x2_e5m2(h[0]);
  o[0] = static_cast<float2>(a[1]), o[1] = static_cast<float2>(b[1]);
}
