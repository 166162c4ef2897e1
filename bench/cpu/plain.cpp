#include "plain.h"
#include <cmath>

void plainAdd(const float *x, const float *y, float *out, long begin, long end) {
  for (long i = begin; i < end; ++i)
    out[i] = x[i] + y[i];
}

void plainSoftmax(const float *x, float *out, int stride, int cols, int beginRow, int endRow) {
  for (int r = beginRow; r < endRow; ++r) {
    const float *in = x + long(r) * stride;
    float *o = out + long(r) * stride;
    float max = in[0], sum = 0;
    for (int j = 0; j < cols; ++j)
      max = in[j] > max ? in[j] : max;
    for (int j = 0; j < cols; ++j) {
      o[j] = expf(in[j] - max);
      sum += o[j];
    }
    for (int j = 0; j < cols; ++j)
      o[j] /= sum;
  }
}
