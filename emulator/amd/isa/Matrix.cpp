//===-- Matrix.cpp - v_mfma and v_wmma -------------------------------------------------------------------------===//
//
// The positions of elements, from the ISA documents. For an operand A with M rows (likewise B with N columns):
//
//   mfma        lane l holds row l % M, and the K elements from (l / M) * width on
//   wmma gfx11  lane l holds row l % 16, and all 16 elements of K; lanes 16 to 31 repeat lanes 0 to 15
//   wmma gfx12  lane l holds row l % 16, and the 8 elements of K from (l / 16) * 8 on
//
// For the result:
//
//   mfma 32x32  register r of lane l: row 8 (r / 4) + 4 (l / 32) + r % 4, column l % 32
//   mfma 16x16  row 4 (l / 16) + r, column l % 16; of f64: row 4 r + l / 16
//   wmma gfx11  row 2 r + l / 16, column l % 16
//   wmma gfx12  row 8 (l / 16) + r, column l % 16
//
// Each result element is rounded once.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/amd/Table.h"
#include "emulator/amd/isa/Float8.h"
#include "emulator/isa/numerics/Convert.h"

#include <cstdio>
#include <cstring>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

enum class Element : uint8_t { f16, bf16, f32, f64, i8, fp8, bf8 };
unsigned bytesOf(Element type) {
  switch (type) {
  case Element::f16:
  case Element::bf16: return 2;
  case Element::f32: return 4;
  case Element::f64: return 8;
  default: return 1;
  }
}

struct Shape {
  unsigned size = 16, depth = 16; // rows and columns of the result; K
  Element a = Element::f16, b = Element::f16, result = Element::f32;
  bool isInteger = false; // accumulates 32-bit integers
  bool isWmma = false;
};

double elementOf(Element type, const std::byte *at, bool fnuz, bool isSigned) {
  u64 bits = 0;
  memcpy(&bits, at, bytesOf(type));
  switch (type) {
  case Element::f16: return toDouble(f16{static_cast<u16>(bits)});
  case Element::bf16: return toDouble(bf16{static_cast<u16>(bits)});
  case Element::f32: return floatOf(static_cast<u32>(bits));
  case Element::f64: return doubleOf(bits);
  case Element::i8: return isSigned ? s8(bits) : u8(bits);
  case Element::fp8: return fromFloat8<false>(static_cast<u8>(bits), fnuz);
  case Element::bf8: return fromFloat8<true>(static_cast<u8>(bits), fnuz);
  }
  return 0;
}

Element elementNamed(std::string_view name) {
  static constexpr std::pair<std::string_view, Element> names[] = {
      {"f16", Element::f16}, {"bf16", Element::bf16}, {"bf16_1k", Element::bf16},
      {"f32", Element::f32}, {"f64", Element::f64},   {"i8", Element::i8},
      {"iu8", Element::i8},  {"fp8", Element::fp8},   {"bf8", Element::bf8}};
  for (const auto &[text, type] : names)
    if (text == name)
      return type;
  throw Unsupported("matrices of '" + std::string(name) + "' are not known");
}

// v_mfma_f32_32x32x8_f16, v_mfma_f32_32x32x8f16, v_mfma_f32_16x16x32_fp8_bf8, v_wmma_i32_16x16x16_iu8
Shape shapeOf(const std::string &mnemonic) {
  Shape shape;
  shape.isWmma = mnemonic.rfind("v_wmma", 0) == 0;
  char result[8];
  unsigned columns;
  int used = 0;
  if (sscanf(mnemonic.c_str() + 7, "%7[a-z0-9]_%ux%ux%u%n", result, &shape.size, &columns, &shape.depth, &used) != 4 ||
      columns != shape.size)
    throw Unsupported("this shape of matrices is not known");
  std::string_view types = std::string_view(mnemonic).substr(7 + used);
  if (types.starts_with("_"))
    types.remove_prefix(1);
  size_t middle = types.find("_bf8") != std::string_view::npos || types.find("_fp8") != std::string_view::npos
                      ? types.find('_')
                      : std::string_view::npos;
  shape.a = elementNamed(types.substr(0, middle));
  shape.b = middle == std::string_view::npos ? shape.a : elementNamed(types.substr(middle + 1));
  shape.isInteger = !strcmp(result, "i32");
  shape.result = shape.isInteger ? Element::f32 : elementNamed(result);
  return shape;
}

// Returns the number of elements of K that a lane holds.
unsigned widthOf(const Shape &shape, const Target &target) {
  return !shape.isWmma ? shape.size * shape.depth / 64 : target.major >= 12 ? shape.depth / 2 : shape.depth;
}

unsigned resultWords(const Shape &shape, const Target &target) {
  unsigned elements = shape.size * shape.size / target.lanes();
  if (shape.result == Element::f64)
    return 2 * elements;
  if (bytesOf(shape.result) == 2)
    return target.major >= 12 ? elements / 2 : elements; // gfx11 uses one half of each register
  return elements;
}

