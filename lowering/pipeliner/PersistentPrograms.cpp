//===- PersistentPrograms.cpp - a loop over programs around a kernel -----------------------------------------------------===//
//
// A kernel that makes one tile for each program becomes one whose blocks make the tiles of several programs, one after the other:
// program x, x + blocks, ... as far as there are programs. The pipeliner then starts the first copies for the next program beside
// the end of this one (OuterLoop.h). How many programs there are is an argument behind all others, for the launch starts only as
// many blocks as run at once. The other axes of the grid stay what they are.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUPERSISTENTPROGRAMS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

void makePersistent(tt::FuncOp func) {
  Location loc = func.getLoc();
  Block &body = func.getBody().front();
  auto builder = OpBuilder::atBlockBegin(&body);
  if (failed(func.insertArgument(func.getNumArguments(), builder.getI32Type(), {}, loc)))
    llvm_unreachable("a kernel takes more arguments");
  Value programs = func.getArguments().back();
  func->setAttr(ttng::persistentAttr, builder.getUnitAttr());
  Value block = tt::GetProgramIdOp::create(builder, loc, tt::ProgramIDDim::X);
  Value blocks = tt::GetNumProgramsOp::create(builder, loc, tt::ProgramIDDim::X);
  auto loop = scf::ForOp::create(builder, loc, block, programs, blocks);
  loop.getBody()->getOperations().splice(loop.getBody()->begin(), body.getOperations(), std::next(loop->getIterator()),
                                         body.getTerminator()->getIterator());
  loop.walk([&](Operation *op) {
    auto replaceBy = [&](tt::ProgramIDDim axis, Value value) {
      if (axis != tt::ProgramIDDim::X)
        return;
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    };
    if (auto id = dyn_cast<tt::GetProgramIdOp>(op))
      replaceBy(id.getAxis(), loop.getInductionVar());
    else if (auto number = dyn_cast<tt::GetNumProgramsOp>(op))
      replaceBy(number.getAxis(), programs);
  });
  moveLoopInvariantCode(loop);
}

struct PersistentPrograms : tilecc::impl::TritonGPUPersistentProgramsBase<PersistentPrograms> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      // Other kernels' loads could not start ahead.
      if (func->hasAttr(ttng::tensorMapsAttr) && func.getBody().hasOneBlock())
        makePersistent(func);
  }
};

} // namespace
