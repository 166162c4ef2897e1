// Tests attention whose blocks compute the tiles of several programs one after the other, by [[tt::persistent]] or a
// loop in the source. Producer warps load everything for all tiles, including queries. A tile may have two loops, or no
// keys, and a block may have no tile.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a --cuda-path=none -fcheck-replicas %s -o %t.checked && %emulate %t.checked
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="attention<128, 32, 64, true>" %s | FileCheck %s
// The partition iterates over all tiles, and loads queries before the keys of a tile. The program waits for them there.
// CHECK: ttng.persistent
// CHECK: ttg.warp_specialize
// CHECK: scf.for
// CHECK: ttng.wait_barrier
// CHECK: tt.store
// CHECK: partition0
// CHECK: scf.for
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: scf.for
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: ttng.async_tma_copy_global_to_local
// CHECK: scf.for
// CHECK: ttng.async_tma_copy_global_to_local
// RUN: %tcc -arch=sm_90 --emit=ttgir --tensor-maps=true --kernel="attention_loop<128, 64, 64, false>" %s | FileCheck %s --check-prefix=STORED
// STORED: ttg.warp_specialize
// STORED: scf.for
// STORED:   scf.for
// STORED:     ttng.warp_group_dot
// STORED:   ttng.async_tma_store_tile
// STORED: ttng.async_tma_store_wait {pendings = 0 : i32}
// STORED: partition0

#include "support/attention.h"

/// A program for each block of each head.
template <int BM, int BN, int D, bool CAUSAL>
[[tt::num_warps(BM / 16), tt::num_stages(3), tt::persistent]] __tile_global__ void
attention(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out, int length, int absent, float scale) {
  int blocks = length / BM, block = tt::program_id(0) % blocks, head = tt::program_id(0) / blocks;
  tt::store(attended<BM, D>(out, length, block, head), attend<BM, BN, D, CAUSAL>(q, k, v, length, absent, scale, block, head));
}

/// The number of programs is that of the launch, for `tiles` blocks of all heads. If a descriptor says where results
/// are stored, tiles are stored by tensor copies.
template <int BM, int BN, int D, bool CAUSAL>
[[tt::num_warps(BM / 16), tt::num_stages(3)]] __tile_global__ void
attention_loop(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out, int length, int absent, int tiles, float scale) {
  int blocks = length / BM;
  auto to = tt::make_tensor_descriptor<BM, D>(out, {tiles * BM, D}, {D, 1});
  for (int tile = tt::program_id(0); tile < tiles; tile += tt::num_programs(0))
    to.store({tile * BM, 0}, attend<BM, BN, D, CAUSAL>(q, k, v, length, absent, scale, tile % blocks, tile / blocks));
}

template <int BM, int BN, int D, bool CAUSAL> static void check(int blocks, int heads, int absent = 0) {
  e2e::context("%d blocks of %d queries, %d heads, BN %d, D %d%s, %d see nothing", blocks, BM, heads, BN, D, CAUSAL ? ", causal" : "", absent);
  int length = blocks * BM, all = heads * length * D;
  e2e::buffer<tt::float16> q(all, e2e::random<tt::float16>), k(all, e2e::random<tt::float16>), v(all, e2e::random<tt::float16>);
  float scale = 1.4427f / std::sqrt(float(D));
  std::vector<double> want = e2e::attention(q, k, v, length, length, heads, D, CAUSAL, absent * BM, scale);
  for (int programs : {0, 1, 2, 7}) {
    e2e::buffer<float> out(all);
    if (!programs)
      attention<BM, BN, D, CAUSAL><<<blocks * heads>>>(q.data(), k.data(), v.data(), out.data(), length, absent, scale);
    else
      attention_loop<BM, BN, D, CAUSAL><<<programs>>>(q.data(), k.data(), v.data(), out.data(), length, absent, blocks * heads, scale);
    out.expect(e2e::tolerance{1, 4e-3}, [&](int i) { return want[i]; });
  }
}

int main() {
  return e2e::run("persistent-attention", [] {
    check<128, 64, 64, false>(2, 2);
    check<128, 64, 64, true>(2, 2);
    check<128, 32, 64, true>(2, 3, /*absent=*/1);
    check<128, 64, 32, false>(1, 3, /*absent=*/1);
  });
}
