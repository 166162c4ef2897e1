// Branches, exits, special registers (PTX ISA 9.7.12, 9.7.19, 10).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::controlAnswers() {
  return {
      // Hints and waits change nothing.
      {"nanosleep.u32 20; mov.b32 %rx, %ra", "7 -> 7"},
      {"nanosleep.u32 %ra; mov.b32 %rx, %ra", "7 -> 7"},
      {"pmevent 3; mov.b32 %rx, %ra", "7 -> 7"},
      {"brkpt; mov.b32 %rx, %ra", "7 -> 7"},
  };
}

std::vector<Program> tilecc::emu::test::controlPrograms() {
  return {
      {.name = "BranchesDivergeAndMeetAgain",
       .body = R"(
  and.b32 %r0, %t, 1;
  setp.ne.b32 %p0, %r0, 0;
  @%p0 bra odd;                            // tested
  mov.u32 %r1, 100;
  bra.uni both;                            // tested
odd:
  mov.u32 %r1, 200;
both:
  activemask.b32 %r2;
  popc.b32 %r2, %r2;
  add.u32 %r1, %r1, %t;
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t lane) { return (lane % 2 ? 200 : 100) + lane; })},
      {.name = "GuardsOfBothKinds",
       .body = R"(
  setp.lt.u32 %p0, %t, 10;
  mov.u32 %r0, 1;
  @%p0 mov.u32 %r0, 2;
  @!%p0 add.u32 %r0, %r0, 5;
  @!%p0 bra skip;                          // tested
  add.u32 %r0, %r0, 100;
skip:
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane < 10 ? 102 : 6; })},
      {.name = "LoopsOfDifferentLengths", // the sum of 0 to lane, in nested loops
       .body = R"(
  mov.u32 %r0, 0;
  mov.u32 %r1, 0;
outer:
  mov.u32 %r2, 0;
inner:
  setp.ge.u32 %p0, %r2, %r1;
  @%p0 bra next;                           // tested
  add.u32 %r0, %r0, 1;
  add.u32 %r2, %r2, 1;
  bra inner;
next:
  add.u32 %r1, %r1, 1;
  setp.le.u32 %p0, %r1, %t;
  @%p0 bra outer;                          // tested
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane * (lane + 1) / 2; })},
      {.name = "JumpTable",
       .body = R"(
  rem.u32 %r0, %t, 3;
  mov.u32 %r1, 0;
targets: .branchtargets zero, one, two;
  brx.idx %r0, targets;                    // tested
zero:
  add.u32 %r1, %r1, 1;
one:
  add.u32 %r1, %r1, 10;
two:
  add.u32 %r1, %r1, 100;
  setp.eq.u32 %p0, %r1, 110;
  @%p0 brx.idx %r0, targets;               // tested: those of index 1 once more
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t lane) { return lane % 3 == 0   ? 111
                                                    : lane % 3 == 1 ? 220
                                                                    : 100; })},
      {.name = "EndlessLoopThatDiverges",
       .body = R"(
targets: .branchtargets again, further;
again:
  and.b32 %r0, %t, 1;
  brx.idx %r0, targets;
further:
  bra again;)",
       .threads = 64,
       .error = 702,
       .message =
           "error: the launch has run for 1000000 instructions of warps, which is the limit: is this loop endless?: "
           "kernel 'test', block (0,0,0)"},
      {.name = "JumpBeyondTheTable",
       .body = R"(
targets: .branchtargets zero, one;
  brx.idx %t, targets;
zero:
one:)",
       .error = 715,
       .message = "error: brx.idx with index 2 of a table of 2: kernel 'test', block (0,0,0)"},
      {.name = "SomeThreadsEndEarly",
       .body = R"(
  setp.lt.u32 %p0, %t, 4;
  @%p0 exit;                               // tested
  setp.lt.u32 %p0, %t, 8;
  @%p0 ret;                                // tested
  setp.lt.u32 %p0, %t, 12;
  @!%p0 bra rest;
  st.global.u32 [%o], 1;
  ret.uni;                                 // tested
rest:
  st.global.u32 [%o], 2;
  exit;                                    // tested
  st.global.u32 [%o], 3;)",
       .expected = lanes([](uint32_t lane) { return lane < 8    ? untouched
                                                    : lane < 12 ? 1
                                                                : 2; })},
      {.name = "Trap",
       .body = "  trap;                                    // tested",
       .error = 719,
       .message = "error: the kernel ran into a trap: kernel 'test', block (0,0,0)"},
      {.name = "TrapOfOneThread",
       .body = "  setp.eq.u32 %p0, %thread, 70;\n  @%p0 trap;                               // tested",
       .threads = 32,
       .blocks = 3,
       .error = 719,
       .message = "error: the kernel ran into a trap: kernel 'test', block (2,0,0)"},
      {.name = "NoThreadTraps",
       .body = "  setp.gt.u32 %p0, %thread, 70;\n  @%p0 trap;\n  st.global.u32 [%o], 1;",
       .expected = lanes([](uint32_t) { return 1; })},
      {.name = "HintsForTheWholeWarp",
       .body = R"(
  griddepcontrol.wait;                     // tested
  griddepcontrol.launch_dependents;        // tested
  setmaxnreg.inc.sync.aligned.u32 232;     // tested
  setmaxnreg.dec.sync.aligned.u32 40;      // tested
  st.global.u32 [%o], %t;)",
       .expected = lanes([](uint32_t lane) { return lane; })},
      {.name = "Clocks", // they never decrease
       .body = R"(
  mov.u64 %d0, %clock64;                   // tested
  mov.u32 %r0, %clock;                     // tested
  mov.u64 %d1, %clock64;
  mov.u32 %r1, %clock;
  mov.u64 %d2, %globaltimer;
  mov.u64 %d3, %globaltimer;
  mov.u32 %r2, %clock_hi;
  mov.u32 %r3, %globaltimer_lo;
  setp.le.u64 %p0, %d0, %d1;
  setp.le.and.u32 %p0, %r0, %r1, %p0;
  setp.le.and.u64 %p0, %d2, %d3, %p0;
  setp.eq.and.u32 %p0, %r2, 0, %p0;
  setp.ne.and.u32 %p0, %r3, 0, %p0;
  selp.u32 %r0, 1, 0, %p0;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t) { return 1; })},
      {.name = "SpecialRegisters",
       .body = R"(
  mov.u32 %r0, %laneid;                    // tested
  mov.u32 %r1, %warpid;
  mov.u32 %r2, %nwarpid;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, %ntid.x;
  mov.u32 %r6, %ntid.y;
  mov.u32 %r7, %tid.z;
  cvt.u64.u32 %d0, %tid.x;                 // others than mov read them, too
  cvt.u32.u64 %r8, %d0;
  mad.lo.u32 %r0, %r1, 100, %r0;           // lane + 100 warp + 1000 warps + 10000 block + 100000 blocks ...
  mad.lo.u32 %r0, %r2, 1000, %r0;
  mad.lo.u32 %r0, %r3, 10000, %r0;
  mad.lo.u32 %r0, %r4, 100000, %r0;
  mad.lo.u32 %r0, %r5, 1000000, %r0;
  add.u32 %r0, %r0, %r6;
  add.u32 %r0, %r0, %r7;
  sub.u32 %r0, %r0, %r8;
  st.global.u32 [%o], %r0;)",
       .expected = words(80,
                         [](uint32_t thread) {
                           uint32_t tid = thread % 40, warp = tid / 32, lane = tid % 32, block = thread / 40;
                           return lane + 100 * warp + 1000 * 2 + 10000 * block + 100000 * 2 + 1000000 * 40 + 1 - tid;
                         }),
       .threads = 40,
       .blocks = 2},
      {.name = "LaneMasks",
       .body = R"(
  mov.u32 %r0, %lanemask_eq;
  mov.u32 %r1, %lanemask_le;
  mov.u32 %r2, %lanemask_lt;
  mov.u32 %r3, %lanemask_ge;
  mov.u32 %r4, %lanemask_gt;
  xor.b32 %r5, %r2, %r1;                   // eq
  xor.b32 %r6, %r3, %r4;                   // eq
  not.b32 %r7, %r2;                        // ge
  setp.eq.u32 %p0, %r5, %r0;
  setp.eq.and.u32 %p0, %r6, %r0, %p0;
  setp.eq.and.u32 %p0, %r7, %r3, %p0;
  selp.b32 %r0, %r0, 0, %p0;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return 1u << lane; })},
      {.name = "CallsWithParametersAndResults",
       .body = R"(
  {
    .param .b32 first;
    .param .align 8 .b8 second[16];
    .param .b32 result;
    st.param.b32 [first], %t;
    st.param.b64 [second], 1000;
    st.param.b64 [second+8], 2000;
    call.uni (result), weigh, (first, second);
    ld.param.b32 %r0, [result];
    st.param.b32 [first], %r0;
    setp.lt.u32 %p0, %t, 10;
    @%p0 call (result), twice, (first);
    ld.param.b32 %r0, [result];
    setp.lt.u32 %p0, %t, 5;
    @!%p0 call nothing;
  }
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return (lane % 2 ? 2000 + lane : 1000 + 2 * lane) << (lane < 10); }),
       .declarations = R"(
