//===- BufferSlots.cpp - slots of multi-buffered allocations ------------------------------------------------------===//
//
// The pipeliner keeps slot numbers in integers that the loop carries. It increments them and wraps them to 0. Barrier
// insertion and the passes that overlap dots recognize this pattern. The pattern is integer arithmetic rather than an
// operation of its own because Triton's pipeliner generates the same pattern (docs/decisions.md).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tilecc;

Value tilecc::createNextSlot(OpBuilder &builder, Location loc, Value slot, int64_t count) {
  if (count == 1)
    return slot;
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(slot.getType(), value));
  };
  Value next = arith::AddIOp::create(builder, loc, slot, integer(1));
  Value wraps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, next, integer(count));
  return arith::SelectOp::create(builder, loc, wraps, integer(0), next);
}

Value tilecc::matchNextSlot(Value next, int64_t count) {
  auto select = next.getDefiningOp<arith::SelectOp>();
  if (!select || !matchPattern(select.getTrueValue(), m_Zero()))
    return {};
  auto add = select.getFalseValue().getDefiningOp<arith::AddIOp>();
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  APInt limit;
  if (!add || !matchPattern(add.getRhs(), m_One()) || !compare || compare.getLhs() != add.getResult() ||
      compare.getPredicate() != arith::CmpIPredicate::sge || !matchPattern(compare.getRhs(), m_ConstantInt(&limit)) ||
      limit.getSExtValue() != count)
    return {};
  return add.getLhs();
}

ViewedTile tilecc::getViewedTile(Value view) {
  ViewedTile tile{view, {}};
  while (Operation *op = tile.memory.getDefiningOp()) {
    if (auto index = dyn_cast<ttg::MemDescIndexOp>(op))
      tile.index = index;
    else if (isa<ttg::MemDescReinterpretOp, ttg::MemDescReshapeOp>(op))
      tile.index = {}; // this index counts tiles of another size
    else if (!isa<ViewLikeOpInterface>(op))
      break;
    tile.memory = op->getOperand(0);
  }
  return tile;
}
