// The tcgen05 instructions of whole warps: allocation, ld, st, waits and fences (PTX ISA 9.7.16). The registers of a
// shape are described as in CUTLASS: thread and value give an offset in the bits of a tile whose rows are lanes.
#include "../Harness.h"

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::tensorMemoryAnswers() { return {}; }

namespace {

// The first warp allocates 32 columns. %a is their address in every thread, with the first lane of its warp.
const char *const allocated = R"(
  .shared .align 4 .b8 place[4];
  .reg .b32 %a, %v<128>, %w<32>;
  .reg .pred %warp;
  setp.lt.u32 %warp, %t, 32;
  @%warp tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], 32;   // tested
  @%warp tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;   // tested
  bar.sync 0;
  ld.shared.b32 %a, [place];
  shr.u32 %r0, %t, 5;
  and.b32 %r0, %r0, 3;
  shl.b32 %r0, %r0, 21;
  add.u32 %a, %a, %r0;
)";
const char *const freed = R"(
  bar.sync 0;
  @%warp ld.shared.b32 %a, [place];
  @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 32;   // tested
)";

std::string number(uint64_t value) { return std::to_string(value); }
std::string list(const char *name, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? std::string(", ") : std::string()) + name + number(i);
  return text + "}";
}

// Fills all columns of the warp's lanes with 100 * column + lane, or with 0.
std::string fill(bool withNumbers) {
  std::string text;
  for (unsigned i = 0; i < 32; ++i)
    text += withNumbers ? "  add.u32 %w" + number(i) + ", %t, " + number(100 * i) + ";\n"
                        : "  mov.b32 %w" + number(i) + ", 0;\n";
  return text + "  tcgen05.st.sync.aligned.32x32b.x32.b32 [%a], " + list("%w", 32) +
         ";   // tested\n  tcgen05.wait::st.sync.aligned;   // tested\n";
}

std::string store(const char *name, unsigned count, unsigned first) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += "  st.global.b32 [%o+" + number(128 * (first + i)) + "], " + name + number(i) + ";\n";
  return text;
}

// A layout function: the sum of an index's digits, the first one varying fastest, each times its stride.
struct Layout {
  std::vector<unsigned> shape, stride;
  unsigned at(unsigned index) const {
    unsigned sum = 0;
    for (size_t i = 0; i < shape.size(); ++i) {
      sum += index % shape[i] * stride[i];
      index /= shape[i];
    }
    return sum;
  }
};

// Bits in a tile with rows of `width` bits.
struct ShapeAnswer {
  const char *name;
  unsigned repeats, registers, width;
  Layout threads, values;
};

const ShapeAnswer shapes[] = {
    {"32x32b", 8, 8, 256, {{32}, {256}}, {{32, 8}, {1, 32}}},
    {"16x64b", 4, 4, 256, {{2, 2, 8}, {8 * 256, 32, 256}}, {{32, 4}, {1, 64}}},
    {"16x128b", 2, 4, 256, {{4, 8}, {32, 256}}, {{32, 2, 2}, {1, 8 * 256, 128}}},
    {"16x256b", 2, 8, 512, {{4, 8}, {64, 512}}, {{64, 2, 2}, {1, 8 * 512, 256}}},
    {"16x32bx2", 4, 4, 256, {{16, 2}, {256, 128}}, {{32, 4}, {1, 32}}},
};

