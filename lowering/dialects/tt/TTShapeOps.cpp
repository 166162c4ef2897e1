//===- TTShapeOps.cpp - operations that move elements -------------------------------------------------------------===//
//
// Verifiers, folders and layout rules of reshape, trans, join, split, cat, gather and histogram.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "lowering/layouts/Encodings.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc::tt {

static RankedTensorType tileType(Value value) { return cast<RankedTensorType>(value.getType()); }

/// Replaces `op(splat)` by a splat, because all elements are equal.
template <typename OpT> static LogicalResult replaceBySplat(OpT op, PatternRewriter &rewriter) {
  auto splat = op.getSrc().template getDefiningOp<SplatOp>();
  if (!splat)
    return failure();
  rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
  return success();
}

/// Inserts a dimension of size one at `axis` into `tile`, which has no layout.
static Value insertDim(OpBuilder &builder, Location loc, Value tile, unsigned axis) {
  RankedTensorType type = tileType(tile);
  SmallVector<int64_t> sizes(type.getShape());
  sizes.insert(sizes.begin() + axis, 1);
  auto wider = RankedTensorType::get(sizes, type.getElementType());
  return ExpandDimsOp::create(builder, loc, wider, tile, builder.getI32IntegerAttr(axis));
}

Value createSpread(OpBuilder &builder, Location loc, Value line, unsigned axis, ArrayRef<int64_t> shape) {
  for (unsigned other = 0; other < shape.size(); ++other)
    if (other != axis)
      line = insertDim(builder, loc, line, other);
  auto whole = RankedTensorType::get(shape, tileType(line).getElementType());
  return line.getType() == whole ? line : BroadcastOp::create(builder, loc, whole, line).getResult();
}

//===--- reshape --------------------------------------------------------------------------------------------------===//

LogicalResult ReshapeOp::verify() {
  auto src = tileType(getSrc()), dst = tileType(getResult());
  if (src.getNumElements() != dst.getNumElements())
    return emitOpError("cannot reshape ")
           << src << " to " << dst << ": " << src.getNumElements() << " elements and " << dst.getNumElements();
  return success();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && !getEfficientLayout())
    return getSrc();
  return foldShapeOfSplat(adaptor.getSrc(), getType());
}

/// Returns the positions at which dimensions of size one are inserted into `from` to make `to`. Returns nothing if the
/// shapes differ in other ways.
static std::optional<SmallVector<unsigned>> findInsertedDims(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  SmallVector<unsigned> inserted;
  unsigned matched = 0;
  for (auto [d, size] : llvm::enumerate(to))
    if (matched < from.size() && from[matched] == size)
      ++matched;
    else if (size == 1)
      inserted.push_back(d);
    else
      return std::nullopt;
  if (matched != from.size())
    return std::nullopt;
  return inserted;
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  // reshape(reshape(x)): only the outer shape matters. If either reshape may reorder elements, the combination may.
  if (auto inner = op.getSrc().getDefiningOp<ReshapeOp>(); inner && !op.getEfficientLayout()) {
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(),
                                           op.getAllowReorder() || inner.getAllowReorder(),
                                           /*efficient_layout=*/false);
    return success();
  }
  // The reshape can also take the operand of an inner expand_dims directly. If there are layouts, the expand_dims is
  // kept, because the layout of its operand might not fit the reshape.
  if (auto inner = op.getSrc().getDefiningOp<ExpandDimsOp>();
      inner && !op.getEfficientLayout() && !tileType(inner).getEncoding()) {
    rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(inner.getSrc()); });
    return success();
  }
  // Layouts and strides are known more precisely for expand_dims than for a reshape.
  RankedTensorType type = op.getType();
  if (auto inserted = findInsertedDims(tileType(op.getSrc()).getShape(), type.getShape());
      inserted && !type.getEncoding() && !op.getAllowReorder() && !op.getEfficientLayout()) {
    Value tile = op.getSrc();
    for (unsigned d : *inserted)
      tile = insertDim(rewriter, op.getLoc(), tile, d);
    rewriter.replaceOp(op, tile);
    return success();
  }
  return replaceBySplat(op, rewriter);
}

//===--- trans ----------------------------------------------------------------------------------------------------===//

