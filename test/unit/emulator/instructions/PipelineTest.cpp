//===-- PipelineTest.cpp - a pipelined kernel, and the same kernel with errors --------------------------------===//
//
// One thread of the second warp group loads tiles by tensor copies into a ring of two stages. The first warp group
// multiplies them and stores the result by a tensor copy. The result is right in any order of warps. If any of the
// waits, arrivals, barriers and fences is removed, the kernel is wrong, and the emulator must report that.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Harness.h"

#include <bit>
#include <gtest/gtest.h>

using namespace tilecc::emu::test;

namespace {

// 64x64 of f32 = (64 x 256) * (64 x 256)^T of tf32, in steps of 32 along K; all elements of A are 1, those of B are
// their row's number. Each run removes one of the lines with "// sync", and puts the text after "// sync" in its place.
const char *const kernel = R"(
  .shared .align 1024 .b8 stages[32768];           // 2 x (A of 8 KB, B of 8 KB)
  .shared .align 1024 .b8 result[16384];           // 2 boxes of 64 rows of 128 bytes
  .shared .align 8 .b8 full[16];
  .shared .align 8 .b8 empty[16];
  .reg .b32 %f<32>, %stage, %phase, %k, %x, %y, %bar, %base;
  .reg .b64 %da, %db;
  .reg .pred %first, %done, %more, %producer, %keep;
  setp.eq.u32 %first, %t, 0;
  @%first mbarrier.init.shared::cta.b64 [full], 1;
  @%first mbarrier.init.shared::cta.b64 [full+8], 1;
  @%first mbarrier.init.shared::cta.b64 [empty], 1;
  @%first mbarrier.init.shared::cta.b64 [empty+8], 1;
  @%first fence.mbarrier_init.release.cluster;
  bar.sync 0;                                      // sync
  mov.u32 %stage, 0;
  mov.u32 %k, 0;
  setp.ge.u32 %producer, %t, 128;
  @!%producer bra consumer;
  setp.ne.u32 %p0, %t, 128;
  @%p0 exit;
  mov.u32 %phase, 1;
produce:
  mov.u32 %bar, empty;
  mad.lo.u32 %bar, %stage, 8, %bar;
free:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], %phase;   // sync setp.eq.u32 %done, 0, 0;
  @!%done bra free;
  mov.u32 %bar, full;
  mad.lo.u32 %bar, %stage, 8, %bar;
  mov.u32 %base, stages;
  mad.lo.u32 %base, %stage, 16384, %base;
  add.u32 %x, %base, 8192;
  mul.lo.u32 %y, %k, 32;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 16384;       // sync
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%base], [%m0, {%y, 0}], [%bar]; // sync
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%x], [%m0, {%y, 64}], [%bar]; // sync
  add.u32 %k, %k, 1;
  xor.b32 %stage, %stage, 1;
  setp.eq.u32 %p0, %stage, 0;
  @%p0 xor.b32 %phase, %phase, 1;
  setp.lt.u32 %more, %k, 8;
  @%more bra produce;
  exit;
consumer:
  mov.u32 %phase, 0;
consume:
  mov.u32 %bar, full;
  mad.lo.u32 %bar, %stage, 8, %bar;
there:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], %phase;   // sync setp.eq.u32 %done, 0, 0;
  @!%done bra there;
  mov.u32 %base, stages;
  mad.lo.u32 %base, %stage, 16384, %base;
  shr.u32 %x, %base, 4;
  cvt.u64.u32 %da, %x;
  add.u64 %da, %da, 0x4000004000010000;
  add.u64 %db, %da, 512;
  setp.ne.u32 %keep, %k, 0;
  wgmma.fence.sync.aligned;
