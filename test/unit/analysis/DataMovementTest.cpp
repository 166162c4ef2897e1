// Executes plans of conversions in a simulated program. Every element must arrive, and the number of accesses to the
// banks of shared memory must be that of the plan.
#include "lowering/analysis/DataMovement.h"
#include "lowering/layouts/Encodings.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace tilecc;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {

constexpr unsigned lanes = 32;

/// The tile in the registers of all threads: values[thread][register], an element being its packed coordinates.
using Registers = std::vector<std::vector<uint64_t>>;

struct Places {
  explicit Places(const LinearLayout &layout)
      : registers(1u << layout.getInBits(Dim::Register)), threads((1u << layout.getTotalInBits()) / registers) {}
  unsigned registers, threads;
};

Registers place(const LinearLayout &layout) {
  Places places(layout);
  Registers values(places.threads, std::vector<uint64_t>(places.registers));
  for (unsigned thread = 0; thread < places.threads; ++thread)
    for (unsigned reg = 0; reg < places.registers; ++reg)
      values[thread][reg] = layout.apply(uint64_t(thread) * places.registers + reg);
  return values;
}

//===--- simulation -------------------------------------------------------------------------------------------------===//

void rename(Registers &values, const Renaming &renaming) {
  for (const Renaming::Step &step : renaming.steps)
    for (unsigned thread = 0; thread < values.size(); ++thread)
      if (llvm::popcount(thread & step.threadBits) % 2) {
        std::vector<uint64_t> renamed;
        for (unsigned reg = 0; reg < values[thread].size(); ++reg)
          renamed.push_back(values[thread][reg ^ step.vector]);
        values[thread] = renamed;
      }
}

Registers runExchange(const LaneExchange &exchange, Registers values, unsigned elementBytes) {
  rename(values, exchange.before);
  unsigned packedBits = 0;
  for (unsigned bit : exchange.getPacked(elementBytes))
    packedBits |= 1u << bit;
  EXPECT_LE(elementBytes << llvm::popcount(packedBits), std::max(4u, elementBytes)) << "a word has four bytes";
  Registers got(values.size(), std::vector<uint64_t>(exchange.sent.size()));
  for (unsigned thread = 0; thread < values.size(); ++thread)
    for (unsigned reg = 0; reg < exchange.sent.size(); ++reg) {
      unsigned lane = exchange.lane[reg];
      for (unsigned bit = 0; bit < exchange.lanes.size(); ++bit)
        if (thread >> bit & 1)
          lane ^= exchange.lanes[bit];
      EXPECT_LT(lane, lanes);
      EXPECT_EQ(exchange.lane[reg], exchange.lane[reg & ~packedBits]) << "what shares a word goes to one lane";
      if (exchange.isLocal)
        EXPECT_EQ(lane, thread % lanes);
      got[thread][reg] = values[thread / lanes * lanes + lane][exchange.sent[reg]];
    }
  rename(got, exchange.after);
  return got;
}

/// The number of wavefronts of one access of `bytes` at each thread's `addresses` (in bytes): for each 128 bytes of
/// lanes, the largest number of words in one bank.
unsigned simulateBanks(ArrayRef<uint64_t> addresses, unsigned bytes) {
  unsigned served = bytes <= 4 ? 32 : 128 / bytes, total = 0;
  for (unsigned first = 0; first < addresses.size(); first += served) {
    std::map<unsigned, std::set<uint64_t>> wordsOfBank;
    for (unsigned lane = first; lane < first + served; ++lane)
      for (unsigned byte = 0; byte < bytes; ++byte) {
        uint64_t word = (addresses[lane] + byte) / 4;
        wordsOfBank[word % 32].insert(word);
      }
    size_t most = 0;
    for (auto &[bank, words] : wordsOfBank)
      most = std::max(most, words.size());
    total += most;
  }
  return total;
}

struct BankUse {
  unsigned stores = 0, loads = 0, bestStores = 0, bestLoads = 0;
};

