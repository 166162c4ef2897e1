//===- OptimizeDotOperands.cpp - operands of products come from memory as they are ----------------------------------===//
//
// What is computed from a loaded tile on its way to a product (a cast from a shorter type, a scale, a mask) can be
// computed before the tile goes through shared memory, or behind. Behind is better: a product of bf16 by int8 then moves
// bytes, and the loaded tile can go to shared memory without passing through registers at all. So conversions to operands
// of matrix units move up, over elementwise operations, to the tiles that these come from, as long as that converts no
// more bits than before.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUOPTIMIZEDOTOPERANDS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

int64_t getBits(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * tt::getElementBits(type.getElementType());
}

/// Moves one conversion up.
class Hoisting {
public:
  explicit Hoisting(ttg::ConvertLayoutOp convert) : convert(convert), encoding(convert.getType().getEncoding()) {}

  bool run() {
    Operation *source = convert.getSrc().getDefiningOp();
    if (!source || !canMoveOver(source))
      return false;
    collect(convert.getSrc());
    int64_t bits = 0;
    for (Value leaf : leaves)
      bits += getBits(leaf);
    if (bits > getBits(convert.getSrc()))
      return false;
    convert.replaceAllUsesWith(rebuild(convert.getSrc()));
    convert.erase();
    return true;
  }

private:
  /// Elementwise, of this block, and cheap enough to be computed by every warp that has a copy.
  bool canMoveOver(Operation *op) {
    return op->getBlock() == convert->getBlock() && op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) &&
           op->getNumResults() == 1 && op->getNumRegions() == 0 && tt::getWork(op) == tt::Work::Instruction;
  }
  /// Made in any layout, at no cost.
  static bool isFree(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    return isa_and_nonnull<tt::SplatOp>(op);
  }

  void collect(Value value) {
    if (!isa<RankedTensorType>(value.getType()) || isFree(value) || !seen.insert(value).second)
      return;
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast_or_null<ttg::ConvertLayoutOp>(op))
      return collect(inner.getSrc());
    if (!op || !canMoveOver(op)) {
      leaves.insert(value);
      return;
    }
    for (Value operand : op->getOperands())
      collect(operand);
  }

  Value rebuild(Value value) {
    if (!isa<RankedTensorType>(value.getType()))
      return value;
    if (Value known = made.lookup(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast_or_null<ttg::ConvertLayoutOp>(op))
      return made[value] = rebuild(inner.getSrc());
    if (leaves.contains(value)) {
      // Beside what it converts, not beside the product: later uses of the leaf may share it.
      OpBuilder builder(convert);
      builder.setInsertionPointAfterValue(value);
      if (value.getParentBlock() != convert->getBlock())
        builder.setInsertionPoint(convert);
      auto type = cast<RankedTensorType>(value.getType()).cloneWithEncoding(encoding);
      return made[value] = ttg::ConvertLayoutOp::create(builder, convert.getLoc(), type, value);
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(rebuild(operand));
    OpBuilder builder(convert);
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(cast<RankedTensorType>(value.getType()).cloneWithEncoding(encoding));
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(constant.getType())));
    return made[value] = clone->getResult(0);
  }

  ttg::ConvertLayoutOp convert;
  Attribute encoding;
  llvm::SetVector<Value> leaves;
  DenseSet<Value> seen;
  DenseMap<Value, Value> made;
};

struct OptimizeDotOperands : tilecc::impl::TritonGPUOptimizeDotOperandsBase<OptimizeDotOperands> {
  void runOnOperation() override {
    SmallVector<ttg::ConvertLayoutOp> converts;
    getOperation().walk([&](ttg::ConvertLayoutOp convert) {
      auto operand = dyn_cast<ttg::DotOperandEncodingAttr>(convert.getType().getEncoding());
      if (operand && operand.getMatrixUnit())
        converts.push_back(convert);
    });
    for (ttg::ConvertLayoutOp convert : converts)
      Hoisting(convert).run();
  }
};

} // namespace
