//===- SplitIterations.cpp - splits the iterations of a loop over the blocks of a cluster -------------------------===//
//
// A matrix multiplication with few tiles, such as that of a few rows by a large matrix of weights, leaves most
// multiprocessors idle. If a launch has so few programs that several blocks can run for each program, it runs each
// program as a cluster of two to eight blocks:
//
//     for k = 0 to n                       parts = clamp(n / least, 1, blocks), chunk = ceil(n / parts)
//       acc = dot(a, b, acc)         ->    for k = rank * chunk to min(rank * chunk + chunk, n)
//     store(acc)                             acc = dot(a, b, acc)
//                                          acc = sum_over_blocks(acc, parts)    // only the first block goes on
//                                          store(acc)
//
// The result is deterministic on one GPU, because the accumulators of the blocks are added in the order of ranks. This
// corresponds to the split-K kernels of CUTLASS and cuBLAS, with distributed shared memory in place of a workspace.
//
// A cluster has at most eight blocks. If a launch has so few programs that multiprocessors would still be idle (such as
// the gradients of a convolution's weights), several clusters run each program. These split the iterations in the same
// way, and add up their accumulators in global memory that the launch provides (ttng.sum_over_clusters). The launch
// passes the number of clusters. This requires a kernel that numbers its programs (NumberPrograms.cpp), because a
// block's position in the grid no longer determines its program.
//
// Values that the loop advances by a constant step, such as pointers, begin in each block with their value in the
// block's first iteration. All blocks execute everything before the loop, so that code must not write to memory.
//
// All threads of a block wait for the other blocks, but producer warps cannot do so. So a kernel with a loop that gets
// producer warps is not changed. Loops whose dots accumulate in tensor memory get producer warps, unless the source
// forbids it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/Passes.h"
#include "targets/nvidia/ProgramOrder.h"
#include "targets/nvidia/hopper/SpecializedLoop.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUSPLITITERATIONS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// The largest cluster that every GPU with clusters can run.
constexpr int64_t maxBlocks = 8;
/// A block processes at least this many bytes of each row of the left operand. With fewer bytes, the exchange takes
/// longer than the iterations that it saves (bench/gpu/NOTES.md).
constexpr int64_t leastBytesOfRow = 2048;
/// If two blocks per program exchange more bytes than maxBytesForTwo, they are faster than one block only if the loop is
/// long: the left operand has rows of at least leastBytesForTwo bytes. When the launch has room for only two blocks per
/// program, it already occupies half of the multiprocessors, and is bound by memory. More than two blocks are faster.
constexpr int64_t maxBytesForTwo = 32 * 1024, leastBytesForTwo = 8192;
constexpr int64_t partsForMore = 3;
/// The largest accumulator that blocks exchange, because it must fit in shared memory.
constexpr int64_t maxExchangedBytes = 128 * 1024;

/// Returns true if several blocks may execute `op` and its regions in place of one.
bool isRepeatable(Operation *op) {
  auto visit = [](Operation *inside) {
    return pipeline::onlyReadsGlobalMemory(inside) ? WalkResult::advance() : WalkResult::interrupt();
  };
  return !op->walk(visit).wasInterrupted();
}

/// Returns the accumulator and the result of a dot; null values for other operations.
std::pair<Value, Value> getAccumulators(Operation *op) {
  if (auto dot = dyn_cast<tt::DotOp>(op))
    return {dot.getC(), dot.getD()};
  if (auto dot = dyn_cast<ttng::WarpGroupDotOp>(op))
    return {dot.getC(), dot.getD()};
  return {};
}

/// The clusters of a launch that run the same program.
struct Clusters {
  Value count, number; ///< the number of clusters, and the index of this one
  Value program; ///< the number of the program in the launch
  Value memory;
};

class Splitter {
public:
  explicit Splitter(scf::ForOp loop) : loop(loop), builder(loop), loc(loop.getLoc()) {}

