//===-- InstructionTest.cpp - tests the parsing of instructions and their operands -----------------------------===//
#include "ParseText.h"

#include <bit>

using namespace tilecc::emu::ptx;

namespace {

using Kind = Operand::Kind;

class InstructionTest : public testing::Test {
protected:
  // The only instruction of a kernel with this text. `before` is in front of the kernel.
  const Instruction &parseOne(const std::string &text, const std::string &before = "") {
    module = parseBody(text, before);
    function = module->function("k");
    EXPECT_EQ(function->body.size(), 1u) << text;
    return function->body.at(0);
  }
  // The register's name in the text: the numbers are internal to the parser.
  std::string nameOf(const Operand &operand) const {
    EXPECT_EQ(operand.kind, Kind::reg);
    return function->registers.at(operand.index).name;
  }
  // The second operand of an instruction with this operand text.
  Operand parseOperand(const std::string &text, const std::string &before = "") {
    return parseOne("mov.b32 %r0, " + text + ";", before).operands.at(1);
  }
  std::unique_ptr<Module> module;
  const Function *function = nullptr;
};

TEST_F(InstructionTest, OpcodeAndModifiers) {
  EXPECT_EQ(parseOne("ret;").spelling(), "ret");
  EXPECT_TRUE(parseOne("ret;").operands.empty());
  const Instruction &load = parseOne("ld.global.L1::no_allocate.L2::128B.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1];");
  EXPECT_EQ(load.opcode, "ld");
  EXPECT_EQ(load.modifiers, (std::vector<std::string>{"global", "L1::no_allocate", "L2::128B", "v4", "b32"}));
  EXPECT_EQ(parseOne("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, "
                     "%r3}], [%r4];")
                .spelling(),
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes");
  EXPECT_EQ(parseOne("add .s32 %r0, %r1, %r2;").spelling(), "add.s32");
}

TEST_F(InstructionTest, Guards) {
  EXPECT_FALSE(parseOne("exit;").guard);
  const Instruction &plain = parseOne("@%p3 exit;");
  EXPECT_EQ(function->registers.at(plain.guard.value()).name, "%p3");
  EXPECT_FALSE(plain.guardNegated);
  EXPECT_TRUE(parseOne("@!%p3 exit;").guardNegated);
  EXPECT_TRUE(parseOne("@ ! %p3\nexit;").guardNegated);
}

TEST_F(InstructionTest, Registers) {
  EXPECT_EQ(nameOf(parseOperand("%r7")), "%r7");
  EXPECT_EQ(nameOf(parseOne("selp.b32 %r1, %r2, %r3, !%p2;").operands[3]), "%p2");
  EXPECT_TRUE(function->body[0].operands[3].negated);
  EXPECT_EQ(nameOf(parseOne(".reg .b32 x, $y; add.u32 x, $y, %r0;").operands[1]), "$y");
  EXPECT_EQ(function->registers.size(), 34u);
  EXPECT_EQ(function->registers[function->body[0].operands[0].index].type, Type::b32);
}

TEST_F(InstructionTest, Integers) {
  struct {
    const char *text;
    uint64_t bits;
    bool isUnsigned;
  } cases[] = {{"0", 0, false},
               {"-1", UINT64_MAX, false},
               {"42U", 42, true},
               {"0x1F", 31, false},
               {"0X1fU", 31, true},
               {"0b101", 5, false},
               {"017", 15, false},
               {"18446744073709551615", UINT64_MAX, true},
               {"9223372036854775807", INT64_MAX, false},
               {"0x8000000000000000", uint64_t(1) << 63, true},
               {"~0", UINT64_MAX, false},
               {"!5", 0, false},
               {"!0 + 1", 2, false},
               {"WARP_SZ", 32, false},
               {"!WARP_SZ", 0, false},
               {"(1 + 2) * 3 - 8 / 4 % 3", 7, false},
               {"1 << 4 | 1", 17, false},
               {"1 + 1 << 3", 16, false},
               {"-8 >> 1", static_cast<uint64_t>(-4), false},
               {"(.u64)-8 >> 1", uint64_t(-8) >> 1, true},
               {"6 & 3 ^ 1", 3, false},
               {"-1 < 1U", 0, false},
               {"-1 < 1", 1, false},
               {"1 == 1 && 2 != 2 || 3 >= 3", 1, false},
               {"1 > 2 ? 10 : 0 ? 11 : 12", 12, false},
               {"1.5 > 1.0", 1, false},
               {"-9223372036854775807 - 1", uint64_t(1) << 63, false},
               {"(-9223372036854775807 - 1) / -1", uint64_t(1) << 63, false},
               {"(-9223372036854775807 - 1) % -1", 0, false},
               {"1 << 64", 0, false},
               {"- - +3", 3, false}};
  for (const auto &expected : cases) {
    Operand operand = parseOperand(expected.text);
    EXPECT_EQ(operand.kind, Kind::integer) << expected.text;
    EXPECT_EQ(operand.bits, expected.bits) << expected.text;
    EXPECT_EQ(operand.isUnsigned, expected.isUnsigned) << expected.text;
  }
}

TEST_F(InstructionTest, FloatingPoint) {
  Operand single = parseOperand("0f7FC00001");
  EXPECT_EQ(single.kind, Kind::single);
  EXPECT_EQ(single.bits, 0x7FC00001u);
  EXPECT_EQ(parseOperand("(0Fbf800000)").bits, 0xBF800000u);
  struct {
    const char *text;
    double value;
  } cases[] = {{"0d3FF0000000000000", 1},
               {"1.5", 1.5},
               {"-2.25", -2.25},
               {"1e3", 1000},
               {"1.5E-3", 0.0015},
               {"08.5", 8.5},
               {"1.5 * 2.0 + 1.0", 4.0},
               {"2.0 / -4.0", -0.5},
               {".5", 0.5},
               {"-(1.0 - 2.0)", 1}};
  for (const auto &expected : cases) {
    Operand operand = parseOperand(expected.text);
    EXPECT_EQ(operand.kind, Kind::real) << expected.text;
    EXPECT_EQ(std::bit_cast<double>(operand.bits), expected.value) << expected.text;
  }
}

TEST_F(InstructionTest, SpecialRegisters) {
  for (const char *name : {"%tid.x", "%ntid.z", "%ctaid.y", "%laneid", "%clock64", "%globaltimer_lo", "%lanemask_lt",
                           "%cluster_ctarank", "%clusterid.x", "%dynamic_smem_size", "%envreg3", "%nctaid.w"}) {
    Operand operand = parseOperand(name);
    EXPECT_EQ(operand.kind, Kind::special) << name;
    EXPECT_EQ(operand.text, name);
  }
}

TEST_F(InstructionTest, Symbols) {
  Operand variable = parseOperand("x + 4 * 2 - 1", ".global .b8 w; .global .b8 x[8];\n");
  EXPECT_EQ(variable.kind, Kind::symbol);
  EXPECT_EQ(variable.refers, Operand::Refers::variable);
  EXPECT_EQ(variable.index, 1u);
  EXPECT_EQ(variable.text, "x");
  EXPECT_EQ(variable.offset, 7);
  Operand parameter = parseOperand("s");
  EXPECT_EQ(parameter.refers, Operand::Refers::param);
  EXPECT_EQ(parameter.index, 1u);
  EXPECT_EQ(parseOperand("k").refers, Operand::Refers::function);
}

TEST_F(InstructionTest, Addresses) {
  auto address = [&](const std::string &text) {
    return parseOne("ld.b32 %r0, " + text + ";", ".global .b8 x[8];\n").operands.at(1);
  };
  struct {
    const char *text;
    Kind base;
    int64_t offset;
  } cases[] = {{"[%rd1]", Kind::reg, 0},         {"[%rd1+8]", Kind::reg, 8},   {"[%rd1 + 8 - 16]", Kind::reg, -8},
               {"[%rd1+-8]", Kind::reg, -8},     {"[x]", Kind::symbol, 0},     {"[x+0x10]", Kind::symbol, 16},
               {"[%rd1+2*(3+1)]", Kind::reg, 8}, {"[4096]", Kind::integer, 0}, {"[s+4]", Kind::symbol, 4}};
  for (const auto &expected : cases) {
    Operand operand = address(expected.text);
    ASSERT_EQ(operand.kind, Kind::address) << expected.text;
    ASSERT_EQ(operand.elements.size(), 1u) << expected.text;
    EXPECT_EQ(operand.elements[0].kind, expected.base) << expected.text;
    EXPECT_EQ(operand.elements[0].offset, 0) << expected.text;
    EXPECT_EQ(operand.offset, expected.offset) << expected.text;
  }
  Operand tensor = address("[%rd1, {%r1, %r2, 0}]");
  ASSERT_EQ(tensor.elements.size(), 2u);
  EXPECT_EQ(tensor.elements[1].kind, Kind::vector);
  EXPECT_EQ(tensor.elements[1].elements.size(), 3u);
}

TEST_F(InstructionTest, VectorsPairsAndSinks) {
  const Instruction &move = parseOne("mov.b64 {%r1, _}, %rd0;");
  ASSERT_EQ(move.operands[0].kind, Kind::vector);
  EXPECT_EQ(nameOf(move.operands[0].elements[0]), "%r1");
  EXPECT_EQ(move.operands[0].elements[1].kind, Kind::sink);
  const Instruction &shuffle = parseOne("shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;");
  ASSERT_EQ(shuffle.operands[0].kind, Kind::pair);
  EXPECT_EQ(nameOf(shuffle.operands[0].elements[1]), "%p1");
  const Instruction &elect = parseOne("elect.sync _|%p1, 0xffffffff;");
  EXPECT_EQ(elect.operands[0].elements[0].kind, Kind::sink);
  EXPECT_EQ(elect.operands[0].elements[1].kind, Kind::reg);
  EXPECT_EQ(parseOne("mbarrier.arrive.shared.b64 _, [%r1];").operands[0].kind, Kind::sink);
}

TEST_F(InstructionTest, VectorRegisters) {
  const Instruction &load = parseOne(".reg .v4 .f32 v; .reg .v2 .b32 w<3>; ld.v4.f32 v, [%rd0];");
  ASSERT_EQ(load.operands[0].kind, Kind::vector);
  ASSERT_EQ(load.operands[0].elements.size(), 4u);
  EXPECT_EQ(nameOf(load.operands[0].elements[2]), "v.z");
  EXPECT_EQ(nameOf(parseOne(".reg .v4 .f32 v; mov.f32 %f0, v.w;").operands[1]), "v.w");
  EXPECT_EQ(nameOf(parseOne(".reg .v4 .f32 v; mov.f32 v.g, %f0;").operands[0]), "v.y");
  EXPECT_EQ(nameOf(parseOne(".reg .v2 .b32 w<3>; mov.b32 w2.y, 0;").operands[0]), "w2.y");
}

TEST_F(InstructionTest, ByteAndHalfSelectors) {
  const Instruction &video = parseOne("vadd.u32.u32.u32 %r0, %r1.b3, %r2.h1;");
  EXPECT_EQ(nameOf(video.operands[1]), "%r1");
  EXPECT_EQ(video.operands[1].text, "b3");
  EXPECT_EQ(video.operands[2].text, "h1");
}

} // namespace
