//===- LimitProducts.cpp - skips rows of dots that no store writes ------------------------------------------------===//
//
// A tile at the end of a matrix (or of a group of its rows) has rows beyond that end. These rows are accumulated like
// all others, and masked off when the tile is stored:
//
//     for (...)                                                       left = M - m * 128
//       acc = dot(a, b, acc)                                    ->    for (...)
//     m = m * 128 + arange(128)                                         acc = dot(a, b, acc) rows(left)
//     store(c + ..., acc, m < M)                                      store(c + ..., acc, m < M)
//
// With this pass, a warp group all of whose rows are beyond the end skips its dots. This leaves the matrix units, and
// the power budget of the chip, to the other warp groups.
//
// This is legal if each element of the accumulator reaches, through elementwise operations, only stores with a mask
// that is false for all rows from some limit on. The pass applies to loops that only accumulate the dot, in programs
// with several warp groups along the rows. In other loops, the branch around the dot would separate instructions that
// are better interleaved.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AffineTile.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "targets/nvidia/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPULIMITPRODUCTS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// The masks of the stores that write the accumulator's rows. Each mask is paired with the axis of the stored tile that
/// corresponds to these rows.
using RowMasks = SmallVector<std::pair<TileMask, unsigned>>;

/// Collects the stores of `tile`, whose rows are along `axis`. Returns false if the tile has other uses, or if the mask
/// of a store does not depend on rows.
bool findStores(Value tile, unsigned axis, RowMasks &masks) {
  return llvm::all_of(tile.getUses(), [&](OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto trans = dyn_cast<tt::TransOp>(op))
      return findStores(trans.getResult(), llvm::find(trans.getOrder(), int32_t(axis)) - trans.getOrder().begin(),
                        masks);
    if (auto store = dyn_cast<tt::StoreOp>(op)) {
      std::optional<TileMask> mask = store.getMask() ? getTileMask(store.getMask()) : std::nullopt;
      if (!mask || use != store.getValueMutable() ||
          llvm::none_of(mask->bounds, [&](auto &bound) { return bound.axis == axis; }))
        return false;
      masks.emplace_back(*mask, axis);
      return true;
    }
    bool keepsRows = isa<ttg::ConvertLayoutOp>(op) || (isPure(op) && op->hasTrait<OpTrait::Elementwise>());
    return keepsRows && llvm::all_of(op->getResults(), [&](Value result) { return findStores(result, axis, masks); });
  });
}

class Limit {
public:
  Limit(OpBuilder &builder, Location loc, int64_t rows) : builder(builder), loc(loc), rows(rows) {}

  /// Returns the number of rows that are below all limits of `mask` along `axis`.
  Value count(const TileMask &mask, unsigned axis) {
    Value least = number(rows);
    for (const TileMask::Bound &bound : mask.bounds)
      if (bound.axis == axis)
        least = arith::MinSIOp::create(builder, loc, least, countBefore(bound));
    return least;
  }

  Value most(Value x, Value y) { return x ? arith::MaxSIOp::create(builder, loc, x, y) : y; }

  Value finish(Value count) {
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), most(count, number(0)));
  }

private:
  Value number(int64_t value) { return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)); }

  Value countBefore(const TileMask::Bound &bound) {
    // In an unsigned comparison, a negative index is never below the limit. Treating the index as signed can only
    // overestimate the count, which is safe, because the rows that it includes are merely computed for nothing.
    Value index = getFirst(bound.index, /*isUnsigned=*/false), end = getFirst(bound.limit, bound.isUnsigned);
    if (bound.isInclusive)
      end = arith::AddIOp::create(builder, loc, end, number(1));
    return arith::SubIOp::create(builder, loc, end, index);
  }

  Value getFirst(Value tile, bool isUnsigned) {
    IRMapping scalars;
    mapScalars(tile, scalars);
    Value first = createFirstElement(builder, tile, scalars);
    Type i64 = builder.getI64Type();
    if (first.getType() == i64)
      return first;
    return isUnsigned ? arith::ExtUIOp::create(builder, loc, i64, first).getResult()
                      : arith::ExtSIOp::create(builder, loc, i64, first).getResult();
  }

  OpBuilder &builder;
  Location loc;
  int64_t rows; ///< the number of rows of the accumulator
};

/// Returns true if `dot` has several warp groups along its rows, and `loop` only accumulates `dot`.
bool isOnlySummed(ttng::WarpGroupDotOp dot, scf::ForOp loop) {
  auto encoding = dyn_cast<ttg::NvidiaMmaEncodingAttr>(dot.getType().getEncoding());
  return encoding && encoding.getWarpsPerCTA()[0] > 4 && !dot.getRows() && pipeline::isRunningSum(loop, dot);
}

void limit(ttng::WarpGroupDotOp dot, scf::ForOp loop) {
  Value sums = loop.getTiedLoopResult(cast<BlockArgument>(dot.getC()));
  RowMasks masks;
  if (!findStores(sums, 0, masks) || masks.empty())
    return;
  // Compute the limit after the loop, where all operands are available, and then move the computation before the loop.
  OpBuilder builder(loop->getBlock()->getTerminator());
  Limit limit(builder, dot.getLoc(), dot.getType().getShape()[0]);
  Value most;
  for (auto &[mask, axis] : masks)
    most = limit.most(most, limit.count(mask, axis));
  Value rows = limit.finish(most);
  IRRewriter rewriter(loop.getContext());
  if (succeeded(moveValueDefinitions(rewriter, rows, loop)))
    dot.getRowsMutable().assign(rows);
}

struct LimitProducts : tilecc::impl::TritonNvidiaGPULimitProductsBase<LimitProducts> {
  void runOnOperation() override {
    SmallVector<std::pair<ttng::WarpGroupDotOp, scf::ForOp>> dots;
    getOperation().walk([&](ttng::WarpGroupDotOp dot) {
      if (auto loop = dyn_cast<scf::ForOp>(dot->getParentOp()); loop && isOnlySummed(dot, loop))
        dots.emplace_back(dot, loop);
    });
    for (auto [dot, loop] : dots)
      limit(dot, loop);
  }
};

} // namespace
