// mbarrier objects (PTX ISA 9.7.13.15).
#include "../Harness.h"

using namespace tilecc::emu::test;

static Words all(uint32_t count, uint32_t value) { return Words(count, value); }

// For each thread, the number of the thread at the other end of the block.
static Words mirrored(uint32_t count) {
  return words(count, [&](uint32_t thread) { return count - 1 - thread; });
}

std::vector<Answers> tilecc::emu::test::mbarrierAnswers() { return {}; }

namespace {

// An incorrect use of the mbarrier at [mbar].
Program wrong(const char *name, const std::string &body, const std::string &what, uint32_t threads = 1) {
  return {.name = name,
          .body = "  .shared .align 8 .b64 mbar, other;\n  setp.eq.u32 %p7, %t, 0;\n" + body,
          .threads = threads,
          .error = 719,
          .message = "error: " + what + ": kernel 'test', block (0,0,0)"};
}

std::vector<Program> mistakes() {
  std::vector<Program> programs = {
      wrong("NotInitialized", "  mbarrier.arrive.shared.b64 %d0, [mbar];", "the mbarrier is not initialized"),
      wrong("NotAnyMore",
            "  mbarrier.init.shared.b64 [mbar], 1;\n  mbarrier.inval.shared.b64 [mbar];\n"
            "  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;",
            "the mbarrier is not initialized"),
      wrong("TooManyArrivals", "  mbarrier.init.shared.b64 [mbar], 2;\n  mbarrier.arrive.shared.b64 %d0, [mbar], 3;",
            "more arrivals than the mbarrier's phase takes: 3, and it still takes 2"),
      wrong("NoArrivals", "  mbarrier.init.shared.b64 [mbar], 0;",
            "an mbarrier for 0 arrivals: it takes 1 to 1048575"),
      wrong("InitializedTwice", "  mbarrier.init.shared.b64 [mbar], 1;\n  mbarrier.init.shared.b64 [mbar], 1;",
            "the mbarrier is initialized already, and mbarrier.inval has not ended its use"),
      wrong("Overwritten", "  mbarrier.init.shared.b64 [mbar], 1;\n  st.shared.b32 [mbar+4], 7;\n"
                           "  mbarrier.arrive.shared.b64 %d0, [mbar];",
            "something else has been written to the mbarrier"),
      wrong("InvalidWhileBytesAreToCome",
            "  mbarrier.init.shared.b64 [mbar], 1;\n  mbarrier.expect_tx.relaxed.cta.shared.b64 [mbar], 16;\n"
            "  mbarrier.inval.shared.b64 [mbar];",
            "the mbarrier is in use: 16 bytes are still to come"),
      wrong("ExpectsTooMuch",
            "  mbarrier.init.shared.b64 [mbar], 2;\n  mbarrier.arrive.expect_tx.shared.b64 %d0, [mbar], 1048575;\n"
            "  mbarrier.expect_tx.relaxed.cta.shared.b64 [mbar], 1;",
            "the mbarrier's transaction count would be 1048576, and it goes from -1048575 to 1048575"),
      wrong("NoCompleteCompletes",
            "  mbarrier.init.shared.b64 [mbar], 2;\n  mbarrier.arrive.noComplete.shared.b64 %d0, [mbar], 2;",
            "an arrival with .noComplete completes the mbarrier's phase"),
  };
  programs.push_back(wrong("Misaligned", "  mov.u32 %r0, mbar;\n  mbarrier.init.shared.b64 [%r0+4], 1;",
                           "an mbarrier must be aligned to 8 bytes, and shared+0x4 is not"));
  programs.back().error = 716;
  // Nothing orders the other warp's use after the initialization.
  programs.push_back(wrong("UsedWithoutKnowing",
                           "  @%p7 st.shared.b32 [other], 0;\n  bar.sync 0;\n  @%p7 mbarrier.init.shared.b64 [mbar], "
                           "1;\n  @%p7 st.relaxed.cta.shared.b32 [other], 1;\n"
                           "again:\n  ld.relaxed.cta.shared.b32 %r0, [other];\n  setp.ne.u32 %p6, %r0, 1;\n"
                           "  @%p6 bra again;\n  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;",
                           "data race in shared memory", 64));
  programs.back().onlyChecked = true;
  // All threads wait: in endless loops, at a barrier, and for each other.
  std::string deadlock = "deadlock: no thread can go on";
  programs.push_back(wrong("NobodyArrives", R"(
  @%p7 mbarrier.init.shared.b64 [mbar], 1;
  bar.sync 0;
wait:
  mbarrier.try_wait.parity.shared.b64 %p0, [mbar], 0;
  @!%p0 bra wait;)",
                           deadlock, 64));
  programs.push_back(wrong("BytesThatDoNotCome", R"(
  @!%p7 bra meet;
  mbarrier.init.shared.b64 [mbar], 1;
  mbarrier.arrive.expect_tx.shared.b64 _, [mbar], 64;
wait:
  mbarrier.test_wait.parity.shared.b64 %p0, [mbar], 0;
  @!%p0 nanosleep.u32 20;
  @!%p0 bra wait;
meet:
  bar.sync 0;)",
                           deadlock, 64));
  programs.push_back(wrong("EachForTheOther", R"(
  @%p7 mbarrier.init.shared.b64 [mbar], 32;
  @%p7 mbarrier.init.shared.b64 [other], 32;
  bar.sync 0;
  setp.lt.u32 %p1, %t, 32;
  mov.u32 %r0, mbar;
  @%p1 mov.u32 %r0, other;
  xor.b32 %r1, %r0, 8;
wait:
  mbarrier.try_wait.parity.shared.b64 %p0, [%r0], 0;
  @!%p0 bra wait;
  mbarrier.arrive.shared.b64 _, [%r1];)",
                           deadlock, 64));
  for (size_t i = programs.size() - 3; i < programs.size(); ++i)
    programs[i].error = 702;
  return programs;
}

} // namespace

std::vector<Program> tilecc::emu::test::mbarrierPrograms() {
  std::vector<Program> programs = mistakes();

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
  // A lane waits for others of its warp, which execute code further down.
  mbarrier("WithinAWarp", "31", R"(
  setp.ge.u32 %p6, %t, 32;
  @%p6 exit;
  @!%p7 bra others;
wait:
  mbarrier.try_wait.parity.shared.b64 %p0, [mbar], 0;
  @!%p0 bra wait;
  ld.shared.u32 %r0, [values+4];
  st.global.u32 [%out], %r0;
  exit;
others:
  st.shared.u32 [%r21], %t;
  mbarrier.arrive.shared.b64 _, [mbar];)",
           {1});
  // A loop that tests a number of times and then gives up is not a deadlock.
  mbarrier("GivesUp", "1", R"(
  mov.u32 %r0, 0;
wait:
  mbarrier.try_wait.parity.shared.b64 %p0, [mbar], 0;
  add.u32 %r0, %r0, 1;
  setp.lt.u32 %p1, %r0, 50;
  @%p1 bra wait;
  st.global.u32 [%o], %r0;)",
           all(64, 50));
  return programs;
}
