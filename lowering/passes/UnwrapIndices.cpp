//===- UnwrapIndices.cpp - indices that begin again at the end of a tensor stop there instead --------------------===//
//
// Rows of a product that lie behind the matrix are often read from its beginning, so that loads need no mask, and are
// not stored:
//
//     rows = (m * 128 + arange(128)) % M                      rows = m * 128 + arange(128)
//     x = load(a + rows * stride + k)                   ->    x = load(a + rows * stride + k, rows < M, 0)
//     store(c + ..., dot(x, y), m * 128 + arange(128) < M)
//
// A tile whose rows begin again is no block of a tensor; one that ends with the tensor is, and has a map
// (TensorMaps.cpp).
//
// Legal where the remainder decides nothing but elements that no store lets through: from the index on, an element of
// every tile follows from elements of the same row (or column) alone, up to stores whose mask has the same index below
// the same size. An index from -M + 1 on is its own remainder; that a kernel stores elements as far in front of a
// tensor as it is long is taken not to happen.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AffineTile.h"
#include "lowering/passes/Passes.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONUNWRAPINDICES
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// What a tile is that has one value, or one along all axes but one.
Value withoutCopies(Value tile) {
  while (Operation *op = tile.getDefiningOp()) {
    if (!isa<tt::SplatOp, tt::ExpandDimsOp, tt::BroadcastOp>(op))
      break;
    tile = op->getOperand(0);
  }
  return tile;
}

bool isSame(Value x, Value y) {
  x = withoutCopies(x), y = withoutCopies(y);
  Stride number = getNumber(x);
  return x == y || (!number.isZero() && number == getNumber(y));
}

/// The values that differ, in elements that no store lets through, if a remainder is not taken.
class Consequences {
public:
  explicit Consequences(arith::RemSIOp rem) : rem(rem), index(rem.getLhs()), size(rem.getRhs()) {}

  /// Whether they are such, and among them are operands of products.
  bool find() {
    add(rem.getResult(), 0);
    while (isLegal && !work.empty()) {
      Value value = work.pop_back_val();
      for (OpOperand &use : value.getUses())
        isLegal = isLegal && follow(use, axes.lookup(value));
    }
    return isLegal && reachesProduct;
  }

  void unwrap() {
    OpBuilder builder(rem);
    Value inside = arith::CmpIOp::create(builder, rem.getLoc(), arith::CmpIPredicate::slt, index, size);
    for (tt::LoadOp load : loads) {
      builder.setInsertionPoint(load);
      auto type = cast<RankedTensorType>(load.getType());
      Location loc = load.getLoc();
      Value mask = tt::createSpread(builder, loc, inside, axes.lookup(load.getResult()), type.getShape());
      if (load.getMask())
        mask = arith::AndIOp::create(builder, loc, load.getMask(), mask);
      if (!load.getOther())
        load.getOtherMutable().assign(arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)));
      load.getMaskMutable().assign(mask);
    }
    rem.replaceAllUsesWith(index);
    rem.erase();
  }

private:
  /// `value` differs where the index along `axis` is outside.
  bool add(Value value, unsigned axis) {
    auto [known, isNew] = axes.try_emplace(value, axis);
    if (isNew)
      work.push_back(value);
    return known->second == axis;
  }
  bool addAll(ValueRange values, unsigned axis) {
    return llvm::all_of(values, [&](Value value) { return add(value, axis); });
  }

  bool follow(OpOperand &use, unsigned axis) {
    Operation *op = use.getOwner();
    unsigned number = use.getOperandNumber();
    if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
      return add(expand.getResult(), axis + (expand.getAxis() <= axis));
    if (isa<tt::BroadcastOp>(op))
      return add(op->getResult(0), axis);
    if (auto trans = dyn_cast<tt::TransOp>(op))
      return add(trans.getResult(), llvm::find(trans.getOrder(), int32_t(axis)) - trans.getOrder().begin());
    if (auto dot = dyn_cast<tt::DotOp>(op)) {
      reachesProduct = true;
      bool isMatrix = cast<RankedTensorType>(dot.getType()).getRank() == 2;
      return isMatrix && (number == 2 || axis == number) && add(dot.getResult(), axis); // a's rows, b's columns
    }
    if (auto reduce = dyn_cast<tt::ReduceOp>(op))
      return reduce.getAxis() != axis && addAll(reduce.getResults(), axis - (reduce.getAxis() < axis));
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      unsigned carried = number - loop.getNumControlOperands();
      return add(loop.getRegionIterArg(carried), axis) && add(loop.getResult(carried), axis);
    }
    if (isa<scf::YieldOp>(op)) {
      auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
      return (loop ? add(loop.getRegionIterArg(number), axis) : isa<scf::IfOp>(op->getParentOp())) &&
             add(op->getParentOp()->getResult(number), axis);
    }
    if (auto load = dyn_cast<tt::LoadOp>(op)) {
      loads.insert(load);
      return !load.getIsVolatile() && getElementTypeOrSelf(load.getType()).isIntOrFloat() &&
             add(load.getResult(), axis);
    }
    if (auto store = dyn_cast<tt::StoreOp>(op))
      return leavesOut(store.getMask(), axis);
    return isPure(op) && op->hasTrait<OpTrait::Elementwise>() && addAll(op->getResults(), axis);
  }

  /// Whether `mask` lets nothing through whose index is not below the size.
  bool leavesOut(Value mask, unsigned axis) {
    std::optional<TileMask> known = mask ? getTileMask(mask) : std::nullopt;
    return known && llvm::any_of(known->bounds, [&](const TileMask::Bound &bound) {
             return bound.axis == axis && !bound.isInclusive && withoutCopies(bound.index) == index &&
                    isSame(bound.limit, size);
           });
  }

  arith::RemSIOp rem;
  Value index, size;
  DenseMap<Value, unsigned> axes;
  SmallVector<Value> work;
  llvm::SetVector<tt::LoadOp> loads;
  bool isLegal = true, reachesProduct = false;
};

struct UnwrapIndices : tilecc::impl::TritonUnwrapIndicesBase<UnwrapIndices> {
  void runOnOperation() override {
    SmallVector<arith::RemSIOp> remainders;
    getOperation().walk([&](arith::RemSIOp rem) {
      auto type = dyn_cast<RankedTensorType>(rem.getType());
      if (!type || type.getRank() != 1)
        return;
      std::optional<SmallVector<Stride>> ofIndex = getStrides(rem.getLhs()), ofSize = getStrides(rem.getRhs());
      if (ofIndex && ofSize && (*ofIndex)[0] == Stride{1, Value()} && (*ofSize)[0].isZero())
        remainders.push_back(rem);
    });
    for (arith::RemSIOp rem : remainders)
      if (Consequences consequences(rem); consequences.find())
        consequences.unwrap();
  }
};

} // namespace
