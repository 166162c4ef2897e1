//===- LoopAwareCSE.cpp - common subexpressions, also of what loops carry ---------------------------------------------------===//
//
// Two values that a loop carries are one if they begin as one and become one in every iteration. Whether they become one may depend on
// whether they, or others, are: so all that begin alike are taken for one at first, and parted where what the loop yields for
// them differs, until no more parts. What is left is replaced; the rest is CSE's own.
//
//===----------------------------------------------------------------------------------------------------------------===//

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

/// Which of the values that a loop carries are the same.
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
  /// Parts what turned out to differ; false if nothing did.
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
      return first && second && first.getOwner() == loop.getBody() && second.getOwner() == loop.getBody() && first.getArgNumber() &&
             second.getArgNumber() && representative[first.getArgNumber() - 1] == representative[second.getArgNumber() - 1];
    auto [it, isNew] = known.try_emplace({a, b}, false);
    if (!isNew)
      return it->second;
    Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
    bool equal = one->getBlock() == loop.getBody() && other->getBlock() == loop.getBody() && one->getNumRegions() == 0 &&
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
        // The loop's canonicalization removes what is carried for nobody.
        rewriter.replaceAllUsesWith(loop.getRegionIterArg(number), loop.getRegionIterArg(same));
        rewriter.replaceAllUsesWith(loop.getResult(number), loop.getResult(same));
      }
    });
    DominanceInfo dominance;
    eliminateCommonSubExpressions(rewriter, dominance, getOperation());
  }
};

} // namespace
