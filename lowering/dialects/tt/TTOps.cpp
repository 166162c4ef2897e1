//===- TTOps.cpp - the tile dialect's operations ------------------------------------------------------------------===//
//
// Builders, verifiers, folders and layout rules of functions, creation, pointers, memory accesses and dots.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace tilecc;

#define GET_OP_CLASSES
#include "lowering/dialects/tt/TTOps.cpp.inc"

namespace tilecc::tt {

//===--- functions ------------------------------------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   ArrayRef<NamedAttribute> attrs) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.attributes.append(attrs.begin(), attrs.end());
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), buildType,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult ReturnOp::verify() {
  auto results = cast<FuncOp>((*this)->getParentOp()).getFunctionType().getResults();
  if (getSrcs().getTypes() != TypeRange(results))
    return emitOpError("returns ") << getSrcs().getTypes() << " where the function's results are " << results;
  return success();
}

//===--- creation and shape ---------------------------------------------------------------------------------------===//

LogicalResult MakeRangeOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  int64_t size = int64_t(int32_t(getEnd())) - int32_t(getStart());
  if (type.getRank() != 1)
    return emitOpError("makes a one-dimensional tile, not ") << type;
  if (size <= 0 || !llvm::isPowerOf2_64(size))
    return emitOpError("has ") << size << " elements, which is no power of two";
  if (type.getDimSize(0) != size)
    return emitOpError("counts ") << size << " elements, but its type has " << type.getDimSize(0);
  return success();
}

OpFoldResult MakeRangeOp::fold(FoldAdaptor) {
  auto type = cast<ShapedType>(getType());
  if (type.getNumElements() == 1)
    return SplatElementsAttr::get(type, Attribute(IntegerAttr::get(type.getElementType(), int32_t(getStart()))));
  return {};
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  auto type = cast<ShapedType>(getType());
  if (auto poison = dyn_cast_if_present<ub::PoisonAttr>(adaptor.getSrc()))
    return poison;
  if (isa_and_present<IntegerAttr, FloatAttr>(adaptor.getSrc()))
    return SplatElementsAttr::get(type, adaptor.getSrc());
  return {};
}

LogicalResult UnsplatOp::verify() {
  auto type = cast<RankedTensorType>(getSrc().getType());
  if (type.getNumElements() != 1)
    return emitOpError("needs a tile of one element, not ") << type;
  return success();
}

LogicalResult UnsplatOp::canonicalize(UnsplatOp op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOp(op, splat.getSrc());
  return success();
}

LogicalResult ExpandDimsOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  int64_t axis = getAxis();
  SmallVector<int64_t> expected(src.getShape());
  if (axis <= src.getRank())
    expected.insert(expected.begin() + axis, 1);
  if (ArrayRef(expected) != dst.getShape())
    return emitOpError("inserting dimension ") << axis << " into " << src << " does not give " << dst;
  return success();
}

OpFoldResult foldShapeOfSplat(Attribute src, Type result) {
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(src))
    return splat.resizeSplat(cast<ShapedType>(result));
  if (auto poison = dyn_cast_if_present<ub::PoisonAttr>(src))
    return poison;
  return {};
}

Attribute ExpandDimsOp::inferResultEncoding(Attribute operand, unsigned) {
  return algebraOf(operand).insertAxis(operand, getAxis());
}
Attribute ExpandDimsOp::inferOperandEncoding(Attribute result, unsigned) {
  return algebraOf(result).removeAxis(result, getAxis());
}
AffineMap ExpandDimsOp::getIndexingMap(unsigned) {
  int64_t rank = cast<RankedTensorType>(getType()).getRank();
  return AffineMap::getMultiDimIdentityMap(rank, getContext()).dropResult(getAxis());
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) { return foldShapeOfSplat(adaptor.getSrc(), getType()); }

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

LogicalResult BroadcastOp::verify() {
  auto src = cast<RankedTensorType>(getSrc().getType()), dst = cast<RankedTensorType>(getType());
  if (src.getRank() != dst.getRank())
    return emitOpError("cannot broadcast ") << src << " to " << dst << ": the ranks differ";
  for (auto [dim, from, to] : llvm::enumerate(src.getShape(), dst.getShape()))
    if (from != to && from != 1)
      return emitOpError("cannot broadcast ")
             << src << " to " << dst << ": dimension " << dim << " is " << from << " and " << to;
  return success();
}

