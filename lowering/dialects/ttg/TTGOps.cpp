//===- TTGOps.cpp - operations that move tiles between memories ---------------------------------------------------===//
//
// Implements verifiers, folders, and effects on shared memory, from which barriers and allocations are derived.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/layouts/Encodings.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

static ParseResult parseStaticOffsets(OpAsmParser &parser, DenseI32ArrayAttr &offsets);
static void printStaticOffsets(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr offsets);

#define GET_OP_CLASSES
#include "lowering/dialects/ttg/TTGOps.cpp.inc"

//===--- effects on shared memory ---------------------------------------------------------------------------------===//

void ttg::collectSharedEffects(Operation *op, SmallVectorImpl<SharedEffect> &effects) {
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (auto declared = dyn_cast<MemoryEffectOpInterface>(op))
    declared.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances)
    if (instance.getResource() == SharedMemory::get() && instance.getValue() &&
        isa<MemoryEffects::Read, MemoryEffects::Write>(instance.getEffect()))
      effects.push_back({instance.getValue(), isa<MemoryEffects::Write>(instance.getEffect())});
}

SmallVector<SharedEffect> ttg::getSharedEffects(Operation *op) {
  SmallVector<SharedEffect> effects;
  if (auto accessing = dyn_cast<SharedEffects>(op))
    accessing.getSharedEffects(effects);
  return effects;
}

SharedWait ttg::getSharedWait(Operation *op) {
  if (isa<gpu::BarrierOp>(op)) // the language's barrier
    return {SharedWait::Threads};
  auto waiting = dyn_cast<SharedEffects>(op);
  return waiting ? waiting.getSharedWait() : SharedWait();
}

// ttg.barrier local|global_read
ParseResult BarrierOp::parse(OpAsmParser &parser, OperationState &result) {
  bool isLocal = true;
  do {
    StringRef memory;
    if (parser.parseKeyword(&memory))
      return failure();
    isLocal &= memory == "local";
  } while (succeeded(parser.parseOptionalVerticalBar()));
  if (isLocal)
    result.getOrAddProperties<Properties>().setLocalOnly(parser.getBuilder().getUnitAttr());
  return parser.parseOptionalAttrDict(result.attributes);
}

void BarrierOp::print(OpAsmPrinter &printer) {
  printer << (getLocalOnly() ? " local" : " all");
  printer.printOptionalAttrDict((*this)->getAttrs(), /*elidedAttrs=*/{getLocalOnlyAttrName()});
}

SharedWait LocalBarrierOp::getSharedWait() { return {SharedWait::Threads}; }

SharedWait AsyncWaitOp::getSharedWait() { return {SharedWait::Copies, getNum()}; }

void AsyncCopyGlobalToLocalOp::getSharedEffects(SmallVectorImpl<SharedEffect> &effects) {
  effects.push_back({getResult(), /*isWrite=*/true, SharedWait::Copies});
}

tt::GlobalAccess AsyncCopyGlobalToLocalOp::getGlobalAccess() {
  return {getSrc(), getMask(), /*isRead=*/true, /*isWrite=*/false, /*isSimple=*/!getIsVolatile()};
}

//===--- conversions ----------------------------------------------------------------------------------------------===//

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return splat.reshape(getType());
  return {};
}

LogicalResult ConvertLayoutOp::canonicalize(ConvertLayoutOp op, PatternRewriter &rewriter) {
  Operation *source = op.getSrc().getDefiningOp();
  // convert(convert(x)): only the second layout matters.
  if (auto inner = dyn_cast_or_null<ConvertLayoutOp>(source)) {
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), inner.getSrc());
    return success();
  }
  // A splat or a constant can be created in any layout without cost.
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  if (auto range = dyn_cast_or_null<tt::MakeRangeOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::MakeRangeOp>(op, op.getType(), range.getStart(), range.getEnd());
    return success();
  }
  return failure();
}

