//===- Swizzle.cpp - arranges a tile in scratch space for its stores and loads ------------------------------------===//
//
// This file searches, by linear algebra over F2, for offsets with which both the stores and the loads of a conversion
// are wide and free of bank conflicts. ConversionPlan uses the result, and gpu/Movement.cpp generates the code.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/layouts/Swizzle.h"
#include "lowering/layouts/Span.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace llvm;

namespace tilecc {
namespace {

using Vectors = SmallVector<uint64_t, 8>;

/// Returns the number of low lane bits that number the lanes of one wavefront.
unsigned servedLaneBits(unsigned log2AccessBytes) {
  return log2BankRowBytes - std::max(log2AccessBytes, log2BankBytes);
}

/// The layout of one side of the conversion (source or destination), in the form that the search uses.
struct Side {
  Side(const LinearLayout &layout, ArrayRef<uint64_t> moved)
      : registers(layout.getColumns(Dim::Register)), lanes(layout.getColumns(Dim::Lane)), threads(lanes) {
    llvm::append_range(threads, layout.getColumns(Dim::Warp));
    llvm::append_range(threads, moved);
  }
  ArrayRef<uint64_t> getServed(unsigned log2AccessBytes) const {
    return ArrayRef(lanes).take_front(servedLaneBits(log2AccessBytes));
  }
  Vectors registers, lanes;
  Vectors threads; ///< all contributions to an access's address that are computed at run time
};

/// Returns vectors that are in the span of the registers of both sides, but not in that of the thread columns.
Vectors findCommon(const Side &source, const Side &destination, unsigned most) {
  Vectors common;
  Span threads, ofDestination(destination.registers);
  for (uint64_t column : llvm::concat<const uint64_t>(source.threads, destination.threads))
    threads.insert(column);
  auto take = [&](uint64_t vector) {
    if (common.size() < most && threads.insert(vector))
      common.push_back(vector);
  };
  for (uint64_t column : source.registers)
    if (ofDestination.contains(column))
      take(column);
  // Also try sums of columns, for registers of the source that depend on the destination's registers and earlier ones.
  Span both = ofDestination;
  Vectors inserted;
  Span ownOnly;
  for (auto [i, column] : enumerate(source.registers)) {
    if (std::optional<uint64_t> sum = both.solve(column)) {
      uint64_t vector = column;
      for (auto [j, earlier] : enumerate(inserted))
        if (*sum >> (32 + j) & 1)
          vector ^= earlier;
      take(vector);
    } else {
      both.insert(column, 32 + inserted.size());
      inserted.push_back(column);
    }
  }
  return common;
}

/// One choice of access widths. The accesses of both sides cover the vectors `common`; the accesses of the side `owner`
/// also cover the vectors `own`.
class Candidate {
public:
  Candidate(const Side &owner, const Side &other, const Vectors &common, unsigned ownBits, unsigned bits,
            unsigned log2ElementBytes)
      : owner(owner), other(other), common(common), bits(bits), log2ElementBytes(log2ElementBytes) {
    Span taken(common);
    for (uint64_t vector : owner.threads)
      taken.insert(vector);
    for (uint64_t vector : owner.registers)
      if (own.size() < ownBits && leavesCommonAligned(vector) && taken.insert(vector))
        own.push_back(vector);
    isPossible = own.size() == ownBits;
  }

  /// Returns the offset of each unit vector, or nothing if the widths are incompatible.
  std::optional<Vectors> solve(unsigned wantedRoundBits) {
    if (!isPossible || !placeInAccess())
      return std::nullopt;
    placeInBanks();
    placeInRounds(wantedRoundBits);
    return complete();
  }
  bool isPossible;
  /// The number of round bits of the solution: the wanted number, or less if threads and accesses leave fewer bits
  /// free.
  unsigned roundBits = 0;

private:
  unsigned getAccessBits() const { return common.size() + own.size(); }
  /// Returns the first bit that selects a bank, for a side whose accesses cover 2^`accessBits` elements.
  unsigned firstBankBit(unsigned accessBits) const {
    return std::max(accessBits + log2ElementBytes, log2BankBytes) - log2ElementBytes;
  }

