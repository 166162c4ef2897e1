//===- ForwardStores.cpp - what is stored and loaded again stays in registers -------------------------------------===//
//
// A kernel that does what several kernels do, one after the other, loads what it has just stored. Going through a function from
// its beginning, the pass knows which elements of memory hold which values: a store adds a fact, a write that may be to the same
// memory takes it away, and a load of the same elements becomes the value. Then stores to memory that is the kernel's own
// (tt.temporary) and that nothing loads any more go, too.
//
//===----------------------------------------------------------------------------------------------------------------===//

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

/// What is in memory at `pointers`, where `mask` is true (null: everywhere).
struct Fact {
  Value pointers, mask, value;
  Value base; ///< what the pointers are computed from
};
using Facts = SmallVector<Fact>;

/// The pointer that a tile of them, or one, is computed from.
Value getBase(Value pointers) {
  while (Operation *op = pointers.getDefiningOp()) {
    bool isSameMemory = isa<tt::AddPtrOp, tt::SplatOp, tt::BitcastOp>(op) || isa<tt::IndexingMap, tt::LayoutTransform>(op);
    if (!isSameMemory || op->getNumOperands() == 0 || (op->getNumOperands() > 1 && !isa<tt::AddPtrOp>(op)))
      break;
    pointers = op->getOperand(0);
  }
  return pointers;
}

/// An argument of the function: its number; nothing if it is another value.
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

/// Whether `condition` is true only where `other` is; null is true everywhere.
bool implies(Value condition, Value other) {
  if (!other || condition == other)
    return true;
  auto both = condition ? condition.getDefiningOp<arith::AndIOp>() : nullptr;
  return both && (implies(both.getLhs(), other) || implies(both.getRhs(), other));
}

/// Memory rounds: what was a product in memory must not become part of a fused operation. (Exactly what is computed when the
/// kernels run one after the other.)
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

/// Takes away what `op`, or an operation in it, may write to.
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
    // An atomic access lets the program see what other programs have written.
    Value base = getBase(access->pointers);
    llvm::erase_if(facts, [&](const Fact &fact) { return !access->isSimple || mayAlias(fact.base, base); });
  });
}

/// Replaces a load of what is known.
void forward(tt::LoadOp load, const Facts &facts) {
  auto known = llvm::find_if(facts, [&](const Fact &fact) {
    return fact.pointers == load.getPtr() && implies(load.getMask(), fact.mask);
  });
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

/// Goes through a block where `facts` hold at the beginning.
void forwardIn(Block &block, Facts facts) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      forward(load, facts);
      continue;
    }
    Facts after = facts;
    dropWritten(&op, after);
    // A branch begins with what holds in front of it; a loop, and whatever else it is, with what it does not change itself.
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        forwardIn(inner, isa<scf::IfOp>(op) ? facts : after);
    facts = std::move(after);
    if (auto store = dyn_cast<tt::StoreOp>(op))
      facts.push_back({store.getPtr(), store.getMask(), store.getValue(), getBase(store.getPtr())});
  }
}

/// Whether a store is followed by a load from the same argument, as far as the order of operations goes: most kernels have none.
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

/// The stores through a pointer; false if it is used for anything else.
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
        // The same elements are the same values then.
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
