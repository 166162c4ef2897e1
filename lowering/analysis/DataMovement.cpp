#include "lowering/analysis/DataMovement.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

unsigned tilecc::getBytesInMemory(Type element) { return std::max(8u, tt::getElementBits(element)) / 8; }

//===--- conversions ------------------------------------------------------------------------------------------------===//

/// True if bit i of `dim` always is fetched from the same bit of the same dimension, and from there alone.
static bool staysInPlace(const LinearLayout &fetch, Dim dim) {
  for (unsigned bit = 0; bit < fetch.getInBits(dim); ++bit)
    for (Dim to : {Dim::Register, Dim::Lane, Dim::Warp})
      if (fetch.getBasis(dim, bit, to) != (to == dim ? 1u << bit : 0))
        return false;
  return true;
}

/// True if some bit of `from` decides from which `to` is fetched.
static bool reaches(const LinearLayout &fetch, Dim from, Dim to) {
  for (unsigned bit = 0; bit < fetch.getInBits(from); ++bit)
    if (fetch.getBasis(from, bit, to))
      return true;
  return false;
}

/// Tiles that are larger go through shared memory in rounds if their layouts allow it: enough for accesses to overlap,
/// little enough not to be what decides how many programs fit on a multiprocessor.
constexpr unsigned bytesOfRound = 32 * 1024;
/// What two barriers cost, in units of an addition of every thread (Swizzle::getCost, LaneExchange::getCost).
constexpr unsigned barriersCost = 100;

ConversionPlan::ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes)
    : source(source), destination(destination) {
  std::optional<LinearLayout> from = destination.fetchFrom(source);
  assert(from && "layouts of the same tile hold the same elements");
  fetch = *from;
  bool withinThread = staysInPlace(fetch, Dim::Warp) && staysInPlace(fetch, Dim::Lane) &&
                      !reaches(fetch, Dim::Register, Dim::Warp) && !reaches(fetch, Dim::Register, Dim::Lane);
  kind = Kind::Registers;
  if (withinThread)
    return;
  kind = Kind::Shuffles;
  exchange = LaneExchange::create(fetch);
  unsigned cost = exchange ? exchange->getCost(1u << source.getInBits(Dim::Register), elementBytes) : 0;
  if (exchange && cost <= barriersCost)
    return;
  scratch = Swizzle(source, destination, elementBytes, bytesOfRound);
  if (exchange && cost <= scratch->getCost(source, destination) + barriersCost * scratch->getNumRounds()) {
    scratch.reset();
    return;
  }
  exchange.reset();
  kind = Kind::Shared;
}

ConversionPlan tilecc::planConversion(RankedTensorType source, RankedTensorType destination) {
  return ConversionPlan(ttg::toLinearLayout(source), ttg::toLinearLayout(destination),
                        getBytesInMemory(source.getElementType()));
}

ConversionPlan tilecc::planReshape(tt::ReshapeOp op) {
  RankedTensorType from = op.getSrc().getType(), to = op.getType();
  // Row-major: the last axis owns the lowest bits of an element's number.
  auto reversedAxes = [](unsigned rank) {
    SmallVector<Dim> dims;
    for (unsigned d = rank; d-- > 0;)
      dims.push_back(axis(d));
    return dims;
  };
  SmallVector<Dim> places = {Dim::Register, Dim::Lane, Dim::Warp};
  LinearLayout::Extents outs;
  for (unsigned d = to.getRank(); d-- > 0;)
    outs.push_back({axis(d), llvm::Log2_64(to.getDimSize(d))});
  SmallVector<Dim> natural(llvm::reverse(reversedAxes(to.getRank())));
  LinearLayout source = ttg::toLinearLayout(from)
                            .transpose(places, reversedAxes(from.getRank()))
                            .reshapeOuts(outs)
                            .transpose(places, natural);
  return ConversionPlan(source, ttg::toLinearLayout(to), getBytesInMemory(from.getElementType()));
}

