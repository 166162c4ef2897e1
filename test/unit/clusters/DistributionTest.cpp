//===- DistributionTest.cpp - compares the rules of distributions with what blocks hold ---------------------------===//
//
// A rule determines the distribution of operands from that of a result. This test tracks single elements: for every
// operation that moves elements without changing them, each block's part of the result must consist of elements in the
// block's parts of the operands.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/clusters/DistributionPlan.h"
#include "mlir/IR/Builders.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilecc;

namespace {

constexpr int32_t Copies = Distribution::Copies;

class DistributionTest : public testing::Test {
protected:
  DistributionTest() : module(ModuleOp::create(UnknownLoc::get(&context))), builder(&context) {
    DialectRegistry registry;
    registerDistributionModels(registry);
    context.appendDialectRegistry(registry);
    context.loadDialect<tt::TTDialect, arith::ArithDialect>();
    builder.setInsertionPointToEnd(module->getBody());
  }

  Value tile(ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, builder.getI32Type());
    return arith::ConstantOp::create(builder, builder.getUnknownLoc(), builder.getZeroAttr(type));
  }
  Type type(ArrayRef<int64_t> shape) { return RankedTensorType::get(shape, builder.getI32Type()); }

  /// Row-major numbers of the elements that block `rank` has.
  static std::vector<int64_t> elementsOf(uint32_t rank, const Distribution &distribution, ArrayRef<int64_t> shape) {
    SmallVector<int64_t> part = distribution.getPart(shape), first(shape.size(), 0);
    for (int32_t axis = 0; axis < int32_t(shape.size()); ++axis) {
      unsigned place = 0;
      for (uint32_t bits = distribution.getBits(axis); bits; bits &= bits - 1, ++place)
        first[axis] += int64_t(rank >> llvm::countr_zero(bits) & 1) * part[axis] << place;
    }
    std::vector<int64_t> result;
    for (int64_t i = 0, count = ShapedType::getNumElements(part); i < count; ++i) {
      int64_t rest = i, number = 0;
      SmallVector<int64_t> at(shape.size());
      for (int32_t axis = shape.size(); axis-- > 0; rest /= part[axis])
        at[axis] = first[axis] + rest % part[axis];
      for (auto [axis, size] : llvm::enumerate(shape))
        number = number * size + at[axis];
      result.push_back(number);
    }
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
};

TEST_F(DistributionTest, PartsAreContiguousAndDisjoint) {
  Distribution distribution({0, 1, 0});
  EXPECT_TRUE(distribution.fits({8, 2}));
  EXPECT_FALSE(distribution.fits({2, 8}));
  EXPECT_EQ(distribution.getPart({8, 4}), (SmallVector<int64_t>{2, 2}));
  EXPECT_EQ(distribution.getBits(0), 5u);
  std::vector<int> seen(32);
  for (uint32_t rank = 0; rank < 8; ++rank)
    for (int64_t element : elementsOf(rank, distribution, {8, 4}))
      ++seen[element];
  EXPECT_EQ(seen, std::vector<int>(32, 1));
}

// The block dimension of a layout of 8 x 4 elements, whatever else it has.
TEST_F(DistributionTest, LayoutsSayIt) {
  auto read = [](ArrayRef<uint64_t> blocks, unsigned bits) {
    SmallVector<uint64_t> columns(blocks);
    LinearLayout layout({{Dim::Block, unsigned(blocks.size())}}, {{axis(0), 3}, {axis(1), 2}}, columns);
    return Distribution::read(layout, bits);
  };
  constexpr unsigned columnsAt = 3;
  EXPECT_EQ(read({4}, 1), Distribution({0}));
  EXPECT_EQ(read({2 << columnsAt, 4}, 2), Distribution({1, 0}));
  EXPECT_EQ(read({2, 4}, 2), Distribution({0, 0}));
  EXPECT_EQ(read({2, 0, 4}, 3), Distribution({0, Copies, 0}));
  EXPECT_EQ(read({}, 2), Distribution::copies(2));
  EXPECT_EQ(read({4, 2}, 2), std::nullopt);                // in another order
  EXPECT_EQ(read({1}, 1), std::nullopt);                   // every other row
  EXPECT_EQ(read({4 | 2 << columnsAt}, 1), std::nullopt);  // a diagonal
  EXPECT_EQ(read({4, 4}, 2), std::nullopt);                // blocks 0 and 3 have copies
  EXPECT_EQ(read({4}, 2), std::nullopt);                   // of other blocks
}

TEST_F(DistributionTest, HalvesAlongOneAxisAfterTheOther) {
  EXPECT_EQ(halveAlong({{0, 64}, {1, 32}}, {128, 64}, 3), Distribution({0, 1, Copies}));
  EXPECT_EQ(halveAlong({{1, 1}}, {128, 2}, 2), Distribution({1, Copies}));
}

// Reshapes of every shape of 64 elements to every other one, for every distribution: if a rule allows it, each block
// keeps its elements.
TEST_F(DistributionTest, ReshapesKeepElementsWhereTheyAre) {
  std::vector<SmallVector<int64_t>> shapes;
  for (int64_t a = 1; a <= 64; a *= 2) {
    shapes.push_back({a, 64 / a});
    for (int64_t b = 1; a * b <= 64; b *= 2)
      shapes.push_back({a, b, 64 / a / b});
  }
  shapes.push_back({64});
  int possible = 0;
  for (const auto &from : shapes)
    for (const auto &to : shapes) {
      auto reshape = tt::ReshapeOp::create(builder, builder.getUnknownLoc(), type(to), tile(from), false, false);
      for (int32_t first = Copies; first < int32_t(to.size()); ++first)
        for (int32_t second = Copies; second < int32_t(to.size()); ++second) {
          Distribution result({first, second});
          auto operands = result.fits(to) ? getOperandDistributions(reshape, result) : std::nullopt;
          if (!operands)
            continue;
          ++possible;
          ASSERT_TRUE((*operands)[0].fits(from));
          EXPECT_EQ(getResultDistribution(reshape, 0, (*operands)[0]), result);
          for (uint32_t rank = 0; rank < 4; ++rank)
            EXPECT_EQ(elementsOf(rank, (*operands)[0], from), elementsOf(rank, result, to)) << "of block " << rank;
        }
    }
  EXPECT_GT(possible, 1000); // otherwise the rule rejects too much
}

TEST_F(DistributionTest, AxesFollowOperations) {
  Location loc = builder.getUnknownLoc();
  auto operand = [](Operation *op, Distribution result, unsigned number = 0) -> std::optional<Distribution> {
    auto operands = getOperandDistributions(op, result);
    return operands ? std::optional((*operands)[number]) : std::nullopt;
  };
  auto expand = tt::ExpandDimsOp::create(builder, loc, type({8, 1, 4}), tile({8, 4}), 1);
  EXPECT_EQ(operand(expand, Distribution({0, 2})), Distribution({0, 1}));
  EXPECT_EQ(getResultDistribution(expand, 0, Distribution({0, 1})), Distribution({0, 2}));
  auto broadcast = tt::BroadcastOp::create(builder, loc, type({8, 4}), tile({8, 1}));
  EXPECT_EQ(operand(broadcast, Distribution({0, 1})), Distribution({0, Copies}));
  auto trans = tt::TransOp::create(builder, loc, type({4, 8, 2}), tile({2, 4, 8}), ArrayRef<int32_t>{1, 2, 0});
  EXPECT_EQ(operand(trans, Distribution({0, 2})), Distribution({1, 0}));
  EXPECT_EQ(getResultDistribution(trans, 0, Distribution({1, 0})), Distribution({0, 2}));
  auto dot = tt::DotOp::create(builder, loc, type({16, 16}), tile({16, 16}), tile({16, 16}), tile({16, 16}));
  EXPECT_EQ(operand(dot, Distribution({0, 1}), 0), Distribution({0, Copies}));
  EXPECT_EQ(operand(dot, Distribution({0, 1}), 1), Distribution({Copies, 1}));
  EXPECT_EQ(operand(dot, Distribution({0, 1}), 2), Distribution({0, 1}));
  auto join = tt::JoinOp::create(builder, loc, tile({8}), tile({8}));
  EXPECT_EQ(operand(join, Distribution({0})), Distribution({0}));
  EXPECT_EQ(operand(join, Distribution({1})), std::nullopt);
}

} // namespace
