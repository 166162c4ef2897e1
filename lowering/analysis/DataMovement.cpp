//===- DataMovement.cpp - plans of data movement between threads --------------------------------------------------===//
//
// This file plans conversions, reductions, scans, atomics and staged dots from their linear layouts, and determines the
// scratch space that each operation needs.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/analysis/GatherPlan.h"
#include "lowering/analysis/Models.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

unsigned tilecc::getBytesInMemory(Type element) { return std::max(8u, tt::getElementBits(element)) / 8; }

//===--- conversions ----------------------------------------------------------------------------------------------===//

/// Returns true if each bit of `dim` is fetched from the same bit of the same dimension, and from no other.
static bool staysInPlace(const LinearLayout &fetch, Dim dim) {
  for (unsigned bit = 0; bit < fetch.getInBits(dim); ++bit)
    for (Dim to : {Dim::Register, Dim::Lane, Dim::Warp})
      if (fetch.getBasis(dim, bit, to) != (to == dim ? 1u << bit : 0))
        return false;
  return true;
}

/// Returns true if some bit of `from` affects the index along `to` from which an element is fetched.
static bool reaches(const LinearLayout &fetch, Dim from, Dim to) {
  for (unsigned bit = 0; bit < fetch.getInBits(from); ++bit)
    if (fetch.getBasis(from, bit, to))
      return true;
  return false;
}

/// Returns true if each warp stores its elements of `source` to a part of `scratch` that no other warp uses in any
/// round. (All rounds use the same memory.)
static bool hasRoundsAlike(const Swizzle &scratch, const LinearLayout &source) {
  LinearLayout offsets = source.compose(scratch.toOffset);
  uint64_t inRound = llvm::maskTrailingOnes<uint64_t>(offsets.getTotalOutBits() - scratch.roundBits);
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (uint64_t column : offsets.getColumns(dim))
      if ((column & ~inRound) && ((column & inRound) || dim != Dim::Register))
        return false;
  return true;
}

ConversionPlan::ConversionPlan(const LinearLayout &source, const LinearLayout &destination, unsigned elementBytes,
                               unsigned bytesOfRound, bool mustFit, bool mayStayApart)
    : source(source), destination(destination) {
  std::optional<LinearLayout> from = destination.fetchFrom(source);
  assert(from && "layouts of the same tile hold the same elements");
  fetch = *from;
  bool withinWarp = staysInPlace(fetch, Dim::Warp) && !reaches(fetch, Dim::Register, Dim::Warp) &&
                    !reaches(fetch, Dim::Lane, Dim::Warp);
  bool withinThread = withinWarp && staysInPlace(fetch, Dim::Lane) && !reaches(fetch, Dim::Register, Dim::Lane);
  kind = Kind::Registers;
  if (withinThread)
    return;
  kind = Kind::Shuffles;
  exchange = LaneExchange::create(fetch);
  if (exchange)
    cost = exchange->getCost(1u << source.getInBits(Dim::Register), elementBytes);
  bool staysApart = mayStayApart && withinWarp && source.getInBits(Dim::Warp) && !source.getFreeBits(Dim::Warp);
  unsigned barriers = source.getInBits(Dim::Warp) && !staysApart ? costOfBarriers : costOfWarpBarriers;
  if (exchange && cost <= barriers)
    return;
  scratch = Swizzle(source, destination, elementBytes, bytesOfRound, {}, mustFit);
  unsigned costOfShared = scratch->getCost(source, destination) + barriers * scratch->getNumRounds();
  if (exchange && cost <= costOfShared) {
    scratch.reset();
    return;
  }
  exchange.reset();
  kind = Kind::Shared;
  isWithinWarps = staysApart && hasRoundsAlike(*scratch, source);
  cost = costOfShared;
}

ConversionPlan tilecc::planConversion(RankedTensorType source, RankedTensorType destination, unsigned bytesOfRound,
                                      bool mustFit) {
  return ConversionPlan(ttg::toLinearLayout(source), ttg::toLinearLayout(destination),
                        getBytesInMemory(source.getElementType()), bytesOfRound, mustFit, /*mayStayApart=*/true);
}

