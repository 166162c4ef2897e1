//===- OuterLoop.cpp - a loop around a pipelined one -------------------------------------------------------------------===//
#include "lowering/pipeliner/OuterLoop.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

bool OuterLoop::knowsAhead(Value value) {
  llvm::SmallDenseSet<Value> seen;
  return knowsAhead(value, seen);
}

bool OuterLoop::knowsAhead(Value value, llvm::SmallDenseSet<Value> &seen) {
  if (isOutside(value) || value == outer.getInductionVar() || !seen.insert(value).second)
    return true;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument == inner.getInductionVar())
      return knowsAhead(inner.getLowerBound(), seen);
    return argument.getOwner() == inner.getBody() && knowsAhead(inner.getTiedLoopInit(argument)->get(), seen) &&
           knowsAhead(inner.getTiedLoopYieldedValue(argument)->get(), seen);
  }
  Operation *op = value.getDefiningOp();
  Block *block = op->getBlock();
  bool knows = (block == outer.getBody() || block == inner.getBody()) && isRepeatable(op);
  if (knows)
    forEachInput(op, [&](Value input) { knows &= knowsAhead(input, seen); });
  return knows;
}

bool OuterLoop::isWorthwhile() {
  return knowsAhead(inner.getLowerBound()) && knowsAhead(inner.getUpperBound()) && isOutside(inner.getStep()) &&
         llvm::hasSingleElement(outer.getOps<scf::ForOp>());
}

void OuterLoop::setOtherIteration(Value number) {
  other.clear();
  if (number != outer.getInductionVar())
    other.map(outer.getInductionVar(), number);
}

Value OuterLoop::inOtherIteration(OpBuilder &builder, Value value) {
  if (isOutside(value) || !other.contains(outer.getInductionVar()))
    return value;
  if (other.contains(value))
    return other.lookup(value);
  Operation *op = value.getDefiningOp();
  forEachInput(op, [&](Value input) {
    if (!other.contains(input))
      other.map(input, inOtherIteration(builder, input));
  });
  builder.clone(*op, other); // maps the results, too
  return other.lookup(value);
}

void OuterLoop::carry(ValueRange inits) {
  IRRewriter rewriter(outer.getContext());
  numCarried = inits.size();
  outer = cast<scf::ForOp>(*outer.replaceWithAdditionalYields(
      rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
      [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) { return SmallVector<Value>(arguments.begin(), arguments.end()); }));
}

ValueRange OuterLoop::getCarried() { return ValueRange(outer.getRegionIterArgs()).take_back(numCarried); }

void OuterLoop::handOn(ValueRange values) {
  Operation *yield = outer.getBody()->getTerminator();
  yield->setOperands(yield->getNumOperands() - numCarried, numCarried, values);
}
