// cp.async.bulk (PTX ISA 9.7.9.25.4): plain copies, their groups and mbarriers.
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::bulkAnswers() { return {}; }

namespace {

// A tile of 64 words, and an mbarrier with one arrival. %p7 is true in the first thread, %r20 is the tile, and %r21 the
// thread's word.
const char *const start = R"(
  .shared .align 128 .b8 tile[256];
  .shared .align 8 .b64 mbar;
  setp.eq.u32 %p7, %t, 0;
  mov.u32 %r20, tile;
  mad.lo.u32 %r21, %t, 4, %r20;
  @%p7 mbarrier.init.shared::cta.b64 [mbar], 1;
  @%p7 fence.mbarrier_init.release.cluster;
  bar.sync 0;
)";
const char *const waitForBytes = R"(
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p0, [mbar], 0;
  @!%p0 bra wait;
)";

Program load(const std::string &name, const std::string &copy, const std::string &then = "") {
  return {.name = name,
          .body = start +
                  std::string("  createpolicy.fractional.L2::evict_first.b64 %d9;\n"
                              "  @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], 128;\n  @%p7 ") +
                  copy + "   // tested\n" + waitForBytes +
                  (then.empty() ? "  ld.shared.u32 %r0, [%r21];\n  st.global.u32 [%o], %r0;" : then),
          .expected = lanes([](uint32_t lane) { return lane + 500; }),
          .in = words(64, [](uint32_t i) { return i + 500; })};
}

// Each thread stores a word to the tile, and the first thread copies it to global memory.
Program store(const std::string &name, const std::string &copy, Words expected, Words before = {},
              const std::string &value = "  add.u32 %r0, %t, 7;\n",
              const char *fence = "  fence.proxy.async.shared::cta;\n") {
  return {.name = name,
          .body = start + value + "  st.shared.u32 [%r21], %r0;\n" + fence +
                  "  bar.sync 0;\n  createpolicy.fractional.L2::evict_first.b64 %d9;\n  @%p7 " + copy +
                  "   // tested\n  @%p7 cp.async.bulk.commit_group;   // tested\n"
                  "  @%p7 cp.async.bulk.wait_group 0;   // tested\n",
          .expected = std::move(expected),
          .before = std::move(before)};
}

Program wrong(Program program, const std::string &name, const std::string &what, int error = 719) {
  program.name = name;
  program.error = error;
  program.message = "error: " + what + ": kernel 'test', block (0,0,0)";
  program.before = program.expected.empty() ? program.before : Words(program.expected.size(), 0); // for the result
  program.expected.clear();
  return program;
}

} // namespace

