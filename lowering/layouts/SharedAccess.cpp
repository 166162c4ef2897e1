//===- SharedAccess.cpp - plans accesses of a warp to shared memory -----------------------------------------------===//
//
// This file chooses between vector accesses and matrix loads, and counts the wavefronts of the choice. Local loads and
// stores use these plans, and so does the choice of shared encodings.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/layouts/SharedAccess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilecc {

SharedAccess::SharedAccess(const LinearLayout &places, unsigned elementBytes, unsigned contiguous, bool mayUseMatrices,
                           ArrayRef<unsigned> registerOrder)
    : addresses(places) {
  SmallVector<unsigned> order(registerOrder);
  for (unsigned bit = 0; order.size() < places.getInBits(Dim::Register); ++bit)
    if (!is_contained(order, bit))
      order.push_back(bit);
  if (mayUseMatrices && elementBytes <= 4 && contiguous * elementBytes >= 16 &&
      (useMatrices(places, elementBytes, order) || (elementBytes == 2 && useTransposedMatrices(places, order))))
    return;
  // Find registers that are adjacent in memory. All other bits must keep the access aligned.
  unsigned widest = Log2_32(std::min<unsigned>(contiguous, 16 / elementBytes));
  auto registers = places.getColumns(Dim::Register);
  for (bool found = true; found && within.size() < widest;) {
    found = false;
    for (auto [bit, column] : enumerate(registers))
      if (column == uint64_t(1) << within.size()) {
        within.push_back(bit);
        found = true;
        break;
      }
  }
  auto isAligned = [&] {
    uint64_t low = maskTrailingOnes<uint64_t>(within.size());
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
      for (auto [bit, column] : enumerate(places.getColumns(dim)))
        if ((column & low) && !(dim == Dim::Register && is_contained(within, bit)))
          return false;
    return true;
  };
  while (!isAligned())
    within.pop_back();
}

/// Returns true if no register column except the given ones changes the lowest `bits` bits of the offset. Ignores
/// lanes.
static bool othersMoveBy(const LinearLayout &places, unsigned bits, ArrayRef<unsigned> registers) {
  uint64_t low = maskTrailingOnes<uint64_t>(bits);
  for (auto [bit, column] : enumerate(places.getColumns(Dim::Register)))
    if ((column & low) && !is_contained(registers, bit))
      return false;
  return all_of(places.getColumns(Dim::Warp), [&](uint64_t column) { return !(column & low); });
}

bool SharedAccess::useMatrices(const LinearLayout &places, unsigned elementBytes, ArrayRef<unsigned> registerOrder) {
  ArrayRef<uint64_t> lanes = places.getColumns(Dim::Lane), registers = places.getColumns(Dim::Register);
  // bits of an offset within a word, and within a row
  unsigned wordBits = 2 - Log2_32(elementBytes), rowBits = wordBits + 2;
  SmallVector<unsigned> word;
  for (unsigned bit = 0; bit < wordBits; ++bit) {
    auto it = find(registers, uint64_t(1) << bit);
    if (it == registers.end())
      return false;
    word.push_back(it - registers.begin());
  }
  if (lanes.size() != 5 || lanes[0] != uint64_t(1) << wordBits || lanes[1] != uint64_t(2) << wordBits ||
      ((lanes[2] | lanes[3] | lanes[4]) & maskTrailingOnes<uint64_t>(rowBits)) || !othersMoveBy(places, rowBits, word))
    return false;
  kind = Kind::Matrices;
  within = word;
  takeMatrices(places, lanes.drop_front(2), registerOrder);
  return true;
}

bool SharedAccess::useTransposedMatrices(const LinearLayout &places, ArrayRef<unsigned> registerOrder) {
  ArrayRef<uint64_t> lanes = places.getColumns(Dim::Lane), registers = places.getColumns(Dim::Register);
  // The 8 elements of a row go to lanes that differ in their upper three bits. The two elements of a word come from two
  // rows.
  if (lanes.size() != 5 || lanes[2] != 1 || lanes[3] != 2 || lanes[4] != 4 || ((lanes[0] | lanes[1]) & 7) ||
      registers.empty() || !othersMoveBy(places, 3, {}))
    return false;
  kind = Kind::TransposedMatrices;
  within = {0}; // adjacent within a word of the destination registers
  takeMatrices(places, {registers[0], lanes[0], lanes[1]}, registerOrder);
  return true;
}

