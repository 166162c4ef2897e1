//===- RemoveLayoutConversions.cpp - compute values in the layout their users want ---------------------------------===//
//
// A conversion that moves elements between threads goes through shared memory: two barriers and a round trip. Most can
// be avoided, because most values do not care where they are computed. Two directions, in this order:
//
//  - Forward: an anchor (a large load, a product) has its layout for a reason. What is computed from it element by
//    element, by reduction or by expansion takes the layout over, through loops and branches. Types change in place;
//    conversions appear only where an unwilling user needs the old layout.
//  - Backward (Rematerialization.cpp): what then still is converted is computed in the wanted layout to begin with where
//    that costs less, or converted further up. Loop-carried values change layout as a whole; of other values that are
//    needed in several layouts there will be several copies.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/CarriedValues.h"
#include "lowering/passes/Passes.h"
#include "lowering/passes/Rematerialization.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREMOVELAYOUTCONVERSIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

//===--- forward ----------------------------------------------------------------------------------------------------===//

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

  /// The first layout that reaches a value stays: anchors come in program order, so it is the one the data had first.
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
      Attribute inferred = isa<ttg::ConvertLayoutOp>(user) ? encoding : tt::inferResultEncoding(user, encoding, use.getOperandNumber());
      if (!inferred)
        continue;
      for (Value result : user->getResults())
        if (encodingOf(result))
          propose(result, inferred);
    }
  }

  /// Conversions where what `op` is given is no longer what it takes.
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
      // Different encodings may stand for one layout: what the operand has may do though the other way gives another.
      if (ofResults && op->getNumOperands() == 1 && tt::inferResultEncoding(op, encoding, number) == ofResults)
        continue;
      Attribute fromResults = ofResults ? tt::inferOperandEncoding(op, ofResults, number) : Attribute();
      if (!fromResults && tt::acceptsAnyLayout(op) && isa<tt::LayoutRules>(op))
        continue; // from anywhere, by its own rules; what has none gets what it had, so that types still match
      if (!fromResults && op->hasTrait<tt::ComputesElements>()) // to scalars: all operands in one layout
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

struct RemoveLayoutConversions
    : tilecc::impl::TritonGPURemoveLayoutConversionsBase<RemoveLayoutConversions> {
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
    // Every success makes the program cheaper, and opens the way for others.
    bool changed = true;
    for (int iteration = 0; changed && iteration < 4; ++iteration) {
      changed = false;
      SmallVector<ttg::ConvertLayoutOp> converts;
      module.walk([&](ttg::ConvertLayoutOp op) { converts.push_back(op); });
      for (ttg::ConvertLayoutOp op : llvm::reverse(converts))
        changed |= rematerialize(op);
      if (failed(simplify()))
        return signalPassFailure();
    }
  }
};

} // namespace
