//===-- BodyTest.cpp - tests scopes, labels, calls and source locations ----------------------------------------===//
#include "ParseText.h"

using namespace tilecc::emu::ptx;

namespace {

using Kind = Operand::Kind;
using Refers = Operand::Refers;

TEST(BodyTest, Registers) {
  auto module =
      parseModule(".func f() { .reg .pred %p<3>; .reg .b32 a, %r<2>, b; .reg .v2 .f32 v; .reg .b128 %rq<1>; }");
  const Function &function = *module->function("f");
  std::string names;
  for (const Register &reg : function.registers)
    names += reg.name + ":" + std::string(info(reg.type).name) + " ";
  EXPECT_EQ(names, "%p0:pred %p1:pred %p2:pred a:b32 %r0:b32 %r1:b32 b:b32 v.x:f32 v.y:f32 %rq0:b128 ");
}

TEST(BodyTest, RangesWithPrefixesThatEndInDigits) {
  auto module = parseModule(".func f() { .reg .b32 %r<2>; .reg .b32 %r1<4>; .reg .b32 %r10<2>;\n"
                            "mov.b32 %r1, %r13; mov.b32 %r100, %r101; mov.b32 %r0, %r11; }");
  const Function &function = *module->function("f");
  auto number = [&](size_t instruction, size_t operand) { return function.body[instruction].operands[operand].index; };
  EXPECT_EQ(number(0, 0), 1u);
  EXPECT_EQ(number(0, 1), 5u);
  EXPECT_EQ(number(1, 0), 6u);
  EXPECT_EQ(number(1, 1), 7u);
  EXPECT_EQ(number(2, 1), 3u);
}

TEST(BodyTest, InnerNamesHideOuterOnes) {
  auto module = parseBody("mov.b32 %r1, 0; { .reg .b32 %r1; mov.b32 %r1, 1; { .reg .b32 %r<3>; mov.b32 %r1, %r3; } }\n"
                          "mov.b32 %r1, 2; { .reg .f32 %r1; mov.f32 %r1, %f0; }");
  const Function &function = *module->function("k");
  std::vector<uint32_t> numbers;
  for (const Instruction &instruction : function.body)
    numbers.push_back(instruction.operands[0].index);
  ASSERT_EQ(numbers.size(), 5u);
  EXPECT_EQ(numbers[0], numbers[3]);
  EXPECT_NE(numbers[0], numbers[1]);
  EXPECT_NE(numbers[1], numbers[2]);
  EXPECT_EQ(function.registers[numbers[4]].type, Type::f32);
  EXPECT_EQ(function.registers[function.body[2].operands[1].index].name, "%r3")
      << "the outer scope's, beyond the range";
}

TEST(BodyTest, Locals) {
  auto module =
      parseBody(".local .align 8 .b8 __local_depot0[120]; .shared .b32 s2[2][3];\n"
                "{ .param .b32 p; st.param.b32 [p], 1; }\n"
                "{ .param .align 8 .b8 p[16]; { .param .b64 p; st.param.b64 [p], 2; } st.param.b32 [p+4], 3; }\n"
                "{ .shared .b32 g; mov.u32 %r0, g; } mov.u32 %r0, g;\n"
                "{ .local .b32 s2; mov.u32 %r0, s2; } mov.u32 %r0, s2;",
                ".shared .b64 g;");
  const Function &function = *module->function("k");
  struct {
    const char *name;
    Space space;
    uint64_t size;
    uint32_t align;
  } expected[] = {{"__local_depot0", Space::local, 120, 8},
                  {"s2", Space::shared, 24, 4},
                  {"p", Space::param, 4, 4},
                  {"p.2", Space::param, 16, 8},
                  {"p.3", Space::param, 8, 8},
                  {"g.1", Space::shared, 4, 4},
                  {"s2.2", Space::local, 4, 4}};
  ASSERT_EQ(function.locals.size(), 7u);
  for (size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(function.locals[i].name, expected[i].name);
    EXPECT_EQ(function.locals[i].space, expected[i].space) << expected[i].name;
    EXPECT_EQ(function.locals[i].size, expected[i].size) << expected[i].name;
    EXPECT_EQ(function.locals[i].align, expected[i].align) << expected[i].name;
  }
  std::string names;
  for (const Instruction &instruction : function.body) {
    const Operand &first = instruction.operands[0];
    const Operand &symbol = first.kind == Kind::address ? first.elements[0] : instruction.operands[1];
    EXPECT_EQ(symbol.kind, Kind::symbol);
    EXPECT_EQ(symbol.refers, symbol.text == "g" ? Refers::variable : Refers::local);
    if (symbol.refers == Refers::local) {
      EXPECT_EQ(function.locals.at(symbol.index).name, symbol.text);
    }
    names += symbol.text + " ";
  }
  EXPECT_EQ(names, "p p.3 p.2 g.1 g s2.2 s2 ");
}

TEST(BodyTest, GlobalVariablesOfAFunctionAreTheModules) {
  auto module = parseBody(".global .b32 count = 3; mov.u64 %rd0, count;");
  EXPECT_EQ(module->function("k")->body[0].operands[1].refers, Refers::variable);
  EXPECT_EQ(module->variables.at(0).bytes.at(0), 3);
}

TEST(BodyTest, Labels) {
  auto module = parseBody("first: bra last; second:\nthird: @%p0 bra.uni second; bra first; last:");
  const Function &function = *module->function("k");
  ASSERT_EQ(function.body.size(), 3u);
  auto target = [&](size_t i) { return function.body[i].operands[0]; };
  EXPECT_EQ(target(0).kind, Kind::label);
  EXPECT_EQ(target(0).text, "last");
  EXPECT_EQ(target(0).index, 3u);
  EXPECT_EQ(target(1).index, 1u);
  EXPECT_EQ(target(2).index, 0u);
}

TEST(BodyTest, LabelsOfScopes) { // as in inline assembly
  auto module = parseBody("{ wait: @%p0 bra done; bra wait; done: }\n"
                          "{ wait: @%p0 bra done; bra wait; done: }\n"
                          "{ { bra out; } bra wait; wait: bra outer; }\nouter: out: exit;");
  const Function &function = *module->function("k");
  std::vector<uint32_t> targets;
  for (size_t i = 0; i + 1 < function.body.size(); ++i)
    targets.push_back(function.body[i].operands[0].index);
  EXPECT_EQ(targets, (std::vector<uint32_t>{2, 0, 4, 2, 7, 6, 7}));
}

TEST(BodyTest, LabelsOnDirectives) {
  auto module = parseBody("p: .reg .b32 x; q: { r: .loc 1 2 3\n ret; } bra p; bra q;");
  EXPECT_EQ(module->function("k")->body[1].operands[0].index, 0u);
  EXPECT_EQ(module->function("k")->body[2].operands[0].index, 0u);
}

TEST(BodyTest, JumpTables) {
  auto module = parseBody("ts: .branchtargets p, q,\n p;\np: exit; q:\n@%p1 brx.idx.uni %r1, ts;");
  const Function &function = *module->function("k");
  ASSERT_EQ(function.branchTargets.size(), 1u);
  EXPECT_EQ(function.branchTargets[0].name, "ts");
  EXPECT_EQ(function.branchTargets[0].targets, (std::vector<uint32_t>{0, 1, 0}));
  const Operand &table = function.body.at(1).operands.at(1);
  EXPECT_EQ(table.kind, Kind::symbol);
  EXPECT_EQ(table.refers, Refers::branchTargets);
  EXPECT_EQ(table.index, 0u);
  EXPECT_EQ(table.text, "ts");
}

TEST(BodyTest, JumpTablesOfScopes) {
  auto module =
      parseBody("{ ts: .branchtargets x; x: brx.idx %r1, ts; } { ts: .branchtargets x; x: brx.idx %r1, ts; }");
  const Function &function = *module->function("k");
  ASSERT_EQ(function.branchTargets.size(), 2u);
  EXPECT_EQ(function.branchTargets[1].name, "ts.2");
  EXPECT_EQ(function.branchTargets[1].targets, (std::vector<uint32_t>{1}));
  EXPECT_EQ(function.body.at(1).operands.at(1).text, "ts.2");
  EXPECT_EQ(function.body.at(1).operands.at(1).index, 1u);
}

TEST(BodyTest, Calls) {
  auto module = parseBody("{ .param .b32 p0; .param .b32 p1; .param .b32 r; call.uni (r), \n f, \n (\n p0, \n p1\n );\n"
                          "call (r), f, (3, %r1); call g; call g, (); call (), g, (); }",
                          ".func (.param .b32 r) f(.param .b32 a, .param .b32 b);\n.func g();\n");
  const std::vector<Instruction> &body = module->function("k")->body;
  ASSERT_EQ(body.size(), 5u);
  EXPECT_EQ(body[0].spelling(), "call.uni");
  ASSERT_EQ(body[0].operands.size(), 3u);
  EXPECT_EQ(body[0].operands[0].kind, Kind::list);
  EXPECT_EQ(body[0].operands[0].elements.at(0).text, "r");
  EXPECT_EQ(body[0].operands[1].refers, Refers::function);
  EXPECT_EQ(body[0].operands[1].index, 0u);
  ASSERT_EQ(body[0].operands[2].elements.size(), 2u);
  EXPECT_EQ(body[0].operands[2].elements[1].text, "p1");
  EXPECT_EQ(body[1].operands[2].elements[0].kind, Kind::integer);
  EXPECT_EQ(body[1].operands[2].elements[1].kind, Kind::reg);
  EXPECT_EQ(body[2].operands.size(), 1u);
  EXPECT_TRUE(body[3].operands.at(1).elements.empty());
  EXPECT_TRUE(body[4].operands.at(0).elements.empty());
}

TEST(BodyTest, IndirectCalls) {
  auto module =
      parseBody("{ .param .b64 p0; .param .align 8 .b8 r[16];\n"
                "prototype_0 : .callprototype (.param .align 8 .b8 _[16]) _ (.param .b64 _, .param .b32 _) .noreturn;\n"
                "call (r), %rd1, (p0, 1), prototype_0; }\n"
                "none: .callprototype _ (); call %rd2, (), none;\n"
                "targets: .calltargets g, f; call %rd2, (), targets;",
                ".func f(); .func g();");
  const Function &function = *module->function("k");
  ASSERT_EQ(function.prototypes.size(), 2u);
  EXPECT_EQ(function.prototypes[0].name, "prototype_0");
  EXPECT_EQ(function.prototypes[0].results.at(0).size, 16u);
  EXPECT_EQ(function.prototypes[0].params.size(), 2u);
  EXPECT_TRUE(function.prototypes[1].results.empty());
  const Operand &first = function.body.at(0).operands.at(3), &second = function.body.at(1).operands.at(2);
  EXPECT_EQ(function.body[0].operands[1].kind, Kind::reg);
  EXPECT_EQ(first.refers, Refers::prototype);
  EXPECT_EQ(first.index, 0u);
  EXPECT_EQ(second.refers, Refers::prototype);
  EXPECT_EQ(second.index, 1u);
  const Operand &third = function.body.at(2).operands.at(2);
  EXPECT_EQ(third.refers, Refers::callTargets);
  EXPECT_EQ(function.callTargets.at(third.index).functions, (std::vector<uint32_t>{1, 0}));
}

TEST(BodyTest, RecursionNamesTheFunctionItself) {
  auto module = parseModule(".func f() { call f; }");
  EXPECT_EQ(module->function("f")->body[0].operands[0].refers, Refers::function);
}

TEST(BodyTest, SourceLocations) {
  auto module = parseModule(".file 1 \"a.cu\"\n.entry k() {\nret;\n.loc 1 5 3\nret; ret;\n"
                            ".loc 2 7 9, function_name $L__info_string0, inlined_at 1 20 4\nret;\n"
                            ".loc 2 8 0, function_name $L__info_string0+16, inlined_at 1 21 4 // c\nret;\n}\n"
                            ".entry l() { ret; }");
  const std::vector<Instruction> &body = module->functions[0].body;
  auto source = [&](size_t i) {
    const SourceLocation &at = body.at(i).source;
    return std::to_string(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  };
  EXPECT_EQ(source(0), "0:0:0");
  EXPECT_EQ(source(1), "1:5:3");
  EXPECT_EQ(source(2), "1:5:3");
  EXPECT_EQ(source(3), "2:7:9");
  EXPECT_EQ(source(4), "2:8:0");
  EXPECT_EQ(module->functions[1].body[0].source.line, 0u) << "lines do not go on in the next function";
}

TEST(BodyTest, Pragmas) {
  EXPECT_EQ(parseBody(".pragma \"nounroll\"; ret; { .pragma \"used_bytes_mask 3\"; }")->function("k")->body.size(), 1u);
}

} // namespace
