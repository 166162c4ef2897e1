//===- Rematerialization.cpp - recomputes values in the result layout of a conversion -----------------------------===//
//
// The operations that compute the source of a conversion can often compute it in the wanted layout just as well. So the
// pass replaces a conversion by a slice of the program. Some values of the slice are recomputed in the wanted layout.
// At the ends of the slice, values are converted instead, either because they cannot be recomputed (a large load, a
// dot) or because their conversion is cheap. All of the following are instances of this transformation:
//
//  - Pointers, masks and indices are computed in each layout in which they are needed, and no conversion is left.
//  - A conversion moves above an extension or a broadcast and converts fewer bits.
//  - A conversion after an scf.if, of which one branch yields something simple, moves into the other branch.
//  - A conversion of a loop-carried value inside the loop moves before the loop.
//
// The pass compares costs, each weighted by the number of executions. One side is the cost of the remaining conversions
// and of the duplicated work; the other is the cost of the conversion that is removed. Work is not duplicated if the
// old result has no other use.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/Rematerialization.h"
#include "lowering/analysis/WorkCost.h"
#include "lowering/analysis/CarriedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tilecc;

Attribute tilecc::encodingOf(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile ? tile.getEncoding() : Attribute();
}

namespace {

/// A value, and a layout that it does not have yet.
using Wanted = std::pair<Value, Attribute>;

/// The values whose layouts must change so that the layout of one value can change.
class Slice {
public:
  enum class How {
    Carried, ///< carried by control flow in the new layout only
    Computed, ///< recomputed in the new layout
    Source, ///< is the result of a conversion, and the source of that conversion is used instead
    Converted, ///< converted
  };
  struct Options {
    /// If true, the slice ends at the source of an extension or broadcast, and this source is converted. The exception
    /// is a source that can be computed in the wanted layout without any conversion.
    bool stopAtExtensions;
    /// The carried values that keep their layout.
    DenseSet<Value> kept;
  };

  Slice(Value root, Attribute encoding, const Options &options) : root{root, encoding}, options(options) {
    want(root, encoding, nullptr);
    for (unsigned i = 0; i < order.size() && isPossible; ++i) // `order` grows
      members[order[i]] = expand(order[i].first, order[i].second);
  }

  /// False if a carried value would need two layouts at the same time.
  bool isPossible = true;
  bool convertsRoot() const { return members.lookup(root) == How::Converted; }
  bool isComplete() const {
    return isPossible && llvm::none_of(order, [&](Wanted w) { return members.lookup(w) == How::Converted; });
  }
  How lookup(Wanted wanted) const { return members.lookup(wanted); }
  const llvm::SetVector<Value> &getCarried() const { return carried; }
  Attribute getCarriedEncoding(Value value) const { return carriedEncodings.lookup(value); }

  /// Returns a carried value whose old layout has uses besides the slice and `convert`; null if there is none.
  Value findNeededCarried(ttg::ConvertLayoutOp convert) {
    dead.clear();
    for (Value value : carried)
      if (!dies(value, convert))
        return value;
    return {};
  }

  double getCost(ttg::ConvertLayoutOp convert) {
    dead.clear();
    double cost = 0;
    for (Wanted wanted : order) {
      auto [value, encoding] = wanted;
      RankedTensorType oldType = cast<RankedTensorType>(value.getType()), newType = oldType.cloneWithEncoding(encoding);
      double frequency = getFrequency(value.getParentBlock());
      Operation *op = value.getDefiningOp();
      switch (members.lookup(wanted)) {
      case How::Carried: break;
      case How::Computed:
        cost += frequency * getWorkCost(op, encoding);
        if (dies(value, convert))
          cost -= frequency * getWorkCost(op, oldType.getEncoding());
        break;
      case How::Source:
        if (dies(value, convert))
          cost -= frequency * getConversionCost(cast<RankedTensorType>(op->getOperand(0).getType()), oldType);
        break;
      case How::Converted:
        Operation *taker = getPlace(wanted);
        cost += (taker ? getFrequency(taker->getBlock()) : frequency) * getConversionCost(oldType, newType);
      }
    }
    return cost;
  }