// Stores with this shape and loads by lanes, and the other way round. `packs`: each register holds two columns of 16
// bits.
Program moves(const ShapeAnswer &shape, bool packs) {
  Program program;
  std::string name = std::string(shape.name) + ".x" + number(shape.repeats), pack = packs ? ".pack::16b" : "";
  program.name = "tcgen05.st and ld " + name + pack;
  std::string split = std::string(shape.name) == "16x32bx2" ? ", 4" : "";
  if (packs && !split.empty())
    split = ", 8"; // twice the distance
  program.body = std::string(allocated) + fill(false);
  for (unsigned i = 0; i < shape.registers; ++i)
    program.body += "  mad.lo.u32 %v" + number(i) + ", %t, 65536, " + number(1000 + i) + ";\n";
  program.body += "  tcgen05.st.sync.aligned." + name + (packs ? ".unpack::16b" : "") + ".b32 [%a]" + split + ", " +
                  list("%v", shape.registers) + ";   // tested\n  tcgen05.wait::st.sync.aligned;   // tested\n" +
                  "  tcgen05.ld.sync.aligned.32x32b.x32.b32 " + list("%w", 32) +
                  ", [%a];   // tested\n  tcgen05.wait::ld.sync.aligned;   // tested\n" + store("%w", 32, 0) + fill(true) +
                  "  tcgen05.ld.sync.aligned." + name + pack + ".b32 " + list("%v", shape.registers) + ", [%a]" + split +
                  ";   // tested\n  tcgen05.wait::ld.sync.aligned;\n" + store("%v", shape.registers, 32) + freed;
  program.expected.assign(32 * (32 + shape.registers), 0);
  for (unsigned thread = 0; thread < 32; ++thread)
    for (unsigned reg = 0; reg < shape.registers; ++reg) {
      unsigned bit = shape.threads.at(thread) + shape.values.at(32 * reg);
      unsigned lane = bit / shape.width, column = bit % shape.width / 32;
      uint32_t stored = thread * 65536 + 1000 + reg;
      uint32_t &loaded = program.expected[32 * (32 + reg) + thread];
      if (packs) {
        program.expected[32 * (2 * column) + lane] = stored & 0xffff;
        program.expected[32 * (2 * column + 1) + lane] = stored >> 16;
        loaded = 200 * column + lane + (200 * column + 100 + lane) * 65536;
      } else {
        program.expected[32 * column + lane] = stored;
        loaded = 100 * column + lane;
      }
    }
  return program;
}

std::string found(const std::string &what) { return "error: " + what + ": kernel 'test', block (0,0,0)"; }

Program wrong(const std::string &name, const std::string &body, int error, const std::string &what,
              uint32_t threads = 32) {
  Program program;
  program.name = name;
  program.body = body;
  program.threads = threads;
  program.error = error;
  program.message = found(what);
  return program;
}

} // namespace

