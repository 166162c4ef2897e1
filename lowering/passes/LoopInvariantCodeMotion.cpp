//===- LoopInvariantCodeMotion.cpp - hoists invariant code out of loops, including loads --------------------------===//
//
// MLIR's pass hoists only operations without effects. A load has an effect, and may only execute if the loop has an
// iteration. If a loop does not write memory, this pass hoists its invariant loads too, and makes them conditional on
// the loop having an iteration.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONLOOPINVARIANTCODEMOTION
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns true if the loop has no effects but reads. A volatile load counts as a write.
bool onlyReads(LoopLikeOpInterface loop) {
  auto effects = getEffectsRecursively(loop);
  return effects && llvm::all_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
           return isa<MemoryEffects::Read>(effect.getEffect());
         });
}

/// Returns an i1, computed before the loop, that is true if the loop has at least one iteration.
Value hasIteration(OpBuilder &builder, scf::ForOp loop) {
  auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
  return arith::CmpIOp::create(builder, loop.getLoc(), less, loop.getLowerBound(), loop.getUpperBound());
}

void moveLoad(tt::LoadOp load, scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = load.getLoc();
  Value mask = hasIteration(builder, loop);
  if (auto tile = dyn_cast<RankedTensorType>(load.getPtr().getType()))
    mask = tt::SplatOp::create(builder, loc, tile.clone(builder.getI1Type()), mask);
  if (load.getMask())
    mask = arith::AndIOp::create(builder, loc, load.getMask(), mask);
  load.getMaskMutable().assign(mask);
  load->moveBefore(loop);
}

struct TritonLoopInvariantCodeMotion : tilecc::impl::TritonLoopInvariantCodeMotionBase<TritonLoopInvariantCodeMotion> {
  void runOnOperation() override {
    getOperation().walk([](LoopLikeOpInterface loop) {
      auto counted = dyn_cast<scf::ForOp>(loop.getOperation());
      bool movesLoads = counted && onlyReads(loop);
      moveLoopInvariantCode(
          loop.getLoopRegions(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
          [&](Operation *op, Region *) {
            return isa<tt::LoadOp>(op) ? movesLoads : isMemoryEffectFree(op) && isSpeculatable(op);
          },
          [&](Operation *op, Region *) {
            if (auto load = dyn_cast<tt::LoadOp>(op))
              moveLoad(load, counted);
            else
              loop.moveOutOfLoop(op);
          });
    });
  }
};

} // namespace
