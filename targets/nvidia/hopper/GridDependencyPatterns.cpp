//===- GridDependencyPatterns.cpp - launches that overlap ---------------------------------------------------------===//
//
// Lowers the operations by which a launch waits for the previous launch, or lets the next launch begin. The
// instructions are emitted as assembly that clobbers memory. LLVM's intrinsics for them are declared not to access
// memory, so LLVM could move a load from after the wait to before it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns the number of programs along all axes of the launch.
Value countLaunchedPrograms(OpBuilder &builder, Location loc) {
  Value count = tt::GetNumProgramsOp::create(builder, loc, tt::ProgramIDDim::X);
  for (auto axis : {tt::ProgramIDDim::Y, tt::ProgramIDDim::Z})
    count = arith::MulIOp::create(builder, loc, count, tt::GetNumProgramsOp::create(builder, loc, axis));
  return count;
}

/// Returns the predicate (i1) of an operation that depends on the part of the grid that the launch runs; null if `op`
/// is executed in any case.
Value getPredicate(OpBuilder &builder, Operation *op) {
  const bool unlessSecond = op->hasAttr(nvidia::unlessSecondPartAttr);
  if (!unlessSecond && !op->hasAttr(nvidia::ifSecondPartFollowsAttr))
    return {};
  Location loc = op->getLoc();
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  const uint32_t axes = ttng::getNumber(kernel, ttng::numberedAttr);
  const unsigned extents = kernel.getNumArguments() - ttng::countProgramNumbers(kernel);
  // The number of the first program, or the number of programs if the kernel is persistent.
  Value number = kernel.getArgument(extents + axes);
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  const bool isPersistent = kernel->hasAttr(ttng::persistentAttr);
  Value isFirst = isPersistent ? Value() : compare(arith::CmpIPredicate::eq, number, constantI32(builder, loc, 0));
  if (unlessSecond)
    return isFirst;
  Value all = kernel.getArgument(extents);
  for (unsigned axis = 1; axis < axes; ++axis)
    all = arith::MulIOp::create(builder, loc, all, kernel.getArgument(extents + axis));
  if (isPersistent)
    return compare(arith::CmpIPredicate::ult, number, all);
  Value isPart = compare(arith::CmpIPredicate::ult, countLaunchedPrograms(builder, loc), all);
  return arith::AndIOp::create(builder, loc, isFirst, isPart);
}

template <class Op> struct GridDependencyPattern : TilePattern<Op> {
  GridDependencyPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering,
                        const nvidia::Facts &facts, StringRef instruction)
      : TilePattern<Op>(types, context, lowering), facts(facts), instruction(instruction) {}

  LogicalResult matchAndRewrite(Op op, typename TilePattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // If launches cannot overlap on the target, each launch begins when the previous one has ended, and nothing is
    // emitted.
    if (!facts.has(nvidia::Feature::GridDependencies)) {
      rewriter.eraseOp(op);
      return success();
    }
    if (Value predicate = getPredicate(rewriter, op))
      assembly(rewriter, op.getLoc(), TypeRange(), predicate, ("@$0 " + instruction).str(), "b,~{memory}");
    else
      assembly(rewriter, op.getLoc(), TypeRange(), ValueRange(), instruction, "~{memory}");
    rewriter.eraseOp(op);
    return success();
  }

  const nvidia::Facts &facts;
  StringRef instruction;
};

} // namespace

void tilecc::populateGridDependencyPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                            const LoweringContext &lowering, const nvidia::Facts &facts) {
  patterns.add<GridDependencyPattern<tt::GridDependencyWaitOp>>(types, patterns.getContext(), lowering, facts,
                                                                "griddepcontrol.wait;");
  patterns.add<GridDependencyPattern<tt::GridDependencyLaunchOp>>(types, patterns.getContext(), lowering, facts,
                                                                  "griddepcontrol.launch_dependents;");
}
