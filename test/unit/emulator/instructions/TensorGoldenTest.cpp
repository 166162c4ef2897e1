//===-- TensorGoldenTest.cpp - compares tcgen05 with the answers of another model ---------------------------------===//
//
// Each case of Inputs/tcgen05.txt becomes a kernel that fills shared and tensor memory, executes one instruction, waits
// for it, and stores the contents of tensor memory or the result of a load. These must equal the expected values.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Harness.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace tilecc::emu::test;

namespace {

enum : unsigned { sharedWords = 16384, lanes = 128, columns = 128, scaleColumn = 96, chunk = 32 };

//===-- Memory before ------------------------------------------------------------------------------------------===//

class Draw {
public:
  explicit Draw(uint32_t seed) : state(seed) {}

  uint32_t word(const std::string &format) {
    static const uint32_t f16[] = {0, 0x3c00, 0xbc00, 0x4000, 0xb800, 0x4200, 0xc400, 0x3400};
    static const uint32_t bf16[] = {0, 0x3f80, 0xbf80, 0x4000, 0xbf00, 0x4040, 0xc080, 0x3e80};
    static const uint32_t e4m3[] = {0, 0x38, 0xb8, 0x40, 0xb0, 0x44, 0xc8, 0x28};
    static const uint32_t e5m2[] = {0, 0x3c, 0xbc, 0x40, 0xb8, 0x42, 0xc4, 0x34};
    static const uint32_t ue8m0[] = {126, 127, 128, 129, 125, 130, 127, 126};
    static const uint32_t ue4m3[] = {0x38, 0x40, 0x30, 0x3c, 0x44, 0x34, 0x48, 0x28};
    if (format == "f32")
      return bf16[next() >> 29] << 16;
    if (format == "f16" || format == "bf16")
      return of(format == "f16" ? f16 : bf16, 16);
    if (format == "raw") {
      uint32_t low = next() >> 16;
      return low | (next() >> 16) << 16;
    }
    return of(format == "e4m3" ? e4m3 : format == "e5m2" ? e5m2 : format == "ue8m0" ? ue8m0 : ue4m3, 8);
  }

private:
  uint32_t next() { return state = state * 1664525 + 1013904223; }
  // A word of elements of so many bits.
  uint32_t of(const uint32_t (&values)[8], unsigned bits) {
    uint32_t result = 0;
    for (unsigned at = 0; at < 32; at += bits)
      result |= values[next() >> 29] << at;
    return result;
  }
  uint32_t state;
};

struct Case {
  std::string name, group, formats, instruction;
  uint32_t seed = 0;
  std::vector<uint32_t> hashes;
};

std::vector<Case> readCases() {
  std::ifstream file(TILECC_TCGEN05_ANSWERS);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::vector<std::string> fields;
    for (size_t at = 0; at <= line.size();) {
      size_t end = std::min(line.find(" | ", at), line.size());
      fields.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    Case one{fields.at(0), fields.at(1), fields.at(3), fields.at(4)};
    one.seed = static_cast<uint32_t>(std::stoul(fields[2]));
    std::istringstream hashes(fields.at(5));
    for (std::string hash; hashes >> hash;)
      one.hashes.push_back(static_cast<uint32_t>(std::stoul(hash, nullptr, 16)));
    cases.push_back(one);
  }
  return cases;
}

// Of each block shared memory, then tensor memory lane by lane.
Words memoryBefore(const Case &one, unsigned blocks) {
  std::istringstream formats(one.formats);
  std::string a, b, tensor, scales;
  formats >> a >> b >> tensor >> scales;
  Draw draw(one.seed);
  Words all;
  for (unsigned block = 0; block < blocks; ++block) {
    for (unsigned i = 0; i < sharedWords; ++i)
      all.push_back(draw.word(i < sharedWords / 2 ? a : b));
    size_t first = all.size();
    all.resize(first + lanes * columns);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned column = 0; column < scaleColumn; ++column)
        all[first + lane * columns + column] = draw.word(tensor);
    for (unsigned lane = 0; lane < lanes / 4; ++lane)
      for (unsigned column = scaleColumn; column < columns; ++column) {
        uint32_t word = draw.word(scales);
        for (unsigned quarter = 0; quarter < 4; ++quarter)
          all[first + (quarter * lanes / 4 + lane) * columns + column] = word;
      }
  }
  return all;
}

