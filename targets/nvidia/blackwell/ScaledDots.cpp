//===- ScaledDots.cpp - scaled dots that accumulate in tensor memory ----------------------------------------------===//
//
// The matrix unit reads the numbers of both operands from shared memory, and the scales from tensor memory. In shared
// memory, tiles of 8-bit floats keep the order that they have in global memory. In all other tiles, elements that are
// adjacent along K are adjacent in shared memory.
//
// triton-decompose-scaled-dot asks which dots the unit can compute, before tiles have layouts. Later,
// tritongpu-accelerate-matmul replaces these dots.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/blackwell/ScaledDots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/SharedOperands.h"

using namespace mlir;
using namespace tilecc;

/// Returns the number of columns of tensor memory that all dots of the kernel need if they are live at the same time.
static int64_t countColumns(tt::FuncOp kernel) {
  int64_t columns = 0;
  kernel.walk([&](Operation *op) {
    if (!isa<tt::DotOp, tt::DotScaledOp>(op))
      return;
    // Count one column per column of the result for every 128 rows, plus the columns for left operands or scales.
    constexpr int64_t rows = 128, forOperands = 64;
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    columns += llvm::divideCeil(type.getDimSize(0), rows) * type.getShape().back() + forOperands;
  });
  return columns;
}

bool blackwell::isSuitedToTensorMemory(tt::DotScaledOp dot, unsigned numWarps, const nvidia::Facts &facts) {
  using enum tt::ScaleDotElemType;
  // The limits are those of other dots (AccelerateMatmul.cpp), except that instructions have 128 rows, and a word
  // contains the scales of one row.
  constexpr int64_t rowsOfInstruction = 128, fewestColumns = 32, maxAccumulatorElements = 1 << 15, scalesOfWord = 4;
  ArrayRef<int64_t> shape = dot.getType().getShape();
  Value aScale = dot.getAScale(), bScale = dot.getBScale();
  auto isFloat = [](tt::ScaleDotElemType type) { return type == E4M3 || type == E5M2 || type == E2M1; };
  if (!(aScale || bScale) || !isFloat(dot.getAElemType()) || !isFloat(dot.getBElemType()) || !dot.getLhsKPack() ||
      !dot.getRhsKPack() || !dot.getType().getElementType().isF32())
    return false;
  auto scales = cast<RankedTensorType>((aScale ? aScale : bScale).getType());
  if (aScale && bScale && cast<RankedTensorType>(bScale.getType()).getElementType() != scales.getElementType())
    return false;
  bool hasSmallBlocks = !scales.getElementType().isInteger(8);
  if (hasSmallBlocks && (dot.getAElemType() != E2M1 || dot.getBElemType() != E2M1))
    return false;
  auto kernel = dot->getParentOfType<tt::FuncOp>();
  return numWarps % 4 == 0 && shape[0] % rowsOfInstruction == 0 && shape[1] >= fewestColumns &&
         shape[1] >= int64_t(numWarps) && llvm::product_of(shape) <= maxAccumulatorElements &&
         scales.getDimSize(1) >= scalesOfWord && kernel.isPublic() &&
         countColumns(kernel) <= TensorMemoryAccess::numColumns && facts.has(nvidia::Feature::TensorMemory);
}

void blackwell::accelerate(tt::DotScaledOp dot) {
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  unsigned numWarps = ttg::getNumWarps(dot);
  auto convert = [&](Value value, RankedTensorType type) -> Value {
    return ttg::ConvertLayoutOp::create(builder, loc, type, value);
  };
  SharedOperands shared(dot);
  auto storeNumbers = [&](Value operand, unsigned contracted) {
    return shared.canHold(operand, contracted) ? shared.store(operand, contracted)
                                               : shared.storeAlongK(operand, contracted);
  };
  Value a = storeNumbers(dot.getA(), /*contracted=*/1), b = storeNumbers(dot.getB(), /*contracted=*/0);
  auto placeScales = [&](Value scale) {
    return convert(scale, ttng::getScalesType(cast<RankedTensorType>(scale.getType()), numWarps));
  };
  Value aScale = placeScales(dot.getAScale()), bScale = placeScales(dot.getBScale());
  RankedTensorType type = dot.getType();
  Value c =
      convert(dot.getC(), type.cloneWithEncoding(ttng::getRowEncoding(dot.getContext(), type.getShape(), numWarps)));
  auto lowered = ttng::WarpGroupDotOp::create(builder, loc, c.getType(), a, b, c, /*useC=*/Value(), /*rows=*/Value(),
                                              aScale, bScale, dot.getAElemTypeAttr(), dot.getBElemTypeAttr());
  dot.replaceAllUsesWith(convert(lowered, type));
  dot.erase();
}
