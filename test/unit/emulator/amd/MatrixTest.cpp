//===-- MatrixTest.cpp - compares matrix instructions with a plain product -------------------------------------===//
//
// This test defines layouts as bases, as Triton and AMD's calculator do: what each bit of the register number and the
// lane number adds to row and column. The emulator uses formulas of its own, so the two are independent.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Harness.h"
#include "emulator/isa/numerics/Convert.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tilecc::emu;
using namespace tilecc::emu::amd;
using namespace tilecc::emu::amd::test;

namespace {

using Bases = std::vector<std::pair<int, int>>;
std::pair<int, int> at(const Bases &registers, const Bases &lanes, unsigned reg, unsigned lane) {
  std::pair<int, int> place = {0, 0};
  auto add = [&](const Bases &bases, unsigned number) {
    for (size_t bit = 0; bit < bases.size(); ++bit)
      if (number >> bit & 1)
        place = {place.first ^ bases[bit].first, place.second ^ bases[bit].second};
  };
  add(registers, reg);
  add(lanes, lane);
  return place;
}

enum class Type { f16, bf16, f32, f64, i8, e4m3fnuz, e4m3 };
unsigned bitsOf(Type type) {
  return type == Type::f64 ? 64 : type == Type::f32 ? 32 : type == Type::f16 || type == Type::bf16 ? 16 : 8;
}
// Small integers, which all types represent exactly.
u64 encode(Type type, int value) {
  switch (type) {
  case Type::f16:
    return convert<f16>(float(value)).bits;
  case Type::bf16:
    return convert<bf16>(float(value)).bits;
  case Type::f32:
    return std::bit_cast<u32>(float(value));
  case Type::f64:
    return std::bit_cast<u64>(double(value));
  case Type::i8:
    return u8(value);
  case Type::e4m3: // 0, 1, -1, 2, -2
    return value == 0 ? 0 : (value < 0 ? 0x80 : 0) | (std::abs(value) == 1 ? 0x38 : 0x40);
  case Type::e4m3fnuz:
    return value == 0 ? 0 : (value < 0 ? 0x80 : 0) | (std::abs(value) == 1 ? 0x40 : 0x48);
  }
  return 0;
}

struct Product {
  Processor processor;
  const char *mnemonic;
  Type type;
  int size, depth;
  Bases operandRegisters, operandLanes; // of A: row, k
  Bases resultRegisters, resultLanes;   // row, column
  const char *modifiers = "";
};
void PrintTo(const Product &product, std::ostream *stream) { *stream << product.processor.name << " " << product.mnemonic; }

class Products : public testing::TestWithParam<Product> {};

TEST_P(Products, AreThoseOfMatrices) {
  const Product &p = GetParam();
  auto a = [](int row, int k) { return (row * 3 + k * 5 + row * k) % 5 - 2; };
  auto b = [](int k, int column) { return (column * 7 + k * 2 + column * k) % 5 - 2; };
  auto c = [](int row, int column) { return row - 2 * column; };
  unsigned elements = 1u << p.operandRegisters.size(), words = elements * bitsOf(p.type) / 32,
           results = 1u << p.resultRegisters.size();
  bool isInteger = p.type == Type::i8, isLong = p.type == Type::f64;
  unsigned resultWords = isLong ? 2 * results : results;
  TestMachine machine(p.processor);
  machine.prepare = [&](Wave &wave) {
    for (unsigned lane = 0; lane < wave.lanes; ++lane) {
      std::vector<u32> left(words), right(words);
      for (unsigned e = 0; e < elements; ++e) {
        auto [row, k] = at(p.operandRegisters, p.operandLanes, e, lane);
        unsigned shift = e * bitsOf(p.type) % 32, word = e * bitsOf(p.type) / 32;
        u64 x = encode(p.type, a(row, k)), y = encode(p.type, b(k, row)); // B alike, with its column for the row
        left[word] |= u32(x) << shift;
        right[word] |= u32(y) << shift;
        if (isLong)
          left[word + 1] = x >> 32, right[word + 1] = y >> 32;
      }
      for (unsigned word = 0; word < words; ++word)
        wave.vector(32 + word)[lane] = left[word], wave.vector(48 + word)[lane] = right[word];
      for (unsigned r = 0; r < results; ++r) {
        auto [row, column] = at(p.resultRegisters, p.resultLanes, r, lane);
        u64 sum = isInteger ? u32(c(row, column)) : encode(isLong ? Type::f64 : Type::f32, c(row, column));
        unsigned first = 64 + r * (isLong ? 2 : 1);
        wave.vector(first)[lane] = u32(sum);
        if (isLong)
          wave.vector(first + 1)[lane] = sum >> 32;
      }
    }
  };
  auto range = [](unsigned first, unsigned count) {
    return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  };
  auto one = [&](unsigned first, unsigned count) { return count == 1 ? "v" + std::to_string(first) : range(first, count); };
  machine.run(std::string(p.mnemonic) + " " + range(0, resultWords) + ", " + one(32, words) + ", " + one(48, words) + ", " +
                  range(64, resultWords) + p.modifiers,
              [&](Wave &wave) {
                for (unsigned lane = 0; lane < wave.lanes; ++lane)
                  for (unsigned r = 0; r < results; ++r) {
                    auto [row, column] = at(p.resultRegisters, p.resultLanes, r, lane);
                    int sum = c(row, column);
                    for (int k = 0; k < p.depth; ++k)
                      sum += a(row, k) * b(k, column);
                    u32 word = wave.vector(isLong ? 2 * r : r)[lane];
                    double found = isLong      ? std::bit_cast<double>(u64(wave.vector(2 * r + 1)[lane]) << 32 | word)
                                   : isInteger ? double(s32(word))
                                               : double(std::bit_cast<float>(word));
                    ASSERT_EQ(found, sum)
                        << "row " << row << ", column " << column;
                  }
              });
  EXPECT_EQ(machine.error, "");
}

const Bases result32 = {{1, 0}, {2, 0}, {8, 0}, {16, 0}}, result32Lanes = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {4, 0}};
const Bases result16 = {{1, 0}, {2, 0}}, result16Lanes = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {4, 0}, {8, 0}};
Bases depth(int width) {
  Bases bases;
  for (int k = 1; k < width; k *= 2)
    bases.push_back({0, k});
  return bases;
}
Bases lanes32(int width) { return {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {0, width}}; }
Bases lanes16(int width) { return {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, width}, {0, 2 * width}}; }
const Bases gfx11Lanes = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 0}}, gfx12Lanes = {{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 8}};
const Bases gfx11Result = {{2, 0}, {4, 0}, {8, 0}}, gfx11ResultLanes = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}};
const Bases gfx12Result = {{1, 0}, {2, 0}, {4, 0}}, gfx12ResultLanes = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {8, 0}};

