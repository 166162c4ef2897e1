//===- LiftControlFlow.cpp - lifts branches to scf.if and scf.while -----------------------------------------------===//
//
// Passes.td describes the effect (TTLiftControlFlow). The transformation itself is MLIR's. This file overrides how
// operations are created, because Triton's compiler, which must accept our IR, supports fewer operations.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Passes.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/CFGToSCF.h"

using namespace mlir;

namespace tilecc {

#define GEN_PASS_DEF_TTLIFTCONTROLFLOW
#include "frontend/raise/Passes.h.inc"

namespace {

class TileLift : public ControlFlowToSCFTransformation {
public:
  /// Creates the terminator after an infinite loop. The base class supports func.func only.
  FailureOr<Operation *> createUnreachableTerminator(Location loc, OpBuilder &builder, Region &region) override {
    Operation *parent = region.getParentOp();
    auto func = dyn_cast<tt::FuncOp>(parent);
    SmallVector<Value> results;
    for (Type type : func ? SmallVector<Type>(func.getResultTypes()) : tt::getElementReturnTypes(parent))
      results.push_back(getUndefValue(loc, builder, type));
    if (func)
      return tt::ReturnOp::create(builder, loc, results).getOperation();
    return tt::createElementReturn(builder, loc, parent, results);
  }

  /// Creates a branch instead of a switch for a dispatch between two blocks, so that it becomes an scf.if.
  void createCFGSwitchOp(Location loc, OpBuilder &builder, Value flag, ArrayRef<unsigned> caseValues,
                         BlockRange caseBlocks, ArrayRef<ValueRange> caseArgs, Block *defaultBlock,
                         ValueRange defaultArgs) override {
    if (caseValues.empty()) {
      cf::BranchOp::create(builder, loc, defaultBlock, defaultArgs);
      return;
    }
    if (caseValues.size() > 1)
      return ControlFlowToSCFTransformation::createCFGSwitchOp(loc, builder, flag, caseValues, caseBlocks, caseArgs,
                                                               defaultBlock, defaultArgs);
    Value isCase = isEqual(loc, builder, flag, builder.getIntegerAttr(flag.getType(), caseValues[0]));
    cf::CondBranchOp::create(builder, loc, isCase, caseBlocks[0], caseArgs[0], defaultBlock, defaultArgs);
  }

  /// Creates a chain for a switch: if (flag == case 0) ... else if (flag == case 1) ... else default.
  FailureOr<Operation *> createStructuredBranchRegionOp(OpBuilder &builder, Operation *op, TypeRange resultTypes,
                                                        MutableArrayRef<Region> regions) override {
    auto switchOp = dyn_cast<cf::SwitchOp>(op);
    if (!switchOp || !switchOp.getCaseValues() || regions.size() < 2)
      return ControlFlowToSCFTransformation::createStructuredBranchRegionOp(builder, op, resultTypes, regions);
    OpBuilder::InsertionGuard guard(builder);
    Location loc = op->getLoc();
    scf::IfOp outermost;
    MutableArrayRef<Region> cases = regions.drop_front(); // the default region comes first
    for (auto [i, value] : llvm::enumerate(switchOp.getCaseValues()->getValues<APInt>())) {
      Value isCase =
          isEqual(loc, builder, switchOp.getFlag(), builder.getIntegerAttr(switchOp.getFlag().getType(), value));
      auto ifOp = scf::IfOp::create(builder, loc, resultTypes, isCase);
      if (outermost)
        scf::YieldOp::create(builder, loc, ifOp.getResults());
      else
        outermost = ifOp;
      ifOp.getThenRegion().takeBody(cases[i]);
      if (i + 1 == cases.size())
        ifOp.getElseRegion().takeBody(regions.front());
      else
        builder.setInsertionPointToStart(&ifOp.getElseRegion().emplaceBlock());
    }
    return outermost.getOperation();
  }

  FailureOr<Operation *> createStructuredDoWhileLoopOp(OpBuilder &builder, Operation *op, ValueRange init,
                                                       Value condition, ValueRange next, Region &&body) override {
    Location loc = op->getLoc();
    FailureOr<Operation *> loop = ControlFlowToSCFTransformation::createStructuredDoWhileLoopOp(
        builder, op, init, condition, next, std::move(body));
    if (succeeded(loop))
      (*loop)->setLoc(loc);
    return loop;
  }

private:
  static Value isEqual(Location loc, OpBuilder &builder, Value flag, IntegerAttr value) {
    Value constant = arith::ConstantOp::create(builder, loc, value);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, flag, constant);
  }
};

struct LiftControlFlow : impl::TTLiftControlFlowBase<LiftControlFlow> {
  using TTLiftControlFlowBase::TTLiftControlFlowBase;

  void runOnOperation() override {
    SmallVector<Region *> regions;
    getOperation().walk([&](Operation *op) {
      auto func = dyn_cast<tt::FuncOp>(op);
      bool isLifted = func ? !func.isExternal() && (kernels || !func.isKernel()) : op->hasTrait<tt::ComputesElements>();
      if (isLifted)
        regions.push_back(&op->getRegion(0));
    });
    TileLift lift;
    for (Region *region : regions) {
      DominanceInfo dominance(region->getParentOp());
      if (failed(transformCFGToSCF(*region, lift, dominance)))
        return signalPassFailure();
    }
  }
};

} // namespace
} // namespace tilecc
