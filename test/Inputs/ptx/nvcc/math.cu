// Floating point: every rounding, the approximate instructions, and what libdevice makes of the C library's functions.
__global__ void roundings(const float *f, const double *d, float *o, double *e, int *i, unsigned long long *w) {
  o[0] = __fadd_rn(f[0], f[1]), o[1] = __fadd_rz(f[0], f[1]), o[2] = __fmul_ru(f[0], f[1]),
  o[3] = __fmaf_rd(f[0], f[1], f[2]);
  o[4] = __fdiv_rz(f[0], f[1]), o[5] = __fsqrt_ru(f[0]), o[6] = __frcp_rd(f[0]), o[7] = __double2float_ru(d[0]);
  e[0] = __dadd_rz(d[0], d[1]), e[1] = __dmul_rd(d[0], d[1]), e[2] = __fma_ru(d[0], d[1], d[2]),
  e[3] = __ddiv_rn(d[0], d[1]);
  e[4] = __dsqrt_rz(d[0]), e[5] = __drcp_ru(d[0]), e[6] = __int2double_rn(i[9]), e[7] = __ull2double_rd(w[9]);
  i[0] = __float2int_rn(f[0]), i[1] = __float2int_rd(f[0]), i[2] = __double2int_ru(d[0]), w[0] = __float2ull_rz(f[0]);
  o[8] = __int2float_ru(i[8]), o[9] = __ll2float_rz(w[8]), o[10] = rintf(f[0]), o[11] = ceilf(f[0]),
  o[12] = truncf(f[1]);
  o[13] = __saturatef(f[0]), o[14] = fminf(f[0], f[1]), o[15] = copysignf(f[0], f[1]), o[16] = fabsf(f[0]);
  i[3] = isnan(f[0]), i[4] = isinf(d[0]), i[5] = signbit(f[0]), i[6] = isfinite(f[0]),
  i[7] = f[0] <= f[1] || !(d[0] > d[1]);
  i[10] = __float_as_int(f[3]), o[17] = __int_as_float(i[11]), e[8] = __hiloint2double(i[12], i[13]);
  i[14] = __double2loint(d[3]), i[15] = __double2hiint(d[3]);
}

__global__ void approximate(const float *f, float *o) {
  o[0] = __sinf(f[0]), o[1] = __cosf(f[0]), o[2] = __expf(f[0]), o[3] = __log2f(f[0]), o[4] = __fdividef(f[0], f[1]);
  o[5] = rsqrtf(f[0]), o[6] = __powf(f[0], f[1]), o[7] = __tanf(f[0]), o[8] = __frsqrt_rn(f[0]);
  asm("tanh.approx.f32 %0, %1;" : "=f"(o[9]) : "f"(f[0]));
}

__global__ void library(const float *f, float *o) {
  o[0] = sinf(f[0]), o[1] = expf(f[0]), o[2] = logf(f[0]), o[3] = powf(f[0], f[1]), o[4] = tanhf(f[0]);
  o[5] = erff(f[0]), o[6] = fmodf(f[0], f[1]), o[7] = f[0] / f[1], o[8] = sqrtf(f[0]);
}

__global__ void doubles(const double *d, double *o) { o[0] = exp(d[0]), o[1] = d[0] / d[1], o[2] = atan(d[0]); }