  /// Returns true if the loop accumulates one dot, starting from zero, and advances all other carried values by a
  /// constant step.
  bool isSplittable() {
    if (loop.getUnsignedCmp() || loop.getInductionVar().getType().isIndex() || !isRepeatable(loop))
      return false;
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
      Value argument = loop.getRegionIterArg(i), yielded = loop.getYieldedValues()[i];
      Operation *op = yielded.getDefiningOp();
      if (op && op->getParentOp() == loop && getAccumulators(op).second == yielded) {
        if (!pipeline::isRunningSum(loop, getAccumulators(op).first, yielded) || accumulator ||
            !matchPattern(loop.getInitArgs()[i], m_AnyZeroFloat()) || !isExchangeable(yielded))
          return false;
        accumulator = i;
        dot = op;
      } else if (!loop.getResult(i).use_empty() || !(yielded == argument || getStep(i))) {
        return false;
      }
    }
    return accumulator.has_value();
  }

  /// Returns the number of iterations that each block executes at least.
  int64_t countLeastIterations() { return countIterations(leastBytesOfRow); }

  /// Splits the loop over the blocks of a cluster, and over several `clusters`, if given.
  void split(std::optional<Clusters> clusters) {
    Type type = loop.getInductionVar().getType();
    Value blocksOfCluster = extend(ttng::BlockCountOp::create(builder, loc, builder.getI32Type()), type);
    Value blocks = blocksOfCluster, before;
    Value rank = extend(ttng::BlockRankOp::create(builder, loc, builder.getI32Type()), type);
    auto constant = [&](int64_t value) {
      return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
    };
    auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
    auto subtract = [&](Value a, Value b) -> Value { return arith::SubIOp::create(builder, loc, a, b); };
    auto multiply = [&](Value a, Value b) -> Value { return arith::MulIOp::create(builder, loc, a, b); };
    auto divide = [&](Value a, Value b) -> Value { return arith::DivSIOp::create(builder, loc, a, b); };
    auto least = [&](Value a, Value b) -> Value { return arith::MinSIOp::create(builder, loc, a, b); };
    auto most = [&](Value a, Value b) -> Value { return arith::MaxSIOp::create(builder, loc, a, b); };
    Value one = constant(1), begin = loop.getLowerBound(), end = loop.getUpperBound(), step = loop.getStep();
    if (clusters) {
      before = multiply(extend(clusters->number, type), blocksOfCluster);
      blocks = multiply(extend(clusters->count, type), blocksOfCluster);
      rank = add(before, rank);
    }

    Value iterations = most(divide(add(subtract(end, begin), subtract(step, one)), step), constant(0));
    Value parts = most(least(divide(iterations, constant(countLeastIterations())), blocks), one);
    if (Value exchangesLittle = createExchangesLittle(); exchangesLittle) {
      Value areMany = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, parts, constant(partsForMore));
      Value isLong = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, iterations,
                                           constant(countIterations(leastBytesForTwo)));
      Value areFast = arith::OrIOp::create(builder, loc, areMany, isLong);
      Value gains = arith::OrIOp::create(builder, loc, areFast, exchangesLittle);
      parts = arith::SelectOp::create(builder, loc, gains, parts, one);
    }
    Value chunk = divide(add(iterations, subtract(parts, one)), parts);
    Value first = least(multiply(rank, chunk), iterations), last = least(add(first, chunk), iterations);
    for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i)
      if (Operation *advance = getStep(i))
        loop.getInitArgsMutable()[i].assign(advanceBy(advance, loop.getInitArgs()[i], first));
    loop.setLowerBound(add(begin, multiply(first, step)));
    loop.setUpperBound(least(add(begin, multiply(last, step)), end));

    builder.setInsertionPointAfter(loop);
    Type i32 = builder.getI32Type();
    Value used, accumulated = loop.getResult(*accumulator);
    if (clusters) {
      used = extend(divide(add(parts, subtract(blocksOfCluster, one)), blocksOfCluster), i32);
      parts = most(least(subtract(parts, before), blocksOfCluster), one);
    }
    Value sum = ttng::SumOverBlocksOp::create(builder, loc, accumulated, extend(parts, i32), getRows());
    accumulated.replaceAllUsesExcept(sum, sum.getDefiningOp());
    if (clusters) {
      auto ofClusters = ttng::SumOverClustersOp::create(builder, loc, sum, clusters->program, clusters->number, used,
                                                        clusters->count, clusters->memory);
      sum.replaceAllUsesExcept(ofClusters, ofClusters);
      loop->getParentOfType<tt::FuncOp>()->setAttr(ttng::clusterBytesAttr,
                                                   builder.getI32IntegerAttr(ofClusters.getBytesOfCluster()));
    }
  }

