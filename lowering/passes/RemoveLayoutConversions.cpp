//===- RemoveLayoutConversions.cpp - computes values in the layout that their users need --------------------------===//
//
// A conversion that moves elements between threads goes through shared memory, which costs two barriers, a store and a
// load. Most conversions can be avoided, because most values can be computed in any layout. There are two steps, in
// this order:
//
//  - Forward: an anchor (a large load, a dot) keeps its layout, which is chosen for it. Values computed from it by
//    elementwise operations, reductions or expansions take its layout, through loops and branches. Types change in
//    place; conversions are inserted only where a user needs the old layout.
//  - Backward (Rematerialization.cpp): the source of a remaining conversion is recomputed in the wanted layout where
//    that costs less, or is converted further up. Loop-carried values change layout as a whole; other values that are
//    needed in several layouts are duplicated.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/CarriedValues.h"
#include "lowering/analysis/WorkCost.h"
#include "lowering/passes/Passes.h"
#include "lowering/passes/Rematerialization.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREMOVELAYOUTCONVERSIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

//===--- forward --------------------------------------------------------------------------------------------------===//

class ForwardPropagation {
public:
  explicit ForwardPropagation(ModuleOp module) : module(module) {}

  void run() {
    module.walk([&](Operation *op) {
      if (isAnchor(op))
        propose(op->getResult(0), encodingOf(op->getResult(0)));
    });
    while (!queue.empty())
      propagate(queue.pop_back_val());
    for (auto &[value, encoding] : chosen) {
      before[value] = value.getType();
      value.setType(cast<RankedTensorType>(value.getType()).cloneWithEncoding(encoding));
    }
    module.walk([&](Operation *op) { fixOperands(op); });
  }

private:
  static bool isAnchor(Operation *op) {
    auto rules = dyn_cast<tt::LayoutRules>(op);
    return rules && rules.isLayoutAnchor(ttg::getNumWarps(op) * ttg::getThreadsPerWarp(op));
  }

  /// Sets the layout of `value`, unless it already has one. Anchors are visited in program order, so the layout of the
  /// earliest anchor takes precedence.
  void propose(Value value, Attribute encoding) {
    if (chosen.insert({value, encoding}).second)
      queue.push_back(value);
  }

  void propagate(Value value) {
    Attribute encoding = chosen.lookup(value);
    for (OpOperand &use : value.getUses()) {
      Operation *user = use.getOwner();
      if (std::optional<Slot> slot = getFedSlot(use)) {
        for (Value carried : slot->values)
          propose(carried, encoding);
        continue;
      }
      if (isAnchor(user))
        continue;
      Attribute inferred =
          isa<ttg::ConvertLayoutOp>(user) ? encoding : tt::inferResultEncoding(user, encoding, use.getOperandNumber());
      if (!inferred)
        continue;
      for (Value result : user->getResults())
        if (encodingOf(result))
          propose(result, inferred);
    }
  }

  /// Inserts conversions where the operands of `op` no longer have the layouts that it needs.
  void fixOperands(Operation *op) {
    if (isa<ttg::ConvertLayoutOp>(op))
      return;
    Attribute ofResults;
    for (Value result : op->getResults())
      if (Attribute encoding = encodingOf(result))
        ofResults = encoding;
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Attribute encoding = encodingOf(operand.get());
      unsigned number = operand.getOperandNumber();
      if (!encoding)
        continue;
      // Different encodings may stand for the same layout. So the operand's encoding may be valid even if inferring it
      // from the result's encoding gives another one.
      if (ofResults && op->getNumOperands() == 1 && tt::inferResultEncoding(op, encoding, number) == ofResults)
        continue;
      Attribute fromResults = ofResults ? tt::inferOperandEncoding(op, ofResults, number) : Attribute();
      if (!fromResults && tt::acceptsAnyLayout(op) && isa<tt::LayoutRules>(op))
        continue; // an operation without layout rules gets the old layout, so that types still match
      if (!fromResults &&
          op->hasTrait<tt::ComputesElements>()) // computes on scalars: all operands have the same layout
        fromResults = encodingOf(op->getOperand(0));
      Type wanted;
      if (std::optional<Slot> slot = getFedSlot(operand))
        wanted = slot->values.front().getType();
      else if (fromResults)
        wanted = cast<RankedTensorType>(operand.get().getType()).cloneWithEncoding(fromResults);
      else if (auto it = before.find(operand.get()); it != before.end())
        wanted = it->second;
      else
        continue;
      if (wanted != operand.get().getType())
        operand.set(builder.createOrFold<ttg::ConvertLayoutOp>(op->getLoc(), wanted, operand.get()));
    }
  }

  ModuleOp module;
  llvm::MapVector<Value, Attribute> chosen;
  SmallVector<Value> queue;
  DenseMap<Value, Type> before;
};

struct RemoveLayoutConversions : tilecc::impl::TritonGPURemoveLayoutConversionsBase<RemoveLayoutConversions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    RewritePatternSet cleanup(&getContext());
    ttg::ConvertLayoutOp::getCanonicalizationPatterns(cleanup, &getContext());
    ttg::LocalAllocOp::getCanonicalizationPatterns(cleanup, &getContext());
    FrozenRewritePatternSet patterns(std::move(cleanup));
    auto simplify = [&] { return applyPatternsGreedily(module, patterns); };

    ForwardPropagation(module).run();
    if (failed(simplify()))
      return signalPassFailure();
    // Each conversion that is removed makes the program cheaper, and may allow the removal of others. Those that are
    // executed most often come first: a conversion behind a loop may change the layout of a loop-carried tile, and the
    // cost of that is known only when the conversions in the loop have become as cheap as they can be.
    bool changed = true;
    for (int iteration = 0; changed && iteration < 4; ++iteration) {
      changed = false;
      SmallVector<ttg::ConvertLayoutOp> converts;
      module.walk([&](ttg::ConvertLayoutOp op) { converts.push_back(op); });
      std::reverse(converts.begin(), converts.end());
      llvm::stable_sort(converts, [](ttg::ConvertLayoutOp a, ttg::ConvertLayoutOp b) {
        return getFrequency(a->getBlock()) > getFrequency(b->getBlock());
      });
      for (ttg::ConvertLayoutOp op : converts)
        changed |= rematerialize(op);
      if (failed(simplify()))
        return signalPassFailure();
    }
  }
};

} // namespace
