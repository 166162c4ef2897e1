// Simulates accesses of a warp to shared memory. Each lane must get the elements of its registers.
#include "lowering/layouts/Encodings.h"
#include "lowering/layouts/SharedAccess.h"
#include "gtest/gtest.h"
#include <map>
#include <set>

using namespace tilecc;
using llvm::SmallVector;
using Kind = SharedAccess::Kind;

namespace {

/// The result of a warp's instructions: for each lane and register, the offset of the element that it receives.
std::map<std::pair<unsigned, unsigned>, uint64_t> simulate(const SharedAccess &access, unsigned warp,
                                                           unsigned elementBytes) {
  std::map<std::pair<unsigned, unsigned>, uint64_t> got;
  const LinearLayout &addresses = access.addresses;
  auto addressOf = [&](unsigned reg, unsigned lane) -> uint64_t {
    return addresses.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}})[0].second;
  };
  for (auto &registers : access.getRegisters())
    for (unsigned lane = 0; lane < 1u << addresses.getInBits(Dim::Lane); ++lane)
      for (auto [i, reg] : llvm::enumerate(registers)) {
        if (access.kind == Kind::Vectors) {
          uint64_t address = addressOf(registers[0], lane);
          EXPECT_EQ(address % access.getWidth(), 0u) << "unaligned";
          got[{lane, reg}] = address + i;
          continue;
        }
        // PTX ISA, ldmatrix: lane 8 m + r has the address of row r of matrix m.
        unsigned matrix = i / access.getWidth(), element = i % access.getWidth(), perRow = 16 / elementBytes;
        unsigned row = lane / 4, column = lane % 4 * access.getWidth() + element;
        if (access.kind == Kind::TransposedMatrices) {
          column = lane / 4;
          row = lane % 4 * 2 + element;
        }
        uint64_t address = addressOf(registers[0], 8 * matrix + row);
        EXPECT_EQ(address % perRow, 0u) << "unaligned";
        got[{lane, reg}] = address + column;
      }
  return got;
}

void check(const LinearLayout &tile, const LinearLayout &memory, unsigned elementBytes, bool mayUseMatrices,
           std::optional<Kind> kind = {}) {
  LinearLayout places = tile.compose(memory.invert());
  SharedAccess access(places, elementBytes, 1u << memory.getTotalInBits(), mayUseMatrices);
  if (kind)
    EXPECT_EQ(access.kind, *kind);
  if (!mayUseMatrices)
    EXPECT_EQ(access.kind, Kind::Vectors);
  for (unsigned warp = 0; warp < 1u << tile.getInBits(Dim::Warp); ++warp) {
    auto got = simulate(access, warp, elementBytes);
    ASSERT_EQ(got.size(), size_t(1) << (tile.getInBits(Dim::Register) + tile.getInBits(Dim::Lane)));
    for (auto [place, offset] : got) {
      uint64_t wanted = places.apply({{Dim::Register, place.second}, {Dim::Lane, place.first}, {Dim::Warp, warp}})[0].second;
      ASSERT_EQ(offset, wanted) << "lane " << place.first << ", register " << place.second;
    }
  }
}

LinearLayout registersOf(const LinearLayout &layout) { return layout.removeZeroBases(Dim::Register); }

TEST(SharedAccess, OperandsOfMatrixUnits) {
  for (unsigned elementBytes : {1, 2, 4, 8})
    for (int64_t m : {8, 16, 64})
      for (int64_t k : {16, 64})
        for (unsigned opIdx : {0, 1})
          for (bool alongK : {false, true})
            for (unsigned maxPhase : {1, 4, 8})
              for (bool mayUseMatrices : {false, true}) {
                unsigned kWidth = std::max(1u, 4 / elementBytes), vec = 16 / elementBytes;
                if (k < 4 * kWidth)
                  continue;
                SmallVector<int64_t> shape = opIdx == 0 ? SmallVector<int64_t>{m, k} : SmallVector<int64_t>{k, m};
                unsigned kDim = opIdx == 0 ? 1 : 0, fastest = alongK ? kDim : 1 - kDim;
                LinearLayout tile = registersOf(mmaOperandLayout(shape, opIdx, kWidth, {2, 2}));
                LinearLayout memory = swizzledLayout(shape, vec, 1, maxPhase, {fastest, 1 - fastest});
                bool fits = mayUseMatrices && shape[fastest] >= vec && m >= 8;
                std::optional<Kind> kind;
                if (fits && elementBytes <= 4 && alongK && k >= vec)
                  kind = Kind::Matrices;
                else if (fits && elementBytes == 2 && !alongK)
                  kind = Kind::TransposedMatrices;
                else if (mayUseMatrices)
                  kind = elementBytes == 8 || !alongK ? std::optional(Kind::Vectors) : std::nullopt;
                check(tile, memory, elementBytes, mayUseMatrices, kind);
              }
}