.func (.param .b32 result) twice(.param .b32 x)
{
  .reg .b32 %r;
  ld.param.b32 %r, [x];
  add.u32 %r, %r, %r;
  st.param.b32 [result], %r;
  ret;
}
.func nothing()
{
  ret;
}
.func (.param .b32 result) weigh(.param .b32 x, .param .align 8 .b8 pair[16])
{
  .reg .pred %p;
  .reg .b32 %r<3>;
  .reg .b64 %d<2>;
  ld.param.b32 %r0, [x];
  and.b32 %r1, %r0, 1;
  setp.eq.u32 %p, %r1, 0;
  @%p bra even;
  ld.param.b64 %d0, [pair+8];
  cvt.u32.u64 %r2, %d0;
  add.u32 %r2, %r2, %r0;
  st.param.b32 [result], %r2;
  ret;
even:
  ld.param.b64 %d0, [pair];
  {
    .param .b32 x2;
    .param .b32 r2;
    st.param.b32 [x2], %r0;
    call (r2), twice, (x2);
    ld.param.b32 %r1, [r2];
  }
  cvt.u32.u64 %r2, %d0;
  add.u32 %r2, %r2, %r1;
  st.param.b32 [result], %r2;
  ret;
}
)"},

      //===-- replicas -----------------------------------------------------------------------------------------===//
      {.name = "CopiesAreComparedByRounds", // each warp counts separately
       .body = R"(
  mov.u32 %r1, 0;
again:
  and.b32 %r0, %t, 8;
  add.u32 %r2, %r0, %r1;
  cvt.u64.u32 %d0, %r2;
  //@ replicas.b32 %r2, %t, 55, 64;        // tested
  //@ replicas.b64 %d0, %t, 55, 64;        // tested
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p0, %r1, 5;
  @%p0 bra again;
  st.global.u32 [%o], %r2;)",
       .expected = words(64, [](uint32_t i) { return (i & 8) + 4; }),
       .threads = 64},
      {.name = "CopiesDifferWithinAWarp",
       .body = "  and.b32 %r0, %t, 8;\n  //@ replicas.b32 %r0, %t, 15, 32;",
       .error = 719,
       .message = "error: copies of one value differ: kernel 'test', block (0,0,0)",
       .onlyChecked = true},
      {.name = "CopiesDifferBetweenWarps",
       .body = "  cvt.u64.u32 %d0, %t;\n  shl.b64 %d0, %d0, 32;\n  //@ replicas.b64 %d0, %t, 32, 64;",
       .threads = 64,
       .error = 719,
       .message = "error: copies of one value differ: kernel 'test', block (0,0,0)",
       .onlyChecked = true},
      //===-- awaits -------------------------------------------------------------------------------------------===//
      {.name = "AWaitForASignalEnds",
       .body = R"(
  mov.u32 %r0, 5;
  st.release.sys.global.u32 [%o], %r0;
again:
  ld.acquire.sys.global.u32 %r1, [%o];
  //@ awaits.global.ge.u32 [%o], %r1, 5;   // tested
  sub.u32 %r2, %r1, 5;
  setp.lt.s32 %p0, %r2, 0;
  @%p0 bra again;)",
       .expected = words(64, [](uint32_t) { return 5; }),
       .threads = 64},
      {.name = "AWaitForASignalDoesNotEnd",
       .body = R"(
  mov.u32 %r0, 5;
  st.release.sys.global.u32 [%o], %r0;
again:
  ld.acquire.sys.global.u32 %r1, [%o];
  //@ awaits.global.ge.u32 [%o], %r1, %t;
  sub.u32 %r2, %r1, %t;
  setp.lt.s32 %p0, %r2, 0;
  @%p0 bra again;)",
       .expected = words(64, [](uint32_t) { return 5; }),
       .threads = 64,
       .error = 702,
       .message = "error: deadlock: all threads wait for signals that no thread will send: kernel 'test', block (0,0,0)"},
      //===-- setmaxnreg ---------------------------------------------------------------------------------------===//
      {.name = "RegistersAreGivenAndTaken", // 168 in each of three warpgroups, then 40 + 2 * 232
       .body = R"(
  setp.lt.u32 %p0, %t, 128;
  @%p0 setmaxnreg.dec.sync.aligned.u32 40;      // tested
  @!%p0 setmaxnreg.inc.sync.aligned.u32 232;    // tested
  st.global.u32 [%o], %t;)",
       .expected = words(384, [](uint32_t i) { return i; }),
       .threads = 384,
       .directives = ".maxntid 384\n.minnctapersm 1\n"},
      {.name = "MoreRegistersThanThereAre",
       .body = "  setp.lt.u32 %p0, %t, 128;\n  @%p0 setmaxnreg.dec.sync.aligned.u32 48;\n"
               "  @!%p0 setmaxnreg.inc.sync.aligned.u32 232;",
       .threads = 384,
       .directives = ".maxntid 384\n",
       .error = 702,
       .message = "error: deadlock: no thread can go on: kernel 'test', block (0,0,0)"},
      {.name = "DecreasesToMore",
       .body = "  setmaxnreg.dec.sync.aligned.u32 176;",
       .threads = 128,
       .directives = ".maxnreg 168\n",
       .error = 719,
       .message = "error: setmaxnreg.dec to 176 registers, and the threads have 168: kernel 'test', block (0,0,0)"},
      {.name = "NoMultipleOf8",
       .body = "  setmaxnreg.dec.sync.aligned.u32 100;",
       .threads = 128,
       .directives = ".maxnreg 168\n",
       .error = 715,
       .message =
           "error: setmaxnreg to 100 registers: it takes 24 to 256, in steps of 8: kernel 'test', block (0,0,0)"},
      {.name = "OneWarpAlone",
       .body = "  setp.lt.u32 %p0, %t, 32;\n  @%p0 setmaxnreg.dec.sync.aligned.u32 40;",
       .threads = 128,
       .directives = ".maxnreg 168\n",
       .error = 719,
       .message =
           "error: a setmaxnreg that not all warps of the warpgroup have executed: kernel 'test', block (0,0,0)"},
  };
}
