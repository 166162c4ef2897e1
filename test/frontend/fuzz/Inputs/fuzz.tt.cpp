// Runs every generated kernel as a tile kernel and natively, on the same inputs, and compares all outputs.
#include <cstdio>
#include <tilecc/runtime.h>
#include <tilecc/tt.h>
#include <vector>

#include "vocabulary.h"
#define KERNEL __tile_global__ void
#include "kernels.h"

using kernel = void (*)(const int *, int *, int, int);
extern const kernel native_kernels[];

#define NAME(k) [](const int *x, int *o, int n, int m) { k<<<1>>>(x, o, n, m); },
const kernel tile_kernels[] = {
#include "names.h"
};
#undef NAME
#define NAME(k) #k,
const char *const names[] = {
#include "names.h"
};

int main() {
  constexpr int margin = 1 << 16, size = 8192;
  std::vector<int> input(2 * margin);
  unsigned state = 12345;
  for (int &e : input)
    e = int((state = state * 1664525 + 1013904223) >> 16) % 100;
  const int *x = input.data() + margin;

  int failed = 0, runs = 0;
  for (unsigned k = 0; k < std::size(names); ++k)
    for (auto [n, m] : {std::pair(0, 0), {1, 5}, {4, 1}, {7, 3}, {12, 9}, {-3, 40}}) {
      std::vector<int> tile(size, -1), native(size, -1);
      tile_kernels[k](x, tile.data(), n, m);
      if (ttError_t error = ttDeviceSynchronize(); error != ttSuccess) {
        std::printf("%s(%d, %d): %s\n", names[k], n, m, ttGetErrorString(error));
        return 1;
      }
      native_kernels[k](x, native.data(), n, m);
      ++runs;
      if (tile != native) {
        int at = 0;
        while (tile[at] == native[at])
          ++at;
        std::printf("%s(%d, %d): element %d is %d instead of %d\n", names[k], n, m, at, tile[at], native[at]);
        ++failed;
      }
    }
  std::printf("%d runs of %zu kernels, %d wrong\n", runs, std::size(names), failed);
  return failed != 0;
}
