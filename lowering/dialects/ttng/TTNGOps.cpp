//===- TTNGOps.cpp - Hopper's operations: registration and verification -------------------------------------------===//
//
// Verifies the operands of the operations and defines their effects on shared memory.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/ImageBlocks.h"
#include "lowering/dialects/ttng/TTNGBarriers.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttng;

#include "lowering/dialects/ttng/TTNGDialect.cpp.inc"

/// `, %barrier[%pred], %barrier[%pred]`
static ParseResult parseBarriersAndPreds(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &barriers,
                                         SmallVectorImpl<OpAsmParser::UnresolvedOperand> &predicates) {
  while (succeeded(parser.parseOptionalComma()))
    if (parser.parseOperand(barriers.emplace_back()) || parser.parseLSquare() ||
        parser.parseOperand(predicates.emplace_back()) || parser.parseRSquare())
      return failure();
  return success();
}
static void printBarriersAndPreds(OpAsmPrinter &printer, Operation *, OperandRange barriers, OperandRange predicates) {
  for (auto [barrier, predicate] : llvm::zip_equal(barriers, predicates))
    printer << ", " << barrier << "[" << predicate << "]";
}

#define GET_OP_CLASSES
#include "lowering/dialects/ttng/TTNGOps.cpp.inc"

void TTNGDialect::initialize() {
  addTensorMemoryAttributes();
  addOperations<
#define GET_OP_LIST
#include "lowering/dialects/ttng/TTNGOps.cpp.inc"
      >();
}

void WarpGroupDotOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    if (isa<ttg::MemDescType>(operand->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), operand, ttg::SharedMemory::get());
  // The number of pending dots is a state of the warp group, on which waits depend.
  if (getIsAsync())
    effects.emplace_back(MemoryEffects::Write::get(), ttg::SharedMemory::get());
}

void WarpGroupDotOp::getSharedEffects(SmallVectorImpl<ttg::SharedEffect> &effects) {
  for (Value operand : {getA(), Value(getB())})
    if (isa<ttg::MemDescType>(operand.getType()))
      effects.push_back({operand, /*isWrite=*/false, getIsAsync() ? ttg::SharedWait::Dots : ttg::SharedWait::Nothing,
                         ttg::Proxy::Async});
}

ttg::SharedWait WarpGroupDotOp::getSharedWait() {
  return getIsAsync() ? ttg::SharedWait() : ttg::SharedWait{ttg::SharedWait::Dots, 0};
}

ttg::SharedWait WarpGroupDotWaitOp::getSharedWait() { return {ttg::SharedWait::Dots, getPendings()}; }

bool WarpGroupDotOp::isLayoutAnchor(unsigned) { return true; }

LogicalResult WarpGroupDotOp::verifyLayouts() { return success(); } // verify() has checked them

unsigned WarpGroupDotOp::getPreciseDepth() {
  unsigned most = accumulatesInTensorMemory(*this) ? 0 : getMaxNumImpreciseAcc(); // tensor memory keeps full precision
  auto a = cast<ShapedType>(getA().getType());
  if (most == 0 || most > a.getDimSize(1) || !isa<FloatType>(a.getElementType()) || a.getElementTypeBitWidth() != 8)
    return 0;
  unsigned instruction = cast<ttg::NvidiaMmaEncodingAttr>(getD().getType().getEncoding()).getInstrShape()[2];
  return std::max(most / instruction, 1u) * instruction;
}