ConversionPlan tilecc::planConversion(ttg::ConvertLayoutOp op) {
  auto most = op->getAttrOfType<IntegerAttr>(maxBytesOfRoundAttr),
       wanted = op->getAttrOfType<IntegerAttr>(bytesOfRoundAttr);
  IntegerAttr bytes = most ? most : wanted;
  return planConversion(op.getSrc().getType(), op.getType(), bytes ? bytes.getInt() : ConversionPlan::bytesOfRound,
                        bool(most));
}

ConversionPlan tilecc::planMovement(Operation *op) {
  auto operand = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  LinearLayout from = ttg::toLinearLayout(operand), to = ttg::toLinearLayout(result);
  unsigned bytes = getBytesInMemory(result.getElementType());
  // If any order of the elements is permitted, each thread keeps its elements, unless several threads hold the same.
  if (auto reshape = dyn_cast<tt::ReshapeOp>(op); reshape && reshape.getAllowReorder() &&
                                                  from.getInBits(Dim::Register) == to.getInBits(Dim::Register) &&
                                                  from.isInjective() && to.isInjective())
    return ConversionPlan(to, to, bytes);
  // If the operation has one result, a thread can rename its registers before the conversion. If it has several
  // results, a thread may not hold all of them. It can then hold the elements from which they are computed.
  auto renaming = cast<tt::LayoutTransform>(op);
  return op->getNumResults() > 1 ? ConversionPlan(from, *renaming.transformLayoutBack(to), bytes)
                                 : ConversionPlan(*renaming.transformLayout(from), to, bytes);
}

//===--- reductions -----------------------------------------------------------------------------------------------===//

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

//===--- scans ----------------------------------------------------------------------------------------------------===//

/// Returns the bits of `dim` that change the coordinate along the axis. The second number of each pair is what the bit
/// adds to the coordinate.
static SmallVector<std::pair<unsigned, uint32_t>> bitsAlong(const LinearLayout &layout, Dim dim, unsigned axisIndex) {
  SmallVector<std::pair<unsigned, uint32_t>> bits;
  for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit)
    if (uint32_t step = layout.getBasis(dim, bit, axis(axisIndex)))
      bits.push_back({bit, step});
  return bits;
}

bool ScanPlan::canScan(const LinearLayout &layout, unsigned axisIndex) {
  uint32_t expected = 1;
  auto registers = bitsAlong(layout, Dim::Register, axisIndex);
  auto nextRegister = registers.begin();
  auto takeRegisters = [&] {
    for (; nextRegister != registers.end() && nextRegister->second == expected; ++nextRegister)
      expected *= 2;
  };
  takeRegisters();
  for (Dim dim : {Dim::Lane, Dim::Warp}) {
    auto bits = bitsAlong(layout, dim, axisIndex);
    for (auto [i, entry] : llvm::enumerate(bits)) {
      if (entry.second != expected || entry.first != bits.front().first + i)
        return false;
      expected *= 2;
    }
  }
  takeRegisters();
  if (nextRegister != registers.end())
    return false;
  // No bit may change the coordinates along both this axis and another one.
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (auto [bit, step] : bitsAlong(layout, dim, axisIndex))
      for (unsigned d = 0; d < layout.getOuts().size(); ++d)
        if (d != axisIndex && layout.getBasis(dim, bit, axis(d)))
          return false;
  return true;
}

