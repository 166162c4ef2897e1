//===- PartitionDots.cpp - a partition that starts the dots of a loop over tiles ----------------------------------===//
//
// In a specialized loop, one thread of the program starts the dots, and then all threads of the program store the
// accumulator. In a loop over tiles, the matrix unit would be idle while they do so. This pass moves the inner loop,
// which only starts dots, to a partition of its own, and allocates two accumulators, which tiles use alternately:
//
//     the program:                                     the partition:
//     for each tile:                                   for each tile:
//       wait until the accumulator is full               wait until the accumulator is empty
//       load the accumulator and store the tile;         for each k:
//         after the last load: empty                       wait for the slots of the operands; start the dot
//                                                        full, once the dots are complete
//
// So the dots of a tile overlap with the stores of the previous tile. This is legal if the inner loop does nothing but
// start dots, whose operands are in slots that producer warps fill, and if its bounds can be computed from scalars. It
// is possible if tensor memory has columns for both accumulators.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "targets/nvidia/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUPARTITIONDOTS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

/// The number of accumulators, and the number of registers that each thread of the partition needs.
constexpr int64_t numAccumulators = 2, issuingRegisters = 40;

bool isTile(Value value) { return isa<RankedTensorType>(value.getType()); }

class DotPartition {
public:
  explicit DotPartition(ttg::WarpSpecializeOp op) : op(op), loc(op.getLoc()), builder(op) {}

  /// Returns true if the dots of the kernel can be started by a partition of their own.
  bool analyze() {
    auto func = op->getParentOfType<tt::FuncOp>();
    if (op.getPartitionRegions().size() != 1 || !op.getRequestedRegisters() || ttg::getProgramsPerBlock(op) > 1 ||
        func->hasAttr(ttng::blockPairsAttr))
      return false;
    func.walk([&](ttng::MMAv5OpInterface dot) { dots.push_back(dot); });
    return !dots.empty() && findLoops() && onlyStartsDots() && findWait() && haveAccumulators(func) && canRecompute();
  }

  void run() {
    for (Operation *each : llvm::reverse(ofWait))
      each->erase();
    for (ttng::TMEMAllocOp alloc : accumulators) {
      ttg::MemDescType type = alloc.getType();
      SmallVector<int64_t> shape = {numAccumulators};
      llvm::append_range(shape, type.getShape());
      auto all = ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(), type.getMemorySpace(),
                                       /*mutableMemory=*/true, shape);
      slots.push_back(ttng::TMEMAllocOp::create(builder, alloc.getLoc(), all, Value(), Value()));
    }
    pipeline::SlotBarriers barriers(builder, loc, numAccumulators, /*fillers=*/1,
                                    pipeline::SlotReaders{ttg::getNumWarps(op)});
    llvm::SetVector<Value> all;
    all.insert_range(op.getExplicitCaptures());
    all.insert_range(captures);
    all.insert_range(slots);
    all.insert_range(ArrayRef<Value>{barriers.getFull(), barriers.getEmpty()});
    ttg::WarpSpecializeOp specialized = addPartition(all.getArrayRef());
    writePartition(specialized.getPartitionRegions().back().front(), all.getArrayRef(), barriers);
    writeProgram(barriers);
    builder.setInsertionPointAfter(specialized);
    barriers.destroy(builder, loc);
  }

