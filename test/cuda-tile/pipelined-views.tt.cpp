// Loads through a view of four dimensions are those of matrices: a loop starts them early, as asynchronous copies, also
// if an operand is transposed or is the wide operand of its dot. The same holds for blocks that descriptors of tt read.
// RUN: %tcc --emit=ttgir -arch=sm_80 --kernel=scores %s | FileCheck %s
// RUN: %tcc --emit=ttgir -arch=sm_80 --kernel=blocks %s | FileCheck %s
// RUN: %tcc --emit=ttgir -arch=sm_80 --kernel=batched %s | FileCheck %s
// RUN: %tcc --emit=ttir --kernel=scores %s | FileCheck %s --check-prefix=TTIR --implicit-check-not=reshape --implicit-check-not=1x1x
#include <cuda_fp16.h>
#include <cuda_tile.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

// Every load of the loop is a copy into shared memory; those of the first two iterations are in front of it.
// CHECK-COUNT-4: ttg.async_copy_global_to_local
// CHECK: scf.for
// CHECK-NOT: tt.load
// CHECK-COUNT-2: ttg.async_copy_global_to_local
// CHECK-NOT: tt.load
// CHECK: scf.yield

// TTIR: tt.dot {{.*}} : tensor<128x64xf16> * tensor<64x16xf16> -> tensor<128x16xf32>
// TTIR: tt.dot {{.*}} : tensor<64x128xf16> * tensor<128x16xf16> -> tensor<64x16xf32>
__tile_global__ void scores(const __half *k, const __half *v, const __half *q, float *out, int batches, int length) {
  k = ct::assume_aligned(k, 16_ic), v = ct::assume_aligned(v, 16_ic);
  auto extents = ct::extents{batches, 8_ic, length, 64_ic};
  auto kv = ct::partition_view(ct::tensor_span(k, extents), ct::shape<1, 1, 128, 64>{});
  auto vv = ct::partition_view(ct::tensor_span(v, extents), ct::shape<1, 1, 128, 64>{});
  auto qv = ct::partition_view(ct::tensor_span(q, ct::extents{batches, 64_ic, 16_ic}), ct::shape<1, 64, 16>{});
  auto queries = ct::reshape(qv.load_masked(ct::bid().x, 0, 0), ct::shape<64, 16>{});
  auto sum = ct::zeros<ct::tile<float, ct::shape<64, 16>>>();
  for (int i : ct::irange(0, ct::ceildiv(length, 128))) {
    auto keys = ct::reshape(kv.load_masked(ct::bid().x, 0, i, 0), ct::shape<128, 64>{});
    auto s = ct::mma(keys, queries, ct::zeros<ct::tile<float, ct::shape<128, 16>>>());
    auto values = ct::permute(vv.load_masked(ct::bid().x, 0, i, 0), ct::dimension_map<0, 1, 3, 2>{});
    sum = ct::mma(ct::reshape(values, ct::shape<64, 128>{}), ct::element_cast<__half>(s), sum);
  }
  auto ov = ct::partition_view(ct::tensor_span(out, ct::extents{batches, 64_ic, 16_ic}), ct::shape<1, 64, 16>{});
  ov.store_masked(ct::reshape(sum, ct::shape<1, 64, 16>{}), ct::bid().x, 0, 0);
}

__tile_global__ void blocks(const tt::float16 *a, const tt::float16 *b, float *out, int m, int k) {
  auto as = tt::make_tensor_descriptor<1, 1, 64, 32>(a, {4, 4, m, k}, {4l * m * k, 1l * m * k, 1l * k, 1});
  auto bs = tt::make_tensor_descriptor<1, 1, 64, 32>(b, {4, 4, m, k}, {4l * m * k, 1l * m * k, 1l * k, 1});
  auto sum = tt::zeros<float, 64, 64>();
  for (int i = 0; i < k; i += 32) {
    auto x = tt::reshape<64, 32>(as.load({0, 1, 0, i})), y = tt::reshape<64, 32>(bs.load({0, 1, 0, i}));
    sum = tt::dot(x, tt::trans(y), sum);
  }
  tt::store(out + (tt::arange<64>().col() * 64 + tt::arange<64>().row()), sum);
}

// A batch of one, throughout.
__tile_global__ void batched(const __half *a, const __half *b, float *out, int m, int k) {
  a = ct::assume_aligned(a, 16_ic), b = ct::assume_aligned(b, 16_ic);
  auto av = ct::partition_view(ct::tensor_span(a, ct::extents{4_ic, m, k}), ct::shape<1, 64, 32>{});
  auto bv = ct::partition_view(ct::tensor_span(b, ct::extents{4_ic, k, 64_ic}), ct::shape<1, 32, 64>{});
  auto sum = ct::zeros<ct::tile<float, ct::shape<1, 64, 64>>>();
  for (int i : ct::irange(0, k / 32))
    sum = ct::mma(av.load_masked(1, 0, i), bv.load_masked(1, i, 0), sum);
  ct::partition_view(ct::tensor_span(out, ct::extents{1_ic, m, 64_ic}), ct::shape<1, 64, 64>{}).store_masked(sum, 0, 0, 0);
}
