//===- GatherPlan.cpp - plans of gathers --------------------------------------------------------------------------===//
//
// Given the layouts and the facts about the indices, this file chooses whether a gather is an exchange between lanes, a
// series of shuffles, or goes through scratch space.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/GatherPlan.h"
#include "lowering/analysis/DataMovement.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

static const Dim places[] = {Dim::Register, Dim::Lane, Dim::Warp};

/// The target size of a round, in bytes per thread. It is large enough for accesses to overlap.
constexpr unsigned bytesOfRoundPerThread = 32;

GatherPlan::GatherPlan(tt::GatherOp op)
    : source(ttg::toLinearLayout(op.getSrc().getType())), result(ttg::toLinearLayout(op.getType())),
      axisIndex(op.getAxis()), exchangedBits(op.getExchangedBits()) {
  if (planExchange()) {
    kind = Kind::Exchange;
    return;
  }
  bool isOwn = findLocationsInWarp();
  if (isOwn && isCheapByShuffles()) {
    kind = Kind::Shuffles;
    return;
  }
  isWithinWarps = isOwn && !source.getFreeBits(Dim::Warp);
  planScratch(getBytesInMemory(op.getSrc().getType().getElementType()));
}

bool GatherPlan::planExchange() {
  if (!exchangedBits || source != result)
    return false;
  LinearLayout::Index coordinates;
  for (LinearLayout::Extent out : source.getOuts())
    coordinates.push_back({out.dim, out.dim == axis(axisIndex) ? uint32_t(*exchangedBits) : 0});
  for (auto [dim, distance] : source.pseudoInvert().apply(coordinates)) {
    if (dim == Dim::Register)
      registerDistance = distance;
    else if (dim == Dim::Lane)
      laneDistance = distance;
    else if (distance != 0)
      return false;
  }
  return true;
}

/// Returns `layout` with the extents of `source`, and without the contribution along the gathered axis. The index
/// provides this contribution instead. (The sizes of source and result along the axis may differ.)
static LinearLayout withoutAxis(const LinearLayout &layout, const LinearLayout &source, unsigned axisIndex) {
  SmallVector<uint64_t> columns;
  for (Dim dim : places)
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (LinearLayout::Extent out : source.getOuts()) {
        if (out.dim != axis(axisIndex))
          column |= uint64_t(layout.getBasis(dim, bit, out.dim)) << shift;
        shift += out.bits;
      }
      columns.push_back(column);
    }
  return {LinearLayout::Extents(layout.getIns()), LinearLayout::Extents(source.getOuts()), columns};
}

bool GatherPlan::findLocationsInWarp() {
  LinearLayout wanted = withoutAxis(result, source, axisIndex);
  std::optional<LinearLayout> fetch = wanted.fetchFrom(source);
  if (!fetch)
    return false;
  fromLocation = *fetch;
  LinearLayout inverse = source.pseudoInvert();
  unsigned indexBits = source.getOutBits(axis(axisIndex));
  fromIndex = inverse.sublayout({axis(axisIndex)}, places);
  SmallVector<uint64_t> indexColumns(fromIndex.getColumns(axis(axisIndex)));
  fromIndex = LinearLayout({{Dim::Offset, indexBits}}, LinearLayout::Extents(fromIndex.getOuts()), indexColumns);

  // A warp may fetch only elements of its own threads.
  for (unsigned bit = 0; bit < indexBits; ++bit)
    if (fromIndex.getBasis(Dim::Offset, bit, Dim::Warp))
      return false;
  for (Dim dim : places)
    for (unsigned bit = 0; bit < fromLocation.getInBits(dim); ++bit)
      if (fromLocation.getBasis(dim, bit, Dim::Warp) != (dim == Dim::Warp ? 1u << bit : 0))
        return false;
  return true;
}

bool GatherPlan::isCheapByShuffles() {
  // Collect all registers from which threads may fetch, relative to those that the result's register determines.
  SmallVector<unsigned> span = {0};
  auto add = [&](unsigned column) {
    if (llvm::is_contained(span, column))
      return;
    for (unsigned i = 0, count = span.size(); i < count; ++i)
      span.push_back(span[i] ^ column);
  };
  for (unsigned bit = 0; bit < fromIndex.getInBits(Dim::Offset); ++bit)
    add(fromIndex.getBasis(Dim::Offset, bit, Dim::Register));
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (unsigned bit = 0; bit < fromLocation.getInBits(dim); ++bit)
      add(fromLocation.getBasis(dim, bit, Dim::Register));
  candidates = span;

  // Compare the cost of shuffles and selects, one per candidate, with the cost of a store, a barrier and a load.
  unsigned sources = 1u << source.getInBits(Dim::Register), results = 1u << result.getInBits(Dim::Register);
  constexpr unsigned barrierCost = 16;
  return 2 * candidates.size() * results <= 2 * (sources + results) + barrierCost;
}

