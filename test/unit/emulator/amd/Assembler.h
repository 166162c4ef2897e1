//===-- Assembler.h - assembles code for AMD GPUs with LLVM ----------------------------------------------------===//
#ifndef TILECC_TEST_EMULATOR_AMD_ASSEMBLER_H
#define TILECC_TEST_EMULATOR_AMD_ASSEMBLER_H

#include <string>
#include <vector>

namespace tilecc::emu::amd::test {

// Empty, with a message in `error`, if the text is wrong.
std::vector<char> assemble(const std::string &text, const std::string &processor, bool isWave32, std::string &error);

} // namespace tilecc::emu::amd::test
#endif
