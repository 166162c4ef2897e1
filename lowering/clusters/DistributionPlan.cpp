//===- DistributionPlan.cpp - chooses the distribution of every tile of a kernel ----------------------------------===//

#include "lowering/clusters/DistributionPlan.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilecc;

Distribution tilecc::halveAlong(ArrayRef<std::pair<int32_t, int64_t>> axesAndLeast, ArrayRef<int64_t> shape,
                                unsigned bits) {
  SmallVector<int32_t> axes;
  SmallVector<int64_t> left(shape);
  for (auto [axis, least] : axesAndLeast)
    for (; axes.size() < bits && left[axis] > 1 && left[axis] / 2 >= least; left[axis] /= 2)
      axes.push_back(axis);
  axes.resize(bits, Distribution::Copies);
  return Distribution(axes);
}

DistributionPlan DistributionPlan::decide(tt::FuncOp func, unsigned bits) {
  DistributionPlan plan(func, bits);
  func.walk([&](Operation *op) { plan.tieRegions(op); });
  plan.decideDots();
  plan.decideReductions();
  plan.decideAccesses();
  return plan;
}

DistributionPlan DistributionPlan::follow(tt::FuncOp func, Value value, const Distribution &distribution) {
  DistributionPlan plan(func, distribution.getAxes().size());
  func.walk([&](Operation *op) { plan.tieRegions(op); });
  plan.decide(value, distribution);
  plan.spread();
  return plan;
}

FailureOr<DistributionPlan> DistributionPlan::read(tt::FuncOp func, unsigned bits) {
  DistributionPlan plan(func, bits);
  auto readValue = [&](Value value) -> LogicalResult {
    std::optional<LinearLayout> layout = getDistributedLayout(value.getType());
    if (!layout)
      return success();
    std::optional<Distribution> distribution = Distribution::read(*layout, bits);
    if (auto memory = dyn_cast<ttg::MemDescType>(value.getType());
        memory && distribution) // a view of a part of the tile
      for (auto [axis, length] : llvm::enumerate(memory.getTileShape()))
        if (distribution->divides(axis) && length != memory.getAllocTileShape()[axis])
          distribution.reset();
    if (!distribution)
      return emitError(value.getLoc()) << "the " << (1u << bits)
                                       << " blocks of a program (ttg.num-ctas) cannot have their parts of "
                                       << value.getType()
                                       << ": each must have one range along every axis, in the order of their ranks";
    plan.chosen.try_emplace(value, *distribution);
    return success();
  };
  auto readAll = [&](ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return succeeded(readValue(value)); });
  };
  WalkResult result = func.walk([&](Operation *op) {
    bool read = readAll(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        read = read && readAll(block.getArguments());
    return read ? WalkResult::advance() : WalkResult::interrupt();
  });
  return result.wasInterrupted() ? FailureOr<DistributionPlan>(failure()) : plan;
}

Distribution DistributionPlan::get(Value value) const {
  auto it = chosen.find(value);
  return it == chosen.end() ? Distribution::copies(bits) : it->second;
}

//===--- values that loops and branches pass ----------------------------------------------------------------------===//

void DistributionPlan::tieRegions(Operation *op) {
  auto pass = [&](ValueRange from, ValueRange to) {
    for (auto [value, receiver] : llvm::zip_equal(from, to)) {
      passed[receiver].push_back(value);
      passedTo[value].push_back(receiver);
    }
  };
  auto tie = [&](ValueRange inside, ValueRange outside) {
    for (auto [a, b] : llvm::zip_equal(inside, outside))
      tied.unionSets(a, b);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    tie(loop.getRegionIterArgs(), loop.getResults());
    pass(loop.getInitArgs(), loop.getResults());
    pass(loop.getYieldedValues(), loop.getResults());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    tie(loop.getAfterArguments(), loop.getResults());
    pass(loop.getInits(), loop.getBeforeArguments());
    pass(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
    pass(loop.getConditionOp().getArgs(), loop.getResults());
  } else if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.getNumResults()) {
    pass(branch.thenYield().getOperands(), branch.getResults());
    pass(branch.elseYield().getOperands(), branch.getResults());
  } else if (auto branch = dyn_cast<BranchOpInterface>(op)) {
    for (unsigned i = 0; i < op->getNumSuccessors(); ++i)
      pass(branch.getSuccessorOperands(i).getForwardedOperands(), op->getSuccessor(i)->getArguments());
  }
}

bool DistributionPlan::isCheap(Value value) {
  if (auto it = cheap.find(value); it != cheap.end())
    return it->second;
  Operation *op = value.getDefiningOp();
  bool isArithmetic = op && isPure(op) && op->getNumRegions() == 0 &&
                      (op->hasTrait<OpTrait::Elementwise>() ||
                       isa<arith::ConstantOp, tt::MakeRangeOp, tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp,
                           tt::TransOp, tt::ReshapeOp, tt::JoinOp, tt::SplitOp>(op));
  bool result = isArithmetic && llvm::all_of(op->getOperands(), [&](Value operand) {
                  return !isa<RankedTensorType>(operand.getType()) || isCheap(operand);
                });
  return cheap[value] = result;
}

//===--- propagation ----------------------------------------------------------------------------------------------===//

void DistributionPlan::decide(Value value, const Distribution &distribution) {
  std::optional<ArrayRef<int64_t>> shape = getDistributedShape(value.getType());
  if (!shape || !distribution.fits(*shape) || !chosen.try_emplace(value, distribution).second)
    return;
  worklist.push_back(value);
}

