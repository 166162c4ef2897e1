// Barriers of a block, fences (PTX ISA 9.7.13).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::barrierAnswers() {
  std::vector<Answers> all;
  // These check that fences are accepted and change no values; programs and the memory checks test what they order.
  for (const char *fence :
       {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.acq_rel.gpu", "fence.sc.sys",
        "fence.acquire.cluster", "fence.release.gpu", "fence.gpu", "fence.mbarrier_init.release.cluster"})
    all.push_back({"st.global.u32 [%mem], %ra; " + std::string(fence) + "; ld.global.u32 %rx, [%mem]", "7 -> 7"});
  return all;
}

// Each thread stores a word, waits at a barrier, and loads the word of the thread at the other end of the block.
static std::string exchange(const std::string &barrier, uint32_t threads) {
  return R"(
  .shared .align 4 .b32 values[)" +
         std::to_string(threads) + R"(];
  mov.u32 %r0, values;
  mad.lo.u32 %r1, %t, 4, %r0;
  st.shared.u32 [%r1], %t;
  )" + barrier +
         R"(
  sub.u32 %r2, )" +
         std::to_string(threads - 1) + R"(, %t;
  mad.lo.u32 %r2, %r2, 4, %r0;
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%o], %r3;)";
}

// A reduction over the predicate "the thread is below `limit`". Each thread stores the result.
static std::string reduction(const std::string &instruction, uint32_t limit, bool isPredicate) {
  return "  setp.lt.u32 %p0, %t, " + std::to_string(limit) + ";\n  " + instruction + ";   // tested\n" +
         (isPredicate ? "  selp.u32 %r0, 1, 0, %p1;\n" : "") + "  st.global.u32 [%o], %r0;";
}

