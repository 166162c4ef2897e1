//===-- ModuleTest.cpp - tests the parsing of declarations outside of functions --------------------------------===//
#include "ParseText.h"

using namespace tilecc::emu::ptx;

namespace {

const Variable &onlyVariable(const Module &module) {
  EXPECT_EQ(module.variables.size(), 1u);
  return module.variables.at(0);
}

TEST(ModuleTest, Header) {
  auto module =
      parse("// a comment\n.version 8.4\n.target sm_90a, texmode_independent, debug\n.address_size 64\n", "a.ptx");
  EXPECT_EQ(module->name, "a.ptx");
  EXPECT_EQ(module->versionMajor, 8u);
  EXPECT_EQ(module->versionMinor, 4u);
  EXPECT_EQ(module->target, "sm_90a");
  EXPECT_EQ(parse(".version 9.10 .target sm_120f", "")->versionMinor, 10u);
}

TEST(ModuleTest, TextOfEmbeddedImages) {
  EXPECT_EQ(parse(std::string(header) + ".entry k() { ret; }\n\0\0\0" + std::string(5, '\0'), "")->functions.size(),
            1u);
}

TEST(ModuleTest, LinesEndInAnyWay) {
  auto module = parse(".version 8.0\r\n.target sm_80\r\n.entry k()\r\n{\r\n  ret; // why\r\n\r\n  exit;\r\n}\r\n", "");
  ASSERT_EQ(module->functions.at(0).body.size(), 2u);
  EXPECT_EQ(module->functions[0].body[1].where.line, 7u);
  EXPECT_EQ(module->functions[0].body[1].where.column, 3u);
}

TEST(ModuleTest, Comments) {
  auto module = parseModule("/* one\n * two ** /\n */ .entry /**/ k // rest }\n(){/*ret;*/exit/*;*/;}");
  ASSERT_EQ(module->functions.size(), 1u);
  ASSERT_EQ(module->functions[0].body.size(), 1u);
  EXPECT_EQ(module->functions[0].body[0].where.line, 7u);
}

TEST(ModuleTest, Files) {
  auto module = parseModule(".file 3 \"dir/c.cu\"\n.file 1 \"a \\\"b\\\".cu\", 1700000000, 1234\n");
  ASSERT_EQ(module->files.size(), 4u);
  EXPECT_EQ(module->files[3], "dir/c.cu");
  EXPECT_EQ(module->files[1], "a \\\"b\\\".cu");
  EXPECT_EQ(module->files[2], "");
}

TEST(ModuleTest, SectionsAreSkipped) {
  auto module = parseModule(".entry k() { }\n.section .debug_info\n{\n.b32 12\n$L: .b8 1,2\n.b64 $L+4\n{ }\n}\n"
                            ".section .debug_macinfo { }\n.pragma \"a\", \"b\";\n.entry after() { }\n");
  EXPECT_EQ(module->functions.size(), 2u);
}

// Cubins of NVIDIA's tile compiler contain such PTX in the section .nv_debug_ptx_txt, with zeros between the lines.
TEST(ModuleTest, TextOfTileCompilers) {
  std::string text = ".version 9.5\n.target sm_90a\n.address_size 64\n// a comment\n"
                     ".visible .entry k(.param .u64 a,\n.hidden .param .align 64 .b8 map[128])\n"
                     ".reqntid 256\n.minnctapersm 1\n.language 7\n{\nret;\n}\n"
                     ".nv_intermediate_source_section {\n.code_block {\n.ir_name: \"tile ir\"\n.sourceFileName: 2\n"
                     ".source_begin\nentry @k(%arg0: tile<ptr<f32>>) { #it's {{ \"no PTX\n}\n.source_end\n}\n}\n"
                     ".entry after() { }\n";
  std::replace(text.begin(), text.end(), '\n', '\0');
  auto module = parse(std::string(8, '\0') + text, "");
  ASSERT_EQ(module->functions.size(), 2u);
  ASSERT_EQ(module->functions[0].params.size(), 2u);
  EXPECT_EQ(module->functions[0].params[1].name, "map");
  EXPECT_EQ(module->functions[0].params[1].size, 128u);
  EXPECT_EQ(module->functions[0].body.size(), 1u);
  EXPECT_EQ(module->functions[1].where.line, 31u);
}

TEST(ModuleTest, Parameters) {
  auto module = parseModule(".visible .entry k(.param .u64 .ptr .global .align 16 a, .param .align 8 .b8 s[24],\n"
                            "  .param .f32 f, .param .u64 .ptr p, .param .b8 c, .param .align 64 .b8 map[128]) { }\n"
                            ".func (.param .align 16 .b8 r[20]) f() { }\n"
                            ".func g { }\n");
  const Function &kernel = *module->function("k");
  EXPECT_TRUE(kernel.isEntry);
  EXPECT_FALSE(kernel.isDeclaration);
  ASSERT_EQ(kernel.params.size(), 6u);
  struct {
    const char *name;
    uint64_t size;
    uint32_t align;
    Type type;
  } expected[] = {{"a", 8, 8, Type::u64}, {"s", 24, 8, Type::b8}, {"f", 4, 4, Type::f32},
                  {"p", 8, 8, Type::u64}, {"c", 1, 1, Type::b8},  {"map", 128, 64, Type::b8}};
  for (size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(kernel.params[i].name, expected[i].name);
    EXPECT_EQ(kernel.params[i].size, expected[i].size) << expected[i].name;
    EXPECT_EQ(kernel.params[i].align, expected[i].align) << expected[i].name;
    EXPECT_EQ(kernel.params[i].type, expected[i].type) << expected[i].name;
    EXPECT_EQ(kernel.params[i].space, Space::param);
  }
  const Function &function = *module->function("f");
  EXPECT_FALSE(function.isEntry);
  ASSERT_EQ(function.results.size(), 1u);
  EXPECT_EQ(function.results[0].size, 20u);
  EXPECT_EQ(function.results[0].align, 16u);
  EXPECT_TRUE(function.params.empty());
  EXPECT_TRUE(module->function("g")->params.empty());
  EXPECT_EQ(module->function("h"), nullptr);
}

TEST(ModuleTest, PromisesAboutLaunches) {
  auto module = parseModule(".entry a() .reqntid 128 .minnctapersm 2 .maxnreg 64 { }\n"
                            ".entry b() .maxntid 16, 8, 4 .pragma \"nounroll\"; { }\n"
                            ".entry c() .explicitcluster .reqnctapercluster 2, 1, 1 .maxclusterrank 8 { }\n"
                            ".entry d() { }\n");
  using Three = std::vector<uint32_t>;
  auto three = [](const uint32_t(&values)[3]) { return Three(values, values + 3); };
  EXPECT_EQ(three(module->functions[0].requiredThreads), (Three{128, 1, 1}));
  EXPECT_EQ(three(module->functions[0].maxThreads), (Three{0, 0, 0}));
  EXPECT_EQ(three(module->functions[1].maxThreads), (Three{16, 8, 4}));
  EXPECT_EQ(three(module->functions[2].requiredCluster), (Three{2, 1, 1}));
  EXPECT_EQ(three(module->functions[3].requiredThreads), (Three{0, 0, 0}));
}

TEST(ModuleTest, Declarations) {
  auto module = parseModule(".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
                            ".func f(.param .b32 x);\n"
                            ".visible .entry k() { call f, (1); }\n"
                            ".weak .func f(.param .b32 y) .noreturn { ret; }\n"
                            ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n");
  ASSERT_EQ(module->functions.size(), 3u);
  EXPECT_TRUE(module->function("vprintf")->isDeclaration);
  const Function &defined = *module->function("f");
  EXPECT_EQ(&defined, &module->functions[1]) << "a definition takes its declaration's place";
  EXPECT_FALSE(defined.isDeclaration);
  EXPECT_EQ(defined.params.at(0).name, "y");
  EXPECT_EQ(module->function("k")->body.at(0).operands.at(0).index, 1u);
}

TEST(ModuleTest, Aliases) {
  auto module = parseModule(".func other();\n.func f() { ret; }\n.global .u64 p = other;\n"
                            ".entry k() { .reg .b64 r; call other; mov.u64 r, other; }\n.alias other, f;\n");
  for (size_t i = 0; i < 2; ++i)
    EXPECT_EQ(module->function("k")->body[i].operands[i].index, 1u);
  EXPECT_EQ(module->function("other"), module->function("f"));
  EXPECT_FALSE(module->function("other")->isDeclaration);
}

TEST(ModuleTest, FunctionsAreFoundByName) {
  std::string text, prefix(200, 'x');
  for (int i = 0; i < 2000; ++i)
    text += ".func " + prefix + std::to_string(i) + "{}\n";
  auto module = parseModule(text);
  for (int i = 0; i < 2000; ++i)
    ASSERT_EQ(module->function(prefix + std::to_string(i)), &module->functions.at(i));
  EXPECT_EQ(module->function(prefix), nullptr);
  EXPECT_EQ(module->variable(prefix + "1"), nullptr);
}

TEST(ModuleTest, VariablesSizesAndAlignments) {
  struct {
    const char *text;
    Space space;
    Type type;
    uint64_t size;
    uint32_t align;
  } cases[] = {{".global .b32 x;", Space::global, Type::b32, 4, 4},
               {".visible .global .align 64 .f64 x[3];", Space::global, Type::f64, 24, 64},
               {".const .b8 x[2][3][4];", Space::constant, Type::b8, 24, 1},
               {".shared .align 128 .b8 x[1024];", Space::shared, Type::b8, 1024, 128},
               {".extern .shared .align 16 .b8 x[];", Space::shared, Type::b8, 0, 16},
               {".extern .shared .b32 x[][4];", Space::shared, Type::b32, 0, 4},
               {".global .v4 .f32 x;", Space::global, Type::f32, 16, 16},
               {".global .align 4 .v2 .u16 x[5];", Space::global, Type::u16, 20, 4},
               {".weak .global .b128 x;", Space::global, Type::b128, 16, 16},
               {".common .global .u64 x;", Space::global, Type::u64, 8, 8},
               {".global .attribute(.managed) .align 4 .s32 x;", Space::global, Type::s32, 4, 4},
               {".global .f16x2 x;", Space::global, Type::f16x2, 4, 4}};
  for (const auto &expected : cases) {
    auto module = parseModule(expected.text);
    const Variable &variable = onlyVariable(*module);
    EXPECT_EQ(variable.name, "x");
    EXPECT_EQ(variable.space, expected.space) << expected.text;
    EXPECT_EQ(variable.type, expected.type) << expected.text;
    EXPECT_EQ(variable.size, expected.size) << expected.text;
    EXPECT_EQ(variable.align, expected.align) << expected.text;
    EXPECT_EQ(variable.isExtern, std::string_view(expected.text).substr(0, 7) == ".extern") << expected.text;
    EXPECT_TRUE(variable.bytes.empty());
    EXPECT_EQ(module->variable("x"), &variable);
  }
}

TEST(ModuleTest, InitialValues) {
  using Bytes = std::vector<uint8_t>;
  struct {
    const char *text;
    uint64_t size;
    Bytes bytes; // as many as declared
  } cases[] = {
      {".u32 x = 7;", 4, {7, 0, 0, 0}},
      {".b16 x = -2;", 2, {0xFE, 0xFF}},
      {".u8 x = 300;", 1, {44}},
      {".b64 x = 0x123456789ABCDEF0;", 8, {0xF0, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12}},
      {".b32 x = 2 * 3 + WARP_SZ;", 4, {38, 0, 0, 0}},
      {".b8 x[6] = {104, 101, 108};", 6, {104, 101, 108}},
      {".b8 x[] = {1, 2, 3};", 3, {1, 2, 3}},
      {".b16 x[][2] = {{1}, {2, 3}};", 8, {1, 0, 0, 0, 2, 0, 3, 0}},
      {".b8 x[2][2][2] = {{{1}, {2, 3}}, {{4}}};", 8, {1, 0, 2, 3, 4}},
      {".f32 x = 0f3F800000;", 4, {0, 0, 0x80, 0x3F}},
      {".f32 x = 1.5;", 4, {0, 0, 0xC0, 0x3F}},
      {".f32 x = 0d3FF8000000000000;", 4, {0, 0, 0xC0, 0x3F}},
      {".f64 x = -1.0;", 8, {0, 0, 0, 0, 0, 0, 0xF0, 0xBF}},
      {".f64 x[2] = {0d3FF0000000000000, 1.0};", 16, {0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F}},
      {".v2 .f32 x = {1.0, 2.0};", 8, {0, 0, 0x80, 0x3F, 0, 0, 0, 0x40}},
      {".v2 .b8 x[2] = {{1, 2}, {3, 4}};", 4, {1, 2, 3, 4}},
      // The values that ptxas gives for these, read from its cubin.
      {".b32 x = 1.5;", 4, {0, 0, 0xC0, 0x3F}},
      {".b16 x = 2.7;", 2, {0x9A, 0x99}},
      {".f64 x = 0f3F800000;", 8, {0, 0, 0x80, 0x3F, 0, 0, 0, 0}},
      {".b128 x = -5;", 16, {0xFB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0}},
  };
  for (const auto &expected : cases)
    for (const char *space : {".global ", ".const "}) {
      auto module = parseModule(space + std::string(expected.text));
      EXPECT_EQ(onlyVariable(*module).size, expected.size) << expected.text;
      EXPECT_EQ(onlyVariable(*module).bytes, expected.bytes) << expected.text;
    }
}

TEST(ModuleTest, SeveralVariablesOfOneDirective) {
  auto module = parseModule(".global .align 8 .b32 a = 1, b[2] = {2, 3}, c;");
  ASSERT_EQ(module->variables.size(), 3u);
  EXPECT_EQ(module->variables[1].size, 8u);
  EXPECT_EQ(module->variables[2].align, 8u);
}

TEST(ModuleTest, Addresses) {
  auto module = parseModule(".func f();\n.global .b8 a[16];\n"
                            ".global .u64 plain = a;\n.global .u64 generic1 = generic(a);\n"
                            ".global .u64 list[4] = {0, a+8, generic(a)+12, f};\n"
                            ".global .u32 low = a;\n"
                            ".global .u8 bytes[4] = {5, 0xFF(a), 0xFF00(generic(a)+2), 0xFF00000000000000(f)};\n");
  auto check = [&](const char *name, size_t index, Variable::Relocation expected) {
    const Variable &variable = *module->variable(name);
    ASSERT_LT(index, variable.relocations.size()) << name;
    const Variable::Relocation &found = variable.relocations[index];
    EXPECT_EQ(found.offset, expected.offset) << name;
    EXPECT_EQ(found.symbol, expected.symbol) << name;
    EXPECT_EQ(found.addend, expected.addend) << name;
    EXPECT_EQ(found.generic, expected.generic) << name;
    EXPECT_EQ(found.size, expected.size) << name;
    EXPECT_EQ(found.shift, expected.shift) << name;
  };
  check("plain", 0, {0, "a", 0, false, 8, 0});
  check("generic1", 0, {0, "a", 0, true, 8, 0});
  check("list", 0, {8, "a", 8, false, 8, 0});
  check("list", 1, {16, "a", 12, true, 8, 0});
  check("list", 2, {24, "f", 0, false, 8, 0});
  check("low", 0, {0, "a", 0, false, 4, 0});
  check("bytes", 0, {1, "a", 0, false, 1, 0});
  check("bytes", 1, {2, "a", 2, true, 1, 8});
  check("bytes", 2, {3, "f", 0, false, 1, 56});
  EXPECT_EQ(module->variable("bytes")->bytes, (std::vector<uint8_t>{5, 0, 0, 0}));
}

TEST(ModuleTest, ExternalVariables) {
  auto module =
      parseModule(".extern .global .b32 x[4];\n.visible .global .b32 x[4] = {1};\n.extern .global .b32 x[4];\n");
  EXPECT_FALSE(onlyVariable(*module).isExtern);
  EXPECT_EQ(onlyVariable(*module).bytes.size(), 4u);
}

} // namespace
