// [[cutile::hint(arch, key=value)]]: advice for the architecture named, or for all; a kernel's own attribute comes first.
// RUN: %tcc -Werror -fsyntax-only %s
// RUN: %tcc --emit=llvm -arch=sm_90 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=OCCUPIED
// RUN: %tcc --emit=llvm -arch=sm_80 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=FREE
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=HINTED
// RUN: %tcc --emit=ttgir -arch=sm_80 --kernel='occupied<2>' %s | FileCheck %s --check-prefix=ANY
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel=attributed %s | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel=strange %s | FileCheck %s --check-prefix=NONE
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel='product<4>' %s | FileCheck %s --check-prefix=FAR
// RUN: %tcc --emit=ttgir -arch=sm_80 --kernel='product<4>' %s | FileCheck %s --check-prefix=NEAR
// RUN: %tcc --emit=ttgir -arch=sm_90 --kernel='product<1>' -num-stages=4 %s | FileCheck %s --check-prefix=STAGES
// RUN: %tcc --emit=ttgir -arch=sm_90 --tensor-maps=true --kernel='mapped<true>' %s | FileCheck %s --check-prefix=MAPS
// RUN: %tcc --emit=ttgir -arch=sm_90 --tensor-maps=true --kernel='mapped<false>' %s | FileCheck %s --check-prefix=POINTERS
#include <cuda_fp16.h>
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

// Invalid hints have no effect: three warps, none, and something that is no number.
// NONE: "ttg.num-warps" = 1 : i32
[[cutile::hint(0, num_worker_warps_per_cta = 3, occupancy = 0), cutile::hint(0, num_worker_warps_per_cta = 2 + 2),
  cutile::hint()]]
__tile_global__ void strange(float *x) {
  ct::store(x, 1.0f);
}

// Hints of a statement apply to its kernel: how early loads start, and whether tensor maps copy.
// FAR: ttg.local_alloc : () -> !ttg.memdesc<5x64x64xf16
// NEAR: ttg.local_alloc : () -> !ttg.memdesc<2x64x64xf16
// STAGES: ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16
template <int latency> __tile_global__ void product(const __half *a, const __half *b, float *c, int k) {
  using namespace ct::literals;
  a = ct::assume_aligned(a, 16_ic), b = ct::assume_aligned(b, 16_ic), k = ct::assume_divisible(k, 16_ic);
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{64_ic, k}), ct::shape<64, 64>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{k, 64_ic}), ct::shape<64, 64>{});
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 64>>>();
  for (int i : ct::irange(0, k / 64)) {
    ct::tile<__half, ct::shape<64, 64>> x, y;
    [[using cutile: hint(900, latency=latency), hint(0, latency=1)]] x = av.load(0, i);
    [[cutile::hint(900, latency=1)]] y = bv.load(i, 0);
    sum = ct::mma(x, y, sum);
  }
  ct::partition_view(ct::tensor_span(c, ct::extents{64_ic, 64_ic}), ct::shape<64, 64>{}).store(sum, 0, 0);
}
template __tile_global__ void product<4>(const __half *, const __half *, float *, int);
template __tile_global__ void product<1>(const __half *, const __half *, float *, int);

// MAPS: ttng.tensor_maps
// POINTERS-NOT: ttng.tensor_maps
// POINTERS: ttg.warp_specialize
template <bool maps>
[[cutile::hint(0, num_worker_warps_per_cta=8)]] __tile_global__ void mapped(const __half *q, const __half *k,
                                                                           const __half *v, float *out, int n) {
  using namespace ct::literals;
  auto qv = ct::partition_view(ct::tensor_span(ct::assume_aligned(q, 16_ic), ct::extents{128_ic, 64_ic}), ct::shape<128, 64>{});
  auto kv = ct::partition_view(ct::tensor_span(ct::assume_aligned(k, 16_ic), ct::extents{n, 64_ic}), ct::shape<64, 64>{});
  auto vv = ct::partition_view(ct::tensor_span(ct::assume_aligned(v, 16_ic), ct::extents{n, 64_ic}), ct::shape<64, 64>{});
  auto queries = qv.load(0, 0);
  auto sum = ct::zeros<ct::tile<float, ct::shape<128, 64>>>();
  for (int i : ct::irange(0, n / 64)) {
    ct::tile<__half, ct::shape<64, 64>> keys;
    [[cutile::hint(900, allow_tma=maps)]] keys = kv.load(i, 0);
    auto s = ct::mma(queries, ct::transpose(keys), ct::zeros<ct::tile<float, ct::shape<128, 64>>>());
    sum = ct::mma(ct::element_cast<__half>(s * s), vv.load(i, 0), sum);
  }
  ct::partition_view(ct::tensor_span(out, ct::extents{128_ic, 64_ic}), ct::shape<128, 64>{}).store(sum, 0, 0);
}
template __tile_global__ void mapped<true>(const __half *, const __half *, const __half *, float *, int);
template __tile_global__ void mapped<false>(const __half *, const __half *, const __half *, float *, int);
