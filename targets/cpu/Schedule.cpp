//===- Schedule.cpp - decides which tiles get memory --------------------------------------------------------------===//
//
// This file decides which tiles are formulas and which get memory. The decision depends on the cost of an element, on
// the roots that need the tile, and on the writes in between. The emission queries it.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Schedule.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

bool cpu::isFormula(Operation *op) {
  return isMovement(op) || op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<OpTrait::ConstantLike>() ||
         isa<tt::LoadOp, tt::SplatOp, tt::MakeRangeOp, tt::GatherOp>(op);
}

bool cpu::isVectorizable(Region &region) {
  return llvm::all_of(region.front().without_terminator(), [](Operation &inner) { return isFormula(&inner); });
}

static bool dependsOnProgram(Value v, llvm::DenseSet<Value> &seen) {
  Operation *op = v.getDefiningOp();
  return op && seen.insert(v).second && (isa<tt::GetProgramIdOp>(op) || llvm::any_of(op->getOperands(), [&](Value x) {
                                           return dependsOnProgram(x, seen);
                                         }));
}

bool cpu::dependsOnProgram(Value v) {
  llvm::DenseSet<Value> seen;
  return ::dependsOnProgram(v, seen);
}

Operation *cpu::findPlacer(Operation *op) {
  if (!isa<tt::JoinOp, tt::CatOp, tt::TransOp>(op) || !op->hasOneUse())
    return nullptr;
  Operation *user = *op->getUsers().begin();
  if (user->getBlock() != op->getBlock())
    return nullptr;
  return isa<tt::ReshapeOp>(user) ? user : isa<tt::TransOp>(user) ? findPlacer(user) : nullptr;
}

/// Collects all operations, so that each operation comes after the definitions of its operands.
static void collectInOrder(Region &region, SmallVectorImpl<Operation *> &ops) {
  if (region.empty())
    return;
  llvm::ReversePostOrderTraversal<Block *> order(&region.front());
  for (Block *block : order)
    for (Operation &op : *block) {
      ops.push_back(&op);
      for (Region &inner : op.getRegions())
        collectInOrder(inner, ops);
    }
}

static bool ordersMemory(Operation *op) {
  auto orders = [](Operation *inner) {
    return isa<tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, tt::CallOp, gpu::BarrierOp>(inner)
               ? WalkResult::interrupt()
               : WalkResult::advance();
  };
  return op->walk(orders).wasInterrupted();
}

// A value above this cost gets a buffer instead of being computed again. A buffer costs a store and a load.
static constexpr unsigned expensive = 8;

/// Returns the approximate number of instructions per vector, including those of operands that would be computed again.
unsigned Schedule::costOf(Operation *op) {
  Value result = op->getResult(0);
  if (affine.isAffine(result))
    return 0;
  unsigned cost = 0;
  if (auto load = dyn_cast<tt::LoadOp>(op))
    cost = affine.isAffine(load.getPtr()) ? 2 : 16;
  else if (auto gather = dyn_cast<tt::GatherOp>(op))
    cost = gather.getExchangedBits() ? 2 : 16;
  else
    switch (tt::getWork(op)) {
    case tt::Work::Nothing: cost = 0; break;
    case tt::Work::Instruction: cost = 1; break;
    case tt::Work::Root: cost = 4; break;
    case tt::Work::Division:
    case tt::Work::Function: cost = 16; break;
    case tt::Work::Library: cost = 32; break;
    }
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp(); def && isTile(operand)) {
      // An expensive operand has at least as many consumers as this value, so it has a buffer if this value is needed
      // twice.
      unsigned inner = costs.lookup(def);
      cost += inner >= expensive ? 1 : inner;
    }
  return cost;
}

/// Returns true if a load may be delayed until its consumers run, because nothing is written in between, and no barrier
/// waits for the load. If a store consumes the load, a run-time check guards the fused code. The check needs the
/// address ranges of both. For the corresponding stores of two programs that share a nest, both must be affine.
bool Schedule::canFuse(tt::LoadOp load, const Demand &demand) const {
  if (load.getIsVolatile())
    return false;
  bool structured = affine.isAffine(load.getPtr());
  if (!structured && (demand.roots.size() > 1 || demand.widened))
    return false;
  for (Operation *root : demand.roots) {
    if (root->getBlock() != load->getBlock() || isa<tt::AtomicRMWOp, tt::AtomicCASOp>(root))
      return false;
    for (Operation *op = load->getNextNode(); op != root; op = op->getNextNode())
      if (ordersMemory(op) && twins.of(op) != root && !twins.areApart(op, load))
        return false;
    if (auto store = dyn_cast<tt::StoreOp>(root))
      if (!structured || !affine.isAffine(store.getPtr()))
        return false;
  }
  return true;
}

/// Records whether a gather exchanges elements of one vector, and whether `op` is computed elementwise from such
/// gathers.
void Schedule::findExchanges(Operation *op) {
  if (auto gather = dyn_cast<tt::GatherOp>(op)) {
    std::optional<int64_t> bits = gather.getExchangedBits();
    Operation *source = gather.getSrc().getDefiningOp();
    if (bits && *bits < lanes &&
        getExchangedDim(source).value_or(gather.getAxis()) == static_cast<int>(gather.getAxis()))
      exchangedDims[op] = gather.getAxis();
    return;
  }
  if (isMovement(op))
    return;
  std::optional<int> dim;
  for (Value operand : op->getOperands()) {
    std::optional<int> other = getExchangedDim(operand.getDefiningOp());
    if (dim && other && dim != other)
      return;
    dim = other ? other : dim;
  }
  if (dim)
    exchangedDims[op] = *dim;
}

