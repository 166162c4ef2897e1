// [[cutile::hint(arch, key=value)]]: advice for the architecture named, or for all; a kernel's own attribute comes first.
// RUN: %tcc -Werror -fsyntax-only %s
// RUN: %tcc --emit=llvm -arch=sm_90 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=OCCUPIED
// RUN: %tcc --emit=llvm -arch=sm_80 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=FREE
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=HINTED
// RUN: %tcc --emit=ttgir -arch=sm_80 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=ANY
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel=attributed %s | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel=strange %s | FileCheck %s --check-prefix=NONE
#include <cuda_tile.h>

namespace ct = cuda::tiles;

// OCCUPIED: "nvvm.minctasm"="2"
// FREE-NOT: minctasm
// HINTED: "ttg.num-warps" = 16 : i32
// ANY: "ttg.num-warps" = 8 : i32
template <int occupancy>
[[using cutile: hint(900, occupancy=occupancy, num_worker_warps_per_cta=16), hint(0, num_worker_warps_per_cta=8),
  hint(1000, num_cta_in_cga=2, occupancy=(occupancy > 1 ? 4 : 1))]]
__tile_global__ void occupied(float *x, int n) {
  auto view = ct::partition_view(ct::tensor_span(x, ct::extents{n}), ct::shape<256>{});
  ct::tile<float, ct::shape<256>> v;
  [[cutile::hint(0, allow_tma=false, latency=4)]]
  v = view.load_masked(ct::bid().x);
  [[using cutile: hint(900, latency=2)]] view.store_masked(v * 2.0f, ct::bid().x);
}
template __tile_global__ void occupied<2>(float *, int);

// ATTRIBUTE: "ttg.num-warps" = 2 : i32
[[tt::num_warps(2)]] [[cutile::hint(0, num_worker_warps_per_cta = 8)]] __tile_global__ void attributed(float *x) {
  ct::store(x, 1.0f);
}

// What makes no sense is no advice: three warps, none, and no number.
// NONE: "ttg.num-warps" = 1 : i32
[[cutile::hint(0, num_worker_warps_per_cta = 3, occupancy = 0), cutile::hint(0, num_worker_warps_per_cta = 2 + 2),
  cutile::hint()]]
__tile_global__ void strange(float *x) {
  ct::store(x, 1.0f);
}