  /// Returns true if the accesses of the other side can still be aligned when those of the owner also cover `vector`.
  bool leavesCommonAligned(uint64_t vector) const {
    Span span(own);
    span.insert(vector);
    for (uint64_t column : llvm::concat<const uint64_t>(owner.threads, other.threads))
      span.insert(column);
    return llvm::all_of(common, [&](uint64_t column) { return span.insert(column); });
  }

  /// Assigns the bits within an access. Returns false if some thread's access would be unaligned.
  bool placeInAccess() {
    SpannedMap ofCommon, ofOwn;
    for (auto [i, vector] : enumerate(common)) {
      ofCommon.add(vector, uint64_t(1) << i);
      ofOwn.add(vector, 0);
    }
    for (auto [i, vector] : enumerate(own)) {
      ofCommon.add(vector, 0);
      ofOwn.add(vector, uint64_t(1) << (common.size() + i));
    }
    for (uint64_t vector : llvm::concat<const uint64_t>(owner.threads, other.threads))
      if (!ofCommon.add(vector, 0) && ofCommon.at(vector) != 0)
        return false;
    for (uint64_t vector : owner.threads)
      if (!ofOwn.add(vector, 0) && ofOwn.at(vector) != 0)
        return false;
    // For the side that is not the owner, the owner's bits above a word select banks. If these bits do not distinguish
    // the lanes of that side yet, they are changed so that they do. The owner's registers are then in a rotated order.
    unsigned first = firstBankBit(common.size());
    bankBitsOfAccess = maskTrailingOnes<uint64_t>(getAccessBits()) & maskTrailingZeros<uint64_t>(first);
    Span told;
    for (uint64_t lane : other.getServed(common.size() + log2ElementBytes))
      if (ofOwn.isFixed(lane))
        told.insert(ofOwn.at(lane) & bankBitsOfAccess);
    for (uint64_t lane : other.getServed(common.size() + log2ElementBytes)) {
      if (ofOwn.isFixed(lane)) {
        told.insert(ofOwn.at(lane) & bankBitsOfAccess);
        continue;
      }
      uint64_t image = 0;
      for (unsigned bit = first; bit < getAccessBits() && !image; ++bit)
        if (told.insert(uint64_t(1) << bit))
          image = uint64_t(1) << bit;
      ofOwn.add(lane, image);
    }
    inCommon = ofCommon.complete(bits);
    inOwn = ofOwn.complete(bits);
    return true;
  }

  uint64_t inAccess(uint64_t vector) const {
    uint64_t result = 0;
    for (unsigned bit = 0; bit < bits; ++bit)
      if (vector >> bit & 1)
        result ^= inCommon[bit] ^ inOwn[bit];
    return result;
  }

  /// Assigns the bank bits, as the header describes.
  void placeInBanks() {
    SpannedMap banks;
    unsigned position = firstBankBit(getAccessBits()), end = std::min(log2BankRowBytes - log2ElementBytes, bits);
    Vectors access = common;
    llvm::append_range(access, own);
    for (uint64_t vector : access)
      banks.add(vector, 0);
    if (bits > log2BankRowBytes - log2ElementBytes) { // otherwise the whole tile is in one row of banks
      ArrayRef<uint64_t> x = owner.getServed(getAccessBits() + log2ElementBytes);
      // Collect the lanes of the other side that are not distinguished yet.
      Vectors y;
      SmallVector<std::pair<uint64_t, uint64_t>> echelon;
      for (uint64_t lane : other.getServed(common.size() + log2ElementBytes)) {
        uint64_t image = inAccess(lane) & bankBitsOfAccess;
        for (auto [known, vector] : echelon)
          if (image & bit_floor(known)) {
            image ^= known;
            lane ^= vector;
          }
        if (image)
          echelon.push_back({image, lane});
        else if (lane)
          y.push_back(lane);
      }
      // Compute I, E and F, all modulo the bits within an access.
      Span all, ofX;
      Vectors i, e, f, inserted;
      for (uint64_t vector : access)
        all.insert(vector);
      ofX = all;
      for (uint64_t vector : x)
        if (all.insert(vector, 1 + inserted.size()))
          inserted.push_back(vector);
      for (uint64_t vector : y) {
        std::optional<uint64_t> sum = all.solve(vector);
        if (!sum) {
          all.insert(vector);
          f.push_back(vector);
          continue;
        }
        uint64_t shared = 0;
        for (auto [j, column] : enumerate(inserted))
          if (*sum >> (1 + j) & 1)
            shared ^= column;
        if (ofX.insert(shared))
          i.push_back(shared);
      }
      for (uint64_t vector : inserted)
        if (ofX.insert(vector))
          e.push_back(vector);
      auto next = [&] { return position < end ? uint64_t(1) << position++ : 0; };
      for (uint64_t vector : i)
        banks.add(vector, next());
      for (unsigned j = 0; j < std::max(e.size(), f.size()); ++j) {
        uint64_t bank = next();
        if (j < e.size())
          banks.add(e[j], bank);
        if (j < f.size())
          banks.add(f[j], bank);
      }
    }
    inBanks = banks.complete(bits);
  }

