// wgmma (PTX ISA 9.7.15). test/e2e/dot-warpgroups and MatrixTest test where elements are stored with each swizzle and
// order. Here all elements of a matrix are equal, for every type and number of columns.
#include "../Harness.h"

#include <bit>
#include <cstring>

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::warpGroupAnswers() { return {}; }

namespace {

struct Elements {
  std::string types;
  unsigned depth;
  uint32_t one, two; // a register's bits if all its elements are that number
  bool hasTransposes;
};

// Descriptors of matrices with swizzled rows of 128 bytes, in a tile of ones and a tile of twos. %d0 and %d1
const char *const tiles = R"(
  .shared .align 1024 .b8 tiles[40960];
  .reg .b32 %s<4>;
  .reg .b64 %m;
  .reg .pred %again, %keep;
  mov.u32 %s0, %t;
fill:
  mul.lo.u32 %s1, %s0, 4;
  mov.u32 %s2, tiles;
  add.u32 %s1, %s1, %s2;
  setp.lt.u32 %again, %s0, 2048;
  selp.b32 %s3, ONE, TWO, %again;
  st.shared.u32 [%s1], %s3;
  add.u32 %s0, %s0, 128;
  setp.lt.u32 %again, %s0, 10240;
  @%again bra fill;
  fence.proxy.async.shared::cta;   // tested
  bar.sync 0;
  mov.u32 %s1, tiles;
  shr.u32 %s1, %s1, 4;
  cvt.u64.u32 %d0, %s1;
  mov.b64 %m, 0x4000004000010000;
  or.b64 %d0, %d0, %m;
  add.u64 %d1, %d0, 512;
)";

// D = A * B + 1 where `keeps`, A * B otherwise: all of A ones, all of B twos.
Program multiply(const Elements &e, unsigned columns, bool fromRegisters, bool keeps) {
  bool isInteger = e.types.starts_with(".s32"), isHalf = e.types.starts_with(".f16");
  unsigned registers = isHalf ? columns / 4 : columns / 2; // a register has two f16
  uint32_t one = isInteger ? 1 : isHalf ? 0x3c003c00 : std::bit_cast<uint32_t>(1.0f);
  int sum = 2 * int(e.depth) + keeps;
  std::string body = replaced(replaced(tiles, "ONE", std::to_string(e.one)), "TWO", std::to_string(e.two)), list = "{", left = "%d0";
  body += "  .reg .b32 %x<" + std::to_string(registers) + ">;\n";
  for (unsigned i = 0; i < registers; ++i) {
    body += "  mov.b32 %x" + std::to_string(i) + ", " + std::to_string(one) + ";\n";
    list += (i ? ", %x" : "%x") + std::to_string(i);
  }
  if (fromRegisters) {
    left = "{%r0, %r1, %r2, %r3}";
    for (unsigned i = 0; i < 4; ++i)
      body += "  mov.b32 %r" + std::to_string(i) + ", " + std::to_string(e.one) + ";\n";
  }
  std::string instruction =
      "wgmma.mma_async.sync.aligned.m64n" + std::to_string(columns) + "k" + std::to_string(e.depth) + e.types;
  std::string tail = isInteger ? "" : ", 1, 1";
  if (e.hasTransposes)
    tail += fromRegisters ? ", 0" : ", 0, 0";
  body += std::string("  setp.eq.u32 %keep, 0, ") + (keeps ? "0" : "1") + ";\n";
  body += "  wgmma.fence.sync.aligned;   // tested\n  " + instruction + " " + list + "}, " + left + ", %d1, %keep" + tail +
          ";   // tested\n  wgmma.commit_group.sync.aligned;   // tested\n  wgmma.wait_group.sync.aligned 0;   // tested\n";
  body += "  mul.wide.u32 %d31, %t, 4;\n  add.u64 %d31, %out, %d31;\n";
  for (unsigned i = 0; i < registers; ++i)
    body += "  st.global.b32 [%d31+" + std::to_string(512 * i) + "], %x" + std::to_string(i) + ";\n";
  uint32_t answer = isInteger ? uint32_t(sum) : std::bit_cast<uint32_t>(float(sum));
  if (isHalf) // 32, 33, 64 or 65
    answer = 0x10001 * ((sum < 64 ? 0x5000 : 0x5400) + (sum % 2 ? sum < 64 ? 0x20 : 0x10 : 0));
  return {.name = instruction + (fromRegisters ? ", A in registers" : "") + (keeps ? "" : ", D anew"),
          .body = body,
          .expected = Words(128 * registers, answer),
          .threads = 128};
}

} // namespace

