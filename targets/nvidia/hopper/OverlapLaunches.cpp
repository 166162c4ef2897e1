//===- OverlapLaunches.cpp - launches that begin before the previous one has ended --------------------------------===//
//
// When a launch ends, its writes become visible, the GPU's front end learns of the end, and it distributes the blocks of
// the next launch. This takes one to two microseconds, in which no multiprocessor works. A kernel that waits for the
// previous launch by itself can be launched earlier (programmatic dependent launch): as soon as all blocks of the
// previous launch have exited, the blocks of this one start, compute what does not depend on memory (barriers, indices,
// masks), and then wait until the writes of the previous launch are visible.
//
// A kernel does not trigger the next launch earlier than its blocks exit. Blocks that only wait would occupy
// multiprocessors, on which other streams could have run, and gain no time (bench/gpu/NOTES.md).
//
// The exception is a grid whose programs are launched in two parts (NumberPrograms.cpp). The first part triggers the
// second one at its beginning, after its own wait, so that everything before both has ended. The second part does not
// wait at its beginning, but at its end, so that it ends after the first.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUOVERLAPLAUNCHES
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

bool mayAccessGlobal(Operation *op) {
  if (tt::getGlobalAccess(op) || op->hasTrait<tt::AccessesTensor>() || op->hasTrait<tt::MayAccessGlobal>() ||
      isa<CallOpInterface>(op))
    return true;
  // Operations of our dialects declare their accesses, so the others do not access global memory.
  const bool isOurs = isa<tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect>(op->getDialect());
  return !isOurs && !op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() && !isMemoryEffectFree(op);
}

bool containsAccess(Operation &op) {
  auto visit = [](Operation *inner) {
    return mayAccessGlobal(inner) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return op.walk(visit).wasInterrupted();
}

bool overlapsAlready(tt::FuncOp func) {
  auto overlaps = [](Operation *op) {
    bool is = isa<tt::GridDependencyLaunchOp, tt::GridDependencyWaitOp>(op);
    return is ? WalkResult::interrupt() : WalkResult::advance();
  };
  return func.walk(overlaps).wasInterrupted();
}

class Overlap {
public:
  explicit Overlap(tt::FuncOp func) : func(func), builder(func.getContext()), loc(func.getLoc()) {}

  void insert() {
    Block &entry = func.getBody().front();
    auto access = llvm::find_if(entry.without_terminator(), containsAccess);
    builder.setInsertionPoint(&entry, access);
    const uint32_t axes = ttng::getNumber(func, ttng::numberedAttr);
    if (axes == 0)
      tt::GridDependencyWaitOp::create(builder, loc);
    else if (func->hasAttr(ttng::persistentAttr))
      beginFirstPart(axes);
    else
      beginEitherPart(axes);
    func->setAttr(tt::waitsAttr, builder.getUnitAttr());
  }

private:
  /// Returns the argument behind the extents of a numbered kernel: the number of the first program, or the number of
  /// programs if the kernel is persistent.
  unsigned findNumber(uint32_t axes) { return func.getNumArguments() - ttng::countProgramNumbers(func) + axes; }

  /// Returns the number of programs of the grid.
  Value countPrograms(uint32_t axes) {
    const unsigned first = findNumber(axes) - axes;
    Value count = func.getArgument(first);
    for (unsigned axis = 1; axis < axes; ++axis)
      count = arith::MulIOp::create(builder, loc, count, func.getArgument(first + axis));
    return count;
  }

  /// Lets the next launch begin if it is the second part of the grid, because this one has fewer programs than the grid.
  void triggerSecondPart(Value programs, uint32_t axes) {
    Value isPart = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, programs, countPrograms(axes));
    auto branch = scf::IfOp::create(builder, loc, isPart, /*withElseRegion=*/false);
    OpBuilder inside = branch.getThenBodyBuilder();
    tt::GridDependencyLaunchOp::create(inside, loc);
  }

  /// A persistent kernel runs whole grids and first parts.
  void beginFirstPart(uint32_t axes) {
    tt::GridDependencyWaitOp::create(builder, loc);
    triggerSecondPart(func.getArgument(findNumber(axes)), axes);
  }

  void beginEitherPart(uint32_t axes) {
    Value first = func.getArgument(findNumber(axes));
    Value zero = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, first, zero);
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      tt::GridDependencyWaitOp::create(builder, loc);
      Value programs;
      for (auto axis : {tt::ProgramIDDim::X, tt::ProgramIDDim::Y, tt::ProgramIDDim::Z}) {
        Value along = tt::GetNumProgramsOp::create(builder, loc, axis);
        programs = programs ? arith::MulIOp::create(builder, loc, programs, along).getResult() : along;
      }
      triggerSecondPart(programs, axes);
    }
    func.walk([&](tt::ReturnOp end) {
      builder.setInsertionPoint(end);
      tt::GridDependencyWaitOp::create(builder, loc);
    });
  }

  tt::FuncOp func;
  OpBuilder builder;
  Location loc;
};

struct OverlapLaunches : tilecc::impl::TritonNvidiaGPUOverlapLaunchesBase<OverlapLaunches> {
  void runOnOperation() override {
    if (!nvidia::hasFeature(getOperation(), nvidia::Feature::GridDependencies))
      return;
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (func.isPublic() && !func.isExternal() && !overlapsAlready(func))
        Overlap(func).insert();
  }
};

} // namespace
