// Compares layouts of AMD's matrix instructions with the formulas of the ISA documents for the row and column that each
// register of a lane holds.
#include "lowering/layouts/Encodings.h"
#include "gtest/gtest.h"
#include <functional>

using namespace tilecc;
using llvm::SmallVector;

namespace {

struct Unit {
  const char *name;
  AmdMatrixTile tile; // not transposed
  std::function<unsigned(unsigned reg, unsigned lane)> rowOf;
};

const Unit units[] = {
    {"mfma 32x32",
     {32, 64, 4, false, false},
     [](unsigned r, unsigned lane) { return 8 * (r / 4) + 4 * (lane / 32) + r % 4; }},
    {"mfma 16x16", {16, 64, 4, false, false}, [](unsigned r, unsigned lane) { return 4 * (lane / 16) + r; }},
    {"mfma 16x16 f64", {16, 64, 1, false, false}, [](unsigned r, unsigned lane) { return 4 * r + lane / 16; }},
    {"wmma of RDNA 3", {16, 32, 1, true, false}, [](unsigned r, unsigned lane) { return 2 * r + lane / 16; }},
    {"wmma of RDNA 4", {16, 32, 8, false, false}, [](unsigned r, unsigned lane) { return 8 * (lane / 16) + r; }},
};

SmallVector<uint32_t> at(const LinearLayout &layout, unsigned reg, unsigned lane, unsigned warp) {
  SmallVector<uint32_t> result;
  for (auto [dim, value] :
       layout.apply(LinearLayout::Index{{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
    result.push_back(value);
  return result;
}

// Warps are side by side, along the last axis first. The pattern then repeats over registers, along the last axis
// first.
TEST(AmdEncodings, ResultsAreTheDocuments) {
  for (const Unit &unit : units)
    for (bool isTransposed : {false, true}) {
      SCOPED_TRACE(unit.name);
      AmdMatrixTile tile = unit.tile;
      tile.isTransposed = isTransposed;
      int64_t size = tile.size;
      unsigned registers = size * size / tile.numLanes;
      LinearLayout layout = amdMatrixResultLayout({2 * size, 4 * size}, {2, 2}, tile);
      ASSERT_TRUE(layout.isInvertible());
      for (unsigned reg = 0; reg < 2 * registers; ++reg)
        for (unsigned lane = 0; lane < tile.numLanes; ++lane)
          for (unsigned warp = 0; warp < 4; ++warp) {
            unsigned row = unit.rowOf(reg % registers, lane), column = lane % size;
            if (isTransposed)
              std::swap(row, column);
            row += warp / 2 * size;
            column += (warp % 2 + reg / registers * 2) * size;
            ASSERT_EQ(at(layout, reg, lane, warp), (SmallVector<uint32_t>{row, column}));
          }
    }
}

// Lane l has row (column) l modulo the size. The remaining lanes have the next elements along the contracted axis, or
// copies.
TEST(AmdEncodings, OperandsAreTheDocuments) {
  for (const Unit &unit : units)
    for (unsigned kWidth : {1, 4, 8}) {
      SCOPED_TRACE(unit.name);
      const AmdMatrixTile &tile = unit.tile;
      unsigned size = tile.size, perStep = kWidth * tile.getLanesAlongK();
      EXPECT_EQ(tile.getLanesAlongK(), tile.copiesOperands ? 1 : tile.numLanes / size);
      LinearLayout a = amdMatrixOperandLayout({size, 2 * perStep}, 0, kWidth, {1, 2}, tile);
      LinearLayout b = amdMatrixOperandLayout({2 * perStep, 2 * size}, 1, kWidth, {1, 2}, tile);
      for (unsigned reg = 0; reg < 2 * kWidth; ++reg)
        for (unsigned lane = 0; lane < tile.numLanes; ++lane)
          for (unsigned warp : {0, 1}) {
            unsigned k = (tile.copiesOperands ? 0 : lane / size * kWidth) + reg % kWidth + reg / kWidth * perStep;
            ASSERT_EQ(at(a, reg, lane, warp), (SmallVector<uint32_t>{lane % size, k}));
            ASSERT_EQ(at(b, reg, lane, warp), (SmallVector<uint32_t>{k, lane % size + warp * size}));
          }
    }
}

// A transposed result has the layout of another dot's left operand with the same number of consecutive elements.
TEST(AmdEncodings, ResultsAreOperands) {
  for (const Unit &unit : units) {
    if (unit.tile.copiesOperands)
      continue;
    SCOPED_TRACE(unit.name);
    AmdMatrixTile tile = unit.tile;
    tile.isTransposed = true;
    EXPECT_EQ(amdMatrixResultLayout({64, 64}, {2, 1}, tile),
              amdMatrixOperandLayout({64, 64}, 0, tile.rowRun, {2, 1}, tile));
  }
}

// A tile that is smaller than the instruction wraps: several lanes have the same element.
TEST(AmdEncodings, SmallTilesWrap) {
  LinearLayout layout = amdMatrixResultLayout({16, 8}, {1, 1}, {16, 64, 4, false, true});
  EXPECT_TRUE(layout.isSurjective());
  EXPECT_EQ(at(layout, 1, 32, 0), (SmallVector<uint32_t>{0, 1}));
}

TEST(AmdEncodings, Batches) {
  AmdMatrixTile tile = {16, 64, 4, false, true};
  LinearLayout c = amdMatrixResultLayout({4, 16, 32}, {2, 1, 2}, tile);
  EXPECT_EQ(at(c, 0, 0, 1), (SmallVector<uint32_t>{0, 0, 16}));
  EXPECT_EQ(at(c, 0, 0, 2), (SmallVector<uint32_t>{1, 0, 0}));
  EXPECT_EQ(at(c, 4, 0, 0), (SmallVector<uint32_t>{2, 0, 0}));
}

} // namespace