AffineMap BroadcastOp::getIndexingMap(unsigned) {
  ArrayRef<int64_t> from = getSrc().getType().getShape(), to = getType().getShape();
  SmallVector<AffineExpr> coordinates;
  for (unsigned d = 0; d < from.size(); ++d)
    coordinates.push_back(from[d] == to[d] ? getAffineDimExpr(d, getContext())
                                           : getAffineConstantExpr(0, getContext()));
  return AffineMap::get(to.size(), /*symbolCount=*/0, coordinates, getContext());
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType())
    return getSrc();
  return foldShapeOfSplat(adaptor.getSrc(), getType());
}

LogicalResult BroadcastOp::canonicalize(BroadcastOp op, PatternRewriter &rewriter) {
  if (auto splat = op.getSrc().getDefiningOp<SplatOp>()) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  if (auto inner = op.getSrc().getDefiningOp<BroadcastOp>()) {
    rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getSrc());
    return success();
  }
  return failure();
}

//===--- pointers and casts ---------------------------------------------------------------------------------------===//

LogicalResult AddPtrOp::verify() {
  auto ptr = dyn_cast<RankedTensorType>(getPtr().getType()), offset = dyn_cast<RankedTensorType>(getOffset().getType());
  if (bool(ptr) != bool(offset) || (ptr && ptr.getShape() != offset.getShape()))
    return emitOpError("moves ") << getPtr().getType() << " by " << getOffset().getType()
                                 << ": pointer and offset must have one shape";
  if (ptr && ptr.getEncoding() != offset.getEncoding())
    return emitOpError("pointer and offset must have one layout");
  return success();
}

LogicalResult ExternElementwiseOp::verify() {
  // The library must have a formula for the function.
  if (getLibname() == ownLibrary && getSymbol() != "__nv_tanhf" && getSymbol() != "__nv_tanh" &&
      getSymbol() != "__nv_powf" && getSymbol() != "__nv_pow")
    return emitOpError() << "names '" << getSymbol() << "', which library '" << ownLibrary << "' does not have";
  return success();
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

void ExternElementwiseOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  if (getPure())
    return;
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

OpFoldResult MulhiUIOp::fold(FoldAdaptor adaptor) {
  for (Attribute operand : {adaptor.getX(), adaptor.getY()})
    if (operand && matchPattern(operand, m_Zero()))
      return operand;
  return {};
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero()))
    return getPtr();
  return {};
}

LogicalResult BitcastOp::verify() {
  Type src = getElementTypeOrSelf(getSrc().getType()), dst = getElementTypeOrSelf(getType());
  if (isa<PointerType>(src) != isa<PointerType>(dst))
    return emitOpError("cannot turn ") << src << " into " << dst << ": use ptr_to_int or int_to_ptr";
  if (getElementBits(src) != getElementBits(dst))
    return emitOpError("cannot reinterpret ") << src << " as " << dst << ": the widths differ";
  return success();
}

LogicalResult FpToFpOp::verify() {
  Type src = getElementTypeOrSelf(getSrc().getType()), dst = getElementTypeOrSelf(getType());
  if (getElementBits(src) > getElementBits(dst) && !getRounding())
    return emitOpError("needs a rounding mode to turn ") << src << " into " << dst;
  if (getElementBits(src) < getElementBits(dst) && getRounding())
    return emitOpError("takes no rounding mode to turn ") << src << " into " << dst;
  return success();
}

//===--- memory ---------------------------------------------------------------------------------------------------===//

void LoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), SideEffects::DefaultResource::get());
  if (getIsVolatile()) // treated as a write, so that it is not removed, merged or reordered
    effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

/// Verifies that masks are used only with tiles of pointers, and `boundaryCheck` only with block pointers.
static LogicalResult verifyBlockAccess(Operation *op, Type pointer, Value mask, bool isPadded,
                                       ArrayRef<int32_t> checked) {
  RankedTensorType block = getBlockOf(pointer);
  if (!block && (isPadded || !checked.empty()))
    return op->emitOpError("has boundaryCheck or padding, which are of block pointers, for ") << pointer;
  if (block && mask)
    return op->emitOpError("has a mask for a block pointer, whose elements boundaryCheck is for");
  for (int32_t axis : checked)
    if (axis < 0 || axis >= block.getRank())
      return op->emitOpError("checks axis ") << axis << " of a block of rank " << block.getRank();
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyBlockAccess(*this, getPtr().getType(), getMask(), getPadding().has_value(), getBoundaryCheck());
}
LogicalResult StoreOp::verify() {
  return verifyBlockAccess(*this, getPtr().getType(), getMask(), /*isPadded=*/false, getBoundaryCheck());
}

