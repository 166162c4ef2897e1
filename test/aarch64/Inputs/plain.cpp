// The loops of a C++ programmer for the same computations, which Clang vectorizes.
extern "C" void matmul(const float *__restrict a, const float *__restrict b, float *__restrict c, int M, int N, int K) {
  for (int m = 0; m < M; ++m)
    for (int k = 0; k < K; ++k)
      for (int n = 0; n < N; ++n)
        c[m * N + n] += a[m * K + k] * b[k * N + n];
}

// The formula of targets/cpu/FloatMath.cpp for arguments that are at most 0.
static float exponential(float x) {
  x = x < -176.0f ? -176.0f : x;
  const float shift = 0x1.8p23f, shifted = x * 1.4426950408889634f + shift, n = shifted - shift;
  const float coarse = x - n * 0x1.62e43p-1f, r = coarse + n * 0x1.05c61p-29f;
  float p = ((1.381454018e-03f * coarse + 8.368745109e-03f) * coarse + 4.166839078e-02f) * coarse + 1.666652040e-01f;
  p = ((p * r + 4.999999343e-01f) * r + 1.0f) * r + 1.0f;
  const int half = __builtin_bit_cast(int, shifted) << 9 >> 10, rest = (__builtin_bit_cast(int, shifted) << 9 >> 9) - half;
  return p * __builtin_bit_cast(float, (half + 127) << 23) * __builtin_bit_cast(float, (rest + 127) << 23);
}

extern "C" float softmax(const float *__restrict x, float *__restrict y, float largest, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] = exponential(x[i] - largest);
  return sum;
}

extern "C" void attention(const float *__restrict q, const float *__restrict k, float *__restrict scores, int keys,
                          int size) {
  for (int i = 0; i < keys; ++i) {
    float sum = 0;
    for (int d = 0; d < size; ++d)
      sum += q[d] * k[i * size + d];
    scores[i] = sum;
  }
}
