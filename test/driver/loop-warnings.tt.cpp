// A loop over tt::range that is not a counted loop is never pipelined or unrolled; a warning says that its options are
// lost.
//
// RUN: %tcc -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="{{error|warning}}:"
// RUN: not %tcc -Werror=tile-loop -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %tcc -Wno-tile-loop -c %s -o %t.o 2>&1 | count 0
#include <tilecc/tt.h>

extern "C" __tile_global__ void search(const float *x, int *found, int n) {
  // CHECK: loop-warnings.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: warning: this loop is left early, or counts in steps that may wrap around: the options of tt::range have no effect on it [-Wtile-loop]
  // ERROR: loop-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: this loop is left early, or counts in steps that may wrap around: the options of tt::range have no effect on it [-Werror,-Wtile-loop]
  for (int i : tt::range(n).num_stages(2))
    if (x[i] < 0) {
      *found = i;
      break;
    }
  for (int i : tt::range(n)) // asks for nothing
    if (x[i] > 0)
      break;
}
