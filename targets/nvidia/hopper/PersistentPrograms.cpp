//===- PersistentPrograms.cpp - makes kernels persistent: a loop over programs ------------------------------------===//
//
// This pass turns a kernel that computes one tile per program into a kernel whose blocks run several programs, one
// after the other: block x runs the programs x, x + blocks, x + 2 * blocks and so on. The pipeliner then overlaps the
// first copies of the next program with the end of the current program (OuterLoop.h). Programs are numbered across all
// axes of the grid, up to the last axis whose program id the kernel uses, so that all blocks get about the same number
// of programs whatever the extents are. The launch starts only as many blocks as can run at once. So the extents of
// these axes are passed as arguments after all others. The remaining axes of the grid do not change.
//
// Programs with consecutive numbers are adjacent along x, because such programs often load the same data. If the trip
// counts of the kernel's loops grow along x, as in causal attention, x is the slowest axis instead, and the longest
// programs come first. Then the programs that run at the same time (a round) are about equally long. If trip counts
// differ, the order of blocks also alternates from round to round: 0 1 2, 5 4 3, 6 7 8, ... Otherwise the first block
// would get more work than the last. In causal attention with 4096 tokens, the difference would be a fifth of the total
// time.
//
// Unless the source requests it, the pass applies only to kernels that became faster in measurements on an H200
// (bench/gpu/NOTES.md):
//
// - Attention whose programs along x load the same keys and values. From 1024 to 8192 tokens, full attention gains 2 to
//   11 %, causal attention 10 to 46 %, and a sliding window 11 to 38 %.
// - Convolutions, unless all programs of the launch run at once. Their loops also get producer warps. Large tiles,
//   which leave no room for a second block on a multiprocessor, gain 3 to 17 %, and tiles of 128x64 gain 10 to 36 %.
// - Matrix multiplications in tiles of 128x256 and more, in steps of 64 and more 16-bit elements. Their loops also get
//   producer warps, and 4 stages if the source requests fewer, because no other block needs the shared memory. They
//   gain 0 to 12 %; shorter loops gain more. With steps of 32 they would lose up to 11 %, so they only get the stages.
// - Matrix multiplications in tiles of 128x128 for launches whose copies cross cache lines. Pairs of blocks share
//   copies then, and the launch gains up to 22 %.
//
// Other matrix multiplications gain nothing or lose up to 20 %. The backward pass of attention, which has no registers
// to spare, lost 7 %. Kernels whose programs may wait for each other are not changed, and neither are kernels that
// specify how many programs share a block.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/tt/ImageBlocks.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/ProgramOrder.h"
#include "targets/nvidia/hopper/BlockSharing.h"
#include "targets/nvidia/hopper/SpecializedLoop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUPERSISTENTPROGRAMS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns the number of the program that a block runs in an iteration of `loop`: the order of blocks is reversed in
/// every other round.
Value alternate(OpBuilder &builder, scf::ForOp loop, Value block, Value blocks, Value programs) {
  Location loc = loop.getLoc();
  Value number = loop.getInductionVar(), one = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(1));
  Value round = arith::DivUIOp::create(builder, loc, number, blocks);
  Value isOdd = arith::TruncIOp::create(builder, loc, builder.getI1Type(), round);
  Value end = arith::AddIOp::create(builder, loc, arith::SubIOp::create(builder, loc, number, block), blocks);
  end = arith::MinSIOp::create(builder, loc, end, programs);
  Value mirrored = arith::SubIOp::create(builder, loc, arith::SubIOp::create(builder, loc, end, one), block);
  return arith::SelectOp::create(builder, loc, isOdd, mirrored, number);
}

void makePersistent(tt::FuncOp func) {
  Location loc = func.getLoc();
  const ProgramWork work = findProgramWork(func);
  Block &body = func.getBody().front();
  auto builder = OpBuilder::atBlockBegin(&body);
  SmallVector<Value> extents = addArguments(func, countAskedAxes(func));
  func->setAttr(ttng::persistentAttr, builder.getI32IntegerAttr(extents.size()));
  Value block = tt::GetProgramIdOp::create(builder, loc, tt::ProgramIDDim::X);
  Value blocks = tt::GetNumProgramsOp::create(builder, loc, tt::ProgramIDDim::X);
  Value programs;
  if (func->hasAttr(tt::numberedAttr)) { // another launch may run the last programs (NumberPrograms.cpp)
    func->setAttr(ttng::numberedAttr, builder.getI32IntegerAttr(extents.size()));
    programs = addArguments(func, 1).front();
  } else {
    programs = extents.front();
    for (Value extent : ArrayRef(extents).drop_front())
      programs = arith::MulIOp::create(builder, loc, programs, extent);
  }
  auto loop = scf::ForOp::create(builder, loc, block, programs, blocks);
  loop.getBody()->getOperations().splice(loop.getBody()->begin(), body.getOperations(), std::next(loop->getIterator()),
                                         body.getTerminator()->getIterator());
  if (!work.isUneven)
    loop->setAttr(ttng::programLoopAttr, builder.getUnitAttr());
  builder.setInsertionPointToStart(loop.getBody());
  Value number = work.isUneven ? alternate(builder, loop, block, blocks, programs) : loop.getInductionVar();
  SmallVector<Value> indices = orderPrograms(builder, loc, number, extents, work);
  replaceGridQueries(loop, indices, extents);
  moveLoopInvariantCode(loop);
}

/// Returns true for attention: the second of two dots of an iteration depends on the first, and a producer partition
/// would load their operands.
bool isAttention(scf::ForOp loop) {
  return pipeline::wantsPartition(loop) && pipeline::loadsSame(loop, tt::ProgramIDDim::X) &&
         llvm::range_size(loop.getBody()->getOps<ttng::WarpGroupDotOp>()) == 2;
}

