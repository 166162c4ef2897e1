//===- ProgramTest.cpp - tests the compilation of sources in memory -----------------------------------------------===//

#include "TestProgram.h"
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

TEST(Program, CompilesForAGpu) {
  TestProgram program(addSource, {"add<1024>", "twice"});
  ASSERT_EQ(program.compile({"-arch=compute_90"}), TILECC_SUCCESS) << program.log();
  EXPECT_EQ(program.log(), "");
  EXPECT_EQ(program.symbol("add<1024>"), "_Z3addILi1024EEvPKfS1_Pfi");
  EXPECT_EQ(program.symbol("twice"), "_Z5twicePfi");
  std::string ptx = program.get(TILECC_PTX);
  EXPECT_NE(ptx.find(".entry _Z3addILi1024EEvPKfS1_Pfi("), std::string::npos) << ptx;
  EXPECT_NE(ptx.find(".target sm_90"), std::string::npos);
  EXPECT_NE(program.get(TILECC_TTIR).find("tt.func public @_Z5twicePfi"), std::string::npos);
  EXPECT_EQ(program.get(TILECC_CUBIN), "");
  EXPECT_EQ(program.get(TILECC_OBJECT), "");
  EXPECT_EQ(program.get(TILECC_LIBRARY).substr(1, 3), "ELF");
}

TEST(Program, CompilesForTheCpu) {
  TestProgram program(addSource, {"add<64>"});
  ASSERT_EQ(program.compile({"-arch=cpu:3"}), TILECC_SUCCESS) << program.log();
  EXPECT_EQ(program.get(TILECC_OBJECT).substr(1, 3), "ELF");
  EXPECT_EQ(program.get(TILECC_PTX), "");
}

