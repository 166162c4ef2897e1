//===- AffineTile.cpp - tiles with a base and a stride along each axis --------------------------------------------===//
//
// Finds the base address and the strides of a tile of pointers, which a copy by the tensor memory accelerator needs.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/CarriedValues.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tilecc;

namespace {

using Strides = std::optional<SmallVector<Stride>>;

class Inference {
public:
  Strides get(Value tile) {
    auto type = dyn_cast<RankedTensorType>(tile.getType());
    if (!type)
      return SmallVector<Stride>();
    if (auto known = assumed.find(tile); known != assumed.end())
      return known->second;
    auto rank = type.getRank();
    if (auto argument = dyn_cast<BlockArgument>(tile))
      return ofCarried(argument);
    Operation *op = tile.getDefiningOp();
    if (isa<tt::SplatOp>(op) || (isa<arith::ConstantOp>(op) && isSplat(tile)))
      return SmallVector<Stride>(rank);
    if (isa<tt::MakeRangeOp>(op))
      return SmallVector<Stride>{{1, Value()}};
    if (isa<ttg::ConvertLayoutOp, arith::ExtSIOp>(op))
      return get(op->getOperand(0));
    if (isa<arith::ExtUIOp>(op)) {
      Strides strides = get(op->getOperand(0));
      if (strides)
        for (Stride &stride : *strides)
          stride.isUnsigned = true;
      return strides;
    }
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
      Strides strides = get(expand.getSrc());
      if (strides)
        strides->insert(strides->begin() + expand.getAxis(), Stride());
      return strides;
    }
    if (auto broadcast = dyn_cast<tt::BroadcastOp>(op)) {
      Strides strides = get(broadcast.getSrc());
      auto from = cast<RankedTensorType>(broadcast.getSrc().getType());
      for (int64_t axis = 0; strides && axis < rank; ++axis)
        if (from.getDimSize(axis) == 1)
          (*strides)[axis] = Stride();
      return strides;
    }
    if (auto trans = dyn_cast<tt::TransOp>(op)) {
      Strides strides = get(trans.getSrc());
      if (!strides)
        return strides;
      SmallVector<Stride> permuted;
      for (int32_t axis : trans.getOrder())
        permuted.push_back((*strides)[axis]);
      return permuted;
    }
    if (isa<tt::AddPtrOp, arith::AddIOp>(op))
      return add(get(op->getOperand(0)), get(op->getOperand(1)), 1);
    if (isa<arith::SubIOp>(op))
      return add(get(op->getOperand(0)), get(op->getOperand(1)), -1);
    if (isa<arith::MulIOp>(op)) {
      if (Strides product = multiply(op->getOperand(0), op->getOperand(1)))
        return product;
      return multiply(op->getOperand(1), op->getOperand(0));
    }
    return std::nullopt;
  }

private:
public:
  static bool isUniform(const Strides &strides) {
    return strides && llvm::all_of(*strides, [](const Stride &stride) { return stride.isZero(); });
  }

private:
  static bool isSplat(Value value) {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) && isa<SplatElementsAttr>(constant);
  }

  /// Returns the strides of a loop-carried tile. Assumes that the tile has the strides of one of its incoming values,
  /// and checks under this assumption that all other incoming values have the same strides.
  Strides ofCarried(BlockArgument argument) {
    SmallVector<Value> incoming = getIncoming(argument);
    if (incoming.empty() || llvm::is_contained(incoming, Value()))
      return std::nullopt;
    assumed[argument] = std::nullopt;
    Strides strides;
    for (Value value : incoming)
      if ((strides = get(value)))
        break;
    if (strides) {
      assumed[argument] = strides;
      if (llvm::any_of(incoming, [&](Value value) { return get(value) != strides; }))
        strides = std::nullopt;
    }
    assumed.erase(argument);
    return strides;
  }

  static Strides add(const Strides &a, const Strides &b, int64_t sign) {
    if (!a || !b)
      return std::nullopt;
    SmallVector<Stride> sums;
    for (auto [x, y] : llvm::zip_equal(*a, *b)) {
      if (!x.isZero() && !y.isZero() && x.value != y.value)
        return std::nullopt;
      const Stride &known = x.isZero() ? y : x;
      sums.push_back({x.factor + sign * y.factor, known.value, known.divisibility, x.isUnsigned || y.isUnsigned});
    }
    return sums;
  }

  /// Returns the strides of `tile` times `number`, where all elements of `number` are equal.
  Strides multiply(Value tile, Value number) {
    Strides strides = get(tile), none = get(number);
    if (!strides || !isUniform(none))
      return std::nullopt;
    Stride times = getNumber(number);
    for (Stride &stride : *strides) {
      if (stride.isZero())
        continue;
      if (times.isZero() || (stride.value && times.value))
        return std::nullopt;
      const Stride &number = stride.value ? stride : times;
      stride = {stride.factor * times.factor, number.value, number.divisibility, stride.isUnsigned || times.isUnsigned};
    }
    return strides;
  }

