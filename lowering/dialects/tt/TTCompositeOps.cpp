//===- TTCompositeOps.cpp - operations that are rewritten to simpler ones -----------------------------------------===//
//
// Verifiers of block pointers and of scaled dots.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::tt;

//===--- block pointers -------------------------------------------------------------------------------------------===//

static LogicalResult verifyRank(Operation *op, Type pointer, size_t numbers) {
  RankedTensorType block = getBlockOf(pointer);
  if (!block)
    return op->emitOpError("makes pointers to blocks, not ") << pointer;
  if (int64_t(numbers) != block.getRank())
    return op->emitOpError("has ") << numbers << " offsets in blocks of rank " << block.getRank();
  return success();
}

LogicalResult MakeTensorPtrOp::verify() { return verifyRank(*this, getType(), getOffsets().size()); }
LogicalResult AdvanceOp::verify() { return verifyRank(*this, getType(), getOffsets().size()); }

//===--- dots of scaled numbers -----------------------------------------------------------------------------------===//

/// Verifies an operand of `rows` by `depth` numbers (or the transpose of that on the right), and its scales.
static LogicalResult verifyScaled(DotScaledOp op, StringRef side, RankedTensorType tile, bool isRight, bool packsDepth,
                                  ScaleDotElemType kind, Value scale, int64_t rows, int64_t &depth) {
  if (tile.getRank() != 2)
    return op.emitOpError("multiplies matrices, not ") << tile;
  const int64_t numbers = DotScaledOp::getNumbersPerElement(kind);
  int64_t height = tile.getDimSize(isRight ? 1 : 0) * (packsDepth ? 1 : numbers);
  int64_t width = tile.getDimSize(isRight ? 0 : 1) * (packsDepth ? numbers : 1);
  if (height != rows || (depth && width != depth))
    return op.emitOpError("shapes do not fit: the ")
           << side << " operand is " << tile << " for " << rows << " rows or columns"
           << (depth ? " and a depth of " + std::to_string(depth) : "");
  depth = width;
  Type element = tile.getElementType();
  bool fits = kind == ScaleDotElemType::BF16   ? element.isBF16()
              : kind == ScaleDotElemType::FP16 ? element.isF16()
              : kind == ScaleDotElemType::E4M3 ? isa<Float8E4M3FNType>(element) || element.isInteger(8)
              : kind == ScaleDotElemType::E5M2 ? isa<Float8E5M2Type>(element) || element.isInteger(8)
                                               : element.isInteger(8);
  if (!fits)
    return op.emitOpError("cannot take ") << element << " as numbers of type " << stringifyEnum(kind);
  if (!scale)
    return success();
  auto scales = cast<RankedTensorType>(scale.getType());
  bool isFloat8 = isa<Float8E4M3FNType>(scales.getElementType());
  if (!scales.getElementType().isInteger(8) && !(isFloat8 && kind == ScaleDotElemType::E2M1))
    return op.emitOpError("has scales of type ")
           << scales.getElementType()
           << "; powers of two (e8m0, as i8), and e4m3 for numbers of type e2m1, are supported";
  const int64_t perScale = DotScaledOp::getNumbersPerScale(scales);
  if (scales.getRank() != 2 || scales.getDimSize(0) != rows || scales.getDimSize(1) * perScale != depth)
    return op.emitOpError("needs a scale for ")
           << perScale << " neighbours of " << rows << " rows of " << depth << " numbers, and has " << scales;
  return success();
}

LogicalResult DotScaledOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType()), b = cast<RankedTensorType>(getB().getType()),
       c = cast<RankedTensorType>(getC().getType());
  if (c.getRank() != 2)
    return emitOpError("multiplies matrices, not ") << a << " and " << b << " into " << c;
  int64_t depth = 0;
  if (failed(verifyScaled(*this, "left", a, /*isRight=*/false, getLhsKPack(), getAElemType(), getAScale(),
                          c.getDimSize(0), depth)))
    return failure();
  return verifyScaled(*this, "right", b, /*isRight=*/true, getRhsKPack(), getBElemType(), getBScale(), c.getDimSize(1),
                      depth);
}
