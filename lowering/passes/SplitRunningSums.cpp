//===- SplitRunningSums.cpp - threads that share a row sum their own part of it through a loop ----------------------------===//
//
//   for (...) acc = acc * a + sum(x)        becomes        for (...) parts = parts * a + sum of x within each thread
//                                                          acc = sum(parts)
//
// That is the running sum of a softmax whose maximum changes. The parts are as many as the threads that share a row, so they take
// the registers that copies of acc took; what goes are the shuffles of each iteration. (A sum is linear: the factors may be
// multiplied to its parts.) Where neighbours of x are one thread's, x is seen as a tile with an axis for each run of them.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSPLITRUNNINGSUMS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// acc = acc * factor + sum(x), of a carried value that is used for nothing else.
struct RunningSum {
  scf::ForOp loop;
  unsigned index; ///< of the carried value
  tt::ReduceOp reduce;
  Operation *add, *multiply;
  Value factor;
};

/// The bits of a place along `axisIndex` that lanes and warps move; nothing where a lane, warp or register moves several.
std::optional<uint64_t> getBitsOfThreads(const LinearLayout &layout, unsigned axisIndex) {
  uint64_t ofThreads = 0;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit) {
      uint32_t step = layout.getBasis(dim, bit, axis(axisIndex));
      if (step && !llvm::isPowerOf2_32(step))
        return std::nullopt;
      if (dim != Dim::Register)
        ofThreads |= step;
    }
  return ofThreads;
}

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
  auto source = cast<RankedTensorType>(reduce.getSrcs()[0].getType());
  auto result = dyn_cast<RankedTensorType>(sum.getType());
  std::optional<uint64_t> ofThreads = getBitsOfThreads(ttg::toLinearLayout(source), reduce.getAxis());
  if (!result || !ofThreads || !*ofThreads)
    return std::nullopt;
  return RunningSum{loop, index, reduce, add, multiply, multiply.getLhs() == carried ? multiply.getRhs() : multiply.getLhs()};
}

Value createReduce(OpBuilder &builder, tt::ReduceOp like, Value source, unsigned along) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + along);
  auto encoding = ttg::SliceEncodingAttr::get(type.getContext(), along, type.getEncoding());
  IRMapping mapping;
  mapping.map(like.getSrcs()[0], source);
  auto reduce = cast<tt::ReduceOp>(builder.clone(*like, mapping));
  reduce.setAxis(along);
  Value result = reduce.getResult()[0];
  result.setType(RankedTensorType::get(shape, type.getElementType(), encoding));
  return result;
}

/// Sums `source` along `along` where neighbours are one thread's: what is left of that axis are the threads that share it.
Value createSumWithinThreads(OpBuilder &builder, tt::ReduceOp like, Value source, unsigned along, uint64_t ofThreads) {
  auto type = cast<RankedTensorType>(source.getType());
  // The axis as an axis for each run of bits that are the threads', or not.
  SmallVector<int64_t> runs;
  SmallVector<bool> isThreads;
  for (unsigned bit = llvm::Log2_64(type.getDimSize(along)); bit-- > 0;) {
    bool isTheirs = ofThreads >> bit & 1;
    if (isThreads.empty() || isThreads.back() != isTheirs) {
      isThreads.push_back(isTheirs);
      runs.push_back(1);
    }
    runs.back() *= 2;
  }
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + along);
  shape.insert(shape.begin() + along, runs.begin(), runs.end());
  auto reshape = [&](Value tile, ArrayRef<int64_t> to) -> Value {
    auto from = cast<RankedTensorType>(tile.getType());
    if (from.getShape() == to)
      return tile;
    auto bare = RankedTensorType::get(to, from.getElementType());
    auto op = tt::ReshapeOp::create(builder, like.getLoc(), bare, tile, /*allow_reorder=*/false, /*efficient_layout=*/false);
    LinearLayout layout = *op.transformLayout(ttg::toLinearLayout(from));
    op.getResult().setType(bare.cloneWithEncoding(ttg::LinearEncodingAttr::get(builder.getContext(), layout)));
    return op;
  };
  Value sum = reshape(source, shape);
  for (unsigned run = runs.size(); run-- > 0;)
    if (!isThreads[run])
      sum = createReduce(builder, like, sum, along + run);
  // Where several runs are the threads', one axis again.
  SmallVector<int64_t> left(type.getShape());
  left[along] = int64_t(1) << llvm::popcount(ofThreads);
  return reshape(sum, left);
}

void sumWithinThreads(RunningSum found) {
  scf::ForOp loop = found.loop;
  tt::ReduceOp reduce = found.reduce;
  Location loc = found.add->getLoc();
  unsigned along = reduce.getAxis();
  Value source = reduce.getSrcs()[0], init = loop.getInitArgs()[found.index], result = loop.getResult(found.index);
  auto whole = cast<RankedTensorType>(init.getType());
  OpBuilder builder(reduce);
  Value part = createSumWithinThreads(builder, reduce, source, along,
                                      *getBitsOfThreads(ttg::toLinearLayout(cast<RankedTensorType>(source.getType())), along));
  auto type = cast<RankedTensorType>(part.getType());
  auto encoding = type.getEncoding();
  auto sliced = ttg::SliceEncodingAttr::get(builder.getContext(), along, encoding);
  auto broadcast = [&](Value value) -> Value {
    value = ttg::ConvertLayoutOp::create(builder, loc, whole.cloneWithEncoding(sliced), value);
    SmallVector<int64_t> shape(type.getShape());
    shape[along] = 1;
    value = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get(shape, type.getElementType(), encoding), value, along);
    return tt::BroadcastOp::create(builder, loc, type, value);
  };

  builder.setInsertionPoint(found.add);
  BlockArgument carried = loop.getRegionIterArg(found.index);
  carried.setType(type);
  auto multiply = cast<arith::MulFOp>(found.multiply);
  Value scaled = arith::MulFOp::create(builder, multiply.getLoc(), carried, broadcast(found.factor), multiply.getFastmath());
  Value sum = arith::AddFOp::create(builder, loc, scaled, part, cast<arith::AddFOp>(found.add).getFastmath());
  loop.getBody()->getTerminator()->setOperand(found.index, sum);

  // One of the threads that share a row begins with what all of them began with.
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
    Value number = tt::MakeRangeOp::create(builder, loc, RankedTensorType::get({count}, builder.getI32Type(), ofRange), 0, count);
    SmallVector<int64_t> shape = {count};
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      if (dim == along)
        continue;
      shape.insert(shape.begin() + dim, 1);
      auto outer = cast<ttg::SliceEncodingAttr>(cast<RankedTensorType>(number.getType()).getEncoding()).getParent();
      number = tt::ExpandDimsOp::create(builder, loc, RankedTensorType::get(shape, builder.getI32Type(), outer), number, dim);
    }
    number = tt::BroadcastOp::create(builder, loc, numbers, number);
    Value none = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(numbers)));
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, number, none);
    first = arith::SelectOp::create(builder, loc, isFirst, broadcast(init), zeros);
  }
  loop.getInitArgsMutable()[found.index].set(first);

  result.setType(type);
  builder.setInsertionPointAfter(loop);
  Value reduced = createReduce(builder, reduce, result, along);
  Value all = ttg::ConvertLayoutOp::create(builder, loc, whole, reduced);
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
