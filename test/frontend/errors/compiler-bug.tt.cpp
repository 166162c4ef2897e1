// If the compiler does not know a part of its own language, that is a compiler bug: exit status 70, not 1.
//
// RUN: not %tcc -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BUG
// RUN: %python -c "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:], stderr=subprocess.DEVNULL).returncode != 70)" %tcc -c %s -o %t.o
#include <tilecc/tt.h>

namespace tt::builtin {
template <class V> __tile__ V frobnicate(V x);
}

// BUG: tcc: internal error: tt::builtin::frobnicate has no row in the table of builtins (at {{.*}}compiler-bug.tt.cpp":[[#@LINE+2]]:
// BUG: this is a bug in tcc, not in your code
__tile_global__ void kernel(float *x) { x[0] = tt::builtin::frobnicate(x[1]); }