std::optional<GlobalAccess> tt::getGlobalAccess(Operation *op) {
  auto access = dyn_cast<AccessesGlobal>(op);
  return access ? std::optional(access.getGlobalAccess()) : std::nullopt;
}

GlobalAccess LoadOp::getGlobalAccess() {
  return {getPtr(), getMask(), /*isRead=*/true, /*isWrite=*/false, /*isSimple=*/!getIsVolatile()};
}
GlobalAccess StoreOp::getGlobalAccess() { return {getPtr(), getMask(), /*isRead=*/false, /*isWrite=*/true}; }
GlobalAccess AtomicRMWOp::getGlobalAccess() {
  return {getPtr(), getMask(), /*isRead=*/true, /*isWrite=*/true, /*isSimple=*/false};
}
GlobalAccess AtomicCASOp::getGlobalAccess() {
  return {getPtr(), Value(), /*isRead=*/true, /*isWrite=*/true, /*isSimple=*/false};
}

/// Returns true if every element of a mask is known to be `value`.
static bool maskIs(Value mask, bool value) {
  return mask && (value ? matchPattern(mask, m_One()) : matchPattern(mask, m_Zero()));
}

/// Pointers, mask and result have the same layout, which is chosen for the pointers (tritongpu-coalesce).
Attribute LoadOp::inferOperandEncoding(Attribute result, unsigned) { return result; }

/// Returns false for a tile with fewer elements than threads, which does not justify its own layout.
bool LoadOp::isLayoutAnchor(unsigned threads) {
  auto tile = dyn_cast<RankedTensorType>(getType());
  return tile && tile.getNumElements() >= threads;
}

LogicalResult LoadOp::canonicalize(LoadOp op, PatternRewriter &rewriter) {
  if (op.getIsVolatile())
    return failure();
  if (maskIs(op.getMask(), true)) {
    rewriter.modifyOpInPlace(op, [&] {
      op.getOtherMutable().clear();
      op.getMaskMutable().clear();
    });
    return success();
  }
  if (maskIs(op.getMask(), false) && op.getOther()) {
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
  return failure();
}

LogicalResult StoreOp::canonicalize(StoreOp op, PatternRewriter &rewriter) {
  if (maskIs(op.getMask(), true)) {
    rewriter.modifyOpInPlace(op, [&] { op.getMaskMutable().clear(); });
    return success();
  }
  if (maskIs(op.getMask(), false)) {
    rewriter.eraseOp(op);
    return success();
  }
  return failure();
}

//===--- dot ------------------------------------------------------------------------------------------------------===//

bool DotOp::isLayoutAnchor(unsigned) { return true; }

LogicalResult DotOp::verifyLayouts() {
  return algebraOf(cast<RankedTensorType>(getType()).getEncoding()).verifyDot(*this);
}

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType()), b = cast<RankedTensorType>(getB().getType()),
       c = cast<RankedTensorType>(getC().getType());
  int64_t rank = a.getRank();
  if ((rank != 2 && rank != 3) || b.getRank() != rank || c.getRank() != rank)
    return emitOpError("multiplies two matrices, or two batches of them: not ") << a << " and " << b << " into " << c;
  if (a.getDimSize(rank - 1) != b.getDimSize(rank - 2) || a.getDimSize(rank - 2) != c.getDimSize(rank - 2) ||
      b.getDimSize(rank - 1) != c.getDimSize(rank - 1) ||
      (rank == 3 && (a.getDimSize(0) != b.getDimSize(0) || a.getDimSize(0) != c.getDimSize(0))))
    return emitOpError("shapes do not fit: ") << a << " times " << b << " is not " << c;
  if (isa<IntegerType>(a.getElementType()) != isa<IntegerType>(c.getElementType()))
    return emitOpError("accumulates ") << a.getElementType() << " products in " << c.getElementType();
  return success();
}

} // namespace tilecc::tt
