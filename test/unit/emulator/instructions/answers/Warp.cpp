// Instructions for all lanes of a warp (PTX ISA 9.7.9.6, 9.7.13).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::warpAnswers() { return {}; }

std::vector<Program> tilecc::emu::test::warpPrograms() {
  // Shuffles %r0 = 100 + lane; the result is stored, plus 1000 if the predicate is true.
  auto shuffle = [](const char *name, const std::string &mode, const std::string &b, const std::string &c,
                    Words expected) {
    return Program{.name = name,
                   .body = "  add.u32 %r0, %t, 100;\n  shfl.sync." + mode + ".b32 %r1|%p0, %r0, " + b + ", " + c +
                           ", -1;   // tested\n  @%p0 add.u32 %r1, %r1, 1000;\n  st.global.u32 [%o], %r1;",
                   .expected = std::move(expected)};
  };
  std::vector<Program> all = {
      // c: bits 4:0 clamp, bits 12:8 the mask that splits the warp.
      shuffle("ShuffleUp", "up", "3", "0",
              lanes([](uint32_t lane) { return lane < 3 ? 100 + lane : 1100 + lane - 3; })),
      shuffle("ShuffleUpInPartsOf8", "up", "3", "0x1800",
              lanes([](uint32_t lane) { return lane % 8 < 3 ? 100 + lane : 1100 + lane - 3; })),
      shuffle("ShuffleDown", "down", "5", "31",
              lanes([](uint32_t lane) { return lane + 5 > 31 ? 100 + lane : 1105 + lane; })),
      shuffle("ShuffleDownInPartsOf16", "down", "5", "0x101f",
              lanes([](uint32_t lane) { return lane % 16 + 5 > 15 ? 100 + lane : 1105 + lane; })),
      shuffle("ShuffleButterfly", "bfly", "1", "31", lanes([](uint32_t lane) { return 1100 + (lane ^ 1); })),
      shuffle("ShuffleButterflyClamped", "bfly", "16", "15", // the upper half may read the lower one, not the other way
              lanes([](uint32_t lane) { return lane < 16 ? 100 + lane : 1100 + lane - 16; })),
      shuffle("ShuffleIndex", "idx", "7", "31", lanes([](uint32_t) { return 1107; })),
      shuffle("ShuffleIndexInPartsOf4", "idx", "1", "0x1c1f", lanes([](uint32_t lane) { return 1101 + lane / 4 * 4; })),
      shuffle("ShuffleIndexClamped", "idx", "20", "10", lanes([](uint32_t lane) { return 100 + lane; })),
      shuffle("ShuffleIndexOfEachLane", "idx", "%t", "31", lanes([](uint32_t lane) { return 1100 + lane; })),
      {.name = "ShuffleOfSomeLanes", // the others execute something else
       .body = R"(
  setp.lt.u32 %p0, %t, 16;
  @%p0 bra lower;
  shfl.sync.bfly.b32 %r0, %t, 3, 31, 0xffff0000;   // tested
  bra both;
lower:
  shfl.sync.bfly.b32 %r0, %t, 5, 31, 0x0000ffff;   // tested
both:
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane ^ (lane < 16 ? 5 : 3); })},
      {.name = "ShuffleWaitsForLanesThatComeLater",
       .body = R"(
  mov.u32 %r0, %t;
  and.b32 %r1, %t, 1;
  setp.eq.u32 %p0, %r1, 0;
  @%p0 bra meet;
  mov.u32 %r2, 0;
more:
  add.u32 %r0, %r0, 10;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %t;
  @%p1 bra more;
meet:
  shfl.sync.bfly.b32 %r3, %r0, 1, 31, -1;          // tested
  st.global.u32 [%o], %r3;)",
       .expected = lanes([](uint32_t lane) { return lane % 2 ? lane - 1 : (lane + 1) * 11; })},
      {.name = "ShuffleUnderAGuard",
       .body = R"(
  setp.lt.u32 %p0, %t, 8;
  mov.u32 %r0, 77;
  @%p0 shfl.sync.idx.b32 %r0, %t, 2, 31, 0xff;     // tested
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane < 8 ? 2 : 77; })},
      {.name = "ShuffleFromALaneThatIsNotThere",
       .body = R"(
  setp.ge.u32 %p0, %t, 8;
  mov.u32 %r0, %t;
  @%p0 bra store;
  shfl.sync.idx.b32 %r0, %t, 20, 31, 0xff;
store:
  st.global.u32 [%o], %r0;)",
       .before = Words(32),
       .error = 719,
       .message = "error: a value that a shuffle took from a lane that does not take part in it is used as an address or "
                  "a value that is stored: kernel 'test', block (0,0,0)"},
      {.name = "ShuffleFromALaneThatIsNotThereAndIsNotUsed", // as at the end of a reduction: lane 0 has what counts
       .body = R"(
  setp.lt.u32 %p0, %t, 16;
  mov.u32 %r0, %t;
  @!%p0 bra store;
  shfl.sync.down.b32 %r1, %r0, 8, 31, 0xffff;      // tested
  add.u32 %r0, %r0, %r1;
  shfl.sync.down.b32 %r1, %r0, 4, 31, 0xffff;      // tested
  add.u32 %r0, %r0, %r1;
  setp.lt.u32 %p0, %t, 4;
  selp.u32 %r0, %r0, %t, %p0;
store:
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane < 4 ? 4 * lane + 8 + 4 + 12 : lane; })},
      {.name = "MaskWithoutOneself",
       .body = "  shfl.sync.idx.b32 %r0, %t, 1, 31, 0xff;\n",
       .error = 719,
       .message = "error: the member mask 0x000000ff does not name the thread that executes this: kernel 'test', block "
                  "(0,0,0)"},

      {.name = "VoteAll",
       .body = R"(
  setp.lt.u32 %p0, %t, 32;
  vote.sync.all.pred %p1, %p0, -1;                 // tested
  setp.lt.u32 %p0, %t, 31;
  vote.sync.all.pred %p2, %p0, -1;                 // tested
  selp.u32 %r0, 1, 0, %p1;
  @%p2 add.u32 %r0, %r0, 2;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t) { return 1; })},
      {.name = "VoteAny",
       .body = R"(
  setp.eq.u32 %p0, %t, 9;
  vote.sync.any.pred %p1, %p0, -1;                 // tested
  setp.eq.u32 %p0, %t, 40;
  vote.sync.any.pred %p2, !%p0, -1;                // tested
  vote.sync.any.pred %p3, %p0, -1;                 // tested
  selp.u32 %r0, 1, 0, %p1;
  @%p2 add.u32 %r0, %r0, 2;
  @%p3 add.u32 %r0, %r0, 4;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t) { return 3; })},
      {.name = "VoteUni",
       .body = R"(
  setp.eq.u32 %p0, %t, 9;
  vote.sync.uni.pred %p1, %p0, -1;                 // tested: no
  setp.eq.u32 %p0, %t, 40;
  vote.sync.uni.pred %p2, %p0, -1;                 // tested: all false
  vote.sync.uni.pred %p3, !%p0, -1;                // tested: all true
  selp.u32 %r0, 1, 0, %p1;
  @%p2 add.u32 %r0, %r0, 2;
  @%p3 add.u32 %r0, %r0, 4;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t) { return 6; })},
      {.name = "VoteBallot",
       .body = R"(
  and.b32 %r0, %t, 1;
  setp.ne.u32 %p0, %r0, 0;
  vote.sync.ballot.b32 %r1, %p0, -1;               // tested
  setp.lt.u32 %p1, %t, 12;
  @%p1 vote.sync.ballot.b32 %r1, !%p0, 0xfff;      // tested
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t lane) { return lane < 12 ? 0x555 : 0xaaaaaaaa; })},
      {.name = "VoteBallotOldOrder", // ptxas accepts it, and CUB uses it
       .body = R"(
  setp.lt.u32 %p0, %t, 7;
  vote.ballot.sync.b32 %r1, %p0, -1;               // tested
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t) { return 0x7f; })},
      {.name = "MatchAny", // groups of equal values
       .body = R"(
  rem.u32 %r0, %t, 3;
  match.any.sync.b32 %r1, %r0, -1;                 // tested
  mul.wide.u32 %d0, %r0, 0x10000000;
  shl.b64 %d0, %d0, 8;
  match.any.sync.b64 %r2, %d0, -1;                 // tested
  xor.b32 %r2, %r2, %r1;
  st.global.u32 [%o], %r1;
  setp.ne.u32 %p0, %r2, 0;
  @%p0 st.global.u32 [%o], 0;)",
       .expected = lanes([](uint32_t lane) {
         return lane % 3 == 0 ? 0x49249249 : lane % 3 == 1 ? 0x92492492 : 0x24924924;
       })},
      {.name = "MatchAll",
       .body = R"(
  mov.u32 %r0, 5;
  match.all.sync.b32 %r1|%p0, %r0, -1;             // tested
  match.all.sync.b32 %r2|%p1, %t, -1;              // tested
  mov.u64 %d0, 0x500000000;
  cvt.u64.u32 %d1, %t;
  match.all.sync.b64 %r3|%p2, %d0, -1;             // tested
  match.all.sync.b64 %r4, %d1, -1;                 // tested
  selp.u32 %r5, 1, 0, %p0;
  @%p1 add.u32 %r5, %r5, 2;
  @%p2 add.u32 %r5, %r5, 4;
  and.b32 %r1, %r1, %r3;
  or.b32 %r2, %r2, %r4;
  xor.b32 %r1, %r1, %r2;
  xor.b32 %r1, %r1, %r5;
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t) { return ~0u ^ 5; })},
      {.name = "Reductions", // of lane - 16
       .body = R"(
  sub.s32 %r0, %t, 16;
  redux.sync.add.s32 %r1, %r0, -1;                 // tested: -16
  redux.sync.min.s32 %r2, %r0, -1;                 // tested: -16
  redux.sync.max.s32 %r3, %r0, -1;                 // tested: 15
  redux.sync.add.u32 %r4, %t, -1;                  // tested: 496
  redux.sync.min.u32 %r5, %r0, -1;                 // tested: 0
  redux.sync.max.u32 %r6, %r0, -1;                 // tested: 0xffffffff
  st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};
  st.global.v2.u32 [%out+16], {%r5, %r6};)",
       .expected = {uint32_t(-16), uint32_t(-16), 15, 496, 0, 0xffffffff}},
      {.name = "ReductionsOfBits",
       .body = R"(
  or.b32 %r0, %t, 0x100;
  redux.sync.and.b32 %r1, %r0, -1;                 // tested
  redux.sync.or.b32 %r2, %r0, -1;                  // tested
  redux.sync.xor.b32 %r3, %t, -1;                  // tested: every bit in an even number of lanes
  setp.lt.u32 %p0, %t, 3;
  mov.u32 %r4, 0;
  @%p0 redux.sync.xor.b32 %r4, %t, 7;              // tested: 0 ^ 1 ^ 2
  setp.eq.u32 %p1, %t, 0;
  @%p1 st.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};)",
       .expected = {0x100, 0x11f, 0, 3}},
      {.name = "ElectOfOneLane",
       .body = R"(
  setp.lt.u32 %p0, %t, 5;
  @%p0 exit;
  elect.sync %r0|%p1, -1;                          // tested
  @%p1 add.u32 %r0, %r0, 100;
  setp.ge.u32 %p2, %t, 20;
  setp.ne.u32 %p3, 0, 0;
  @%p2 elect.sync _|%p3, 0xfff00000;               // tested
  @%p3 add.u32 %r0, %r0, 200;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane < 5     ? untouched
                                                    : lane == 5  ? 105
                                                    : lane == 20 ? 205
                                                                 : 5; })},
      {.name = "ActiveLanes",
       .body = R"(
  setp.lt.u32 %p0, %t, 4;
  mov.u32 %r0, 0;
  @%p0 activemask.b32 %r0;                         // tested
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane < 4 ? 15 : 0; })},
      {.name = "LanesThatHaveEndedAreNotWaitedFor",
       .body = R"(
  setp.ge.u32 %p0, %t, 20;
  @%p0 exit;
  vote.sync.ballot.b32 %r0, 1, -1;                 // tested
  redux.sync.add.u32 %r1, %t, -1;                  // tested
  bar.warp.sync -1;                                // tested
  add.u32 %r0, %r0, %r1;
  st.global.u32 [%o], %r0;)",
       .expected = lanes([](uint32_t lane) { return lane < 20 ? 0xfffff + 190 : untouched; })},
      {.name = "WarpBarrierOrdersMemory",
       .body = R"(
  .shared .align 4 .b32 values[32];
  mov.u32 %r0, values;
  mad.lo.u32 %r1, %t, 4, %r0;
  st.shared.u32 [%r1], %t;
  bar.warp.sync -1;                                // tested
  xor.b32 %r2, %t, 31;
  mad.lo.u32 %r2, %r2, 4, %r0;
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%o], %r3;)",
       .expected = lanes([](uint32_t lane) { return 31 - lane; })},
      {.name = "WarpBarrierAtTwoPlaces", // with the same mask they are one barrier
       .body = R"(
  .shared .align 4 .b32 values[32];
  mov.u32 %r0, values;
  mad.lo.u32 %r1, %t, 4, %r0;
  xor.b32 %r2, %t, 16;
  mad.lo.u32 %r2, %r2, 4, %r0;
  setp.lt.u32 %p0, %t, 16;
  @%p0 bra lower;
  st.shared.u32 [%r1], 5;
  bar.warp.sync -1;                                // tested
  bra both;
lower:
  st.shared.u32 [%r1], 7;
  bar.warp.sync -1;                                // tested
both:
  ld.shared.u32 %r3, [%r2];
  st.global.u32 [%o], %r3;)",
       .expected = lanes([](uint32_t lane) { return lane < 16 ? 5 : 7; })},
      {.name = "AWarpThatWaitsForItself",
       .body = "  setp.lt.u32 %p0, %t, 16;\n  @%p0 bar.warp.sync -1;\n  @!%p0 bar.warp.sync 0xffff0001;\n",
       .error = 702,
       .message = "error: deadlock: no thread can go on: kernel 'test', block (0,0,0)"},
  };
  return all;
}
