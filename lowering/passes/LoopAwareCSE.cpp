//===- LoopAwareCSE.cpp - common subexpressions, including loop-carried values ------------------------------------===//
//
// Two loop-carried values are equal if their initial values are equal and each iteration yields equal values for them.
// The yielded values may depend on carried values in turn. So the pass starts with an optimistic assumption: all values
// with the same initial value form a class. It splits classes whose yielded values differ, until no class changes, and
// then merges the values of each class. The rest is ordinary CSE.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONLOOPAWARECSE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Partitions the loop-carried values into classes of equal values.
class CarriedClasses {
public:
  explicit CarriedClasses(scf::ForOp loop) : loop(loop) {
    DenseMap<Value, unsigned> byInit;
    for (auto [number, init] : llvm::enumerate(loop.getInitArgs()))
      representative.push_back(byInit.try_emplace(init, number).first->second);
    while (part())
      ;
  }

  ArrayRef<unsigned> get() const { return representative; }

private:
  /// Splits the classes whose yielded values differ. Returns false if there are no such classes.
  bool part() {
    known.clear();
    SmallVector<unsigned> next;
    for (unsigned number = 0; number < representative.size(); ++number) {
      unsigned found = number;
      for (unsigned other = 0; other < number && found == number; ++other)
        if (next[other] == other && representative[other] == representative[number] &&
            areEqual(loop.getYieldedValues()[other], loop.getYieldedValues()[number]))
          found = other;
      next.push_back(found);
    }
    return std::exchange(representative, next) != representative;
  }

  bool areEqual(Value a, Value b) {
    if (a == b)
      return true;
    auto first = dyn_cast<BlockArgument>(a), second = dyn_cast<BlockArgument>(b);
    if (first || second)
      return first && second && first.getOwner() == loop.getBody() && second.getOwner() == loop.getBody() &&
             first.getArgNumber() && second.getArgNumber() &&
             representative[first.getArgNumber() - 1] == representative[second.getArgNumber() - 1];
    auto [it, isNew] = known.try_emplace({a, b}, false);
    if (!isNew)
      return it->second;
    Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
    bool equal =
        one->getBlock() == loop.getBody() && other->getBlock() == loop.getBody() && one->getNumRegions() == 0 &&
        cast<OpResult>(a).getResultNumber() == cast<OpResult>(b).getResultNumber() && isMemoryEffectFree(one) &&
        OperationEquivalence::isEquivalentTo(
            one, other, [&](Value x, Value y) { return success(areEqual(x, y)); }, /*markEquivalent=*/nullptr,
            OperationEquivalence::IgnoreLocations);
    return known[{a, b}] = equal;
  }

  scf::ForOp loop;
  SmallVector<unsigned> representative;
  DenseMap<std::pair<Value, Value>, bool> known;
};

struct LoopAwareCSE : tilecc::impl::TritonLoopAwareCSEBase<LoopAwareCSE> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](scf::ForOp loop) {
      for (auto [number, same] : llvm::enumerate(CarriedClasses(loop).get())) {
        if (same == number)
          continue;
        // The canonicalization of scf.for removes the carried values that are unused now.
        rewriter.replaceAllUsesWith(loop.getRegionIterArg(number), loop.getRegionIterArg(same));
        rewriter.replaceAllUsesWith(loop.getResult(number), loop.getResult(same));
      }
    });
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }
};

} // namespace