TEST(Program, CompilesAKernelThatSpillsAgainAsTccDoes) {
  // A fake assembler that reports spills for 128 threads and none for 256.
  std::filesystem::path folder = std::filesystem::temp_directory_path() / ("tilecc-spill-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "bin");
  std::ofstream(folder / "bin" / "ptxas") << R"(#!/bin/sh
while [ $# -gt 0 ]; do
  case "$1" in
  -o) printf '\177ELF' >"$2"; shift ;;
  *.ptx) ptx=$1 ;;
  esac
  shift
done
awk '
  /\.entry/ { name = $0; sub(/.*\.entry /, "", name); sub(/\(.*/, "", name) }
  /\.(reqntid|maxntid)/ { threads = $2 + 0 }
  /^{/ && name {
    print "ptxas info    : Compiling entry function \047" name "\047 for \047sm_90a\047"
    printf "    0 bytes stack frame, %d bytes spill stores, 0 bytes spill loads\n", (threads > 128 ? 0 : 400)
    print "ptxas info    : Used 255 registers, used 0 barriers"
    name = ""
  }' "$ptx"
)";
  std::filesystem::permissions(folder / "bin" / "ptxas", std::filesystem::perms::owner_all);
  TestProgram program("#include <tilecc/tt.h>\n"
                      "__tile_global__ void k(float *x) { tt::store(x + tt::arange<1024>(), 1.0f); }\n");
  ASSERT_EQ(program.compile({"-arch=sm_90", "--cuda-path=" + folder.string()}), TILECC_SUCCESS) << program.log();
  EXPECT_NE(program.get(TILECC_PTX).find(".reqntid 256"), std::string::npos) << program.get(TILECC_PTX);
  EXPECT_EQ(program.log(), "");
  // Code for other GPUs does not depend on what this assembler reports.
  auto codeObjectOf = [](const std::string &library) {
    constexpr char amd = '\xe0'; // EM_AMDGPU
    const std::string magic("\177ELF\2\1", 6);
    size_t at = library.find(magic, 1);
    while (at != std::string::npos && library[at + 18] != amd)
      at = library.find(magic, at + 1);
    const auto *header = reinterpret_cast<const Elf64_Ehdr *>(library.data() + at);
    return at == std::string::npos ? "" : library.substr(at, header->e_shoff + header->e_shnum * header->e_shentsize);
  };
  const std::string source = "#include <tilecc/tt.h>\n"
                             "__tile_global__ void k(float *x) { tt::store(x + tt::arange<1024>(), 1.0f); }\n";
  TestProgram both(source), alone(source);
  ASSERT_EQ(both.compile({"-arch=sm_90", "-arch=gfx942", "--cuda-path=" + folder.string()}), TILECC_SUCCESS);
  ASSERT_EQ(alone.compile({"-arch=gfx942"}), TILECC_SUCCESS);
  EXPECT_NE(codeObjectOf(alone.get(TILECC_LIBRARY)), "");
  EXPECT_EQ(codeObjectOf(both.get(TILECC_LIBRARY)), codeObjectOf(alone.get(TILECC_LIBRARY)));
  // If the source specifies the number of warps, it is warned of spills instead.
  TestProgram said("#include <tilecc/tt.h>\n[[tt::num_warps(4)]]\n"
                   "__tile_global__ void k(float *x) { tt::store(x + tt::arange<1024>(), 1.0f); }\n");
  ASSERT_EQ(said.compile({"-arch=sm_90", "--cuda-path=" + folder.string()}), TILECC_SUCCESS) << said.log();
  EXPECT_NE(said.get(TILECC_PTX).find(".reqntid 128"), std::string::npos);
  EXPECT_TRUE(said.says("test.tt.cpp:3:22: warning: k does not fit into registers")) << said.log();
  std::filesystem::remove_all(folder);
}

TEST(Program, TakesHeadersFromMemory) {
  std::string source = "#include <tilecc/tt.h>\n#include \"ops/scale.h\"\n"
                       "__tile_global__ void k(float *x) { tt::store(x, scaled(tt::load(x))); }\n";
  std::vector<std::pair<std::string, std::string>> headers = {
      {"ops/scale.h", "#include <factor.h>\n__tile__ float scaled(float x) { return x * FACTOR; }\n"},
      {"factor.h", "#define FACTOR (N + 0.5f)\n"}};
  TestProgram program(source, {}, "k.tt.cpp", headers);
  ASSERT_EQ(program.compile({"-arch=compute_80", "-D", "N=3"}), TILECC_SUCCESS) << program.log();
  EXPECT_NE(program.get(TILECC_TTIR).find("3.500000e+00"), std::string::npos) << program.get(TILECC_TTIR);
  headers[0].second = "float scaled(float x) { return y; }\n";
  TestProgram broken(source, {}, "k.tt.cpp", headers);
  EXPECT_EQ(broken.compile({"-arch=compute_80"}), TILECC_ERROR_COMPILATION);
  EXPECT_TRUE(broken.says("ops/scale.h:1:32: error: use of undeclared identifier 'y'")) << broken.log();
}

TEST(Program, TellsMistakesAtTheirLine) {
  TestProgram program("#include <tilecc/tt.h>\n\n__tile_global__ void k(float *x) {\n  tt::store(x, y);\n}\n");
  EXPECT_EQ(program.compile({}), TILECC_ERROR_COMPILATION);
  EXPECT_TRUE(program.says("test.tt.cpp:4:16: error: use of undeclared identifier 'y'")) << program.log();
  EXPECT_EQ(program.get(TILECC_PTX), "no output");
  EXPECT_TRUE(program.says("has not been compiled")) << program.log();
}

TEST(Program, TellsWhatLoweringFinds) {
  // This needs more shared memory than any GPU has.
  TestProgram program(
      "#include <tilecc/tt.h>\n__tile_global__ void k(float *x) {\n"
      "  auto i = tt::expand_dims<1>(tt::arange<256>()) * 256 + tt::expand_dims<0>(tt::arange<256>());\n"
      "  auto a = tt::load(x + i);\n"
      "  tt::store(x + i, tt::dot(a, a));\n}\n");
  EXPECT_EQ(program.compile({"-arch=sm_80", "--num-warps=8"}), TILECC_ERROR_COMPILATION);
  EXPECT_TRUE(program.says("bytes of shared memory")) << program.log();
  EXPECT_TRUE(program.says("test.tt.cpp:")) << program.log();
}

TEST(Program, TellsBadNameExpressions) {
  TestProgram unknown(addSource, {"subtract<1024>"});
  EXPECT_EQ(unknown.compile({}), TILECC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_TRUE(unknown.says("name expression 'subtract<1024>':1:")) << unknown.log();
  TestProgram wrong(addSource, {"add<float>"});
  EXPECT_EQ(wrong.compile({}), TILECC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_TRUE(wrong.says("name expression 'add<float>':1:1: error: this names no single function")) << wrong.log();
  TestProgram open(addSource, {"add<64"});
  EXPECT_EQ(open.compile({}), TILECC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_TRUE(open.says("    1 | add<64\n")) << open.log();
  for (TestProgram *program : {&unknown, &wrong, &open})
    EXPECT_FALSE(program->says("__tilecc_name")) << program->log();
  TestProgram notKernel(std::string(addSource) + "void f() {}\n", {"f"});
  EXPECT_EQ(notKernel.compile({}), TILECC_ERROR_NAME_EXPRESSION_NOT_VALID);
  EXPECT_TRUE(notKernel.says("name expression 'f': is not a tile kernel")) << notKernel.log();
  TestProgram other(addSource, {"add<64>"});
  ASSERT_EQ(other.compile({}), TILECC_SUCCESS) << other.log();
  EXPECT_EQ(other.symbol("add<128>"), "");
  EXPECT_TRUE(other.says("'add<128>' was not requested"));
}

TEST(Program, TellsBadCalls) {
  tilecc_program program;
  EXPECT_EQ(tilecc_program_create(&program, nullptr, nullptr, 0, nullptr, nullptr), TILECC_ERROR_INVALID_INPUT);
  EXPECT_EQ(TestProgram(addSource, {}, "/etc/x.cpp").created, TILECC_ERROR_INVALID_INPUT);
  EXPECT_EQ(TestProgram(addSource, {}, "x.tt.cpp", {{"../x.h", ""}}).created, TILECC_ERROR_INVALID_INPUT);
  EXPECT_EQ(tilecc_program_compile(nullptr, 0, nullptr), TILECC_ERROR_INVALID_PROGRAM);
  for (const char *option : {"-arch=sm_10", "--num-warps=0", "-O3", "x.cpp", "-fmad=maybe"}) {
    TestProgram wrong(addSource);
    EXPECT_EQ(wrong.compile({option}), TILECC_ERROR_INVALID_OPTION) << option;
    EXPECT_TRUE(wrong.says(std::string(option).substr(0, 5))) << wrong.log();
  }
  TestProgram empty("int x;");
  EXPECT_EQ(empty.compile({}), TILECC_ERROR_COMPILATION);
  EXPECT_TRUE(empty.says("test.tt.cpp: has no kernels")) << empty.log();
  TestProgram twice(addSource);
  EXPECT_EQ(twice.compile({}), TILECC_SUCCESS) << twice.log();
  EXPECT_EQ(twice.compile({}), TILECC_ERROR_INVALID_INPUT);
  EXPECT_STREQ(tilecc_result_name(TILECC_ERROR_COMPILATION), "TILECC_ERROR_COMPILATION");
  EXPECT_EQ(std::string(tilecc_build_id()).size(), 40u);
}

// An internal error of the compiler ends the compilation in which it occurs, and no other.
TEST(Program, SurvivesFatalErrors) {
  TestProgram broken("#pragma clang __debug llvm_fatal_error\n");
  EXPECT_EQ(broken.compile({}), TILECC_ERROR_INTERNAL);
  EXPECT_TRUE(broken.says("internal error: #pragma clang __debug llvm_fatal_error")) << broken.log();
  TestProgram fine(addSource, {"add<32>"});
  EXPECT_EQ(fine.compile({}), TILECC_SUCCESS) << fine.log();
}

// Threads that compile at the same time get the same results as a single thread.
TEST(Program, ManyThreadsCompile) {
  auto compile = [](int block) {
    std::string name = "add<" + std::to_string(block) + ">";
    TestProgram program(addSource, {name.c_str()});
    EXPECT_EQ(program.compile({"-arch=compute_80", "-arch=cpu:3"}), TILECC_SUCCESS) << program.log();
    return program.get(TILECC_PTX) + program.get(TILECC_LIBRARY);
  };
  std::vector<std::string> codes(6);
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&, i] {
      if (i == 3) {
        TestProgram broken("#pragma clang __debug llvm_fatal_error\n");
        EXPECT_EQ(broken.compile({}), TILECC_ERROR_INTERNAL);
      }
      codes[i] = compile(32 << i);
    });
  for (std::thread &thread : threads)
    thread.join();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(codes[i], compile(32 << i)) << i;
}
