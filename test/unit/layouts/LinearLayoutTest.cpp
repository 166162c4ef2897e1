// Compares linear layouts with index formulas that share no code with these layouts, for all small shapes.
#include "lowering/layouts/Encodings.h"
#include "gtest/gtest.h"
#include <set>

using namespace tilecc;
using llvm::SmallVector;

namespace {

struct Blocked {
  SmallVector<int64_t> shape;
  SmallVector<unsigned> size, threads, warps, order;
};

std::string describe(const Blocked &b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](const char *name, const auto &values) {
    os << name << " =";
    for (auto value : values)
      os << " " << value;
    os << "; ";
  };
  list("shape", b.shape), list("sizePerThread", b.size), list("threadsPerWarp", b.threads);
  list("warpsPerCTA", b.warps), list("order", b.order);
  return text;
}

LinearLayout layoutOf(const Blocked &b) { return blockedLayout(b.shape, b.size, b.threads, b.warps, b.order); }

unsigned product(llvm::ArrayRef<unsigned> values) {
  unsigned result = 1;
  for (unsigned value : values)
    result *= value;
  return result;
}

/// The coordinates that `id` has in a box of `sizes`, `order[0]` varying fastest.
SmallVector<unsigned> delinearize(unsigned id, llvm::ArrayRef<unsigned> sizes, llvm::ArrayRef<unsigned> order) {
  SmallVector<unsigned> result(sizes.size());
  for (unsigned dim : order) {
    result[dim] = id % sizes[dim];
    id /= sizes[dim];
  }
  return result;
}

/// The element that (reg, lane, warp) holds, by the definition of a blocked encoding: neighbours within a block, blocks
/// by thread, threads by warp, and then whole tiles of all warps; everything modulo the shape.
SmallVector<unsigned> bruteForce(const Blocked &b, unsigned reg, unsigned lane, unsigned warp) {
  unsigned rank = b.shape.size(), perBlock = product(b.size);
  SmallVector<unsigned> repeats(rank), tile(rank), result(rank);
  for (unsigned d = 0; d < rank; ++d) {
    tile[d] = b.size[d] * b.threads[d] * b.warps[d];
    repeats[d] = std::max<unsigned>(1, b.shape[d] / tile[d]);
  }
  SmallVector<unsigned> inBlock = delinearize(reg % perBlock, b.size, b.order);
  SmallVector<unsigned> repeat = delinearize(reg / perBlock, repeats, b.order);
  SmallVector<unsigned> thread = delinearize(lane, b.threads, b.order);
  SmallVector<unsigned> warpAt = delinearize(warp, b.warps, b.order);
  for (unsigned d = 0; d < rank; ++d)
    result[d] = (repeat[d] * tile[d] + (warpAt[d] * b.threads[d] + thread[d]) * b.size[d] + inBlock[d]) % b.shape[d];
  return result;
}