//===-- Kernels ------------------------------------------------------------------------------------------------===//

std::string registers(unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += (i ? ", %v" : "%v") + std::to_string(i);
  return list + "}";
}

std::string number(uint64_t value) { return std::to_string(value); }

// %ours: the thread's words of tensor memory in what is given, %lane: its warp's first lane as an address.
std::string fill() {
  std::string text = R"(
  .shared .align 1024 .b8 tiles[65536];
  .shared .align 8 .b8 bar[8];
  .shared .align 4 .b8 place[4];
  .reg .b32 %v<128>, %lane, %base, %rank, %n, %x;
  .reg .b64 %ours, %from;
  .reg .pred %first, %warp, %more, %leader, %done;
  mov.u32 %rank, %ctaid.x;
  mul.wide.u32 %from, %rank, 131072;
  add.u64 %from, %in, %from;
  mad.wide.u32 %ours, %t, 512, %from;
  add.u64 %ours, %ours, 65536;
  setp.eq.u32 %first, %t, 0;
  setp.lt.u32 %warp, %t, 32;
  mov.u32 %n, %t;
  mov.u32 %x, tiles;
  mad.lo.u32 %x, %t, 4, %x;
  mad.wide.u32 %from, %t, 4, %from;
copy:
  ld.global.b32 %v0, [%from];
  st.shared.b32 [%x], %v0;
  add.u64 %from, %from, 512;
  add.u32 %x, %x, 512;
  add.u32 %n, %n, 128;
  setp.lt.u32 %more, %n, 16384;
  @%more bra copy;
  @%first mbarrier.init.shared::cta.b64 [bar], 1;
  @%first fence.mbarrier_init.release.cluster;
  @%warp tcgen05.alloc.cta_group::GROUP.sync.aligned.shared::cta.b32 [place], 128;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  ld.shared.b32 %base, [place];
  shr.u32 %lane, %t, 5;
  shl.b32 %lane, %lane, 21;
)";
  for (unsigned at = 0; at < columns; at += chunk) {
    for (unsigned i = 0; i < chunk; ++i)
      text += "  ld.global.b32 %v" + number(i) + ", [%ours+" + number(4 * (at + i)) + "];\n";
    text += "  tcgen05.st.sync.aligned.32x32b.x32.b32 [%lane+" + number(at) + "], " + registers(chunk) + ";\n";
  }
  return text + "  tcgen05.wait::st.sync.aligned;\n";
}

const char *const barrier = "  tcgen05.fence::before_thread_sync;\n  BARRIER\n  tcgen05.fence::after_thread_sync;\n";
const char *const done = "  BARRIER\n  @%warp tcgen05.dealloc.cta_group::GROUP.sync.aligned.b32 %base, 128;\n";

