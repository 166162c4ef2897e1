//===-- Text.h - parses one instruction printed by LLVM's disassembler -----------------------------------------===//
//
// LLVM prints instructions in a documented form that is complete: it contains all operands, with the number of
// registers of each, and all modifiers. This parser knows the grammar, but no specific instructions.
//
//   v_add_f16_sdwa v0, -|v1|, v2 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1
//   global_load_dwordx4 v[0:3], v4, s[2:3] offset:16 sc1
//   v_dual_mul_f32 v0, v1, v2 :: v_dual_mov_b32 v3, 1.0
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_AMD_OBJECT_TEXT_H
#define TILECC_EMULATOR_AMD_OBJECT_TEXT_H

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tilecc::emu::amd {

// Thrown for an instruction or an object that the emulator cannot run.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The numbers of a wave's scalar words that operands can name; s0 is 0. The windows of flat addresses have two words
// each.
enum ScalarNumber : uint16_t {
  scalarVcc = 106,
  scalarTtmp = 108,
  scalarM0 = 124,
  scalarNull = 125,
  scalarExec = 126,
  scalarSharedBase = 200,
  scalarSharedLimit = 202,
  scalarPrivateBase = 204,
  scalarPrivateLimit = 206,
  scalarScc = 208,
};
inline constexpr uint16_t firstAccumulator = 256; // in vector registers: a0 is v256

struct TextOperand {
  enum Kind : uint8_t { scalar, vector, integer, real, off, word };
  Kind kind = word;
  uint16_t first = 0, words = 1; // register numbers
  int64_t value = 0;             // for integers
  double number = 0;             // for reals
  bool negate = false, absolute = false, signExtend = false;
  enum Half : uint8_t { whole, low, high };
  Half half = whole; // v0.l, v0.h
  std::string text;
};

struct InstructionText {
  std::string mnemonic; // without the encoding suffix
  std::string encoding; // "e32", "e64", "dpp", "sdwa", "e64_dpp", or empty
  std::vector<TextOperand> operands;
  std::map<std::string, std::string, std::less<>> modifiers; // "offset" -> "16", "sc1" -> ""

  bool has(std::string_view name) const { return modifiers.find(name) != modifiers.end(); }
  // The modifier's number, or `otherwise` if it is absent.
  int64_t number(std::string_view name, int64_t otherwise = 0) const;
  // The numbers of a modifier such as op_sel:[0,1]; empty if it is absent.
  std::vector<int> list(std::string_view name) const;
};

// Parses the instructions of a line: one, or two for dual issue. Throws Unsupported.
std::vector<InstructionText> parseInstruction(std::string_view text);

} // namespace tilecc::emu::amd
#endif