LogicalResult WarpGroupDotOp::verify() {
  RankedTensorType type = getD().getType();
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(type.getEncoding());
  bool hasRows = isa<ttg::BlockedEncodingAttr>(type.getEncoding());
  bool ofTensorMemory = hasRows && type.getRank() == 2 && type.getDimSize(0) >= 64;
  if (!ofTensorMemory && (!mma || !mma.isWarpGroup()))
    return emitOpError(
               "leaves a result encoded #ttg.nvidia_mma with versionMajor = 3, or #ttg.blocked with a row for each "
               "thread, not ")
           << type;
  auto a = cast<ShapedType>(getA().getType());
  ttg::MemDescType b = getB().getType();
  ArrayRef<int64_t> d = getD().getType().getShape();
  auto getDepth = [](int64_t size, std::optional<tt::ScaleDotElemType> type) {
    return type ? size * tt::DotScaledOp::getNumbersPerElement(*type) : size;
  };
  if (a.getRank() != 2 || b.getRank() != 2 || d.size() != 2 || a.getDimSize(0) != d[0] || b.getDimSize(1) != d[1] ||
      getDepth(a.getDimSize(1), getAType()) != getDepth(b.getDimSize(0), getBType()))
    return emitOpError("multiplies MxK by KxN to MxN, not ") << a << " by " << b << " to " << getD().getType();
  if (bool(getAScale()) != bool(getBScale()) || bool(getAScale()) != bool(getAType()) ||
      bool(getAScale()) != bool(getBType()) || (getAScale() && !ofTensorMemory))
    return emitOpError(
        "has scales of both operands and the types of their numbers, in tensor memory, or none of these");
  for (Type operand : {Type(a), Type(b)}) {
    auto memory = dyn_cast<ttg::MemDescType>(operand);
    if (memory && !isa<ttg::NVMMASharedEncodingAttr>(memory.getEncoding()))
      return emitOpError("takes tiles in shared memory encoded #ttg.nvmma_shared, not ") << memory;
    if (memory && memory.getShape() != memory.getAllocShape())
      return emitOpError("takes whole tiles in shared memory, not a part of one: ") << memory;
  }
  if (ofTensorMemory) {
    auto left = dyn_cast<RankedTensorType>(getA().getType());
    for (RankedTensorType tile : {type, left})
      if (tile && !planTensorMemoryAccess(tile, getTensorMemoryType(tile)))
        return emitOpError("has rows of ") << tile << " that no instruction moves to tensor memory";
    for (Value scale : {getAScale(), getBScale()})
      if (auto tile = scale ? cast<RankedTensorType>(scale.getType()) : RankedTensorType();
          tile && !planTensorMemoryAccess(tile, getTensorMemoryScalesType(tile)))
        return emitOpError("has scales ") << tile << " that no instruction moves to tensor memory";
    return success();
  }
  if (auto tile = dyn_cast<RankedTensorType>(getA().getType())) {
    auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(tile.getEncoding());
    if (!operand || operand.getOpIdx() != 0 || operand.getParent() != mma)
      return emitOpError("takes its left operand from registers as operand 0 of the result's layout, not as ") << tile;
  }
  ArrayRef<unsigned> shape = mma.getInstrShape(), warps = mma.getWarpsPerCTA();
  // Warp groups that have no rows or no columns of their own compute the same as others.
  if (d[0] % 64 != 0 || d[1] % shape[1] != 0 || a.getDimSize(1) % shape[2] != 0)
    return emitOpError() << "computes whole instructions of " << shape[1] << " columns and " << shape[2]
                         << " of the inner dimension, in " << warps[0] << " x " << warps[1] << " warps, and "
                         << getD().getType() << " is none";
  return success();
}

//===--- barriers in memory ---------------------------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// Only initializing and invalidating the mbarrier count as writes to its memory. Other accesses need a barrier of all
/// threads between themselves and such a write. No access is moved across any of these operations.
void ttng::addBarrierEffects(Effects &effects, OpOperand &barrier, bool isWrite) {
  if (isWrite)
    effects.emplace_back(MemoryEffects::Write::get(), &barrier, ttg::SharedMemory::get());
  else
    effects.emplace_back(MemoryEffects::Read::get(), &barrier, ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), ttg::SharedMemory::get());
}

void InitBarrierOp::getEffects(Effects &effects) { addBarrierEffects(effects, getAllocMutable(), /*isWrite=*/true); }
void InvalBarrierOp::getEffects(Effects &effects) { addBarrierEffects(effects, getAllocMutable(), /*isWrite=*/true); }
void WaitBarrierOp::getEffects(Effects &effects) { addBarrierEffects(effects, getAllocMutable(), /*isWrite=*/false); }
void ArriveBarrierOp::getEffects(Effects &effects) { addBarrierEffects(effects, getAllocMutable(), /*isWrite=*/false); }
bool ArriveBarrierOp::signalsForAllThreads() { return !getPerWarp() && getRead().empty(); }
void AsyncCopyMbarrierArriveOp::getEffects(Effects &effects) {
  addBarrierEffects(effects, getBarrierMutable(), /*isWrite=*/false);
}

void BarrierExpectOp::getEffects(Effects &effects) { addBarrierEffects(effects, getAllocMutable(), /*isWrite=*/false); }

ttg::SharedWait WaitBarrierOp::getSharedWait() {
  return getPred() ? ttg::SharedWait() : ttg::SharedWait{ttg::SharedWait::Tiles, 0, llvm::to_vector(getDeps())};
}