Registers runShared(const Swizzle &scratch, const LinearLayout &source, const LinearLayout &destination,
                    const Registers &values, BankUse &use) {
  unsigned elementBytes = 1u << scratch.log2ElementBytes;
  auto visit = [&](const LinearLayout &side, unsigned accessBits, unsigned round, auto access) {
    LinearLayout offsets = side.compose(scratch.toOffset);
    Places places(side);
    unsigned predicted = countBankUses(offsets, accessBits, scratch.log2ElementBytes), simulated = 0;
    unsigned bytes = elementBytes << accessBits;
    EXPECT_LE(bytes, 16u);
    for (const Swizzle::Access &one : scratch.getAccesses(side, accessBits)) {
      if (one.round != round)
        continue;
      for (unsigned first = 0; first < places.threads; first += lanes) {
        SmallVector<uint64_t> addresses;
        for (unsigned thread = first; thread < first + lanes; ++thread) {
          uint64_t base = offsets.apply(uint64_t(thread) * places.registers);
          addresses.push_back((base ^ one.offset) * elementBytes);
          EXPECT_EQ(addresses.back() % bytes, 0u) << "an access is aligned";
          EXPECT_LE(addresses.back() + bytes, scratch.getBytes());
          for (auto [i, reg] : llvm::enumerate(one.registers))
            access(thread, reg, addresses.back() + i * elementBytes);
        }
        simulated = simulateBanks(addresses, bytes);
        EXPECT_EQ(simulated, predicted);
      }
    }
    return predicted;
  };
  auto best = [&](unsigned accessBits) { return std::max(1u, (elementBytes << accessBits) / 4); };
  EXPECT_TRUE(scratch.toOffset.isInvertible());
  Registers result = place(destination);
  for (auto &ofThread : result)
    std::fill(ofThread.begin(), ofThread.end(), ~uint64_t(0));
  for (unsigned round = 0; round < scratch.getNumRounds(); ++round) {
    std::map<uint64_t, uint64_t> memory;
    use.stores = visit(source, scratch.storeBits, round, [&](unsigned thread, unsigned reg, uint64_t address) {
      auto [it, isNew] = memory.insert({address, values[thread][reg]});
      EXPECT_EQ(it->second, values[thread][reg]) << "two elements in one place";
    });
    use.loads = visit(destination, scratch.loadBits, round, [&](unsigned thread, unsigned reg, uint64_t address) {
      result[thread][reg] = memory.at(address);
    });
  }
  use.bestStores = best(scratch.storeBits);
  use.bestLoads = best(scratch.loadBits);
  return result;
}

//===--- layouts ----------------------------------------------------------------------------------------------------===//

class Layouts {
public:
  explicit Layouts(unsigned seed) : random(seed) {}

  unsigned below(unsigned n) { return random() % n; }
  SmallVector<int64_t> shape() {
    SmallVector<int64_t> result;
    unsigned rank = 1 + below(3);
    for (unsigned d = 0; d < rank; ++d)
      result.push_back(int64_t(1) << below(rank == 1 ? 11 : rank == 2 ? 7 : 5));
    return result;
  }

  LinearLayout any(ArrayRef<int64_t> shape) {
    switch (below(shape.size() >= 2 ? 4 : 3)) {
    case 0: return blocked(shape);
    case 1: return linear(shape);
    case 2: {
      SmallVector<int64_t> wider(shape);
      unsigned dim = below(shape.size() + 1);
      wider.insert(wider.begin() + dim, 1);
      return sliceLayout(blocked(wider, /*beyond=*/true), dim);
    }
    default: {
      Parameters p(*this, shape.size());
      unsigned k = shape.size() - 1 - below(2);
      return dotOperandLayout(shape, k, p.size, p.threads, p.warps, p.order).removeZeroBases(Dim::Register);
    }
    }
  }

  /// The layouts of mma.sync's operands and results, for each element type, and slices of them.
  LinearLayout matrixUnit(ArrayRef<int64_t> shape) {
    if (shape.size() < 2 || (shape.size() == 2 && below(4) == 0)) {
      SmallVector<int64_t> wider(shape);
      unsigned dim = below(shape.size() + 1);
      wider.insert(wider.begin() + dim, int64_t(16) << below(3));
      return sliceLayout(matrixUnit(wider), dim).removeZeroBases(Dim::Register);
    }
    SmallVector<unsigned> warps(shape.size(), 1);
    for (int bit = 0; bit < 2; ++bit)
      warps[below(shape.size())] *= 2;
    unsigned opIdx = below(3), kWidth = 1u << below(3);
    LinearLayout layout = opIdx == 2 ? mmaResultLayout(shape, warps) : mmaOperandLayout(shape, opIdx, kWidth, warps);
    return layout.removeZeroBases(Dim::Register);
  }

