// An unmasked access through a view of a tensor that is smaller than the tile is undefined for every tile.
// RUN: %tcc -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: not %tcc -Werror=tile-view -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %tcc -Wno-tile-view -c %s -o %t.o 2>&1 | count 0
// RUN: %tcc --emit=ttir %s 2>/dev/null | FileCheck %s --check-prefix=IR
// IR-NOT: narrow_views
#include <cuda_tile.h>

namespace ct = cuda::tiles;

template <int Rows> __tile_global__ void twice(float *x, int n) {
  auto view = ct::partition_view(ct::tensor_span(x, ct::extents{Rows, n}), ct::shape<8, 32>{});
  // CHECK: view-warnings.tt.cpp:[[#@LINE+2]]:{{[0-9]+}}: warning: dimension 0 of the tensor has 6 elements, fewer than the 8 of the tile, and nothing masks the access [-Wtile-view]
  // ERROR: view-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: dimension 0 of the tensor has 6 elements, fewer than the 8 of the tile, and nothing masks the access [-Werror,-Wtile-view]
  auto v = view.load(0, ct::bid().x);
  // CHECK: view-warnings.tt.cpp:[[#@LINE+1]]:{{[0-9]+}}: warning: dimension 0 of the tensor has 6 elements
  view.store(v * 2.0f, 0, ct::bid().x);
  view.store_masked(view.load_masked(0, 0), 0, 0);
}
template __tile_global__ void twice<6>(float *, int);
template __tile_global__ void twice<8>(float *, int);
