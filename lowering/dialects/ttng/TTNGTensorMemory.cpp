//===- TTNGTensorMemory.cpp - tensor memory: encodings, verification, effects -----------------------------------===//
//
// See TTNGTensorMemory.td.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNGBarriers.h"
#include "lowering/layouts/Encodings.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttng;

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/ttng/TTNGAttributes.cpp.inc"

namespace {
/// Prints the alias `#tmem` before the module, as Triton does.
struct EncodingAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<TensorMemoryEncodingAttr>(attr))
      return AliasResult::NoAlias;
    os << "tmem";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TTNGDialect::addTensorMemoryAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "lowering/dialects/ttng/TTNGAttributes.cpp.inc"
      >();
  addInterfaces<EncodingAliases>();
}

//===--- encodings ------------------------------------------------------------------------------------------------===//

LogicalResult TensorMemoryEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned blockM,
                                               unsigned blockN, unsigned colStride, unsigned splitM, unsigned splitN,
                                               bool) {
  if (blockM != 64 && blockM != 128)
    return emitError() << "a product has blocks of 64 or 128 rows in tensor memory, not " << blockM;
  if (blockN == 0 || blockN > TensorMemoryAccess::numColumns || !llvm::isPowerOf2_32(blockN))
    return emitError() << "a block in tensor memory has a power of two of columns, up to "
                       << TensorMemoryAccess::numColumns << ", not " << blockN;
  for (auto [name, number] : {std::pair("colStride", colStride), {"CTASplitM", splitM}, {"CTASplitN", splitN}})
    if (!llvm::isPowerOf2_32(number))
      return emitError() << name << " is a power of two, not " << number;
  return success();
}

unsigned TensorMemoryEncodingAttr::getRank() const { return 2; }

bool TensorMemoryEncodingAttr::isOfMemorySpace(Attribute space) const { return isa<TensorMemorySpaceAttr>(space); }

LogicalResult TensorMemoryEncodingAttr::verifyShape(ArrayRef<int64_t> shape,
                                                    function_ref<InFlightDiagnostic()> emitError) const {
  if (shape[0] % (int64_t(getBlockM()) * getCTASplitM()) != 0)
    return emitError() << "a matrix of " << shape[0] << " rows in blocks of " << getBlockM();
  return success();
}

LinearLayout TensorMemoryEncodingAttr::toLinearLayout(ArrayRef<int64_t> shape) const {
  return tensorMemoryLayout(shape, getBlockM(), getBlockN(), getColStride());
}

bool ttng::isInTensorMemory(ttg::MemDescType type) { return isa<TensorMemorySpaceAttr>(type.getMemorySpace()); }

unsigned ttng::getTensorMemoryColumns(ttg::MemDescType type) {
  LinearLayout layout = cast<TensorMemoryEncodingAttr>(type.getEncoding()).toLinearLayout(type.getAllocTileShape());
  return llvm::divideCeil((uint64_t(1) << layout.getInBits(Dim::Column)) * type.getElementTypeBitWidth(), 32);
}

ttg::BlockedEncodingAttr ttng::getRowEncoding(MLIRContext *context, ArrayRef<int64_t> shape, unsigned numWarps) {
  // A matrix of 64 rows has 16 rows for each of four warps, and two lanes hold one half each of such a row.
  constexpr unsigned threads = 32;
  unsigned rowsOfWarp = shape[0] == 64 ? 16 : 32, ofRow = threads / rowsOfWarp;
  unsigned alongRows = std::min<int64_t>(numWarps, shape[0] / rowsOfWarp), alongColumns = numWarps / alongRows;
  unsigned columns = std::max<int64_t>(1, shape[1] / (ofRow * alongColumns));
  return ttg::BlockedEncodingAttr::get(context, {1, columns}, {rowsOfWarp, ofRow}, {alongRows, alongColumns}, {0, 1});
}

ttg::MemDescType ttng::getTensorMemoryType(RankedTensorType tile) {
  MLIRContext *context = tile.getContext();
  ArrayRef<int64_t> shape = tile.getShape();
  unsigned rows = std::min<int64_t>(shape[0], TensorMemoryAccess::numRows);
  auto encoding = TensorMemoryEncodingAttr::get(context, rows, shape[1], /*colStride=*/1);
  return ttg::MemDescType::get(shape, tile.getElementType(), encoding, TensorMemorySpaceAttr::get(context),
                               /*mutableMemory=*/true);
}