LogicalResult ttng::verifyBarrier(Operation *op, ttg::MemDescType type) {
  if (type.getShape() != ArrayRef<int64_t>(1) || !type.getElementType().isInteger(64) || !type.getMutableMemory())
    return op->emitOpError("takes a barrier, a mutable tile of one i64 in shared memory, not ") << type;
  return success();
}
static LogicalResult verifyCount(Operation *op, uint32_t count) {
  if (count < 1 || count >= 1 << 20)
    return op->emitOpError("counts from 1 to 1048575 arrivals, not ") << int32_t(count);
  return success();
}

LogicalResult InitBarrierOp::verify() {
  return success(succeeded(verifyBarrier(*this, getAlloc().getType())) && succeeded(verifyCount(*this, getCount())));
}
LogicalResult InvalBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }
LogicalResult WaitBarrierOp::verify() { return verifyBarrier(*this, getAlloc().getType()); }
LogicalResult ArriveBarrierOp::verify() {
  if (getByDots() && (getRead().empty() || getPerWarp() || getCount() != 1))
    return emitOpError("is executed by asynchronous dots: it names the tiles that they read, has a count of 1, and is "
                       "not executed by each warp");
  return success(succeeded(verifyBarrier(*this, getAlloc().getType())) && succeeded(verifyCount(*this, getCount())));
}
LogicalResult BarrierExpectOp::verify() {
  return success(succeeded(verifyBarrier(*this, getAlloc().getType())) && succeeded(verifyCount(*this, getSize())));
}
LogicalResult AsyncCopyMbarrierArriveOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }

//===--- copies of blocks -----------------------------------------------------------------------------------------===//

void AsyncTMACopyGlobalToLocalOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getDescMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getResultMutable(), ttg::SharedMemory::get());
  addBarrierEffects(effects, getBarrierMutable(), /*isWrite=*/false);
}

void AsyncTMACopyGlobalToLocalOp::getSharedEffects(SmallVectorImpl<ttg::SharedEffect> &effects) {
  effects.push_back({getResult(), /*isWrite=*/true, ttg::SharedWait::Copies, ttg::Proxy::Async});
}

/// Verifies a copy between `memory` and a block of `descriptor` at the given number of coordinates.
static LogicalResult verifyBlock(Operation *op, tt::TensorDescType descriptor, unsigned coordinates,
                                 ttg::MemDescType memory) {
  RankedTensorType block = descriptor.getSignlessBlockType();
  if (int64_t(coordinates) != block.getRank())
    return op->emitOpError("has ") << coordinates << " coordinates of blocks of rank " << block.getRank();
  // The tile in memory may omit leading axes of size one.
  ArrayRef<int64_t> shape = block.getShape();
  bool areOnes = llvm::all_of(shape.drop_back(std::min(shape.size(), memory.getShape().size())),
                              [](int64_t size) { return size == 1; });
  if (!areOnes || memory.getShape() != shape.take_back(memory.getRank()) ||
      memory.getElementType() != block.getElementType())
    return op->emitOpError("copies blocks ") << block << ", not " << memory;
  auto encoding = dyn_cast<ttg::NVMMASharedEncodingAttr>(memory.getEncoding());
  auto described = dyn_cast_or_null<ttg::NVMMASharedEncodingAttr>(block.getEncoding());
  if (!encoding || encoding.getTransposed() ||
      (described && described.getOfRank(memory.getRank()).getSwizzlingByteWidth() != encoding.getSwizzlingByteWidth()))
    return op->emitOpError("has memory that is laid out otherwise than the descriptor says: ") << memory;
  // A tensor map has up to 256 elements along an axis. Only along the outermost axis are several such boxes contiguous.
  constexpr int64_t maxAlongAxis = 256;
  ArrayRef<int64_t> rows = memory.getShape().drop_back().drop_while([](int64_t size) { return size == 1; });
  for (int64_t size : rows.drop_front(rows.empty() ? 0 : 1))
    if (size > maxAlongAxis)
      return op->emitOpError("copies blocks of at most ")
             << maxAlongAxis << " elements along an inner axis, not " << block;
  return success();
}

LogicalResult AsyncTMACopyGlobalToLocalOp::verify() {
  if (!getResult().getType().getMutableMemory())
    return emitOpError("copies to mutable memory, not ") << getResult().getType();
  unsigned numOffsets = tt::countOffsets(getDesc().getType(), getCoord().size());
  if (failed(verifyBlock(*this, getDesc().getType(), getCoord().size() - numOffsets, getResult().getType())))
    return failure();
  return verifyBarrier(*this, getBarrier().getType());
}

void AsyncBulkCopyGlobalToLocalOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getResultMutable(), ttg::SharedMemory::get());
  addBarrierEffects(effects, getBarrierMutable(), /*isWrite=*/false);
}

void AsyncBulkCopyGlobalToLocalOp::getSharedEffects(SmallVectorImpl<ttg::SharedEffect> &effects) {
  effects.push_back({getResult(), /*isWrite=*/true, ttg::SharedWait::Copies, ttg::Proxy::Async});
}

LogicalResult AsyncBulkCopyGlobalToLocalOp::verify() {
  ttg::MemDescType line = getResult().getType();
  if (!line.getMutableMemory() || line.getRank() != 1 || line.getElementType() != getSrc().getType().getPointeeType() ||
      ttg::getTileStrideInBytes(line) % 16 != 0)
    return emitOpError("copies a line of a multiple of 16 bytes to mutable memory, not ") << line;
  return verifyBarrier(*this, getBarrier().getType());
}

void AsyncTMACopyLocalToGlobalOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(), ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDescMutable(), SideEffects::DefaultResource::get());
}

void AsyncTMACopyLocalToGlobalOp::getSharedEffects(SmallVectorImpl<ttg::SharedEffect> &effects) {
  effects.push_back({getSrc(), /*isWrite=*/false, ttg::SharedWait::Stores, ttg::Proxy::Async});
}

LogicalResult AsyncTMACopyLocalToGlobalOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getCoord().size(), getSrc().getType());
}

void AsyncTMAReduceOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(), ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getDescMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDescMutable(), SideEffects::DefaultResource::get());
}

void AsyncTMAReduceOp::getSharedEffects(SmallVectorImpl<ttg::SharedEffect> &effects) {
  effects.push_back({getSrc(), /*isWrite=*/false, ttg::SharedWait::Stores, ttg::Proxy::Async});
}

LogicalResult AsyncTMAReduceOp::verify() {
  using enum tt::DescriptorReduceKind;
  Type element = getSrc().getType().getElementType();
  bool isInteger = element.isInteger(32) || element.isInteger(64), isHalf = element.isF16() || element.isBF16();
  bool isThere = isInteger;
  switch (getKind()) {
  case ADD: isThere |= isHalf || element.isF32(); break;
  case MIN:
  case MAX: isThere |= isHalf; break;
  case INC:
  case DEC: isThere = element.isInteger(32); break;
  default: break;
  }
  if (!isThere)
    return emitOpError() << "cannot do '" << tt::stringifyDescriptorReduceKind(getKind()) << "' on elements of type "
                         << element;
  return verifyBlock(*this, getDesc().getType(), getCoord().size(), getSrc().getType());
}

void AsyncTMAStoreTileOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getSlotsMutable(), ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDescMutable(), SideEffects::DefaultResource::get());
}

void AsyncTMAStoreTileOp::getSharedEffects(SmallVectorImpl<ttg::SharedEffect> &effects) {
  effects.push_back(
      {getSlots(), /*isWrite=*/true, ttg::SharedWait::Nothing, ttg::Proxy::Generic, /*waitsForItself=*/true});
  effects.push_back(
      {getSlots(), /*isWrite=*/false, ttg::SharedWait::Stores, ttg::Proxy::Async, /*waitsForItself=*/true});
}

LogicalResult AsyncTMAStoreTileOp::verify() {
  RankedTensorType tile = getSrc().getType(), block = getDesc().getType().getSignlessBlockType();
  if (tile.getRank() != 2 || block.getRank() < 2 || block.getShape().take_back(2) != tile.getShape() ||
      block.getElementType() != tile.getElementType() || int64_t(getCoord().size()) != block.getRank())
    return emitOpError("copies the tile ")
           << tile << " to a block " << block << " with " << getCoord().size() << " coordinates";
  ttg::MemDescType slots = getSlots().getType();
  if (slots.getRank() != 3 || !slots.getMutableMemory() || slots.getElementType() != tile.getElementType() ||
      !isa<ttg::NVMMASharedEncodingAttr>(slots.getEncoding()))
    return emitOpError("puts parts of a matrix into mutable slots of them, not ") << slots;
  return success();
}

ttg::SharedWait TMAStoreWaitOp::getSharedWait() { return {ttg::SharedWait::Stores, getPendings()}; }

//===--- tensor maps that a kernel makes --------------------------------------------------------------------------===//

void TensormapCreateOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getDescPtrMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), ttg::SharedMemory::get());
}

unsigned TensormapCreateOp::getScratchBytes() { return mapBytes; }
unsigned TensormapCreateOp::getScratchAlignment() { return mapBytes; }