LogicalResult TransOp::verify() {
  auto src = tileType(getSrc()), dst = tileType(getResult());
  ArrayRef<int32_t> order = getOrder();
  SmallVector<bool> seen(src.getRank(), false);
  for (int32_t dim : order)
    if (dim >= 0 && dim < src.getRank())
      seen[dim] = true;
  if (int64_t(order.size()) != src.getRank() || llvm::is_contained(seen, false))
    return emitOpError("names each dimension of ") << src << " once, and [" << order << "] does not";
  SmallVector<int64_t> shape;
  for (int32_t dim : order)
    shape.push_back(src.getDimSize(dim));
  if (ArrayRef(shape) != dst.getShape())
    return emitOpError("of ") << src << " in the order [" << order << "] is not " << dst;
  return success();
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && llvm::is_sorted(getOrder()))
    return getSrc();
  return foldShapeOfSplat(adaptor.getSrc(), getType());
}

AffineMap TransOp::getIndexingMap(unsigned) {
  SmallVector<AffineExpr> coordinates(getOrder().size());
  for (auto [to, from] : llvm::enumerate(getOrder()))
    coordinates[from] = getAffineDimExpr(to, getContext());
  return AffineMap::get(coordinates.size(), /*symbolCount=*/0, coordinates, getContext());
}

LogicalResult TransOp::canonicalize(TransOp op, PatternRewriter &rewriter) {
  if (auto inner = op.getSrc().getDefiningOp<TransOp>()) {
    SmallVector<int32_t> order;
    for (int32_t dim : op.getOrder())
      order.push_back(inner.getOrder()[dim]);
    rewriter.replaceOpWithNewOp<TransOp>(op, op.getType(), inner.getSrc(), order);
    return success();
  }
  return replaceBySplat(op, rewriter);
}

//===--- join and split -------------------------------------------------------------------------------------------===//

/// Returns true if `pair` is `half` with an additional last dimension of two.
static bool isPairOf(RankedTensorType pair, RankedTensorType half) {
  return pair.getRank() == half.getRank() + 1 && pair.getShape().drop_back() == half.getShape() &&
         pair.getShape().back() == 2;
}

void JoinOp::build(OpBuilder &builder, OperationState &state, Value lhs, Value rhs) {
  SmallVector<int64_t> shape(tileType(lhs).getShape());
  shape.push_back(2);
  build(builder, state, RankedTensorType::get(shape, tileType(lhs).getElementType()), lhs, rhs);
}

LogicalResult JoinOp::verify() {
  auto lhs = tileType(getLhs()), dst = tileType(getResult());
  if (!isPairOf(dst, lhs))
    return emitOpError("of two ") << lhs << " has that shape and a last dimension of 2, unlike " << dst;
  return success();
}

OpFoldResult JoinOp::fold(FoldAdaptor adaptor) {
  // join(split(x)) -> x.
  if (auto split = getLhs().getDefiningOp<SplitOp>())
    if (split.getOutLHS() == getLhs() && split.getOutRHS() == getRhs() && split.getSrc().getType() == getType())
      return split.getSrc();
  return adaptor.getLhs() == adaptor.getRhs() ? foldShapeOfSplat(adaptor.getLhs(), getType()) : OpFoldResult();
}

void SplitOp::build(OpBuilder &builder, OperationState &state, Value src) {
  auto half = RankedTensorType::get(tileType(src).getShape().drop_back(), tileType(src).getElementType());
  build(builder, state, half, half, src);
}

LogicalResult SplitOp::verify() {
  auto src = tileType(getSrc()), half = tileType(getOutLHS());
  if (src.getRank() < 2 || src.getShape().back() != 2)
    return emitOpError("needs a last dimension of 2 beside others, which ") << src << " has not";
  if (!isPairOf(src, half))
    return emitOpError("of ") << src << " has results without its last dimension, not " << half;
  return success();
}

AffineMap SplitOp::getIndexingMap(unsigned number) {
  unsigned rank = tileType(getOutLHS()).getRank();
  return AffineMap::getMultiDimIdentityMap(rank, getContext())
      .insertResult(getAffineConstantExpr(number, getContext()), rank);
}

LogicalResult SplitOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  auto join = getSrc().getDefiningOp<JoinOp>();
  if (join && join.getLhs().getType() == getOutLHS().getType()) {
    results.assign({join.getLhs(), join.getRhs()});
    return success();
  }
  OpFoldResult half = foldShapeOfSplat(adaptor.getSrc(), getOutLHS().getType());
  if (!half)
    return failure();
  results.assign({half, half});
  return success();
}

