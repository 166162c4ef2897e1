//===- SpecializeLoops.cpp - warps of their own for what a loop loads ----------------------------------------------------===//
//
// A loop's products read operands that come from global memory. Specialized, a partition of four warps loads them, as far
// ahead as there are slots for them, and the program's warps only compute:
//
//     for i:  s = q k[i]                 partition:                      the program:
//             p = f(s)                   for i:                          for i:
//             acc = acc * a + p v[i]       wait until k's slot is empty    wait until k's slot is full
//                                          copy k[i] to it; full           s = q k's slot;  empty
//                                          wait until v's slot is empty    p = f(s)
//                                          copy v[i] to it; full           wait until v's slot is full
//                                                                          acc = acc * a + p v's slot;  empty
//
// Each load has slots and barriers of its own (SlotBarriers.h), so no warp waits for what it does not need, and no barrier
// of all threads keeps the warpgroups of the program in step. What the program's warps then do is still the plain loop:
// RotateLoops and OverlapProducts come behind.
//
// Legal where the loads read what nothing in the loop writes, and their addresses can be computed apart: from values that
// the loop does not load, by operations that may run twice. The partition computes them again, from scalars on.
//
// Done where a loop asks for it (tt.warp_specialize), and where one product of an iteration follows from another
// (attention) in programs of several warpgroups: the warpgroups then drift apart, and the softmax of one falls on the
// products of the other. A plain matrix product gains nothing: its warps wait for the matrix units all the time.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUSPECIALIZELOOPS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The warps that load, and the registers that each of their threads needs.
constexpr int32_t loadingWarps = 4, loadingRegisters = 40;

class Specializer {
public:
  Specializer(scf::ForOp loop, const AxisInfoAnalysis &axisInfo, int64_t slots)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo), slots(slots) {}

  /// Whether it is to be done, and can be. Finds what the partition computes.
  bool analyze() {
    bool isAsked = loop->hasAttr(tt::warpSpecializeAttr);
    if (isAsked ? !cast<BoolAttr>(loop->getAttr(tt::warpSpecializeAttr)).getValue() : !paysByItself())
      return false;
    for (auto load : loop.getBody()->getOps<tt::LoadOp>())
      if (ttg::MemDescType tile = getAllocatedType(loop, load))
        sources.push_back({load, tile});
    return !sources.empty() && llvm::all_of(sources, [&](Source &source) { return canMove(source.load); });
  }

  void rewrite() {
    builder.setInsertionPoint(loop);
    for (Source &source : sources)
      allocate(source);
    llvm::SetVector<Value> captured = collectCaptures();
    auto op = ttg::WarpSpecializeOp::create(builder, loc, loop.getResultTypes(), captured.getArrayRef(), {loadingWarps});
    op.setRequestedRegisters(ArrayRef<int32_t>{loadingRegisters});
    loop->replaceAllUsesWith(op.getResults());
    writePartition(op.getPartitionRegions().front().front(), captured.getArrayRef());
    Block &program = op.getDefaultRegion().front();
    loop->moveBefore(&program, program.end());
    writeProgram();
    builder.setInsertionPointToEnd(&program);
    ttg::WarpYieldOp::create(builder, loc, loop.getResults().take_front(op.getNumResults()));
    builder.setInsertionPointAfter(op);
    for (Source &source : sources) {
      source.barriers->destroy(builder, loc);
      ttg::LocalDeallocOp::create(builder, loc, source.tiles);
    }
  }