SmallVector<unsigned> at(const LinearLayout &layout, unsigned reg, unsigned lane, unsigned warp) {
  SmallVector<unsigned> result;
  for (auto [dim, value] : layout.apply({{Dim::Register, reg}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
    result.push_back(value);
  return result;
}

std::string text(const LinearLayout &layout) {
  std::string result;
  llvm::raw_string_ostream(result) << layout;
  return result;
}

template <typename F> void forEachPlace(const LinearLayout &layout, F f) {
  for (unsigned warp = 0; warp < 1u << layout.getInBits(Dim::Warp); ++warp)
    for (unsigned lane = 0; lane < 1u << layout.getInBits(Dim::Lane); ++lane)
      for (unsigned reg = 0; reg < 1u << layout.getInBits(Dim::Register); ++reg)
        f(reg, lane, warp);
}

/// Every blocked encoding of rank 1 and 2 with `lanes` lanes and `warps` warps over shapes up to `largest`.
template <typename F> void forEachBlocked(unsigned largest, unsigned lanes, unsigned warps, F f) {
  for (unsigned m = 1; m <= largest; m *= 2) {
    for (unsigned s = 1; s <= 4; s *= 2)
      f(Blocked{{int64_t(m)}, {s}, {lanes}, {warps}, {0}});
    for (unsigned n = 1; n <= largest; n *= 2)
      for (unsigned s0 = 1; s0 <= 2; s0 *= 2)
        for (unsigned s1 = 1; s1 <= 4; s1 *= 2)
          for (unsigned t0 = 1; t0 <= lanes; t0 *= 2)
            for (unsigned w0 = 1; w0 <= warps; w0 *= 2)
              for (bool rowMajor : {false, true})
                f(Blocked{{int64_t(m), int64_t(n)}, {s0, s1}, {t0, lanes / t0}, {w0, warps / w0},
                          rowMajor ? SmallVector<unsigned>{1, 0} : SmallVector<unsigned>{0, 1}});
  }
}

TEST(LinearLayout, BlockedIsTheIndexFormula) {
  unsigned tried = 0;
  forEachBlocked(16, 8, 4, [&](const Blocked &b) {
    LinearLayout layout = layoutOf(b);
    ASSERT_TRUE(layout.isSurjective()) << describe(b) << text(layout);
    forEachPlace(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      ASSERT_EQ(at(layout, reg, lane, warp), bruteForce(b, reg, lane, warp)) << describe(b) << text(layout);
    });
    ++tried;
  });
  EXPECT_GT(tried, 3000u);
}

TEST(LinearLayout, RankThree) {
  for (SmallVector<unsigned> order : {SmallVector<unsigned>{2, 1, 0}, {0, 1, 2}, {1, 2, 0}}) {
    Blocked b{{4, 8, 16}, {1, 2, 2}, {2, 2, 8}, {2, 2, 1}, order};
    LinearLayout layout = layoutOf(b);
    forEachPlace(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      ASSERT_EQ(at(layout, reg, lane, warp), bruteForce(b, reg, lane, warp)) << describe(b);
    });
  }
}

TEST(LinearLayout, FreeBitsAreTheCopies) {
  forEachBlocked(8, 4, 2, [](const Blocked &b) {
    LinearLayout layout = layoutOf(b);
    // Visiting only the indices whose free bits are 0 visits every element exactly once.
    std::set<std::vector<unsigned>> seen;
    unsigned visited = 0;
    forEachPlace(layout, [&](unsigned reg, unsigned lane, unsigned warp) {
      if ((reg & layout.getFreeBits(Dim::Register)) | (lane & layout.getFreeBits(Dim::Lane)) |
          (warp & layout.getFreeBits(Dim::Warp)))
        return;
      SmallVector<unsigned> element = at(layout, reg, lane, warp);
      seen.insert({element.begin(), element.end()});
      ++visited;
    });
    unsigned elements = 1;
    for (int64_t size : b.shape)
      elements *= size;
    ASSERT_EQ(seen.size(), elements) << describe(b);
    ASSERT_EQ(visited, elements) << describe(b);
  });
}

TEST(LinearLayout, SliceDropsAnAxis) {
  forEachBlocked(8, 4, 2, [](const Blocked &b) {
    if (b.shape.size() != 2)
      return;
    LinearLayout parent = layoutOf(b);
    for (unsigned dim = 0; dim < 2; ++dim) {
      LinearLayout slice = sliceLayout(parent, dim);
      ASSERT_TRUE(slice.isSurjective());
      // A thread holds exactly the elements of the slice that are projections of its elements of the parent.
      for (unsigned warp = 0; warp < 2; ++warp)
        for (unsigned lane = 0; lane < 4; ++lane) {
          std::set<unsigned> expected, actual;
          for (unsigned reg = 0; reg < 1u << parent.getInBits(Dim::Register); ++reg)
            expected.insert(at(parent, reg, lane, warp)[1 - dim]);
          for (unsigned reg = 0; reg < 1u << slice.getInBits(Dim::Register); ++reg)
            ASSERT_TRUE(actual.insert(at(slice, reg, lane, warp)[0]).second) << "a register repeats another";
          ASSERT_EQ(expected, actual) << describe(b) << "slice of axis " << dim;
        }
    }
  });
}

TEST(LinearLayout, DotOperandHoldsWholeRows) {
  Blocked product{{16, 32}, {2, 4}, {4, 8}, {2, 2}, {1, 0}};
  LinearLayout d = layoutOf(product);
  constexpr unsigned K = 8;
  LinearLayout a = dotOperandLayout({16, K}, 1, product.size, product.threads, product.warps, product.order);
  LinearLayout b = dotOperandLayout({K, 32}, 0, product.size, product.threads, product.warps, product.order);
  for (unsigned warp = 0; warp < 4; ++warp)
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::set<std::pair<unsigned, unsigned>> haveA, haveB;
      for (unsigned reg = 0; reg < 1u << a.getInBits(Dim::Register); ++reg)
        haveA.insert({at(a, reg, lane, warp)[0], at(a, reg, lane, warp)[1]});
      for (unsigned reg = 0; reg < 1u << b.getInBits(Dim::Register); ++reg)
        haveB.insert({at(b, reg, lane, warp)[0], at(b, reg, lane, warp)[1]});
      for (unsigned reg = 0; reg < 1u << d.getInBits(Dim::Register); ++reg)
        for (unsigned k = 0; k < K; ++k) {
          ASSERT_TRUE(haveA.count({at(d, reg, lane, warp)[0], k}));
          ASSERT_TRUE(haveB.count({k, at(d, reg, lane, warp)[1]}));
        }
    }
}