private:
  static int64_t getBytes(RankedTensorType accumulator) { return accumulator.getNumElements() * sizeof(float); }

  static bool isExchangeable(Value accumulator) {
    auto type = cast<RankedTensorType>(accumulator.getType());
    return type.getElementType().isF32() && getBytes(type) <= maxExchangedBytes;
  }

  /// Returns the number of valid rows of the accumulator; null if they are not limited.
  Value getRows() {
    auto warpGroupDot = dyn_cast<ttng::WarpGroupDotOp>(dot);
    return warpGroupDot ? warpGroupDot.getRows() : Value();
  }

  /// Returns an i1 that is true if the blocks exchange so little that two of them are faster than one; null if that is
  /// always true.
  Value createExchangesLittle() {
    auto type = cast<RankedTensorType>(dot->getResult(0).getType());
    if (getBytes(type) <= maxBytesForTwo)
      return {};
    Value rows = getRows();
    if (!rows)
      return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    int64_t maxRows = maxBytesForTwo * type.getShape().front() / getBytes(type);
    Value limit = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(maxRows));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, rows, limit);
  }

  /// Returns the number of iterations in which a block reads so many bytes of each row of the left operand.
  int64_t countIterations(int64_t bytesOfRow) {
    auto row = cast<ShapedType>(dot->getOperand(0).getType());
    int64_t bits = row.getShape().back() * tt::getElementBits(row.getElementType());
    return std::max<int64_t>(1, bytesOfRow * 8 / bits);
  }

  /// Returns the operation with which the loop advances carried value `i` by a value from before the loop; null if
  /// there is none.
  Operation *getStep(unsigned i) {
    Operation *op = loop.getYieldedValues()[i].getDefiningOp();
    bool isAddition = op && isa<arith::AddIOp, tt::AddPtrOp>(op) && op->getOperand(0) == loop.getRegionIterArg(i);
    return isAddition && loop.isDefinedOutsideOfLoop(op->getOperand(1)) ? op : nullptr;
  }

  /// Returns `begin` after a number of iterations.
  Value advanceBy(Operation *advance, Value begin, Value iterations) {
    Value step = advance->getOperand(1);
    Value factor = extend(iterations, getElementTypeOrSelf(step.getType()));
    if (auto tile = dyn_cast<RankedTensorType>(step.getType()))
      factor = tt::SplatOp::create(builder, loc, tile, factor);
    Value distance = arith::MulIOp::create(builder, loc, step, factor);
    if (isa<tt::AddPtrOp>(advance))
      return tt::AddPtrOp::create(builder, loc, begin.getType(), begin, distance);
    return arith::AddIOp::create(builder, loc, begin, distance);
  }

  /// Converts a number that is not negative and fits `type` to that type.
  Value extend(Value number, Type type) {
    unsigned from = number.getType().getIntOrFloatBitWidth(), to = type.getIntOrFloatBitWidth();
    if (from == to)
      return number;
    return from < to ? arith::ExtSIOp::create(builder, loc, type, number).getResult()
                     : arith::TruncIOp::create(builder, loc, type, number).getResult();
  }

  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  std::optional<unsigned> accumulator;
  Operation *dot = nullptr; ///< the dot that the loop accumulates
};

/// Returns the only loop of `func` with a dot, if no operation before it has an effect.
scf::ForOp findLoop(tt::FuncOp func) {
  for (Operation &op : func.getBody().front()) {
    auto loop = dyn_cast<scf::ForOp>(op);
    auto isDot = [](Operation &inside) { return getAccumulators(&inside).first != nullptr; };
    if (loop && llvm::any_of(*loop.getBody(), isDot))
      return loop;
    if (!isRepeatable(&op))
      return {};
  }
  return {};
}

bool hasPartition(tt::FuncOp func) {
  auto wants = [](scf::ForOp loop) {
    return pipeline::wantsPartition(loop) ? WalkResult::interrupt() : WalkResult::advance();
  };
  return func.walk(wants).wasInterrupted();
}

/// Allows a launch to run each program on several clusters. Returns nothing if the launcher passes only the kernel's
/// own arguments.
std::optional<Clusters> addClusters(tt::FuncOp func) {
  auto maps = func->getAttrOfType<ArrayAttr>(ttng::tensorMapsAttr);
  if (!maps || maps.empty())
    return std::nullopt;
  if (!func->hasAttr(ttng::numberedAttr))
    numberPrograms(func);
  Location loc = func.getLoc();
  auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
  Clusters clusters;
  clusters.count = addArguments(func, 1).front();
  constexpr int global = 1;
  if (failed(func.insertArgument(func.getNumArguments(), tt::PointerType::get(builder.getF32Type(), global), {}, loc)))
    llvm_unreachable("a kernel takes more arguments");
  clusters.memory = func.getArguments().back();
  // After numberPrograms(), the remaining uses of the program id refer to the position of the block in the launch. The
  // clusters of a program have adjacent positions.
  SmallVector<tt::GetProgramIdOp> positions;
  func.walk([&](tt::GetProgramIdOp id) {
    if (id.getAxis() == tt::ProgramIDDim::X)
      positions.push_back(id);
  });
  Value position = tt::GetProgramIdOp::create(builder, loc, tt::ProgramIDDim::X);
  clusters.program = arith::DivUIOp::create(builder, loc, position, clusters.count);
  clusters.number = arith::RemUIOp::create(builder, loc, position, clusters.count);
  for (tt::GetProgramIdOp id : positions) {
    id.replaceAllUsesWith(clusters.program);
    id.erase();
  }
  return clusters;
}

struct SplitIterations : tilecc::impl::TritonNvidiaGPUSplitIterationsBase<SplitIterations> {
  void runOnOperation() override {
    if (!nvidia::hasFeature(getOperation(), nvidia::Feature::Clusters))
      return;
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      if (!func->hasAttr(tt::fewBlocksAttr) || func->hasAttr(tt::oneBlockAttr) || !func.getBody().hasOneBlock() ||
          hasPartition(func))
        continue;
      scf::ForOp loop = findLoop(func);
      if (!loop)
        continue;
      if (Splitter splitter(loop); splitter.isSplittable()) {
        Builder builder(&getContext());
        func->setAttr(tt::leastIterationsAttr, builder.getI32IntegerAttr(splitter.countLeastIterations()));
        splitter.split(addClusters(func));
        getOperation()->setAttr(ttng::maxBlocksAttr, builder.getI32IntegerAttr(maxBlocks));
      }
    }
  }
};

} // namespace