std::vector<Program> tilecc::emu::test::barrierPrograms() {
  auto mirrored = [](uint32_t threads) {
    return words(threads, [=](uint32_t thread) { return threads - 1 - thread; });
  };
  auto all = [](uint32_t threads, uint32_t value) { return words(threads, [=](uint32_t) { return value; }); };
  std::vector<Program> programs = {
      {.name = "BarrierOfAllThreads",
       .body = exchange("bar.sync 0;   // tested", 96),
       .expected = mirrored(96),
       .threads = 96},
      {.name = "BarrierOfAPartlyFilledWarp",
       .body = exchange("bar.cta.sync 3;   // tested", 70),
       .expected = mirrored(70),
       .threads = 70},
      {.name = "BarrierWithCount",
       .body = exchange("bar.sync 15, 64;   // tested", 64),
       .expected = mirrored(64),
       .threads = 64},
      {.name = "BarrierInARegister",
       .body = exchange("mov.u32 %r9, 4;\n  mov.u32 %r10, 64;\n  bar.sync %r9, %r10;   // tested", 64),
       .expected = mirrored(64),
       .threads = 64},
      {.name = "UnalignedBarrier",
       .body = exchange("barrier.sync 0;   // tested", 96),
       .expected = mirrored(96),
       .threads = 96},
      {.name = "AlignedBarrier",
       .body = exchange("barrier.sync.aligned 0, 96;   // tested", 96),
       .expected = mirrored(96),
       .threads = 96},
      // The threads of a warp arrive at an unaligned barrier one by one, at different instructions; the warp counts
      // once.
      {.name = "UnalignedBarrierInDivergentCode",
       .body = exchange(R"(and.b32 %r9, %t, 1;
  setp.eq.u32 %p0, %r9, 0;
  @%p0 bra even;
  barrier.sync 1, 64;   // tested
  bra both;
even:
  barrier.sync 1, 64;   // tested
both:)",
                        64),
       .expected = mirrored(64),
       .threads = 64},
      {.name = "UnalignedBarrierOfAllInDivergentCode",
       .body = exchange(R"(and.b32 %r9, %t, 1;
  setp.eq.u32 %p0, %r9, 0;
  @%p0 bra even;
  barrier.sync 1;   // tested
  bra both;
even:
  barrier.sync 1;   // tested
both:)",
                        64),
       .expected = mirrored(64),
       .threads = 64},
      {.name = "BarriersInTurn", // two barriers, used repeatedly: a phase ends before the next begins
       .body = R"(
  .shared .align 4 .b32 value;
  mov.u32 %r0, 0;
  setp.eq.u32 %p0, %t, 0;
  @%p0 st.shared.u32 [value], 0;
  bar.sync 0;
loop:
  setp.eq.u32 %p1, %t, %r0;
  ld.shared.u32 %r1, [value];
  bar.sync 1;                              // tested
  add.u32 %r1, %r1, 3;
  @%p1 st.shared.u32 [value], %r1;
  bar.sync 0;                              // tested
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p2, %r0, 64;
  @%p2 bra loop;
  ld.shared.u32 %r2, [value];
  st.global.u32 [%o], %r2;)",
       .expected = all(64, 192),
       .threads = 64},
      {.name = "ThreadsThatHaveEndedAreNotWaitedFor",
       .body = R"(
  setp.ge.u32 %p0, %t, 40;
  @%p0 exit;
  bar.sync 0;                              // tested
  st.global.u32 [%o], %t;)",
       .expected = words(96, [](uint32_t thread) { return thread < 40 ? thread : untouched; }),
       .threads = 96},
      {.name = "ProducerAndConsumer", // one warp arrives, the other waits
       .body = R"(
  .shared .align 4 .b32 values[32];
  mov.u32 %r0, values;
  setp.ge.u32 %p0, %t, 32;
  @%p0 bra consume;
  mad.lo.u32 %r1, %t, 4, %r0;
  st.shared.u32 [%r1], %t;
  bar.arrive 2, 64;                        // tested
  exit;
consume:
  sub.u32 %r1, %t, 32;
  xor.b32 %r1, %r1, 31;
  mad.lo.u32 %r1, %r1, 4, %r0;
  bar.sync 2, 64;                          // tested
  ld.shared.u32 %r2, [%r1];
  st.global.u32 [%o], %r2;)",
       .expected = words(64, [](uint32_t thread) { return thread < 32 ? untouched : 63 - thread; }),
       .threads = 64},
      {.name = "UnalignedProducerAndConsumer",
       .body = R"(
  setp.ge.u32 %p0, %t, 32;
  @%p0 bra consume;
  st.global.u32 [%o+128], %t;
  barrier.arrive 2, 64;                    // tested
  exit;
consume:
  barrier.sync 2, 64;                      // tested
  ld.global.u32 %r2, [%o];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%o], %r2;)",
       .expected = words(64, [](uint32_t thread) { return thread < 32 ? untouched : thread - 31; }),
       .threads = 64},
      {.name = "Popc",
       .body = reduction("bar.red.popc.u32 %r0, 0, %p0", 50, false),
       .expected = all(96, 50),
       .threads = 96},
      {.name = "PopcWithCount",
       .body = reduction("bar.red.popc.u32 %r0, 1, 96, !%p0", 50, false),
       .expected = all(96, 46),
       .threads = 96},
      {.name = "AndOfAll",
       .body = reduction("bar.red.and.pred %p1, 0, %p0", 96, true),
       .expected = all(96, 1),
       .threads = 96},
      {.name = "AndButOne",
       .body = reduction("bar.red.and.pred %p1, 0, 96, %p0", 95, true),
       .expected = all(96, 0),
       .threads = 96},
      {.name = "OrOfOne",
       .body = reduction("bar.red.or.pred %p1, 0, %p0", 1, true),
       .expected = all(96, 1),
       .threads = 96},
      {.name = "OrOfNone",
       .body = reduction("bar.red.or.pred %p1, 0, 96, %p0", 0, true),
       .expected = all(96, 0),
       .threads = 96},
      {.name = "UnalignedPopc",
       .body = reduction("barrier.red.popc.u32 %r0, 0, %p0", 50, false),
       .expected = all(96, 50),
       .threads = 96},
      {.name = "AlignedPopcWithCount",
       .body = reduction("barrier.red.popc.aligned.u32 %r0, 1, 96, %p0", 50, false),
       .expected = all(96, 50),
       .threads = 96},
      {.name = "UnalignedAnd",
       .body = reduction("barrier.red.and.pred %p1, 0, %p0", 95, true),
       .expected = all(96, 0),
       .threads = 96},
      {.name = "AlignedAndWithCount",
       .body = reduction("barrier.red.and.aligned.pred %p1, 0, 96, %p0", 96, true),
       .expected = all(96, 1),
       .threads = 96},
      {.name = "UnalignedOr",
       .body = reduction("barrier.red.or.pred %p1, 0, %p0", 1, true),
       .expected = all(96, 1),
       .threads = 96},
      {.name = "AlignedOrWithCount",
       .body = reduction("barrier.red.or.aligned.pred %p1, 0, 96, %p0", 0, true),
       .expected = all(96, 0),
       .threads = 96},
      {.name = "ThereIsNoBarrier16",
       .body = "  mov.u32 %r0, 16;\n  bar.sync %r0;",
       .error = 715,
       .message = "error: barrier 16: a block has barriers 0 to 15: kernel 'test', block (0,0,0)"},
      {.name = "CountsAreOfWholeWarps",
       .body = "  mov.u32 %r0, 33;\n  bar.sync 0, %r0;",
       .error = 719,
       .message = "error: a barrier for 33 threads: the number must be a multiple of 32: kernel 'test', block (0,0,0)"},
      {.name = "NobodyElseComes",
       .body = "  setp.ge.u32 %p0, %t, 32;\n  @%p0 bra other;\n  bar.sync 0, 64;\nother:\n",
       .threads = 64,
       .error = 702,
       .message = "error: deadlock: no thread can go on: kernel 'test', block (0,0,0)"},

      //===-- Fences between blocks ----------------------------------------------------------------------------===//
      {.name = "AMessageBetweenBlocks", // block 0 writes data, then a flag for which block 1 waits
       .body = R"(
  mov.u32 %r9, %ctaid.x;
  setp.ne.u32 %p0, %r9, 0;
  @%p0 bra reader;
  st.global.u32 [%out+4], 42;
  fence.acq_rel.gpu;                       // tested
  st.relaxed.gpu.global.u32 [%out], 1;
  exit;
reader:
  ld.relaxed.gpu.global.u32 %r0, [%out];
  setp.eq.u32 %p1, %r0, 0;
  @%p1 bra reader;
  fence.acq_rel.gpu;                       // tested
  ld.global.u32 %r1, [%out+4];
  st.global.u32 [%out+8], %r1;)",
       .expected = {1, 42, 42},
       .before = {0, 0, 0},
       .threads = 1,
       .blocks = 2},
  };
  return programs;
}
