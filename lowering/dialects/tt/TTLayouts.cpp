//===- TTLayouts.cpp - how the encodings of an operation's tiles determine each other ---------------------------------===//
//
// The answers that traits give, and those of the operations that rename the coordinates of elements. To rename the
// coordinates of a tile is to rename the outputs of its layout: no element moves. A reshape cuts the bits of an element's
// row-major number elsewhere, a transposition orders the axes anew, a join puts a register bit in front that selects the
// side, and a split removes that bit. So these are free in any layout of their operands, but that a split needs both sides
// in one thread. Whatever else an operation says of layouts stands beside its verifier.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc::tt {

//===--- traits -----------------------------------------------------------------------------------------------------===//

bool keepsElementsInPlace(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<SameLayout>();
}

bool acceptsAnyLayout(Operation *op) { return op->hasTrait<AnyLayout>() || isa<LayoutTransform>(op); }

/// arith and math are upstream's, and carry no traits of ours.
static Work getUpstreamWork(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return Work::Nothing;
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return Work::Root;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return Work::Division;
  bool isInstruction = isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp, math::CeilOp>(op);
  return isa<math::MathDialect>(op->getDialect()) && !isInstruction ? Work::Function : Work::Instruction;
}

Work getWork(Operation *op) {
  if (op->hasTrait<Takes<Work::Nothing>::Impl>())
    return Work::Nothing;
  if (op->hasTrait<Takes<Work::Root>::Impl>())
    return Work::Root;
  if (op->hasTrait<Takes<Work::Library>::Impl>())
    return Work::Library;
  return getUpstreamWork(op);
}

const EncodingAlgebra &algebraOf(Attribute encoding) {
  return *encoding.getDialect().getRegisteredInterface<EncodingAlgebra>();
}

//===--- inference --------------------------------------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Value value) { return cast<RankedTensorType>(value.getType()).getShape(); }

Attribute inferResultEncoding(Operation *op, Attribute operand, unsigned number) {
  if (auto rules = dyn_cast<LayoutRules>(op))
    return rules.inferResultEncoding(operand, number);
  if (auto renaming = dyn_cast<LayoutTransform>(op))
    return algebraOf(operand).transform(operand, shapeOf(op->getOperand(number)), shapeOf(op->getResult(0)),
                                        [&](const LinearLayout &layout) { return renaming.transformLayout(layout); });
  return keepsElementsInPlace(op) ? operand : Attribute();
}

Attribute inferOperandEncoding(Operation *op, Attribute result, unsigned number) {
  if (auto rules = dyn_cast<LayoutRules>(op))
    return rules.inferOperandEncoding(result, number);
  if (auto renaming = dyn_cast<LayoutTransform>(op))
    return algebraOf(result).transform(result, shapeOf(op->getResult(0)), shapeOf(op->getOperand(number)),
                                       [&](const LinearLayout &layout) { return renaming.transformLayoutBack(layout); });
  return keepsElementsInPlace(op) ? result : Attribute();
}

LogicalResult verifyLayoutsAgree(Operation *op) {
  auto encodingOf = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? tile.getEncoding() : Attribute();
  };
  Attribute first;
  for (Type type : op->getOperandTypes())
    if (Attribute encoding = encodingOf(type)) {
      if (first && encoding != first)
        return op->emitOpError() << "has operands of different layouts";
      first = encoding;
    }
  for (Type type : op->getResultTypes())
    if (Attribute encoding = encodingOf(type)) {
      Attribute expected = inferOperandEncoding(op, encoding);
      if (!expected || (first && expected != first))
        return op->emitOpError() << "has a result whose layout does not follow from its operands'";
    }
  return success();
}

//===--- coordinates renamed ----------------------------------------------------------------------------------------===//

static const Dim places[] = {Dim::Register, Dim::Lane, Dim::Warp};

static LinearLayout::Extents extentsOf(ArrayRef<int64_t> shape) {
  LinearLayout::Extents extents;
  for (auto [d, size] : llvm::enumerate(shape))
    extents.push_back({axis(d), llvm::Log2_64(size)});
  return extents;
}

static LinearLayout reshaped(const LinearLayout &layout, ArrayRef<int64_t> shape) {
  // The first output owns the lowest bits, the last axis the lowest of an element's number.
  SmallVector<Dim> before, after;
  for (unsigned d = layout.getOuts().size(); d-- > 0;)
    before.push_back(axis(d));
  for (unsigned d = 0; d < shape.size(); ++d)
    after.push_back(axis(d));
  LinearLayout::Extents outs(llvm::reverse(extentsOf(shape)));
  return layout.transpose(places, before).reshapeOuts(outs).transpose(places, after);
}

static LinearLayout transposed(const LinearLayout &layout, ArrayRef<int32_t> order) {
  SmallVector<Dim> outs;
  LinearLayout::Extents renamed;
  for (auto [to, from] : llvm::enumerate(order)) {
    outs.push_back(axis(from));
    renamed.push_back({axis(to), layout.getOutBits(axis(from))});
  }
  return layout.transpose(places, outs).reshapeOuts(renamed);
}

static LinearLayout joined(const LinearLayout &layout) {
  SmallVector<Dim> natural;
  for (unsigned d = 0; d <= layout.getOuts().size(); ++d)
    natural.push_back(axis(d));
  LinearLayout side = LinearLayout::identity(1, Dim::Register, natural.back());
  return (side * layout).transpose(places, natural);
}

static std::optional<LinearLayout> split(const LinearLayout &layout) {
  unsigned last = layout.getOuts().size() - 1, selecting = 0;
  SmallVector<Dim> kept;
  for (unsigned d = 0; d < last; ++d)
    kept.push_back(axis(d));
  for (Dim dim : places)
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      if (!layout.getBasis(dim, bit, axis(last)))
        continue;
      bool isAlone = dim == Dim::Register;
      for (Dim other : kept)
        isAlone &= layout.getBasis(dim, bit, other) == 0;
      if (!isAlone || ++selecting > 1)
        return std::nullopt;
    }
  return layout.sublayout(places, kept).removeZeroBases(Dim::Register);
}

std::optional<LinearLayout> ReshapeOp::transformLayout(const LinearLayout &layout) {
  return reshaped(layout, shapeOf(getResult()));
}
std::optional<LinearLayout> ReshapeOp::transformLayoutBack(const LinearLayout &layout) {
  return reshaped(layout, shapeOf(getSrc()));
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

} // namespace tilecc::tt