  /// Returns the operation before which to convert a value: its first user, so that a load of the value may be in
  /// flight until then. Returns null if the conversion must directly follow the definition of the value, for example
  /// because the users execute more often than the definition.
  Operation *getPlace(Wanted wanted) const {
    Operation *first = nullptr;
    for (Operation *taker : takers.lookup(wanted)) {
      if (!taker || (first && taker->getBlock() != first->getBlock()))
        return nullptr;
      first = !first || taker->isBeforeInBlock(first) ? taker : first;
    }
    Block *block = wanted.first.getParentBlock();
    return first && getFrequency(first->getBlock()) <= getFrequency(block) ? first : nullptr;
  }

private:
  void want(Value value, Attribute encoding, Operation *taker) {
    if (encodingOf(value) == encoding)
      return;
    if (members.insert({{value, encoding}, How::Converted}).second)
      order.push_back({value, encoding});
    takers[{value, encoding}].push_back(taker);
  }

  How expand(Value value, Attribute encoding) {
    if (stops.contains({value, encoding}) || options.kept.contains(value))
      return How::Converted;
    if (std::optional<Slot> slot = getSlot(value)) {
      for (Value other : slot->values) {
        carried.insert(other);
        isPossible &= carriedEncodings.insert({other, encoding}).first->second == encoding;
        want(other, encoding, nullptr);
      }
      for (OpOperand *feeder : slot->feeders)
        want(feeder->get(), encoding, feeder->getOwner());
      return How::Carried;
    }
    Operation *op = value.getDefiningOp();
    if (!op)
      return How::Converted;
    if (auto inner = dyn_cast<ttg::ConvertLayoutOp>(op)) {
      want(inner.getSrc(), encoding, op);
      replaced.insert(value);
      return How::Source;
    }
    Attribute forOperands = getOperandEncodingForRecomputing(op, encoding);
    if (!forOperands)
      return How::Converted;
    for (Value operand : op->getOperands()) {
      if (!encodingOf(operand))
        continue;
      if (options.stopAtExtensions && widens(op) &&
          !Slice(operand, forOperands, {/*stopAtExtensions=*/false, options.kept}).isComplete())
        stops.insert({operand, forOperands});
      want(operand, forOperands, op);
    }
    replaced.insert(value);
    return How::Computed;
  }

  /// Returns true if `op` expands a smaller tile to a larger one.
  static bool widens(Operation *op) {
    auto bits = [](Value value) {
      auto type = cast<RankedTensorType>(value.getType());
      return type.getNumElements() * tt::getElementBits(type.getElementType());
    };
    return op->getNumOperands() == 1 && encodingOf(op->getOperand(0)) &&
           bits(op->getOperand(0)) < bits(op->getResult(0));
  }

  /// Returns true if all users of `value` are in the slice, so that the old value becomes dead.
  bool dies(Value value, ttg::ConvertLayoutOp convert) {
    return llvm::all_of(value.getUses(), [&](OpOperand &use) {
      Operation *user = use.getOwner();
      if (user == convert)
        return true;
      if (std::optional<Slot> fed = getFedSlot(use))
        return carried.contains(fed->values.front());
      if (user->getNumResults() != 1 || !replaced.contains(user->getResult(0)))
        return false;
      auto [it, isNew] = dead.insert({user, true});
      if (!isNew)
        return it->second;
      bool result = dies(user->getResult(0), convert);
      dead[user] = result;
      return result;
    });
  }

  Wanted root;
  const Options &options;
  SmallVector<Wanted> order;
  DenseMap<Wanted, How> members;
  DenseMap<Wanted, SmallVector<Operation *, 2>> takers;
  DenseSet<Wanted> stops;
  llvm::SetVector<Value> carried;
  DenseMap<Value, Attribute> carriedEncodings;
  /// Values that are recomputed, and results of conversions whose source is used. These values die when their users are
  /// gone.
  DenseSet<Value> replaced;
  DenseMap<Operation *, bool> dead;
};

/// Rewrites the program according to a slice.
class Rewriting {
public:
  Rewriting(const Slice &slice, ttg::ConvertLayoutOp convert) : slice(slice), convert(convert) {}

