// cp.async (PTX ISA 9.7.9.25).
#include "../Harness.h"

using namespace tilecc::emu::test;

// Copies %mem, which contains four words, to %smem and loads the result.
static std::string copy(const std::string &cache, int bytes, const std::string &modifiers, const std::string &more,
                        const std::string &wait = "cp.async.wait_all") {
  const char *words = bytes == 4 ? "u32 %rw" : bytes == 8 ? "v2.u32 {%rw, %rx}" : "v4.u32 {%rw, %rx, %ry, %rz}";
  return "st.global.v4.u32 [%mem], {%ra, %rb, %rc, %rd}; createpolicy.fractional.L2::evict_first.b64 %dt;"
         "cp.async." +
         cache + ".shared.global" + modifiers + " [%smem], [%mem], " + std::to_string(bytes) + more + ";" + wait +
         "; ld.shared." + words + ", [%smem]";
}

std::vector<Answers> tilecc::emu::test::asyncAnswers() {
  std::vector<Answers> all = {
      {"st.global.v4.u32 [%mem], {%ra, %rb, %rc, %rd}; cp.async.ca.shared::cta.global [%smem+8], [%mem+8], 8; "
       "cp.async.commit_group;"
       "cp.async.wait_group 0; ld.shared.v2.u32 {%rx, %ry}, [%smem+8]",
       "1 2 3 4 -> 3 4"},
      {copy("ca", 16, ".L2::128B", ""), "1 2 3 4 -> 1 2 3 4"},
  };
  struct Form {
    std::string cache;
    int bytes;
    std::string whole, half, nothing; // which of the words 1 2 3 4 are copied
  };
  for (const auto &[cache, bytes, whole, half, nothing] :
       {Form{"ca", 4, "1", "1", "0"}, {"ca", 8, "1 2", "1 0", "0 0"}, {"ca", 16, "1 2 3 4", "1 2 0 0", "0 0 0 0"},
        {"cg", 16, "1 2 3 4", "1 2 0 0", "0 0 0 0"}}) {
    std::string hint = ".L2::cache_hint", size = std::to_string(bytes), part = std::to_string(bytes / 2);
    // The rest of the destination is filled with zeros.
    std::string sizes =
        "1 2 3 4 " + size + " -> " + whole + "; 1 2 3 4 " + part + " -> " + half + "; 1 2 3 4 0 -> " + nothing;
    std::string ignored = "1 2 3 4 0 -> " + whole + "; 1 2 3 4 1 -> " + nothing;
    all.push_back({copy(cache, bytes, "", ""), "1 2 3 4 -> " + whole});
    all.push_back({copy(cache, bytes, "", ", %re"), sizes});
    all.push_back({copy(cache, bytes, hint, ", %dt"), "1 2 3 4 -> " + whole});
    all.push_back({copy(cache, bytes, hint, ", %re, %dt"), sizes});
    all.push_back({copy(cache, bytes, "", ", %pe"), ignored});
    all.push_back({copy(cache, bytes, hint + ".L2::64B", ", %pe, %dt"), ignored});
  }
  return all;
}

std::vector<Program> tilecc::emu::test::asyncPrograms() {
  return {
      {.name = "GroupsInTurn", // three groups are in flight and awaited one after the other
       .body = R"(
  .shared .align 16 .b32 tile[96];
  mov.u32 %r0, tile;
  mad.lo.u32 %r0, %t, 4, %r0;
  cp.async.ca.shared.global [%r0], [%i], 4;            // tested
  cp.async.commit_group;                               // tested
  cp.async.ca.shared.global [%r0+128], [%i+128], 4;    // tested
  cp.async.commit_group;
  cp.async.ca.shared.global [%r0+256], [%i+256], 4;
  cp.async.commit_group;
  cp.async.wait_group 2;                               // tested
  ld.shared.u32 %r1, [%r0];
  cp.async.wait_group 1;                               // tested
  ld.shared.u32 %r2, [%r0+128];
  cp.async.wait_group 0;
  ld.shared.u32 %r3, [%r0+256];
  add.u32 %r1, %r1, %r2;
  add.u32 %r1, %r1, %r3;
  st.global.u32 [%o], %r1;)",
       .expected = lanes([](uint32_t lane) { return 3 * lane + 96; }),
       .in = words(96, [](uint32_t i) { return i; })},
      {.name = "ABlockSharesItsCopies", // each thread waits for its own copies, then at a barrier
       .body = R"(
  .shared .align 16 .b32 tile[256];
  mov.u32 %r0, tile;
  mad.lo.u32 %r1, %t, 16, %r0;
  mul.wide.u32 %d0, %t, 16;
  add.u64 %d0, %in, %d0;
  cp.async.cg.shared.global [%r1], [%d0], 16;          // tested
  cp.async.wait_all;                                   // tested
  bar.sync 0;
  xor.b32 %r2, %t, 63;
  mad.lo.u32 %r2, %r2, 16, %r0;
  ld.shared.u32 %r3, [%r2+4];
  st.global.u32 [%o], %r3;)",
       .expected = words(64, [](uint32_t thread) { return 4 * (63 - thread) + 1; }),
       .in = words(256, [](uint32_t i) { return i; }),
       .threads = 64},
      {.name = "AnMbarrierThatCopiesArriveAt", // .noinc: half of the 64 arrivals of the phase
       .body = R"(
  .shared .align 8 .b64 mbar;
  .shared .align 16 .b32 tile[32];
  mov.u32 %r0, tile;
  mad.lo.u32 %r0, %t, 4, %r0;
  setp.eq.u32 %p0, %t, 0;
  @%p0 mbarrier.init.shared.b64 [mbar], 64;
  bar.sync 0;
  cp.async.ca.shared.global [%r0], [%i], 4;
  cp.async.mbarrier.arrive.noinc.shared::cta.b64 [mbar];   // tested
  mbarrier.arrive.shared.b64 %d0, [mbar];
wait:
  mbarrier.test_wait.shared.b64 %p1, [mbar], %d0;
  @!%p1 bra wait;
  xor.b32 %r1, %t, 31;
  mov.u32 %r0, tile;
  mad.lo.u32 %r1, %r1, 4, %r0;
  ld.shared.u32 %r2, [%r1];
  st.global.u32 [%o], %r2;)",
       .expected = lanes([](uint32_t lane) { return 100 + 31 - lane; }),
       .in = words(32, [](uint32_t i) { return 100 + i; })},
      {.name = "ArrivalsThatTheCopiesAdd", // without .noinc, the copies' arrivals are additional
       .body = R"(
  .shared .align 8 .b64 mbar;
  .shared .align 16 .b32 tile[32];
  mov.u32 %r0, tile;
  mad.lo.u32 %r0, %t, 4, %r0;
  setp.eq.u32 %p0, %t, 0;
  @%p0 mbarrier.init.shared.b64 [mbar], 32;
  bar.sync 0;
  cp.async.ca.shared.global [%r0], [%i], 4;
  cp.async.mbarrier.arrive.shared.b64 [mbar];          // tested
  mbarrier.arrive.shared.b64 %d0, [mbar];
wait:
  mbarrier.test_wait.parity.shared.b64 %p1, [mbar], 0;
  @!%p1 bra wait;
  ld.shared.u32 %r2, [%r0];
  st.global.u32 [%o], %r2;)",
       .expected = lanes([](uint32_t lane) { return 100 + lane; }),
       .in = words(32, [](uint32_t i) { return 100 + i; })},
  };
}
