// Tests where the elements of a matrix are in tensor memory, and which instructions move them. The expected positions
// are formulas for the figures of the PTX ISA (tcgen05 data path layouts and tcgen05.ld).
#include "lowering/layouts/Encodings.h"
#include "lowering/layouts/TensorMemoryAccess.h"
#include "gtest/gtest.h"

using namespace tilecc;

namespace {

struct Element {
  uint32_t row, column;
  bool operator==(const Element &) const = default;
};

Element at(const LinearLayout &layout, uint32_t row, uint32_t column) {
  LinearLayout::Index index = layout.apply({{Dim::Row, row}, {Dim::Column, column}});
  return {index[0].second, index[1].second};
}

/// Each thread has a row of `columns` elements. Four warps have 128 rows, or, with `halves`, 64 rows whose columns are
/// in two halves.
LinearLayout rowsOfThreads(unsigned columnBits, bool halves) {
  Dim m = axis(0), n = axis(1);
  LinearLayout layout = LinearLayout::identity(halves ? columnBits - 1 : columnBits, Dim::Register, n) *
                        LinearLayout::identity(halves ? 4 : 5, Dim::Lane, m);
  if (halves)
    layout = layout * LinearLayout::identity(1, Dim::Lane, n);
  return (layout * LinearLayout::identity(2, Dim::Warp, m)).transposeOuts({m, n});
}

TEST(TensorMemory, A128RowBlockIsLaneByLane) {
  LinearLayout layout = tensorMemoryLayout({128, 64}, 128, 64, 1);
  for (uint32_t row = 0; row < 128; row += 5)
    for (uint32_t column = 0; column < 64; column += 3)
      EXPECT_EQ(at(layout, row, column), (Element{row, column}));
}

TEST(TensorMemory, A64RowBlockTakesHalfOfTheLanes) {
  LinearLayout layout = tensorMemoryLayout({64, 32}, 64, 32, 1);
  for (uint32_t row = 0; row < 64; ++row)
    EXPECT_EQ(at(layout, row / 16 * 32 + row % 16, 7), (Element{row, 7}));
}

TEST(TensorMemory, TheNextBlockOf64RowsTakesTheOtherHalf) {
  LinearLayout layout = tensorMemoryLayout({128, 32}, 64, 32, 1);
  for (uint32_t row = 0; row < 128; ++row)
    EXPECT_EQ(at(layout, row % 64 / 16 * 32 + row / 64 * 16 + row % 16, 7), (Element{row, 7}));
}

TEST(TensorMemory, BlocksLieSideBySideByColumnsOfBlocks) {
  LinearLayout layout = tensorMemoryLayout({256, 64}, 128, 32, 1);
  for (uint32_t column = 0; column < 128; ++column) {
    uint32_t block = column / 32;
    EXPECT_EQ(at(layout, 3, column), (Element{3 + block % 2 * 128, column % 32 + block / 2 * 32}));
  }
}

TEST(TensorMemory, FourScalesOfARowShareAColumnInAllQuarters) {
  LinearLayout layout = tensorMemoryScalesLayout({128, 8});
  for (uint32_t row = 0; row < 128; ++row)
    for (uint32_t scale = 0; scale < 8; ++scale) {
      uint32_t word = row / 32 + scale / 4 * 4;
      for (uint32_t quarter = 0; quarter < 4; ++quarter)
        EXPECT_EQ(at(layout, row % 32 + 32 * quarter, 4 * word + scale % 4), (Element{row, scale}));
    }
}

TEST(TensorMemory, UnusedNeighboursBelongToNobody) {
  LinearLayout layout = tensorMemoryLayout({128, 16}, 128, 16, 2);
  EXPECT_EQ(layout.getInBits(Dim::Column), 5u);
  EXPECT_EQ(at(layout, 0, 6), (Element{0, 3}));
  EXPECT_EQ(at(layout, 0, 7), (Element{0, 3}));
}

/// Simulates tcgen05.ld (PTX ISA): word i of a lane comes from the lane's row. With 16 rows, lanes of the warp's upper
/// half read the same rows as those of the lower half, `secondHalf` columns further.
void expectRightPlaces(const LinearLayout &tile, const LinearLayout &memory, unsigned elementBits) {
  std::optional<LinearLayout> places = tile.fetchFrom(memory);
  ASSERT_TRUE(places);
  std::optional<TensorMemoryAccess> access = TensorMemoryAccess::plan(*places, elementBits);
  ASSERT_TRUE(access);
  unsigned seen = 0;
  for (uint32_t warp = 0; warp < 1u << tile.getInBits(Dim::Warp); ++warp)
    for (uint32_t lane = 0; lane < 32; ++lane)
      for (const TensorMemoryAccess::Instruction &instruction : access->instructions)
        for (auto [i, reg] : llvm::enumerate(instruction.registers)) {
          uint32_t row = warp % 4 * 32, column = instruction.column + i / access->perWord;
          bool isHalf = access->shape == TensorMemoryAccess::Shape::Rows16;
          row += isHalf ? lane % 16 : lane;
          column += isHalf && lane >= 16 ? access->secondHalf : 0;
          for (auto [bit, columns] : llvm::enumerate(access->warpColumns))
            column += warp >> (bit + 2) & 1 ? columns : 0;
          LinearLayout::Index wanted =
              tile.apply({{Dim::Register, uint32_t(reg)}, {Dim::Lane, lane}, {Dim::Warp, warp}});
          ASSERT_EQ(at(memory, row, column * access->perWord + i % access->perWord),
                    (Element{wanted[0].second, wanted[1].second}));
          ++seen;
        }
  EXPECT_EQ(seen, 1u << tile.getTotalInBits());
}

TEST(TensorMemoryAccess, ARowOfEachThread) {
  expectRightPlaces(rowsOfThreads(6, /*halves=*/false), tensorMemoryLayout({128, 64}, 128, 64, 1), 32);
}

TEST(TensorMemoryAccess, NarrowElementsShareWords) {
  expectRightPlaces(rowsOfThreads(6, /*halves=*/false), tensorMemoryLayout({128, 64}, 128, 64, 1), 16);
}

TEST(TensorMemoryAccess, HalvesOfRows) {
  expectRightPlaces(rowsOfThreads(6, /*halves=*/true), tensorMemoryLayout({64, 64}, 64, 64, 1), 32);
}

TEST(TensorMemoryAccess, EightWarpsShareRows) {
  LinearLayout tile = rowsOfThreads(6, /*halves=*/false) * LinearLayout::identity(1, Dim::Warp, axis(1));
  expectRightPlaces(tile, tensorMemoryLayout({128, 128}, 128, 128, 1), 32);
}

TEST(TensorMemoryAccess, WarpsReachTheirOwnRowsAlone) {
  // If warps are along the columns, each of them needs all rows.
  Dim m = axis(0), n = axis(1);
  LinearLayout tile = (LinearLayout::identity(4, Dim::Register, n) * LinearLayout::identity(5, Dim::Lane, m) *
                       LinearLayout::identity(2, Dim::Register, m) * LinearLayout::identity(2, Dim::Warp, n))
                          .transposeOuts({m, n});
  std::optional<LinearLayout> places = tile.fetchFrom(tensorMemoryLayout({128, 64}, 128, 64, 1));
  ASSERT_TRUE(places);
  EXPECT_FALSE(TensorMemoryAccess::plan(*places, 32));
}

} // namespace
