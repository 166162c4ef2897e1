//===- ControlFlow.cpp - kernels, the grid, and branches that carry tiles -----------------------------------------===//
//
// Functions become LLVM functions. A tile that a branch carries is replaced by a thread's registers of the tile.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

namespace {

struct FuncPattern : TilePattern<tt::FuncOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::FuncOp op, OneToNOpAdaptor, ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> arguments;
    if (failed(types.convertTypes(op.getArgumentTypes(), arguments)))
      return failure();
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()), arguments);
    auto func = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), op.getName(), type);
    rewriter.inlineRegionBefore(op.getBody(), func.getBody(), func.end());
    if (failed(rewriter.convertRegionTypes(&func.getBody(), types)))
      return failure();
    if (op->hasAttr(ttg::partitionAttr)) {
      // Partitions are inlined into the branch that their warps take, because wgmma and changes of the register count
      // are not allowed across calls.
      func->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      func.setLinkage(LLVM::Linkage::Internal);
      func.setAlwaysInline(true);
    } else {
      auto all = ttg::getModuleInteger(op, ttg::totalNumWarpsAttr, ttg::getNumWarps(op));
      target.markKernel(func, op, all * target.facts.warpSize);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReturnPattern : TilePattern<tt::ReturnOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::ReturnOp op, OneToNOpAdaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

template <typename OpT, Value (TargetInfo::*get)(OpBuilder &, Location, unsigned) const>
struct GridPattern : TilePattern<OpT> {
  using TilePattern<OpT>::TilePattern;
  LogicalResult matchAndRewrite(OpT op, typename OpT::Adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, (this->target.*get)(rewriter, op.getLoc(), static_cast<unsigned>(op.getAxis())));
    return success();
  }
};

SmallVector<Value> flatten(ArrayRef<ValueRange> values) {
  SmallVector<Value> flat;
  for (ValueRange range : values)
    llvm::append_range(flat, range);
  return flat;
}

struct BranchPattern : TilePattern<cf::BranchOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(cf::BranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<cf::BranchOp>(op, op.getDest(), flatten(adaptor.getDestOperands()));
    return success();
  }
};

struct CondBranchPattern : TilePattern<cf::CondBranchOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(cf::CondBranchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<cf::CondBranchOp>(op, adaptor.getCondition().front(), op.getTrueDest(),
                                                  flatten(adaptor.getTrueDestOperands()), op.getFalseDest(),
                                                  flatten(adaptor.getFalseDestOperands()));
    return success();
  }
};

struct SwitchPattern : TilePattern<cf::SwitchOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(cf::SwitchOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Value>> cases;
    for (auto operands : adaptor.getCaseOperands())
      cases.push_back(flatten(operands));
    rewriter.replaceOpWithNewOp<cf::SwitchOp>(
        op, adaptor.getFlag().front(), op.getDefaultDestination(), flatten(adaptor.getDefaultOperands()),
        op.getCaseValuesAttr(), op.getCaseDestinations(), SmallVector<ValueRange>(cases.begin(), cases.end()));
    return success();
  }
};

} // namespace

void tilecc::populateControlFlowPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                         const LoweringContext &lowering) {
  patterns.add<FuncPattern, ReturnPattern, GridPattern<tt::GetProgramIdOp, &TargetInfo::getProgramId>,
               GridPattern<tt::GetNumProgramsOp, &TargetInfo::getNumPrograms>, BranchPattern, CondBranchPattern,
               SwitchPattern>(types, patterns.getContext(), lowering);
}
