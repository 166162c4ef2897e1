// Plain loops, compiled with all that Clang has for them (run.sh).
#include "loops.h"

#include <cmath>

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
