// Clusters: their registers, barrier and shared memory (PTX ISA 9.7.9.23, 9.7.13.5).
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::clusterAnswers() { return {}; }

// Each thread stores its number in the grid plus 100 to shared memory. After the cluster barrier, all blocks of the
// cluster may read it.
static const char *const numbers = R"(
  .shared .align 16 .b32 numbers[64];
  mov.u32 %r20, numbers;
  mad.lo.u32 %r21, %t, 4, %r20;
  add.u32 %r0, %thread, 100;
  st.shared.u32 [%r21], %r0;
  barrier.cluster.arrive.release.aligned;   // tested
  barrier.cluster.wait.acquire.aligned;     // tested
  mov.u32 %r1, %cluster_ctarank;
  mov.u32 %r2, %cluster_nctarank;
  add.u32 %r1, %r1, 1;
  rem.u32 %r1, %r1, %r2;                    // the next block's rank
)";

static const char *const meet = R"(
  barrier.cluster.arrive;                   // tested
  barrier.cluster.wait;                     // tested
)";

// The value of the same thread in the next block of the cluster, which has 4 blocks.
static Words ofNeighbours(uint32_t threads) {
  return words(8 * threads, [&](uint32_t thread) {
    uint32_t block = thread / threads;
    return 100 + (block / 4 * 4 + (block + 1) % 4) * threads + thread % threads;
  });
}

static Program wrong(const char *name, const std::string &body, const std::string &what, int error) {
  return {.name = name,
          .body = body,
          .threads = 32,
          .blocks = 2,
          .cluster = 2,
          .error = error,
          .message = "error: " + what + ": kernel 'test', block ("};
}