ScanPlan::ScanPlan(tt::ScanOp op) : source(ttg::toLinearLayout(op.getInputTypes().front())), axisIndex(op.getAxis()) {
  assert(canScan(source, axisIndex) && "verifyLayouts lets no other layout through");
  auto lanes = bitsAlong(source, Dim::Lane, axisIndex), warps = bitsAlong(source, Dim::Warp, axisIndex);
  laneBits = lanes.size();
  warpBits = warps.size();
  firstLaneBit = lanes.empty() ? 0 : lanes.front().first;
  firstWarpBit = warps.empty() ? 0 : warps.front().first;
  uint32_t behind = lanes.empty() ? (warps.empty() ? 0 : warps.front().second) : lanes.front().second;
  for (auto [bit, step] : bitsAlong(source, Dim::Register, axisIndex))
    ++(!behind || step < behind ? registerBits : chunkBits);
  RankedTensorType type = op.getInputTypes().front();
  int64_t totals = type.getNumElements() / type.getDimSize(axisIndex) * getNumChunks() * getNumWarps();
  unsigned bytes = 0;
  for (Type element : op.getElementTypes()) {
    scratchOffsets.push_back(bytes);
    bytes += llvm::alignTo(totals * getBytesInMemory(element), 16);
  }
  scratchOffsets.push_back(bytes);
}

//===--- atomic accesses ------------------------------------------------------------------------------------------===//

AtomicPlan::AtomicPlan(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  bool wanted = !op->getResult(0).use_empty();
  unsigned bytes = getBytesInMemory(getElementTypeOrSelf(op->getResult(0).getType()));
  if (!type) {
    scratchBytes = wanted ? bytes : 0;
    return;
  }
  SmallVector<Dim> outs;
  for (unsigned d = type.getRank(); d-- > 0;)
    outs.push_back(axis(d));
  LinearLayout ordered = ttg::toLinearLayout(type).transposeOuts(outs);
  layout = ordered.reshapeOuts({{Dim::Offset, ordered.getTotalOutBits()}});
  bool hasCopies = layout->getFreeBits(Dim::Lane) || layout->getFreeBits(Dim::Warp);
  scratchBytes = wanted && hasCopies ? type.getNumElements() * bytes : 0;
}

//===--- calls of code for threads --------------------------------------------------------------------------------===//

std::optional<SharedArguments> tilecc::planSharedArguments(tt::CallThreadsOp op) {
  if (op.getKind() != tt::ThreadCallKind::SHARED)
    return std::nullopt;
  constexpr unsigned alignment = 16; // of vector accesses
  SharedArguments plan;
  MLIRContext *context = op.getContext();
  for (Type type : op.getResultTypes()) {
    auto tile = cast<RankedTensorType>(type);
    auto order = llvm::to_vector(llvm::reverse(llvm::seq(unsigned(tile.getRank()))));
    auto encoding = ttg::SwizzledSharedEncodingAttr::get(context, /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1, order);
    plan.memories.push_back(ttg::MemDescType::get(tile.getShape(), tile.getElementType(), encoding,
                                                  ttg::SharedMemorySpaceAttr::get(context), /*isMutable=*/true));
    plan.offsets.push_back(plan.bytes);
    plan.bytes += llvm::alignTo(tile.getNumElements() * getBytesInMemory(tile.getElementType()), alignment);
  }
  return plan;
}

//===--- dots -----------------------------------------------------------------------------------------------------===//

bool tilecc::isStaged(tt::DotOp op) {
  return !isa<ttg::DotOperandEncodingAttr>(cast<RankedTensorType>(op.getA().getType()).getEncoding());
}

/// The approximate number of multiply-adds in one iteration of a staged dot's loop. It is large enough to hide the next
/// loads, and small enough for the instruction cache.
constexpr unsigned operationsPerIteration = 1024;

static unsigned getStagedSteps(tt::DotOp op) {
  auto a = cast<RankedTensorType>(op.getA().getType());
  unsigned sums = ttg::getElementsPerThread(cast<RankedTensorType>(op.getType()));
  unsigned depth = a.getDimSize(a.getRank() - 1);
  return std::min(depth, std::max(4u, llvm::bit_floor(operationsPerIteration / sums)));
}