  LinearLayout blocked(ArrayRef<int64_t> shape, bool beyond = false) {
    Parameters p(*this, shape.size());
    return blockedLayout(shape, p.size, p.threads, p.warps, p.order).removeZeroBases(Dim::Register);
  }

  /// Any surjective map whose registers hold different elements.
  LinearLayout linear(ArrayRef<int64_t> shape) {
    LinearLayout::Extents outs;
    unsigned bits = 0;
    for (auto [d, size] : llvm::enumerate(shape)) {
      outs.push_back({axis(d), llvm::Log2_64(size)});
      bits += outs.back().bits;
    }
    // An invertible map, shuffled and mixed; threads may also have sums of it and nothing.
    SmallVector<uint64_t> basis;
    for (unsigned bit = 0; bit < bits; ++bit)
      basis.push_back(uint64_t(1) << bit);
    std::shuffle(basis.begin(), basis.end(), random);
    for (unsigned i = 0; bits > 1 && i < below(4); ++i) {
      unsigned to = below(bits), from = below(bits);
      if (to != from)
        basis[to] ^= basis[from];
    }
    SmallVector<uint64_t> columns(7, 0);
    for (unsigned i = 0; i < 7 && !basis.empty(); ++i)
      if (below(5) || basis.size() > 9) {
        columns[i] = basis.pop_back_val();
      }
    for (unsigned i = 0; i < 7; ++i)
      if (columns[i] == 0 && below(2))
        columns[i] = columns[below(7)];
    std::shuffle(columns.begin(), columns.end(), random);
    SmallVector<uint64_t> all(basis);
    all.append(columns);
    return LinearLayout({{Dim::Register, unsigned(basis.size())}, {Dim::Lane, 5}, {Dim::Warp, 2}}, outs, all);
  }

private:
  struct Parameters {
    Parameters(Layouts &layouts, unsigned rank) : threads(rank, 1), warps(rank, 1) {
      for (unsigned d = 0; d < rank; ++d) {
        size.push_back(1u << layouts.below(4));
        order.push_back(d);
      }
      for (int bit = 0; bit < 5; ++bit)
        threads[layouts.below(rank)] *= 2;
      for (int bit = 0; bit < 2; ++bit)
        warps[layouts.below(rank)] *= 2;
      std::shuffle(order.begin(), order.end(), layouts.random);
    }
    SmallVector<unsigned> size, threads, warps, order;
  };
  std::mt19937 random;
};

//===--- tests ------------------------------------------------------------------------------------------------------===//

/// The number of conversions of each kind, and of those through shared memory, the number that accessed a bank more
/// often than necessary.
struct Tally {
  std::map<ConversionPlan::Kind, unsigned> kinds;
  unsigned conflicts = 0;
};

/// Executes a conversion and checks the position of every element.
void convert(const LinearLayout &source, const LinearLayout &destination, unsigned bytes, Tally &tally) {
  ConversionPlan plan(source, destination, bytes);
  ++tally.kinds[plan.kind];
  ASSERT_EQ(plan.fetch.compose(source), destination);
  Registers before = place(source), after = place(destination);
  if (plan.kind == ConversionPlan::Kind::Shuffles) {
    EXPECT_TRUE(runExchange(*plan.exchange, before, bytes) == after);
  } else if (plan.kind == ConversionPlan::Kind::Shared) {
    BankUse use;
    EXPECT_TRUE(runShared(*plan.scratch, source, destination, before, use) == after);
    tally.conflicts += use.stores > use.bestStores || use.loads > use.bestLoads;
  } else {
    for (unsigned thread = 0; thread < after.size(); ++thread)
      for (unsigned reg = 0; reg < after[thread].size(); ++reg) {
        uint64_t from = plan.fetch.apply(uint64_t(reg));
        ASSERT_LT(from, before[thread].size()) << "no register leaves its thread";
        ASSERT_EQ(before[thread][from], after[thread][reg]);
      }
  }
  if (testing::Test::HasFailure())
    FAIL() << bytes << " bytes:\n" << [&] {
      std::string text;
      llvm::raw_string_ostream os(text);
      os << source << "\n" << destination;
      if (plan.scratch)
        os << "\n" << plan.scratch->toOffset << " store " << plan.scratch->storeBits << " load "
           << plan.scratch->loadBits << " round " << plan.scratch->roundBits;
      return text;
    }();
}