public:
  static Stride getNumber(Value tile) {
    Attribute constant;
    if (matchPattern(tile, m_Constant(&constant))) {
      if (auto splat = dyn_cast<SplatElementsAttr>(constant))
        return {splat.getSplatValue<APInt>().getSExtValue(), Value()};
      return {cast<IntegerAttr>(constant).getInt(), Value()};
    }
    if (auto argument = dyn_cast<BlockArgument>(tile)) {
      bool isOfKernel = isa<tt::FuncOp>(argument.getOwner()->getParentOp()) && argument.getOwner()->isEntryBlock();
      return {isOfKernel ? 1 : 0, argument};
    }
    Operation *op = tile.getDefiningOp();
    if (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, ttg::ConvertLayoutOp, arith::ExtSIOp>(op))
      return getNumber(op->getOperand(0));
    if (isa<arith::ExtUIOp>(op)) {
      Stride number = getNumber(op->getOperand(0));
      number.isUnsigned = true;
      return number;
    }
    if (auto same = dyn_cast<tt::BitcastOp>(op); same && same.getType() == same.getSrc().getType()) {
      Stride number = getNumber(same.getSrc());
      if (auto hint = op->getAttrOfType<DenseIntElementsAttr>(tt::divisibilityAttr))
        number.divisibility = std::max<int64_t>(number.divisibility, (*hint.begin()).getSExtValue());
      return number;
    }
    return {};
  }

private:
  DenseMap<Value, Strides> assumed;
};

} // namespace

std::optional<SmallVector<Stride>> tilecc::getStrides(Value tile) { return Inference().get(tile); }

Stride tilecc::getNumber(Value tile) { return Inference::getNumber(tile); }

//===--- masks ----------------------------------------------------------------------------------------------------===//

namespace {

/// Adds `value`, which is part of the mask, to `mask`. `axes` maps the axes of `value` to axes of the mask.
bool collectMask(Value value, ArrayRef<unsigned> axes, TileMask &mask) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  SmallVector<unsigned> inner(axes);
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    inner.erase(inner.begin() + expand.getAxis());
    return collectMask(expand.getSrc(), inner, mask);
  }
  if (auto trans = dyn_cast<tt::TransOp>(op)) {
    for (auto [to, from] : llvm::enumerate(trans.getOrder()))
      inner[from] = axes[to];
    return collectMask(trans.getSrc(), inner, mask);
  }
  if (isa<tt::BroadcastOp, ttg::ConvertLayoutOp>(op))
    return collectMask(op->getOperand(0), axes, mask);
  if (isa<arith::AndIOp>(op))
    return collectMask(op->getOperand(0), axes, mask) && collectMask(op->getOperand(1), axes, mask);
  Attribute constant;
  if (isa<tt::SplatOp>(op) || (matchPattern(value, m_Constant(&constant)) && isa<SplatElementsAttr>(constant))) {
    mask.conditions.push_back(value);
    return true;
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return false;
  Value index = compare.getLhs(), limit = compare.getRhs();
  arith::CmpIPredicate predicate = compare.getPredicate();
  Strides ofIndex = getStrides(index), ofLimit = getStrides(limit);
  if (Inference::isUniform(ofIndex) && Inference::isUniform(ofLimit)) {
    mask.conditions.push_back(value);
    return true;
  }
  if (Inference::isUniform(ofIndex)) {
    std::swap(index, limit);
    std::swap(ofIndex, ofLimit);
    using enum arith::CmpIPredicate;
    switch (predicate) {
    case sgt: predicate = slt; break;
    case sge: predicate = sle; break;
    case ugt: predicate = ult; break;
    case uge: predicate = ule; break;
    default: return false;
    }
  }
  using enum arith::CmpIPredicate;
  bool isUnsigned = predicate == ult || predicate == ule, isInclusive = predicate == sle || predicate == ule;
  if (!ofIndex || !Inference::isUniform(ofLimit) || (predicate != slt && predicate != sle && !isUnsigned))
    return false;
  std::optional<unsigned> along;
  for (auto [axis, stride] : llvm::enumerate(*ofIndex)) {
    if (stride.isZero())
      continue;
    if (along || !(stride == Stride{1, Value()}))
      return false;
    along = axes[axis];
  }
  if (!along)
    return false;
  mask.bounds.push_back({*along, index, limit, isUnsigned, isInclusive});
  return true;
}