PRODUCTS
  wgmma.commit_group.sync.aligned;                 // sync
  wgmma.wait_group.sync.aligned 0;                 // sync
  mov.u32 %bar, empty;
  mad.lo.u32 %bar, %stage, 8, %bar;
  @%first mbarrier.arrive.shared::cta.b64 _, [%bar];                // sync
  add.u32 %k, %k, 1;
  xor.b32 %stage, %stage, 1;
  setp.eq.u32 %p0, %stage, 0;
  @%p0 xor.b32 %phase, %phase, 1;
  setp.lt.u32 %more, %k, 8;
  @%more bra consume;
  // Row 16 * warp + lane / 4 (+ 8), columns 8 j + 2 * (lane % 4): a box is 32 columns, a row of it swizzled.
  and.b32 %r0, %t, 31;
  shr.u32 %r1, %t, 5;
  shr.u32 %r2, %r0, 2;
  mad.lo.u32 %r1, %r1, 16, %r2;
  and.b32 %r2, %r0, 3;
  mov.u32 %base, result;
STORES
  fence.proxy.async.shared::cta;                   // sync
  bar.sync 1, 128;                                 // sync
  @!%first exit;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%m1, {0, 0}], [result];      // sync
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%m1, {32, 0}], [result+8192];   // sync
  cp.async.bulk.commit_group;                      // sync
  cp.async.bulk.wait_group.read 0;                 // sync
)";

Program pipeline() {
  std::string sums, products, stores;
  for (unsigned i = 0; i < 32; ++i)
    sums += (i ? ", %f" : "%f") + std::to_string(i);
  for (unsigned slice = 0; slice < 4; ++slice) {
    products += "  wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 {" + sums + "}, %da, %db, %keep, 1, 1;\n"
                "  add.u64 %da, %da, 2;\n  add.u64 %db, %db, 2;\n  setp.eq.u32 %keep, 0, 0;\n";
  }
  for (unsigned j = 0; j < 8; ++j)
    for (unsigned below : {0, 8}) { // 8 bytes at chunk 2 (j % 4) + lane % 4 / 2, exchanged by the row
      std::string first = std::to_string(4 * j + below / 4), second = std::to_string(4 * j + below / 4 + 1);
      stores += "  add.u32 %r3, %r1, " + std::to_string(below) + ";\n  shr.u32 %r4, %r2, 1;\n  add.u32 %r4, %r4, " +
                std::to_string(j % 4 * 2) +
                ";\n  and.b32 %r5, %r3, 7;\n  xor.b32 %r4, %r4, %r5;\n  and.b32 %r5, %r2, 1;\n"
                "  mul.lo.u32 %r3, %r3, 128;\n  mad.lo.u32 %r3, %r4, 16, %r3;\n  mad.lo.u32 %r3, %r5, 8, %r3;\n"
                "  add.u32 %r3, %r3, %base;\n  st.shared.v2.b32 [%r3+" +
                std::to_string(j / 4 * 8192) + "], {%f" + first + ", %f" + second + "};\n";
    }
  Program program;
  program.name = "pipeline";
  program.body = replaced(replaced(kernel, "PRODUCTS\n", products), "STORES\n", stores);
  program.threads = 256;
  program.in = words(128 * 256, [](uint32_t i) { // 64 rows of A, then 64 of B
    return std::bit_cast<uint32_t>(i < 64 * 256 ? 1.0f : float(i / 256 - 64));
  });
  program.expected = words(64 * 64, [](uint32_t i) { return std::bit_cast<uint32_t>(256.0f * float(i % 64)); });
  program.maps = {{.type = 7, .dims = {256, 128}, .strides = {1024}, .box = {32, 64}, .swizzle = 3},
                  {.type = 7, .dims = {64, 64}, .strides = {256}, .box = {32, 64}, .swizzle = 3, .isOut = true}};
  return program;
}

TEST(Pipeline, IsRight) { check(pipeline()); }

TEST(Pipeline, NothingMayBeMissing) {
  std::vector<Mutant> mutants = withoutEachSync(pipeline());
  for (const Mutant &mutant : mutants)
    EXPECT_TRUE(isFound(mutant.program)) << mutant.line;
  EXPECT_EQ(mutants.size(), 15u);
}

} // namespace