  /// Assigns the round bits, to which neither threads nor the bits within an access may contribute.
  void placeInRounds(unsigned wanted) {
    SpannedMap rounds;
    for (uint64_t vector : llvm::concat<const uint64_t>(owner.threads, other.threads, common, own))
      rounds.add(vector, 0);
    Vectors rest;
    for (unsigned bit = 0; bit < bits; ++bit)
      if (!rounds.isFixed(uint64_t(1) << bit)) {
        // Fix the bits one at a time, so that each bit is independent of the previous bits. The last bits select the
        // round.
        rest.push_back(uint64_t(1) << bit);
        rounds.add(uint64_t(1) << bit, 0);
      }
    roundBits = std::min<unsigned>(wanted, rest.size());
    // Build the map again, now that the last bits are known.
    SpannedMap last;
    for (uint64_t vector : llvm::concat<const uint64_t>(owner.threads, other.threads, common, own))
      last.add(vector, 0);
    for (auto [i, vector] : enumerate(rest))
      last.add(vector, i + roundBits >= rest.size() ? uint64_t(1) << (bits - (rest.size() - i)) : 0);
    inRounds = last.complete(bits);
  }

  /// Adds coordinates until the map is invertible.
  Vectors complete() const {
    Vectors columns;
    for (unsigned bit = 0; bit < bits; ++bit)
      columns.push_back(inCommon[bit] ^ inOwn[bit] ^ inBanks[bit] ^ inRounds[bit]);
    // Each row of the matrix is the linear form that computes one bit of the offset.
    Span forms;
    SmallVector<uint64_t> formOf(bits, 0);
    for (unsigned position = 0; position < bits; ++position) {
      for (unsigned bit = 0; bit < bits; ++bit)
        formOf[position] |= (columns[bit] >> position & 1) << bit;
      if (formOf[position])
        forms.insert(formOf[position]);
    }
    unsigned next = 0;
    for (unsigned position = 0; position < bits; ++position) {
      if (formOf[position])
        continue;
      uint64_t form;
      do { // a coordinate, minus its contribution to the bits within an access
        form = uint64_t(1) << next++;
        for (auto [i, vector] : enumerate(llvm::concat<const uint64_t>(common, own)))
          if (vector >> (next - 1) & 1)
            form ^= formOf[i];
      } while (!forms.insert(form));
      for (unsigned bit = 0; bit < bits; ++bit)
        columns[bit] |= (form >> bit & 1) << position;
    }
    return columns;
  }

