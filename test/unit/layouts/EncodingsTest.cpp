// Compares the layouts of matrix units and of tiles in shared memory with their definitions: the figures of fragments
// in the PTX ISA, and formulas of row and column for swizzles.
#include "lowering/layouts/Encodings.h"
#include "gtest/gtest.h"
#include <set>

using namespace tilecc;
using llvm::SmallVector;

namespace {

SmallVector<uint32_t> at(const LinearLayout &layout, const LinearLayout::Index &place) {
  SmallVector<uint32_t> result;
  for (auto [dim, value] : layout.apply(place))
    result.push_back(value);
  return result;
}

SmallVector<uint32_t> at(const LinearLayout &layout, unsigned reg, unsigned lane, unsigned warp) {
  return at(layout, {{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}});
}

// Register i of a 16 x 8 result: PTX ISA, "mma.m16n8k16", matrix C.
TEST(Encodings, MmaResultIsPTXs) {
  LinearLayout layout = mmaResultLayout({16, 8}, {1, 1});
  ASSERT_EQ(layout.getInBits(Dim::Register), 2u);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      unsigned row = lane / 4 + (i < 2 ? 0 : 8), column = lane % 4 * 2 + (i & 1);
      EXPECT_EQ(at(layout, i, lane, 0), (SmallVector<uint32_t>{row, column}));
    }
}

// Warps are side by side, along the last axis first; the pattern then repeats over registers, along the last axis
// first.
TEST(Encodings, MmaResultOverWarps) {
  for (unsigned wm : {1, 2, 4})
    for (unsigned wn : {1, 2, 4})
      for (int64_t m : {16, 32, 128})
        for (int64_t n : {8, 16, 64}) {
          LinearLayout layout = mmaResultLayout({m, n}, {wm, wn});
          unsigned repsN = std::max<int64_t>(1, n / (8 * wn)), repsM = std::max<int64_t>(1, m / (16 * wm));
          ASSERT_TRUE(layout.isSurjective());
          for (unsigned reg = 0; reg < 4 * repsN * repsM; ++reg)
            for (unsigned lane = 0; lane < 32; ++lane)
              for (unsigned warp = 0; warp < wm * wn; ++warp) {
                unsigned i = reg % 4, rep = reg / 4;
                unsigned row = (rep / repsN * wm + warp / wn) * 16 + lane / 4 + (i < 2 ? 0 : 8);
                unsigned column = (rep % repsN * wn + warp % wn) * 8 + lane % 4 * 2 + (i & 1);
                ASSERT_EQ(at(layout, reg, lane, warp),
                          (SmallVector<uint32_t>{unsigned(row % m), unsigned(column % n)}));
              }
        }
}

// A lane's elements of an operand, for every width of elements: PTX ISA, matrices A and B of mma.m16n8k8 (.tf32),
// .m16n8k16 (.f16) and .m16n8k32 (.s8).
TEST(Encodings, MmaOperandsArePTXs) {
  for (unsigned kWidth : {1, 2, 4}) {
    LinearLayout a = mmaOperandLayout({16, 8 * kWidth}, 0, kWidth, {1, 1});
    LinearLayout b = mmaOperandLayout({8 * kWidth, 8}, 1, kWidth, {1, 1});
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned i = 0; i < 4 * kWidth; ++i) {
        unsigned word = i / kWidth;
        unsigned row = lane / 4 + (word & 1) * 8, k = lane % 4 * kWidth + i % kWidth + (word >> 1) * 4 * kWidth;
        EXPECT_EQ(at(a, i, lane, 0), (SmallVector<uint32_t>{row, k}));
      }
      for (unsigned i = 0; i < 2 * kWidth; ++i) {
        unsigned k = lane % 4 * kWidth + i % kWidth + i / kWidth * 4 * kWidth;
        EXPECT_EQ(at(b, i, lane, 0), (SmallVector<uint32_t>{k, lane / 4}));
      }
    }
  }
}

// Each warp's part of an operand has the rows (or columns) of its part of the result, and the whole contracted axis.
TEST(Encodings, MmaOperandsFitTheResult) {
  for (unsigned wm : {1, 2, 4})
    for (unsigned wn : {1, 2, 4})
      for (int64_t m : {16, 64})
        for (int64_t n : {8, 64})
          for (unsigned kWidth : {1, 2, 4})
            for (int64_t k : {8, 16, 64}) {
              if (k < 4 * kWidth)
                continue;
              LinearLayout c = mmaResultLayout({m, n}, {wm, wn});
              LinearLayout a = mmaOperandLayout({m, k}, 0, kWidth, {wm, wn});
              LinearLayout b = mmaOperandLayout({k, n}, 1, kWidth, {wm, wn});
              for (unsigned warp = 0; warp < wm * wn; ++warp) {
                std::set<uint32_t> rows, columns, rowsOfA, columnsOfB;
                std::set<std::pair<uint32_t, uint32_t>> ofA, ofB;
                for (unsigned lane = 0; lane < 32; ++lane) {
                  for (unsigned reg = 0; reg < 1u << c.getInBits(Dim::Register); ++reg) {
                    rows.insert(at(c, reg, lane, warp)[0]);
                    columns.insert(at(c, reg, lane, warp)[1]);
                  }
                  for (unsigned reg = 0; reg < 1u << a.getInBits(Dim::Register); ++reg) {
                    auto place = at(a, reg, lane, warp);
                    rowsOfA.insert(place[0]);
                    ofA.insert({place[0], place[1]});
                  }
                  for (unsigned reg = 0; reg < 1u << b.getInBits(Dim::Register); ++reg) {
                    auto place = at(b, reg, lane, warp);
                    columnsOfB.insert(place[1]);
                    ofB.insert({place[0], place[1]});
                  }
                }
                ASSERT_EQ(rows, rowsOfA);
                ASSERT_EQ(columns, columnsOfB);
                ASSERT_EQ(ofA.size(), rows.size() * k);
                ASSERT_EQ(ofB.size(), columns.size() * k);
              }
            }
}