  void run() {
    for (Value value : slice.getCarried()) {
      // The users that are outside the slice and still expect the old type are dead or get a conversion back. Types
      // must remain consistent until the dead users are removed.
      Type old = value.getType();
      value.setType(cast<RankedTensorType>(old).cloneWithEncoding(slice.getCarriedEncoding(value)));
      OpBuilder builder(value.getContext());
      builder.setInsertionPointAfterValue(value);
      auto back = ttg::ConvertLayoutOp::create(builder, convert.getLoc(), old, value);
      value.replaceAllUsesExcept(back, back);
      backConversions[value] = back;
    }
    for (Value value : slice.getCarried())
      for (OpOperand *feeder : getSlot(value)->feeders)
        if (encodingOf(feeder->get()) != slice.getCarriedEncoding(value) || isBackConversion(feeder->get()))
          feeder->set(materialize(feeder->get(), slice.getCarriedEncoding(value)));
    convert.replaceAllUsesWith(materialize(convert.getSrc(), convert.getType().getEncoding()));
    convert.erase();
  }

private:
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
    Slice::How how = slice.lookup({value, encoding});
    Operation *op = value.getDefiningOp();
    Value result;
    if (how == Slice::How::Converted)
      result = convertTo(value, encoding);
    else if (how == Slice::How::Source)
      result = materialize(cast<ttg::ConvertLayoutOp>(op).getSrc(), encoding);
    else
      result = compute(op, encoding);
    return made[{value, encoding}] = result;
  }

  Value convertTo(Value value, Attribute encoding) {
    OpBuilder builder(value.getContext());
    if (Operation *place = slice.getPlace({value, encoding}))
      builder.setInsertionPoint(place);
    else
      builder.setInsertionPointAfterValue(value);
    auto type = cast<RankedTensorType>(value.getType());
    return ttg::ConvertLayoutOp::create(builder, convert.getLoc(), type.cloneWithEncoding(encoding), value);
  }

  Value compute(Operation *op, Attribute encoding) {
    Attribute forOperands = getOperandEncodingForRecomputing(op, encoding);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(encodingOf(operand) ? materialize(operand, forOperands) : operand);
    OpBuilder builder(op);
    Operation *clone = builder.clone(*op);
    clone->setOperands(operands);
    clone->getResult(0).setType(cast<RankedTensorType>(op->getResult(0).getType()).cloneWithEncoding(encoding));
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      constant.setValueAttr(cast<DenseElementsAttr>(constant.getValue()).reshape(cast<ShapedType>(constant.getType())));
    return clone->getResult(0);
  }

  const Slice &slice;
  ttg::ConvertLayoutOp convert;
  DenseMap<Value, Operation *> backConversions;
  DenseMap<Wanted, Value> made;
};

} // namespace

bool tilecc::rematerialize(ttg::ConvertLayoutOp convert) {
  Attribute wanted = convert.getType().getEncoding();
  // Dot operands replicate elements over threads, and tritongpu-optimize-dot-operands has its own measure of their
  // cost.
  if (convert->use_empty() || isa<ttg::DotOperandEncodingAttr>(wanted))
    return false;
  double best = getFrequency(convert->getBlock()) * getConversionCost(convert.getSrc().getType(), convert.getType());
  std::unique_ptr<Slice> chosen;
  Slice::Options options[2] = {{/*stopAtExtensions=*/false, {}}, {/*stopAtExtensions=*/true, {}}};
  for (Slice::Options &option : options)
    while (true) {
      auto slice = std::make_unique<Slice>(convert.getSrc(), wanted, option);
      if (!slice->isPossible || slice->convertsRoot())
        break;
      if (Value needed = slice->findNeededCarried(convert)) {
        for (Value value : getSlot(needed)->values)
          option.kept.insert(value);
        continue;
      }
      if (double cost = slice->getCost(convert); cost < best) {
        best = cost;
        chosen = std::move(slice);
      }
      break;
    }
  if (chosen)
    Rewriting(*chosen, convert).run();
  return chosen != nullptr;
}
