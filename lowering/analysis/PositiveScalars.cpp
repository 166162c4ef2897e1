//===- PositiveScalars.cpp - floating-point numbers that are known to be positive ---------------------------------===//

#include "lowering/analysis/PositiveScalars.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilecc {

/// Returns the scalar to which all elements of `tile` are equal: the operand of a splat, or a constant. Returns null if
/// there is none.
static Value getSplatScalar(Value tile) {
  if (auto splat = tile.getDefiningOp<tt::SplatOp>())
    return splat.getSrc();
  DenseElementsAttr elements;
  return matchPattern(tile, m_Constant(&elements)) && elements.isSplat() ? tile : Value();
}

std::optional<ScaledTile> getScaledTile(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !isa<RankedTensorType>(value.getType()))
    return std::nullopt;
  if (Value scale = getSplatScalar(product.getRhs()))
    return ScaledTile{product.getLhs(), scale, product};
  if (Value scale = getSplatScalar(product.getLhs()))
    return ScaledTile{product.getRhs(), scale, product};
  return std::nullopt;
}

bool isMaximum(tt::ReduceOp reduce) {
  return reduce.getSrcs().size() == 1 &&
         isa_and_nonnull<arith::MaxNumFOp, arith::MaximumFOp>(reduce.getSingleCombiner());
}

bool isPositive(Value scalar, function_ref<bool(BlockArgument)> isPositiveArgument) {
  APFloat number(0.0);
  if (matchPattern(scalar, m_ConstantFloat(&number)))
    return number.isFiniteNonZero() && !number.isNegative();
  if (auto argument = dyn_cast<BlockArgument>(scalar))
    return isa<tt::FuncOp>(argument.getOwner()->getParentOp()) && isPositiveArgument(argument);
  Operation *op = scalar.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp, arith::ExtFOp>(op))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) { return isPositive(operand, isPositiveArgument); });
}

} // namespace tilecc
