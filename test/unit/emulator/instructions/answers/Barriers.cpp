// Barriers of a block, fences, mbarriers (PTX ISA 9.7.13).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::barrierAnswers() {
  std::vector<Answers> all;
  // What fences order, programs and the checks tell; that they are there and change nothing, this.
  for (const char *fence :
       {"membar.cta", "membar.gl", "membar.sys", "fence.sc.cta", "fence.acq_rel.gpu", "fence.sc.sys",
        "fence.acquire.cluster", "fence.release.gpu", "fence.gpu", "fence.mbarrier_init.release.cluster"})
    all.push_back({"st.global.u32 [%mem], %ra; " + std::string(fence) + "; ld.global.u32 %rx, [%mem]", "7 -> 7"});
  return all;
}

// A barrier in between a store of each thread and a load of what the thread at the other end of the block has stored.
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

// A reduction over the predicate "the thread is below `limit`"; what comes out, each thread stores.
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
      // The threads of a warp come to an unaligned barrier one by one, at different instructions; the warp counts once.
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
      {.name = "BarriersInTurn", // of two, and again: a phase ends before the next begins
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
      {.name = "ProducerAndConsumer", // one warp arrives, the other one waits
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
      {.name = "AMessageBetweenBlocks", // block 0 writes, then says so; block 1 waits for it
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

  //===-- mbarrier -----------------------------------------------------------------------------------------------===//

  std::string init = R"(
  .shared .align 8 .b64 mbar;
  .shared .align 4 .b32 values[64];
  mov.u32 %r20, values;
  mad.lo.u32 %r21, %t, 4, %r20;
  xor.b32 %r22, %t, 63;
  mad.lo.u32 %r22, %r22, 4, %r20;
  setp.eq.u32 %p7, %t, 0;
  @%p7 mbarrier.init.shared::cta.b64 [mbar], COUNT;   // tested
  @%p7 fence.mbarrier_init.release.cluster;           // tested
  bar.sync 0;
)";
  auto mbarrier = [&](const char *name, const std::string &count, const std::string &body, Words expected,
                      uint32_t threads = 64) {
    std::string text = init;
    text.replace(text.find("COUNT"), 5, count);
    programs.push_back({.name = name, .body = text + body, .expected = std::move(expected), .threads = threads});
  };
  mbarrier("ArriveAndTestByState", "64", R"(
  st.shared.u32 [%r21], %t;
  mbarrier.arrive.shared.b64 %d0, [mbar];             // tested
wait:
  mbarrier.test_wait.shared.b64 %p0, [mbar], %d0;     // tested
  @!%p0 bra wait;
  ld.shared.u32 %r0, [%r22];
  st.global.u32 [%o], %r0;)",
           mirrored(64));
  mbarrier("ArriveAndTryByParity", "64", R"(
  st.shared.u32 [%r21], %t;
  mbarrier.arrive.release.cta.shared::cta.b64 _, [mbar];            // tested
wait:
  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p0, [mbar], 0, 1000;   // tested
  @!%p0 bra wait;
  ld.shared.u32 %r0, [%r22];
  st.global.u32 [%o], %r0;)",
           mirrored(64));
  mbarrier("GenericAddress", "64", R"(
  mov.u64 %d1, mbar;
  cvta.shared.u64 %d1, %d1;
  st.shared.u32 [%r21], %t;
  mbarrier.arrive.b64 %d0, [%d1];                     // tested
wait:
  mbarrier.try_wait.b64 %p0, [%d1], %d0;              // tested
  @!%p0 bra wait;
  ld.shared.u32 %r0, [%r22];
  st.global.u32 [%o], %r0;)",
           mirrored(64));
  mbarrier("ArriveForMany", "128", R"(
  st.shared.u32 [%r21], %t;
  mbarrier.arrive.shared.b64 %d0, [mbar], 2;          // tested
wait:
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;   // tested
  @!%p0 bra wait;
  ld.shared.u32 %r0, [%r22];
  st.global.u32 [%o], %r0;)",
           mirrored(64));
  mbarrier("Phases", "64", R"(
  mov.u32 %r0, 0;
  mov.u32 %r1, 0;
phase:
  add.u32 %r2, %r0, %t;
  st.shared.u32 [%r21], %r2;
  mbarrier.arrive.shared.b64 _, [mbar];               // tested
  and.b32 %r3, %r0, 1;
wait:
  mbarrier.try_wait.parity.shared.b64 %p0, [mbar], %r3;   // tested
  @!%p0 bra wait;
  ld.shared.u32 %r2, [%r22];
  add.u32 %r1, %r1, %r2;
  bar.sync 0;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p1, %r0, 5;
  @%p1 bra phase;
  st.global.u32 [%o], %r1;)",
           words(64, [](uint32_t thread) { return 5 * (63 - thread) + 10; }));
  mbarrier("PhaseBeforeTheFirstHasCompleted", "64", R"(
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 1;   // tested: the phase before
  mbarrier.test_wait.parity.shared.b64 %p1, [mbar], 0;   // tested: the one that runs
  selp.u32 %r0, 1, 0, %p0;
  @%p1 add.u32 %r0, %r0, 2;
  st.global.u32 [%o], %r0;)",
           all(64, 1));
  mbarrier("DropLeavesTheLaterPhases", "64", R"(
  setp.lt.u32 %p1, %t, 32;
  @!%p1 bra stay;
  mbarrier.arrive_drop.shared.b64 %d0, [mbar];        // tested
  exit;
stay:
  mbarrier.arrive.shared.b64 _, [mbar];
wait:
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;
  @!%p0 bra wait;
  mbarrier.arrive.shared.b64 _, [mbar];               // the second phase is of 32 threads
again:
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 1;
  @!%p0 bra again;
  st.global.u32 [%o], 1;)",
           words(64, [](uint32_t thread) { return thread < 32 ? untouched : 1; }));
  mbarrier("TransactionsHoldThePhase", "1", R"(
  setp.eq.u32 %p1, %t, 0;
  @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [mbar], 256;              // tested
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p2, [mbar], 0;
  bar.sync 0;
  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [mbar], 4;            // tested: 4 bytes of each thread
wait:
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;
  @!%p0 bra wait;
  selp.u32 %r0, 1, 0, %p2;
  st.global.u32 [%o], %r0;)",
           all(64, 0));
  mbarrier("ExpectWithoutArriving", "64", R"(
  setp.eq.u32 %p1, %t, 0;
  @%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [mbar], 8;         // tested
  bar.sync 0;
  mbarrier.arrive.shared.b64 _, [mbar];
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p2, [mbar], 0;
  bar.sync 0;
  @%p1 mbarrier.complete_tx.shared.b64 [mbar], 8;                        // tested
  bar.sync 0;
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;
  selp.u32 %r0, 1, 0, %p2;
  @%p0 add.u32 %r0, %r0, 2;
  st.global.u32 [%o], %r0;)",
           all(64, 2));
  mbarrier("DropWithTransactions", "64", R"(
  mbarrier.arrive_drop.expect_tx.shared.b64 %d0, [mbar], 4;              // tested
  mbarrier.complete_tx.shared.b64 [mbar], 4;
wait:
  mbarrier.test_wait.shared.b64 %p0, [mbar], %d0;
  @!%p0 bra wait;
  st.global.u32 [%o], 1;)",
           all(64, 1));
  mbarrier("PendingCount", "10", R"(
  mov.u32 %r5, 0;
  setp.eq.u32 %p1, %t, 0;
  @!%p1 bra done;
  mbarrier.arrive.noComplete.shared.b64 %d0, [mbar], 3;                  // tested: 10 are pending before it
  mbarrier.arrive.noComplete.release.cta.shared.b64 %d1, [mbar], 2;      // tested: 7
  mbarrier.arrive_drop.noComplete.shared.b64 %d2, [mbar], 1;             // tested: 5
  mbarrier.arrive.shared.b64 %d3, [mbar], 4;                             // 4, and then 9 of the next phase
  mbarrier.arrive.shared.b64 %d4, [mbar];
  mbarrier.pending_count.b64 %r0, %d0;                                   // tested
  mbarrier.pending_count.b64 %r1, %d1;                                   // tested
  mbarrier.pending_count.b64 %r2, %d2;
  mbarrier.pending_count.b64 %r3, %d3;
  mbarrier.pending_count.b64 %r4, %d4;
  st.global.v4.u32 [%out], {%r0, %r1, %r2, %r3};
  st.global.u32 [%out+16], %r4;
done:)",
           {10, 7, 5, 4, 9});
  mbarrier("InvalidateAndInitializeAgain", "64", R"(
  @%p7 mbarrier.inval.shared.b64 [mbar];                                 // tested
  @%p7 mbarrier.init.shared.b64 [mbar], 1;
  bar.sync 0;
  @%p7 mbarrier.arrive.shared.b64 _, [mbar];
wait:
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;
  @!%p0 bra wait;
  st.global.u32 [%o], 1;)",
           all(64, 1));
  programs.push_back({.name = "NotInitialized",
                      .body = "  .shared .align 8 .b64 mbar;\n  mbarrier.arrive.shared.b64 %d0, [mbar];",
                      .error = 719,
                      .message = "error: the mbarrier is not initialized: kernel 'test', block (0,0,0)"});
  programs.push_back({.name = "TooManyArrivals",
                      .body = "  .shared .align 8 .b64 mbar;\n  mbarrier.init.shared.b64 [mbar], 2;\n"
                              "  mbarrier.arrive.shared.b64 %d0, [mbar], 3;",
                      .threads = 1,
                      .error = 719,
                      .message = "error: more arrivals than the mbarrier's phase takes: kernel 'test', block (0,0,0)"});
  return programs;
}
