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

/// How many registers of another lane a lane may need for one of its own: 2^n, as its own lane number decides.
static unsigned laneDependentBits(const LinearLayout &fetch) {
  return fetch.sublayout({Dim::Lane}, {Dim::Register}).rank();
}

ConversionPlan::ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
                               bool mustStage)
    : source(source), destination(destination), elementBytes(elementBytes) {
  std::optional<LinearLayout> from = destination.fetchFrom(source);
  assert(from && "layouts of the same tile hold the same elements");
  fetch = *from;
  bool withinWarp = staysInPlace(fetch, Dim::Warp) && !reaches(fetch, Dim::Register, Dim::Warp) &&
                    !reaches(fetch, Dim::Lane, Dim::Warp);
  if (!mustStage && withinWarp && staysInPlace(fetch, Dim::Lane) && !reaches(fetch, Dim::Register, Dim::Lane)) {
    kind = Kind::Registers;
    return;
  }
  // A shuffle costs about as much as a store to shared memory and a load; beyond two for each register they lose.
  if (!mustStage && withinWarp && laneDependentBits(fetch) <= 1) {
    kind = Kind::Shuffles;
    return;
  }
  kind = Kind::Shared;
  unsigned rank = destination.getOuts().size(), widest = std::max(1u, 16 / elementBytes);
  auto widthOf = [&](const LinearLayout &layout) {
    return std::min(inMemoryOrder(layout).getNumConsecutive(), widest);
  };
  for (unsigned fastest = rank; fastest-- > 0;) {
    SmallVector<unsigned> candidate = {fastest};
    for (unsigned d = rank; d-- > 0;)
      if (d != fastest)
        candidate.push_back(d);
    candidate.swap(order);
    unsigned store = widthOf(source), load = widthOf(destination);
    if (candidate.empty() || store + load > storeWidth + loadWidth) {
      storeWidth = store;
      loadWidth = load;
    } else {
      candidate.swap(order);
    }
  }
  // Rows shorter than an access are left dense, since an access may span several of them.
  bool isPadded = rank > 1 && (elementBytes << getRowBits()) >= 16;
  padding = isPadded ? std::max({storeWidth, loadWidth, std::max(1u, 4 / elementBytes)}) : 0;
}

LinearLayout ConversionPlan::inMemoryOrder(const LinearLayout &layout) const {
  SmallVector<Dim> outs;
  for (unsigned d : order)
    outs.push_back(axis(d));
  LinearLayout ordered = layout.transpose({Dim::Register, Dim::Lane, Dim::Warp}, outs);
  return ordered.reshapeOuts({{Dim::Offset, ordered.getTotalOutBits()}});
}

uint64_t ConversionPlan::getNumber(const LinearLayout::Index &coordinates) const {
  uint64_t number = 0;
  unsigned shift = 0;
  for (unsigned d : order) {
    number |= uint64_t(coordinates[d].second) << shift;
    shift += destination.getOutBits(axis(d));
  }
  return number;
}

uint64_t ConversionPlan::getPosition(uint64_t number) const { return number + (number >> getRowBits()) * padding; }

unsigned ConversionPlan::getScratchBytes() const {
  if (kind != Kind::Shared)
    return 0;
  uint64_t elements = uint64_t(1) << destination.getTotalOutBits();
  return getPosition(elements) * elementBytes;
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

static ConversionPlan planOperand(tt::DotOp op, unsigned i) {
  auto type = cast<RankedTensorType>(op->getOperand(i).getType());
  auto encoding = ttg::DotOperandEncodingAttr::get(op.getContext(), i,
                                                   cast<RankedTensorType>(op.getType()).getEncoding());
  auto wanted = RankedTensorType::get(type.getShape(), type.getElementType(), encoding);
  return ConversionPlan(ttg::toLinearLayout(type), ttg::toLinearLayout(wanted),
                        getBytesInMemory(type.getElementType()), /*mustStage=*/true);
}

StagingPlan::StagingPlan(tt::DotOp op) : a(planOperand(op, 0)), b(planOperand(op, 1)) {
  offsetOfB = llvm::alignTo(a.getScratchBytes(), 16);
  bytes = offsetOfB + b.getScratchBytes();
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