Program workOf(const Case &one, bool isPair) {
  Program program;
  std::string commit = isPair ? ".shared::cluster.multicast::cluster.b64 [%d0], 3;\n" : ".shared::cluster.b64 [%d0];\n";
  std::string text = fill() + barrier + "  mov.u32 %x, bar;\n  cvt.u64.u32 %d0, %x;\n  setp.eq.u32 %leader, %rank, 0;\n"
                     "  and.pred %leader, %leader, %first;\n  @%leader " + one.instruction +
                     "\n  @%leader tcgen05.commit.cta_group::GROUP.mbarrier::arrive::one" + commit +
                     "wait:\n  mbarrier.try_wait.parity.shared::cta.b64 %done, [bar], 0;\n  @!%done bra wait;\n"
                     "  tcgen05.fence::after_thread_sync;\n  mad.lo.u32 %x, %rank, 128, %t;\n"
                     "  mad.wide.u32 %ours, %x, 512, %out;\n";
  for (unsigned at = 0; at < columns; at += chunk) {
    text += "  tcgen05.ld.sync.aligned.32x32b.x32.b32 " + registers(chunk) + ", [%lane+" + number(at) +
            "];\n  tcgen05.wait::ld.sync.aligned;\n";
    for (unsigned i = 0; i < chunk; ++i)
      text += "  st.global.b32 [%ours+" + number(4 * (at + i)) + "], %v" + number(i) + ";\n";
  }
  text += done;
  program.body = replaced(replaced(text, "GROUP", isPair ? "2" : "1"), "BARRIER",
                          isPair ? "barrier.cluster.arrive.aligned;\n  barrier.cluster.wait.aligned;" : "bar.sync 0;");
  program.blocks = program.cluster = isPair ? 2 : 1;
  program.expected.resize(program.blocks * lanes * columns);
  return program;
}

Program loadOf(const Case &one, unsigned count, unsigned offset, unsigned half) {
  Program program;
  std::string text = fill() + "  tcgen05.ld.sync.aligned." + one.instruction + ".b32 " + registers(count) + ", [%lane+" +
                     number(offset + 4) + "]" + (one.instruction.starts_with("16x32bx2") ? ", " + number(half) : "") +
                     ";\n  tcgen05.wait::ld.sync.aligned;\n  mad.wide.u32 %ours, %t, 4, %out;\n";
  for (unsigned i = 0; i < count; ++i)
    text += "  st.global.b32 [%ours+" + number(512 * i) + "], %v" + number(i) + ";\n";
  program.body = replaced(replaced(text + done, "GROUP", "1"), "BARRIER", "bar.sync 0;");
  program.expected.resize(count * lanes);
  return program;
}

//===-- Answers ------------------------------------------------------------------------------------------------===//

struct Hash {
  uint32_t value = 2166136261;
  void add(uint32_t word) { value = (value ^ word) * 16777619; }
};

std::vector<uint32_t> hashesOfLanes(const Words &words) {
  std::vector<uint32_t> hashes;
  for (size_t at = 0; at < words.size();) {
    Hash hash;
    for (size_t end = at + 16 * columns; at < end; ++at)
      hash.add(words[at]);
    hashes.push_back(hash.value);
  }
  return hashes;
}

std::vector<uint32_t> hashesOfWarps(const Words &words) {
  std::vector<uint32_t> hashes;
  for (unsigned warp = 0; warp < 4; ++warp) {
    Hash hash;
    for (size_t row = 0; row < words.size(); row += lanes)
      for (unsigned thread = 0; thread < 32; ++thread)
        hash.add(words[row + warp * 32 + thread]);
    hashes.push_back(hash.value);
  }
  return hashes;
}

TEST(TensorGolden, EveryCase) {
  std::vector<Case> cases = readCases();
  EXPECT_GE(cases.size(), 50u);
  for (const Case &one : cases) {
    SCOPED_TRACE(one.name + ": " + one.instruction);
    bool isLoad = one.group.starts_with("ld");
    Program program;
    if (isLoad) {
      std::istringstream fields(one.group.substr(2));
      unsigned count = 0, offset = 0, half = 0;
      fields >> count >> offset >> half;
      program = loadOf(one, count, offset, half);
    } else {
      program = workOf(one, one.group == "2");
    }
    program.name = one.name;
    program.threads = lanes;
    program.in = memoryBefore(one, program.blocks);
    for (const Words &words : outputsOf(program))
      EXPECT_EQ(isLoad ? hashesOfWarps(words) : hashesOfLanes(words), one.hashes);
  }
}

} // namespace