//===--- reductions -------------------------------------------------------------------------------------------------===//

ReductionPlan::ReductionPlan(tt::ReduceOp op)
    : source(ttg::toLinearLayout(op.getInputTypes().front())), axisIndex(op.getAxis()) {
  for (unsigned bit = 0; bit < source.getInBits(Dim::Lane); ++bit)
    if (source.getBasis(Dim::Lane, bit, axis(axisIndex)))
      laneBits.push_back(bit);
  for (unsigned bit = 0; bit < source.getInBits(Dim::Warp); ++bit)
    if (source.getBasis(Dim::Warp, bit, axis(axisIndex)))
      warpBits.push_back(bit);
  RankedTensorType type = op.getInputTypes().front();
  resultElements = type.getNumElements() / type.getDimSize(axisIndex);
  unsigned bytes = 0;
  for (Type element : op.getElementTypes()) {
    scratchOffsets.push_back(bytes);
    bytes += llvm::alignTo(resultElements * getNumPartials() * getBytesInMemory(element), 16);
  }
  scratchOffsets.push_back(bytes);
}

//===--- products ---------------------------------------------------------------------------------------------------===//

bool tilecc::isStaged(tt::DotOp op) {
  return !isa<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(op.getA().getType()).getEncoding());
}

/// Multiplications and additions of one round of a staged product's loop, about: enough to hide the loads of the next
/// behind, little enough for the instruction cache.
constexpr unsigned operationsPerRound = 1024;

static unsigned getStagedSteps(tt::DotOp op) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  unsigned sums = ttg::getElementsPerThread(cast<RankedTensorType>(op.getType()));
  unsigned depth = a.getDimSize(a.getRank() - 1);
  return std::min(depth, std::max(4u, llvm::bit_floor(operationsPerRound / sums)));
}

static StagingPlan::Operand planOperand(tt::DotOp op, unsigned i, unsigned steps) {
  auto type = cast<RankedTensorType>(op->getOperand(i).getType());
  auto encoding = ttg::DotOperandEncodingAttr::get(op.getContext(), i,
                                                   cast<RankedTensorType>(op.getType()).getEncoding());
  auto wanted = RankedTensorType::get(type.getShape(), type.getElementType(), encoding);
  LinearLayout source = ttg::toLinearLayout(type), destination = ttg::toLinearLayout(wanted);
  // The loop's counter is the high bits of the place along the contracted axis.
  Dim k = axis(i == 0 ? type.getRank() - 1 : type.getRank() - 2);
  SmallVector<uint64_t> moved;
  unsigned shift = 0;
  for (LinearLayout::Extent e : source.getOuts()) {
    for (unsigned bit = llvm::Log2_32(steps); e.dim == k && bit < e.bits; ++bit)
      moved.push_back(uint64_t(1) << (shift + bit));
    shift += e.bits;
  }
  Swizzle scratch(source, destination, getBytesInMemory(type.getElementType()), UINT64_MAX, moved);
  SmallVector<uint64_t> counter(scratch.toOffset.getColumns(k).drop_front(llvm::Log2_32(steps)));
  return {std::move(source), std::move(destination), std::move(scratch), std::move(counter)};
}

StagingPlan::StagingPlan(tt::DotOp op)
    : steps(getStagedSteps(op)), a(planOperand(op, 0, steps)), b(planOperand(op, 1, steps)) {
  offsetOfB = llvm::alignTo(a.scratch.getBytes(), 16);
  bytes = offsetOfB + b.scratch.getBytes();
}

unsigned tilecc::getScratchBytes(Operation *op) {
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    return planConversion(convert.getSrc().getType(), convert.getType()).getScratchBytes();
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op))
    return planReshape(reshape).getScratchBytes();
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return isStaged(dot) ? StagingPlan(dot).bytes : 0;
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    ReductionPlan plan(reduce);
    return plan.needsScratch() ? plan.scratchOffsets.back() : 0;
  }
  return 0;
}
