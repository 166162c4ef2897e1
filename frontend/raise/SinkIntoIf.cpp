//===- SinkIntoIf.cpp - folds conditions that only depend on the taken branch -------------------------------------===//
//
// Passes.td describes the effect (TTSinkIntoIf).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tilecc {

#define GEN_PASS_DEF_TTSINKINTOIF
#include "frontend/raise/Passes.h.inc"

namespace {

/// Returns the only user of `result` if it follows the scf.if and computes a bool from the result and constants.
Operation *getSinkableUser(OpResult result) {
  if (!result.hasOneUse() || !isa<IntegerType>(result.getType()))
    return nullptr;
  Operation *user = *result.user_begin();
  if (!isa<arith::TruncIOp, arith::CmpIOp, arith::ExtUIOp, arith::XOrIOp>(user) ||
      user->getBlock() != result.getOwner()->getBlock() || !user->getResult(0).getType().isInteger(1))
    return nullptr;
  for (Value operand : user->getOperands())
    if (operand != result && !matchPattern(operand, m_Constant()))
      return nullptr;
  return user;
}

/// Returns true if sinking is worthwhile, because the user folds with the value that one of the branches yields.
bool foldsWith(Value yielded) {
  Operation *op = yielded.getDefiningOp();
  return op && (matchPattern(yielded, m_Constant()) || isa<ub::PoisonOp, arith::ExtUIOp, scf::IfOp>(op));
}

struct SinkUserIntoIf : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp ifOp, PatternRewriter &rewriter) const override {
    for (OpResult result : ifOp->getResults()) {
      unsigned i = result.getResultNumber();
      Operation *user = getSinkableUser(result);
      if (user && (foldsWith(ifOp.thenYield().getOperand(i)) || foldsWith(ifOp.elseYield().getOperand(i)))) {
        sink(ifOp, i, user, rewriter);
        return success();
      }
    }
    return failure();
  }

private:
  static void sink(scf::IfOp ifOp, unsigned i, Operation *user, PatternRewriter &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    for (scf::YieldOp yield : {ifOp.thenYield(), ifOp.elseYield()}) {
      rewriter.setInsertionPoint(yield);
      IRMapping mapping;
      mapping.map(ifOp.getResult(i), yield.getOperand(i));
      for (Value operand : user->getOperands())
        if (operand != ifOp.getResult(i))
          mapping.map(operand, rewriter.clone(*operand.getDefiningOp())->getResult(0));
      Operation *sunk = rewriter.clone(*user, mapping);
      rewriter.modifyOpInPlace(yield, [&] { yield->setOperand(i, sunk->getResult(0)); });
    }
    SmallVector<Type> types(ifOp.getResultTypes());
    types[i] = user->getResult(0).getType();
    rewriter.setInsertionPoint(ifOp);
    auto replacement = scf::IfOp::create(rewriter, ifOp.getLoc(), types, ifOp.getCondition(), false, false);
    rewriter.inlineRegionBefore(ifOp.getThenRegion(), replacement.getThenRegion(), replacement.getThenRegion().end());
    rewriter.inlineRegionBefore(ifOp.getElseRegion(), replacement.getElseRegion(), replacement.getElseRegion().end());
    rewriter.replaceOp(user, replacement.getResult(i));
    for (OpResult other : ifOp->getResults())
      if (other.getResultNumber() != i)
        rewriter.replaceAllUsesWith(other, replacement.getResult(other.getResultNumber()));
    rewriter.eraseOp(ifOp);
  }
};

/// Replaces extui(bool) == constant by the bool, its negation, or a constant.
struct CompareWidenedBool : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::CmpIOp compare, PatternRewriter &rewriter) const override {
    auto widened = compare.getLhs().getDefiningOp<arith::ExtUIOp>();
    APInt constant;
    bool isEqual = compare.getPredicate() == arith::CmpIPredicate::eq;
    if (!widened || !widened.getIn().getType().isInteger(1) ||
        !matchPattern(compare.getRhs(), m_ConstantInt(&constant)) ||
        (!isEqual && compare.getPredicate() != arith::CmpIPredicate::ne))
      return failure();
    if (constant.ugt(1)) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(compare, rewriter.getBoolAttr(!isEqual));
    } else if (isEqual == constant.isOne()) {
      rewriter.replaceOp(compare, widened.getIn());
    } else {
      Value one = arith::ConstantOp::create(rewriter, compare.getLoc(), rewriter.getBoolAttr(true));
      rewriter.replaceOpWithNewOp<arith::XOrIOp>(compare, widened.getIn(), one);
    }
    return success();
  }
};

/// Replaces c ? x : false by c and x, and c ? true : x by c or x.
struct SelectToLogic : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SelectOp select, PatternRewriter &rewriter) const override {
    if (!select.getType().isInteger(1) || !select.getCondition().getType().isInteger(1))
      return failure();
    if (matchPattern(select.getFalseValue(), m_Zero()))
      rewriter.replaceOpWithNewOp<arith::AndIOp>(select, select.getCondition(), select.getTrueValue());
    else if (matchPattern(select.getTrueValue(), m_One()))
      rewriter.replaceOpWithNewOp<arith::OrIOp>(select, select.getCondition(), select.getFalseValue());
    else
      return failure();
    return success();
  }
};

struct SinkIntoIf : impl::TTSinkIntoIfBase<SinkIntoIf> {
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    patterns.add<SinkUserIntoIf, CompareWidenedBool, SelectToLogic>(context);
    for (Dialect *dialect : context->getLoadedDialects())
      dialect->getCanonicalizationPatterns(patterns);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      name.getCanonicalizationPatterns(patterns, context);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
} // namespace tilecc