/// Combines up to four matrices, which are numbered by the remaining register bits. Lane 8 i + r supplies the address
/// of row r of matrix i.
void SharedAccess::takeMatrices(const LinearLayout &places, ArrayRef<uint64_t> rowColumns,
                                ArrayRef<unsigned> registerOrder) {
  for (unsigned bit : registerOrder)
    if (matrices.size() < 2 && !is_contained(within, bit))
      matrices.push_back(bit);
  SmallVector<uint64_t> columns(places.getColumns(Dim::Register));
  append_range(columns, rowColumns);
  for (unsigned bit : matrices)
    columns.push_back(places.getColumns(Dim::Register)[bit]);
  columns.resize(places.getInBits(Dim::Register) + 5, 0); // lanes beyond the rows of the matrices
  append_range(columns, places.getColumns(Dim::Warp));
  addresses = LinearLayout(LinearLayout::Extents(places.getIns()), LinearLayout::Extents(places.getOuts()), columns);
}

SmallVector<SmallVector<unsigned>> SharedAccess::getRegisters() const {
  SmallVector<unsigned> inner(within);
  append_range(inner, matrices);
  SmallVector<SmallVector<unsigned>> accesses;
  for (unsigned first = 0; first < 1u << addresses.getInBits(Dim::Register); ++first) {
    if (any_of(inner, [&](unsigned bit) { return first >> bit & 1; }))
      continue;
    auto &registers = accesses.emplace_back();
    for (unsigned i = 0; i < 1u << inner.size(); ++i) {
      unsigned reg = first;
      for (auto [position, bit] : enumerate(inner))
        reg |= (i >> position & 1) << bit;
      registers.push_back(reg);
    }
  }
  return accesses;
}

/// The number of instructions before the accesses that compute a lane's bits and addresses.
static constexpr unsigned exchangeSetup = 8;

void SharedAccess::avoidConflicts(unsigned elementBytes) {
  if (kind != Kind::Vectors || getWidth() * elementBytes < 4)
    return;
  unsigned numRegisters = addresses.getInBits(Dim::Register);
  auto exchange = [&](unsigned lane, unsigned reg) {
    SmallVector<uint64_t> columns;
    for (LinearLayout::Extent in : addresses.getIns())
      append_range(columns, addresses.getColumns(in.dim));
    columns[numRegisters + lane] ^= columns[reg];
    SharedAccess other = *this;
    other.addresses =
        LinearLayout(LinearLayout::Extents(addresses.getIns()), LinearLayout::Extents(addresses.getOuts()), columns);
    other.exchanges.push_back({lane, reg});
    return other;
  };
  // Each word needs a select, and two selects take as long as a wavefront.
  unsigned numAccesses = 1u << (numRegisters - within.size());
  unsigned selections = numAccesses * getWidth() * elementBytes / 4 + exchangeSetup;
  unsigned numLanes = addresses.getInBits(Dim::Lane), least = countWavefronts(elementBytes);
  unsigned fewest = std::max(1u, (getWidth() * elementBytes << numLanes) / 128);
  for (unsigned lane = 0; lane < numLanes && least > fewest; ++lane)
    for (unsigned reg = 0; reg < numRegisters; ++reg) {
      if (is_contained(within, reg))
        continue;
      SharedAccess other = exchange(lane, reg);
      unsigned wavefronts = other.countWavefronts(elementBytes);
      if (wavefronts < least && 2 * numAccesses * (least - wavefronts) > selections) {
        least = wavefronts;
        *this = other;
        break;
      }
    }
}

unsigned SharedAccess::countWavefronts(unsigned elementBytes) const {
  // Lanes are served in groups that access 128 bytes together. Each distinct word of a group is fetched once.
  unsigned bytes = kind == Kind::Vectors ? getWidth() * elementBytes : 16;
  unsigned numLanes = kind == Kind::Vectors ? 1u << addresses.getInBits(Dim::Lane) : 8 * getNumMatrices();
  unsigned atOnce = std::min(32u, 128 / bytes), wavefronts = 0;
  for (unsigned first = 0; first < numLanes; first += atOnce) {
    SmallVector<uint64_t> words;
    for (unsigned lane = first; lane < std::min(numLanes, first + atOnce); ++lane) {
      uint64_t address = addresses.apply(uint64_t(lane) << addresses.getInBits(Dim::Register)) * elementBytes;
      for (unsigned byte = 0; byte < bytes; byte += 4)
        words.push_back((address + byte) / 4);
    }
    sort(words);
    words.erase(unique(words), words.end());
    SmallVector<unsigned> uses(32, 0);
    for (uint64_t word : words)
      ++uses[word % 32];
    wavefronts += *std::max_element(uses.begin(), uses.end());
  }
  return wavefronts;
}

} // namespace tilecc
