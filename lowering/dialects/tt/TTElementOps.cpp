//===- TTElementOps.cpp - operations with a region, atomics, calls and messages -----------------------------------===//
//
// Verifiers of operations that compute or modify elements one by one: by a region, a library function, assembly, or in
// memory.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc::tt {

//===--- regions --------------------------------------------------------------------------------------------------===//

Operation *createElementReturn(OpBuilder &builder, Location loc, Operation *parent, ValueRange values) {
  return llvm::TypeSwitch<Operation *, Operation *>(parent)
      .Case<ReduceOp>([&](auto) { return ReduceReturnOp::create(builder, loc, values); })
      .Case<ScanOp>([&](auto) { return ScanReturnOp::create(builder, loc, values); })
      .Case<MapElementwiseOp>([&](auto) { return MapElementwiseReturnOp::create(builder, loc, values); });
}

SmallVector<Type> getElementReturnTypes(Operation *parent) {
  auto map = dyn_cast<MapElementwiseOp>(parent);
  unsigned times = map ? map.getPack() : 1;
  SmallVector<Type> types;
  for (Type type : parent->getResultTypes())
    types.append(times, getElementTypeOrSelf(type));
  return types;
}

static SmallVector<RankedTensorType> tileTypes(ValueRange values) {
  SmallVector<RankedTensorType> types;
  for (Value value : values)
    types.push_back(cast<RankedTensorType>(value.getType()));
  return types;
}

static SmallVector<Type> elementTypes(ValueRange values, unsigned times = 1) {
  SmallVector<Type> types;
  for (RankedTensorType type : tileTypes(values))
    types.append(times, type.getElementType());
  return types;
}

/// Verifies that the region takes `arguments` and that every terminator `Return` in it returns `results`.
template <typename Return>
static LogicalResult verifyElementRegion(Operation *op, ArrayRef<Type> arguments, ArrayRef<Type> results,
                                         StringRef verb) {
  Block &block = op->getRegion(0).front();
  if (block.getArgumentTypes() != TypeRange(arguments))
    return op->emitOpError() << verb << " " << block.getArgumentTypes() << ", not " << arguments;
  for (Block &last : llvm::make_filter_range(op->getRegion(0), [](Block &block) { return block.hasNoSuccessors(); })) {
    auto ret = dyn_cast<Return>(last.getTerminator());
    if (!ret || ret.getResult().getTypes() != TypeRange(results))
      return op->emitOpError("must return ") << results << " with " << Return::getOperationName();
  }
  return success();
}

template <typename OpT> static LogicalResult verifyCombiner(OpT op, StringRef returnName) {
  Block &block = op.getCombineOp().front();
  SmallVector<Type> elements = op.getElementTypes();
  SmallVector<Type> expected(elements);
  expected.append(elements);
  if (block.getArgumentTypes() != TypeRange(expected))
    return op.emitOpError("combines ") << block.getArgumentTypes() << ", not two of each of " << elements;
  Operation *ret = block.getTerminator();
  if (ret->getName().getStringRef() != returnName || ret->getOperandTypes() != TypeRange(elements))
    return op.emitOpError("must return one of each of ") << elements << " with " << returnName;
  return success();
}

template <typename OpT> static LogicalResult verifySources(OpT op, StringRef verb) {
  if (op.getSrcs().empty())
    return op.emitOpError("needs an operand");
  if (op.getSrcs().size() != op.getResult().size())
    return op.emitOpError("has ") << op.getSrcs().size() << " operands and " << op.getResult().size() << " results";
  for (RankedTensorType type : op.getInputTypes())
    if (op.getAxis() >= uint32_t(type.getRank()))
      return op.emitOpError() << verb << " axis " << op.getAxis() << " of " << type;
  return success();
}

static Operation *singleCombiner(Block &block) {
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block.getOperations(), 2))
    return nullptr;
  Operation *op = &block.front();
  Value x = block.getArgument(0), y = block.getArgument(1);
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 || block.getTerminator()->getOperand(0) != op->getResult(0))
    return nullptr;
  bool inOrder = op->getOperand(0) == x && op->getOperand(1) == y;
  bool swapped = op->getOperand(0) == y && op->getOperand(1) == x;
  return inOrder || swapped ? op : nullptr;
}

//===--- reduce ---------------------------------------------------------------------------------------------------===//

