//===- OptimizeDotOperands.cpp - moves operand conversions towards the loads --------------------------------------===//
//
// Computations between a load and a dot (a cast from a shorter type, a scale, a mask) can be executed before or after
// the tile passes through shared memory. Executing them afterwards is better: a dot of bf16 with int8 then moves bytes,
// and the loaded tile can be copied to shared memory without passing through registers. So conversions to operands of
// matrix units are hoisted over elementwise operations, over transpositions (which then move no data, since only the
// coordinates of registers change) and over broadcasts of a row or column. The conversions end up at the tiles with
// which the computation begins, provided that they do not convert more bits than before. A row or column next to a full
// tile is not counted.
//
//===--------------------------------------------------------------------------------------------------------------===//

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

/// Hoists one conversion.
class Hoisting {
public:
  explicit Hoisting(ttg::ConvertLayoutOp convert) : convert(convert), encoding(convert.getType().getEncoding()) {}

  bool run() {
    Operation *source = convert.getSrc().getDefiningOp();
    if (!source || !canMoveOver(source))
      return false;
    collect({convert.getSrc(), encoding});
    int64_t bits = 0;
    for (Wanted leaf : leaves)
      bits += getBits(leaf.first);
    if (bits * 16 > getBits(convert.getSrc()) * 17)
      return false;
    convert.replaceAllUsesWith(rebuild({convert.getSrc(), encoding}));
    convert.erase();
    return true;
  }

private:
  /// A value and the layout that it should have.
  using Wanted = std::pair<Value, Attribute>;

  /// Returns true if the conversion can move above `op`. `op` must be elementwise or only change coordinates, be in the
  /// block of the conversion, and be cheap enough to be recomputed by every warp that needs a copy of its result.
  bool canMoveOver(Operation *op) {
    return op->getBlock() == convert->getBlock() && isMemoryEffectFree(op) && op->getNumResults() == 1 &&
           op->getNumRegions() == 0 &&
           (isa<tt::TransOp, tt::BroadcastOp, tt::ExpandDimsOp>(op) ||
            (op->hasTrait<OpTrait::Elementwise>() && tt::getWork(op) == tt::Work::Instruction));
  }
  /// Returns true if the value can be created in any layout without cost.
  static bool isFree(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    return isa_and_nonnull<tt::SplatOp>(op);
  }
  static Wanted getOperand(Operation *op, Value operand, Attribute encoding) {
    return {operand, tt::inferOperandEncoding(op, encoding)};
  }

  void collect(Wanted wanted) {
    auto [value, encoding] = wanted;
    if (!isa<RankedTensorType>(value.getType()) || isFree(value) || !seen.insert(wanted).second)
      return;
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast_or_null<ttg::ConvertLayoutOp>(op))
      return collect({inner.getSrc(), encoding});
    if (!op || !canMoveOver(op)) {
      leaves.insert(wanted);
      return;
    }
    for (Value operand : op->getOperands())
      collect(getOperand(op, operand, encoding));
  }

  Value rebuild(Wanted wanted) {
    auto [value, encoding] = wanted;
    if (!isa<RankedTensorType>(value.getType()))
      return value;
    if (Value known = made.lookup(wanted))
      return known;
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast_or_null<ttg::ConvertLayoutOp>(op))
      return made[wanted] = rebuild({inner.getSrc(), encoding});
    auto type = cast<RankedTensorType>(value.getType()).cloneWithEncoding(encoding);
    if (leaves.contains(wanted)) {
      // Convert after the definition of the leaf rather than before the dot, so that other users of the leaf can share
      // the conversion.
      OpBuilder builder(convert);
      builder.setInsertionPointAfterValue(value);
      if (value.getParentBlock() != convert->getBlock())
        builder.setInsertionPoint(convert);
      return made[wanted] = ttg::ConvertLayoutOp::create(builder, convert.getLoc(), type, value);
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(rebuild(getOperand(op, operand, encoding)));
    OpBuilder builder(convert);
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(type);
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(constant.getType())));
    return made[wanted] = clone->getResult(0);
  }

  ttg::ConvertLayoutOp convert;
  Attribute encoding;
  llvm::SetVector<Wanted> leaves;
  DenseSet<Wanted> seen;
  DenseMap<Wanted, Value> made;
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