bool isNonNegative(Value value, function_ref<bool(BlockArgument)> isArgument, DenseSet<Value> &assumed) {
  if (!assumed.insert(value).second)
    return true; // a value that a loop carries is assumed to be non-negative while its inputs are checked
  APInt number;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return isa<tt::FuncOp>(argument.getOwner()->getParentOp()) && argument.getOwner()->isEntryBlock() &&
             isArgument(argument);
    if (argument == loop.getInductionVar())
      return isNonNegative(loop.getLowerBound(), isArgument, assumed) &&
             isNonNegative(loop.getStep(), isArgument, assumed);
    return isNonNegative(loop.getTiedLoopInit(argument)->get(), isArgument, assumed) &&
           isNonNegative(loop.getTiedLoopYieldedValue(argument)->get(), isArgument, assumed);
  }
  Operation *op = value.getDefiningOp();
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isNonNegative();
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseIntElementsAttr>(constant.getValue());
    return elements && llvm::all_of(elements, [](const APInt &element) { return element.isNonNegative(); });
  }
  if (isa<tt::GetProgramIdOp, tt::GetNumProgramsOp, arith::ExtUIOp>(op))
    return true;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op))
    return int32_t(range.getStart()) >= 0;
  if (isa<arith::MaxSIOp, arith::AndIOp>(op))
    return isNonNegative(op->getOperand(0), isArgument, assumed) ||
           isNonNegative(op->getOperand(1), isArgument, assumed);
  if (isa<arith::RemSIOp, arith::ShRUIOp, arith::ShRSIOp>(op))
    return isNonNegative(op->getOperand(0), isArgument, assumed);
  if (isa<arith::SelectOp>(op))
    return isNonNegative(op->getOperand(1), isArgument, assumed) &&
           isNonNegative(op->getOperand(2), isArgument, assumed);
  // Sums and products are assumed not to overflow.
  if (isa<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp, arith::ExtSIOp, tt::SplatOp, tt::ExpandDimsOp,
          tt::BroadcastOp, tt::TransOp, ttg::ConvertLayoutOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isNonNegative(operand, isArgument, assumed); });
  return false;
}

} // namespace

bool tilecc::isNonNegative(Value value, function_ref<bool(BlockArgument)> isNonNegativeArgument) {
  DenseSet<Value> assumed;
  return ::isNonNegative(value, isNonNegativeArgument, assumed);
}

std::optional<TileMask> tilecc::getTileMask(Value value) {
  TileMask mask;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type) {
    mask.conditions.push_back(value);
    return mask;
  }
  auto axes = llvm::to_vector(llvm::seq<unsigned>(0, type.getRank()));
  return collectMask(value, axes, mask) ? std::optional(mask) : std::nullopt;
}

void tilecc::mapScalars(Value tile, IRMapping &mapping) {
  if (mapping.contains(tile))
    return;
  if (!isa<RankedTensorType>(tile.getType()))
    return mapping.map(tile, tile);
  if (Operation *op = tile.getDefiningOp())
    for (Value operand : op->getOperands())
      mapScalars(operand, mapping);
}

Value tilecc::createFirstElement(OpBuilder &builder, Value tile, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(tile))
    return known;
  Operation *op = tile.getDefiningOp();
  Location loc = op->getLoc();
  Value first;
  if (auto range = dyn_cast<tt::MakeRangeOp>(op)) {
    first = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(range.getStart()));
  } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = dyn_cast<SplatElementsAttr>(constant.getValue());
    first = arith::ConstantOp::create(builder, loc, splat ? splat.getSplatValue<TypedAttr>() : constant.getValue());
  } else if (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, tt::TransOp, ttg::ConvertLayoutOp>(op)) {
    first = createFirstElement(builder, op->getOperand(0), mapping);
  } else {
    // Elementwise operations, and operations on scalars.
    IRMapping elements;
    llvm::SetVector<Value> inputs;
    inputs.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), inputs);
    for (Value input : inputs)
      elements.map(input, createFirstElement(builder, input, mapping));
    Operation *clone = builder.clone(*op, elements);
    first = clone->getResult(cast<OpResult>(tile).getResultNumber());
    first.setType(getElementTypeOrSelf(first.getType()));
  }
  mapping.map(tile, first);
  return first;
}