TEST(ConversionPlan, MovesEveryElement) {
  Layouts layouts(1);
  Tally tally;
  for (int i = 0; i < 2500 && !HasFailure(); ++i) {
    SmallVector<int64_t> shape = layouts.shape();
    LinearLayout source = layouts.any(shape), destination = layouts.any(shape);
    convert(source, destination, 1u << layouts.below(4), tally);
  }
  EXPECT_GT(tally.kinds[ConversionPlan::Kind::Registers], 40u);
  EXPECT_GT(tally.kinds[ConversionPlan::Kind::Shuffles], 200u);
  EXPECT_GT(tally.kinds[ConversionPlan::Kind::Shared], 500u);
  // Wide accesses of one side are sometimes worth a bank conflict of the other.
  EXPECT_LT(tally.conflicts, tally.kinds[ConversionPlan::Kind::Shared] / 20);
}

TEST(ConversionPlan, MovesToAndFromMatrixUnits) {
  Layouts layouts(3);
  Tally tally;
  for (int i = 0; i < 1500 && !HasFailure(); ++i) {
    SmallVector<int64_t> shape = layouts.shape();
    LinearLayout one = layouts.matrixUnit(shape), other = i % 3 ? layouts.any(shape) : layouts.matrixUnit(shape);
    unsigned bytes = 1u << layouts.below(4);
    convert(one, other, bytes, tally);
    convert(other, one, bytes, tally);
  }
  EXPECT_GT(tally.kinds[ConversionPlan::Kind::Registers], 40u);
  EXPECT_GT(tally.kinds[ConversionPlan::Kind::Shuffles], 200u);
  EXPECT_GT(tally.kinds[ConversionPlan::Kind::Shared], 500u);
  EXPECT_LT(tally.conflicts, tally.kinds[ConversionPlan::Kind::Shared] / 20);
}

TEST(Swizzle, RoundTripsWhateverIsCheapest) {
  Layouts layouts(2);
  for (int i = 0; i < 1000; ++i) {
    SmallVector<int64_t> shape = layouts.shape();
    LinearLayout source = layouts.any(shape), destination = layouts.any(shape);
    unsigned bytes = 1u << layouts.below(4);
    Swizzle scratch(source, destination, bytes, 512 << layouts.below(6), {}, /*mustFit=*/i % 2);
    BankUse use;
    ASSERT_TRUE(runShared(scratch, source, destination, place(source), use) == place(destination));
    // If the accesses of both sides are equally wide, there is always an arrangement without conflicts.
    if (scratch.storeBits == scratch.loadBits) {
      EXPECT_LE(use.stores, use.bestStores);
      EXPECT_LE(use.loads, use.bestLoads);
    }
    ASSERT_FALSE(HasFailure()) << "case " << i;
  }
}

TEST(Swizzle, TransposesWithoutConflicts) {
  // Threads write rows and read columns, four or eight at once on their side.
  for (unsigned bytes : {1, 2, 4, 8}) {
    LinearLayout rows = blockedLayout({64, 64}, {1, 4}, {2, 16}, {4, 1}, {1, 0});
    LinearLayout columns = blockedLayout({64, 64}, {4, 1}, {16, 2}, {1, 4}, {0, 1});
    Swizzle scratch(rows, columns, bytes);
    BankUse use;
    EXPECT_TRUE(runShared(scratch, rows, columns, place(rows), use) == place(columns));
    EXPECT_EQ(use.stores, use.bestStores) << bytes;
    EXPECT_EQ(use.loads, use.bestLoads) << bytes;
    EXPECT_EQ(scratch.getBytes(), 64u * 64 * bytes) << "there is no padding";
    EXPECT_GE(scratch.storeBits + scratch.loadBits, bytes == 8 ? 1u : 2u) << "one side has wide accesses";
  }
}

