//===- OptimizeThreadLocality.cpp - loops that accumulate reductions reduce once --------------------------------------===//
//
//   for (...) acc = acc + sum(x)        becomes        for (...) partial = partial + x
//                                                      acc = acc + sum(partial)
//
// with a partial result in each register that x has. There are as many operations in the loop as before, now independent
// of each other, and no shuffle, no shared memory and no barrier. What Triton's pass of this name does by reshaping x, so
// that a thread has fewer partial results than x has registers, is done here only as far as registers suffice: x is
// left alone where it has too many.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/tt/Combiners.h"
#include "lowering/passes/Passes.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUOPTIMIZETHREADLOCALITY
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Registers of a thread that partial results may take.
constexpr unsigned mostPartials = 32;

/// A reduction in a loop whose result does nothing but accumulate in a carried value.
struct Accumulation {
  scf::ForOp loop;
  unsigned index; // of the carried value
  tt::ReduceOp reduce;
  ttg::ConvertLayoutOp convert; // of the reduction's result; may be null
  Operation *accumulate;
};

std::optional<Accumulation> findAccumulation(tt::ReduceOp reduce) {
  auto loop = dyn_cast<scf::ForOp>(reduce->getParentOp());
  Operation *combiner = reduce.getSingleCombiner();
  if (!loop || !combiner || reduce.getSrcs().size() != 1 || !tt::getNeutralElement(combiner))
    return std::nullopt;
  ReductionPlan plan(reduce);
  auto type = cast<RankedTensorType>(reduce.getSrcs()[0].getType());
  if ((plan.laneBits.empty() && plan.warpBits.empty()) || ttg::getElementsPerThread(type) > mostPartials)
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
  return Accumulation{loop, index, reduce, convert, accumulate};
}

void moveBehindLoop(Accumulation found) {
  scf::ForOp loop = found.loop;
  tt::ReduceOp reduce = found.reduce;
  Operation *combiner = reduce.getSingleCombiner();
  Value source = reduce.getSrcs()[0], init = loop.getInitArgs()[found.index];
  auto type = cast<RankedTensorType>(source.getType());
  BlockArgument carried = loop.getRegionIterArg(found.index);
  Value result = loop.getResult(found.index);
  Location loc = found.accumulate->getLoc();

  // The carried value becomes the partial results.
  OpBuilder builder(loop);
  auto elements = SplatElementsAttr::get(type, ArrayRef<Attribute>(tt::getNeutralElement(combiner)));
  loop.getInitArgsMutable()[found.index].set(arith::ConstantOp::create(builder, loc, elements));
  carried.setType(type);
  builder.setInsertionPoint(reduce);
  auto accumulateAs = [&](Type to, Value x, Value y) {
    OperationState state(loc, found.accumulate->getName(), {x, y}, to, found.accumulate->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = found.accumulate->getPropertiesAsAttribute();
    return builder.create(state)->getResult(0);
  };
  Value partial = accumulateAs(type, carried, source);
  loop.getBody()->getTerminator()->setOperand(found.index, partial);

  // Behind the loop they are reduced, and what the carried value began with is added.
  Type accumulated = result.getType();
  result.setType(type);
  builder.setInsertionPointAfter(loop);
  IRMapping mapping;
  mapping.map(source, result);
  Operation *reduced = builder.clone(*reduce, mapping);
  Value value = reduced->getResult(0);
  if (found.convert)
    value = ttg::ConvertLayoutOp::create(builder, found.convert->getLoc(), found.convert.getType(), value);
  Value sum = accumulateAs(accumulated, init, value);
  result.replaceAllUsesExcept(sum, reduced);
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
