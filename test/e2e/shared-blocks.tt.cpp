// Tests [[tt::num_consumers(C)]]: programs that load the same keys and values share a block. There are grids with too
// few programs for the last block, causal loops whose bounds differ between programs, programs without iterations, and
// the program ids are checked.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a %s -o %t.90 && %emulate %t.90
// RUN: %emulate_at_random %t.90
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a --cuda-path=none -fcheck-replicas %s -o %t.checked && %emulate %t.checked

#include "support/attention.h"

/// Attention of blocks of BM queries along y and heads along x. `counts` gets how often each program has stored. The first `absent`
/// blocks see no key.
template <int BM, int BN, int D, bool CAUSAL, int C>
[[tt::num_warps(4), tt::num_stages(3), tt::num_consumers(C)]] __tile_global__ void
attention(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out, int *counts, int length, int absent, float scale) {
  int block = CAUSAL ? tt::num_programs(1) - 1 - tt::program_id(1) : tt::program_id(1);
  int head = tt::program_id(0);
  tt::store(attended<BM, D>(out, length, block, head), attend<BM, BN, D, CAUSAL>(q, k, v, length, absent, scale, block, head));
  int program = head * tt::num_programs(1) + block;
  tt::store(counts + program, tt::load(counts + program) + tt::num_programs(1) * 100 + tt::num_programs(0));
}

template <int BM, int BN, int D, bool CAUSAL, int C> static void check(int blocks, int heads, int absent = 0) {
  e2e::context("%d share a block: %d blocks of %d queries, %d heads, BN %d, D %d%s, %d see nothing", C, blocks, BM, heads, BN, D,
               CAUSAL ? ", causal" : "", absent);
  int length = blocks * BM, all = heads * length * D;
  e2e::buffer<tt::float16> q(all, e2e::random<tt::float16>), k(all, e2e::random<tt::float16>), v(all, e2e::random<tt::float16>);
  e2e::buffer<float> out(all);
  e2e::buffer<int> counts(heads * blocks, [](int) { return 0; });
  float scale = 1.4427f / std::sqrt(float(D));
  dim3 grid(heads, blocks);
  attention<BM, BN, D, CAUSAL, C><<<grid>>>(q.data(), k.data(), v.data(), out.data(), counts.data(), length, absent, scale);
  std::vector<double> want = e2e::attention(q, k, v, length, length, heads, D, CAUSAL, absent * BM, scale);
  out.expect(e2e::tolerance{1, 4e-3}, [&](int i) { return want[i]; });
  counts.expect([&](int) { return blocks * 100 + heads; });
}

int main() {
  return e2e::run("shared-blocks", [] {
    check<64, 64, 64, false, 3>(4, 2); // two programs of the last block are the last one's copies
    check<64, 128, 64, false, 3>(6, 1);
    check<64, 64, 64, false, 2>(3, 1);
    check<64, 64, 32, false, 4>(1, 1);
    check<64, 64, 64, false, 3>(6, 1, /*absent=*/4);
    check<64, 64, 64, true, 3>(5, 2);
    check<64, 128, 64, true, 3>(8, 1);
    check<64, 128, 64, true, 2>(6, 1, /*absent=*/3);
    check<64, 32, 128, true, 2>(3, 1);
  });
}
