//===- TTNGTensorMemory.cpp - tensor memory: encodings, verification, effects -----------------------------------===//
//
// The operations are described in TTNGTensorMemory.td.
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

#include "lowering/dialects/ttng/TTNGOpInterfaces.cpp.inc"

namespace {
/// Prints the aliases `#tmem` and `#tmem_scales` before the module, as Triton does.
struct EncodingAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(attr))
      return AliasResult::NoAlias;
    os << (isa<TensorMemoryEncodingAttr>(attr) ? "tmem" : "tmem_scales");
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
    return emitError() << "a dot has blocks of 64 or 128 rows in tensor memory, not " << blockM;
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

LogicalResult TensorMemoryScalesEncodingAttr::verify(function_ref<InFlightDiagnostic()> emitError, unsigned splitM,
                                                     unsigned splitN) {
  for (auto [name, number] : {std::pair("CTASplitM", splitM), {"CTASplitN", splitN}})
    if (!llvm::isPowerOf2_32(number))
      return emitError() << name << " is a power of two, not " << number;
  return success();
}

unsigned TensorMemoryScalesEncodingAttr::getRank() const { return 2; }

bool TensorMemoryScalesEncodingAttr::isOfMemorySpace(Attribute space) const {
  return isa<TensorMemorySpaceAttr>(space);
}

LogicalResult TensorMemoryScalesEncodingAttr::verifyShape(ArrayRef<int64_t>, function_ref<InFlightDiagnostic()>) const {
  return success();
}

LinearLayout ttng::getTensorMemoryLayout(ttg::MemDescType type) {
  ArrayRef<int64_t> shape = type.getAllocTileShape();
  auto encoding = dyn_cast<TensorMemoryEncodingAttr>(type.getEncoding());
  if (!encoding)
    return tensorMemoryScalesLayout(shape);
  bool isPart = type.getTileShape() != shape; // the encoding of a part describes the blocks of the part
  return tensorMemoryLayout(shape, encoding.getBlockM(), isPart ? shape[1] : encoding.getBlockN(),
                            encoding.getColStride());
}

bool ttng::isInTensorMemory(ttg::MemDescType type) { return isa<TensorMemorySpaceAttr>(type.getMemorySpace()); }

unsigned ttng::getTensorMemoryColumns(ttg::MemDescType type) {
  LinearLayout layout = getTensorMemoryLayout(type);
  return llvm::divideCeil((uint64_t(1) << layout.getInBits(Dim::Column)) * type.getElementTypeBitWidth(), 32);
}

uint32_t ttng::getTensorMemoryAddress(ttg::MemDescType type, unsigned row, unsigned column) {
  uint32_t address = 0;
  for (auto [dim, index] : getTensorMemoryLayout(type).pseudoInvert().apply({{axis(0), row}, {axis(1), column}}))
    address |= dim == Dim::Row ? index << 16 : index * type.getElementTypeBitWidth() / 32;
  return address;
}

ttg::BlockedEncodingAttr ttng::getRowEncoding(MLIRContext *context, ArrayRef<int64_t> shape, unsigned numWarps) {
  // For a matrix of 64 rows, each of four warps holds 16 rows, and two lanes hold one half each of such a row.
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
      Value accumulator = dot.getC();
      while (auto convert = accumulator.getDefiningOp<ttg::ConvertLayoutOp>())
        accumulator = convert.getSrc();
      if (!accumulator.getDefiningOp<WarpGroupDotOp>()) // otherwise they share the columns of that dot
        own += getTensorMemoryColumns(getTensorMemoryType(dot.getType()));
      if (auto left = dyn_cast<RankedTensorType>(dot.getA().getType()))
        own += getTensorMemoryColumns(getTensorMemoryType(left));
      for (Value scale : {dot.getAScale(), dot.getBScale()})
        if (scale)
          own += 2 * getTensorMemoryColumns(getTensorMemoryScalesType(cast<RankedTensorType>(scale.getType())));
    }
    most = std::max(most, own + nested);
  }
  return most;
}

bool ttng::accumulatesInTensorMemory(WarpGroupDotOp dot) {
  return !isa<ttg::NvidiaMmaEncodingAttr>(dot.getType().getEncoding());
}