/// Returns the load of `operand`, an operand of a dot, if that load is a tensor copy; null otherwise.
tt::DescriptorLoadOp getTensorCopy(Value operand) {
  auto tile = getViewedTile(operand).memory.getDefiningOp<ttg::LocalAllocOp>();
  return tile && tile.getSrc() ? tile.getSrc().getDefiningOp<tt::DescriptorLoadOp>() : tt::DescriptorLoadOp();
}

/// Returns the dot of `loop` if it accumulates a single dot, of tensor copies; null otherwise.
ttng::WarpGroupDotOp getDotOfCopies(scf::ForOp loop) {
  auto dots = loop.getBody()->getOps<ttng::WarpGroupDotOp>();
  if (!llvm::hasSingleElement(dots))
    return {};
  ttng::WarpGroupDotOp dot = *dots.begin();
  bool isMatched = pipeline::isRunningSum(loop, dot) && !ttng::accumulatesInTensorMemory(dot) &&
                   getTensorCopy(dot.getA()) && getTensorCopy(dot.getB());
  return isMatched ? dot : ttng::WarpGroupDotOp();
}

bool readsImages(tt::DescriptorLoadOp load) {
  return tt::countOffsets(load.getDesc().getType(), load.getIndices().size()) > 0;
}

bool isConvolution(scf::ForOp loop) {
  constexpr int64_t smallestTile = 128 * 64; // the smallest tile that was measured
  ttng::WarpGroupDotOp dot = getDotOfCopies(loop);
  return dot && (readsImages(getTensorCopy(dot.getA())) || readsImages(getTensorCopy(dot.getB()))) &&
         dot.getD().getType().getNumElements() >= smallestTile;
}

/// Returns true if `loop` is a matrix multiplication that gains from producer warps: its accumulator leaves no room for
/// a second block, or its copies cross cache lines, so that pairs of blocks should share them.
bool isLargeMultiplication(scf::ForOp loop) {
  const bool crosses = loop->getParentOfType<tt::FuncOp>()->hasAttr(tt::crossesLinesAttr);
  const int64_t smallestTile = crosses ? tt::smallestTileInPairs : 128 * 256;
  ttng::WarpGroupDotOp dot = getDotOfCopies(loop);
  return dot && !isConvolution(loop) && dot.getD().getType().getNumElements() >= smallestTile;
}

/// Returns true if `loop` gains from producer warps that run ahead to the next tile.
bool gainsFromProducers(scf::ForOp loop) {
  constexpr int64_t narrowStep = 64; // bytes of a row; with such steps, warps wait too often for the producers
  if (isConvolution(loop))
    return true;
  if (!isLargeMultiplication(loop))
    return false;
  ttng::WarpGroupDotOp dot = getDotOfCopies(loop);
  auto a = cast<ShapedType>(dot.getA().getType());
  // Producers cannot run ahead to a tile if its address depends on a load, because stores may change the loaded value.
  auto isLoad = [](Operation *op) { return isa<tt::LoadOp>(op); };
  auto isArithmetic = [&](Value value) { return pipeline::isCommon(value, loop, isLoad); };
  auto canRunAhead = [&](Value operand) { return llvm::all_of(getTensorCopy(operand).getIndices(), isArithmetic); };
  return a.getShape().back() * tt::getElementBits(a.getElementType()) / 8 > narrowStep && canRunAhead(dot.getA()) &&
         canRunAhead(dot.getB()) && isArithmetic(loop.getUpperBound());
}

/// Returns true if a kernel becomes faster as a persistent kernel although its source does not request that.
/// `isPipelined` is true if loops that do not specify a number of stages have more than one.
bool gains(tt::FuncOp func, bool isPipelined) {
  auto mayGain = [&](scf::ForOp loop) {
    return isAttention(loop) || (gainsFromProducers(loop) && (isPipelined || isConvolution(loop)));
  };
  return pipeline::asksForProgram(func, tt::ProgramIDDim::X) && llvm::any_of(func.getOps<scf::ForOp>(), mayGain) &&
         !func->hasAttr(tt::fewBlocksAttr) && !func->hasAttr(tt::oneWaveAttr) && hasIndependentPrograms(func);
}

/// Requests producer warps for loops that gain from them, unless the source specifies otherwise.
void addProducers(tt::FuncOp func) {
  for (auto loop : func.getOps<scf::ForOp>())
    if (!loop->hasAttr(tt::warpSpecializeAttr) && gainsFromProducers(loop))
      loop->setAttr(tt::warpSpecializeAttr, BoolAttr::get(func.getContext(), true));
}

/// Requests more stages for the loops of a kernel that contains a large matrix multiplication.
void addStages(tt::FuncOp func) {
  constexpr int32_t leastStages = 4; // with eight, short loops in steps of 32 lose 8 %
  if (llvm::any_of(func.getOps<scf::ForOp>(), isLargeMultiplication))
    func->setAttr(tt::leastStagesAttr, Builder(func.getContext()).getI32IntegerAttr(leastStages));
}

struct PersistentPrograms : tilecc::impl::TritonGPUPersistentProgramsBase<PersistentPrograms> {
  using TritonGPUPersistentProgramsBase::TritonGPUPersistentProgramsBase;

  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      if (!func->hasAttr(ttng::tensorMapsAttr) || !func.getBody().hasOneBlock())
        continue; // the loads of other kernels could not be issued ahead
      if (chosen && pipelined)
        addStages(func);
      if (chosen && !gains(func, pipelined))
        continue;
      addProducers(func);
      makePersistent(func);
    }
  }
};

} // namespace