unsigned ttng::countTensorMemoryColumns(Region &region, Block *of, unsigned more) {
  unsigned most = 0;
  for (Block &block : region) {
    unsigned own = &block == of ? more : 0, nested = 0;
    for (Operation &op : block) {
      for (Region &inner : op.getRegions())
        nested = std::max(nested, countTensorMemoryColumns(inner, of, more));
      auto dot = dyn_cast<WarpGroupDotOp>(op);
      if (!dot || !accumulatesInTensorMemory(dot))
        continue;
      Value sums = dot.getC();
      while (auto convert = sums.getDefiningOp<ttg::ConvertLayoutOp>())
        sums = convert.getSrc();
      if (!sums.getDefiningOp<WarpGroupDotOp>()) // otherwise they share the columns of that dot
        own += getTensorMemoryColumns(getTensorMemoryType(dot.getType()));
      if (auto left = dyn_cast<RankedTensorType>(dot.getA().getType()))
        own += getTensorMemoryColumns(getTensorMemoryType(left));
    }
    most = std::max(most, own + nested);
  }
  return most;
}

bool ttng::accumulatesInTensorMemory(WarpGroupDotOp dot) {
  return !isa<ttg::NvidiaMmaEncodingAttr>(dot.getType().getEncoding());
}

std::optional<TensorMemoryAccess> ttng::planTensorMemoryAccess(RankedTensorType tile, ttg::MemDescType memory) {
  auto encoding = dyn_cast<TensorMemoryEncodingAttr>(memory.getEncoding());
  if (!encoding || encoding.getCTASplitM() * encoding.getCTASplitN() > 1)
    return std::nullopt;
  std::optional<LinearLayout> places =
      ttg::toLinearLayout(tile).fetchFrom(encoding.toLinearLayout(memory.getTileShape()));
  if (!places)
    return std::nullopt;
  return TensorMemoryAccess::plan(*places, tile.getElementTypeBitWidth());
}

//===--- places ---------------------------------------------------------------------------------------------------===//

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
using SharedEffects = SmallVectorImpl<ttg::SharedEffect>;

static LogicalResult verifyInTensorMemory(Operation *op, ttg::MemDescType memory) {
  return isInTensorMemory(memory) ? success() : op->emitOpError("takes a tile in tensor memory, not ") << memory;
}

static LogicalResult verifyTile(Operation *op, RankedTensorType tile, ttg::MemDescType memory) {
  if (failed(verifyInTensorMemory(op, memory)))
    return failure();
  return ttg::verifySameTile(op, tile, memory);
}

static LogicalResult verifyAccess(Operation *op, RankedTensorType tile, ttg::MemDescType memory) {
  auto encoding = dyn_cast<TensorMemoryEncodingAttr>(memory.getEncoding());
  if (encoding && encoding.getCTASplitM() * encoding.getCTASplitN() > 1)
    return op->emitOpError("moves a matrix that several thread blocks have a part of each, which is not supported");
  if (planTensorMemoryAccess(tile, memory))
    return success();
  return op->emitOpError()
         << "cannot move " << tile << " from or to " << memory
         << ": no instruction moves rows of tensor memory to the lanes and warps that the layout names";
}

/// Each warp accesses only its own rows, so four warps need not wait for each other.
static bool isWithinWarps(Operation *op) { return ttg::getNumWarps(op) == 4; }

LogicalResult TMEMAllocOp::verify() {
  if (failed(verifyInTensorMemory(*this, getType())))
    return failure();
  return ttg::verifyAllocation(*this, getSrc(), getType());
}

void TMEMAllocOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), TensorMemory::get());
  if (getSrc())
    effects.emplace_back(MemoryEffects::Write::get(), cast<OpResult>(getResult()), TensorMemory::get());
}

void TMEMAllocOp::getSharedEffects(SharedEffects &effects) {
  if (getSrc())
    effects.push_back(
        {getResult(), /*isWrite=*/true, ttg::SharedWait::Nothing, ttg::Proxy::Generic, isWithinWarps(*this)});
}

bool TMEMAllocOp::isLayoutAnchor(unsigned) { return true; }
LogicalResult TMEMAllocOp::verifyLayouts() {
  return getSrc() ? verifyAccess(*this, getSrc().getType(), getType()) : success();
}

LogicalResult TMEMLoadOp::verify() { return verifyTile(*this, getType(), getSrc().getType()); }

void TMEMLoadOp::getSharedEffects(SharedEffects &effects) {
  effects.push_back({getSrc(), /*isWrite=*/false, ttg::SharedWait::Nothing, ttg::Proxy::Generic, isWithinWarps(*this)});
}