std::vector<Program> tilecc::emu::test::bulkPrograms() {
  const std::string toShared = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  const std::string toGlobal = "cp.async.bulk.global.shared::cta.bulk_group";
  const std::string reduce = "cp.reduce.async.bulk.global.shared::cta.bulk_group";
  Words sevens = lanes([](uint32_t lane) { return lane + 7; });
  std::vector<Program> programs = {
      load("Load", toShared + " [tile], [%in], 128, [mbar];"),
      load("LoadWithPolicy", toShared + ".L2::cache_hint [tile], [%in], 128, [mbar], %d9;"),
      load("LoadToTheBlock",
           "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r20], [%in], 128, [mbar];"),
      load("LoadAndSend", toShared + " [tile], [%in], 128, [mbar];",
           "  @%p7 " + toGlobal +
               " [%out], [tile], 128;   // tested\n  @%p7 cp.async.bulk.commit_group;\n"
               "  @%p7 cp.async.bulk.wait_group.read 0;   // tested\n"
               "  @%p7 cp.async.bulk.prefetch.L2.global [%in], 64;   // tested"),
      store("Store", toGlobal + " [%out], [%r20], 128;", sevens),
      store("StoreWithPolicy", toGlobal + ".L2::cache_hint [%out], [%r20], 128, %d9;", sevens),
      store("FenceOfAllMemory", toGlobal + " [%out], [%r20], 128;", sevens, {}, "  add.u32 %r0, %t, 7;\n",
            "  fence.proxy.async;\n"),
      // Three groups: with at most two pending, the first is complete.
      {.name = "GroupsInTurn",
       .body = start + std::string(R"(
  add.u32 %r0, %t, 7;
  st.shared.u32 [%r21], %r0;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  @!%p7 bra done;
  cp.async.bulk.global.shared::cta.bulk_group [%out], [tile], 32;
  cp.async.bulk.commit_group;
  cp.async.bulk.global.shared::cta.bulk_group [%out+32], [tile+32], 32;
  cp.async.bulk.commit_group;
  cp.async.bulk.global.shared::cta.bulk_group [%out+64], [tile+64], 64;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 2;
  ld.global.u32 %r1, [%out];
  st.global.u32 [%out+128], %r1;
  cp.async.bulk.wait_group.read 0;
done:)"),
       .expected = words(33, [](uint32_t i) { return i < 32 ? i + 7 : 7; })},
  };
  // Reductions into global memory.
  struct Reduction {
    std::string op, type;
    uint32_t there, value, result;
  };
  for (const auto &[op, type, there, value, result] :
       std::vector<Reduction>{{"add", "u32", 10, 7, 17},
                              {"add", "s32", 10, -12u, -2u},
                              {"min", "s32", 5, -7u, -7u},
                              {"min", "u32", 5, -7u, 5},
                              {"max", "s32", 5, -7u, 5},
                              {"max", "u32", 5, -7u, -7u},
                              {"inc", "u32", 5, 5, 0},
                              {"dec", "u32", 0, 5, 5},
                              {"and", "b32", 12, 10, 8},
                              {"or", "b32", 12, 10, 14},
                              {"xor", "b32", 12, 10, 6},
                              {"add", "f32", 0x3f800000, 0x40000000, 0x40400000},
                              {"add.noftz", "f16", 0x3c003c00, 0x40003c00, 0x42004000},
                              {"add.noftz", "bf16", 0x3f803f80, 0x40003f80, 0x40404000},
                              {"min", "f16", 0x3c00bc00, 0x40003c00, 0x3c00bc00},
                              {"max", "bf16", 0x3f80bf80, 0x40003f80, 0x40003f80}})
    programs.push_back(store("Reduce." + op + "." + type, reduce + "." + op + "." + type + " [%out], [tile], 128;",
                             Words(32, result), Words(32, there),
                             "  mov.b32 %r0, " + std::to_string(value) + ";\n"));
  // 64 bits: pairs of words.
  for (const auto &[op, type, there, value, result] : std::vector<Reduction>{
           {"add", "u64", 0xffffffff, 1, 0}, {"min", "s64", 5, 9, 5}, {"xor", "b64", 12, 10, 6}}) {
    Words before, after;
    for (int i = 0; i < 16; ++i) {
      before.insert(before.end(), {there, 0});
      after.insert(after.end(), {result, type == "u64" ? 1u : 0u});
    }
    programs.push_back(store(
        "Reduce." + op + "." + type, reduce + "." + op + "." + type + " [%out], [tile], 128;", after, before,
        "  and.b32 %r1, %t, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  selp.b32 %r0, " + std::to_string(value) + ", 0, %p1;\n"));
  }
  {
    Words before, after; // 1.5 + 2.0
    for (int i = 0; i < 16; ++i) {
      before.insert(before.end(), {0, 0x3ff80000});
      after.insert(after.end(), {0, 0x400c0000});
    }
    programs.push_back(
        store("Reduce.add.f64", reduce + ".add.f64 [%out], [tile], 128;", after, before,
              "  and.b32 %r1, %t, 1;\n  setp.eq.u32 %p1, %r1, 0;\n  selp.b32 %r0, 0, 0x40000000, %p1;\n"));
  }

  // Between blocks of a cluster: each block sends its tile to the next one, and one load is multicast to all.
  auto inCluster = [&](const char *name, const std::string &body, Words expected) {
    programs.push_back({.name = name,
                        .body = start + std::string(R"(
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mov.u32 %r1, %cluster_ctarank;
  xor.b32 %r2, %r1, 1;
  mov.u32 %r3, mbar;
  mapa.shared::cluster.u32 %r4, %r3, %r2;
  @%p7 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], 128;
)") + body + waitForBytes + R"(
  ld.shared.u32 %r0, [%r21];
  st.global.u32 [%o], %r0;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;)",
                        .expected = std::move(expected),
                        .in = words(64, [](uint32_t i) { return i + 500; }),
                        .blocks = 2,
                        .cluster = 2});
  };
  std::string other = R"(
  .shared .align 128 .b8 mine[128];
  mov.u32 %r5, mine;
  mad.lo.u32 %r6, %t, 4, %r5;
  st.shared.u32 [%r6], %thread;
  st.shared.u32 [%r21], 100;
  fence.proxy.async.shared::cta;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  mapa.shared::cluster.u32 %r7, %r20, %r2;
  @%p7 )";
  inCluster("ToTheNextBlock",
            other + "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r7], [mine], 128, [%r4]; "
                    "  // tested",
            words(64, [](uint32_t i) { return i ^ 32; }));
  for (const char *type : {"u32", "s32", "b32", "u64", "s64", "b64"}) {
    bool bits = type[0] == 'b';
    std::string op = bits ? "xor" : "add";
    inCluster(("Reduce" + std::string(type) + "InTheNextBlock").c_str(),
              other + "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes." + op + "." +
                  type + " [%r7], [mine], 128, [%r4];   // tested",
              words(64, [&](uint32_t i) { return bits ? (i ^ 32) ^ 100 : (i ^ 32) + 100; }));
    programs.back().name = std::string("ReduceInTheNextBlock.") + type;
  }
  inCluster("Multicast", R"(
  setp.eq.and.u32 %p1, %r1, 0, %p7;
  mov.b16 %h0, 3;
  @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster // tested
    [tile], [%in], 128, [mbar], %h0;
)",
            words(64, [](uint32_t i) { return i % 32 + 500; }));

  // Errors.
  Program good = programs[0], sent = programs[4];
  auto changed = [](Program program, const std::string &what, const std::string &by) {
    program.body = replaced(program.body, what, by);
    return program;
  };
  programs.push_back(wrong(changed(good, "128, [mbar]", "120, [mbar]"), "NoMultipleOf16",
                           "a bulk copy of 120 bytes: it must be a multiple of 16", 716));
  programs.push_back(wrong(changed(good, "[tile], [%in]", "[tile+8], [%in]"), "MisalignedShared",
                           "a bulk copy must be aligned to 16 bytes, and shared+0x8 is not", 716));
  programs.push_back(wrong(changed(good, "_, [mbar], 128", "_, [mbar], 144"), "BytesAreMissing",
                           "deadlock: no thread can go on", 702));
  programs.push_back(wrong(changed(good, waitForBytes, "\n"), "NobodyWaits", "data race in shared memory"));
  programs.back().onlyChecked = true;
  programs.push_back(wrong(changed(good, "  @%p7 fence.mbarrier_init.release.cluster;\n", ""), "NoFenceOfTheMbarrier",
                           "the asynchronous proxy has not been told of an mbarrier's initialization"));
  programs.back().onlyChecked = true;
  programs.push_back(wrong(changed(sent, "  fence.proxy.async.shared::cta;\n", ""), "NoProxyFence",
                           "the asynchronous proxy has not been told of a write to shared memory"));
  programs.back().onlyChecked = true;
  programs.push_back(wrong(changed(sent, "fence.proxy.async.shared::cta", "fence.proxy.async.global"),
                           "FenceOfOtherMemory",
                           "the asynchronous proxy has not been told of a write to shared memory"));
  programs.back().onlyChecked = true;
  programs.push_back(wrong(changed(sent, "  bar.sync 0;\n  createpolicy", "  createpolicy"), "NoBarrier",
                           "data race in shared memory"));
  programs.back().onlyChecked = true;
  programs.back().threads = 64;
  programs.push_back(wrong(changed(sent, "  @%p7 cp.async.bulk.wait_group 0;", "  "), "NoWaitAtTheEnd",
                           "a thread ends without a wait for its bulk copy to have read shared memory "
                           "(cp.async.bulk.wait_group.read)"));
  // The tile is written again although the copy may still read it.
  programs.push_back(wrong(changed(sent, "  @%p7 cp.async.bulk.wait_group 0;",
                                   "  bar.sync 0;\n  st.shared.u32 [%r21], %t;\n"
                                   "  @%p7 cp.async.bulk.wait_group 0;"),
                           "WritesWhatIsRead", "data race in shared memory"));
  programs.back().onlyChecked = true;
  return programs;
}
