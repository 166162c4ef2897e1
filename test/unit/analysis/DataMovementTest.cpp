// Plans of conversions, simulated place by place.
#include "lowering/analysis/DataMovement.h"
#include "lowering/layouts/Encodings.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace tilecc;
using llvm::SmallVector;

namespace {

struct Case {
  SmallVector<int64_t> shape;
  LinearLayout source, destination;
};

Case randomCase(std::mt19937 &random) {
  Case result;
  unsigned rank = 1 + random() % 3;
  for (unsigned d = 0; d < rank; ++d)
    result.shape.push_back(int64_t(1) << random() % (rank == 1 ? 9 : 6));
  auto layout = [&] {
    SmallVector<unsigned> size, threads(rank, 1), warps(rank, 1), order;
    for (unsigned d = 0; d < rank; ++d) {
      size.push_back(1u << random() % 3);
      order.push_back(d);
    }
    for (int bit = 0; bit < 5; ++bit)
      threads[random() % rank] *= 2;
    for (int bit = 0; bit < 2; ++bit)
      warps[random() % rank] *= 2;
    std::shuffle(order.begin(), order.end(), random);
    return blockedLayout(result.shape, size, threads, warps, order).removeZeroBases(Dim::Register);
  };
  result.source = layout();
  result.destination = layout();
  return result;
}

template <typename F> void forEachPlace(const LinearLayout &layout, F f) {
  for (uint64_t place = 0; place < uint64_t(1) << layout.getTotalInBits(); ++place)
    f(place);
}

/// Every access of one side takes consecutive, aligned elements; positions are given as elements are first met.
void checkAccesses(const ConversionPlan &plan, const LinearLayout &side, unsigned width, unsigned bytes,
                   std::map<uint64_t, uint64_t> &positionOf) {
  LinearLayout linear = plan.inMemoryOrder(side);
  forEachPlace(side, [&](uint64_t place) {
    uint64_t position = plan.getPosition(linear.apply(place));
    auto [it, isNew] = positionOf.insert({side.apply(place), position});
    ASSERT_EQ(it->second, position) << "both sides know one place for an element";
    ASSERT_LT(position * bytes, plan.getScratchBytes());
    unsigned inAccess = place % width; // registers own the lowest bits of a place
    uint64_t first = plan.getPosition(linear.apply(place - inAccess));
    ASSERT_EQ(position, first + inAccess) << "an access takes neighbours";
    ASSERT_EQ(first % width, 0u) << "an access is aligned";
  });
}

TEST(ConversionPlan, MovesEveryElement) {
  std::mt19937 random(1);
  std::map<ConversionPlan::Kind, unsigned> kinds;
  for (int i = 0; i < 1000; ++i) {
    Case c = randomCase(random);
    unsigned bytes = 1u << random() % 4;
    ConversionPlan plan(c.source, c.destination, bytes, /*mustStage=*/i % 4 == 0);
    ++kinds[plan.kind];
    ASSERT_EQ(plan.fetch.compose(c.source), c.destination);
    unsigned registers = c.destination.getInBits(Dim::Register), lanes = registers + c.destination.getInBits(Dim::Lane);
    unsigned sourceRegisters = c.source.getInBits(Dim::Register), sourceLanes = sourceRegisters + 5;
    if (plan.kind == ConversionPlan::Kind::Shared) {
      std::map<uint64_t, uint64_t> positionOf;
      checkAccesses(plan, c.source, plan.storeWidth, bytes, positionOf);
      checkAccesses(plan, c.destination, plan.loadWidth, bytes, positionOf);
      if (HasFatalFailure())
        return;
      std::set<uint64_t> positions;
      for (auto [element, position] : positionOf)
        ASSERT_TRUE(positions.insert(position).second) << "two elements in one place";
    } else {
      forEachPlace(c.destination, [&](uint64_t place) {
        uint64_t from = plan.fetch.apply(place);
        ASSERT_EQ(from >> sourceLanes, place >> lanes) << "no shuffle leaves its warp";
        if (plan.kind == ConversionPlan::Kind::Registers)
          ASSERT_EQ(from >> sourceRegisters, place >> registers) << "no register leaves its thread";
      });
    }
  }
  EXPECT_GT(kinds[ConversionPlan::Kind::Registers], 20u);
  EXPECT_GT(kinds[ConversionPlan::Kind::Shuffles], 20u);
  EXPECT_GT(kinds[ConversionPlan::Kind::Shared], 300u);
}

TEST(ConversionPlan, LongRowsArePadded) {
  // Threads write rows of floats and read columns: without padding, lanes would share a bank.
  LinearLayout rows = blockedLayout({32, 32}, {1, 4}, {4, 8}, {4, 1}, {1, 0});
  LinearLayout columns = blockedLayout({32, 32}, {4, 1}, {8, 4}, {1, 4}, {0, 1});
  ConversionPlan plan(rows, columns, 4);
  EXPECT_EQ(plan.kind, ConversionPlan::Kind::Shared);
  EXPECT_EQ(plan.padding, 4u);
  EXPECT_EQ(plan.getScratchBytes(), 32u * 36 * 4);
}

} // namespace