RankedTensorType ttng::getScalesType(RankedTensorType tile, unsigned numWarps) {
  constexpr unsigned laneBits = 5, quarterBits = 2, wordBits = 2;
  ArrayRef<int64_t> shape = tile.getShape();
  Dim row = axis(0), k = axis(1);
  unsigned rowBits = llvm::Log2_64(shape[0]), kBits = llvm::Log2_64(shape[1]), warpBits = llvm::Log2_32(numWarps);
  unsigned ofLanes = std::min(rowBits, laneBits), inWord = std::min(kBits, wordBits);
  // Four warps store the same scales to the rows that they can access. If there are more warps, the columns are divided
  // among them, the last bits first.
  unsigned divided = std::min(warpBits - quarterBits, rowBits - ofLanes + kBits - inWord);
  unsigned ofK = std::min(divided, kBits - inWord), ofRows = divided - ofK;
  LinearLayout layout =
      LinearLayout::identity(inWord, Dim::Register, k) * LinearLayout::identity(ofLanes, Dim::Lane, row) *
      LinearLayout::zeros(laneBits - ofLanes, Dim::Lane, row) *
      LinearLayout::identity(rowBits - ofLanes - ofRows, Dim::Register, row) *
      LinearLayout::identity(kBits - inWord - ofK, Dim::Register, k) *
      LinearLayout::zeros(quarterBits, Dim::Warp, row) * LinearLayout::identity(ofRows, Dim::Warp, row) *
      LinearLayout::identity(ofK, Dim::Warp, k) * LinearLayout::zeros(warpBits - quarterBits - divided, Dim::Warp, k);
  return tile.cloneWithEncoding(ttg::LinearEncodingAttr::get(tile.getContext(), layout.transposeOuts({row, k})));
}

ttg::MemDescType ttng::getTensorMemoryScalesType(RankedTensorType tile) {
  MLIRContext *context = tile.getContext();
  return ttg::MemDescType::get(tile.getShape(), tile.getElementType(), TensorMemoryScalesEncodingAttr::get(context),
                               TensorMemorySpaceAttr::get(context), /*mutableMemory=*/true);
}

/// Returns true if `memory` is distributed over several thread blocks.
static bool isDistributed(ttg::MemDescType memory) {
  auto countParts = [](auto encoding) { return encoding.getCTASplitM() * encoding.getCTASplitN(); };
  return llvm::TypeSwitch<Attribute, bool>(memory.getEncoding())
      .Case<TensorMemoryEncodingAttr, TensorMemoryScalesEncodingAttr>(
          [&](auto encoding) { return countParts(encoding) > 1; })
      .Default(false);
}

/// Each quarter of the rows holds a copy of the scales. Returns the locations of a tile of scales if each of the first
/// four warps stores all scales to the rows that it can access.
static LinearLayout storeToAllQuarters(const LinearLayout &places) {
  constexpr unsigned quarterBits = 2, rowsOfQuarterBits = 5;
  SmallVector<uint64_t> columns;
  unsigned rowShift = 0;
  for (LinearLayout::Extent out : places.getOuts()) {
    if (out.dim == Dim::Row)
      break;
    rowShift += out.bits;
  }
  for (LinearLayout::Extent in : places.getIns())
    for (auto [bit, column] : llvm::enumerate(places.getColumns(in.dim))) {
      bool selectsQuarter = in.dim == Dim::Warp && bit < quarterBits && column == 0;
      columns.push_back(selectsQuarter ? uint64_t(1) << (rowsOfQuarterBits + bit + rowShift) : column);
    }
  return LinearLayout(LinearLayout::Extents(places.getIns()), LinearLayout::Extents(places.getOuts()), columns);
}

std::optional<TensorMemoryAccess> ttng::planTensorMemoryAccess(RankedTensorType tile, ttg::MemDescType memory) {
  if (!isInTensorMemory(memory) || isDistributed(memory))
    return std::nullopt;
  LinearLayout inMemory = getTensorMemoryLayout(memory);
  std::optional<LinearLayout> places = ttg::toLinearLayout(tile).extendOuts(inMemory.getOuts()).fetchFrom(inMemory);
  if (!places)
    return std::nullopt;
  if (isa<TensorMemoryScalesEncodingAttr>(memory.getEncoding()))
    places = storeToAllQuarters(*places);
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
  if (isDistributed(memory))
    return op->emitOpError("moves a matrix that several thread blocks have a part of each, which is not supported");
  if (planTensorMemoryAccess(tile, memory))
    return success();
  return op->emitOpError()
         << "cannot move " << tile << " from or to " << memory
         << ": no instruction moves rows of tensor memory to the lanes and warps that the layout names";
}

/// Returns true if warps need not wait for each other: each of four warps accesses only its own rows.
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