void bindMatrix(Inst &inst, const InstructionText &text, const Target &target) {
  expectModifiers(text, {"cbsz", "abid", "blgp", "op_sel", "op_sel_hi", "neg_lo", "neg_hi"});
  Shape shape = shapeOf(text.mnemonic);
  if (text.number("cbsz") || text.number("abid") || text.number("blgp"))
    throw Unsupported("broadcasts of operands (cbsz, abid, blgp) are not known");
  bool isKnown = shape.isWmma ? target.isWave32 && target.major >= 11 && shape.size == 16
                              : target.isGfx9() && (shape.size == 16 || shape.size == 32);
  if (!isKnown)
    throw Unsupported("this shape of matrices is not known");
  unsigned width = widthOf(shape, target);
  unsigned words[] = {resultWords(shape, target), width * bytesOf(shape.a) / 4, width * bytesOf(shape.b) / 4,
                      resultWords(shape, target)};
  if (text.operands.size() != 4)
    throw Unsupported("4 operands are expected");
  for (unsigned i = 0; i < 4; ++i) {
    const TextOperand &from = text.operands[i];
    Operand operand;
    if (from.kind == TextOperand::vector && from.words == words[i]) {
      operand.kind = Operand::vector;
      operand.first = from.first;
      operand.words = from.words;
    } else if (i == 3 && (from.kind == TextOperand::integer || from.kind == TextOperand::real)) {
      operand = makeOperand(from,
                            {uint8_t(shape.result == Element::f64 ? 64
                                     : bytesOf(shape.result) == 2 ? 16
                                                                  : 32),
                             !shape.isInteger, shape.result == Element::bf16},
                            target);
    } else {
      throw Unsupported("'" + from.text + "' is not " + std::to_string(words[i]) + " vector registers");
    }
    inst.op.push_back(operand);
    use(inst, operand, i == 0);
  }
  inst.results = 1;
  for (int bits : text.list("neg_hi"))
    if (bits)
      throw Unsupported("neg_hi is not known for matrices");
  std::vector<int> negated = text.list("neg_lo");
  for (size_t i = 0; i < negated.size(); ++i)
    if (negated[i] && !(shape.isWmma && shape.isInteger && i < 2))
      throw Unsupported("neg_lo is not known for matrices of floating point numbers");
  // For 8-bit integers, neg_lo marks signed operands.
  inst.numbers[0] = !shape.isWmma || (negated.size() > 0 && negated[0]);
  inst.numbers[1] = !shape.isWmma || (negated.size() > 1 && negated[1]);
  std::vector<int> halves = text.list("op_sel");
  inst.op[0].high = inst.op[3].high = halves.size() > 2 && halves[2];
  if (bytesOf(shape.result) == 2)
    use(inst, inst.op[0], false); // preserves the other half
  if (text.has("clamp"))
    throw Unsupported("clamp is not known for matrices");
}

void fetchOperand(Wave &wave, const Operand &operand, const Shape &shape, Element type, bool isSigned,
                  std::vector<double> &matrix) {
  unsigned width = widthOf(shape, wave.target), size = bytesOf(type);
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    std::byte bytes[64];
    for (unsigned word = 0; word < operand.words; ++word)
      memcpy(bytes + 4 * word, &wave.vector(operand.first + word)[lane], 4);
    unsigned row = lane % shape.size, first = width == shape.depth ? 0 : lane / shape.size * width;
    for (unsigned k = 0; k < width; ++k)
      matrix[row * shape.depth + first + k] = elementOf(type, bytes + k * size, wave.target.hasFnuz(), isSigned);
  }
}

unsigned rowOf(const Wave &wave, const Shape &shape, unsigned element, unsigned lane) {
  if (shape.isWmma)
    return wave.target.major >= 12 ? 8 * (lane / 16) + element : 2 * element + lane / 16;
  if (shape.size == 32)
    return 8 * (element / 4) + 4 * (lane / 32) + element % 4;
  return shape.result == Element::f64 ? 4 * element + lane / 16 : 4 * (lane / 16) + element;
}

// The position of a result's element: registers, or halves of them.
struct Cell {
  unsigned reg, shift, bits;
};
Cell cellOf(const Wave &wave, const Shape &shape, const Operand &operand, unsigned element) {
  if (shape.result == Element::f64)
    return {operand.first + 2 * element, 0, 64};
  if (bytesOf(shape.result) == 4)
    return {operand.first + element, 0, 32};
  if (wave.target.major >= 12)
    return {operand.first + element / 2, element % 2 * 16, 16};
  return {operand.first + element, operand.high ? 16u : 0u, 16};
}

