// mma, ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14, 9.7.15). matrix/MatrixTest.cpp tests which lane has which
// elements, for each shape. Here all elements of a matrix are equal, with one exception.
#include "../Harness.h"

#include <bit>

using namespace tilecc::emu::test;

std::vector<Answers> tilecc::emu::test::matrixAnswers() { return {}; }

namespace {

// The bits of a register whose elements are all the same number.
struct Element {
  std::string type; // mma's name
  uint64_t bits;
};
const Element f16One = {"f16", 0x3c003c00}, f16Two = {"f16", 0x40004000}, bf16One = {"bf16", 0x3f803f80},
              bf16Two = {"bf16", 0x40004000}, tf32One = {"tf32", 0x3f800000}, tf32Two = {"tf32", 0x40000000},
              e4m3One = {"e4m3", 0x38383838}, e4m3Two = {"e4m3", 0x40404040}, e5m2One = {"e5m2", 0x3c3c3c3c},
              e5m2Two = {"e5m2", 0x40404040}, f64One = {"f64", 0x3ff0000000000000},
              f64Two = {"f64", 0x4000000000000000}, f64Three = {"f64", 0x4008000000000000},
              s8MinusOne = {"s8", 0xffffffff}, u8Max = {"u8", 0xffffffff}, s8Two = {"s8", 0x02020202},
              u8Two = {"u8", 0x02020202}, s4MinusOne = {"s4", 0xffffffff}, u4Max = {"u4", 0xffffffff},
              s4Two = {"s4", 0x22222222}, u4Two = {"u4", 0x22222222}, ones = {"b1", 0xffffffff}, zeros = {"b1", 0};

struct Shape {
  std::string name;
  unsigned a, b, c; // registers
};

// D = A * B + C in every element: all registers of D are `d`.
Program multiply(const Shape &shape, const Element &a, const Element &b, const std::string &accumulator, uint64_t c,
                 uint64_t d, const std::string &modifier = "", const std::string &tail = "") {
  bool wide = accumulator == "f64";
  std::string reg = wide ? "%d" : "%r", type = wide ? "b64" : "b32", body, lists;
  unsigned next = 0;
  auto list = [&](unsigned count, const uint64_t *value) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i, ++next) {
      if (value)
        body += "  mov." + type + " " + reg + std::to_string(next) + ", " + std::to_string(*value) + ";\n";
      text += (i ? ", " : "") + reg + std::to_string(next);
    }
    return text + "}";
  };
  std::string dests = list(shape.c, nullptr), factorA = list(shape.a, &a.bits), factorB = list(shape.b, &b.bits),
              addend = list(shape.c, &c);
  std::string instruction = "mma.sync.aligned." + shape.name + ".row.col" + modifier + "." + accumulator + "." +
                            a.type + "." + b.type + "." + accumulator + tail;
  body += "  " + instruction + " " + dests + ", " + factorA + ", " + factorB + ", " + addend + ";   // tested\n";
  unsigned words = wide ? 2 : 1;
  body += "  mul.wide.u32 %d31, %t, " + std::to_string(4 * words) + ";\n  add.u64 %d31, %out, %d31;\n";
  for (unsigned i = 0; i < shape.c; ++i)
    body +=
        "  st.global." + type + " [%d31+" + std::to_string(i * 128 * words) + "], " + reg + std::to_string(i) + ";\n";
  Words expected;
  for (unsigned i = 0; i < 32 * shape.c; ++i) {
    expected.push_back(static_cast<uint32_t>(d));
    if (wide)
      expected.push_back(static_cast<uint32_t>(d >> 32));
  }
  return {.name = instruction, .body = body, .expected = expected};
}

uint64_t single(float value) { return std::bit_cast<uint32_t>(value); }
uint64_t real(double value) { return std::bit_cast<uint64_t>(value); }
uint64_t integer(int32_t value) { return static_cast<uint32_t>(value); }