/// Removes a layout conversion before the store. A tile can be stored from any layout, and the conversion would move
/// the tile through memory once more.
LogicalResult LocalAllocOp::canonicalize(LocalAllocOp op, PatternRewriter &rewriter) {
  auto convert = op.getSrc() ? op.getSrc().getDefiningOp<ConvertLayoutOp>() : ConvertLayoutOp();
  if (!convert)
    return failure();
  rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(convert.getSrc()); });
  return success();
}

//===--- 4-bit numbers --------------------------------------------------------------------------------------------===//

LogicalResult Fp4ToFpOp::verify() {
  auto from = cast<RankedTensorType>(getSrc().getType()), to = cast<RankedTensorType>(getType());
  Type number = to.getElementType();
  if (!from.getElementType().isInteger(8) || !(number.isF16() || number.isBF16() || number.isF32()))
    return emitOpError("makes f16, bf16 or f32 of pairs in i8, not ") << to << " of " << from;
  SmallVector<int64_t> shape(from.getShape());
  if (getAxis() < shape.size())
    shape[getAxis()] *= 2;
  if (getAxis() >= shape.size() || to.getShape() != ArrayRef(shape))
    return emitOpError("makes two numbers of each byte along axis ") << getAxis() << ", not " << to << " of " << from;
  return success();
}

static SmallVector<Dim> axesOf(const LinearLayout &layout) {
  return llvm::map_to_vector(llvm::seq<unsigned>(layout.getOuts().size()), [](unsigned d) { return axis(d); });
}

/// The lowest bit of a register's number selects the number within a pair.
std::optional<LinearLayout> Fp4ToFpOp::transformLayout(const LinearLayout &layout) {
  return (LinearLayout::identity(1, Dim::Register, axis(getAxis())) * layout).transposeOuts(axesOf(layout));
}

std::optional<LinearLayout> Fp4ToFpOp::transformLayoutBack(const LinearLayout &layout) {
  SmallVector<Dim> axes = axesOf(layout);
  LinearLayout::Extents ins, outs;
  for (Dim dim : axes)
    outs.push_back({dim, layout.getOutBits(dim) - (dim == axis(getAxis()))});
  SmallVector<uint64_t> columns;
  unsigned selecting = 0;
  for (Dim place : layout.getInDims()) {
    unsigned kept = 0;
    for (unsigned bit = 0; bit < layout.getInBits(place); ++bit) {
      uint64_t column = 0;
      unsigned shift = 0;
      for (LinearLayout::Extent out : outs) {
        uint64_t basis = layout.getBasis(place, bit, out.dim);
        column |= (out.dim == axis(getAxis()) ? basis >> 1 : basis) << shift;
        shift += out.bits;
      }
      bool selects = layout.getBasis(place, bit, axis(getAxis())) & 1;
      if (selects && (place != Dim::Register || column || ++selecting > 1))
        return std::nullopt; // a thread holds only one number of some pair
      if (selects)
        continue;
      columns.push_back(column);
      ++kept;
    }
    ins.push_back({place, kept});
  }
  return LinearLayout(ins, outs, columns);
}

//===--- tiles in shared memory -----------------------------------------------------------------------------------===//

void LocalAllocOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (!getType().getMutableMemory() && !(*this)->hasAttr(allocationOffsetAttr))
    return;
  effects.emplace_back(MemoryEffects::Allocate::get(), SharedMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), cast<OpResult>(getResult()), SharedMemory::get());
}

/// Reports a tile that is not in shared memory.
static LogicalResult verifyInSharedMemory(Operation *op, MemDescType memory) {
  return isa<SharedEncoding>(memory.getEncoding()) ? success()
                                                   : op->emitOpError("takes a tile in shared memory, not ") << memory;
}

LogicalResult ttg::verifySameTile(Operation *op, RankedTensorType tile, MemDescType memory) {
  if (tile.getShape() != memory.getShape() || tile.getElementType() != memory.getElementType())
    return op->emitOpError() << "needs a tile of the shape and type that it has in memory: " << tile << " and "
                             << memory;
  return success();
}

LogicalResult ttg::verifyAllocation(Operation *op, Value tile, MemDescType memory) {
  if (memory.getShape() != memory.getAllocShape())
    return op->emitOpError("allocates a whole tile, not a part of one: ") << memory;
  if (tile)
    return verifySameTile(op, cast<RankedTensorType>(tile.getType()), memory);
  return memory.getMutableMemory() ? success()
                                   : op->emitOpError("without a tile must be mutable, or nothing could be written");
}

