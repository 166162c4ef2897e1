//===- AffineTile.cpp - tiles whose elements are an address and strides ---------------------------------------------------===//
//
// What a copy by the tensor memory accelerator asks of a tile of pointers: where it begins, and the way from row to row.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AffineTile.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

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
    if (isa<ttg::ConvertLayoutOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return get(op->getOperand(0));
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
  static bool isSplat(Value value) {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) && isa<SplatElementsAttr>(constant);
  }

  /// A tile that a loop carries keeps its strides if every iteration does.
  Strides ofCarried(BlockArgument argument) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop)
      return std::nullopt;
    Strides strides = get(loop.getTiedLoopInit(argument)->get());
    if (!strides)
      return strides;
    assumed[argument] = *strides;
    Strides next = get(loop.getTiedLoopYieldedValue(argument)->get());
    assumed.erase(argument);
    return next == strides ? strides : std::nullopt;
  }

  static Strides add(const Strides &a, const Strides &b, int64_t sign) {
    if (!a || !b)
      return std::nullopt;
    SmallVector<Stride> sums;
    for (auto [x, y] : llvm::zip_equal(*a, *b)) {
      if (!x.isZero() && !y.isZero() && x.value != y.value)
        return std::nullopt;
      sums.push_back({x.factor + sign * y.factor, x.isZero() ? y.value : x.value});
    }
    return sums;
  }

  /// `tile` times a tile whose elements are all the same number.
  Strides multiply(Value tile, Value number) {
    Strides strides = get(tile), none = get(number);
    if (!strides || !none || !llvm::all_of(*none, [](const Stride &stride) { return stride.isZero(); }))
      return std::nullopt;
    Stride times = getNumber(number);
    for (Stride &stride : *strides) {
      if (stride.isZero())
        continue;
      if (times.isZero() || (stride.value && times.value))
        return std::nullopt;
      stride = {stride.factor * times.factor, stride.value ? stride.value : times.value};
    }
    return strides;
  }

  /// The number that all elements of `tile` are: a constant, or an argument of the kernel; zero where it is neither.
  static Stride getNumber(Value tile) {
    Attribute constant;
    if (matchPattern(tile, m_Constant(&constant))) {
      if (auto splat = dyn_cast<SplatElementsAttr>(constant))
        return {splat.getSplatValue<APInt>().getSExtValue(), Value()};
      return {cast<IntegerAttr>(constant).getInt(), Value()};
    }
    if (auto argument = dyn_cast<BlockArgument>(tile))
      return {isa<tt::FuncOp>(argument.getOwner()->getParentOp()) ? 1 : 0, argument};
    Operation *op = tile.getDefiningOp();
    if (isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp, ttg::ConvertLayoutOp, arith::ExtSIOp, arith::ExtUIOp>(op))
      return getNumber(op->getOperand(0));
    return {};
  }

  DenseMap<Value, SmallVector<Stride>> assumed;
};

} // namespace

std::optional<SmallVector<Stride>> tilecc::getStrides(Value tile) { return Inference().get(tile); }

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
    // What is computed element by element, and scalars.
    IRMapping elements;
    for (Value operand : op->getOperands())
      elements.map(operand, createFirstElement(builder, operand, mapping));
    Operation *clone = builder.clone(*op, elements);
    clone->getResult(0).setType(getElementTypeOrSelf(clone->getResult(0).getType()));
    first = clone->getResult(0);
  }
  mapping.map(tile, first);
  return first;
}
