//===- OptimizeThreadLocality.cpp - reduces once after a loop instead of in each iteration ------------------------===//
//
//   for (...) acc = acc + sum(x)        becomes        for (...) partial = partial + sum of x within each thread
//                                                      acc = acc + sum(partial)
//
// The loop executes as many arithmetic operations as before, but no shuffle, no access to shared memory and no barrier.
// A thread keeps one partial result for each row of which it holds a part. One partial result per register of x would
// need as many additions, but also registers, which limit occupancy.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/Combiners.h"
#include "lowering/passes/PartialReductions.h"
#include "lowering/passes/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUOPTIMIZETHREADLOCALITY
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// A reduction in a loop whose result is used only to accumulate into a loop-carried value.
struct Accumulation {
  scf::ForOp loop;
  unsigned index; // the index of the carried value
  tt::ReduceOp reduce;
  ttg::ConvertLayoutOp convert; // the conversion of the reduction's result; may be null
  Operation *accumulate;
  uint64_t ofThreads; // the bits of the coordinate along the reduced axis that are determined by lane and warp
};

std::optional<Accumulation> findAccumulation(tt::ReduceOp reduce) {
  auto loop = dyn_cast<scf::ForOp>(reduce->getParentOp());
  Operation *combiner = reduce.getSingleCombiner();
  if (!loop || !combiner || reduce.getSrcs().size() != 1 || !tt::getNeutralElement(combiner))
    return std::nullopt;
  std::optional<uint64_t> ofThreads = getBitsOfThreads(reduce);
  if (!ofThreads || !*ofThreads)
    return std::nullopt;
  Value result = reduce.getResult()[0];
  if (!result.hasOneUse())
    return std::nullopt;
  auto convert = dyn_cast<ttg::ConvertLayoutOp>(*result.user_begin());
  if (convert)
    result = convert.getResult();
  if (!result.hasOneUse())
    return std::nullopt;
  Operation *accumulate = *result.user_begin();
  if (accumulate->getName() != combiner->getName() || accumulate->getBlock() != loop.getBody())
    return std::nullopt;
  Value other = accumulate->getOperand(accumulate->getOperand(0) == result ? 1 : 0);
  auto carried = dyn_cast<BlockArgument>(other);
  if (!carried || carried.getOwner() != loop.getBody() || carried.getArgNumber() == 0 || !carried.hasOneUse() ||
      !accumulate->getResult(0).hasOneUse())
    return std::nullopt;
  unsigned index = carried.getArgNumber() - 1;
  OpOperand &use = *accumulate->getResult(0).use_begin();
  if (use.getOwner() != loop.getBody()->getTerminator() || use.getOperandNumber() != index)
    return std::nullopt;
  return Accumulation{loop, index, reduce, convert, accumulate, *ofThreads};
}

void moveBehindLoop(Accumulation found) {
  scf::ForOp loop = found.loop;
  tt::ReduceOp reduce = found.reduce;
  Operation *combiner = reduce.getSingleCombiner();
  Value init = loop.getInitArgs()[found.index];
  BlockArgument carried = loop.getRegionIterArg(found.index);
  Value result = loop.getResult(found.index);
  Location loc = found.accumulate->getLoc();

  // The loop now carries the partial results.
  OpBuilder builder(reduce);
  Value part = createReduceWithinThreads(builder, reduce, found.ofThreads);
  auto type = cast<RankedTensorType>(part.getType());
  builder.setInsertionPoint(loop);
  auto elements = SplatElementsAttr::get(type, ArrayRef<Attribute>(tt::getNeutralElement(combiner)));
  loop.getInitArgsMutable()[found.index].set(arith::ConstantOp::create(builder, loc, elements));
  carried.setType(type);
  builder.setInsertionPoint(reduce);
  auto accumulateAs = [&](Type to, Value x, Value y) {
    OperationState state(loc, found.accumulate->getName(), {x, y}, to,
                         found.accumulate->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = found.accumulate->getPropertiesAsAttribute();
    return builder.create(state)->getResult(0);
  };
  Value partial = accumulateAs(type, carried, part);
  loop.getBody()->getTerminator()->setOperand(found.index, partial);

  // After the loop, reduce the partial results and add the initial value.
  Type accumulated = result.getType();
  result.setType(type);
  builder.setInsertionPointAfter(loop);
  Value reduced = createReduce(builder, reduce, result, reduce.getAxis()), value = reduced;
  if (value.getType() != accumulated)
    value = ttg::ConvertLayoutOp::create(builder, loc, accumulated, value);
  Value sum = accumulateAs(accumulated, init, value);
  result.replaceAllUsesExcept(sum, reduced.getDefiningOp());
  found.accumulate->erase();
  if (found.convert)
    found.convert->erase();
  reduce.erase();
}

struct OptimizeThreadLocality : tilecc::impl::TritonGPUOptimizeThreadLocalityBase<OptimizeThreadLocality> {
  void runOnOperation() override {
    SmallVector<tt::ReduceOp> reductions;
    getOperation().walk([&](tt::ReduceOp reduce) { reductions.push_back(reduce); });
    for (tt::ReduceOp reduce : reductions)
      if (auto found = findAccumulation(reduce))
        moveBehindLoop(*found);
  }
};

} // namespace