// Batches: the first axis has warps of its own, and repeats last.
TEST(Encodings, MmaOfBatches) {
  LinearLayout c = mmaResultLayout({4, 16, 16}, {2, 1, 2});
  EXPECT_EQ(at(c, 0, 0, 1), (SmallVector<uint32_t>{0, 0, 8}));
  EXPECT_EQ(at(c, 0, 0, 2), (SmallVector<uint32_t>{1, 0, 0}));
  EXPECT_EQ(at(c, 4, 0, 0), (SmallVector<uint32_t>{2, 0, 0}));
  LinearLayout b = mmaOperandLayout({4, 16, 16}, 1, 2, {2, 1, 2});
  EXPECT_EQ(at(b, 0, 0, 1), (SmallVector<uint32_t>{0, 0, 8}));
  EXPECT_EQ(at(b, 0, 0, 2), (SmallVector<uint32_t>{1, 0, 0}));
  EXPECT_EQ(at(b, 4, 0, 0), (SmallVector<uint32_t>{2, 0, 0}));
}

TEST(Encodings, SwizzleIsAFormula) {
  for (int64_t rows : {1, 2, 8, 32})
    for (int64_t columns : {1, 4, 16, 64})
      for (unsigned vec : {1, 2, 8})
        for (unsigned perPhase : {1, 2, 4})
          for (unsigned maxPhase : {1, 2, 8})
            for (bool columnMajor : {false, true}) {
              SmallVector<int64_t> shape = columnMajor ? SmallVector<int64_t>{columns, rows}
                                                       : SmallVector<int64_t>{rows, columns};
              SmallVector<unsigned> order = columnMajor ? SmallVector<unsigned>{0, 1} : SmallVector<unsigned>{1, 0};
              LinearLayout layout = swizzledLayout(shape, vec, perPhase, maxPhase, order);
              ASSERT_TRUE(layout.isInvertible());
              for (uint32_t offset = 0; offset < rows * columns; ++offset) {
                uint32_t row = offset / columns, stored = offset % columns;
                uint32_t column = (stored ^ (row / perPhase % maxPhase * vec)) % columns;
                SmallVector<uint32_t> expected = columnMajor ? SmallVector<uint32_t>{column, row}
                                                             : SmallVector<uint32_t>{row, column};
                ASSERT_EQ(at(layout, {{Dim::Offset, offset}}), expected);
              }
            }
}

//===--- blocks of a program ----------------------------------------------------------------------------------------===//

using Bases = std::vector<std::vector<uint32_t>>;

Bases basesOf(const LinearLayout &layout, Dim in) {
  Bases bases;
  for (unsigned bit = 0; bit < layout.getInBits(in); ++bit) {
    std::vector<uint32_t> &basis = bases.emplace_back();
    for (LinearLayout::Extent out : layout.getOuts())
      basis.push_back(layout.getBasis(in, bit, out.dim));
  }
  return bases;
}

/// A CGALayout with these `bases`, each the coordinates of a part along two axes.
LinearLayout blocks(const Bases &bases) {
  uint32_t reach[2] = {};
  for (auto &basis : bases)
    for (unsigned d : {0, 1})
      reach[d] |= basis[d];
  unsigned rowBits = llvm::bit_width(reach[0]), columnBits = llvm::bit_width(reach[1]);
  SmallVector<uint64_t> columns;
  for (auto &basis : bases)
    columns.push_back(basis[0] | uint64_t(basis[1]) << rowBits);
  return LinearLayout({{Dim::Block, unsigned(bases.size())}}, {{axis(0), rowBits}, {axis(1), columnBits}}, columns);
}

