//===- LaneExchange.cpp - exchanges within a warp by shuffles -----------------------------------------------------===//
//
// Given a linear layout that maps destination locations to source locations, this file plans the exchange of registers
// between lanes. ConversionPlan uses the plan, and gpu/Movement.cpp generates the code.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/layouts/LaneExchange.h"
#include "lowering/layouts/Span.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilecc {

/// Returns the renaming of registers by a linear function of the thread, given by its columns.
static Renaming makeRenaming(ArrayRef<uint64_t> columns) {
  Renaming result;
  Span span;
  for (auto [bit, column] : enumerate(columns)) {
    std::optional<uint64_t> sum = span.solve(column);
    if (!sum) {
      span.insert(column, result.steps.size());
      result.steps.push_back({unsigned(column), uint64_t(1) << bit});
      continue;
    }
    for (auto [i, step] : enumerate(result.steps))
      if (*sum >> i & 1)
        step.threadBits |= uint64_t(1) << bit;
  }
  return result;
}

std::optional<LaneExchange> LaneExchange::create(const LinearLayout &fetch) {
  SmallVector<uint64_t> a, b, c, d;
  unsigned laneBits = fetch.getInBits(Dim::Lane), warpBits = fetch.getInBits(Dim::Warp);
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (unsigned bit = 0; bit < fetch.getInBits(dim); ++bit) {
      if (fetch.getBasis(dim, bit, Dim::Warp) != (dim == Dim::Warp ? 1u << bit : 0))
        return std::nullopt;
      (dim == Dim::Register ? a : b).push_back(fetch.getBasis(dim, bit, Dim::Register));
      // A thread fetches from its own warp.
      (dim == Dim::Register ? c : d)
          .push_back(fetch.getBasis(dim, bit, Dim::Lane) | (dim == Dim::Warp ? uint64_t(1) << (laneBits + bit) : 0));
    }
  unsigned threadBits = laneBits + warpBits, registerBits = a.size();
  auto applyTo = [](ArrayRef<uint64_t> columns, uint64_t index) {
    uint64_t result = 0;
    for (auto [bit, column] : enumerate(columns))
      if (index >> bit & 1)
        result ^= column;
    return result;
  };

  // Find threads (XORs of unit vectors) that fetch from the same lane as thread 0, but from another register.
  Span asked, wanted;
  SmallVector<uint64_t> independent, clashing;
  SpannedMap after;
  for (unsigned bit = 0; bit < threadBits; ++bit) {
    uint64_t thread = uint64_t(1) << bit;
    if (std::optional<uint64_t> sum = asked.solve(d[bit])) {
      for (auto [i, earlier] : enumerate(independent))
        if (*sum >> i & 1)
          thread ^= earlier;
      uint64_t other = applyTo(b, thread);
      if (std::optional<uint64_t> same = wanted.solve(other)) {
        for (auto [i, earlier] : enumerate(clashing))
          if (*same >> i & 1)
            thread ^= earlier;
        after.add(thread, 0); // this thread fetches from the same register after all
      } else {
        wanted.insert(other, clashing.size());
        clashing.push_back(thread);
      }
    } else {
      asked.insert(d[bit], independent.size());
      independent.push_back(thread);
      after.add(thread, 0);
    }
  }
  unsigned reg = 0;
  for (uint64_t thread : clashing) {
    while (reg < registerBits && !asked.insert(c[reg]))
      ++reg;
    if (reg == registerBits)
      return std::nullopt;
    after.add(thread, uint64_t(1) << reg++);
  }

  LaneExchange result;
  SmallVector<uint64_t> shift = after.complete(threadBits);
  result.after = makeRenaming(shift);
  // Given `after`: the lane from which shuffle 0 of a thread fetches, and the register that it needs there.
  SpannedMap before;
  bool keepsLane = true;
  for (unsigned bit = 0; bit < threadBits; ++bit) {
    uint64_t lane = d[bit] ^ applyTo(c, shift[bit]), from = b[bit] ^ applyTo(a, shift[bit]);
    before.add(lane, from);
    result.lanes.push_back(lane & maskTrailingOnes<uint64_t>(laneBits));
    keepsLane &= lane == uint64_t(1) << bit;
  }
  SmallVector<uint64_t> rename = before.complete(threadBits);
  result.before = makeRenaming(rename);
  for (uint64_t r = 0; r < uint64_t(1) << registerBits; ++r) {
    result.lane.push_back(applyTo(c, r));
    result.sent.push_back(applyTo(a, r) ^ applyTo(rename, applyTo(c, r)));
  }
  result.isLocal = keepsLane && all_of(c, [](uint64_t column) { return column == 0; });
  Span sent;
  for (unsigned bit = 0; bit < registerBits; ++bit)
    if (c[bit] == 0 && sent.insert(a[bit]))
      result.packable.push_back(bit);
  return result;
}

ArrayRef<unsigned> LaneExchange::getPacked(unsigned elementBytes) const {
  unsigned fits = elementBytes < 4 ? 2 - Log2_32(elementBytes) : 0;
  return ArrayRef(packable).take_front(fits);
}

unsigned LaneExchange::getCost(unsigned sourceRegisters, unsigned elementBytes) const {
  constexpr unsigned shuffleCost = 5, selectCost = 2, packCost = 2;
  unsigned words = elementBytes == 8 ? 2 : 1, packed = getPacked(elementBytes).size();
  unsigned shuffles = isLocal ? 0 : sent.size() * words >> packed;
  unsigned selects = (before.steps.size() * sourceRegisters + after.steps.size() * sent.size()) * words;
  return shuffles * shuffleCost + selects * selectCost + (packed && shuffles ? sent.size() * packCost : 0);
}

} // namespace tilecc
