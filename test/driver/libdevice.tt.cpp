// Without a CUDA toolkit, a call of libdevice is an error at its line for a GPU; tt's own functions need no toolkit.
//
// RUN: not %tcc --cuda-path=none --emit=ptx -DUSE_LIBDEVICE %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: libdevice.tt.cpp:[[#@LINE+13]]:{{[0-9]+}}: error: '__nv_sinpif' is in libdevice, which is part of the CUDA toolkit (12.8 or later); install it, or name its folder with --cuda-path
// RUN: %tcc --cuda-path=none --emit=ptx %s | FileCheck %s --check-prefix=OWN
// OWN: .entry
// OWN-NOT: __nv_
// RUN: %tcc --emit=cpu-llvm -DUSE_LIBDEVICE %s | FileCheck %s --check-prefix=CPU
// CPU: call {{.*}}float @__tilecc_nv_sinpif(
#include <tilecc/libdevice.h>
#include <tilecc/tt.h>

__tile_global__ void f(float *x) {
  auto i = tt::arange<128>();
  auto v = tt::tanh(tt::pow(tt::sin(tt::load(x + i)), 2.5f));
#ifdef USE_LIBDEVICE
  v += tt::libdevice::sinpi(v);
#endif
  tt::store(x + i, v);
}
