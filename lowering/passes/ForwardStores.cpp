//===- ForwardStores.cpp - forwards stored values to later loads --------------------------------------------------===//
//
// A kernel that is made of several kernels, one after the other, loads what it has just stored. The pass walks a
// function from its beginning and tracks which elements of memory hold which values. A store adds a fact, a write that
// may alias removes it, and a load of the same elements is replaced by the value. Afterwards, stores to memory that
// belongs to the kernel alone (tt.temporary) and that nothing loads any more are erased.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONFORWARDSTORES
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Memory at `pointers` holds `value` where `mask` is true. A null mask is true everywhere.
struct Fact {
  Value pointers, mask, value;
  Value base; ///< the pointer from which `pointers` are computed
};
using Facts = SmallVector<Fact>;

/// Returns the pointer from which a pointer, or a tile of pointers, is computed.
Value getBase(Value pointers) {
  while (Operation *op = pointers.getDefiningOp()) {
    bool isSameMemory =
        isa<tt::AddPtrOp, tt::SplatOp, tt::BitcastOp>(op) || isa<tt::IndexingMap, tt::LayoutTransform>(op);
    if (!isSameMemory || op->getNumOperands() == 0 || (op->getNumOperands() > 1 && !isa<tt::AddPtrOp>(op)))
      break;
    pointers = op->getOperand(0);
  }
  return pointers;
}

/// Returns the number of the function argument that `base` is, or nothing if it is another value.
std::optional<unsigned> getArgument(Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  if (!argument || !argument.getOwner()->isEntryBlock() || !isa<tt::FuncOp>(argument.getOwner()->getParentOp()))
    return std::nullopt;
  return argument.getArgNumber();
}

bool isTemporary(Value base) {
  std::optional<unsigned> number = getArgument(base);
  return number && cast<tt::FuncOp>(base.getParentBlock()->getParentOp()).getArgAttr(*number, tt::temporaryAttr);
}

bool mayAlias(Value base, Value other) {
  bool areArguments = getArgument(base) && getArgument(other) && base != other;
  if (!areArguments)
    return true;
  bool areDistinct = base.getParentBlock()->getParentOp()->hasAttr(tt::distinctArgumentsAttr);
  return !areDistinct && !isTemporary(base) && !isTemporary(other);
}

/// Returns true if `condition` implies `other`. A null condition is always true.
bool implies(Value condition, Value other) {
  if (!other || condition == other)
    return true;
  auto both = condition ? condition.getDefiningOp<arith::AndIOp>() : nullptr;
  return both && (implies(both.getLhs(), other) || implies(both.getRhs(), other));
}

/// Prevents the contraction of a forwarded product into an FMA. In the separate kernels, storing the product rounds it,
/// and the results must be the same bit for bit.
void keepRounded(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return;
  if (isa<arith::MulFOp>(op))
    return op->setAttr(tt::roundsEachAttr, UnitAttr::get(op->getContext()));
  if (isa<arith::NegFOp, arith::SelectOp, tt::SplatOp>(op) || isa<tt::IndexingMap, tt::LayoutTransform>(op))
    for (Value operand : op->getOperands())
      keepRounded(operand);
}

/// Removes facts about memory that `op`, or an operation nested in it, may write.
void dropWritten(Operation *op, Facts &facts) {
  op->walk([&](Operation *inner) {
    if (facts.empty() || inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() || isMemoryEffectFree(inner) ||
        inner->hasTrait<tt::NoGlobalAccess>() || isa<gpu::BarrierOp>(inner))
      return;
    std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(inner);
    if (!access) {
      if (!hasSingleEffect<MemoryEffects::Read>(inner))
        facts.clear();
      return;
    }
    if (!access->isWrite)
      return;
    // After an atomic access, the program may see what other programs have written, so no fact remains true.
    Value base = getBase(access->pointers);
    llvm::erase_if(facts, [&](const Fact &fact) { return !access->isSimple || mayAlias(fact.base, base); });
  });
}

/// Replaces a load whose value is known.
void forward(tt::LoadOp load, const Facts &facts) {
  auto known = llvm::find_if(
      facts, [&](const Fact &fact) { return fact.pointers == load.getPtr() && implies(load.getMask(), fact.mask); });
  if (load.getIsVolatile() || known == facts.end())
    return;
  keepRounded(known->value);
  Value value = known->value;
  if (load.getMask() && load.getOther()) {
    OpBuilder builder(load);
    value = arith::SelectOp::create(builder, load.getLoc(), load.getMask(), value, load.getOther());
  }
  load.replaceAllUsesWith(value);
  load.erase();
}

/// Forwards stores in a block. `facts` are those that are true at the beginning of the block.
void forwardIn(Block &block, Facts facts) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      forward(load, facts);
      continue;
    }
    Facts after = facts;
    dropWritten(&op, after);
    // A branch of scf.if starts with the facts before the scf.if. A loop, like any other operation with regions, starts
    // with the facts that its own body does not invalidate.
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        forwardIn(inner, isa<scf::IfOp>(op) ? facts : after);
    facts = std::move(after);
    if (auto store = dyn_cast<tt::StoreOp>(op))
      facts.push_back({store.getPtr(), store.getMask(), store.getValue(), getBase(store.getPtr())});
  }
}

/// Returns true if some store is followed by a load from the same argument in program order. Most kernels have no such
/// load, and are not changed.
bool hasCandidate(tt::FuncOp function) {
  SmallPtrSet<Value, 4> stored;
  return function
      .walk([&](Operation *op) {
        if (auto store = dyn_cast<tt::StoreOp>(op))
          stored.insert(getBase(store.getPtr()));
        auto load = dyn_cast<tt::LoadOp>(op);
        return load && stored.contains(getBase(load.getPtr())) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Collects the stores through `pointers` and pointers computed from them. Returns false if there is any other use.
bool collectStores(Value pointers, SmallVectorImpl<Operation *> &stores) {
  for (Operation *user : pointers.getUsers()) {
    if (auto store = dyn_cast<tt::StoreOp>(user); store && store.getPtr() == pointers && store.getValue() != pointers) {
      stores.push_back(store);
    } else if (user->getNumResults() == 1 && isMemoryEffectFree(user) && user->getNumRegions() == 0 &&
               (user->use_empty() || getBase(user->getResult(0)) == getBase(pointers))) {
      if (!collectStores(user->getResult(0), stores))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

struct ForwardStores : tilecc::impl::TritonForwardStoresBase<ForwardStores> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](tt::FuncOp function) {
      if (function.isExternal())
        return;
      if (hasCandidate(function)) {
        // CSE runs first, so that accesses to equal elements have equal pointers.
        DominanceInfo dominance(function);
        eliminateCommonSubExpressions(rewriter, dominance, function);
        forwardIn(function.getBody().front(), {});
      }
      for (unsigned i = 0; i < function.getNumArguments(); ++i)
        if (function.removeArgAttr(i, tt::temporaryAttr)) {
          SmallVector<Operation *> stores;
          if (collectStores(function.getArgument(i), stores))
            for (Operation *store : stores)
              store->erase();
        }
    });
  }
};

} // namespace