/// Returns the type of a reduction's result: `src` without its axis. It has no encoding; the pass that assigns layouts
/// sets the types of results itself.
static Type reducedType(RankedTensorType src, int64_t axis) {
  if (src.getRank() == 1)
    return src.getElementType();
  SmallVector<int64_t> shape(src.getShape());
  shape.erase(shape.begin() + axis);
  return RankedTensorType::get(shape, src.getElementType());
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int axis) {
  SmallVector<Type> types;
  for (RankedTensorType type : tileTypes(srcs))
    types.push_back(reducedType(type, axis));
  build(builder, state, types, srcs, axis);
}

LogicalResult ReduceOp::verify() {
  if (failed(verifySources(*this, "reduces")))
    return failure();
  for (auto [type, result] : llvm::zip(getInputTypes(), getResult())) {
    Type expected = reducedType(type, getAxis()), actual = result.getType();
    if (auto tile = dyn_cast<RankedTensorType>(actual))
      actual = RankedTensorType::get(tile.getShape(), tile.getElementType());
    if (expected != actual)
      return emitOpError("reduces axis ") << getAxis() << " of " << type << " to " << result.getType();
  }
  return success();
}

Attribute ReduceOp::inferResultEncoding(Attribute operand, unsigned) {
  return algebraOf(operand).removeAxis(operand, getAxis());
}
Attribute ReduceOp::inferOperandEncoding(Attribute result, unsigned) {
  return algebraOf(result).insertAxis(result, getAxis());
}

LogicalResult ReduceOp::verifyRegions() { return verifyCombiner(*this, ReduceReturnOp::getOperationName()); }
SmallVector<RankedTensorType> ReduceOp::getInputTypes() { return tileTypes(getSrcs()); }
SmallVector<Type> ReduceOp::getElementTypes() { return elementTypes(getSrcs()); }
Operation *ReduceOp::getSingleCombiner() { return singleCombiner(getCombineOp().front()); }

//===--- scan -----------------------------------------------------------------------------------------------------===//

void ScanOp::build(OpBuilder &builder, OperationState &state, ValueRange srcs, int axis, bool reverse) {
  build(builder, state, SmallVector<Type>(srcs.getTypes()), srcs, axis, reverse);
}

LogicalResult ScanOp::verify() {
  if (failed(verifySources(*this, "scans")))
    return failure();
  for (auto [src, result] : llvm::zip(getSrcs(), getResult()))
    if (src.getType() != result.getType())
      return emitOpError("scans ") << src.getType() << " to " << result.getType();
  return success();
}

/// Accepts encodings that distribute an axis in order. The result of a scan has the same encoding.
Attribute ScanOp::inferResultEncoding(Attribute operand, unsigned) {
  return algebraOf(operand).isInOrder(operand) ? operand : Attribute();
}
Attribute ScanOp::inferOperandEncoding(Attribute result, unsigned) {
  return algebraOf(result).isInOrder(result) ? result : Attribute();
}

LogicalResult ScanOp::verifyRegions() { return verifyCombiner(*this, ScanReturnOp::getOperationName()); }
SmallVector<RankedTensorType> ScanOp::getInputTypes() { return tileTypes(getSrcs()); }
SmallVector<Type> ScanOp::getElementTypes() { return elementTypes(getSrcs()); }
Operation *ScanOp::getSingleCombiner() { return singleCombiner(getCombineOp().front()); }

//===--- map_elementwise ------------------------------------------------------------------------------------------===//

LogicalResult MapElementwiseOp::verify() {
  if (getSrcs().empty() || getResult().empty())
    return emitOpError("needs an operand and a result");
  if (int32_t(getPack()) < 1 || !llvm::isPowerOf2_32(getPack()))
    return emitOpError("packs ") << getPack() << " elements, which is no power of two";
  return success();
}

LogicalResult MapElementwiseOp::verifyRegions() {
  return verifyElementRegion<MapElementwiseReturnOp>(*this, elementTypes(getSrcs(), getPack()),
                                                     elementTypes(getResult(), getPack()), "is a function of");
}

//===--- atomic accesses ------------------------------------------------------------------------------------------===//

/// Pointers, mask and result have the same layout, as for loads.
Attribute AtomicRMWOp::inferOperandEncoding(Attribute result, unsigned) { return result; }
Attribute AtomicCASOp::inferOperandEncoding(Attribute result, unsigned) { return result; }