void multiply(Wave &wave, const Inst &inst) {
  Shape shape = shapeOf(inst.mnemonic);
  std::vector<double> a(shape.size * shape.depth), b(shape.size * shape.depth);
  fetchOperand(wave, inst.op[1], shape, shape.a, inst.numbers[0], a);
  fetchOperand(wave, inst.op[2], shape, shape.b, inst.numbers[1], b);
  unsigned elements = shape.size * shape.size / wave.lanes;
  // The result's registers may overlap those of the accumulator, so all operands are read before any result is written.
  std::vector<u64> results(elements * wave.lanes);
  // Matrix instructions ignore EXEC.
  for (unsigned element = 0; element < elements; ++element)
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      u64 bits = inst.op[3].value;
      if (inst.op[3].kind == Operand::vector) {
        Cell from = cellOf(wave, shape, inst.op[3], element);
        bits = wave.vector(from.reg)[lane] >> from.shift;
        if (from.bits == 64)
          bits |= u64(wave.vector(from.reg + 1)[lane]) << 32;
      }
      unsigned row = rowOf(wave, shape, element, lane), column = lane % shape.size;
      u64 &result = results[element * wave.lanes + lane];
      if (shape.isInteger) {
        auto sum = static_cast<u32>(bits);
        for (unsigned k = 0; k < shape.depth; ++k)
          sum += static_cast<u32>(s32(a[row * shape.depth + k]) * s32(b[column * shape.depth + k]));
        result = sum;
      } else {
        double sum = elementOf(shape.result, reinterpret_cast<const std::byte *>(&bits), false, true);
        for (unsigned k = 0; k < shape.depth; ++k)
          sum += a[row * shape.depth + k] * b[column * shape.depth + k];
        result = shape.result == Element::f64   ? bitsOf(sum)
                 : shape.result == Element::f32 ? bitsOf(static_cast<float>(sum))
                 : shape.result == Element::f16 ? convert<f16>(sum).bits
                                                : convert<bf16>(sum).bits;
      }
    }
  for (unsigned element = 0; element < elements; ++element)
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      u64 result = results[element * wave.lanes + lane];
      Cell to = cellOf(wave, shape, inst.op[0], element);
      u32 &there = wave.vector(to.reg)[lane];
      if (to.bits == 16) {
        there = (there & ~(0xffffu << to.shift)) | static_cast<u32>(result) << to.shift;
      } else {
        there = static_cast<u32>(result);
        if (to.bits == 64)
          wave.vector(to.reg + 1)[lane] = static_cast<u32>(result >> 32);
      }
    }
}

} // namespace

std::vector<Row> tilecc::emu::amd::matrixRows() {
  std::vector<Row> rows;
  for (std::string_view names : {"v_mfma_f32_32x32x8_f16|v_mfma_f32_32x32x8f16",
                                 "v_mfma_f32_16x16x16_f16|v_mfma_f32_16x16x16f16",
                                 "v_mfma_f32_32x32x8_bf16|v_mfma_f32_32x32x8bf16_1k",
                                 "v_mfma_f32_16x16x16_bf16|v_mfma_f32_16x16x16bf16_1k",
                                 "v_mfma_f32_32x32x2_f32|v_mfma_f32_32x32x2f32",
                                 "v_mfma_f32_16x16x4_f32|v_mfma_f32_16x16x4f32",
                                 "v_mfma_f64_16x16x4_f64|v_mfma_f64_16x16x4f64",
                                 "v_mfma_i32_32x32x8i8",
                                 "v_mfma_i32_16x16x16i8",
                                 "v_mfma_i32_32x32x16_i8",
                                 "v_mfma_i32_16x16x32_i8",
                                 "v_mfma_f32_32x32x16_f16",
                                 "v_mfma_f32_16x16x32_f16",
                                 "v_mfma_f32_32x32x16_bf16",
                                 "v_mfma_f32_16x16x32_bf16",
                                 "v_mfma_i32_32x32x32_i8",
                                 "v_mfma_i32_16x16x64_i8",
                                 "v_mfma_f32_32x32x16_fp8_fp8",
                                 "v_mfma_f32_32x32x16_fp8_bf8",
                                 "v_mfma_f32_32x32x16_bf8_fp8",
                                 "v_mfma_f32_32x32x16_bf8_bf8",
                                 "v_mfma_f32_16x16x32_fp8_fp8",
                                 "v_mfma_f32_16x16x32_fp8_bf8",
                                 "v_mfma_f32_16x16x32_bf8_fp8",
                                 "v_mfma_f32_16x16x32_bf8_bf8",
                                 "v_wmma_f32_16x16x16_f16",
                                 "v_wmma_f32_16x16x16_bf16",
                                 "v_wmma_f16_16x16x16_f16",
                                 "v_wmma_bf16_16x16x16_bf16",
                                 "v_wmma_i32_16x16x16_iu8",
                                 "v_wmma_f32_16x16x16_fp8_fp8",
                                 "v_wmma_f32_16x16x16_fp8_bf8",
                                 "v_wmma_f32_16x16x16_bf8_fp8",
                                 "v_wmma_f32_16x16x16_bf8_bf8"})
    rows.push_back(special(names, multiply, bindMatrix));
  return rows;
}
