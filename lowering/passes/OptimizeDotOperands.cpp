//===- OptimizeDotOperands.cpp - operands of products come from memory as they are ----------------------------------===//
//
// What is computed from a loaded tile on its way to a product (a cast from a shorter type, a scale, a mask) can be
// computed before the tile goes through shared memory, or behind. Behind is better: a product of bf16 by int8 then moves
// bytes, and the loaded tile can go to shared memory without passing through registers at all. So conversions to operands
// of matrix units move up, over elementwise operations, transpositions (which are free of moves then: registers change
// coordinates) and the broadcasts of a row or column, to the tiles that these come from, as long as that converts no more
// bits than before; a row or column beside a tile does not count.
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
  /// A value, and the layout it should have.
  using Wanted = std::pair<Value, Attribute>;

  /// Elementwise, or gives elements other coordinates; of this block, and cheap enough to be computed by every warp that has
  /// a copy.
  bool canMoveOver(Operation *op) {
    return op->getBlock() == convert->getBlock() && isMemoryEffectFree(op) && op->getNumResults() == 1 &&
           op->getNumRegions() == 0 &&
           (isa<tt::TransOp, tt::BroadcastOp, tt::ExpandDimsOp>(op) ||
            (op->hasTrait<OpTrait::Elementwise>() && tt::getWork(op) == tt::Work::Instruction));
  }
  /// Made in any layout, at no cost.
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
      // Beside what it converts, not beside the product: later uses of the leaf may share it.
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
