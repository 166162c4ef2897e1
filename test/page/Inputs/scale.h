#pragma once
#include <tilecc/tt.h>

template <class T> __tile__ auto twice_and_more(T x) {
  auto y = x + x;
  return y * 3.0f;
}