//===--- scratch space --------------------------------------------------------------------------------------------===//

/// Returns `layout` with row-major offsets as its output.
static LinearLayout inMemory(const LinearLayout &layout) {
  SmallVector<Dim> outs;
  for (unsigned d = layout.getOuts().size(); d-- > 0;)
    outs.push_back(axis(d));
  LinearLayout ordered = layout.transposeOuts(outs);
  return ordered.reshapeOuts({{Dim::Offset, ordered.getTotalOutBits()}});
}

/// Returns `layout` with `change` applied to each column of its offsets.
static LinearLayout changeOffsets(const LinearLayout &layout, unsigned bits,
                                  llvm::function_ref<uint64_t(uint64_t)> change) {
  SmallVector<uint64_t> columns;
  for (Dim dim : places)
    for (uint64_t column : layout.getColumns(dim))
      columns.push_back(change(column));
  return {LinearLayout::Extents(layout.getIns()), {{Dim::Offset, bits}}, columns};
}

/// Returns the bit of the register that alone determines the given bit of the offsets, if there is one.
static std::optional<unsigned> findRegisterBit(const LinearLayout &layout, unsigned offsetBit) {
  std::optional<unsigned> found;
  for (Dim dim : places)
    for (auto [bit, column] : llvm::enumerate(layout.getColumns(dim))) {
      if (!(column >> offsetBit & 1))
        continue;
      if (dim != Dim::Register || column != uint64_t(1) << offsetBit || found)
        return std::nullopt;
      found = bit;
    }
  return found;
}

void GatherPlan::planScratch(unsigned elementBytes) {
  for (LinearLayout::Extent out : ArrayRef(source.getOuts()).drop_front(axisIndex + 1))
    indexShift += out.bits;
  stored = inMemory(source);
  loaded = inMemory(result);
  unsigned indexBits = source.getOutBits(axis(axisIndex)), resultBits = result.getOutBits(axis(axisIndex));
  if (!exchangedBits)
    loaded = changeOffsets(loaded, source.getTotalOutBits(), [&](uint64_t column) {
      uint64_t below = column & ((uint64_t(1) << indexShift) - 1), above = column >> (indexShift + resultBits);
      return below | above << (indexShift + indexBits);
    });
  uint64_t enough =
      (bytesOfRoundPerThread << (source.getInBits(Dim::Lane) + source.getInBits(Dim::Warp))) / elementBytes;
  for (unsigned bit = stored.getTotalOutBits();
       isWithinWarps && bit-- > 0 && uint64_t(1) << stored.getTotalOutBits() > enough;)
    if (bit < indexShift || bit >= indexShift + indexBits)
      planRound(bit);
  scratchBytes = elementBytes << stored.getTotalOutBits();
}

/// Makes a bit of the offsets select the round, if only registers determine it on both sides.
void GatherPlan::planRound(unsigned offsetBit) {
  auto ofSource = findRegisterBit(stored, offsetBit), ofResult = findRegisterBit(loaded, offsetBit);
  if (!ofSource || !ofResult)
    return;
  roundBits.push_back({*ofSource, *ofResult});
  unsigned bits = stored.getTotalOutBits() - 1;
  auto drop = [&](uint64_t column) {
    uint64_t below = column & ((uint64_t(1) << offsetBit) - 1);
    return below | column >> (offsetBit + 1) << offsetBit;
  };
  stored = changeOffsets(stored, bits, drop);
  loaded = changeOffsets(loaded, bits, drop);
  indexShift -= offsetBit < indexShift;
}

unsigned GatherPlan::getRoundOfSource(unsigned reg) const {
  unsigned round = 0;
  for (auto [i, bits] : llvm::enumerate(roundBits))
    round |= (reg >> bits.first & 1) << i;
  return round;
}
unsigned GatherPlan::getRoundOfResult(unsigned reg) const {
  unsigned round = 0;
  for (auto [i, bits] : llvm::enumerate(roundBits))
    round |= (reg >> bits.second & 1) << i;
  return round;
}