const Bases longResult = {{4, 0}, {8, 0}}, longResultLanes = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {1, 0}, {2, 0}};

const Product products[] = {
    {gfx942, "v_mfma_f32_32x32x8_f16", Type::f16, 32, 8, depth(4), lanes32(4), result32, result32Lanes},
    {gfx90a, "v_mfma_f32_32x32x8f16", Type::f16, 32, 8, depth(4), lanes32(4), result32, result32Lanes},
    {gfx942, "v_mfma_f32_16x16x16_bf16", Type::bf16, 16, 16, depth(4), lanes16(4), result16, result16Lanes},
    {gfx90a, "v_mfma_f32_16x16x16bf16_1k", Type::bf16, 16, 16, depth(4), lanes16(4), result16, result16Lanes},
    {gfx942, "v_mfma_f32_16x16x4_f32", Type::f32, 16, 4, depth(1), lanes16(1), result16, result16Lanes},
    {gfx942, "v_mfma_f32_32x32x2_f32", Type::f32, 32, 2, depth(1), lanes32(1), result32, result32Lanes},
    {gfx942, "v_mfma_i32_16x16x32_i8", Type::i8, 16, 32, depth(8), lanes16(8), result16, result16Lanes},
    {gfx942, "v_mfma_i32_32x32x16_i8", Type::i8, 32, 16, depth(8), lanes32(8), result32, result32Lanes},
    {gfx942, "v_mfma_f32_16x16x32_fp8_fp8", Type::e4m3fnuz, 16, 32, depth(8), lanes16(8), result16, result16Lanes},
    {gfx950, "v_mfma_f32_16x16x32_bf16", Type::bf16, 16, 32, depth(8), lanes16(8), result16, result16Lanes},
    {gfx950, "v_mfma_f32_32x32x16_f16", Type::f16, 32, 16, depth(8), lanes32(8), result32, result32Lanes},
    {gfx90a, "v_mfma_f64_16x16x4f64", Type::f64, 16, 4, depth(1), lanes16(1), longResult, longResultLanes},
    {gfx942, "v_mfma_f64_16x16x4_f64", Type::f64, 16, 4, depth(1), lanes16(1), longResult, longResultLanes},
    {gfx90a, "v_mfma_i32_16x16x16i8", Type::i8, 16, 16, depth(4), lanes16(4), result16, result16Lanes},
    {gfx90a, "v_mfma_i32_32x32x8i8", Type::i8, 32, 8, depth(4), lanes32(4), result32, result32Lanes},
    {gfx950, "v_mfma_i32_16x16x64_i8", Type::i8, 16, 64, depth(16), lanes16(16), result16, result16Lanes},
    {gfx950, "v_mfma_i32_32x32x32_i8", Type::i8, 32, 32, depth(16), lanes32(16), result32, result32Lanes},
    {gfx950, "v_mfma_f32_16x16x32_f16", Type::f16, 16, 32, depth(8), lanes16(8), result16, result16Lanes},
    {gfx950, "v_mfma_f32_32x32x16_bf16", Type::bf16, 32, 16, depth(8), lanes32(8), result32, result32Lanes},
    {gfx950, "v_mfma_f32_16x16x32_fp8_fp8", Type::e4m3, 16, 32, depth(8), lanes16(8), result16, result16Lanes},
    {gfx950, "v_mfma_f32_32x32x16_fp8_fp8", Type::e4m3, 32, 16, depth(8), lanes32(8), result32, result32Lanes},
    {gfx1100, "v_wmma_f32_16x16x16_f16", Type::f16, 16, 16, depth(16), gfx11Lanes, gfx11Result, gfx11ResultLanes},
    {gfx1100, "v_wmma_f32_16x16x16_bf16", Type::bf16, 16, 16, depth(16), gfx11Lanes, gfx11Result, gfx11ResultLanes},
    {gfx1100, "v_wmma_i32_16x16x16_iu8", Type::i8, 16, 16, depth(16), gfx11Lanes, gfx11Result, gfx11ResultLanes,
     " neg_lo:[1,1,0]"},
    {gfx1201, "v_wmma_f32_16x16x16_f16", Type::f16, 16, 16, depth(8), gfx12Lanes, gfx12Result, gfx12ResultLanes},
    {gfx1201, "v_wmma_f32_16x16x16_bf16", Type::bf16, 16, 16, depth(8), gfx12Lanes, gfx12Result, gfx12ResultLanes},
    {gfx1201, "v_wmma_f32_16x16x16_fp8_fp8", Type::e4m3, 16, 16, depth(8), gfx12Lanes, gfx12Result, gfx12ResultLanes},
    {gfx1201, "v_wmma_i32_16x16x16_iu8", Type::i8, 16, 16, depth(8), gfx12Lanes, gfx12Result, gfx12ResultLanes,
     " neg_lo:[1,1,0]"},
};
INSTANTIATE_TEST_SUITE_P(Amd, Products, testing::ValuesIn(products));

// A result of four registers may overlap the accumulator, in either direction.
TEST(Matrix, ResultsMayOverlapSums) {
  for (const char *registers : {"v[0:3], v32, v32, v[2:5]", "v[2:5], v32, v32, v[0:3]"}) {
    TestMachine machine(gfx942);
    bool isUp = registers[2] == '2';
    machine.prepare = [](Wave &wave) {
      for (unsigned lane = 0; lane < wave.lanes; ++lane) {
        wave.vector(32)[lane] = 0;
        for (unsigned reg = 0; reg < 6; ++reg)
          wave.vector(reg)[lane] = std::bit_cast<u32>(float(reg));
      }
    };
    machine.run(std::string("v_mfma_f32_16x16x4_f32 ") + registers, [&](Wave &wave) {
      for (unsigned reg = 0; reg < 4; ++reg)
        EXPECT_EQ(std::bit_cast<float>(wave.vector(reg + (isUp ? 2 : 0))[0]), float(reg + (isUp ? 0 : 2)));
    });
    EXPECT_EQ(machine.error, "");
  }
}

} // namespace