std::vector<Program> tilecc::emu::test::clusterPrograms() {
  auto inClusters = [](const char *name, const std::string &body, Words expected, uint32_t threads = 32) {
    return Program{
        .name = name, .body = body, .expected = std::move(expected), .threads = threads, .blocks = 8, .cluster = 4};
  };
  std::vector<Program> programs = {
      inClusters("Registers", R"(
  mov.u32 %r0, %cluster_ctarank;
  mov.u32 %r1, %cluster_nctarank;
  mov.u32 %r2, %clusterid.x;
  mov.u32 %r3, %nclusterid.x;
  mov.u32 %r4, %cluster_ctaid.x;
  mov.u32 %r5, %cluster_nctaid.x;
  mov.u32 %r6, %clusterid.y;
  mad.lo.u32 %r0, %r0, 10, %r1;
  mad.lo.u32 %r0, %r0, 10, %r2;
  mad.lo.u32 %r0, %r0, 10, %r3;
  mad.lo.u32 %r0, %r0, 10, %r4;
  mad.lo.u32 %r0, %r0, 10, %r5;
  mad.lo.u32 %r0, %r0, 10, %r6;
  st.global.u32 [%o], %r0;)",
                 words(8, [](uint32_t block) { return block % 4 * 1000100 + 402040 + block / 4 * 10000; }), 1),
      inClusters("NeighboursMemory", numbers + std::string(R"(
  mapa.shared::cluster.u32 %r3, %r21, %r1;  // tested
  ld.shared::cluster.u32 %r4, [%r3];
  st.global.u32 [%o], %r4;)") + meet,
                 ofNeighbours(64), 64),
      inClusters("GenericAddress", numbers + std::string(R"(
  cvt.u64.u32 %d0, %r21;
  cvta.shared.u64 %d0, %d0;
  mapa.u64 %d1, %d0, %r1;                   // tested
  ld.u32 %r4, [%d1];
  getctarank.u64 %r5, %d1;                  // tested
  getctarank.u64 %r6, %d0;
  sub.u32 %r5, %r5, %r1;
  mov.u32 %r7, %cluster_ctarank;
  sub.u32 %r6, %r6, %r7;
  add.u32 %r4, %r4, %r5;
  add.u32 %r4, %r4, %r6;
  st.global.u32 [%o], %r4;)") + meet,
                 ofNeighbours(32)),
      inClusters("RankOfAnAddress", numbers + std::string(R"(
  mapa.shared::cluster.u64 %d0, 8, %r1;     // tested
  getctarank.shared::cluster.u64 %r4, %d0;  // tested
  mapa.u32 %r5, 8, %r1;                     // tested
  getctarank.shared::cluster.u32 %r6, %r5;  // tested
  mad.lo.u32 %r4, %r4, 10, %r6;
  st.global.u32 [%o], %r4;)") + meet,
                 words(8, [](uint32_t block) { return (block + 1) % 4 * 11; }), 1),
      inClusters("StoresAndAtomics", numbers + std::string(R"(
  .shared .align 4 .b32 sum;
  setp.eq.u32 %p0, %t, 0;
  @%p0 st.shared.u32 [sum], 0;
  @%p0 fence.acq_rel.cluster;
  barrier.cluster.arrive.relaxed.aligned;   // tested: nothing but the fence orders the stores
  barrier.cluster.wait.aligned;
)") + std::string(R"(
  mov.u32 %r10, sum;
  mapa.shared::cluster.u32 %r11, %r10, 0;
  atom.shared::cluster.add.u32 %r12, [%r11], 1;
)") + meet + R"(
  ld.shared::cluster.u32 %r13, [%r11];
  st.global.u32 [%o], %r13;)" + meet,
                 Words(8 * 32, 128)),
      // The first thread of each block arrives at the mbarrier of the cluster's first block, which completes its phase.
      inClusters("RemoteArrival", R"(
  .shared .align 8 .b64 mbar;
  .shared .align 16 .b32 words[4];
  setp.eq.u32 %p0, %t, 0;
  @%p0 mbarrier.init.shared::cta.b64 [mbar], 4;
  @%p0 fence.mbarrier_init.release.cluster;
  barrier.cluster.arrive.relaxed.aligned;
  barrier.cluster.wait.acquire.aligned;
  mov.u32 %r0, %cluster_ctarank;
  mov.u32 %r1, mbar;
  mov.u32 %r2, words;
  mad.lo.u32 %r2, %r0, 4, %r2;
  mapa.shared::cluster.u32 %r3, %r1, 0;
  mapa.shared::cluster.u32 %r4, %r2, 0;
  @%p0 st.shared::cluster.u32 [%r4], %thread;
  @%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra done;
wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [mbar], 0;
  @!%p2 bra wait;
  ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [words];
  add.u32 %r5, %r5, %r6;
  add.u32 %r7, %r7, %r8;
  add.u32 %r5, %r5, %r7;
  st.global.u32 [%o], %r5;
done:)" + std::string(meet),
                 words(8 * 32, [](uint32_t thread) {
                   uint32_t block = thread / 32;
                   return block % 4 ? untouched : 32 * (4 * block + 6);
                 })),
  };
  // Errors.
  programs.push_back(
      wrong("NoSuchBlock", "  mapa.shared::cluster.u32 %r0, 0, 2;", "mapa for block 2 of a cluster of 2", 715));
  programs.push_back(wrong("WaitsWithoutArriving", "  barrier.cluster.wait.aligned;",
                           "the thread waits at the barrier of the cluster and has not arrived there", 719));
  programs.push_back(wrong("ArrivesTwice", "  barrier.cluster.arrive.aligned;\n  barrier.cluster.arrive.aligned;",
                           "the thread has arrived at the barrier of the cluster already, and must wait before it "
                           "arrives again", 719));
  programs.push_back(wrong("OneBlockDoesNotCome", R"(
  mov.u32 %r0, %cluster_ctarank;
  setp.eq.u32 %p0, %r0, 0;
  .shared .align 8 .b64 mbar;
  @!%p0 bra first;
  mbarrier.init.shared.b64 [mbar], 33;
wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [mbar], 0;
  @!%p1 bra wait;
first:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;)",
                           "deadlock: no thread can go on", 702));
  programs.back().threads = 1;
  programs.push_back(wrong("NothingOrders", R"(
  .shared .align 4 .b32 word;
  mov.u32 %r0, %cluster_ctarank;
  xor.b32 %r0, %r0, 1;
  mov.u32 %r1, word;
  st.shared.u32 [word], %thread;
  barrier.cluster.arrive.relaxed.aligned;
  barrier.cluster.wait.acquire.aligned;
  mapa.shared::cluster.u32 %r2, %r1, %r0;
  ld.shared::cluster.u32 %r3, [%r2];
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;)",
                           "data race in shared memory", 719));
  programs.back().threads = 1;
  programs.back().onlyChecked = true;
  return programs;
}