private:
  //===--- analysis -----------------------------------------------------------------------------------------------===//

  /// Finds the loop that contains all dots, and the loop around it. The inner loop may be inside a branch.
  bool findLoops() {
    loop = dyn_cast<scf::ForOp>(dots.front()->getParentOp());
    if (!loop || llvm::any_of(dots, [&](Operation *dot) { return dot->getParentOp() != loop; }))
      return false;
    unit = loop;
    if (auto branch = dyn_cast<scf::IfOp>(loop->getParentOp())) {
      if (loop->getBlock() != branch.thenBlock())
        return false;
      unit = branch;
    }
    around = dyn_cast<scf::ForOp>(unit->getParentOp());
    return around && around->getParentRegion() == &op.getDefaultRegion();
  }

  bool onlyStartsDots() {
    return llvm::none_of(loop.getInitArgs(), isTile) && llvm::all_of(*loop.getBody(), [](Operation &each) {
             if (auto wait = dyn_cast<ttng::WaitBarrierOp>(each))
               return wait.getFirstWarp();
             if (auto dot = dyn_cast<ttng::MMAv5OpInterface>(each))
               return dot.getIsAsync();
             return isMemoryEffectFree(&each);
           });
  }

  /// Finds the wait for the dots, and everything that belongs to its barrier. Returns false if the branch around the
  /// loop contains anything else.
  bool findWait() {
    auto commits = loop->getBlock()->getOps<ttng::TCGen5CommitOp>();
    if (!llvm::hasSingleElement(commits))
      return false;
    auto barrier = getViewedTile((*commits.begin()).getBarrier()).memory.getDefiningOp<ttg::LocalAllocOp>();
    if (!barrier || barrier->getBlock() != loop->getBlock())
      return false;
    ofWait.insert(barrier);
    for (unsigned i = 0; i < ofWait.size(); ++i)
      for (Operation *user : ofWait[i]->getUsers()) {
        if (!isa<ViewLikeOpInterface, ttng::InitBarrierOp, ttng::InvalBarrierOp, ttng::WaitBarrierOp,
                 ttng::TCGen5CommitOp, ttg::LocalDeallocOp>(user) ||
            user->getBlock() != loop->getBlock())
          return false;
        ofWait.insert(user);
      }
    auto branch = dyn_cast<scf::IfOp>(unit);
    return !branch || llvm::all_of(*branch.thenBlock(), [&](Operation &each) {
      return &each == loop || ofWait.contains(&each) || isMemoryEffectFree(&each);
    });
  }

  bool haveAccumulators(tt::FuncOp func) {
    for (ttng::MMAv5OpInterface dot : dots) {
      auto alloc = dot.getD().getDefiningOp<ttng::TMEMAllocOp>();
      if (!alloc || alloc->getParentOp() != around || alloc.getSrc())
        return false;
      if (!isAccumulator(alloc))
        accumulators.push_back(alloc);
      for (OpOperand *operand : dot.getReadOperands())
        if (op->isAncestor(getViewedTile(operand->get()).memory.getParentRegion()->getParentOp()))
          return false; // a tile that the program computes
    }
    for (ttng::TMEMAllocOp alloc : accumulators)
      if (!llvm::all_of(alloc->getUsers(), llvm::IsaPred<ttng::MMAv5OpInterface, ttng::WaitBarrierOp, ttng::TMEMLoadOp,
                                                         ttng::TMEMStoreOp, ttng::TMEMSubSliceOp>))
        return false;
    unsigned columns = 0;
    func.walk([&](ttng::TMEMAllocOp alloc) {
      unsigned tiles = alloc.getType().getNumTiles() * (isAccumulator(alloc) ? numAccumulators : 1);
      columns += tiles * ttng::getTensorMemoryColumns(alloc.getType());
    });
    return columns <= TensorMemoryAccess::numColumns;
  }

  bool isAccumulator(Operation *op) {
    return llvm::any_of(accumulators, [&](ttng::TMEMAllocOp alloc) { return alloc == op; });
  }

  /// Returns true if the partition can compute the values that the inner loop needs. Collects their computation.
  bool canRecompute() {
    bool isPossible = true;
    for (Value bound : {around.getLowerBound(), around.getUpperBound(), around.getStep()})
      isPossible &= need(bound);
    if (auto branch = dyn_cast<scf::IfOp>(unit))
      isPossible &= need(branch.getCondition());
    pipeline::forEachInput(loop, [&](Value input) { isPossible &= isInUnit(input) || need(input); });
    return isPossible;
  }

  bool need(Value value) {
    if (!needed.insert(value))
      return true;
    if (isTile(value))
      return false;
    if (matchPattern(value, m_Constant()))
      return true;
    Operation *made = value.getDefiningOp();
    if (!op->isAncestor(value.getParentRegion()->getParentOp())) {
      captures.insert(value);
      return true;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument == around.getInductionVar())
        return true;
      if (argument.getOwner() != around.getBody())
        return false;
      carried.push_back(argument.getArgNumber() - 1);
      return need(around.getTiedLoopInit(argument)->get()) && need(around.getTiedLoopYieldedValue(argument)->get());
    }
    if (made == unit)
      return isPassedOn(cast<OpResult>(value));
    if (isAccumulator(made))
      return true;
    bool isComputed = pipeline::isRepeatable(made) && llvm::none_of(made->getResults(), isTile) &&
                      (made->getParentOp() == around || made->getBlock() == around->getBlock());
    computed.insert(made);
    pipeline::forEachInput(made, [&](Value input) { isComputed = isComputed && need(input); });
    return isComputed;
  }

  /// Returns true if the partition has the values that the branch yields as `result`.
  bool isPassedOn(OpResult result) {
    auto branch = dyn_cast<scf::IfOp>(unit);
    return !branch ||
           llvm::all_of(SmallVector<scf::YieldOp>{branch.thenYield(), branch.elseYield()}, [&](scf::YieldOp yield) {
             Value yielded = yield.getOperand(result.getResultNumber());
             return isInUnit(yielded) || need(yielded);
           });
  }

  bool isInUnit(Value value) { return unit->isAncestor(value.getParentRegion()->getParentOp()); }

  //===--- the partitions -----------------------------------------------------------------------------------------===//

  /// Replaces the operation by one with another partition. If the producer warps only start copies, two of them are
  /// enough, and the partition has the other two.
  ttg::WarpSpecializeOp addPartition(ArrayRef<Value> all) {
    Region &producers = op.getPartitionRegions().front();
    bool computesTiles =
        producers
            .walk([](Operation *each) {
              return llvm::any_of(each->getOperands(), isTile) || llvm::any_of(each->getResults(), isTile)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            })
            .wasInterrupted();
    int32_t warps = op.getPartitionNumWarps().front();
    warps = computesTiles ? warps : warps / 2;
    int32_t registers = op.getRequestedRegisters()->front();
    auto specialized = ttg::WarpSpecializeOp::create(builder, loc, op.getResultTypes(), all, {warps, warps});
    specialized.setRequestedRegisters(ArrayRef<int32_t>{registers, issuingRegisters});
    specialized.getDefaultRegion().takeBody(op.getDefaultRegion());
    Region &copied = specialized.getPartitionRegions().front();
    copied.takeBody(producers);
    for (Value capture : all.drop_front(op.getExplicitCaptures().size()))
      copied.addArgument(capture.getType(), loc);
    op->replaceAllUsesWith(specialized.getResults());
    op.erase();
    return specialized;
  }

  /// Returns the slot of a tile, and the parity of its barriers' phase, given the number of tiles before it.
  std::pair<Value, Value> getPosition(Value count) {
    Value one = integer(1);
    Value slot = arith::AndIOp::create(builder, loc, count, one);
    return {slot, arith::AndIOp::create(builder, loc, arith::ShRUIOp::create(builder, loc, count, one), one)};
  }
  Value integer(int32_t value) { return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value)); }

  SmallVector<Value> getAccumulators(ValueRange memory, Value slot) {
    SmallVector<Value> views;
    for (auto [all, alloc] : llvm::zip_equal(memory, accumulators))
      views.push_back(ttg::MemDescIndexOp::create(builder, loc, alloc.getType(), all, slot));
    return views;
  }

  void writePartition(Block &block, ArrayRef<Value> all, const pipeline::SlotBarriers &ofProgram) {
    IRMapping mapping;
    mapping.map(ValueRange(all), ValueRange(block.getArguments()));
    builder.setInsertionPointToEnd(&block);
    for (Value value : needed)
      if (Operation *constant = value.getDefiningOp(); constant && matchPattern(constant, m_Constant()))
        builder.clone(*constant, mapping);
    for (Operation &each : *around->getBlock())
      if (computed.contains(&each))
        builder.clone(each, mapping);
    SmallVector<Value> inits;
    for (unsigned number : carried)
      inits.push_back(mapping.lookup(around.getInitArgs()[number]));
    inits.push_back(integer(0));
    auto issuing = scf::ForOp::create(builder, loc, mapping.lookup(around.getLowerBound()),
                                      mapping.lookup(around.getUpperBound()), mapping.lookup(around.getStep()), inits);
    issuing.setUnsignedCmp(around.getUnsignedCmp());
    ttg::WarpReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(issuing.getBody());
    mapping.map(around.getInductionVar(), issuing.getInductionVar());
    for (auto [number, argument] : llvm::zip(carried, issuing.getRegionIterArgs()))
      mapping.map(around.getRegionIterArg(number), argument);
    Value count = issuing.getRegionIterArgs().back();
    auto [slot, parity] = getPosition(count);
    SmallVector<Value> memory;
    for (Value allocation : slots)
      memory.push_back(mapping.lookup(allocation));
    SmallVector<Value> views = getAccumulators(memory, slot);
    for (auto [alloc, view] : llvm::zip_equal(accumulators, views))
      mapping.map(alloc.getResult(), view);
    pipeline::SlotBarriers barriers = ofProgram.in(mapping);
    // In the first pass over the accumulators, none has been filled yet.
    barriers.waitUntilEmpty(builder, loc, slot, arith::XOrIOp::create(builder, loc, parity, integer(1)), views,
                            /*byFirstWarp=*/true);
    for (Operation &each : *around.getBody()) {
      if (&each == unit)
        eraseStores(builder.clone(each, mapping));
      else if (computed.contains(&each))
        builder.clone(each, mapping);
    }
    ttng::TCGen5CommitOp::create(builder, loc, barriers.getFull(builder, loc, slot), /*pred=*/Value());
    SmallVector<Value> yields;
    for (unsigned number : carried)
      yields.push_back(mapping.lookup(around.getYieldedValues()[number]));
    yields.push_back(arith::AddIOp::create(builder, loc, count, integer(1)));
    scf::YieldOp::create(builder, loc, yields);
  }

  /// Erases stores of tiles to tensor memory, which the program executes, and the tiles.
  static void eraseStores(Operation *op) {
    op->walk([](ttng::TMEMStoreOp store) {
      Operation *tile = store.getSrc().getDefiningOp();
      store.erase();
      if (tile && tile->use_empty() && isMemoryEffectFree(tile))
        tile->erase();
    });
  }

  void writeProgram(const pipeline::SlotBarriers &barriers) {
    builder.setInsertionPoint(around);
    IRRewriter rewriter(builder);
    Value count;
    around = cast<scf::ForOp>(*around.replaceWithAdditionalYields(
        rewriter, integer(0), /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &atEnd, Location, ArrayRef<BlockArgument> arguments) {
          count = arguments[0];
          Value one = arith::ConstantOp::create(atEnd, loc, atEnd.getI32IntegerAttr(1));
          return SmallVector<Value>{arith::AddIOp::create(atEnd, loc, count, one)};
        }));
    builder.setInsertionPointToStart(around.getBody());
    auto [slot, parity] = getPosition(count);
    SmallVector<Value> views = getAccumulators(slots, slot);
    for (auto [alloc, view] : llvm::zip_equal(accumulators, views)) {
      alloc->replaceAllUsesWith(ValueRange(view));
      alloc.erase();
    }
    builder.setInsertionPoint(unit);
    barriers.waitUntilFull(builder, loc, slot, parity, views);
    loop->replaceAllUsesWith(loop.getInitArgs());
    loop.erase();
    Operation *last = nullptr;
    for (Value view : views)
      forEachAccess(view, [&](Operation *access) {
        Operation *inBody = around.getBody()->findAncestorOpInBlock(*access);
        last = last && inBody->isBeforeInBlock(last) ? last : inBody;
      });
    builder.setInsertionPointAfter(last); // the wait, if nobody reads the accumulator
    barriers.free(builder, loc, slot, views);
  }

  static void forEachAccess(Value memory, function_ref<void(Operation *)> visit) {
    for (Operation *user : memory.getUsers()) {
      if (isa<ViewLikeOpInterface>(user))
        forEachAccess(user->getResult(0), visit);
      else
        visit(user);
    }
  }

  ttg::WarpSpecializeOp op;
  Location loc;
  OpBuilder builder;
  SmallVector<ttng::MMAv5OpInterface> dots;
  scf::ForOp around, loop;
  Operation *unit = nullptr; ///< the operation of the outer loop that is or contains the inner loop
  llvm::SetVector<Operation *> ofWait; ///< the barrier of the wait for the dots, and its users
  SmallVector<ttng::TMEMAllocOp> accumulators;
  SmallVector<Value> slots; ///< both of each accumulator
  llvm::SetVector<Value> needed, captures;
  llvm::SetVector<Operation *> computed; ///< what the partition recomputes
  SmallVector<unsigned> carried; ///< the numbers of the values of the outer loop that the partition carries
};

struct PartitionDots : tilecc::impl::TritonNvidiaGPUPartitionDotsBase<PartitionDots> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>()) {
      SmallVector<ttg::WarpSpecializeOp> ops;
      func.walk([&](ttg::WarpSpecializeOp op) { ops.push_back(op); });
      if (ops.size() != 1)
        continue; // all loops of a kernel share the warps of partitions
      if (DotPartition partition(ops.front()); partition.analyze())
        partition.run();
    }
  }
};

} // namespace
