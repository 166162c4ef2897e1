//===- Waits.cpp - loops of TTIR that wait for memory -------------------------------------------------------------===//

#include "lowering/passes/Waits.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

Value tilecc::isAny(OpBuilder &builder, Location loc, Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  if (!tile)
    return value;
  auto line = RankedTensorType::get(tile.getNumElements(), tile.getElementType());
  if (line != tile)
    value = tt::ReshapeOp::create(builder, loc, line, value);
  auto reduce = tt::ReduceOp::create(builder, loc, ValueRange{value}, /*axis=*/0);
  OpBuilder::InsertionGuard guard(builder);
  Type element = tile.getElementType();
  Block *body = builder.createBlock(&reduce->getRegion(0), {}, {element, element}, {loc, loc});
  Value either = arith::OrIOp::create(builder, loc, body->getArgument(0), body->getArgument(1));
  tt::createElementReturn(builder, loc, reduce, ValueRange{either});
  return reduce->getResult(0);
}

void tilecc::expandWait(tt::WaitSignalOp wait) {
  OpBuilder builder(wait);
  Location loc = wait.getLoc();
  Type type = wait.getValue().getType();
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  auto loop = scf::WhileOp::create(builder, loc, TypeRange(), ValueRange());
  builder.createBlock(&loop.getAfter());
  scf::YieldOp::create(builder, loc);
  builder.createBlock(&loop.getBefore());
  Value loaded = tt::AtomicRMWOp::create(builder, loc, type, tt::RMWOp::OR, wait.getPtr(), zero, wait.getMask(),
                                         tt::MemSemantic::ACQUIRE, tt::MemSyncScope::SYSTEM);
  Value distance = arith::SubIOp::create(builder, loc, loaded, wait.getValue());
  Value missing = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, distance, zero);
  if (wait.getMask())
    missing = arith::AndIOp::create(builder, loc, missing, wait.getMask());
  scf::ConditionOp::create(builder, loc, isAny(builder, loc, missing), ValueRange());
  wait.erase();
}
