// Compiled by g++, for debugger.test.
#include <cstdio>

int beside(int x) {
  int twice = x * 2;
  std::printf("%d\n", twice);
  return twice;
}