// Matrix j's element (row, column) is 64 j + 8 row + column, two in each word. %r40 is the address of row `lane`.
const char *const tile = R"(
  .shared .align 16 .b8 tile[512];
  mov.u32 %r47, tile;
  mad.lo.u32 %r46, %t, 4, %r47;
  mad.lo.u32 %r45, %t, 0x20002, 0x10000;
  st.shared.u32 [%r46], %r45;
  add.u32 %r45, %r45, 0x400040;
  st.shared.u32 [%r46+128], %r45;
  add.u32 %r45, %r45, 0x400040;
  st.shared.u32 [%r46+256], %r45;
  add.u32 %r45, %r45, 0x400040;
  st.shared.u32 [%r46+384], %r45;
  bar.warp.sync -1;
  mad.lo.u32 %r40, %t, 16, %r47;
)";
// A lane's part of matrix j, or of the transposed matrix.
uint32_t part(uint32_t lane, uint32_t j) {
  uint32_t row = lane / 4, column = lane % 4 * 2;
  return (64 * j + 8 * row + column) | (64 * j + 8 * row + column + 1) << 16;
}
uint32_t transposedPart(uint32_t lane, uint32_t j) {
  uint32_t row = lane / 4, column = lane % 4 * 2;
  return (64 * j + 8 * column + row) | (64 * j + 8 * (column + 1) + row) << 16;
}

// Loads `count` matrices and stores each lane's parts.
Program load(const char *name, unsigned count, const std::string &instruction, bool transposed) {
  static const char *const lists[] = {"", "{%r0}", "{%r0, %r1}", "", "{%r0, %r1, %r2, %r3}"};
  std::string body = tile + std::string("  ") + instruction + " " + lists[count] + ", [%r40];   // tested\n";
  for (unsigned j = 0; j < count; ++j)
    body += "  st.global.u32 [%o+" + std::to_string(128 * j) + "], %r" + std::to_string(j) + ";\n";
  return {.name = name, .body = body, .expected = words(32 * count, [=](uint32_t i) {
            return transposed ? transposedPart(i % 32, i / 32) : part(i % 32, i / 32);
          })};
}

// Stores each lane's parts of `count` matrices and reads the result, word by word.
Program store(const char *name, unsigned count, const std::string &instruction, bool transposed) {
  static const char *const lists[] = {"", "{%r0}", "{%r0, %r1}", "", "{%r0, %r1, %r2, %r3}"};
  std::string body = "  .shared .align 16 .b8 tile[512];\n  mov.u32 %r47, tile;\n  mad.lo.u32 %r40, %t, 16, %r47;\n"
                     "  mad.lo.u32 %r46, %t, 4, %r47;\n";
  for (unsigned j = 0; j < count; ++j)
    body += "  mad.lo.u32 %r" + std::to_string(j) + ", %t, 0x20002, " + std::to_string(0x10000 + 0x400040 * j) + ";\n";
  body += "  " + instruction + " [%r40], " + lists[count] + ";   // tested\n  bar.warp.sync -1;\n";
  for (unsigned j = 0; j < count; ++j)
    body += "  ld.shared.u32 %r10, [%r46+" + std::to_string(128 * j) + "];\n  st.global.u32 [%o+" +
            std::to_string(128 * j) + "], %r10;\n";
  return {.name = name, .body = body, .expected = words(32 * count, [=](uint32_t i) {
            return transposed ? transposedPart(i % 32, i / 32) : part(i % 32, i / 32);
          })};
}

} // namespace

