// Plain loops, compiled with all of Clang's optimizations for them (see run.sh).
#include "loops.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

void loops::layerNorm(const float *__restrict x, const float *__restrict weight, const float *__restrict bias,
                      float *__restrict y, int rows, int columns) {
  for (int r = 0; r < rows; ++r, x += columns, y += columns) {
    float sum = 0, squares = 0;
    for (int c = 0; c < columns; ++c)
      sum += x[c];
    float mean = sum / columns;
    for (int c = 0; c < columns; ++c)
      squares += (x[c] - mean) * (x[c] - mean);
    float scale = 1 / std::sqrt(squares / columns + 1e-5f);
    for (int c = 0; c < columns; ++c)
      y[c] = (x[c] - mean) * scale * weight[c] + bias[c];
  }
}

void loops::rope(const float *__restrict x, const float *__restrict cosines, const float *__restrict sines,
                 float *__restrict y, int rows, int columns) {
  int half = columns / 2;
  for (int r = 0; r < rows; ++r, x += columns, y += columns, cosines += half, sines += half)
    for (int c = 0; c < half; ++c) {
      float first = x[c], second = x[half + c];
      y[c] = first * cosines[c] - second * sines[c];
      y[half + c] = second * cosines[c] + first * sines[c];
    }
}

void loops::cumsum(const float *__restrict x, float *__restrict y, int rows, int columns) {
  for (int r = 0; r < rows; ++r, x += columns, y += columns) {
    float sum = 0;
    for (int c = 0; c < columns; ++c)
      y[c] = sum += x[c];
  }
}

void loops::histogram(const int *__restrict x, int *__restrict counts, int rows, int columns) {
  for (int r = 0; r < rows; ++r, x += columns)
    for (int c = 0; c < columns; ++c)
      ++counts[x[c]];
}

void loops::attention(const float *__restrict q, const float *__restrict k, const float *__restrict v, float *__restrict out,
                      int length, float scale) {
  std::vector<float> scores(length);
  float *__restrict p = scores.data();
  for (int i = 0; i < length; ++i, q += 64, out += 64) {
    for (int j = 0; j <= i; ++j) {
      float score = 0;
      for (int d = 0; d < 64; ++d)
        score += q[d] * k[j * 64 + d];
      p[j] = score * scale;
    }
    float most = p[0], sum = 0, row[64] = {};
    for (int j = 1; j <= i; ++j)
      most = p[j] > most ? p[j] : most;
    for (int j = 0; j <= i; ++j)
      sum += p[j] = std::exp(p[j] - most);
    for (int j = 0; j <= i; ++j)
      for (int d = 0; d < 64; ++d)
        row[d] += p[j] * v[j * 64 + d];
    for (int d = 0; d < 64; ++d)
      out[d] = row[d] / sum;
  }
}

void loops::topK(const float *x, float *values, int *places, int rows, int columns) {
  std::vector<int> order(columns);
  for (int r = 0; r < rows; ++r, x += columns) {
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + 8, order.end(),
                      [&](int a, int b) { return x[a] > x[b] || (x[a] == x[b] && a < b); });
    for (int i = 0; i < 8; ++i)
      *values++ = x[*places++ = order[i]];
  }
}

void loops::crossEntropy(const float *__restrict logits, const int *__restrict labels, float *__restrict loss,
                         float *__restrict gradient, int rows, int columns) {
  for (int r = 0; r < rows; ++r, logits += columns, gradient += columns) {
    float most = logits[0], sum = 0;
    for (int c = 1; c < columns; ++c)
      most = logits[c] > most ? logits[c] : most;
    for (int c = 0; c < columns; ++c)
      sum += gradient[c] = std::exp(logits[c] - most);
    for (int c = 0; c < columns; ++c)
      gradient[c] *= 1 / sum;
    gradient[labels[r]] -= 1;
    loss[r] = std::log(sum) + most - logits[labels[r]];
  }
}

// The weights are unpacked once and not for each row of a.
void loops::matmulInt4(const float *__restrict a, const unsigned char *__restrict b, const float *__restrict scales,
                       float *__restrict c, int m, int n, int k) {
  std::vector<float> unpacked(size_t(n) * k);
  float *__restrict weights = unpacked.data();
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < n; ++j)
      weights[i * n + j] = float((b[i / 2 * n + j] >> (i % 2 * 4) & 15) - 8) * scales[i / 64 * n + j];
  std::fill(c, c + size_t(m) * n, 0.0f);
  for (int r = 0; r < m; ++r)
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < n; ++j)
        c[r * n + j] += a[r * k + i] * weights[i * n + j];
}