void DistributionPlan::spread() {
  while (!worklist.empty())
    spreadFrom(worklist.pop_back_val());
}

void DistributionPlan::spreadFrom(Value value) {
  Distribution distribution = get(value);
  // Propagate the decision to the values from which `value` is computed.
  if (auto it = tied.findLeader(value); it != tied.member_end())
    for (; it != tied.member_end(); ++it)
      decide(*it, distribution);
  for (Value source : passed.lookup(value))
    decide(source, distribution);
  Operation *op = value.getDefiningOp();
  if ((op && op->getNumRegions() == 0) || isa_and_nonnull<tt::ReduceOp, tt::ScanOp, tt::MapElementwiseOp>(op)) {
    if (auto operands = getOperandDistributions(op, distribution))
      for (auto [operand, wanted] : llvm::zip_equal(op->getOperands(), *operands))
        decide(operand, wanted);
    for (Value result : op->getResults())
      decide(result, distribution);
  }
  // Propagate the decision to the values that are computed from `value`. Cheap values do not propagate decisions,
  // because they can be recomputed for any user.
  if (isCheap(value))
    return;
  for (Value receiver : passedTo.lookup(value))
    decide(receiver, distribution);
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (user->hasTrait<OpTrait::IsTerminator>() || isa<RegionBranchOpInterface>(user))
      continue;
    auto result = getResultDistribution(user, use.getOperandNumber(), distribution);
    if (!result)
      continue;
    for (Value made : user->getResults())
      decide(made, *result);
    if (user->getNumResults() == 0)
      if (auto operands = getOperandDistributions(user, *result))
        for (auto [operand, wanted] : llvm::zip_equal(user->getOperands(), *operands))
          decide(operand, wanted);
  }
}

//===--- decisions ------------------------------------------------------------------------------------------------===//

/// Distributes the results of dots. If each part has at least 64 rows, warp-group instructions need not be divided.
/// Wide parts read fewer elements of the operands per element of the result.
void DistributionPlan::decideDots() {
  constexpr int64_t leastRows = 64, wholeRows = 128, leastColumns = 32, wholeColumns = 128;
  SmallVector<tt::DotOp> dots;
  func.walk([&](tt::DotOp dot) { dots.push_back(dot); });
  // If a dot uses the result of another dot, both have the same rows. So only a distribution along rows needs no
  // exchange.
  bool areChained = dots.size() > 1;
  for (tt::DotOp dot : dots) {
    ArrayRef<int64_t> shape = dot.getType().getShape();
    int32_t column = shape.size() - 1, row = column - 1;
    SmallVector<std::pair<int32_t, int64_t>> axes;
    if (row > 0)
      axes.push_back({0, 1});
    axes.push_back({row, wholeRows});
    if (!areChained)
      axes.push_back({column, wholeColumns});
    axes.push_back({row, leastRows});
    axes.push_back({column, leastColumns});
    decide(dot.getD(), halveAlong(axes, shape, bits));
    spread();
  }
}

static SmallVector<std::pair<int32_t, int64_t>> allAxes(ArrayRef<int64_t> shape, std::optional<int32_t> last) {
  SmallVector<std::pair<int32_t, int64_t>> axes;
  for (int32_t axis = 0; axis < int32_t(shape.size()); ++axis)
    if (axis != last)
      axes.push_back({axis, 1});
  if (last)
    axes.push_back({*last, 1});
  return axes;
}

/// Distributes the operands of reductions and scans, along other axes than that of the operation if possible. Blocks
/// can also reduce parts of an axis and combine their partial results, but the axis of a scan is never divided.
void DistributionPlan::decideReductions() {
  func.walk([&](Operation *op) {
    if (!isa<tt::ReduceOp, tt::ScanOp>(op))
      return;
    ArrayRef<int64_t> shape = *getDistributedShape(op->getOperand(0).getType());
    auto reduce = dyn_cast<tt::ReduceOp>(op);
    int32_t axis = reduce ? reduce.getAxis() : cast<tt::ScanOp>(op).getAxis();
    SmallVector<std::pair<int32_t, int64_t>> axes = allAxes(shape, axis);
    if (!reduce)
      axes.pop_back();
    decide(op->getOperand(0), halveAlong(axes, shape, bits));
    spread();
  });
}

/// Distributes the remaining accesses to memory, along the first axis if possible.
void DistributionPlan::decideAccesses() {
  SmallVector<std::pair<Value, Operation *>> accesses; // the pointers or the descriptor, and the access
  func.walk([&](Operation *op) {
    if (std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op))
      accesses.push_back({access->pointers, op});
    else if (op->hasTrait<tt::AccessesTensor>())
      accesses.push_back({op->getOperand(0), op});
  });
  llvm::erase_if(accesses, [](auto &access) { return !getDistributedShape(access.first.getType()); });
  auto size = [](auto &access) { return ShapedType::getNumElements(*getDistributedShape(access.first.getType())); };
  llvm::stable_sort(accesses, [&](auto &a, auto &b) { return size(a) > size(b); });
  for (auto [through, op] : accesses) {
    ArrayRef<int64_t> shape = *getDistributedShape(through.getType());
    decide(through, halveAlong(allAxes(shape, std::nullopt), shape, bits));
    for (Value result : op->getResults()) // pointers are cheap and do not propagate the decision
      decide(result, get(through));
    spread();
  }
}