bool TMEMLoadOp::isLayoutAnchor(unsigned) { return true; }
LogicalResult TMEMLoadOp::verifyLayouts() { return verifyAccess(*this, getType(), getSrc().getType()); }

LogicalResult TMEMStoreOp::verify() {
  if (!getDst().getType().getMutableMemory())
    return emitOpError("writes memory that is not mutable");
  return verifyTile(*this, getSrc().getType(), getDst().getType());
}

void TMEMStoreOp::getSharedEffects(SharedEffects &effects) {
  effects.push_back({getDst(), /*isWrite=*/true, ttg::SharedWait::Nothing, ttg::Proxy::Generic, isWithinWarps(*this)});
}

bool TMEMStoreOp::isLayoutAnchor(unsigned) { return true; }
LogicalResult TMEMStoreOp::verifyLayouts() { return verifyAccess(*this, getSrc().getType(), getDst().getType()); }

LogicalResult ReserveTensorMemoryOp::verify() {
  uint32_t columns = getColumns();
  if (columns < 32 || columns > TensorMemoryAccess::numColumns || !llvm::isPowerOf2_32(columns))
    return emitOpError() << "reserves 32 to " << TensorMemoryAccess::numColumns << " columns, a power of two, not "
                         << columns;
  return success();
}
unsigned ReserveTensorMemoryOp::getScratchBytes() { return 16; }
LogicalResult ReleaseTensorMemoryOp::verify() { return success(); }

//===--- products -------------------------------------------------------------------------------------------------===//

LogicalResult TCGen5MMAOp::verify() {
  ttg::MemDescType a = getA().getType(), b = getB().getType(), d = getD().getType();
  if (failed(verifyInTensorMemory(*this, d)))
    return failure();
  if (a.getRank() != 2 || b.getRank() != 2 || d.getRank() != 2 || a.getDimSize(0) != d.getDimSize(0) ||
      b.getDimSize(1) != d.getDimSize(1) || a.getDimSize(1) != b.getDimSize(0))
    return emitOpError("multiplies MxK by KxN to MxN, not ") << a << " by " << b << " to " << d;
  if (!d.getMutableMemory())
    return emitOpError("accumulates in mutable memory, not ") << d;
  if (getBarriers().size() != getBarrierPreds().size())
    return emitOpError("has a predicate for each barrier");
  if (!getIsAsync() && !getBarriers().empty())
    return emitOpError("arrives at barriers, and so has to be asynchronous");
  for (Value barrier : getBarriers())
    if (failed(verifyBarrier(*this, cast<ttg::MemDescType>(barrier.getType()))))
      return failure();
  for (ttg::MemDescType operand : {a, b}) {
    if (isInTensorMemory(operand) && operand == a)
      continue;
    if (!isa<ttg::NVMMASharedEncodingAttr>(operand.getEncoding()))
      return emitOpError("takes tiles in shared memory encoded #ttg.nvmma_shared, not ") << operand;
    if (operand.getShape() != operand.getAllocShape())
      return emitOpError("takes whole tiles in shared memory, not a part of one: ") << operand;
  }
  return success();
}

void TCGen5MMAOp::getEffects(Effects &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    if (isInTensorMemory(cast<ttg::MemDescType>(operand->get().getType())))
      effects.emplace_back(MemoryEffects::Read::get(), operand, TensorMemory::get());
    else
      effects.emplace_back(MemoryEffects::Read::get(), operand, ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getDMutable(), TensorMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDMutable(), TensorMemory::get());
  for (OpOperand &barrier : getBarriersMutable())
    addBarrierEffects(effects, barrier, /*isWrite=*/false);
}

void TCGen5MMAOp::getSharedEffects(SharedEffects &effects) {
  ttg::SharedWait::Kind until = getIsAsync() ? ttg::SharedWait::Barrier : ttg::SharedWait::Nothing;
  for (Value operand : {getA(), getB()})
    effects.push_back({operand, /*isWrite=*/false, until, ttg::Proxy::Async});
  effects.push_back({getD(), /*isWrite=*/true, until, ttg::Proxy::Async});
}

LogicalResult TCGen5CommitOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }

void TCGen5CommitOp::getEffects(Effects &effects) {
  addBarrierEffects(effects, getBarrierMutable(), /*isWrite=*/false);
  effects.emplace_back(MemoryEffects::Write::get(), TensorMemory::get()); // after the dots
}
