// 25: the tile functions that the library provides to tile kernels in other files.
#pragma once
#include <tilecc/tt.h>
constexpr int block = 1024;
struct Moments {
  float mean, deviation;
};
__tile__ Moments moments(tt::tile<float, block> x, int count);
__tile__ tt::tile<float, block> standardized(tt::tile<float, block> x, Moments moments);