void Schedule::decide(Operation *op) {
  Demand &demand = demands[op];
  bool isGathered = false;
  for (OpOperand &use : op->getUses()) {
    Operation *user = use.getOwner();
    isGathered |= isa<tt::GatherOp>(user) && use.getOperandNumber() == 0 && !getExchangedDim(user);
    if (Operation *placer = findPlacer(user); placer && !isFormula(user))
      user = placer;
    if (!isFormula(user) || !isTile(user->getResult(0))) {
      demand.roots.insert(user);
      continue;
    }
    bool reshapes = isMovement(user);
    if (materialized.contains(user)) {
      demand.roots.insert(user);
      demand.sameShape &= !reshapes;
      demand.widened |= isa<tt::BroadcastOp>(user);
    } else {
      const Demand &inner = demands[user];
      demand.roots.insert(inner.roots.begin(), inner.roots.end());
      if (Operation *root = sideOutputRoot.lookup(user))
        demand.roots.insert(root);
      demand.sameShape &= inner.sameShape && !reshapes;
      demand.widened |= inner.widened || isa<tt::BroadcastOp>(user);
    }
  }
  if (auto load = dyn_cast<tt::LoadOp>(op); load && load.getIsVolatile())
    materialized.insert(op);
  if (demand.roots.empty())
    return;
  if (isGathered) { // the gather reads a buffer
    materialized.insert(op);
    return;
  }

  if (std::optional<int> dim = getExchangedDim(op)) {
    auto leaves = [&](Operation *user) { return getExchangedDim(user) != dim; };
    auto isElsewhere = [&](Operation *root) { return root->getBlock() != op->getBlock(); };
    if (llvm::any_of(op->getUsers(), leaves) || demand.roots.size() > 1 || llvm::any_of(demand.roots, isElsewhere))
      materialized.insert(op);
    return;
  }

  if (auto load = dyn_cast<tt::LoadOp>(op)) {
    if (canFuse(load, demand)) {
      for (Operation *root : demand.roots)
        if (isa<tt::StoreOp>(root))
          fusedLoadsOf[root].push_back(load);
    } else {
      materialized.insert(op);
    }
    return;
  }
  if (costs.lookup(op) < expensive)
    return;
  bool elsewhere = llvm::any_of(demand.roots, [&](Operation *root) { return root->getBlock() != op->getBlock(); });
  if (elsewhere || demand.widened) {
    materialized.insert(op);
  } else if (demand.roots.size() > 1) {
    Operation *first = *llvm::min_element(
        demand.roots, [&](Operation *x, Operation *y) { return position.lookup(x) < position.lookup(y); });
    if (demand.sameShape && isa<tt::ReduceOp, tt::StoreOp>(first)) {
      // From here on, only that root needs the operands of `op`.
      sideOutputRoot[op] = first;
      sideOutputsOf[first].push_back(op->getResult(0));
      demand.roots.clear();
    } else {
      materialized.insert(op);
    }
  }
}

Operation *Schedule::findLastReader(Operation *op) const {
  if (auto it = lastReaders.find(op); it != lastReaders.end())
    return it->second;
  Operation *last = op;
  auto read = [&](Operation *reader) {
    if (last && (!reader || last->isBeforeInBlock(reader)))
      last = reader;
  };
  for (Operation *user : op->getUsers()) {
    Operation *reader = op->getBlock()->findAncestorOpInBlock(*user);
    read(reader);
    if (!last)
      break;
    // If the results of a user are formulas, the user reads its operands where these results are evaluated. A reshape
    // shares the buffer of its operand.
    bool passesOn = (isFormula(user) && !materialized.contains(user)) || isa<tt::ReshapeOp>(user) || findPlacer(user);
    if (!passesOn)
      continue;
    Operation *indirect = findLastReader(user);
    read(indirect ? op->getBlock()->findAncestorOpInBlock(*indirect) : nullptr);
  }
  return lastReaders[op] = last;
}

Schedule::Schedule(tt::FuncOp func, AffineAnalysis &affine, unsigned lanes, Twins twins)
    : affine(affine), lanes(lanes), twins(std::move(twins)) {
  SmallVector<Operation *> ops;
  collectInOrder(func.getBody(), ops);
  auto isTileFormula = [](Operation *op) {
    return isFormula(op) && op->getNumResults() > 0 && isTile(op->getResult(0));
  };
  for (auto [i, op] : llvm::enumerate(ops)) {
    position[op] = i;
    if (!isTileFormula(op))
      continue;
    findExchanges(op);
    costs[op] = costOf(op);
    if (isa<math::MathDialect>(op->getDialect()) && costs[op] >= expensive)
      heavy.insert(op);
    for (Value operand : op->getOperands())
      if (heavy.contains(operand.getDefiningOp()) && !isa<tt::LoadOp>(op))
        heavy.insert(op);
  }
  // Visit consumers first, because the demand for a value depends on the decisions for its users.
  for (Operation *op : llvm::reverse(ops))
    if (isTileFormula(op))
      decide(op);
}
