//===- PrepareTTIR.cpp - prepares kernels for the CPU -------------------------------------------------------------===//
//
// This file turns loop-carried tiles into formulas (see Schedule.h): it removes hints, and replaces tiles that a loop
// only advances by scalars. CpuLowering.cpp calls these functions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/PrepareTTIR.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

/// Returns the scalar to which all elements of the tile are equal, converted to `type`, or null if they may differ.
static Value uniformElement(OpBuilder &builder, Value tile, Type type) {
  Operation *op = tile.getDefiningOp();
  while (isa_and_nonnull<tt::BroadcastOp, tt::ExpandDimsOp>(op))
    op = op->getOperand(0).getDefiningOp();
  Value element;
  if (auto splat = dyn_cast_or_null<tt::SplatOp>(op)) {
    element = splat.getSrc();
  } else if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (!splat)
      return {};
    APInt value = splat.getSplatValue<APInt>().sextOrTrunc(type.getIntOrFloatBitWidth());
    return arith::ConstantOp::create(builder, tile.getLoc(), IntegerAttr::get(type, value));
  }
  if (element && element.getType() != type)
    element = arith::ExtSIOp::create(builder, tile.getLoc(), type, element);
  return element;
}

/// Returns the tiles that are added to `carried` to compute `next`, or nothing if `next` is computed differently.
static std::optional<SmallVector<Value>> incrementsOf(Value carried, Value next) {
  SmallVector<Value> increments;
  while (next != carried) {
    Operation *op = next.getDefiningOp();
    if (!isa_and_nonnull<tt::AddPtrOp, arith::AddIOp>(op))
      return std::nullopt;
    increments.push_back(op->getOperand(1));
    next = op->getOperand(0);
  }
  if (increments.empty())
    return std::nullopt;
  return increments;
}

static void scalarizeInduction(scf::ForOp loop, unsigned k) {
  BlockArgument carried = loop.getRegionIterArg(k);
  auto type = dyn_cast<RankedTensorType>(carried.getType());
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  if (!type || isa<FloatType>(type.getElementType()))
    return;
  auto increments = incrementsOf(carried, yield.getOperand(k));
  if (!increments)
    return;
  bool isPointer = isa<tt::PointerType>(type.getElementType());
  OpBuilder builder(yield);
  Location loc = carried.getLoc();
  Type scalarType = isPointer ? Type(builder.getI64Type()) : type.getElementType();
  SmallVector<Value> amounts;
  for (Value increment : *increments) {
    Value amount = uniformElement(builder, increment, scalarType);
    if (!amount)
      return; // the operations created so far are dead
    amounts.push_back(amount);
  }

  // The type of the carried value changes, so first replace its uses by the formula.
  Value init = loop.getInitArgs()[k], result = loop.getResult(k);
  auto moved = [&](Value scalar) -> Value {
    Value splat = tt::SplatOp::create(builder, loc, RankedTensorType::get(type.getShape(), scalarType), scalar);
    return isPointer ? Value(tt::AddPtrOp::create(builder, loc, type, init, splat))
                     : Value(arith::AddIOp::create(builder, loc, init, splat));
  };

  builder.setInsertionPoint(loop);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(scalarType, 0));
  builder.setInsertionPoint(yield);
  Value next = carried;
  carried.setType(scalarType);
  for (Value amount : amounts)
    next = arith::AddIOp::create(builder, loc, next, amount);
  llvm::SmallPtrSet<Operation *, 4> sums;
  for (Value v = next; v != carried; v = v.getDefiningOp()->getOperand(0))
    sums.insert(v.getDefiningOp());
  yield.setOperand(k, next);

  builder.setInsertionPointToStart(loop.getBody());
  Value inside = moved(carried);
  Operation *insideSplat = inside.getDefiningOp()->getOperand(1).getDefiningOp();
  carried.replaceUsesWithIf(
      inside, [&](OpOperand &use) { return use.getOwner() != insideSplat && !sums.contains(use.getOwner()); });

  builder.setInsertionPointAfter(loop);
  result.setType(scalarType);
  Value outside = moved(result);
  Operation *outsideSplat = outside.getDefiningOp()->getOperand(1).getDefiningOp();
  result.replaceUsesWithIf(outside, [&](OpOperand &use) { return use.getOwner() != outsideSplat; });
  loop.getInitArgsMutable()[k].set(zero);
}

void cpu::removeHints(tt::FuncOp func) {
  func.walk([](tt::BitcastOp op) {
    if (op.getType() == op.getSrc().getType()) {
      op.replaceAllUsesWith(op.getSrc());
      op.erase();
    }
  });
}

void cpu::expandDivisions(tt::FuncOp func) {
  SmallVector<Operation *> divisions;
  func.walk([&](Operation *op) {
    if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp, arith::FloorDivSIOp>(op))
      divisions.push_back(op);
  });
  if (divisions.empty())
    return;
  RewritePatternSet patterns(func.getContext());
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  (void)applyOpPatternsGreedily(divisions, std::move(patterns));
}

void cpu::scalarizeInductions(tt::FuncOp func) {
  func.walk<WalkOrder::PreOrder>([](scf::ForOp loop) {
    for (unsigned k = 0; k < loop.getNumRegionIterArgs(); ++k)
      scalarizeInduction(loop, k);
  });
}