TEST(Swizzle, LargeTilesGoInRounds) {
  LinearLayout rows = blockedLayout({128, 256}, {1, 4}, {1, 32}, {4, 1}, {1, 0});
  LinearLayout blocks = blockedLayout({128, 256}, {1, 4}, {4, 8}, {4, 1}, {1, 0});
  Swizzle scratch(rows, blocks, 4, 32 * 1024);
  EXPECT_EQ(scratch.getNumRounds(), 4u);
  EXPECT_EQ(scratch.getBytes(), 32u * 1024);
  BankUse use;
  EXPECT_TRUE(runShared(scratch, rows, blocks, place(rows), use) == place(blocks));
  EXPECT_EQ(scratch.storeBits, 2u);
  EXPECT_EQ(scratch.loadBits, 2u);
}

TEST(Swizzle, NarrowerAccessesLeaveMoreToRounds) {
  // wgmma's result, 128 x 256 of two bytes, on 8 warps, to rows of 16-byte pieces. Loads of 8 bytes, or two rounds, use
  // the 8 rows between a thread's two.
  LinearLayout product = warpGroupResultLayout({128, 256}, {8, 1}, 256);
  LinearLayout rows = blockedLayout({128, 256}, {1, 8}, {1, 32}, {8, 1}, {1, 0});
  Swizzle wide(product, rows, 2, 32 * 1024), fits(product, rows, 2, 32 * 1024, {}, /*mustFit=*/true);
  EXPECT_EQ(wide.getNumRounds(), 1u);
  EXPECT_EQ(fits.getNumRounds(), 2u);
  EXPECT_EQ(fits.getBytes(), 32u * 1024);
  BankUse use;
  EXPECT_TRUE(runShared(fits, product, rows, place(product), use) == place(rows));
  EXPECT_EQ(use.stores, use.bestStores);
  EXPECT_EQ(use.loads, use.bestLoads);
}

TEST(LaneExchange, TakesOneShuffleForEachRegister) {
  // A transposition of 4x4 blocks among the lanes of a warp: each lane needs all registers of four lanes.
  LinearLayout rows = blockedLayout({16, 16}, {1, 4}, {8, 4}, {4, 1}, {1, 0}).removeZeroBases(Dim::Register);
  LinearLayout columns = blockedLayout({16, 16}, {4, 1}, {2, 16}, {4, 1}, {1, 0}).removeZeroBases(Dim::Register);
  ConversionPlan plan(rows, columns, 4);
  ASSERT_EQ(plan.kind, ConversionPlan::Kind::Shuffles);
  EXPECT_EQ(plan.exchange->sent.size(), 4u);
  EXPECT_TRUE(runExchange(*plan.exchange, place(rows), 4) == place(columns));
}

TEST(LaneExchange, CopiesInAThreadTakeNoShuffle) {
  // Every warp has all of the tile, in registers and lanes; the result is a selection of registers.
  LinearLayout copies = sliceLayout(blockedLayout({128, 1}, {4, 1}, {32, 1}, {1, 4}, {0, 1}), 1);
  LinearLayout dealt = blockedLayout({128}, {4}, {32}, {1}, {0});
  SmallVector<uint64_t> columns = {4, 8, 16, 32, 64, 1, 2}; // lanes first, then warps
  dealt = LinearLayout({{Dim::Register, 0}, {Dim::Lane, 5}, {Dim::Warp, 2}}, {{axis(0), 7}}, columns);
  ConversionPlan plan(copies, dealt, 4);
  ASSERT_EQ(plan.kind, ConversionPlan::Kind::Shuffles);
  EXPECT_TRUE(plan.exchange->isLocal);
  EXPECT_TRUE(runExchange(*plan.exchange, place(copies), 4) == place(dealt));
}

TEST(ConversionPlan, OneWarpGoesThroughSharedMemorySooner) {
  // In a program of one warp, no barrier is needed.
  auto kindOf = [](unsigned warps) {
    LinearLayout rows = blockedLayout({16 * warps, 16}, {1, 8}, {16, 2}, {warps, 1}, {1, 0});
    LinearLayout columns = blockedLayout({16 * warps, 16}, {8, 1}, {2, 16}, {warps, 1}, {1, 0});
    return ConversionPlan(rows, columns, 4).kind;
  };
  EXPECT_EQ(kindOf(1), ConversionPlan::Kind::Shared);
  EXPECT_EQ(kindOf(4), ConversionPlan::Kind::Shuffles);
}

} // namespace
