//===- TTLayouts.cpp - relations between encodings of operands and results ----------------------------------------===//
//
// This file implements the rules that traits define, and the queries that passes use. The rules that an operation
// defines itself are next to its verifier.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc::tt {

//===--- traits ---------------------------------------------------------------------------------------------------===//

bool keepsElementsInPlace(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<SameLayout>();
}

bool acceptsAnyLayout(Operation *op) { return op->hasTrait<AnyLayout>() || isa<LayoutTransform>(op); }

/// Returns the work of operations of arith and math, which do not have our traits.
static Work getUpstreamWork(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return Work::Nothing;
  if (isa<arith::DivFOp, math::SqrtOp, math::RsqrtOp>(op))
    return Work::Root;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp, arith::RemFOp, arith::CeilDivSIOp,
          arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
    return Work::Division;
  bool isInstruction = isa<math::AbsFOp, math::AbsIOp, math::FmaOp, math::FloorOp, math::CeilOp, math::TruncOp,
                           math::RoundEvenOp, math::CtPopOp, math::CountLeadingZerosOp>(op);
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
  if (auto *own = encoding.getDialect().getRegisteredInterface<EncodingAlgebra>())
    return *own;
  // The dialect of a back end may only add an encoding.
  for (Dialect *dialect : encoding.getContext()->getLoadedDialects())
    if (auto *common = dialect->getRegisteredInterface<EncodingAlgebra>())
      return *common;
  llvm_unreachable("no dialect computes derived encodings");
}

//===--- inference ------------------------------------------------------------------------------------------------===//

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
    return algebraOf(result).transform(
        result, shapeOf(op->getResult(0)), shapeOf(op->getOperand(number)),
        [&](const LinearLayout &layout) { return renaming.transformLayoutBack(layout); });
  return keepsElementsInPlace(op) ? result : Attribute();
}

/// Returns true if two encodings mean the same layout of a tile of `shape`.
static bool layOutAlike(Attribute a, Attribute b, ArrayRef<int64_t> shape) {
  auto canonical = [&](Attribute encoding) {
    return algebraOf(encoding).transform(encoding, shape, shape, [](const LinearLayout &layout) { return layout; });
  };
  return a == b || (&algebraOf(a) == &algebraOf(b) && canonical(a) == canonical(b));
}

LogicalResult verifyLayoutsAgree(Operation *op) {
  auto encodingOf = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile ? tile.getEncoding() : Attribute();
  };
  Attribute first;
  ArrayRef<int64_t> shape;
  for (Type type : op->getOperandTypes())
    if (Attribute encoding = encodingOf(type)) {
      if (first && !layOutAlike(encoding, first, cast<RankedTensorType>(type).getShape()))
        return op->emitOpError() << "has operands of different layouts";
      first = encoding;
      shape = cast<RankedTensorType>(type).getShape();
    }
  for (Type type : op->getResultTypes())
    if (Attribute encoding = encodingOf(type)) {
      Attribute expected = inferOperandEncoding(op, encoding);
      if (!expected || (first && !layOutAlike(expected, first, shape)))
        return op->emitOpError() << "has a result whose layout does not follow from its operands'";
    }
  return success();
}

} // namespace tilecc::tt