TEST(LinearLayout, FetchFromFindsEveryElement) {
  SmallVector<Blocked, 0> all;
  forEachBlocked(8, 4, 2, [&](const Blocked &b) {
    if (b.shape.size() == 2 && b.shape[0] * b.shape[1] >= 8)
      all.push_back(b);
  });
  unsigned pairs = 0;
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = i % 7; j < all.size(); j += 7) {
      if (all[i].shape != all[j].shape)
        continue;
      LinearLayout destination = layoutOf(all[i]).removeZeroBases(Dim::Register);
      LinearLayout source = layoutOf(all[j]).removeZeroBases(Dim::Register);
      std::optional<LinearLayout> from = destination.fetchFrom(source);
      ASSERT_TRUE(from.has_value());
      ASSERT_EQ(from->compose(source), destination) << describe(all[i]) << "from " << describe(all[j]) << text(*from);
      ++pairs;
    }
  EXPECT_GT(pairs, 5000u);
}

TEST(LinearLayout, FetchFromStaysAtHome) {
  forEachBlocked(8, 4, 2, [](const Blocked &b) {
    // A conversion from a layout to itself moves nothing, not even between copies.
    LinearLayout layout = layoutOf(b).removeZeroBases(Dim::Register);
    std::optional<LinearLayout> from = layout.fetchFrom(layout);
    ASSERT_TRUE(from.has_value());
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
      for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit)
        for (Dim to : {Dim::Register, Dim::Lane, Dim::Warp})
          ASSERT_EQ(from->getBasis(dim, bit, to), dim == to ? 1u << bit : 0u) << describe(b) << text(*from);
  });
}

TEST(LinearLayout, FetchFromMissesWhatIsNotThere) {
  LinearLayout half({{Dim::Register, 1}}, {{axis(0), 2}}, {1});
  LinearLayout whole = LinearLayout::identity(2, Dim::Register, axis(0));
  EXPECT_FALSE(whole.fetchFrom(half).has_value());
  EXPECT_TRUE(half.fetchFrom(whole).has_value());
}

TEST(LinearLayout, Inverses) {
  forEachBlocked(8, 4, 2, [](const Blocked &b) {
    LinearLayout layout = layoutOf(b);
    LinearLayout back = layout.pseudoInvert();
    // From coordinates to an index and back gives the same coordinates.
    LinearLayout round = back.compose(layout);
    for (uint64_t i = 0; i < uint64_t(1) << round.getTotalInBits(); ++i)
      ASSERT_EQ(round.apply(i), i) << describe(b);
    if (layout.isInvertible()) {
      LinearLayout other = layout.compose(layout.invert());
      for (uint64_t i = 0; i < uint64_t(1) << other.getTotalInBits(); ++i)
        ASSERT_EQ(other.apply(i), i) << describe(b);
    }
  });
}

TEST(LinearLayout, ProductConcatenates) {
  LinearLayout low = LinearLayout::identity(2, Dim::Register, axis(0));
  LinearLayout high = LinearLayout::identity(3, Dim::Lane, axis(0)) * LinearLayout::zeros(1, Dim::Lane, axis(0));
  LinearLayout layout = low * high;
  EXPECT_EQ(layout.getInBits(Dim::Lane), 4u);
  EXPECT_EQ(layout.getOutBits(axis(0)), 5u);
  EXPECT_EQ(layout.getBasis(Dim::Lane, 0, axis(0)), 4u);
  EXPECT_EQ(layout.getBasis(Dim::Lane, 3, axis(0)), 0u);
  EXPECT_EQ(layout.getFreeBits(Dim::Lane), 8u);
}

TEST(LinearLayout, ExtendOutsKeepsTheMap) {
  LinearLayout part = blockedLayout({8, 4}, {1, 2}, {4, 2}, {2, 1}, {1, 0});
  LinearLayout whole = part.extendOuts({{axis(1), 5}, {axis(0), 4}});
  EXPECT_EQ(whole.getOutBits(axis(0)), 4u);
  EXPECT_EQ(whole.getOutBits(axis(1)), 5u);
  for (LinearLayout::Extent in : part.getIns())
    for (unsigned bit = 0; bit < in.bits; ++bit)
      for (unsigned d : {0, 1})
        EXPECT_EQ(whole.getBasis(in.dim, bit, axis(d)), part.getBasis(in.dim, bit, axis(d)));
}

TEST(LinearLayout, NumConsecutive) {
  EXPECT_EQ(layoutOf({{64}, {4}, {4}, {2}, {0}}).getNumConsecutive(), 4u);
  EXPECT_EQ(layoutOf({{2}, {4}, {4}, {2}, {0}}).getNumConsecutive(), 2u);
  // One lane holds all elements, so the run continues over the repetitions.
  EXPECT_EQ(layoutOf({{64}, {4}, {1}, {1}, {0}}).getNumConsecutive(), 64u);
  // A lane whose basis overlaps the run ends it.
  LinearLayout skewed({{Dim::Register, 2}, {Dim::Lane, 1}}, {{axis(0), 3}}, {1, 2, 4 | 1});
  EXPECT_EQ(skewed.getNumConsecutive(), 1u);
}

TEST(LinearLayout, Prints) {
  EXPECT_EQ(text(layoutOf({{4, 2}, {1, 2}, {4, 1}, {1, 2}, {1, 0}})),
            "{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [[0, 0]]} -> [dim0: 4, dim1: 2]");
}

} // namespace