static StagingPlan::Operand planOperand(tt::DotOp op, unsigned i, unsigned steps) {
  auto type = cast<RankedTensorType>(op->getOperand(i).getType());
  auto encoding =
      ttg::DotOperandEncodingAttr::get(op.getContext(), i, cast<RankedTensorType>(op.getType()).getEncoding());
  auto wanted = RankedTensorType::get(type.getShape(), type.getElementType(), encoding);
  LinearLayout source = ttg::toLinearLayout(type), destination = ttg::toLinearLayout(wanted);
  // The counter of the loop provides the high bits of the coordinate along the contracted axis.
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

//===--- operations that need scratch space -----------------------------------------------------------------------===//

namespace {

template <typename OpT, unsigned (*bytesOf)(OpT)>
struct ScratchModel : tt::UsesScratch::ExternalModel<ScratchModel<OpT, bytesOf>, OpT> {
  unsigned getScratchBytes(Operation *op) const { return bytesOf(cast<OpT>(op)); }
};

/// Attaches an external model that returns `bytesOf` to each `OpT`.
template <auto bytesOf, typename... OpT> void attachScratch(MLIRContext *context) {
  (OpT::template attachInterface<ScratchModel<OpT, [](OpT op) -> unsigned { return bytesOf(op); }>>(*context), ...);
}

unsigned bytesOfConversion(ttg::ConvertLayoutOp op) { return planConversion(op).getScratchBytes(); }
unsigned bytesOfGather(tt::GatherOp op) { return GatherPlan(op).getScratchBytes(); }
unsigned bytesOfHistogram(tt::HistogramOp op) {
  return op.getType().getNumElements() * getBytesInMemory(op.getType().getElementType());
}
unsigned bytesOfDot(tt::DotOp op) { return isStaged(op) ? StagingPlan(op).bytes : 0; }
unsigned bytesOfReduction(tt::ReduceOp op) {
  ReductionPlan plan(op);
  return plan.needsScratch() ? plan.scratchOffsets.back() : 0;
}
unsigned bytesOfScan(tt::ScanOp op) {
  ScanPlan plan(op);
  return plan.needsScratch() ? plan.scratchOffsets.back() : 0;
}
/// Returns the scratch space of a call: for the result of the one thread that executes it, or for all of its tiles in
/// shared memory, which are placed one after the other.
unsigned bytesOfCall(tt::CallThreadsOp op) {
  if (op.getKind() == tt::ThreadCallKind::ONCE)
    return op.getNumResults() ? getBytesInMemory(op.getResultTypes().front()) : 0;
  std::optional<SharedArguments> shared = planSharedArguments(op);
  return shared ? shared->bytes : 0;
}
unsigned bytesOfAtomic(Operation *op) { return AtomicPlan(op).scratchBytes; }

} // namespace

void tilecc::registerScratchModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tt::TTDialect *, ttg::TTGDialect *) {
    attachScratch<bytesOfConversion, ttg::ConvertLayoutOp>(context);
    attachScratch<bytesOfGather, tt::GatherOp>(context);
    attachScratch<bytesOfHistogram, tt::HistogramOp>(context);
    attachScratch<bytesOfDot, tt::DotOp>(context);
    attachScratch<bytesOfReduction, tt::ReduceOp>(context);
    attachScratch<bytesOfScan, tt::ScanOp>(context);
    attachScratch<bytesOfAtomic, tt::AtomicRMWOp, tt::AtomicCASOp>(context);
    attachScratch<bytesOfCall, tt::CallThreadsOp>(context);
  });
}

void tilecc::registerAnalysisModels(DialectRegistry &registry) {
  registerAxisInfoModels(registry);
  registerScratchModels(registry);
}

unsigned tilecc::getScratchBytes(Operation *op) {
  if (isa<tt::LayoutTransform>(op))
    return planMovement(op).getScratchBytes();
  auto user = dyn_cast<tt::UsesScratch>(op);
  return user ? user.getScratchBytes() : 0;
}

bool tilecc::waitsWithinWarps(Operation *op) {
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op))
    return planConversion(convert).isWithinWarps;
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return GatherPlan(gather).isWithinWarps;
  return isa<ttng::TensormapCreateOp>(op);
}
