//===- GridDependencyPatterns.cpp - launches that overlap ---------------------------------------------------------===//
//
// Lowers the operations by which a launch waits for the previous launch, or lets the next launch begin. The
// instructions are emitted as assembly that clobbers memory. LLVM's intrinsics for them are declared not to access
// memory, so LLVM could move a load from after the wait to before it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"

using namespace mlir;
using namespace tilecc;

namespace {

template <class Op> struct GridDependencyPattern : TilePattern<Op> {
  GridDependencyPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering,
                        const nvidia::Facts &facts, StringRef instruction)
      : TilePattern<Op>(types, context, lowering), facts(facts), instruction(instruction) {}

  LogicalResult matchAndRewrite(Op op, typename TilePattern<Op>::OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // If launches cannot overlap on the target, each launch begins when the previous one has ended, and nothing is
    // emitted.
    if (facts.has(nvidia::Feature::GridDependencies))
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
