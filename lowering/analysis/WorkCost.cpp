//===- WorkCost.cpp - the cost of computing or converting a tile --------------------------------------------------===//
//
// The unit of costs is one addition per thread. Rematerialization adds up costs to decide what to duplicate.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/WorkCost.h"
#include "lowering/analysis/DataMovement.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace tilecc;

/// The cost of a division or a transcendental function, which takes several instructions or a slower unit, and of a
/// load that hits the cache.
constexpr unsigned costOfSlowOperation = 8;

/// Returns the number of 32-bit registers that a thread needs for a tile.
static unsigned getWords(RankedTensorType type) {
  return ttg::getElementsPerThread(type) * std::max(1u, tt::getElementBits(type.getElementType()) / 32);
}

unsigned tilecc::getConversionCost(RankedTensorType from, RankedTensorType to) {
  return std::max(1u, planConversion(from, to).cost);
}

/// Returns true for a load that is too small to determine a layout, because all copies of an element are loaded from
/// one cache line.
static bool isSmallLoad(Operation *op) {
  auto access = tt::getGlobalAccess(op);
  return access && access->isOfTile() && access->isSimple && op->getNumResults() == 1 &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         !cast<tt::LayoutRules>(op).isLayoutAnchor(ttg::getNumWarps(op) * ttg::getThreadsPerWarp(op));
}

Attribute tilecc::getOperandEncodingForRecomputing(Operation *op, Attribute result) {
  if (op->getNumResults() != 1)
    return {};
  if (auto constant = dyn_cast<arith::ConstantOp>(op); constant && !isa<SplatElementsAttr>(constant.getValue()))
    return {};
  bool computes = op->hasTrait<OpTrait::Elementwise>() && isMemoryEffectFree(op) && op->getNumRegions() == 0;
  bool isFree = tt::getWork(op) == tt::Work::Nothing;
  return isFree || computes || isSmallLoad(op) || isa<tt::ReduceOp>(op) ? tt::inferOperandEncoding(op, result)
                                                                        : Attribute();
}

/// Returns the cost of a reduction, which has three steps: within threads, by shuffles, and through shared memory.
static unsigned getReductionCost(tt::ReduceOp op, Attribute result) {
  RankedTensorType type =
      cast<RankedTensorType>(op.getInputTypes().front()).cloneWithEncoding(tt::inferOperandEncoding(op, result));
  LinearLayout layout = ttg::toLinearLayout(type);
  auto count = [&](Dim dim) {
    unsigned bits = 0;
    for (unsigned bit = 0; bit < layout.getInBits(dim); ++bit)
      bits += layout.getBasis(dim, bit, axis(op.getAxis())) != 0;
    return bits;
  };
  unsigned results =
      ttg::getElementsPerThread(cast<RankedTensorType>(op.getResult().front().getType()).cloneWithEncoding(result));
  unsigned steps = count(Dim::Lane), stepCost = 6;
  return getWords(type) + results * steps * stepCost +
         (count(Dim::Warp) ? costOfBarriers + results * 2 * costOfSlowOperation : 0);
}

unsigned tilecc::getWorkCost(Operation *op, Attribute result) {
  tt::Work work = tt::getWork(op);
  if (work == tt::Work::Nothing)
    return 0;
  if (auto reduce = dyn_cast<tt::ReduceOp>(op))
    return getReductionCost(reduce, result);
  return getWords(cast<RankedTensorType>(op->getResult(0).getType()).cloneWithEncoding(result)) *
         (work != tt::Work::Instruction || isSmallLoad(op) ? costOfSlowOperation : 1);
}

double tilecc::getFrequency(Block *block) {
  constexpr double iterations = 8, taken = 0.5;
  double frequency = 1;
  for (Operation *op = block->getParentOp(); op; op = op->getParentOp())
    frequency *= isa<scf::ForOp, scf::WhileOp>(op) ? iterations : isa<scf::IfOp>(op) ? taken : 1;
  return frequency;
}