LogicalResult TensormapCreateOp::verify() {
  constexpr unsigned maxAxes = 5;
  size_t rank = getGlobalDim().size();
  if (rank == 0 || rank > maxAxes)
    return emitOpError() << "describes tensors of 1 to " << maxAxes << " axes, not " << rank;
  if (getBoxDim().size() != rank || getElementStride().size() != rank || getGlobalStride().size() != rank - 1)
    return emitOpError() << "has for a tensor of " << rank
                         << " axes as many sizes of a block and steps, and one stride less, not " << getBoxDim().size()
                         << ", " << getElementStride().size() << " and " << getGlobalStride().size();
  auto check = [&](StringRef name, uint32_t number, uint32_t most) -> LogicalResult {
    return number <= most ? success() : emitOpError() << name << " is 0 to " << most << ", not " << number;
  };
  if (failed(check("elem_type", getElemType(), 15)) || failed(check("interleave_layout", getInterleaveLayout(), 2)) ||
      failed(check("swizzle_mode", getSwizzleMode(), 4)))
    return failure();
  return check("fill_mode", getFillMode(), 1);
}

void TensormapFenceproxyAcquireOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getDescPtrMutable(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDescPtrMutable(), SideEffects::DefaultResource::get());
}

ttg::SharedWait TensormapFenceproxyAcquireOp::getSharedWait() { return {ttg::SharedWait::Threads}; }

//===--- clusters -------------------------------------------------------------------------------------------------===//

void ttng::createClusterBarrier(OpBuilder &builder, Location loc, bool relaxed) {
  ClusterArriveOp::create(builder, loc, relaxed);
  ClusterWaitOp::create(builder, loc);
}

ttg::SharedWait ClusterWaitOp::getSharedWait() { return {ttg::SharedWait::Blocks}; }

/// Verifies a sum of tiles of all blocks of a program, after which all blocks except one exit.
static LogicalResult verifySum(Operation *op, RankedTensorType type) {
  if (!type.getElementType().isIntOrFloat())
    return op->emitOpError("adds numbers, not elements of ") << type;
  if (!isa<FunctionOpInterface>(op->getParentOp()))
    return op->emitOpError("ends blocks, which loops and branches around it do not expect");
  return success();
}

LogicalResult SumOverBlocksOp::verify() { return verifySum(*this, getType()); }

LogicalResult SumOverClustersOp::verify() { return verifySum(*this, getType()); }

unsigned SumOverClustersOp::getScratchBytes() {
  return sizeof(int32_t);
} // for the number that one thread has read from the counter

/// Returns the bytes of all registers of a tile. Each thread writes all its registers, so it finds the same elements of
/// another block at the same position.
static unsigned getBytesOfRegisters(RankedTensorType type) {
  LinearLayout layout = ttg::toLinearLayout(type);
  unsigned bits = layout.getInBits(Dim::Register) + layout.getInBits(Dim::Lane) + layout.getInBits(Dim::Warp);
  return llvm::divideCeil(tt::getElementBits(type.getElementType()), 8) << bits;
}

unsigned SumOverBlocksOp::getScratchBytes() { return getBytesOfRegisters(getType()); }

unsigned SumOverClustersOp::getBytesOfCluster() { return getBytesOfRegisters(getType()); }

LogicalResult RedistributeOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), result = cast<RankedTensorType>(getType());
  if (src.getRank() != result.getRank() || getFrom().size() != getTo().size())
    return emitOpError("takes and gives parts of one tile, not ") << src << " and " << result;
  SmallVector<int64_t> before(src.getShape()), after(result.getShape());
  for (auto [shape, axes, least] : {std::tuple(&before, getFrom(), -2), std::tuple(&after, getTo(), -1)})
    for (int32_t axis : axes) {
      if (axis < least || axis >= src.getRank())
        return emitOpError("has a number that is no axis: ") << axis;
      if (axis >= 0)
        (*shape)[axis] *= 2;
    }
  if (before != after)
    return emitOpError("takes and gives parts of one tile, not ") << src << " and " << result;
  return success();
}

bool RedistributeOp::isWithinBlock() {
  constexpr int32_t copies = -1;
  return llvm::all_of(getFrom(), [](int32_t axis) { return axis == copies; });
}

unsigned RedistributeOp::getScratchBytes() {
  auto type = cast<RankedTensorType>(getSrc().getType());
  return type.getNumElements() * llvm::divideCeil(tt::getElementBits(type.getElementType()), 8);
}
