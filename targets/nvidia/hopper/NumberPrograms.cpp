//===- NumberPrograms.cpp - launches that run some of a grid's programs -------------------------------------------===//
//
// If a launch has more blocks than can run at once, most multiprocessors are idle at its end: 162 tiles on 132
// multiprocessors take as long as 264. So the runtime may split a launch in two (runtime/src/LaunchArguments.h): one
// launch of the first 132 programs, and one of the last 30 programs, with a variant whose programs compute parts of
// these tiles (DivideTiles.cpp). The 120 quarters of tiles keep nearly all multiprocessors busy.
//
// This pass makes such launches possible. In a kernel that it changes, a program's number in the grid is the block's
// number in its launch, plus the number of the launch's first program. The extents of the grid and the first number are
// passed as arguments after all others. In a launch of the whole grid, the first number is 0.
//
// The blocks of a persistent kernel number their programs anyway (PersistentPrograms.cpp). Such a kernel can only be
// the first of the two launches. Its last argument is the number of programs that the launch runs.
//
// The second launch begins as soon as all blocks of the first launch are running, so it uses the multiprocessors that
// become idle. It ends after the first launch (OverlapLaunches.cpp).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/ProgramOrder.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUNUMBERPROGRAMS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

bool overlapsAlready(tt::FuncOp func) {
  auto overlaps = [](Operation *op) {
    bool is = isa<tt::GridDependencyLaunchOp, tt::GridDependencyWaitOp>(op);
    return is ? WalkResult::interrupt() : WalkResult::advance();
  };
  return func.walk(overlaps).wasInterrupted();
}

struct NumberPrograms : tilecc::impl::TritonNvidiaGPUNumberProgramsBase<NumberPrograms> {
  void runOnOperation() override {
    if (!nvidia::hasFeature(getOperation(), nvidia::Feature::GridDependencies))
      return;
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      if (!func->hasAttr(tt::numberedAttr) || !func->hasAttr(ttng::tensorMapsAttr) || !func.getBody().hasOneBlock() ||
          overlapsAlready(func))
        continue;
      if (!func->hasAttr(ttng::persistentAttr))
        numberPrograms(func);
    }
  }
};

} // namespace
