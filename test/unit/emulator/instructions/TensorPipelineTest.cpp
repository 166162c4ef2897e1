//===-- TensorPipelineTest.cpp - a kernel of sm_100, and the same kernel with errors ------------------------------===//
//
// One thread loads tiles by tensor copies into a ring of two stages, another thread starts dots that accumulate in two
// alternating accumulators, and four warps load and store these. The result is right in any order of warps. If any of
// the waits, arrivals, commits and fences is removed, the kernel is wrong, and the emulator must report that.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Harness.h"

#include <bit>
#include <gtest/gtest.h>

using namespace tilecc::emu::test;

namespace {

// Four tiles of 128x64 of f32 = (128 x 256) * (64 x 256)^T of bf16, in steps of 64 along K; all elements of A are 1.
// Each run removes one of the lines with "// sync", and puts the text after "// sync" in its place.
const char *const kernel = R"(
  .shared .align 1024 .b8 stages[49152];           // 2 x (A of 16 KB, B of 8 KB)
  .shared .align 8 .b8 full[16];
  .shared .align 8 .b8 empty[16];
  .shared .align 8 .b8 sumsFull[16];
  .shared .align 8 .b8 sumsEmpty[16];
  .shared .align 4 .b8 place[4];
  .reg .b32 %v<64>, %stage, %phase, %sums, %sumsPhase, %tile, %k, %x, %y, %bar, %base, %tensor;
  .reg .b64 %da, %db, %to;
  .reg .pred %first, %done, %more, %warp, %keep;
  setp.eq.u32 %first, %t, 0;
  setp.lt.u32 %warp, %t, 32;
  @%first mbarrier.init.shared::cta.b64 [full], 1;
  @%first mbarrier.init.shared::cta.b64 [full+8], 1;
  @%first mbarrier.init.shared::cta.b64 [empty], 1;
  @%first mbarrier.init.shared::cta.b64 [empty+8], 1;
  @%first mbarrier.init.shared::cta.b64 [sumsFull], 1;
  @%first mbarrier.init.shared::cta.b64 [sumsFull+8], 1;
  @%first mbarrier.init.shared::cta.b64 [sumsEmpty], 128;
  @%first mbarrier.init.shared::cta.b64 [sumsEmpty+8], 128;
  @%first fence.mbarrier_init.release.cluster;     // sync
  @%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 128;
  @%warp tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  bar.sync 0;                                      // sync
  ld.shared.b32 %tensor, [place];
  mov.u32 %stage, 0;
  mov.u32 %sums, 0;
  mov.u32 %tile, 0;
  setp.lt.u32 %p0, %t, 128;
  @%p0 bra consumer;
  setp.eq.u32 %p0, %t, 128;
  @%p0 bra loader;
  setp.ne.u32 %p0, %t, 160;
  @%p0 exit;

  mov.u32 %phase, 0;
  mov.u32 %sumsPhase, 1;
multiply:
  mov.u32 %bar, sumsEmpty;
  mad.lo.u32 %bar, %sums, 8, %bar;
unused:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], %sumsPhase;   // sync setp.eq.u32 %done, 0, 0;
  @!%done bra unused;
  tcgen05.fence::after_thread_sync;                // sync
  mad.lo.u32 %y, %sums, 64, %tensor;
  mov.u32 %k, 0;
step:
  mov.u32 %bar, full;
  mad.lo.u32 %bar, %stage, 8, %bar;
there:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], %phase;       // sync setp.eq.u32 %done, 0, 0;
  @!%done bra there;
  mov.u32 %base, stages;
  mad.lo.u32 %base, %stage, 24576, %base;
  shr.u32 %x, %base, 4;
  cvt.u64.u32 %da, %x;
  add.u64 %da, %da, 0x4000404000010000;
  add.u64 %db, %da, 1024;
  setp.ne.u32 %keep, %k, 0;
PRODUCTS
  mov.u32 %bar, empty;
  mad.lo.u32 %bar, %stage, 8, %bar;
  cvt.u64.u32 %to, %bar;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%to];   // sync
  add.u32 %k, %k, 1;
  xor.b32 %stage, %stage, 1;
  setp.eq.u32 %p0, %stage, 0;
  @%p0 xor.b32 %phase, %phase, 1;
  setp.lt.u32 %more, %k, 4;
  @%more bra step;
  mov.u32 %bar, sumsFull;
  mad.lo.u32 %bar, %sums, 8, %bar;
  cvt.u64.u32 %to, %bar;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%to];   // sync
  xor.b32 %sums, %sums, 1;
  setp.eq.u32 %p0, %sums, 0;
  @%p0 xor.b32 %sumsPhase, %sumsPhase, 1;
  add.u32 %tile, %tile, 1;
  setp.lt.u32 %more, %tile, 4;
  @%more bra multiply;
  exit;

loader:
  mov.u32 %phase, 1;
  mov.u32 %k, 0;
load:
  mov.u32 %bar, empty;
  mad.lo.u32 %bar, %stage, 8, %bar;
free:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], %phase;       // sync setp.eq.u32 %done, 0, 0;
  @!%done bra free;
  mov.u32 %bar, full;
  mad.lo.u32 %bar, %stage, 8, %bar;
  mov.u32 %base, stages;
  mad.lo.u32 %base, %stage, 24576, %base;
  add.u32 %x, %base, 16384;
  and.b32 %y, %k, 3;
  mul.lo.u32 %y, %y, 32;
  shr.u32 %tile, %k, 2;
  mad.lo.u32 %tile, %tile, 64, 128;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%bar], 24576;           // sync
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%base], [%m0, {%y, 0}], [%bar]; // sync
  cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%x], [%m1, {%y, %tile}], [%bar]; // sync
  add.u32 %k, %k, 1;
  xor.b32 %stage, %stage, 1;
  setp.eq.u32 %p0, %stage, 0;
  @%p0 xor.b32 %phase, %phase, 1;
  setp.lt.u32 %more, %k, 16;
  @%more bra load;
  exit;

consumer:
  mov.u32 %sumsPhase, 0;
  shr.u32 %x, %t, 5;
  mad.lo.u32 %x, %x, 2097152, %tensor;
  mul.wide.u32 %to, %t, 256;
  add.u64 %to, %to, %out;
consume:
  mov.u32 %bar, sumsFull;
  mad.lo.u32 %bar, %sums, 8, %bar;
ready:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [%bar], %sumsPhase;   // sync setp.eq.u32 %done, 0, 0;
  @!%done bra ready;
  tcgen05.fence::after_thread_sync;                // sync
  mad.lo.u32 %y, %sums, 64, %x;
  tcgen05.ld.sync.aligned.32x32b.x64.b32 {VALUES}, [%y];
  tcgen05.wait::ld.sync.aligned;                   // sync
  tcgen05.fence::before_thread_sync;               // sync
  mov.u32 %bar, sumsEmpty;
  mad.lo.u32 %bar, %sums, 8, %bar;
  mbarrier.arrive.shared::cta.b64 _, [%bar];       // sync
STORES
  add.u64 %to, %to, 32768;
  xor.b32 %sums, %sums, 1;
  setp.eq.u32 %p0, %sums, 0;
  @%p0 xor.b32 %sumsPhase, %sumsPhase, 1;
  add.u32 %tile, %tile, 1;
  setp.lt.u32 %more, %tile, 4;
  @%more bra consume;
  bar.sync 1, 128;                                 // sync
  @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tensor, 128;    // sync
)";

uint32_t factorOf(uint32_t column) { return column % 8 + column / 64 + 1; } // a small integer

Program pipeline() {
  enum : uint32_t { words = 128, tiles = 4, rows = 128, columns = 64 };
  std::string values, products, stores;
  for (uint32_t i = 0; i < columns; ++i) {
    values += (i ? ", %v" : "%v") + std::to_string(i);
    stores += "  st.global.b32 [%to+" + std::to_string(4 * i) + "], %v" + std::to_string(i) + ";\n";
  }
  constexpr uint32_t descriptor = 1 << 4 | 1 << 7 | 1 << 10 | columns / 8 << 17 | rows / 16 << 24; // f32 = bf16 * bf16
  for (unsigned slice = 0; slice < 4; ++slice)
    products += "  tcgen05.mma.cta_group::1.kind::f16 [%y], %da, %db, " + std::to_string(descriptor) +
                ", %keep;\n  add.u64 %da, %da, 2;\n  add.u64 %db, %db, 2;\n  setp.eq.u32 %keep, 0, 0;\n";
  Program program;
  program.name = "tensor pipeline";
  program.body = replaced(replaced(replaced(kernel, "PRODUCTS\n", products), "STORES\n", stores), "VALUES", values);
  program.threads = 192;
  program.in = tilecc::emu::test::words((rows + tiles * columns) * words, [](uint32_t i) { // of A, then of B
    uint32_t row = i / words;
    return (row < rows ? 0x3f80 : std::bit_cast<uint32_t>(float(factorOf(row - rows))) >> 16) * 0x10001;
  });
  program.expected = tilecc::emu::test::words(tiles * rows * columns, [](uint32_t i) {
    return std::bit_cast<uint32_t>(256.0f * float(factorOf(i / (rows * columns) * columns + i % columns)));
  });
  program.maps = {{.dims = {words, rows + tiles * columns}, .strides = {4 * words}, .box = {32, rows}, .swizzle = 3},
                  {.dims = {words, rows + tiles * columns}, .strides = {4 * words}, .box = {32, columns}, .swizzle = 3}};
  return program;
}

TEST(TensorPipeline, IsRight) {
  check(pipeline());
  EXPECT_FALSE(isFound(pipeline(), /*tensorFences=*/true));
}

TEST(TensorPipeline, NothingMayBeMissing) {
  std::vector<Mutant> mutants = withoutEachSync(pipeline());
  for (const auto &[line, program] : mutants) {
    EXPECT_TRUE(isFound(program, /*tensorFences=*/true)) << line;
    // Only hardware needs these fences: without that check, nothing is wrong.
    EXPECT_EQ(isFound(program), line.find("tcgen05.fence") == std::string::npos) << line;
  }
  EXPECT_EQ(mutants.size(), 18u);
}

} // namespace
