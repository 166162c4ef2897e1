// The tcgen05 instructions of single threads: mma, cp and commit (PTX ISA 9.7.16). TensorGoldenTest tests where
// elements are stored. Here all elements of a matrix are equal, for every kind and form.
#include "../Harness.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::tensorCoreAnswers() { return {}; }

namespace {

// The first half of `tiles` and columns 64 to 95 contain ONE, the second half contains TWO, columns 0 to 63 SUM, and
// those from 96 on SCALE. %d0 and %d1 are descriptors of the halves, with swizzled rows of 128 bytes. %a is the
// columns' address, with the lanes of the warp.
const char *const before = R"(
  .shared .align 1024 .b8 tiles[65536];
  .shared .align 8 .b8 bar[8];
  .shared .align 4 .b8 place[4];
  .reg .b32 %a, %base, %v<32>, %s<4>, %id;
  .reg .b64 %m;
  .reg .pred %again, %first, %warp, %done, %keep;
  setp.eq.u32 %first, %t, 0;
  setp.lt.u32 %warp, %t, 32;
  mov.u32 %s0, %t;
fill:
  mul.lo.u32 %s1, %s0, 4;
  mov.u32 %s2, tiles;
  add.u32 %s1, %s1, %s2;
  setp.lt.u32 %again, %s0, 8192;
  selp.b32 %s3, ONE, TWO, %again;
  st.shared.u32 [%s1], %s3;
  add.u32 %s0, %s0, 128;
  setp.lt.u32 %again, %s0, 16384;
  @%again bra fill;
  @%first mbarrier.init.shared::cta.b64 [bar], 1;
  @%first fence.mbarrier_init.release.cluster;
  @%warp tcgen05.alloc.cta_group::GROUP.sync.aligned.shared::cta.b32 [place], 128;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  ld.shared.b32 %base, [place];
  shr.u32 %s0, %t, 5;
  shl.b32 %s0, %s0, 21;
  add.u32 %a, %base, %s0;
  mov.u32 %s1, tiles;
  shr.u32 %s1, %s1, 4;
  cvt.u64.u32 %d0, %s1;
  mov.b64 %m, 0x4000404000010000;
  or.b64 %d0, %d0, %m;
  add.u64 %d1, %d0, 2048;
)";

// Issues the tested instruction, waits for the tensor core, and stores the accumulator, which is in the first columns.
const char *const after = R"(
  BARRIER
  LEADER WORK;   // tested
  LEADER COMMIT   // tested
wait:
  mbarrier.try_wait.parity.shared::cta.b64 %done, [bar], 0;
  @!%done bra wait;
  tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v0, %v1, %v2, %v3}, [%a];
  tcgen05.wait::ld.sync.aligned;
  mul.wide.u32 %d31, %thread, 16;
  add.u64 %d31, %out, %d31;
  st.global.v4.b32 [%d31], {%v0, %v1, %v2, %v3};
  BARRIER
  @%warp tcgen05.dealloc.cta_group::GROUP.sync.aligned.b32 %base, 128;
)";

std::string number(uint64_t value) { return std::to_string(value); }

struct Matrices {
  uint32_t one = 0x3f803f80, two = 0x40004000; // bf16
  uint32_t sum = 0x3f800000, scale = 0x80808080; // 1.0f, twos of ue8m0
};

Program work(const std::string &name, const std::string &instruction, uint32_t descriptor, const Matrices &m,
             uint32_t answer, bool isPair = false) {
  std::string text = before;
  for (auto [first, value] : {std::pair(0u, m.sum), std::pair(32u, m.sum), std::pair(64u, m.one), std::pair(96u, m.scale)}) {
    std::string list;
    for (unsigned i = 0; i < 32; ++i) {
      list += (i ? ", %v" : "%v") + number(i);
      text += "  mov.b32 %v" + number(i) + ", " + number(value) + ";\n";
    }
    text += "  tcgen05.st.sync.aligned.32x32b.x32.b32 [%a+" + number(first) + "], {" + list + "};\n";
  }
  text += "  tcgen05.wait::st.sync.aligned;\n  mov.b32 %id, " + number(descriptor) + ";\n" + after;
  std::string commit = "tcgen05.commit.cta_group::GROUP.mbarrier::arrive::one.shared::cluster";
  text = replaced(text, "WORK", instruction);
  text = replaced(text, "COMMIT", commit + (isPair ? ".multicast::cluster.b64 [bar], 3;" : ".b64 [bar];"));
  text = replaced(text, "LEADER", isPair ? "@%leader" : "@%first");
  text = replaced(text, "BARRIER",
                  isPair ? "barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;" : "bar.sync 0;");
  if (isPair)
    text = "  .reg .pred %leader;\n  setp.eq.u32 %leader, %thread, 0;\n" + text;
  text = replaced(text, "GROUP", isPair ? "2" : "1");
  text = replaced(replaced(text, "ONE", number(m.one)), "TWO", number(m.two));
  Program program;
  program.name = name;
  program.body = text;
  program.threads = 128;
  program.blocks = program.cluster = isPair ? 2 : 1;
  program.expected = Words(512 * program.blocks, answer);
  return program;
}