private:
  struct Source {
    tt::LoadOp load;
    ttg::MemDescType tile; ///< what a slot holds
    Value tiles = {};      ///< all slots
    std::optional<SlotBarriers> barriers = {};
  };

  //===--- what is to be done ---------------------------------------------------------------------------------------===//

  bool paysByItself() {
    if (ttg::getNumWarps(loop) <= 4)
      return false;
    auto isProduct = [](Operation *op) { return isa<ttng::WarpGroupDotOp>(op); };
    return llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(),
                        [&](Operation *dot) { return followsFrom(loop, dot, isProduct); });
  }

  /// Whether the partition can load it.
  bool canMove(tt::LoadOp load) {
    Value mask = load.getMask();
    Attribute other;
    bool isZero = !load.getOther() || (matchPattern(load.getOther(), m_Constant(&other)) && isZeroSplat(other));
    return isZero && isWide(load, axisInfo) && mayRunAhead(loop, load) && canCompute(load.getPtr()) &&
           (!mask || canCompute(mask));
  }
  static bool isZeroSplat(Attribute value) {
    auto splat = dyn_cast<SplatElementsAttr>(value);
    if (!splat)
      return false;
    return isa<FloatType>(splat.getElementType()) ? splat.getSplatValue<APFloat>().isPosZero()
                                                  : splat.getSplatValue<APInt>().isZero();
  }

  bool isInside(Value value) { return loop->isAncestor(value.getParentRegion()->getParentOp()); }

  /// Adds what the partition computes to have `value`; false if it cannot.
  bool canCompute(Value value) {
    if (computed.contains(value))
      return true;
    bool isTile = isa<RankedTensorType>(value.getType());
    if (isTile && !getPartitionType(value.getType()))
      return false;
    if (!isInside(value) && !isTile)
      return true; // a capture
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() != loop.getBody())
        return false;
      computed.insert(value);
      if (argument == loop.getInductionVar())
        return true;
      carried.push_back(argument.getArgNumber() - 1);
      return canCompute(loop.getTiedLoopInit(argument)->get()) && canCompute(loop.getTiedLoopYieldedValue(argument)->get());
    }
    Operation *op = value.getDefiningOp();
    if (!isRepeatable(op) || op->getNumRegions() || (isInside(value) && op->getParentOp() != loop))
      return false;
    computed.insert(value);
    return llvm::all_of(op->getOperands(), [&](Value operand) { return canCompute(operand); });
  }

  /// The type that a tile has in the partition: its layout, for as many warps as run that. Null where none follows.
  Type getPartitionType(Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      return type;
    Attribute encoding = getPartitionEncoding(tile.getEncoding());
    return encoding ? RankedTensorType::get(tile.getShape(), tile.getElementType(), encoding) : Type();
  }
  Attribute getPartitionEncoding(Attribute encoding) {
    if (auto slice = dyn_cast<ttg::SliceEncodingAttr>(encoding)) {
      Attribute parent = getPartitionEncoding(slice.getParent());
      return parent ? ttg::SliceEncodingAttr::get(loop.getContext(), slice.getDim(), parent) : Attribute();
    }
    auto blocked = dyn_cast<ttg::BlockedEncodingAttr>(encoding);
    if (!blocked)
      return {};
    SmallVector<unsigned> warps(blocked.getWarpsPerCTA());
    unsigned all = llvm::product_of(warps);
    for (unsigned axis : llvm::reverse(blocked.getOrder()))
      while (all > loadingWarps && warps[axis] > 1)
        warps[axis] /= 2, all /= 2;
    warps[blocked.getOrder().back()] *= loadingWarps / all;
    return ttg::BlockedEncodingAttr::get(loop.getContext(), blocked.getSizePerThread(), blocked.getThreadsPerWarp(), warps,
                                         blocked.getOrder());
  }

  //===--- slots ----------------------------------------------------------------------------------------------------===//

  void allocate(Source &source) {
    SmallVector<int64_t> shape = {slots};
    llvm::append_range(shape, source.tile.getShape());
    source.tile = ttg::MemDescType::get(source.tile.getShape(), source.tile.getElementType(), source.tile.getEncoding(),
                                        source.tile.getMemorySpace(), /*mutableMemory=*/true);
    auto all = ttg::MemDescType::get(shape, source.tile.getElementType(), source.tile.getEncoding(),
                                     source.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
    source.tiles = ttg::LocalAllocOp::create(builder, source.load.getLoc(), all, Value(), IntegerAttr());
    source.barriers.emplace(builder, loc, slots, /*fillers=*/loadingWarps * ttg::getThreadsPerWarp(loop),
                            /*readers=*/ttg::getNumWarps(loop));
  }

  Value integer(int64_t value) { return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value)); }

  /// Where in the sequence of slots an iteration is: the slot, plus the number of slots in every other pass.
  struct Position {
    Value next; ///< for the iteration behind
    Value slot, parity;
    Value tile;
  };
  Position getPosition(Value position, Source &source, Value tiles) {
    Value next = createNextSlot(builder, loc, position, 2 * slots);
    Value isOdd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, position, integer(slots));
    Value slot = arith::SelectOp::create(builder, loc, isOdd,
                                         arith::SubIOp::create(builder, loc, position, integer(slots)), position);
    Value parity = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), isOdd);
    Value tile = ttg::MemDescIndexOp::create(builder, source.load.getLoc(), source.tile, tiles, slot);
    return {next, slot, parity, tile};
  }

  //===--- the partition --------------------------------------------------------------------------------------------===//

  /// Scalars from outside that the partition computes from, and what it fills.
  llvm::SetVector<Value> collectCaptures() {
    llvm::SetVector<Value> captured;
    auto capture = [&](Value value) {
      if (!isInside(value) && !computed.contains(value) && !matchPattern(value, m_Constant()))
        captured.insert(value);
    };
    for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      capture(bound);
    for (Value value : computed)
      if (Operation *op = value.getDefiningOp())
        llvm::for_each(op->getOperands(), capture);
    for (unsigned number : carried)
      capture(loop.getInitArgs()[number]);
    for (Source &source : sources)
      for (Value memory : {source.tiles, source.barriers->getFull(), source.barriers->getEmpty()})
        captured.insert(memory);
    return captured;
  }

  /// A copy of what computes `value`, in the partition.
  Value copy(Value value, IRMapping &mapping) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      copy(operand, mapping);
    Operation *clone = builder.clone(*op, mapping);
    for (Value result : clone->getResults())
      result.setType(getPartitionType(result.getType()));
    if (auto constant = dyn_cast<arith::ConstantOp>(clone))
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
        constant.setValueAttr(splat.resizeSplat(cast<ShapedType>(constant.getType())));
    return mapping.lookup(value);
  }

  void writePartition(Block &block, ArrayRef<Value> captured) {
    builder.setInsertionPointToStart(&block);
    IRMapping mapping;
    mapping.map(ValueRange(captured), block.getArguments());
    // What does not change stays in front of the loop.
    for (Value value : computed)
      if (!isInside(value))
        copy(value, mapping);
    SmallVector<Value> inits;
    for (unsigned number : carried)
      inits.push_back(copy(loop.getInitArgs()[number], mapping));
    inits.push_back(integer(0));
    auto loading = scf::ForOp::create(builder, loc, copy(loop.getLowerBound(), mapping), copy(loop.getUpperBound(), mapping),
                                      copy(loop.getStep(), mapping), inits);
    loading.setUnsignedCmp(loop.getUnsignedCmp());
    builder.setInsertionPointAfter(loading);
    ttg::WarpReturnOp::create(builder, loc);

    builder.setInsertionPointToStart(loading.getBody());
    mapping.map(loop.getInductionVar(), loading.getInductionVar());
    for (auto [position, number] : llvm::enumerate(carried))
      mapping.map(loop.getRegionIterArg(number), loading.getRegionIterArg(position));
    Value next;
    for (Source &source : sources) {
      Position position = getPosition(loading.getRegionIterArgs().back(), source, mapping.lookup(source.tiles));
      SlotBarriers barriers = source.barriers->in(mapping);
      Location at = source.load.getLoc();
      Value ptr = copy(source.load.getPtr(), mapping), mask = source.load.getMask(), other;
      if (mask)
        mask = copy(mask, mapping);
      // Nothing has been read before the first pass.
      Value before = arith::XOrIOp::create(builder, loc, position.parity, integer(1));
      barriers.waitUntilEmpty(builder, loc, position.slot, before, position.tile);
      ttg::AsyncCopyGlobalToLocalOp::create(builder, at, ttg::AsyncTokenType::get(loop.getContext()), ptr, position.tile, mask,
                                            other, source.load.getCache(), source.load.getEvict(),
                                            source.load.getIsVolatile(),
                                            getAccessibleNeighbours(axisInfo, source.load.getPtr(), source.load.getMask()));
      barriers.arriveWhenCopied(builder, loc, position.slot);
      next = position.next;
    }
    SmallVector<Value> yields;
    for (unsigned number : carried)
      yields.push_back(copy(loop.getBody()->getTerminator()->getOperand(number), mapping));
    yields.push_back(next);
    scf::YieldOp::create(builder, loc, yields);
  }

  //===--- the program's loop ---------------------------------------------------------------------------------------===//

  void writeProgram() {
    builder.setInsertionPoint(loop);
    SmallVector<Value> positions(sources.size());
    for (Value &position : positions)
      position = integer(0);
    IRRewriter rewriter(loop.getContext());
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, positions, /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
          SmallVector<Value> next;
          for (auto [source, argument] : llvm::zip_equal(sources, arguments))
            next.push_back(readSlots(source, argument));
          return next;
        }));
    loop->removeAttr(tt::warpSpecializeAttr);
  }

  /// In place of the load: the slot that holds what it would load. Returns the next iteration's position.
  Value readSlots(Source &source, Value argument) {
    builder.setInsertionPoint(source.load);
    Position position = getPosition(argument, source, source.tiles);
    source.barriers->waitUntilFull(builder, source.load.getLoc(), position.slot, position.parity, position.tile);
    for (Operation *alloc : llvm::make_early_inc_range(source.load->getUsers())) {
      retype(alloc->getResult(0));
      alloc->replaceAllUsesWith(ValueRange{position.tile});
      alloc->erase();
    }
    source.load->erase();
    Operation *last = getLastProduct(position.tile);
    builder.setInsertionPointAfter(last);
    source.barriers->free(builder, last->getLoc(), position.slot, position.tile);
    return position.next;
  }

  /// Views of memory that others write again are such memory themselves.
  void retype(Value memory) {
    auto type = cast<ttg::MemDescType>(memory.getType());
    memory.setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(), type.getMemorySpace(),
                                         /*mutableMemory=*/true, type.getAllocShape()));
    for (Operation *user : memory.getUsers())
      if (isa<ViewLikeOpInterface>(user))
        retype(user->getResult(0));
  }

  /// The last operation of the loop that reads `memory`.
  Operation *getLastProduct(Value memory) {
    Operation *last = memory.getDefiningOp();
    for (Operation *user : memory.getUsers()) {
      if (isa<ttng::WaitBarrierOp>(user))
        continue;
      Operation *own = isa<ViewLikeOpInterface>(user) ? getLastProduct(user->getResult(0))
                                                      : last->getBlock()->findAncestorOpInBlock(*user);
      if (last->isBeforeInBlock(own))
        last = own;
    }
    return last;
  }

  scf::ForOp loop;
  Location loc;
  OpBuilder builder;
  const AxisInfoAnalysis &axisInfo;
  int64_t slots;
  SmallVector<Source> sources;
  /// What the partition computes: values of the loop, and tiles from in front of it; and what its loop carries, by number.
  llvm::SetVector<Value> computed;
  SmallVector<unsigned> carried;
};

struct SpecializeLoops : tilecc::impl::TritonGPUSpecializeLoopsBase<SpecializeLoops> {
  using TritonGPUSpecializeLoopsBase::TritonGPUSpecializeLoopsBase;

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      int64_t stages = std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), mostStages);
      bool hasProducts = !loop.getBody()->getOps<ttng::WarpGroupDotOp>().empty();
      if (stages > 1 && hasProducts && !loop->getParentOfType<ttg::WarpSpecializeOp>())
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    for (scf::ForOp loop : loops) {
      int64_t stages = std::min<int64_t>(getInteger(loop, numStagesAttr, numStages), mostStages);
      if (Specializer specializer(loop, axisInfo, std::max<int64_t>(stages - 1, 2)); specializer.analyze())
        specializer.rewrite();
    }
  }
};

} // namespace