LogicalResult LocalAllocOp::verify() {
  if (failed(verifyInSharedMemory(*this, getType())))
    return failure();
  return verifyAllocation(*this, getSrc(), getType());
}

LogicalResult LocalLoadOp::verify() {
  if (failed(verifyInSharedMemory(*this, getSrc().getType())))
    return failure();
  return verifySameTile(*this, getType(), getSrc().getType());
}

LogicalResult LocalStoreOp::verify() {
  if (failed(verifyInSharedMemory(*this, getDst().getType())))
    return failure();
  if (!getDst().getType().getMutableMemory())
    return emitOpError("writes memory that is not mutable");
  return verifySameTile(*this, getSrc().getType(), getDst().getType());
}

/// Verifies the properties that all views preserve. Mutable memory may be viewed as immutable memory, which the users
/// of the view then only read.
static LogicalResult verifyMemory(Operation *op, MemDescType from, MemDescType to) {
  if (from.getMemorySpace() != to.getMemorySpace() || (to.getMutableMemory() && !from.getMutableMemory()))
    return op->emitOpError() << "must keep the memory space, and not make memory mutable: " << from << " and " << to;
  return success();
}
static LogicalResult verifyView(Operation *op, MemDescType from, MemDescType to) {
  if (from.getElementType() != to.getElementType())
    return op->emitOpError() << "must keep the element type: " << from << " and " << to;
  return verifyMemory(op, from, to);
}

LogicalResult MemDescIndexOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (failed(verifyView(*this, from, to)))
    return failure();
  if (from.getEncoding() != to.getEncoding() || from.getShape().size() == from.getTileShape().size() ||
      from.getShape().drop_front() != to.getShape() || from.getShape() != from.getAllocShape() ||
      to.getShape() != to.getAllocShape())
    return emitOpError("takes one of several whole tiles, along the first axis: not ") << to << " of " << from;
  return success();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (failed(verifyInSharedMemory(*this, from)) || failed(verifyView(*this, from, to)))
    return failure();
  if (from.getEncoding() != to.getEncoding() || from.getAllocShape() != to.getAllocShape() ||
      from.getShape().size() != from.getTileShape().size() || from.getShape().size() != to.getShape().size())
    return emitOpError("takes a part of one tile, which names the whole's shape behind: not ") << to << " of " << from;
  if (getOffsets().size() != to.getShape().size())
    return emitOpError("needs an offset for each of ")
           << to.getShape().size() << " axes, and has " << getOffsets().size();
  for (auto [offset, part, whole] : llvm::zip_equal(getOffsets(), to.getShape(), from.getShape()))
    if (offset < 0 || offset % part != 0 || offset + part > whole)
      return emitOpError("takes a part aligned to its own size: not ") << part << " of " << whole << " at " << offset;
  return success();
}

LogicalResult MemDescTransOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (failed(verifyInSharedMemory(*this, from)) || failed(verifyView(*this, from, to)))
    return failure();
  unsigned rank = from.getShape().size(), counted = rank - from.getTileShape().size();
  SmallVector<bool> seen(rank, false);
  bool isPermutation = getOrder().size() == rank;
  for (int32_t d : getOrder()) {
    isPermutation &= d >= 0 && unsigned(d) < rank && !seen[d];
    if (!isPermutation)
      break;
    seen[d] = true;
  }
  for (unsigned d = 0; isPermutation && d < counted; ++d)
    isPermutation = unsigned(getOrder()[d]) == d;
  if (!isPermutation)
    return emitOpError("needs an order that names each axis of a tile once");
  SmallVector<int32_t> tileOrder;
  for (int32_t d : getOrder().drop_front(counted))
    tileOrder.push_back(d - counted);
  SmallVector<int64_t> shape, allocShape;
  for (int32_t d : getOrder()) {
    shape.push_back(from.getShape()[d]);
    allocShape.push_back(from.getAllocShape()[d]);
  }
  Attribute encoding = cast<SharedEncoding>(from.getEncoding()).permute(tileOrder);
  if (shape != to.getShape() || allocShape != to.getAllocShape() || encoding != to.getEncoding())
    return emitOpError("leaves elements where they are: permuted, ") << from << " is not " << to;
  return success();
}