  const Side &owner, &other;
  Vectors common, own;
  unsigned bits, log2ElementBytes;
  uint64_t bankBitsOfAccess = 0;
  Vectors inCommon, inOwn, inBanks, inRounds;
};

} // namespace

unsigned countBankUses(const LinearLayout &offsets, unsigned accessBits, unsigned log2ElementBytes) {
  unsigned log2AccessBytes = accessBits + log2ElementBytes;
  // bits within the units that banks serve
  unsigned unitBits = std::max(log2AccessBytes, log2BankBytes) - log2ElementBytes;
  unsigned served = std::min(servedLaneBits(log2AccessBytes), offsets.getInBits(Dim::Lane));
  uint64_t bankMask = maskTrailingOnes<uint64_t>(log2BankRowBytes - log2ElementBytes - unitBits);
  Span units, banks;
  for (uint64_t column : offsets.getColumns(Dim::Lane).take_front(served)) {
    units.insert(column >> unitBits);
    banks.insert(column >> unitBits & bankMask);
  }
  unsigned turns = offsets.getInBits(Dim::Lane) - served;
  return 1u << (turns + units.size() - banks.size());
}

Swizzle::Swizzle(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes, uint64_t maxBytes,
                 ArrayRef<uint64_t> moved, bool mustFit)
    : log2ElementBytes(Log2_32(elementBytes)) {
  unsigned bits = source.getTotalOutBits(), widest = log2WidestAccess - log2ElementBytes;
  Side from(source, {}), to(destination, moved);
  Vectors common = findCommon(from, to, widest);
  unsigned wanted = 0;
  while (wanted < bits && (elementBytes << bits >> wanted) > maxBytes)
    ++wanted;

  std::optional<unsigned> best;
  auto attempt = [&](const Side &owner, const Side &other, unsigned ownBits) {
    Candidate candidate(owner, other, common, ownBits, bits, log2ElementBytes);
    unsigned accessBits = common.size() + ownBits;
    std::optional<Vectors> columns = candidate.solve(wanted);
    if (!columns)
      return;
    Swizzle previous = *this;
    LinearLayout::Extents ins(source.getOuts().begin(), source.getOuts().end());
    toOffset = LinearLayout(ins, {{Dim::Offset, bits}}, *columns);
    assert(toOffset.isInvertible() && "two elements in one place");
    storeBits = &owner == &from ? accessBits : common.size();
    loadBits = &owner == &to ? accessBits : common.size();
    roundBits = candidate.roundBits;
    constexpr unsigned costOfTooLarge = 1 << 20;
    unsigned cost = getCost(source, destination) + (mustFit ? (wanted - roundBits) * costOfTooLarge : 0);
    if (best && *best <= cost)
      *this = previous;
    else
      best = cost;
  };
  for (;; common.pop_back()) {
    attempt(from, to, 0);
    for (unsigned ownBits = 1; common.size() + ownBits <= widest; ++ownBits) {
      // If several candidates have the same cost, the first one is chosen. For 16-bit elements, the order below prefers
      // wide loads, because stores may use matrix instructions.
      bool loadsFirst = elementBytes == 2;
      attempt(loadsFirst ? to : from, loadsFirst ? from : to, ownBits);
      attempt(loadsFirst ? from : to, loadsFirst ? to : from, ownBits);
    }
    // Narrower accesses leave more bits to select rounds.
    if (!mustFit || common.empty())
      break;
  }
  assert(best && "without wide accesses every tile has a place");
}

SmallVector<Swizzle::Access> Swizzle::getAccesses(const LinearLayout &side, unsigned accessBits) const {
  MapVector<uint64_t, Access> accesses;
  unsigned shift = toOffset.getTotalOutBits() - roundBits;
  LinearLayout offsets = side.compose(toOffset);
  for (unsigned reg = 0; reg < 1u << side.getInBits(Dim::Register); ++reg) {
    uint64_t offset = offsets.apply(uint64_t(reg)), first = offset >> accessBits << accessBits;
    Access &access = accesses[first];
    access.round = offset >> shift;
    access.offset = first & maskTrailingOnes<uint64_t>(shift);
    access.registers.resize(1u << accessBits);
    access.registers[offset - first] = reg;
  }
  SmallVector<Access> result;
  for (auto &[first, access] : accesses)
    result.push_back(std::move(access));
  return result;
}

unsigned Swizzle::getCost(const LinearLayout &source, const LinearLayout &destination) const {
  auto costOf = [&](const LinearLayout &side, unsigned accessBits) {
    unsigned accesses = 1u << (side.getInBits(Dim::Register) - accessBits);
    return accesses * (4 * countBankUses(side.compose(toOffset), accessBits, log2ElementBytes) + 2);
  };
  return costOf(source, storeBits) + costOf(destination, loadBits);
}

} // namespace tilecc
