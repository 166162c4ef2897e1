//===- SplitRunningSums.cpp - keeps per-thread partial sums in loops with a running sum ---------------------------===//
//
//   for (...) acc = acc * a + sum(x)        becomes        for (...) parts = parts * a + sum of x within each thread
//                                                          acc = sum(parts)
//
// The loop on the left computes the running sum of a softmax whose maximum changes. A sum is linear, so its parts may
// be scaled separately. There are as many parts as threads that share a row. The parts take the registers that copies
// of acc took before, and no iteration needs shuffles any more. If a thread holds adjacent elements of x, x is reshaped
// so that these elements have an axis of their own.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/passes/PartialReductions.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSPLITRUNNINGSUMS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// acc = acc * factor + sum(x), where acc is carried by a loop and has no other use.
struct RunningSum {
  scf::ForOp loop;
  unsigned index; ///< the number of the carried value
  tt::ReduceOp reduce;
  Operation *add, *multiply;
  Value factor;
  uint64_t ofThreads; ///< the bits of the coordinate along the reduced axis that lane and warp determine
};

std::optional<RunningSum> findRunningSum(tt::ReduceOp reduce) {
  auto loop = dyn_cast<scf::ForOp>(reduce->getParentOp());
  Operation *combiner = reduce.getSingleCombiner();
  if (!loop || !isa_and_nonnull<arith::AddFOp>(combiner) || reduce.getSrcs().size() != 1)
    return std::nullopt;
  Value sum = reduce.getResult()[0];
  auto isOnlyIn = [&](Value value, Operation *user) { return value.hasOneUse() && *value.user_begin() == user; };
  auto add = sum.hasOneUse() ? dyn_cast<arith::AddFOp>(*sum.user_begin()) : nullptr;
  if (!add || add->getBlock() != loop.getBody() || !isOnlyIn(add, loop.getBody()->getTerminator()))
    return std::nullopt;
  unsigned index = add->use_begin()->getOperandNumber();
  Value carried = loop.getRegionIterArg(index);
  auto multiply = (add.getLhs() == sum ? add.getRhs() : add.getLhs()).getDefiningOp<arith::MulFOp>();
  if (!multiply || !isOnlyIn(multiply, add) || !isOnlyIn(carried, multiply))
    return std::nullopt;
  std::optional<uint64_t> ofThreads = getBitsOfThreads(reduce);
  if (!ofThreads || !*ofThreads)
    return std::nullopt;
  return RunningSum{loop,      index,    reduce,
                    add,       multiply, multiply.getLhs() == carried ? multiply.getRhs() : multiply.getLhs(),
                    *ofThreads};
}

void sumWithinThreads(RunningSum found) {
  scf::ForOp loop = found.loop;
  tt::ReduceOp reduce = found.reduce;
  Location loc = found.add->getLoc();
  unsigned along = reduce.getAxis();
  Value init = loop.getInitArgs()[found.index], result = loop.getResult(found.index);
  auto whole = dyn_cast<RankedTensorType>(init.getType()); // null for a scalar
  OpBuilder builder(reduce);
  Value part = createReduceWithinThreads(builder, reduce, found.ofThreads);
  auto type = cast<RankedTensorType>(part.getType());
  auto encoding = type.getEncoding();
  auto broadcast = [&](Value value) -> Value {
    if (!whole)
      return tt::SplatOp::create(builder, loc, type, value);
    auto sliced = ttg::SliceEncodingAttr::get(builder.getContext(), along, encoding);
    value = ttg::ConvertLayoutOp::create(builder, loc, whole.cloneWithEncoding(sliced), value);
    SmallVector<int64_t> shape(type.getShape());
    shape[along] = 1;
    value = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType(), encoding), value,
                                     along);
    return tt::BroadcastOp::create(builder, loc, type, value);
  };

  builder.setInsertionPoint(found.add);
  BlockArgument carried = loop.getRegionIterArg(found.index);
  carried.setType(type);
  auto multiply = cast<arith::MulFOp>(found.multiply);
  Value scaled =
      arith::MulFOp::create(builder, multiply.getLoc(), carried, broadcast(found.factor), multiply.getFastmath());
  Value sum = arith::AddFOp::create(builder, loc, scaled, part, cast<arith::AddFOp>(found.add).getFastmath());
  loop.getBody()->getTerminator()->setOperand(found.index, sum);

  // One of the threads that share a row starts with the initial value, the others with zero.
  builder.setInsertionPoint(loop);
  Value zeros = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  Value first = zeros;
  if (!matchPattern(init, m_AnyZeroFloat())) {
    auto numbers = RankedTensorType::get(type.getShape(), builder.getI32Type(), encoding);
    Attribute ofRange = encoding;
    for (unsigned dim = type.getRank(); dim-- > 0;)
      if (dim != along)
        ofRange = ttg::SliceEncodingAttr::get(builder.getContext(), dim, ofRange);
    int64_t count = type.getDimSize(along);
    Value number =
        tt::MakeRangeOp::create(builder, loc, RankedTensorType::get({count}, builder.getI32Type(), ofRange), 0, count);
    SmallVector<int64_t> shape = {count};
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      if (dim == along)
        continue;
      shape.insert(shape.begin() + dim, 1);
      auto outer = cast<ttg::SliceEncodingAttr>(cast<RankedTensorType>(number.getType()).getEncoding()).getParent();
      number = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get(shape, builder.getI32Type(), outer), number,
                                        dim);
    }
    if (whole)
      number = tt::BroadcastOp::create(builder, loc, numbers, number);
    Value none = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(numbers)));
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number, none);
    first = arith::SelectOp::create(builder, loc, isFirst, broadcast(init), zeros);
  }
  loop.getInitArgsMutable()[found.index].set(first);

  result.setType(type);
  builder.setInsertionPointAfter(loop);
  Value reduced = createReduce(builder, reduce, result, along);
  Value all = whole ? ttg::ConvertLayoutOp::create(builder, loc, whole, reduced).getResult() : reduced;
  result.replaceAllUsesExcept(all, reduced.getDefiningOp());
  for (Operation *op : {found.add, found.multiply, reduce.getOperation()})
    op->erase();
}

struct SplitRunningSums : tilecc::impl::TritonGPUSplitRunningSumsBase<SplitRunningSums> {
  void runOnOperation() override {
    SmallVector<tt::ReduceOp> reductions;
    getOperation().walk([&](tt::ReduceOp reduce) { reductions.push_back(reduce); });
    for (tt::ReduceOp reduce : reductions)
      if (auto sum = findRunningSum(reduce))
        sumWithinThreads(*sum);
  }
};

} // namespace