std::vector<Program> tilecc::emu::test::tensorMemoryPrograms() {
  std::vector<Program> programs;
  for (const ShapeAnswer &shape : shapes)
    for (bool packs : {false, true})
      programs.push_back(moves(shape, packs));

  const std::string start = allocated, one = "  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%a];\n",
                    wait = "  tcgen05.wait::ld.sync.aligned;\n";
  auto alloc = [](unsigned columns) {
    return "  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [place], " + number(columns) + ";\n";
  };
  auto dealloc = [](const char *address, unsigned columns) {
    return std::string("  tcgen05.dealloc.cta_group::1.sync.aligned.b32 ") + address + ", " + number(columns) + ";\n";
  };
  const std::string declared = start.substr(0, start.find("  @%warp tcgen05.alloc"));
  const std::string get = "  ld.shared.b32 %a, [place];\n";

  // Allocation.
  programs.push_back(wrong("tcgen05.alloc of 48", declared + alloc(48), 715,
                           "tcgen05.alloc of 48 columns: the number must be a power of two from 32 to 512"));
  programs.push_back(wrong("tcgen05.alloc of 16", declared + alloc(16), 715,
                           "tcgen05.alloc of 16 columns: the number must be a power of two from 32 to 512"));
  programs.push_back(wrong("tcgen05.alloc without the permit", start + alloc(32), 719,
                           "tcgen05.alloc behind tcgen05.relinquish_alloc_permit"));
  programs.push_back(wrong("tcgen05.alloc that grows",
                           declared + alloc(32) + get + dealloc("%a", 32) + alloc(64) + get + dealloc("%a", 64), 719,
                           "tcgen05.alloc of 64 columns behind one of 32: allocations of a block must not grow"));
  programs.push_back(wrong("no tcgen05.dealloc", declared + alloc(64), 719,
                           "a block ends without tcgen05.dealloc of 64 columns of tensor memory"));
  programs.push_back(wrong("tcgen05.dealloc twice", declared + alloc(32) + get + dealloc("%a", 32) + dealloc("%a", 32), 719,
                           "tcgen05.dealloc of 32 columns from 0 on, which are no allocation"));
  programs.push_back(wrong("tcgen05.dealloc of a part", declared + alloc(64) + get + dealloc("%a", 32), 719,
                           "tcgen05.dealloc of 32 columns from 0 on, which are no allocation: one has 64 columns from 0 on"));
  programs.push_back(wrong("cta_group::1 and ::2",
                           declared + alloc(32) + get + "  tcgen05.dealloc.cta_group::2.sync.aligned.b32 %a, 32;\n", 715,
                           "a kernel must use one cta_group for all of its tcgen05 instructions, and this is "
                           "cta_group::2"));
  // The second warp gets the columns that the first one frees.
  Program waits;
  waits.name = "tcgen05.alloc that waits";
  waits.threads = 64;
  waits.body = declared + "  @!%warp bra second;\n" + alloc(512) + get +
               "  bar.arrive 1, 64;\n  nanosleep.u32 1;\n" + dealloc("%a", 512) + "  bra done;\nsecond:\n  bar.sync 1, 64;\n" +
               alloc(256) + get + dealloc("%a", 256) + "done:\n  st.global.b32 [%o], %a;\n";
  waits.expected = Words(64, 0);
  programs.push_back(waits);
  programs.push_back(wrong("tcgen05.alloc that waits for ever", declared + alloc(512) + alloc(32), 702,
                           "deadlock: no thread can go on"));

  // Which cells are accessible.
  programs.push_back(wrong("a lane of another warp",
                           start + fill(false) + "  bar.sync 0;\n  @%warp bra out;\n" + get + one + wait + "out:\n" + freed, 700,
                           "tcgen05.ld at lane 0: warp 1 accesses lanes 32 to 63, from lane 32 on", 64));
  programs.push_back(wrong("columns that are not allocated", start + "  add.u32 %a, %a, 32;\n" + one + wait + freed, 700,
                           "tcgen05.ld accesses column 32 of tensor memory, of which column 32 is not allocated"));
  programs.push_back(wrong("columns that there are not", start + "  add.u32 %a, %a, 512;\n" + one + wait + freed, 700,
                           "tcgen05.ld accesses column 512 of tensor memory, which has 512"));
  programs.push_back(wrong("columns that were freed",
                           declared + alloc(32) + get + dealloc("%a", 32) + "  tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%t};\n",
                           700, "tcgen05.st accesses column 0 of tensor memory, of which column 0 is not allocated"));
  programs.push_back(wrong("addresses that differ", start + "  add.u32 %a, %a, %t;\n" + one + wait + freed, 715,
                           "the address of tcgen05.ld differs between the threads of a warp"));
  programs.push_back(wrong("tcgen05.ld by half a warp",
                           start + fill(false) + "  setp.lt.u32 %p0, %t, 16;\n  @%p0" + one + wait + freed, 702,
                           "deadlock: no thread can go on"));
  Program unwritten = wrong("cells that nothing has written", start + one + wait + freed, 719, "read of uninitialized tensor memory");
  unwritten.onlyChecked = true;
  programs.push_back(unwritten);

  // Order.
  Program early = wrong("a register before tcgen05.wait::ld",
                        start + fill(false) + one + "  add.u32 %v1, %v0, 1;\n" + wait + freed, 719,
                        "a register is used that tcgen05.ld loads, with no tcgen05.wait::ld in between");
  early.onlyChecked = true;
  programs.push_back(early);
  Program unwaited = wrong("no tcgen05.wait::st",
                           start + "  tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%t};\n" + one + wait + freed, 719,
                           "data race in tensor memory");
  unwaited.onlyChecked = true;
  programs.push_back(unwaited);
  Program together = wrong("two warps with the same lanes",
                           start + "  setp.lt.u32 %p0, %t, 32;\n  setp.ge.u32 %p1, %t, 128;\n  or.pred %p0, %p0, %p1;\n"
                                   "  @!%p0 bra out;\n  tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%t};\n"
                                   "  tcgen05.wait::st.sync.aligned;\nout:\n" + freed,
                           719, "data race in tensor memory", 160);
  together.onlyChecked = true;
  programs.push_back(together);
  Program freeing = wrong("tcgen05.dealloc before another warp has loaded",
                          start + fill(false) + "  bar.sync 0;\n" + one +
                              "  bar.sync 0;\n  @%warp ld.shared.b32 %a, [place];\n"
                              "  @%warp tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 32;\n" + wait,
                          719, "data race in tensor memory", 64);
  freeing.onlyChecked = true;
  programs.push_back(freeing);

  // Fences do not change anything that is already ordered.
  Program fences;
  fences.name = "tcgen05.fence";
  fences.body = std::string(allocated) + "  tcgen05.fence::before_thread_sync;   // tested\n  bar.sync 0;\n"
                "  tcgen05.fence::after_thread_sync;   // tested\n  st.global.b32 [%o], %t;\n" + freed;
  fences.expected = lanes([](uint32_t lane) { return lane; });
  programs.push_back(fences);
  return programs;
}
