//===- UnwrapIndices.cpp - replaces indices that wrap around by masked ones --------------------------------------===//
//
// In many kernels, the last block of rows extends beyond the end of a matrix. Instead of masking the loads, these
// kernels read rows from the beginning of the matrix for the missing rows, and do not store the results:
//
//     rows = (m * 128 + arange(128)) % M                      rows = m * 128 + arange(128)
//     x = load(a + rows * stride + k)                   ->    x = load(a + rows * stride + k, rows < M, 0)
//     store(c + ..., dot(x, y), m * 128 + arange(128) < M)
//
// A tile whose rows wrap around to the beginning is not a block of a tensor. A tile that ends at the end of the tensor
// is, and can be loaded through a tensor map (TileTensorMaps.cpp).
//
// The rewrite is legal if the remainder only affects elements that no store writes. So from the index on, each element
// of a tile must depend only on elements of the same row (or column), and the masks of all stores must compare the same
// index with the same size. For an index greater than -M, the remainder is the index itself unless the index is at
// least M. The pass assumes that no kernel stores elements further before a tensor than the tensor is long.
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

/// Returns the value that `tile` repeats: looks through splats, expansions and broadcasts.
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

/// Collects the values whose elements change if a remainder is removed. It also checks that no store writes these
/// elements.
class Consequences {
public:
  explicit Consequences(arith::RemSIOp rem) : rem(rem), index(rem.getLhs()), size(rem.getRhs()) {}

  /// Returns true if removing the remainder is legal and affects operands of dots.
  bool find() {
    add(rem.getResult(), 0);
    while (isLegal && !work.empty()) {
      Value value = work.pop_back_val();
      for (OpOperand &use : value.getUses())
        isLegal = isLegal && follow(use, axes.lookup(value));
    }
    return isLegal && reachesDot;
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
  /// Records that the elements of `value` with an out-of-bounds index along `axis` change.
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
      reachesDot = true;
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

  /// Returns true if `mask` is false for all elements whose index along `axis` is at least `size`.
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
  bool isLegal = true, reachesDot = false;
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