constexpr uint32_t descriptorOf(unsigned m, unsigned n, unsigned d, unsigned a, unsigned b) {
  return d << 4 | a << 7 | b << 10 | n / 8 << 17 | m / 16 << 24;
}
constexpr uint32_t bf16Descriptor = descriptorOf(128, 64, 1, 1, 1), powersOfTwo = 1 << 23;

uint32_t bitsOf(float value) { return std::bit_cast<uint32_t>(value); }

Program failing(Program program, int error, const std::string &what, bool onlyChecked = false) {
  program.before = program.expected;
  program.expected = {};
  program.error = error;
  program.message = "error: " + what + ": kernel 'test', block (0,0,0)";
  program.onlyChecked = onlyChecked;
  return program;
}

Program without(Program program, const std::string &line, const std::string &instead = "") {
  size_t at = program.body.find(line);
  program.body.replace(at, line.size(), instead);
  return program;
}

} // namespace

std::vector<Program> tilecc::emu::test::tensorCorePrograms() {
  std::vector<Program> programs;
  const std::string mma = "tcgen05.mma.cta_group::1.kind::", plain = " [%base], %d0, %d1, %id, 1";
  const Matrices bf16;
  const Matrices f16 = {0x3c003c00, 0x40004000}, tf32 = {0x3f800000, 0x40000000}, e4m3 = {0x38383838, 0x40404040},
                 s8 = {0x01010101, 0x02020202, 1}, e2m1 = {0x22222222, 0x44444444},
                 e4m3e5m2 = {0x38383838, 0x40404040}, ue4m3 = {0x22222222, 0x44444444, 0x3f800000, 0x40404040};
  // The sum of K products of 1 and 2, plus 1.
  programs.push_back(work("tcgen05.mma bf16", mma + "f16" + plain, bf16Descriptor, bf16, bitsOf(33)));
  programs.push_back(work("tcgen05.mma bf16, D anew", mma + "f16.collector::a::fill [%base], %d0, %d1, %id, 0", bf16Descriptor, bf16, bitsOf(32)));
  programs.push_back(work("tcgen05.mma f16", mma + "f16" + plain, descriptorOf(128, 64, 1, 0, 0), f16, bitsOf(33)));
  Matrices halfSums = f16;
  halfSums.sum = 0x3c00; // 1
  programs.push_back(work("tcgen05.mma f16, f16 sums", mma + "f16" + plain, descriptorOf(128, 64, 0, 0, 0), halfSums, 0x5020));
  programs.push_back(work("tcgen05.mma bf16, D times 1/4", mma + "f16 [%base], %d0, %d1, %id, 1, 2", bf16Descriptor, bf16, bitsOf(32.25)));
  programs.push_back(work("tcgen05.mma tf32", mma + "tf32" + plain, descriptorOf(128, 64, 1, 2, 2), tf32, bitsOf(17)));
  programs.push_back(work("tcgen05.mma e4m3", mma + "f8f6f4" + plain, descriptorOf(128, 64, 1, 0, 0), e4m3, bitsOf(65)));
  programs.push_back(work("tcgen05.mma e4m3 e5m2", mma + "f8f6f4" + plain, descriptorOf(128, 64, 1, 0, 1), e4m3e5m2, bitsOf(65)));
  programs.push_back(work("tcgen05.mma e2m1 e4m3", mma + "f8f6f4" + plain, descriptorOf(128, 64, 1, 5, 0), {0x22222222, 0x40404040}, bitsOf(65)));
  programs.push_back(work("tcgen05.mma s8", mma + "i8" + plain, descriptorOf(128, 64, 2, 1, 1), s8, 65));
  programs.push_back(work("tcgen05.mma u8, saturated", mma + "i8" + plain, descriptorOf(128, 64, 2, 0, 0) | 8,
                          {0xffffffff, 0xffffffff, 0x7fffff00}, 0x7fffffff));
  programs.push_back(work("tcgen05.mma u8, wrapped", mma + "i8" + plain, descriptorOf(128, 64, 2, 0, 0),
                          {0xffffffff, 0xffffffff, 0x7fffff00}, 0x7fffff00u + 32u * 255 * 255));
  // Lanes 0 to 31 and 100 are masked and stay unchanged.
  Program masked = work("tcgen05.mma bf16, masks", mma + "f16 [%base], %d0, %d1, %id, {%s0, %s1, %s2, %s3}, 1", bf16Descriptor, bf16, bitsOf(33));
  masked.body.insert(masked.body.find("  mov.b32 %id"), "  mov.b32 %s0, -1;\n  mov.b32 %s1, 0;\n  mov.b32 %s2, 0;\n  mov.b32 %s3, 16;\n");
  for (unsigned lane = 0; lane < 128; ++lane)
    if (lane < 32 || lane == 100)
      std::fill_n(masked.expected.begin() + 4 * lane, 4, bitsOf(1));
  programs.push_back(masked);
  Program maskedLeft = masked;
  maskedLeft.name += ", A in tensor memory";
  maskedLeft.body = replaced(maskedLeft.body, "[%base], %d0,", "[%base], [%base+64],");
  programs.push_back(maskedLeft);
  programs.push_back(work("tcgen05.mma bf16, A in tensor memory", mma + "f16 [%base], [%base+64], %d1, %id, 1", bf16Descriptor, bf16, bitsOf(33)));
  // Scales: each product is multiplied by 2 * 2.
  const std::string scales = ", [%base+96], [%base+112], 1";
  programs.push_back(work("tcgen05.mma mxf8f6f4", mma + "mxf8f6f4.block_scale.scale_vec::1X [%base], %d0, %d1, %id" + scales,
                          descriptorOf(128, 64, 0, 0, 0) | powersOfTwo, e4m3, bitsOf(257)));
  programs.push_back(work("tcgen05.mma mxf8f6f4, A in tensor memory", mma + "mxf8f6f4.block_scale [%base], [%base+64], %d1, %id" + scales,
                          descriptorOf(128, 64, 0, 0, 0) | powersOfTwo, e4m3, bitsOf(257)));
  programs.push_back(work("tcgen05.mma mxf4", mma + "mxf4.block_scale.block32 [%base], %d0, %d1, %id" + scales,
                          descriptorOf(128, 64, 0, 1, 1) | powersOfTwo, e2m1, bitsOf(513)));
  programs.push_back(work("tcgen05.mma mxf4nvf4", mma + "mxf4nvf4.block_scale.block16 [%base], %d0, %d1, %id" + scales,
                          descriptorOf(128, 64, 0, 1, 1), ue4m3, bitsOf(513)));
  // Pairs of blocks.
  const std::string pair = "tcgen05.mma.cta_group::2.kind::f16 [%base], ";
  programs.push_back(work("tcgen05.mma by a pair", pair + "%d0, %d1, %id, 1", descriptorOf(256, 64, 1, 1, 1), bf16, bitsOf(33), true));
  for (const char *left : {"%d0", "[%base+64]"}) {
    Program program = work(std::string("tcgen05.mma by a pair, masks, A ") + left,
                           pair + left + ", %d1, %id, {%s0, %s1, %s1, %s1, %s1, %s1, %s1, %s0}, 1", descriptorOf(256, 64, 1, 1, 1), bf16, bitsOf(33), true);
    program.body.insert(program.body.find("  mov.b32 %id"), "  mov.b32 %s0, -1;\n  mov.b32 %s1, 0;\n");
    std::fill_n(program.expected.begin(), 4 * 32, bitsOf(1));
    std::fill_n(program.expected.end() - 4 * 32, 4 * 32, bitsOf(1));
    programs.push_back(program);
  }

  // Copies of words that are all equal, without swizzles.
  const std::string cp = "tcgen05.cp.cta_group::1.";
  for (const char *shape : {"128x256b", "128x128b", "64x128b.warpx2::02_13", "warpx2::01_23.64x128b", "32x128b.warpx4", "warpx4.32x128b"})
    programs.push_back(work(std::string("tcgen05.cp ") + shape, cp + shape + " [%base], %d1", 0, bf16, 0x40004000));
  for (const char *unsupported :
       {"cp.cta_group::1.4x256b [%base], %d1", "cp.cta_group::1.128x256b.b8x16.b6x16_p32 [%base], %d1",
        "cp.cta_group::1.64x128b.warpx2::02_13.b8x16.b4x16_p64 [%base], %d1",
        "cp.cta_group::1.32x128b.warpx4.b8x16.b6x16_p32 [%base], %d1", "shift.cta_group::1.down [%base]",
        "mma.ws.cta_group::1.kind::f16 [%base], %d0, %d1, %id, 1", "mma.ws.cta_group::1.kind::i8 [%base], [%base], %d1, %id, 1",
        "mma.sp.cta_group::1.kind::f16 [%base], %d0, %d1, [%base], %id, 1",
        "mma.sp.cta_group::1.kind::tf32 [%base], [%base], %d1, [%base], %id, 1",
        "mma.cta_group::1.kind::f16.ashift [%base], [%base], %d1, %id, 1"}) {
    std::string instruction = std::string("tcgen05.") + unsupported;
    Program program = work(instruction, instruction, 0, bf16, 0);
    program.expected = {};
    program.error = 218;
    size_t at = program.body.find("@%first " + instruction), line = std::count(program.body.begin(), program.body.begin() + at, '\n');
    program.message = "test.ptx:" + number(line + 22) + ":11: error: '" + instruction.substr(0, instruction.find(' ')) +
                      "' is not supported by the emulator";
    programs.push_back(program);
  }

  // Errors in the operands of an mma.
  auto flawed = [&](const std::string &kind, uint32_t descriptor, const std::string &flaw) {
    programs.push_back(failing(work(flaw, mma + kind + plain, descriptor, bf16, 0), 715, "tcgen05.mma: " + flaw));
  };
  flawed("f16", descriptorOf(96, 64, 1, 1, 1), "kind::f16 with cta_group::1 has no shape of M 96 and N 64");
  flawed("f16", descriptorOf(256, 64, 1, 1, 1), "kind::f16 with cta_group::1 has no shape of M 256 and N 64");
  flawed("i8", descriptorOf(128, 40, 2, 1, 1), "kind::i8 with cta_group::1 has no shape of M 128 and N 40");
  flawed("f16", descriptorOf(128, 64, 1, 2, 1), "kind::f16 has no operands of format 2");
  flawed("f16", descriptorOf(128, 64, 2, 1, 1), "kind::f16 has no sums of format 2 for these operands");
  flawed("f16", descriptorOf(128, 64, 0, 1, 1), "kind::f16 has no sums of format 0 for these operands");
  flawed("f16", bf16Descriptor | 4, "the instruction descriptor says that A is sparse, and the instruction is not tcgen05.mma.sp");
  flawed("f16", bf16Descriptor | 1u << 30, "the instruction descriptor has bits 30 and 31, which only tcgen05.mma.ws has");
  programs.push_back(failing(work("D at lane 16", mma + "f16 [%base+1048576], %d0, %d1, %id, 1", bf16Descriptor, bf16, 0), 716,
                             "tcgen05.mma: D begins at lane 16, and it must begin at lane 0"));
  programs.push_back(failing(work("D beyond the columns", mma + "f16 [%base+96], %d0, %d1, %id, 1", bf16Descriptor, bf16, 0), 700,
                             "D of tcgen05.mma accesses columns 96 to 159 of tensor memory, of which column 128 is not allocated"));
  Program bits = work("a descriptor of wgmma", mma + "f16" + plain, bf16Descriptor, bf16, 0);
  bits.body = replaced(bits.body, "0x4000404000010000", "0x4000004000010000");
  programs.push_back(failing(bits, 715, "tcgen05.mma: bits 46 to 48 of a matrix descriptor must be 0b001"));
  Program outside = work("a descriptor that leads out of shared memory", mma + "f16" + plain, bf16Descriptor, bf16, 0);
  outside.body = replaced(outside.body, "add.u64 %d1, %d0, 2048", "add.u64 %d1, %d0, 4080");
  programs.push_back(failing(outside, 700, "a matrix descriptor of tcgen05 leads to shared+0x11ed0, and the block has 0x1000c bytes"));
  Program scaled = work("scales that differ", mma + "mxf8f6f4.block_scale [%base], %d0, %d1, %id" + scales,
                        descriptorOf(128, 64, 0, 0, 0) | powersOfTwo, e4m3, 0);
  scaled.body.insert(scaled.body.find("  mov.b32 %id"), "  tcgen05.st.sync.aligned.32x32b.x1.b32 [%a+96], {%t};\n  tcgen05.wait::st.sync.aligned;\n");
  programs.push_back(failing(scaled, 719, "tcgen05.mma: the scales of A must be the same in all four quarters of the lanes, and differ in lane 0 of column 96 "
                             "(tcgen05.cp.warpx4 makes them so)"));

  // Accesses that nothing orders.
  const Program whole = work("", mma + "f16" + plain, bf16Descriptor, bf16, bitsOf(33));
  auto unordered = [&](Program program, const std::string &name, const std::string &what) {
    program.name = name;
    programs.push_back(failing(program, 719, what, true));
  };
  const std::string race = "data race in tensor memory";
  unordered(without(whole, "  @!%done bra wait;\n"), "no wait for the commit", race);
  unordered(without(whole, "  tcgen05.wait::st.sync.aligned;\n"), "no tcgen05.wait::st before the product", race);
  unordered(without(whole, "  fence.proxy.async.shared::cta;\n"), "no proxy fence",
            "the asynchronous proxy has not been told of a write to shared memory");
  Program noCommit = without(whole, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [bar];",
                             "mbarrier.arrive.shared::cta.b64 _, [bar];");
  unordered(noCommit, "an arrival in place of a commit", race);
  Program changed = without(whole, "wait:\n", "  @%first st.shared.b32 [tiles], 0;\nwait:\n");
  unordered(changed, "an operand that changes", "data race in shared memory");
  Program seen = failing(changed, 719, "what a tcgen05.mma reads in shared memory has changed before it was done: the result is undefined");
  seen.name = "an operand that changes, without checks";
  seen.onlyUnchecked = true;
  programs.push_back(seen);
  Program anew = whole;
  anew.name = "D that nothing has written";
  for (const char *first : {"0", "32"}) {
    size_t at = anew.body.find(std::string("  tcgen05.st.sync.aligned.32x32b.x32.b32 [%a+") + first + "]");
    anew.body.erase(at, anew.body.find('\n', at) + 1 - at);
  }
  programs.push_back(failing(anew, 719, "read of uninitialized tensor memory", true));
  for (const auto &[column, instruction] :
       {std::pair("64", mma + "f16 [%base], [%base+64], %d1, %id, 1"),
        std::pair("96", mma + "mxf8f6f4.block_scale [%base], %d0, %d1, %id" + scales)}) {
    bool isScale = column == std::string("96");
    Program unwritten = work(std::string("nothing in column ") + column, instruction,
                             isScale ? descriptorOf(128, 64, 0, 0, 0) | powersOfTwo : bf16Descriptor,
                             isScale ? e4m3 : bf16, 0);
    size_t at = unwritten.body.find(std::string("  tcgen05.st.sync.aligned.32x32b.x32.b32 [%a+") + column + "]");
    unwritten.body.erase(at, unwritten.body.find('\n', at) + 1 - at);
    programs.push_back(failing(unwritten, 719, "read of uninitialized tensor memory", true));
  }
  programs.push_back(failing(work("A at lane 16", mma + "f16 [%base], [%base+1048640], %d1, %id, 1", bf16Descriptor, bf16, 0),
                             716, "tcgen05.mma: A begins at lane 16, and it must begin at lane 0"));


  Program under = without(whole, "  @!%done bra wait;\n");
  under.body = under.body.substr(0, under.body.find("wait:\n")) + "  bar.sync 0;\n  @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 128;\n";
  unordered(under, "tcgen05.dealloc under a product", race);
  // In the default schedule the tensor core runs late, which is too late here.
  Program late = failing(under, 719, "a block ends while its tensor core is at work: nobody has waited for a commit of this");
  late.name = "a block that ends under a product, without checks";
  late.onlyUnchecked = true;
  programs.push_back(late);
  const std::string commit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [";
  Program ended = without(whole, "  @%first " + commit + "bar];",
                          "  .shared .align 8 .b8 slot[8];\n  @%first mbarrier.init.shared::cta.b64 [slot], 1;\n  @%first " +
                              commit + "slot];\n  @%first mbarrier.inval.shared::cta.b64 [slot];\n  @%first " + commit +
                              "bar];");
  ended = failing(ended, 719, "a tcgen05.commit arrives at what is no mbarrier any more");
  ended.name = "a commit to an mbarrier that has ended, without checks";
  ended.onlyUnchecked = true;
  programs.push_back(ended);
  return programs;
}
