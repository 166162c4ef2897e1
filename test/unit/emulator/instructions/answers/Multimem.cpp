// Accesses to multicast memory: multimem.ld_reduce, multimem.st and multimem.red (PTX ISA 9.7.9).
#include "../Harness.h"

#include <bit>
#include <string>

using namespace tilecc::emu::test;

namespace {

struct Kind {
  std::string name;
  unsigned bits;
  enum { integer, half, bfloat, single, twice } form = integer;
  bool isPair = false;
  // Single halves are accessed in vectors of two.
  bool isVector() const { return bits == 16; }
  std::string suffix() const { return (isVector() ? ".v2." : ".") + name; }
  std::string registers() const {
    return isVector() ? "{%h0, %h1}" : bits == 32 ? "%r0" : "%d0";
  }
  // The access of all of it by ld or st.
  std::string plain() const { return isVector() ? ".v2.b16" : ".b" + std::to_string(bits); }
};
const Kind u32 = {"u32", 32}, s32 = {"s32", 32}, u64 = {"u64", 64}, s64 = {"s64", 64}, b32 = {"b32", 32},
           b64 = {"b64", 64}, f32 = {"f32", 32, Kind::single}, f64 = {"f64", 64, Kind::twice},
           f16 = {"f16", 16, Kind::half}, bf16 = {"bf16", 16, Kind::bfloat}, f16x2 = {"f16x2", 32, Kind::half, true},
           bf16x2 = {"bf16x2", 32, Kind::bfloat, true};

// The bits of a small number.
uint64_t encode(const Kind &kind, int value) {
  uint32_t single = std::bit_cast<uint32_t>(float(value));
  uint64_t bits = kind.form == Kind::single   ? single
                  : kind.form == Kind::twice  ? std::bit_cast<uint64_t>(double(value))
                  : kind.form == Kind::bfloat ? single >> 16
                  : kind.form == Kind::half   ? (single - ((127 - 15) << 23)) >> 13
                                              : uint64_t(value);
  return kind.isPair || kind.isVector() ? bits << 16 | bits : bits;
}

void append(Words &words, uint64_t bits) {
  words.push_back(uint32_t(bits));
  words.push_back(uint32_t(bits >> 32));
}

// The words at %in are three copies of 8 words, which contain 3, 6 and 7, and an operand, 5.
Program begin(const std::string &name, const Kind &kind) {
  Program program;
  program.name = name + kind.suffix();
  program.threads = 1;
  program.copies = 3;
  for (int value : {3, 6, 7, 5}) {
    append(program.in, encode(kind, value));
    program.in.resize((program.in.size() + 7) / 8 * 8);
  }
  return program;
}

// The words that a value of this kind leaves in the output.
void expect(Program &program, const Kind &kind, int value) {
  Words words;
  append(words, encode(kind, value));
  program.expected.push_back(words[0]);
  program.expected.push_back(kind.bits == 64 ? words[1] : untouched);
}

Program loadReduced(const std::string &op, const Kind &kind, int result) {
  Program program = begin("ld_reduce." + op, kind);
  program.body = "  multimem.ld_reduce.relaxed.sys.global." + op + kind.suffix() + " " + kind.registers() +
                 ", [%all];  // tested\n  st.global" + kind.plain() + " [%out], " + kind.registers() + ";\n";
  expect(program, kind, result);
  return program;
}

// `op` is "st" or "red.add" ...
Program write(const std::string &op, const Kind &kind, int first, int second, int third) {
  Program program = begin(op, kind);
  std::string name = op;
  name.insert(std::min(name.find('.'), name.size()), ".relaxed.sys.global");
  program.body = "  ld.global" + kind.plain() + " " + kind.registers() + ", [%in+96];\n  multimem." + name +
                 kind.suffix() + " [%all], " + kind.registers() + ";  // tested\n";
  for (int copy = 0; copy < 3; ++copy)
    program.body += "  ld.global" + kind.plain() + " " + kind.registers() + ", [%in+" + std::to_string(32 * copy) +
                    "];\n  st.global" + kind.plain() + " [%out+" + std::to_string(8 * copy) + "], " +
                    kind.registers() + ";\n";
  for (int value : {first, second, third})
    expect(program, kind, value);
  return program;
}

} // namespace

std::vector<Answers> tilecc::emu::test::multimemAnswers() { return {}; }

std::vector<Program> tilecc::emu::test::multimemPrograms() {
  std::vector<Program> all;
  for (const Kind &kind : {u32, s32, u64, f32, f64, f16, f16x2, bf16, bf16x2}) {
    all.push_back(loadReduced("add", kind, 16));
    all.push_back(write("red.add", kind, 8, 11, 12));
  }
  for (const Kind &kind : {u32, s32, u64, s64, f16, f16x2, bf16, bf16x2}) {
    all.push_back(loadReduced("min", kind, 3));
    all.push_back(loadReduced("max", kind, 7));
  }
  for (const Kind &kind : {u32, s32, u64, s64}) {
    all.push_back(write("red.min", kind, 3, 5, 5));
    all.push_back(write("red.max", kind, 5, 6, 7));
  }
  for (const Kind &kind : {b32, b64}) {
    all.push_back(loadReduced("and", kind, 2));
    all.push_back(loadReduced("or", kind, 7));
    all.push_back(loadReduced("xor", kind, 2));
    all.push_back(write("red.and", kind, 1, 4, 5));
    all.push_back(write("red.or", kind, 7, 7, 7));
    all.push_back(write("red.xor", kind, 6, 3, 2));
  }
  for (const Kind &kind : {b32, b64, u32, u64, s32, s64, f32, f64, f16, f16x2, bf16, bf16x2})
    all.push_back(write("st", kind, 5, 5, 5));

  Program vector = begin("VectorsOfSums", f32);
  for (int copy = 0; copy < 3; ++copy)
    for (int i = 0; i < 4; ++i)
      vector.in[8 * copy + i] = uint32_t(encode(f32, 4 * copy + i));
  vector.body = R"(
  multimem.ld_reduce.weak.global.add.v4.f32 {%r0, %r1, %r2, %r3}, [%all];
  multimem.st.weak.global.v4.f32 [%all], {%r3, %r2, %r1, %r0};
  multimem.red.relaxed.sys.global.add.v2.f32 [%all], {%r0, %r0};
  ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%in+32];
  st.global.b32 [%out], %r0;
  st.global.b32 [%out+4], %r1;
  st.global.b32 [%out+8], %r2;
  st.global.b32 [%out+12], %r3;)";
  for (int value : {21 + 12, 18 + 12, 15, 12})
    vector.expected.push_back(uint32_t(encode(f32, value)));
  all.push_back(vector);

  // 2048 + 1 + 1: each partial sum in f16 would round to 2048.
  Program wide = begin("SumsOfHalvesAreRoundedOnce", f16x2);
  wide.in[0] = 0x6800, wide.in[8] = wide.in[16] = 0x3c00;
  wide.body = "  multimem.ld_reduce.weak.global.add.acc::f32.f16x2 %r0, [%all];\n  st.global.b32 [%out], %r0;";
  wide.expected = {0x6801};
  all.push_back(wide);

  Program wrong = begin("AnOrdinaryStoreToMulticastMemory", u32);
  wrong.body = "  st.global.u32 [%all+8], %t;";
  wrong.error = 700;
  wrong.message = "error: write of multicast memory, which only multimem instructions can access: kernel 'test', block "
                  "(0,0,0)";
  wrong.onlyChecked = true;
  all.push_back(wrong);
  return all;
}
