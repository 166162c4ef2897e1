//===- RemoveLayoutConversions.cpp - compute values in the layout their users want ---------------------------------===//
//
// A conversion that moves elements between threads goes through shared memory: two barriers and a round trip. Most can
// be avoided, because most values do not care where they are computed. Two directions, in this order:
//
//  - Forward: an anchor (a large load, a product) has its layout for a reason. What is computed from it element by
//    element, by reduction or by expansion takes the layout over, through loops and branches. Types change in place;
//    conversions appear only where an unwilling user needs the old layout.
//  - Backward: what then still is converted and is cheap to compute, because no load or product is behind it (pointers,
//    masks, indices), is computed in the wanted layout to begin with. Loop-carried values change layout as a whole; of
//    other values that are needed in several layouts there will be several copies.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREMOVELAYOUTCONVERSIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

RankedTensorType withEncoding(Type type, Attribute encoding) {
  auto tile = cast<RankedTensorType>(type);
  return RankedTensorType::get(tile.getShape(), tile.getElementType(), encoding);
}

Attribute encodingOf(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile ? tile.getEncoding() : Attribute();
}

//===--- values that control flow carries ---------------------------------------------------------------------------===//

/// A place through which control flow carries a value: the block arguments and results that stand for it, and the
/// operands that feed it. All have one type.
struct Slot {
  SmallVector<Value, 2> values;
  SmallVector<OpOperand *, 2> feeders;
};

Slot loopSlot(scf::ForOp loop, unsigned i) {
  return {{loop.getRegionIterArg(i), loop.getResult(i)},
          {&loop.getInitArgsMutable()[i], &loop.getBody()->getTerminator()->getOpOperand(i)}};
}

Slot branchSlot(scf::IfOp branch, unsigned i) {
  Slot slot{{branch.getResult(i)}, {}};
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
    slot.feeders.push_back(&region->front().getTerminator()->getOpOperand(i));
  return slot;
}

Slot whileBeforeSlot(scf::WhileOp loop, unsigned i) {
  return {{loop.getBeforeArguments()[i]}, {&loop->getOpOperand(i), &loop.getYieldOp()->getOpOperand(i)}};
}

Slot whileAfterSlot(scf::WhileOp loop, unsigned i) {
  return {{loop.getAfterArguments()[i], loop.getResult(i)}, {&loop.getConditionOp().getArgsMutable()[i]}};
}

/// The slot that `value` stands for, if it stands for one.
std::optional<Slot> getSlot(Value value) {
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    Operation *parent = arg.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && arg.getArgNumber() > 0)
      return loopSlot(loop, arg.getArgNumber() - 1);
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      return arg.getOwner() == loop.getBeforeBody() ? whileBeforeSlot(loop, arg.getArgNumber())
                                                    : whileAfterSlot(loop, arg.getArgNumber());
    return std::nullopt;
  }
  unsigned i = cast<OpResult>(value).getResultNumber();
  Operation *op = value.getDefiningOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return loopSlot(loop, i);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return branchSlot(branch, i);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return whileAfterSlot(loop, i);
  return std::nullopt;
}

/// The slot that `use` feeds, if it feeds one.
std::optional<Slot> getFedSlot(OpOperand &use) {
  Operation *op = use.getOwner();
  unsigned i = use.getOperandNumber();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return i >= loop.getNumControlOperands() ? std::optional(loopSlot(loop, i - loop.getNumControlOperands()))
                                             : std::nullopt;
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return whileBeforeSlot(loop, i);
  if (isa<scf::ConditionOp>(op))
    return i > 0 ? std::optional(whileAfterSlot(cast<scf::WhileOp>(op->getParentOp()), i - 1)) : std::nullopt;
  if (!isa<scf::YieldOp>(op))
    return std::nullopt;
  if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp()))
    return loopSlot(loop, i);
  if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp()))
    return branchSlot(branch, i);
  if (auto loop = dyn_cast<scf::WhileOp>(op->getParentOp()))
    return whileBeforeSlot(loop, i);
  return std::nullopt;
}

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
      value.setType(withEncoding(value.getType(), encoding));
    }
    module.walk([&](Operation *op) { fixOperands(op); });
  }