//===--- coordinates renamed --------------------------------------------------------------------------------------===//
//
// Renaming the coordinates of a tile renames the outputs of its layout and moves no elements. A reshape splits the bits
// of an element's row-major index differently, a transposition reorders the axes, a join prepends a register bit that
// selects the side, and a split removes that bit. These operations are therefore free for any operand layout, except
// that a split needs both sides in the same thread.

static LinearLayout transposed(const LinearLayout &layout, ArrayRef<int32_t> order) {
  SmallVector<Dim> outs;
  LinearLayout::Extents renamed;
  for (auto [to, from] : llvm::enumerate(order)) {
    outs.push_back(axis(from));
    renamed.push_back({axis(to), layout.getOutBits(axis(from))});
  }
  return layout.transposeOuts(outs).reshapeOuts(renamed);
}

static LinearLayout joined(const LinearLayout &layout) {
  SmallVector<Dim> natural;
  for (unsigned d = 0; d <= layout.getOuts().size(); ++d)
    natural.push_back(axis(d));
  LinearLayout side = LinearLayout::identity(1, Dim::Register, natural.back());
  return (side * layout).transposeOuts(natural);
}

static std::optional<LinearLayout> split(const LinearLayout &layout) {
  unsigned last = layout.getOuts().size() - 1, selecting = 0;
  SmallVector<Dim> kept;
  for (unsigned d = 0; d < last; ++d)
    kept.push_back(axis(d));
  for (Dim dim : layout.getInDims())
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      if (!layout.getBasis(dim, bit, axis(last)))
        continue;
      bool isAlone = dim == Dim::Register;
      for (Dim other : kept)
        isAlone &= layout.getBasis(dim, bit, other) == 0;
      if (!isAlone || ++selecting > 1)
        return std::nullopt;
    }
  return layout.sublayout(kept).removeZeroBases(Dim::Register);
}

std::optional<LinearLayout> ReshapeOp::transformLayout(const LinearLayout &layout) {
  return reshapeRowMajor(layout, tileType(getResult()).getShape());
}
std::optional<LinearLayout> ReshapeOp::transformLayoutBack(const LinearLayout &layout) {
  return reshapeRowMajor(layout, tileType(getSrc()).getShape());
}

std::optional<LinearLayout> TransOp::transformLayout(const LinearLayout &layout) {
  return transposed(layout, getOrder());
}
std::optional<LinearLayout> TransOp::transformLayoutBack(const LinearLayout &layout) {
  SmallVector<int32_t> order(getOrder().size());
  for (auto [to, from] : llvm::enumerate(getOrder()))
    order[from] = to;
  return transposed(layout, order);
}

std::optional<LinearLayout> JoinOp::transformLayout(const LinearLayout &layout) { return joined(layout); }
std::optional<LinearLayout> JoinOp::transformLayoutBack(const LinearLayout &layout) { return split(layout); }

std::optional<LinearLayout> SplitOp::transformLayout(const LinearLayout &layout) { return split(layout); }
std::optional<LinearLayout> SplitOp::transformLayoutBack(const LinearLayout &layout) { return joined(layout); }

//===--- cat ------------------------------------------------------------------------------------------------------===//

LogicalResult CatOp::verify() {
  auto lhs = tileType(getLhs()), rhs = tileType(getRhs()), dst = tileType(getResult());
  if (lhs.getRank() != 1 || rhs.getRank() != 1 || dst.getRank() != 1 ||
      lhs.getNumElements() + rhs.getNumElements() != dst.getNumElements())
    return emitOpError("makes a one-dimensional tile of all elements of two: not ")
           << dst << " of " << lhs << " and " << rhs;
  return success();
}

/// On GPUs the operands are interleaved: element i of the operands is at position 2 * i and 2 * i + 1, respectively.
std::optional<LinearLayout> CatOp::transformLayout(const LinearLayout &layout) {
  return reshapeRowMajor(joined(layout), tileType(getResult()).getShape());
}
std::optional<LinearLayout> CatOp::transformLayoutBack(const LinearLayout &layout) {
  return split(reshapeRowMajor(layout, {tileType(getLhs()).getDimSize(0), 2}));
}

