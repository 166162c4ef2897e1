//===- OuterLoop.cpp - the loop around a pipelined loop -----------------------------------------------------------===//
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
  bool knows = ((block == outer.getBody() || block == inner.getBody()) && isRepeatable(op)) || mayLoadAhead(op);
  if (knows)
    forEachInput(op, [&](Value input) { knows &= knowsAhead(input, seen); });
  return knows;
}

/// Returns true if `op` loads a scalar, such as an index from a table of tiles, and may execute before the previous
/// iteration has ended.
bool OuterLoop::mayLoadAhead(Operation *op) {
  auto load = dyn_cast<tt::LoadOp>(op);
  return load && load->getBlock() == outer.getBody() && !load.getMask() && load.getType().isIntOrIndex() &&
         mayRunAhead(outer, load);
}

bool OuterLoop::isWorthwhile() {
  return knowsAhead(inner.getLowerBound()) && knowsAhead(inner.getUpperBound()) && isOutside(inner.getStep()) &&
         llvm::hasSingleElement(outer.getOps<scf::ForOp>());
}

void OuterLoop::setOtherIteration(Value number, Value isOne) {
  other.clear();
  runs = isOne;
  if (number)
    other.map(outer.getInductionVar(), number);
}

static bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}
static bool isSlow(Operation *op) { return isa<tt::LoadOp>(op) || isDivision(op); }

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
  Operation *clone = builder.clone(*op, other); // maps the results as well
  // If the iteration does not exist, the load is masked off. Its result is then 0, and operations that may use it as a
  // divisor are made safe below.
  if (auto load = dyn_cast<tt::LoadOp>(clone)) {
    builder.setInsertionPoint(clone);
    Value zero = arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(load.getType()));
    load.getMaskMutable().assign(runs);
    load.getOtherMutable().assign(zero);
    builder.setInsertionPointAfter(clone);
  }
  if (isDivision(clone) && !isOutside(op->getOperand(1)) && clone->getOperand(1).getType().isIntOrIndex()) {
    builder.setInsertionPoint(clone);
    Value divisor = clone->getOperand(1);
    Value one = arith::ConstantOp::create(builder, op->getLoc(), builder.getIntegerAttr(divisor.getType(), 1));
    clone->setOperand(1, arith::SelectOp::create(builder, op->getLoc(), runs, divisor, one));
    builder.setInsertionPointAfter(clone);
  }
  return other.lookup(value);
}

void OuterLoop::createNext(OpBuilder &builder, Value number) {
  Value next = arith::AddIOp::create(builder, outer.getLoc(), number, outer.getStep());
  setOtherIteration(next, isBelow(builder, outer, next, outer.getUpperBound()));
}

void OuterLoop::carry(OpBuilder &builder, ValueRange inits) {
  for (Operation &op : *outer.getBody())
    if (isSlow(&op) && other.contains(op.getResult(0)))
      slow.push_back(&op);
  SmallVector<Value> all(inits);
  for (Operation *op : slow)
    all.push_back(other.lookup(op->getResult(0)));
  if (!slow.empty())
    createNext(builder, outer.getLowerBound());
  for (Operation *op : slow)
    all.push_back(inOtherIteration(builder, op->getResult(0)));
  IRRewriter rewriter(outer.getContext());
  numCarried = inits.size();
  outer = cast<scf::ForOp>(
      *outer.replaceWithAdditionalYields(rewriter, all, /*replaceInitOperandUsesInLoop=*/false,
                                         [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                                           return SmallVector<Value>(arguments.begin(), arguments.end());
                                         }));
}

ValueRange OuterLoop::getCarried() {
  return ValueRange(outer.getRegionIterArgs()).take_back(numCarried + 2 * slow.size()).take_front(numCarried);
}

Value OuterLoop::inEitherIteration(OpBuilder &builder, Value value, Value isThis, IRMapping &known) {
  if (isOutside(value))
    return value;
  if (known.contains(value))
    return known.lookup(value);
  Operation *op = value.getDefiningOp();
  if (op && !isSlow(op)) {
    forEachInput(op, [&](Value input) { known.map(input, inEitherIteration(builder, input, isThis, known)); });
    return builder.clone(*op, known)->getResult(cast<OpResult>(value).getResultNumber());
  }
  Value selected = arith::SelectOp::create(builder, value.getLoc(), isThis, value, other.lookup(value));
  known.map(value, selected);
  return selected;
}

/// Returns the slow values of the current iteration (`ahead` is 0) or of the next iteration (1).
ValueRange OuterLoop::getSlow(unsigned ahead) {
  return ValueRange(outer.getRegionIterArgs()).take_back((2 - ahead) * slow.size()).take_front(slow.size());
}

Value OuterLoop::startNext(OpBuilder &builder) {
  createNext(builder, outer.getInductionVar());
  for (auto [op, value] : llvm::zip_equal(slow, getSlow(1)))
    other.map(op->getResult(0), value);
  return runs;
}

SmallVector<Value> OuterLoop::createSlow(OpBuilder &builder, Value condition, ValueRange otherwise) {
  if (slow.empty())
    return {};
  auto branch = scf::IfOp::create(builder, outer.getLoc(), otherwise.getTypes(), condition, /*withElseRegion=*/true);
  IRMapping next = other;
  Value nextRuns = runs;
  OpBuilder inside = branch.getThenBodyBuilder();
  createNext(inside, other.lookup(outer.getInductionVar()));
  SmallVector<Value> values;
  for (Operation *op : slow)
    values.push_back(inOtherIteration(inside, op->getResult(0)));
  scf::YieldOp::create(inside, outer.getLoc(), values);
  OpBuilder beside = branch.getElseBodyBuilder();
  scf::YieldOp::create(beside, outer.getLoc(), otherwise);
  other = next;
  runs = nextRuns;
  return SmallVector<Value>(branch.getResults());
}

void OuterLoop::handOn(ValueRange values, ValueRange laterSlow) {
  SmallVector<Value> all(values);
  llvm::append_range(all, getSlow(1));
  llvm::append_range(all, laterSlow);
  for (auto [op, value] : llvm::zip_equal(slow, getSlow(0)))
    op->getResult(0).replaceAllUsesWith(value);
  Operation *yield = outer.getBody()->getTerminator();
  yield->setOperands(yield->getNumOperands() - all.size(), all.size(), all);
}