private:
  /// Loads of fewer elements than there are threads are no reason for a layout.
  static bool isAnchor(Operation *op) {
    if (isa<tt::DotOp>(op))
      return true;
    auto load = dyn_cast<tt::LoadOp>(op);
    auto tile = load ? dyn_cast<RankedTensorType>(load.getType()) : RankedTensorType();
    return tile && tile.getNumElements() >= ttg::getNumWarps(op) * ttg::getThreadsPerWarp(op);
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
      Attribute inferred = isa<ttg::ConvertLayoutOp>(user) ? encoding : ttg::inferResultEncoding(user, encoding, use.getOperandNumber());
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
      if (ofResults && op->getNumOperands() == 1 && ttg::inferResultEncoding(op, encoding, number) == ofResults)
        continue;
      if (isa<tt::GatherOp>(op) && !ttg::inferOperandEncoding(op, ofResults, number))
        continue; // from anywhere
      Attribute fromResults = ofResults ? ttg::inferOperandEncoding(op, ofResults, number) : Attribute();
      if (isa<tt::ReduceOp>(op) && !fromResults)
        fromResults = encodingOf(op->getOperand(0));
      Type wanted;
      if (std::optional<Slot> slot = getFedSlot(operand))
        wanted = slot->values.front().getType();
      else if (fromResults)
        wanted = withEncoding(operand.get().getType(), fromResults);
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

//===--- backward ---------------------------------------------------------------------------------------------------===//

/// Computes the source of one conversion in the layout it is converted to.
class Rematerialization {
public:
  explicit Rematerialization(ttg::ConvertLayoutOp convert) : convert(convert) {}

  bool run() {
    Attribute wanted = encodingOf(convert.getResult());
    // An operand of a product repeats elements over threads; computing all of them again is not cheap.
    if (isa<ttg::DotOperandEncodingAttr>(wanted))
      return false;
    if (!want(convert.getSrc(), wanted))
      return false;
    while (!queue.empty()) {
      auto [value, encoding] = queue.pop_back_val();
      if (!expand(value, encoding))
        return false;
    }
    if (!slotsAreFree())
      return false;
    for (Value value : carried) {
      // Users outside of the slice are dead; keep the types right until they are removed.
      Type old = value.getType();
      value.setType(withEncoding(old, slice.lookup(value)));
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      auto back = ttg::ConvertLayoutOp::create(builder, convert.getLoc(), old, value);
      value.replaceAllUsesExcept(back, back);
      backConversions[value] = back;
    }
    for (Value value : carried)
      for (OpOperand *feeder : getSlot(value)->feeders)
        if (encodingOf(feeder->get()) != slice.lookup(value) || isBackConversion(feeder->get()))
          feeder->set(materialize(feeder->get(), slice.lookup(value)));
    convert.replaceAllUsesWith(materialize(convert.getSrc(), wanted));
    convert.erase();
    return true;
  }

private:
  /// Operations that may be computed once more. Divisions and transcendental functions of floats may not: they cost as
  /// much as the conversion.
  static bool isCheap(Operation *op) {
    if (isa<tt::SplatOp, tt::MakeRangeOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::ReshapeOp, tt::TransOp, tt::JoinOp,
            ub::PoisonOp>(op))
      return true;
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<SplatElementsAttr>(constant.getValue());
    if (isa<arith::DivFOp, arith::RemFOp>(op) || isa<math::MathDialect>(op->getDialect()))
      return false;
    return op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) && op->getNumRegions() == 0;
  }

  /// Notes that `value` is wanted in `encoding`; false if it is wanted in another one, too.
  bool want(Value value, Attribute encoding) {
    if (encodingOf(value) == encoding)
      return true;
    auto [it, isNew] = slice.insert({value, encoding});
    if (isNew)
      queue.push_back({value, encoding});
    return it->second == encoding;
  }

  bool expand(Value value, Attribute encoding) {
    if (std::optional<Slot> slot = getSlot(value)) {
      for (Value other : slot->values) {
        if (!want(other, encoding))
          return false;
        carried.insert(other);
      }
      return llvm::all_of(slot->feeders, [&](OpOperand *feeder) { return want(feeder->get(), encoding); });
    }
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (auto inner = dyn_cast<ttg::ConvertLayoutOp>(op))
      return want(inner.getSrc(), encoding);
    Attribute forOperands = isCheap(op) ? ttg::inferOperandEncoding(op, encoding) : Attribute();
    if (!forOperands)
      return false;
    return llvm::all_of(op->getOperands(),
                        [&](Value operand) { return !encodingOf(operand) || want(operand, forOperands); });
  }

  /// A carried value has one layout: it can change only if nobody needs the old one. Its users must be in the slice
  /// and themselves die when the slice is computed anew.
  bool slotsAreFree() {
    DenseMap<Operation *, bool> known;
    std::function<bool(Value)> dies = [&](Value value) {
      return llvm::all_of(value.getUses(), [&](OpOperand &use) {
        Operation *user = use.getOwner();
        if (user == convert)
          return true;
        if (std::optional<Slot> fed = getFedSlot(use))
          return carried.contains(fed->values.front());
        if (user->getNumResults() != 1 || !slice.contains(user->getResult(0)))
          return false;
        auto [it, isNew] = known.insert({user, true});
        if (!isNew)
          return it->second;
        bool result = dies(user->getResult(0));
        known[user] = result;
        return result;
      });
    };
    return llvm::all_of(carried, dies);
  }

  bool isBackConversion(Value value) {
    auto conversion = value.getDefiningOp<ttg::ConvertLayoutOp>();
    return conversion && backConversions.lookup(conversion.getSrc()) == conversion;
  }

  Value materialize(Value value, Attribute encoding) {
    if (isBackConversion(value))
      value = value.getDefiningOp<ttg::ConvertLayoutOp>().getSrc();
    if (encodingOf(value) == encoding)
      return value;
    if (Value known = made.lookup({value, encoding}))
      return known;
    Operation *op = value.getDefiningOp();
    if (auto inner = dyn_cast<ttg::ConvertLayoutOp>(op))
      return materialize(inner.getSrc(), encoding);
    Attribute forOperands = ttg::inferOperandEncoding(op, encoding);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(encodingOf(operand) ? materialize(operand, forOperands) : operand);
    OpBuilder builder(op);
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(withEncoding(value.getType(), encoding));
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(constant.getType())));
    return made[{value, encoding}] = clone->getResult(0);
  }

  ttg::ConvertLayoutOp convert;
  llvm::MapVector<Value, Attribute> slice;
  SmallVector<std::pair<Value, Attribute>> queue;
  llvm::SetVector<Value> carried;
  DenseMap<Value, Operation *> backConversions;
  DenseMap<std::pair<Value, Attribute>, Value> made;
};

struct RemoveLayoutConversions
    : tilecc::impl::TritonGPURemoveLayoutConversionsBase<RemoveLayoutConversions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    RewritePatternSet cleanup(&getContext());
    ttg::ConvertLayoutOp::getCanonicalizationPatterns(cleanup, &getContext());
    FrozenRewritePatternSet patterns(std::move(cleanup));
    auto simplify = [&] { return applyPatternsGreedily(module, patterns); };

    ForwardPropagation(module).run();
    if (failed(simplify()))
      return signalPassFailure();
    // Every success removes a conversion or moves it to cheaper values, and opens the way for others.
    bool changed = true;
    for (int round = 0; changed && round < 4; ++round) {
      changed = false;
      SmallVector<ttg::ConvertLayoutOp> converts;
      module.walk([&](ttg::ConvertLayoutOp op) { converts.push_back(op); });
      for (ttg::ConvertLayoutOp op : llvm::reverse(converts))
        changed |= Rematerialization(op).run();
      if (failed(simplify()))
        return signalPassFailure();
    }
  }
};

} // namespace