TEST(SharedAccess, BlockedTilesInAnyOrder) {
  for (unsigned elementBytes : {1, 2, 4, 8})
    for (unsigned sizePerThread : {1, 2, 8})
      for (unsigned vec : {1, 4, 8})
        for (unsigned maxPhase : {1, 8})
          for (bool sameOrder : {false, true})
            for (bool mayUseMatrices : {false, true}) {
              LinearLayout tile = registersOf(blockedLayout({32, 64}, {1, sizePerThread}, {4, 8}, {2, 1}, {1, 0}));
              SmallVector<unsigned> order = sameOrder ? SmallVector<unsigned>{1, 0} : SmallVector<unsigned>{0, 1};
              check(tile, swizzledLayout({32, 64}, vec, 1, maxPhase, order), elementBytes, mayUseMatrices);
            }
}

// Accesses do not cross from one run to the next, since there is padding in between.
TEST(SharedAccess, StaysWithinRuns) {
  LinearLayout tile = registersOf(blockedLayout({32, 64}, {1, 8}, {4, 8}, {2, 1}, {1, 0}));
  LinearLayout places = tile.compose(swizzledLayout({32, 64}, 1, 1, 1, {1, 0}).invert());
  for (unsigned contiguous : {1, 2, 4, 8, 64})
    EXPECT_EQ(SharedAccess(places, 2, contiguous, false).getWidth(), std::min(contiguous, 8u));
}

TEST(SharedAccess, WavefrontsOfMatrices) {
  auto wavefronts = [](unsigned columns, unsigned vec, unsigned perPhase, unsigned maxPhase) {
    SmallVector<int64_t> shape = {64, columns};
    LinearLayout tile = registersOf(mmaOperandLayout(shape, 0, 2, {1, 1}));
    SharedAccess access(tile.compose(swizzledLayout(shape, vec, perPhase, maxPhase, {1, 0}).invert()), 2, 64, true);
    EXPECT_EQ(access.getNumMatrices(), 4u);
    return access.countWavefronts(2);
  };
  EXPECT_EQ(wavefronts(64, 8, 1, 8), 4u);  // the rows of each matrix cover all banks
  EXPECT_EQ(wavefronts(64, 8, 1, 1), 32u); // rows of 128 bytes: all rows of a matrix are in the same banks
  EXPECT_EQ(wavefronts(32, 8, 2, 4), 4u);
  EXPECT_EQ(wavefronts(32, 8, 1, 4), 8u);
}

TEST(SharedAccess, ExchangedRegisters) {
  // A dot's result with elements of 4 bytes, in rows of 128 bytes whose units of 16 are swizzled: rows 0 and 1 use the
  // same two units.
  auto places = [](unsigned maxPhase) {
    LinearLayout tile = registersOf(mmaResultLayout({64, 32}, {4, 1}));
    return tile.compose(swizzledLayout({64, 32}, 4, 1, maxPhase, {1, 0}).invert());
  };
  auto check = [](const LinearLayout &places, unsigned before, unsigned after, unsigned numExchanges) {
    SharedAccess access(places, 4, 32, false);
    EXPECT_EQ(access.getWidth(), 2u);
    EXPECT_EQ(access.countWavefronts(4), before);
    access.avoidConflicts(4);
    EXPECT_EQ(access.countWavefronts(4), after);
    ASSERT_EQ(access.exchanges.size(), numExchanges);
    // Instead of a register, a lane accesses the register whose number differs by the lane's exchanges.
    for (auto [place, offset] : simulate(access, /*warp=*/1, 4)) {
      auto [lane, reg] = place;
      for (auto exchange : access.exchanges)
        if (lane >> exchange.lane & 1)
          reg ^= 1u << exchange.reg;
      EXPECT_EQ(offset, places.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, 1}})[0].second);
    }
  };
  check(places(8), 4, 2, 1);
  check(places(1), 8, 2, 2); // all rows have the same banks
  LinearLayout two = registersOf(mmaResultLayout({64, 8}, {4, 1}));
  check(two.compose(swizzledLayout({64, 8}, 1, 1, 1, {1, 0}).invert()), 2, 2, 0); // no conflicts to avoid
}

TEST(SharedAccess, WavefrontsOfVectors) {
  auto wavefronts = [](unsigned sizePerThread, SmallVector<unsigned> threads, unsigned elementBytes) {
    LinearLayout tile = registersOf(blockedLayout({32, 32}, {1, sizePerThread}, threads, {1, 1}, {1, 0}));
    SharedAccess access(tile.compose(swizzledLayout({32, 32}, 1, 1, 1, {1, 0}).invert()), elementBytes, 32, false);
    return access.countWavefronts(elementBytes);
  };
  EXPECT_EQ(wavefronts(1, {1, 32}, 4), 1u);
  EXPECT_EQ(wavefronts(1, {32, 1}, 4), 32u); // a column
  EXPECT_EQ(wavefronts(4, {4, 8}, 4), 4u);   // 512 bytes in a row
  EXPECT_EQ(wavefronts(1, {1, 32}, 1), 1u);  // four lanes in a word
  EXPECT_EQ(wavefronts(1, {1, 32}, 8), 2u);
}

} // namespace