LogicalResult AtomicRMWOp::verify() {
  Type element = getElementTypeOrSelf(getVal());
  bool isFloat = isa<FloatType>(element);
  RMWOp kind = getAtomicRmwOp();
  if (kind == RMWOp::XCHG ? false : isFloat != (kind == RMWOp::FADD))
    return emitOpError("cannot ") << stringifyRMWOp(kind) << " values of type " << element;
  // The same types as Triton's front end: no 8-bit types, and for 16 bits only floating-point additions.
  unsigned bits = getElementBits(element);
  if (bits < 32 && !(bits == 16 && kind == RMWOp::FADD))
    return emitOpError("cannot ") << stringifyRMWOp(kind) << " values of " << element << " in memory";
  return success();
}

LogicalResult AtomicCASOp::verify() {
  unsigned bits = getElementBits(getElementTypeOrSelf(getVal()));
  if (bits != 16 && bits != 32 && bits != 64)
    return emitOpError("compares values of 16, 32 or 64 bits, not ") << getElementTypeOrSelf(getVal());
  return success();
}

//===--- functions and assembly -----------------------------------------------------------------------------------===//

/// Adds effects on all memory, unless the operation is declared pure.
static void effectsUnlessPure(bool isPure,
                              SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (isPure)
    return;
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Read::get(), SideEffects::DefaultResource::get());
}

void ElementwiseInlineAsmOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effectsUnlessPure(getPure(), effects);
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (int32_t(getPackedElement()) < 1)
    return emitOpError("packs ") << int32_t(getPackedElement()) << " elements";
  if (getResult().empty())
    return emitOpError("needs a result");
  RankedTensorType first;
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(getOperandTypes()), SmallVector<Type>(getResultTypes()))) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      continue;
    if (first && tile.getShape() != first.getShape())
      return emitOpError("has tiles of different shapes: ") << first << " and " << tile;
    first = tile;
  }
  if (first && first.getNumElements() % getPackedElement())
    return emitOpError("packs ") << getPackedElement() << " elements at a time of " << first;
  return success();
}

//===--- calls of code for threads --------------------------------------------------------------------------------===//

bool usesThreadCode(Operation *op) {
  return callsThreads(op) || op->walk([](ExternElementwiseOp call) {
                                 return WalkResult(failure(call.getLibname() == threadLibrary));
                               }).wasInterrupted();
}

bool callsThreads(Operation *op) {
  return op->walk([](CallThreadsOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Operands and results whose elements are passed thread by thread (items) have the same layout.
/// ConvertTritonToTritonGPU sets it.
Attribute CallThreadsOp::inferOperandEncoding(Attribute result, unsigned) {
  return getKind() == ThreadCallKind::ITEMS ? result : Attribute();
}
bool CallThreadsOp::isLayoutAnchor(unsigned) { return getKind() == ThreadCallKind::ITEMS; }
LogicalResult CallThreadsOp::verifyLayouts() {
  return getKind() == ThreadCallKind::ITEMS ? verifyLayoutsAgree(*this) : success();
}

LogicalResult CallThreadsOp::verify() {
  bool takesTiles = getKind() == ThreadCallKind::ITEMS || getKind() == ThreadCallKind::SHARED;
  SmallVector<Type> tiles;
  for (Type type : getArgs().getTypes())
    if (isa<RankedTensorType>(type))
      tiles.push_back(type);
  if (takesTiles == tiles.empty())
    return emitOpError() << (takesTiles ? "needs a tile" : "takes no tiles") << ", because its kind is '"
                         << stringifyThreadCallKind(getKind()) << "'";
  if (takesTiles && !llvm::equal(tiles, getResultTypes()))
    return emitOpError("must have the types of its tiles as result types");
  if (!takesTiles && (getNumResults() > 1 || llvm::any_of(getResultTypes(), llvm::IsaPred<RankedTensorType>)))
    return emitOpError("must have at most one result, a scalar");
  auto isLine = [](Type type) { return cast<RankedTensorType>(type).getRank() == 1; };
  if (getKind() == ThreadCallKind::ITEMS && !llvm::all_of(tiles, isLine))
    return emitOpError("takes tiles of rank 1, because its kind is 'items'");
  if (std::optional<uint32_t> threads = getThreads(); threads && !llvm::isPowerOf2_32(*threads))
    return emitOpError("must be for a power of two of threads, not ") << *threads;
  return success();
}

//===--- messages -------------------------------------------------------------------------------------------------===//

LogicalResult PrintOp::verify() {
  if (getIsSigned().size() != getArgs().size())
    return emitOpError("has ") << getArgs().size() << " operands and says of " << getIsSigned().size()
                               << " whether they are signed";
  return success();
}

} // namespace tilecc::tt
