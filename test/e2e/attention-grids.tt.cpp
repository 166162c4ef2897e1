// Tests attention with blocks of queries along x, heads along y and sequences along z. Blocks run programs of all axes
// one after the other; in causal attention, the longest come first. Launches of many programs with short heads run
// three programs of 64 rows in a block. The emulator has a multiprocessor for each of its threads.
// RUN: %tcc -O1 %s -o %t && env TILECC_DEVICE=cpu %t
// RUN: %tcc -O1 --cpu-level=2 -arch=compute_90a -Rtile=blocks %s -o %t.90 2>&1 | FileCheck %s --check-prefix=CHOSEN
// RUN: env TILECC_NUM_THREADS=2 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=MANY < %t.json
// RUN: env TILECC_NUM_THREADS=7 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=SOME < %t.json
// RUN: env TILECC_NUM_THREADS=64 TILECC_TRACE=%t.json %emulate %t.90 && FileCheck %s --check-prefix=FEW < %t.json
// RUN: env TILECC_NUM_THREADS=3 %emulate_at_random %t.90
// CHOSEN-DAG: remark: launches of many programs of attention<128, 64, 64, false> run 3 halves of them in a block
// CHOSEN-DAG: remark: launches of many programs of attention<64, 64, 32, false> run 3 of them in a block
// CHOSEN-DAG: remark: a block of attention<128, 64, 64, false> runs several programs, one after the other
// CHOSEN-DAG: remark: a block of attention<128, 64, 64, true> runs several programs, one after the other
// CHOSEN-NOT: remark: launches{{.*}}(true|128)>
// MANY-DAG: "attention<128, 64, 64, false>"{{.*}}"grid":"3 x 2 x 2","variant":"p16_shared"
// MANY-DAG: "attention<64, 64, 32, false>"{{.*}}"grid":"4 x 3 x 1","variant":"p16_shared"
// MANY-DAG: "attention<128, 64, 64, true>"{{.*}}"grid":"3 x 2 x 2","variant":"p16"
// MANY-DAG: "attention<128, 64, 128, false>"{{.*}}"grid":"2 x 3 x 1","variant":"p16"
// SOME-DAG: "attention<128, 64, 64, false>"{{.*}}"grid":"3 x 2 x 2","variant":"p16"
// FEW-DAG: "attention<128, 64, 64, false>"{{.*}}"grid":"3 x 2 x 2","variant":"p16"
// FEW-DAG: "attention<64, 64, 32, false>"{{.*}}"grid":"4 x 3 x 1","variant":"p16"

#include "support/attention.h"

template <int BM, int BN, int D, bool CAUSAL>
[[tt::num_warps(BM / 16), tt::num_stages(2)]] __tile_global__ void
attention(const tt::float16 *q, const tt::float16 *k, const tt::float16 *v, float *out, int length, float scale) {
  int block = tt::program_id(0), head = tt::program_id(1) + tt::program_id(2) * tt::num_programs(1);
  tt::store(attended<BM, D>(out, length, block, head), attend<BM, BN, D, CAUSAL>(q, k, v, length, /*absent=*/INT32_MIN, scale, block, head));
}

template <int BM, int BN, int D, bool CAUSAL> static void check(unsigned blocks, unsigned heads, unsigned sequences) {
  e2e::context("%d blocks of %d queries, %d heads, %d sequences, BN %d, D %d%s", blocks, BM, heads, sequences, BN, D, CAUSAL ? ", causal" : "");
  int length = blocks * BM, all = heads * sequences * length * D;
  e2e::buffer<tt::float16> q(all, e2e::random<tt::float16>), k(all, e2e::random<tt::float16>), v(all, e2e::random<tt::float16>);
  e2e::buffer<float> out(all);
  float scale = 1.4427f / std::sqrt(float(D));
  attention<BM, BN, D, CAUSAL><<<dim3{blocks, heads, sequences}>>>(q.data(), k.data(), v.data(), out.data(), length, scale);
  std::vector<double> want = e2e::attention(q, k, v, length, length, heads * sequences, D, CAUSAL, 0, scale);
  out.expect(e2e::tolerance{1, 4e-3}, [&](int i) { return want[i]; });
}

int main() {
  return e2e::run("attention-grids", [] {
    check<128, 64, 64, false>(3, 2, 2);
    check<128, 64, 64, true>(3, 2, 2);
    check<64, 64, 32, false>(4, 3, 1);
    check<128, 64, 128, false>(2, 3, 1);
  });
}