// The layout that Triton 3.6 (GluonOpBuilder.to_linear_layout) gives for blocked<[1, 4], [2, 16], [4, 1], [1, 0]> over
// blocks, without registers that repeat the elements of others.
TEST(Encodings, BlocksAreTritons) {
  struct Case {
    Bases cga;
    SmallVector<int64_t, 2> shape;
    Bases registers, lanes, warps, blocks;
  } cases[] = {
      {{{1, 0}}, {64, 64}, {{0, 1}, {0, 2}, {8, 0}, {16, 0}},
       {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}, {{2, 0}, {4, 0}}, {{32, 0}}},
      {{{1, 0}}, {64, 1}, {{8, 0}, {16, 0}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}}, {{2, 0}, {4, 0}}, {{32, 0}}},
      {{{1, 0}}, {2, 2}, {{0, 1}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}}, {{1, 0}}},
      {{{0, 1}}, {64, 64}, {{0, 1}, {0, 2}, {8, 0}, {16, 0}, {32, 0}},
       {{0, 4}, {0, 8}, {0, 16}, {0, 0}, {1, 0}}, {{2, 0}, {4, 0}}, {{0, 32}}},
      {{{0, 1}}, {64, 1}, {{8, 0}, {16, 0}, {32, 0}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}}, {{2, 0}, {4, 0}}, {{0, 0}}},
      {{{0, 0}, {1, 0}}, {16, 128}, {{0, 1}, {0, 2}, {0, 64}},
       {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}, {{2, 0}, {4, 0}}, {{0, 0}, {8, 0}}},
      {{{0, 1}, {1, 0}}, {16, 128}, {{0, 1}, {0, 2}},
       {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}, {{2, 0}, {4, 0}}, {{0, 64}, {8, 0}}},
      {{{1, 0}, {2, 0}}, {16, 128}, {{0, 1}, {0, 2}, {0, 64}},
       {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}, {{2, 0}, {0, 0}}, {{4, 0}, {8, 0}}},
      {{{1, 0}, {2, 0}}, {2, 2}, {{0, 1}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}}, {{1, 0}, {0, 0}}},
      {{{2, 0}, {1, 0}}, {2, 2}, {{0, 1}}, {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}, {{0, 0}, {0, 0}}, {{0, 0}, {1, 0}}},
      {{{2, 0}, {1, 0}}, {64, 64}, {{0, 1}, {0, 2}, {8, 0}},
       {{0, 4}, {0, 8}, {0, 16}, {0, 32}, {1, 0}}, {{2, 0}, {4, 0}}, {{32, 0}, {16, 0}}},
  };
  for (const Case &each : cases) {
    LinearLayout layout = overBlocks(blocks(each.cga), each.shape, [](llvm::ArrayRef<int64_t> part) {
                            return blockedLayout(part, {1, 4}, {2, 16}, {4, 1}, {1, 0});
                          }).removeZeroBases(Dim::Register);
    EXPECT_EQ(basesOf(layout, Dim::Register), each.registers);
    EXPECT_EQ(basesOf(layout, Dim::Lane), each.lanes);
    EXPECT_EQ(basesOf(layout, Dim::Warp), each.warps);
    EXPECT_EQ(basesOf(layout, Dim::Block), each.blocks);
    EXPECT_TRUE(layout.isSurjective());
  }
}

// Blocks along an axis that a slice removes have copies. So do blocks along the axis that a dot operand has whole.
TEST(Encodings, BlocksOfSlicesAndOperands) {
  auto blocked = [](llvm::ArrayRef<int64_t> part) { return blockedLayout(part, {1, 4}, {2, 16}, {4, 1}, {1, 0}); };
  LinearLayout rows = overBlocks(blocks({{0, 1}, {1, 0}}), {64, 1}, blocked);
  EXPECT_EQ(basesOf(sliceLayout(rows, 1), Dim::Block), (Bases{{0}, {32}}));
  LinearLayout columns = overBlocks(blocks({{0, 1}, {1, 0}}), {1, 64}, blocked);
  EXPECT_EQ(basesOf(sliceLayout(columns, 0), Dim::Block), (Bases{{32}, {0}}));

  LinearLayout operand = overBlocks(copyAlong(blocks({{0, 1}, {1, 0}}), 1), {128, 64},
                                    [](llvm::ArrayRef<int64_t> part) { return mmaOperandLayout(part, 0, 2, {4, 1}, true); });
  EXPECT_EQ(basesOf(operand, Dim::Block), (Bases{{0, 0}, {64, 0}}));
  EXPECT_EQ(basesOf(operand, Dim::Warp), (Bases{{16, 0}, {32, 0}}));
  EXPECT_EQ(copyAlong(LinearLayout(), 0), LinearLayout());
}

// In shared memory, the part of every block starts at offset 0.
TEST(Encodings, BlocksOfSharedTiles) {
  LinearLayout whole = overBlocks(blocks({{0, 1}, {1, 0}}), {64, 128}, [](llvm::ArrayRef<int64_t> part) {
    return boxedLayout(part, 1, 64, 8, 1, 8);
  });
  LinearLayout part = boxedLayout({32, 64}, 1, 64, 8, 1, 8);
  EXPECT_EQ(basesOf(whole, Dim::Offset), basesOf(part, Dim::Offset));
  EXPECT_EQ(basesOf(whole, Dim::Block), (Bases{{0, 64}, {32, 0}}));
  EXPECT_EQ(getPartShape(blocks({{1, 0}, {2, 0}}), {2, 8}), (SmallVector<int64_t>{1, 8}));
}

} // namespace
