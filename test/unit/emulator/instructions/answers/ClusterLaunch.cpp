// clusterlaunchcontrol (PTX ISA 9.7.13.17): blocks process their own tiles, and the tiles of blocks that they have
// canceled before these started.
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::clusterLaunchAnswers() { return {}; }

namespace {

// Each block processes its own tile, and then those of the blocks that it cancels. Words 4 * tile to 4 * tile + 3 of
// the result are the tile's number, and how often it was processed. %p5 is true in the first thread of the cluster.
const char *const kernel = R"(
  .shared .align 16 .b8 answer[16];
  .shared .align 8 .b8 mbar[8];
  .reg .b32 %tile, %phase, %x, %y, %z, %w;
  setp.eq.u32 %p0, %t, 0;
  mov.u32 %r9, %cluster_ctarank;
  setp.eq.u32 %p1, %r9, 0;
  and.pred %p5, %p0, %p1;
  @%p0 mbarrier.init.shared::cta.b64 [mbar], 1;
  @%p0 fence.mbarrier_init.release.cluster;
  BARRIER
  mov.u32 %tile, %ctaid.x;
  mov.u32 %phase, 0;
tiles:
  @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], 16;
  BARRIER
  TRY
  mul.wide.u32 %d0, %tile, 16;
  add.u64 %d0, %out, %d0;
  @%p0 st.global.u32 [%d0], %tile;
  @%p0 red.global.add.u32 [%d0+4], 1;
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [mbar], %phase;
  @!%p2 bra wait;
  xor.b32 %phase, %phase, 1;
  ld.shared.b128 %q0, [answer];
  fence.proxy.async.shared::cta;
  BARRIER
  clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q0;   // tested
  @!%p3 bra done;
  clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%x, %y, %z, _}, %q0;   // tested
  clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %w, %q0;   // tested
  add.u32 %tile, %w, %r9;
  @%p0 st.global.u32 [%d0+8], %y;
  clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %w, %q0;   // tested
  add.u32 %w, %w, %z;
  @%p0 st.global.u32 [%d0+12], %w;
  bra tiles;
done:
)";

Program persistent(uint32_t cluster) {
  Program program;
  program.name = "clusters of " + std::to_string(cluster);
  program.threads = 32;
  program.blocks = 12;
  program.cluster = cluster;
  std::string instruction = "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes";
  program.body = replaced(kernel, "TRY",
                          "@%p5 " + instruction + (cluster > 1 ? ".multicast::cluster::all" : "") +
                              ".b128 [answer], [mbar];   // tested");
  program.body = replaced(program.body, "BARRIER",
                          cluster > 1 ? "barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;" : "bar.sync 0;");
  program.before = Words(48, 0);
  program.expected = words(48, [](uint32_t i) { return i % 4 == 0 ? i / 4 : i % 4 == 1; });
  return program;
}

} // namespace

std::vector<Program> tilecc::emu::test::clusterLaunchPrograms() {
  std::vector<Program> programs = {persistent(1), persistent(2)};
  Program nobody = persistent(1);
  nobody.name = "the first block of nothing";
  nobody.body = replaced(nobody.body, "  @!%p3 bra done;\n", "");
  nobody.expected = {};
  nobody.error = 715;
  nobody.message = "error: the first block of a cluster is asked for, and none was canceled: kernel 'test', block (0,0,0)";
  nobody.blocks = 1;
  programs.push_back(nobody);
  Program again = persistent(1);
  again.name = "another attempt behind one that has failed";
  again.body += "  @%p5 mbarrier.arrive.expect_tx.shared::cta.b64 _, [mbar], 16;\n"
                "  @%p5 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [answer], [mbar];\n"
                "wait_again:\n  mbarrier.try_wait.parity.shared::cta.b64 %p2, [mbar], %phase;\n  @!%p2 bra wait_again;\n";
  again.blocks = 1;
  again.expected = {};
  again.error = 719;
  again.message = "error: a clusterlaunchcontrol.try_cancel behind one that the block knows to have canceled nothing: kernel "
                  "'test', block (0,0,0)";
  programs.push_back(again);
  return programs;
}