std::vector<Program> tilecc::emu::test::matrixPrograms() {
  // If all elements of A are 1, of B 2, and of C 3, D is 2 K + 3.
  const Shape k4 = {"m16n8k4", 2, 1, 4}, k8 = {"m16n8k8", 2, 1, 4}, k16 = {"m16n8k16", 4, 2, 4};
  const uint64_t three = single(3), f16Three = 0x42004200, f16Of19 = 0x4cc04cc0, f16Of35 = 0x50605060,
                 f16Of67 = 0x54305430;
  std::vector<Program> all = {
      multiply(k8, f16One, f16Two, "f32", three, single(19)),
      multiply({"m16n8k8", 2, 1, 2}, f16One, f16Two, "f16", f16Three, f16Of19),
      multiply(k8, bf16One, bf16Two, "f32", three, single(19)),
      multiply(k16, f16One, f16Two, "f32", three, single(35)),
      multiply({"m16n8k16", 4, 2, 2}, f16One, f16Two, "f16", f16Three, f16Of35),
      multiply(k16, bf16One, bf16Two, "f32", three, single(35)),
      multiply(k4, tf32One, tf32Two, "f32", three, single(11)),
      multiply({"m16n8k8", 4, 2, 4}, tf32One, tf32Two, "f32", three, single(19)),
      multiply({"m16n8k16", 2, 1, 4}, e4m3One, e5m2Two, "f32", three, single(35)),
      multiply({"m16n8k16", 2, 1, 2}, e5m2One, e4m3Two, "f16", f16Three, f16Of35),
      multiply({"m16n8k32", 4, 2, 4}, e4m3One, e4m3Two, "f32", three, single(67)),
      multiply({"m16n8k32", 4, 2, 2}, e5m2One, e5m2Two, "f16", f16Three, f16Of67),
      multiply({"m8n8k4", 1, 1, 2}, f64One, f64Two, "f64", f64Three.bits, real(11)),
      multiply({"m16n8k4", 2, 1, 4}, f64One, f64Two, "f64", f64Three.bits, real(11), ".rn"),
      multiply({"m16n8k8", 4, 2, 4}, f64One, f64Two, "f64", f64Three.bits, real(19), ".rz"),
      multiply({"m16n8k16", 8, 4, 4}, f64One, f64Two, "f64", f64Three.bits, real(35)),
      // With all bits set, elements are -1 or 255, -1 or 15.
      multiply({"m8n8k16", 1, 1, 2}, s8MinusOne, s8Two, "s32", 3, integer(3 - 32)),
      multiply({"m8n8k16", 1, 1, 2}, u8Max, s8MinusOne, "s32", 3, integer(3 - 16 * 255)),
      multiply({"m16n8k16", 2, 1, 4}, s8MinusOne, u8Two, "s32", 3, integer(3 - 32)),
      multiply({"m16n8k16", 2, 1, 4}, u8Max, u8Max, "s32", 3, integer(3 + 16 * 65025)),
      multiply({"m16n8k32", 4, 2, 4}, u8Max, s8Two, "s32", 3, integer(3 + 32 * 510)),
      multiply({"m8n8k32", 1, 1, 2}, s4MinusOne, s4Two, "s32", 3, integer(3 - 64)),
      multiply({"m16n8k32", 2, 1, 4}, u4Max, s4Two, "s32", 3, integer(3 + 32 * 30)),
      multiply({"m16n8k64", 4, 2, 4}, s4MinusOne, u4Two, "s32", 3, integer(3 - 128)),
      multiply({"m16n8k64", 4, 2, 4}, u4Max, u4Max, "s32", 3, integer(3 + 64 * 225)),
      // Sums wrap around, or saturate.
      multiply({"m8n8k16", 1, 1, 2}, u8Two, u8Two, "s32", 0x7fffffff, 0x8000003f),
      multiply({"m8n8k16", 1, 1, 2}, u8Two, u8Two, "s32", 0x7fffffff, 0x7fffffff, ".satfinite"),
      multiply({"m16n8k64", 4, 2, 4}, s4MinusOne, u4Two, "s32", 0x80000000, 0x80000000, ".satfinite"),
      // Single bits: counts the bits that are 1 in both operands, or in one of the two.
      multiply({"m8n8k128", 1, 1, 2}, ones, ones, "s32", 3, 131, "", ".and.popc"),
      multiply({"m8n8k128", 1, 1, 2}, ones, ones, "s32", 3, 3, "", ".xor.popc"),
      multiply({"m16n8k128", 2, 1, 4}, ones, zeros, "s32", 3, 131, "", ".xor.popc"),
      multiply({"m16n8k128", 2, 1, 4}, ones, zeros, "s32", 3, 3, "", ".and.popc"),
      multiply({"m16n8k256", 4, 2, 4}, ones, ones, "s32", 3, 259, "", ".and.popc"),

      load("LoadMatrix", 1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16", false),
      load("LoadTransposedMatrix", 1, "ldmatrix.sync.aligned.m8n8.x1.trans.shared::cta.b16", true),
      load("LoadTwoMatrices", 2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16", false),
      load("LoadTwoTransposedMatrices", 2, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", true),
      load("LoadFourMatrices", 4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16", false),
      load("LoadFourTransposedMatrices", 4, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", true),
      store("StoreMatrix", 1, "stmatrix.sync.aligned.m8n8.x1.shared.b16", false),
      store("StoreTransposedMatrix", 1, "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16", true),
      store("StoreTwoMatrices", 2, "stmatrix.sync.aligned.m8n8.x2.shared::cta.b16", false),
      store("StoreFourMatrices", 4, "stmatrix.sync.aligned.m8n8.x4.shared.b16", false),
      store("StoreFourTransposedMatrices", 4, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16", true),
      {.name = "TransposeMatrix",
       .body = "  mad.lo.u32 %r0, %t, 0x20002, 0x10000;\n"
               "  movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;   // tested\n  st.global.u32 [%o], %r1;",
       .expected = lanes([](uint32_t lane) { return transposedPart(lane, 0); })},
      {.name = "MatricesNeedAWholeWarp",
       .body = "  mov.u32 %r0, 0;\n  movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;",
       .threads = 16,
       .error = 719,
       .message = "error: a matrix instruction is executed by 16 threads of the warp; it needs all 32, which hold the "
                  "matrices together: "
                  "kernel 'test', block (0,0,0)"},
  };
  // In the manual's figure of m16n8k16, a lane's first pair of A is in row lane / 4 and column lane % 4 * 2, the next
  // one 8 rows below, the others 8 columns further; B's first pair is in column lane / 4, and D's pairs are like A's.
  // If only A(m, 0) = m + 1 and B(0, n) = n + 1 are not zero, D(m, n) = (m + 1)(n + 1).
  all.push_back({.name = "WhereTheElementsAre",
                 .body = R"(
  shr.u32 %r20, %t, 2;                     // the row of A, the column of B, less than 8
  and.b32 %r21, %t, 3;
  setp.eq.u32 %p0, %r21, 0;                // has column 0 of A, row 0 of B
  add.u32 %r22, %r20, 1;
  cvt.rn.f16.u32 %h0, %r22;
  add.u32 %r22, %r20, 9;
  cvt.rn.f16.u32 %h1, %r22;
  mov.b16 %h2, 0;
  selp.b16 %h0, %h0, %h2, %p0;
  selp.b16 %h1, %h1, %h2, %p0;
  mov.b32 %r4, {%h0, %h2};
  mov.b32 %r5, {%h1, %h2};
  mov.b32 %r6, 0;
  mov.b32 %r7, 0f00000000;
  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32                     // tested
    {%r0, %r1, %r2, %r3}, {%r4, %r5, %r6, %r6}, {%r4, %r6}, {%r7, %r7, %r7, %r7};
  mul.wide.u32 %d0, %t, 16;
  add.u64 %d0, %out, %d0;
  st.global.v4.b32 [%d0], {%r0, %r1, %r2, %r3};)",
                 .expected = words(128, [](uint32_t i) {
                   uint32_t lane = i / 4, m = lane / 4 + i % 4 / 2 * 8, n = lane % 4 * 2 + i % 2;
                   return single(static_cast<float>((m + 1) * (n + 1)));
                 })});
  return all;
}
