//===- TensorMemoryAccess.cpp - plans accesses of a warp to tensor memory ---------------------------------------===//
//
// The verifiers and the lowering of ttng.tmem_load and ttng.tmem_store use these plans.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/layouts/TensorMemoryAccess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilecc {

std::optional<TensorMemoryAccess> TensorMemoryAccess::plan(const LinearLayout &places, unsigned elementBits) {
  constexpr unsigned laneBits = 5, quarterBits = 2, wordBits = 32, maxWords = 32;
  if (places.getInBits(Dim::Lane) != laneBits || places.getInBits(Dim::Warp) < quarterBits || elementBits > wordBits ||
      elementBits < 8)
    return std::nullopt;
  TensorMemoryAccess access;
  access.perWord = wordBits / elementBits;
  auto row = [&](Dim in, unsigned bit) { return places.getBasis(in, bit, Dim::Row); };
  auto column = [&](Dim in, unsigned bit) { return places.getBasis(in, bit, Dim::Column); };
  auto isAt = [&](Dim in, unsigned bit, unsigned wanted) { return row(in, bit) == wanted && column(in, bit) == 0; };
  // Returns the number of whole words by which the bit moves along the columns, or nothing if the bit moves otherwise.
  auto alongColumns = [&](Dim in, unsigned bit) -> std::optional<unsigned> {
    if (row(in, bit) != 0 || column(in, bit) % access.perWord != 0)
      return std::nullopt;
    return column(in, bit) / access.perWord;
  };

  for (unsigned bit = 0; bit < laneBits - 1; ++bit)
    if (!isAt(Dim::Lane, bit, 1u << bit))
      return std::nullopt;
  if (!isAt(Dim::Lane, laneBits - 1, 16)) {
    std::optional<unsigned> half = alongColumns(Dim::Lane, laneBits - 1);
    if (!half || !isPowerOf2_32(*half))
      return std::nullopt;
    access.shape = Shape::Rows16;
    access.secondHalf = *half;
  }
  for (unsigned bit = 0; bit < places.getInBits(Dim::Warp); ++bit) {
    if (bit < quarterBits) {
      if (!isAt(Dim::Warp, bit, 32u << bit))
        return std::nullopt;
      continue;
    }
    std::optional<unsigned> moved = alongColumns(Dim::Warp, bit);
    if (!moved)
      return std::nullopt;
    access.warpColumns.push_back(*moved);
  }

  // Order the register bits by the column bit that they select: first the bits within a word, then those of adjacent
  // words.
  unsigned registerBits = places.getInBits(Dim::Register);
  auto findBit = [&](unsigned wanted) -> std::optional<unsigned> {
    for (unsigned bit = 0; bit < registerBits; ++bit)
      if (row(Dim::Register, bit) == 0 && column(Dim::Register, bit) == wanted)
        return bit;
    return std::nullopt;
  };
  SmallVector<unsigned> within, neighbours, others;
  for (unsigned bit = 0; bit < Log2_32(access.perWord); ++bit) {
    std::optional<unsigned> found = findBit(1u << bit);
    if (!found)
      return std::nullopt;
    within.push_back(*found);
  }
  for (unsigned words = 1; words < maxWords; words *= 2) {
    std::optional<unsigned> found = findBit(words * access.perWord);
    if (!found)
      break;
    neighbours.push_back(*found);
  }
  for (unsigned bit = 0; bit < registerBits; ++bit)
    if (!is_contained(within, bit) && !is_contained(neighbours, bit)) {
      if (!alongColumns(Dim::Register, bit))
        return std::nullopt;
      others.push_back(bit);
    }
  // Replaces every bit of `index` by the corresponding register bit.
  auto select = [](unsigned index, ArrayRef<unsigned> bits) {
    unsigned selected = 0;
    for (auto [i, bit] : enumerate(bits))
      selected |= (index >> i & 1) << bit;
    return selected;
  };
  for (unsigned number = 0; number < 1u << others.size(); ++number) {
    Instruction &instruction = access.instructions.emplace_back();
    instruction.column = 0;
    for (auto [i, bit] : enumerate(others))
      if (number >> i & 1)
        instruction.column ^= *alongColumns(Dim::Register, bit);
    for (unsigned word = 0; word < 1u << neighbours.size(); ++word)
      for (unsigned part = 0; part < access.perWord; ++part)
        instruction.registers.push_back(select(number, others) | select(word, neighbours) | select(part, within));
  }
  return access;
}

} // namespace tilecc