std::vector<Program> tilecc::emu::test::warpGroupPrograms() {
  const Elements all[] = {{".f32.f16.f16", 16, 0x3c003c00, 0x40004000, true},
                          {".f32.bf16.bf16", 16, 0x3f803f80, 0x40004000, true},
                          {".f16.f16.f16", 16, 0x3c003c00, 0x40004000, true},
                          {".f16.e4m3.e5m2", 32, 0x38383838, 0x40404040, false},
                          {".f32.tf32.tf32", 8, 0x3f800000, 0x40000000, false},
                          {".f32.e4m3.e4m3", 32, 0x38383838, 0x40404040, false},
                          {".f32.e4m3.e5m2", 32, 0x38383838, 0x40404040, false},
                          {".f32.e5m2.e4m3", 32, 0x3c3c3c3c, 0x40404040, false},
                          {".f32.e5m2.e5m2", 32, 0x3c3c3c3c, 0x40404040, false},
                          {".s32.s8.s8", 32, 0x01010101, 0x02020202, false},
                          {".s32.u8.s8", 32, 0x01010101, 0x02020202, false},
                          {".s32.s8.u8", 32, 0x01010101, 0x02020202, false},
                          {".s32.u8.u8.satfinite", 32, 0x01010101, 0x02020202, false}};
  std::vector<Program> programs;
  // All types with some widths, and one type with each of the others.
  for (unsigned columns = 8, next = 0; columns <= 256; columns += 8) {
    bool isForAll = columns <= 24 || columns == 64 || columns == 128 || columns == 256;
    ++next;
    for (size_t i = 0; i < std::size(all); ++i) {
      bool isInteger = all[i].types.starts_with(".s32");
      if ((isInteger && columns > 24 && columns % 16) || (!isForAll && i != next % std::size(all)))
        continue;
      for (bool fromRegisters : {false, true})
        programs.push_back(multiply(all[i], columns, fromRegisters, /*keeps=*/(columns == 64) != fromRegisters));
    }
  }
  // Elements of 8 bits with the sign set: -1, or 255.
  for (const char *types : {".s32.s8.s8", ".s32.u8.s8", ".s32.s8.u8", ".s32.u8.u8"}) {
    Program program = multiply({types, 32, 0xffffffff, 0x02020202, false}, 8, true, true);
    program.name += ", negative";
    program.expected.assign(program.expected.size(), 32 * 2 * (types[5] == 's' ? -1 : 255) + 1);
    programs.push_back(program);
  }

  // Errors: fewer than four warps, and an operand that changes before the wait.
  Program few = multiply(all[0], 8, false, true);
  few.name = "wgmma by three warps";
  few.threads = 96;
  few.expected = {};
  few.error = 719;
  few.message = "error: wgmma is executed by 32 threads of a warp in a block of 96; it needs all threads of four warps, the "
                "first of which has a number divisible by 4: kernel 'test', block (0,0,0)";
  programs.push_back(few);
  Program changed = multiply(all[0], 8, false, true);
  changed.name = "wgmma whose operand changes";
  size_t wait = changed.body.find("  wgmma.wait_group");
  changed.body.insert(wait, "  mov.u32 %s1, tiles;\n  setp.eq.u32 %again, %t, 0;\n  @%again st.shared.u32 [%s1], %s1;\n");
  changed.body = changed.body.substr(0, changed.body.find("  mul.wide.u32 %d31")); // no results are stored
  changed.expected = {};
  changed.error = 719;
  changed.message = "error: what a wgmma reads in shared memory has changed before the wait for it: the result is undefined: "
                    "kernel 'test', block (0,0,0)";
  changed.onlyUnchecked = true;
  programs.push_back(changed);
  changed.name += ", which is a race";
  changed.message = "error: data race in shared memory: kernel 'test', block (0,0,0)";
  changed.onlyUnchecked = false;
  changed.onlyChecked = true;
  programs.push_back(changed);
  // One of the four warps does not take part.
  Program three = multiply(all[0], 8, false, true);
  three.name = "wgmma without the last warp";
  three.body.insert(three.body.find("  wgmma.fence"), "  setp.ge.u32 %again, %t, 96;\n  @%again exit;\n");
  three.before = three.expected;
  three.expected = {};
  three.error = 702;
  three.message = "error: deadlock: no thread can go on: kernel 'test', block (0,0,0)";
  programs.push_back(three);
  // The accumulator must not be accessed before the wait, and operands in registers must not be written.
  for (const auto &[fromRegisters, use] :
       {std::pair(false, "  add.u32 %r9, %x0, 1;\n"), std::pair(false, "  mov.b32 %x3, 0;\n"),
        std::pair(true, "  mov.b32 %r2, 0;\n")}) {
    Program early = multiply(all[0], 8, fromRegisters, true);
    early.name = std::string("wgmma, and then") + use;
    early.body.insert(early.body.find("  wgmma.commit_group"), use);
    early.before = early.expected;
    early.expected = {};
    early.error = 719;
    early.message =
        "error: a register is used that belongs to a wgmma, with no wait for it (wgmma.wait_group) in between: "
        "kernel 'test', block (0,0,0)";
    early.onlyChecked = true;
    programs.push_back(early);
  }
  Program reader = multiply(all[0], 8, true, true); // reading A is allowed
  reader.name = "wgmma, and then its A is read";
  reader.body.insert(reader.body.find("  wgmma.commit_group"), "  add.u32 %r9, %r2, 1;\n");
  programs.push_back(reader);
  Program unfenced = multiply(all[0], 8, false, true);
  unfenced.name = "wgmma of what no fence has told it of";
  unfenced.body.erase(unfenced.body.find("  fence.proxy.async"),
                      std::strlen("  fence.proxy.async.shared::cta;   // tested"));
  unfenced.before = unfenced.expected;
  unfenced.expected = {};
  unfenced.error = 719;
  unfenced.message =
      "error: the asynchronous proxy has not been told of a write to shared memory: kernel 'test', block (0,0,0)";
  unfenced.onlyChecked = true;
  programs.push_back(unfenced);
  // Registers: a fence is needed before the first wgmma and after instructions that use the registers, but not after
  // moves.
  const std::string fence = "  wgmma.fence.sync.aligned;   // tested\n";
  for (const auto &[what, behind] :
       {std::pair("no fence at all", ""), std::pair("D written behind the fence", "  add.u32 %x3, %x3, 0;\n"),
        std::pair("D read behind the fence", "  add.u32 %r9, %x3, 0;\n"),
        std::pair("A written behind the fence", "  or.b32 %r2, %r2, 0;\n")}) {
    Program late = multiply(all[0], 8, true, true);
    late.name = std::string("wgmma with ") + what;
    late.body.replace(late.body.find(fence), fence.size(), *behind ? fence + behind : std::string());
    late.before = late.expected;
    late.expected = {};
    late.error = 719;
    late.message = "error: a wgmma uses registers that others have used, with no wgmma.fence in between: kernel 'test', "
                   "block (0,0,0)";
    late.onlyChecked = true;
    programs.push_back(late);
  }
  Program moved = multiply(all[0], 8, true, true);
  moved.name = "wgmma with what is moved or only read behind the fence";
  moved.body.insert(moved.body.find(fence) + fence.size(), "  mov.b32 %r3, %r2;\n  add.u32 %r9, %r2, 1;\n");
  programs.push_back(moved);
  return programs;
}