void TMEMSubSliceOp::build(OpBuilder &builder, OperationState &state, Value src, int32_t first, int64_t columns) {
  auto whole = cast<ttg::MemDescType>(src.getType());
  auto encoding = cast<TensorMemoryEncodingAttr>(whole.getEncoding());
  auto ofPart = TensorMemoryEncodingAttr::get(
      builder.getContext(), encoding.getBlockM(), std::min<unsigned>(encoding.getBlockN(), columns),
      encoding.getColStride(), encoding.getCTASplitM(), encoding.getCTASplitN(), encoding.getTwoCTAs());
  build(builder, state,
        ttg::MemDescType::get({whole.getDimSize(0), columns}, whole.getElementType(), ofPart, whole.getMemorySpace(),
                              whole.getMutableMemory(), whole.getAllocShape()),
        src, first);
}

LogicalResult TMEMSubSliceOp::verify() {
  ttg::MemDescType from = getSrc().getType(), to = getType();
  if (failed(verifyInTensorMemory(*this, from)) || failed(verifyInTensorMemory(*this, to)))
    return failure();
  auto ofWhole = dyn_cast<TensorMemoryEncodingAttr>(from.getEncoding()),
       ofPart = dyn_cast<TensorMemoryEncodingAttr>(to.getEncoding());
  if (from.getRank() != 2 || to.getRank() != 2 || !ofWhole || !ofPart || from.getShape() != from.getAllocShape() ||
      to.getAllocShape() != from.getAllocShape() || from.getDimSize(0) != to.getDimSize(0) ||
      from.getElementType() != to.getElementType() || ofWhole.getBlockM() != ofPart.getBlockM() ||
      ofWhole.getColStride() != ofPart.getColStride() || to.getMutableMemory() != from.getMutableMemory())
    return emitOpError("takes columns of a whole matrix, whose shape ends the type: not ") << to << " of " << from;
  if (ofWhole.getBlockN() < from.getDimSize(1) || isDistributed(from))
    return emitOpError("takes columns of a matrix whose rows are not divided into blocks, not of ") << from;
  int32_t first = getN();
  int64_t columns = to.getDimSize(1);
  if (first < 0 || first % columns != 0 || first + columns > from.getDimSize(1))
    return emitOpError("takes a part aligned to its own size: not ")
           << columns << " of " << from.getDimSize(1) << " columns at " << first;
  return success();
}

LogicalResult ReserveTensorMemoryOp::verify() {
  uint32_t columns = getColumns();
  if (columns < 32 || columns > TensorMemoryAccess::numColumns || !llvm::isPowerOf2_32(columns))
    return emitOpError() << "reserves 32 to " << TensorMemoryAccess::numColumns << " columns, a power of two, not "
                         << columns;
  return success();
}
unsigned ReserveTensorMemoryOp::getScratchBytes() { return 16; }
LogicalResult ReleaseTensorMemoryOp::verify() { return success(); }

//===--- dots -----------------------------------------------------------------------------------------------------===//

/// Verifies the properties that all dots have in common. `a` and `b` are the sizes of the operands in numbers, which
/// may be packed.
static LogicalResult verifyDot(MMAv5OpInterface op, ArrayRef<int64_t> aShape, ArrayRef<int64_t> bShape) {
  ttg::MemDescType a = op.getA().getType(), b = op.getB().getType(), d = op.getD().getType();
  if (failed(verifyInTensorMemory(op, d)))
    return failure();
  if (a.getRank() != 2 || b.getRank() != 2 || d.getRank() != 2 || aShape[0] != d.getDimSize(0) ||
      bShape[1] != d.getDimSize(1) || aShape[1] != bShape[0])
    return op->emitOpError("multiplies MxK by KxN to MxN, not ") << a << " by " << b << " to " << d;
  if (!d.getMutableMemory())
    return op->emitOpError("accumulates in mutable memory, not ") << d;
  if (op.getBarriers().size() != op.getBarrierPreds().size())
    return op->emitOpError("has a predicate for each barrier");
  if (!op.getIsAsync() && !op.getBarriers().empty())
    return op->emitOpError("arrives at barriers, and so has to be asynchronous");
  for (Value barrier : op.getBarriers())
    if (failed(verifyBarrier(op, cast<ttg::MemDescType>(barrier.getType()))))
      return failure();
  for (ttg::MemDescType operand : {a, b}) {
    if (isInTensorMemory(operand) && operand == a)
      continue;
    if (!isa<ttg::NVMMASharedEncodingAttr>(operand.getEncoding()))
      return op->emitOpError("takes tiles in shared memory encoded #ttg.nvmma_shared, not ") << operand;
    if (operand.getShape() != operand.getAllocShape())
      return op->emitOpError("takes whole tiles in shared memory, not a part of one: ") << operand;
  }
  return success();
}