LogicalResult MemDescReinterpretOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (failed(verifyInSharedMemory(*this, from)) || failed(verifyInSharedMemory(*this, to)))
    return failure();
  if (failed(verifyMemory(*this, from, to)))
    return failure();
  for (MemDescType type : {from, to})
    if (type.getShape() != type.getAllocShape() || !cast<SharedEncoding>(type.getEncoding()).getPaddedRuns().empty())
      return emitOpError("needs whole tiles without padding, unlike ") << type;
  auto bytesOf = [](MemDescType type) { return type.getNumTiles() * getTileStrideInBytes(type); };
  if (bytesOf(to) > bytesOf(from))
    return emitOpError("takes ") << bytesOf(from) << " bytes for " << bytesOf(to) << ": " << from << " for " << to;
  auto alignmentOf = [](MemDescType type) { return cast<SharedEncoding>(type.getEncoding()).getTileAlignment(); };
  if (alignmentOf(to) > alignmentOf(from))
    return emitOpError("takes a place aligned to ")
           << alignmentOf(from) << " bytes for a tile that is aligned to " << alignmentOf(to);
  return success();
}

LogicalResult MemDescReshapeOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (failed(verifyInSharedMemory(*this, from)) || failed(verifyInSharedMemory(*this, to)) ||
      failed(verifyView(*this, from, to)))
    return failure();
  for (MemDescType type : {from, to})
    if (type.getShape() != type.getAllocShape())
      return emitOpError("needs whole tiles, unlike ") << type;
  auto paddingOf = [](MemDescType type) { return cast<SharedEncoding>(type.getEncoding()).getPaddedRuns(); };
  if (from.getNumTiles() != to.getNumTiles() || from.getNumElements() != to.getNumElements() ||
      paddingOf(from) != paddingOf(to) ||
      reshapeRowMajor(toLinearLayout(from), to.getTileShape()) != toLinearLayout(to))
    return emitOpError("leaves elements where they are: reshaped, ") << from << " is not " << to;
  return success();
}

static ParseResult parseStaticOffsets(OpAsmParser &parser, DenseI32ArrayAttr &offsets) {
  SmallVector<int32_t> values;
  if (parser.parseCommaSeparatedList([&] { return parser.parseInteger(values.emplace_back()); }))
    return failure();
  offsets = parser.getBuilder().getDenseI32ArrayAttr(values);
  return success();
}

static void printStaticOffsets(OpAsmPrinter &printer, Operation *, DenseI32ArrayAttr offsets) {
  llvm::interleaveComma(offsets.asArrayRef(), printer);
}

//===--- global memory --------------------------------------------------------------------------------------------===//

LogicalResult GlobalScratchAllocOp::verify() {
  if (int32_t(getNbytes()) <= 0 || !llvm::isPowerOf2_32(getAlignment()))
    return emitOpError("needs some bytes at a multiple of a power of two: not ")
           << int32_t(getNbytes()) << " at " << int32_t(getAlignment());
  return success();
}

//===--- asynchronous copies --------------------------------------------------------------------------------------===//

LogicalResult AsyncCopyGlobalToLocalOp::verify() {
  if (failed(verifyInSharedMemory(*this, getResult().getType())))
    return failure();
  auto pointers = cast<RankedTensorType>(getSrc().getType());
  MemDescType memory = getResult().getType();
  auto loaded = cast<RankedTensorType>(tt::getPointeeType(pointers));
  if (!memory.getMutableMemory())
    return emitOpError("writes memory that is not mutable");
  if (failed(verifySameTile(*this, loaded, memory)))
    return failure();
  if (!llvm::isPowerOf2_32(getContiguity()))
    return emitOpError("needs a contiguity that is a power of two, not ") << getContiguity();
  return success();
}