//===--- gather ---------------------------------------------------------------------------------------------------===//

void GatherOp::build(OpBuilder &builder, OperationState &state, Value src, Value indices, int axis) {
  build(builder, state, withElementType(indices.getType(), tileType(src).getElementType()), src, indices, axis,
        /*efficient_layout=*/false);
}

LogicalResult GatherOp::verify() {
  auto src = tileType(getSrc()), indices = tileType(getIndices()), dst = tileType(getResult());
  if (dst.getElementType() != src.getElementType() || dst.getShape() != indices.getShape() ||
      dst.getEncoding() != indices.getEncoding())
    return emitOpError("of ") << src << " has the indices' shape and layout, which are " << indices << ", not " << dst;
  if (src.getRank() != indices.getRank() || getAxis() >= uint32_t(src.getRank()))
    return emitOpError("along axis ") << getAxis() << " cannot take " << indices << " as indices of " << src;
  for (int64_t d = 0; d < src.getRank(); ++d)
    if (d != int64_t(getAxis()) && src.getDimSize(d) != indices.getDimSize(d))
      return emitOpError("along axis ") << getAxis() << " needs other dimensions to be equal: dimension " << d << " is "
                                        << src.getDimSize(d) << " and " << indices.getDimSize(d);
  return success();
}

OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  if (getSrc().getType() == getType() && getExchangedBits() == 0)
    return getSrc();
  return foldShapeOfSplat(adaptor.getSrc(), getType());
}

/// The indices have the layout of the result. For an exchange, the source has this layout too, so that partners are
/// threads at a fixed distance.
Attribute GatherOp::inferResultEncoding(Attribute operand, unsigned number) {
  return number == 1 || getExchangedBits() ? operand : Attribute();
}
Attribute GatherOp::inferOperandEncoding(Attribute result, unsigned number) {
  return number == 1 || getExchangedBits() ? result : Attribute();
}

LogicalResult GatherOp::canonicalize(GatherOp op, PatternRewriter &rewriter) { return replaceBySplat(op, rewriter); }

/// Looks through expand_dims, broadcast and convert_layout, and updates `axis`. Returns null if the axis was inserted.
static Value lookThrough(Value value, int64_t &axis) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
      if (int64_t(expand.getAxis()) == axis)
        return {};
      axis -= int64_t(expand.getAxis()) < axis;
    } else if (op->getName().getStringRef() == "ttg.convert_layout") {
    } else if (!isa<BroadcastOp>(op)) {
      break;
    }
    value = op->getOperand(0);
  }
  return value;
}

std::optional<int64_t> GatherOp::getExchangedBits() {
  int64_t axis = getAxis(), bits = 0;
  if (getSrc().getType() != getType() && tileType(getSrc()).getShape() != tileType(getResult()).getShape())
    return std::nullopt;
  Value index = lookThrough(getIndices(), axis);
  while (auto inverted = index ? index.getDefiningOp<arith::XOrIOp>() : arith::XOrIOp()) {
    DenseElementsAttr constant;
    if (!matchPattern(inverted.getRhs(), m_Constant(&constant)) || !constant.isSplat())
      return std::nullopt;
    bits ^= constant.getSplatValue<APInt>().getSExtValue();
    index = lookThrough(inverted.getLhs(), axis);
  }
  auto range = index ? index.getDefiningOp<MakeRangeOp>() : MakeRangeOp();
  int64_t size = tileType(getSrc()).getDimSize(getAxis());
  bool isWhole = range && range.getStart() == 0 && int64_t(range.getEnd()) == size;
  return isWhole && bits >= 0 && bits < size ? std::optional(bits) : std::nullopt;
}

//===--- histogram ------------------------------------------------------------------------------------------------===//

/// The mask has the layout of the elements.
Attribute HistogramOp::inferOperandEncoding(Attribute, unsigned) {
  return cast<RankedTensorType>(getSrc().getType()).getEncoding();
}

LogicalResult HistogramOp::verify() {
  auto src = tileType(getSrc()), dst = tileType(getResult());
  if (src.getRank() != 1 || dst.getRank() != 1 || !dst.getElementType().isInteger(32))
    return emitOpError("counts a one-dimensional tile in bins of 32 bits, not ") << src << " in " << dst;
  return success();
}

} // namespace tilecc::tt