static void addDotEffects(MMAv5OpInterface op, Effects &effects) {
  for (OpOperand *operand : op.getReadOperands())
    if (isInTensorMemory(cast<ttg::MemDescType>(operand->get().getType())))
      effects.emplace_back(MemoryEffects::Read::get(), operand, TensorMemory::get());
    else
      effects.emplace_back(MemoryEffects::Read::get(), operand, ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), &op.getDMutable(), TensorMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &op.getDMutable(), TensorMemory::get());
  MutableOperandRange barriers = op.getBarriersMutable();
  for (OpOperand &barrier : barriers)
    addBarrierEffects(effects, barrier, /*isWrite=*/false);
}

static void addDotSharedEffects(MMAv5OpInterface op, SharedEffects &effects) {
  ttg::SharedWait::Kind until = op.getIsAsync() ? ttg::SharedWait::Barrier : ttg::SharedWait::Nothing;
  for (OpOperand *operand : op.getReadOperands())
    effects.push_back({operand->get(), /*isWrite=*/false, until, ttg::Proxy::Async});
  effects.push_back({op.getD(), /*isWrite=*/true, until, ttg::Proxy::Async});
}

LogicalResult TCGen5MMAOp::verify() {
  return verifyDot(*this, getA().getType().getShape(), getB().getType().getShape());
}
void TCGen5MMAOp::getEffects(Effects &effects) { addDotEffects(*this, effects); }
void TCGen5MMAOp::getSharedEffects(SharedEffects &effects) { addDotSharedEffects(*this, effects); }

LogicalResult TCGen5MMAScaledOp::verify() {
  SmallVector<int64_t> a(getA().getType().getShape()), b(getB().getType().getShape());
  a.back() *= tt::DotScaledOp::getNumbersPerElement(getAType());
  b.front() *= tt::DotScaledOp::getNumbersPerElement(getBType());
  if (failed(verifyDot(*this, a, b)))
    return failure();
  Type element = getAScale().getType().getElementType();
  for (auto [scale, rows] : {std::pair(getAScale(), a[0]), {getBScale(), b[1]}}) {
    ttg::MemDescType type = scale.getType();
    if (!isa<TensorMemoryScalesEncodingAttr>(type.getEncoding()))
      return emitOpError("takes scales encoded #ttng.tensor_memory_scales_encoding, not ") << type;
    int64_t perScale = tt::DotScaledOp::getNumbersPerScale(type);
    if (type.getElementType() != element || type.getDimSize(0) != rows || type.getDimSize(1) * perScale != a[1])
      return emitOpError() << "needs a scale for " << perScale << " neighbours of " << rows << " rows of " << a[1]
                           << " numbers, and has " << type;
  }
  return success();
}
void TCGen5MMAScaledOp::getEffects(Effects &effects) { addDotEffects(*this, effects); }
void TCGen5MMAScaledOp::getSharedEffects(SharedEffects &effects) { addDotSharedEffects(*this, effects); }

LogicalResult TMEMCopyOp::verify() {
  ttg::MemDescType from = getSrc().getType(), to = getDst().getType();
  if (failed(verifyInTensorMemory(*this, to)))
    return failure();
  if (isInTensorMemory(from))
    return emitOpError("copies from shared memory, not from ") << from;
  if (!isa<TensorMemoryScalesEncodingAttr>(to.getEncoding()))
    return emitOpError("copies scales; copies to ") << to << " are not supported";
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType() || !to.getMutableMemory())
    return emitOpError("cannot copy ") << from << " to " << to;
  return getBarrier() ? verifyBarrier(*this, getBarrier().getType()) : success();
}

void TMEMCopyOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSrcMutable(), ttg::SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getDstMutable(), TensorMemory::get());
  if (getBarrier())
    addBarrierEffects(effects, *getBarrierMutable().begin(), /*isWrite=*/false);
}

void TMEMCopyOp::getSharedEffects(SharedEffects &effects) {
  effects.push_back({getSrc(), /*isWrite=*/false, ttg::SharedWait::Barrier, ttg::Proxy::Async});
  effects.push_back({getDst(), /*isWrite=*/true, ttg::SharedWait::Barrier, ttg::Proxy::Async});
}

LogicalResult TCGen5CommitOp::verify() { return verifyBarrier(*this, getBarrier().getType()); }

void TCGen5CommitOp::getEffects(Effects &effects) {
  addBarrierEffects(effects, getBarrierMutable(), /*isWrite=*/false);
  effects.emplace_back(MemoryEffects::Write::get(), TensorMemory::get()); // after the dots
}
