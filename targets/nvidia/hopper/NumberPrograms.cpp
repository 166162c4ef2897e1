//===- NumberPrograms.cpp - launches that run some of a grid's programs -------------------------------------------===//
//
// A launch of more blocks than run at once ends with a tail: 162 tiles on 132 multiprocessors take as long as 264. The
// runtime therefore makes two launches of it (runtime/src/LaunchArguments.h): one of the first 132 programs, and one
// of the last 30 with a variant for few programs, which runs parts of their tiles (DivideTiles.cpp). 120 quarters of
// tiles keep nearly all multiprocessors busy.
//
// This pass makes such launches possible. A block's number in its launch, plus the number of the launch's first
// program, is the program's number in the grid. The extents of the grid and the first number are arguments after all
// others. In a launch of the whole grid, the first number is 0.
//
// The second launch begins as soon as all blocks of the first run, so that it fills the multiprocessors that become
// idle, and ends after the first.
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

void numberPrograms(tt::FuncOp func) {
  constexpr tt::ProgramIDDim axes[] = {tt::ProgramIDDim::X, tt::ProgramIDDim::Y, tt::ProgramIDDim::Z};
  Location loc = func.getLoc();
  Block &body = func.getBody().front();
  Operation *next = &body.front();
  OpBuilder builder(next);
  auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
  auto multiply = [&](Value a, Value b) -> Value { return arith::MulIOp::create(builder, loc, a, b); };
  SmallVector<Value> extents = addArguments(func, countAskedAxes(func));
  func->setAttr(ttng::numberedAttr, builder.getI32IntegerAttr(extents.size()));
  Value number; // of the block in its launch
  for (tt::ProgramIDDim axis : llvm::reverse(ArrayRef(axes).take_front(extents.size()))) {
    Value index = tt::GetProgramIdOp::create(builder, loc, axis);
    number = number ? add(multiply(number, tt::GetNumProgramsOp::create(builder, loc, axis)), index) : index;
  }
  number = add(number, addArguments(func, 1).front());
  SmallVector<Value> indices = splitNumber(builder, loc, number, extents);
  for (Operation &op : llvm::make_early_inc_range(llvm::make_range(next->getIterator(), body.end())))
    replaceGridQueries(&op, indices, extents);
}

void overlapLaunches(tt::FuncOp func) {
  Block &body = func.getBody().front();
  auto builder = OpBuilder::atBlockBegin(&body);
  tt::GridDependencyLaunchOp::create(builder, func.getLoc());
  builder.setInsertionPoint(body.getTerminator());
  tt::GridDependencyWaitOp::create(builder, func.getLoc());
}

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
      if (!func->hasAttr(tt::numberedAttr) || !func->hasAttr(ttng::tensorMapsAttr) ||
          func->hasAttr(ttng::persistentAttr) || !func.getBody().hasOneBlock() || overlapsAlready(func))
        continue;
      numberPrograms(func);
      overlapLaunches(func);
    }
  }
};

} // namespace
