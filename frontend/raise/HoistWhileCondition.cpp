//===- HoistWhileCondition.cpp - hoists invariant code out of a while loop's condition ----------------------------===//
//
// Passes.td describes the effect (TTHoistWhileCondition).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tilecc {

#define GEN_PASS_DEF_TTHOISTWHILECONDITION
#include "frontend/raise/Passes.h.inc"

namespace {

bool onlyReads(Operation *op) { return isMemoryEffectFree(op) || hasSingleEffect<MemoryEffects::Read>(op); }

bool onlyReads(scf::WhileOp loop) {
  return !loop.walk([&](Operation *op) {
                bool descend = op == loop.getOperation() || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
                return descend || onlyReads(op) ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

struct HoistWhileCondition : impl::TTHoistWhileConditionBase<HoistWhileCondition> {
  void runOnOperation() override {
    // Visit inner loops first. Code that is hoisted out of an inner loop may then leave the outer loop, too.
    getOperation().walk([](scf::WhileOp loop) {
      bool loadsToo = onlyReads(loop);
      for (Operation &op : llvm::make_early_inc_range(loop.getBeforeBody()->without_terminator())) {
        bool movable = op.getNumRegions() == 0 && (isMemoryEffectFree(&op) || (loadsToo && onlyReads(&op)));
        bool invariant = llvm::all_of(op.getOperands(), [&](Value v) { return loop.isDefinedOutsideOfLoop(v); });
        if (movable && invariant)
          op.moveBefore(loop);
      }
    });
  }
};

} // namespace
} // namespace tilecc
