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
// Tensors are copied by one thread (tt.descriptor_load, UseTensorMaps.cpp); else all threads of the partition copy. Lines beside them
// of which each thread holds much (numbers of rows, along the columns of a product's result) are copied by one thread, too, in loops that
// put into memory what they multiply: registers are short there until an iteration's end, and what the next one needs was loaded late,
// and waited for (12 % of attention's backward). Elsewhere lines are there in time, and cost less in registers than by slots (5 to 7 %).
//
// Each load has slots and barriers of its own (SlotBarriers.h), so no warp waits for what it does not need, and no barrier
// of all threads keeps the warpgroups of the program in step. What the program's warps then do is still the plain loop:
// RotateLoops and OverlapProducts come behind.
//
// Legal where the loads read what nothing in the loop writes, and their addresses can be computed apart: from values that
// the loop does not load, by operations that may run twice. The partition computes them again, from scalars on.
//
// Where programs share a block (ShareBlocks.cpp), the partition loads for all of them, from the first iteration that any of them
// makes to the last, and a slot is empty when all have read it. A program waits for the slots of iterations that it does not make,
// too, and gives them back unread. Legal where the tensor accelerator copies, all programs load the same, and all come by.
//
// Done where a loop asks for it (tt.warp_specialize), and where one product of an iteration follows from another
// (attention) in programs of several warpgroups: the warpgroups then drift apart, and the softmax of one falls on the
// products of the other; and where programs share a block. A plain matrix product gains nothing: its warps wait for the matrix units all the time.
//
//===---------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/AffineTile.h"
#include "lowering/analysis/BufferSlots.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/BlockSharing.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "lowering/pipeliner/LoopSlice.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "lowering/pipeliner/SlotBarriers.h"
#include "lowering/pipeliner/TensorCopies.h"
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

/// The warps that load, and the registers that each of their threads needs: to copy by themselves, to have tensor maps do it, and
/// to do so for programs with bounds of their own.
constexpr int32_t loadingWarps = 4, copyingRegisters = 40, startingRegisters = 24, unevenRegisters = 32;

class Specializer {
public:
  Specializer(scf::ForOp loop, const AxisInfoAnalysis &axisInfo, int64_t slots)
      : loop(loop), loc(loop.getLoc()), builder(loop), axisInfo(axisInfo), slots(slots),
        programs(ttg::getProgramsPerBlock(loop)), iterations(loop), tiles(loop, loadingWarps), addresses(loop, /*warps=*/0) {}

  /// Whether it is to be done, and can be. Finds what the partition computes.
  bool analyze() {
    bool isAsked = loop->hasAttr(tt::warpSpecializeAttr);
    // All threads of a cluster come to its barriers, which partitions do not.
    if (ttg::getModuleInteger(loop, ttg::numCTAsAttr, 1) > 1)
      return false;
    if (isAsked ? !cast<BoolAttr>(loop->getAttr(tt::warpSpecializeAttr)).getValue() : !paysByItself())
      return false;
    for (Operation &op : *loop.getBody())
      if (ttg::MemDescType tile = isLoad(&op) ? getAllocatedType(loop, &op) : ttg::MemDescType())
        sources.push_back({&op, tile});
    if (sources.empty() || !llvm::all_of(sources, [&](Source &source) { return canMove(source); }) ||
        (programs > 1 && !canShare()))
      return false;
    bool stores = programs == 1 && llvm::any_of(*loop.getBody(), [](Operation &op) {
      return isa<tt::StoreOp, tt::AtomicRMWOp, tt::DescriptorReduceOp>(op);
    });
    for (auto load : loop.getBody()->getOps<tt::LoadOp>())
      if (stores && isLine(load) && addresses.add(load.getPtr())) {
        auto type = cast<RankedTensorType>(load.getType());
        auto encoding = ttg::SwizzledSharedEncodingAttr::get(loop.getContext(), /*vec=*/1, /*perPhase=*/1, /*maxPhase=*/1,
                                                             /*order=*/{0});
        auto tile = ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                          ttg::SharedMemorySpaceAttr::get(loop.getContext()), /*mutableMemory=*/true);
        sources.push_back({load, tile});
      }
    return true;
  }

  void rewrite() {
    SmallVector<Operation *> moved = findOwnLoads();
    builder.setInsertionPoint(loop);
    iterations.create(builder);
    for (Source &source : sources)
      allocate(source);
    // What threads accessed where the slots are comes before what is copied there on another way.
    if (llvm::any_of(sources, [](Source &source) { return source.isOneThreads(); }))
      ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
    llvm::SetVector<Value> captured = collectCaptures();
    SmallVector<Type> types(loop.getResultTypes());
    for (Operation *each : moved)
      llvm::append_range(types, each->getResultTypes());
    auto op = ttg::WarpSpecializeOp::create(builder, loc, types, captured.getArrayRef(), {loadingWarps});
    bool copies = llvm::any_of(sources, [](Source &source) { return !source.isOneThreads(); });
    op.setRequestedRegisters(
        ArrayRef<int32_t>{copies ? copyingRegisters : iterations.areSame() ? startingRegisters : unevenRegisters});
    loop->replaceAllUsesWith(op.getResults().take_front(loop.getNumResults()));
    writePartition(op.getPartitionRegions().front().front(), captured.getArrayRef());
    Block &program = op.getDefaultRegion().front();
    SmallVector<Value> results;
    for (Operation *each : moved) {
      each->moveBefore(&program, program.end());
      llvm::append_range(results, each->getResults());
    }
    if (!moved.empty()) {
      // In the loop, where the first product that reads them would have it, it would keep warpgroups in step.
      builder.setInsertionPointToEnd(&program);
      ttg::LocalBarrierOp::create(builder, loc);
    }
    loop->moveBefore(&program, program.end());
    unsigned own = loop.getNumResults();
    for (auto [inside, outside] : llvm::zip_equal(results, op.getResults().drop_front(own)))
      inside.replaceUsesWithIf(outside, [&](OpOperand &use) { return !op->isProperAncestor(use.getOwner()); });
    writeProgram();
    builder.setInsertionPointToEnd(&program);
    results.insert(results.begin(), loop.getResults().begin(), loop.getResults().begin() + own);
    ttg::WarpYieldOp::create(builder, loc, results);
    builder.setInsertionPointAfter(op);
    for (Source &source : sources) {
      source.barriers->destroy(builder, loc);
      ttg::LocalDeallocOp::create(builder, loc, source.tiles);
    }
  }

private:
  struct Source {
    Operation *load;
    ttg::MemDescType tile; ///< what a slot holds
    Value tiles = {};      ///< all slots
    std::optional<SlotBarriers> barriers = {};

    bool isLine() const { return tile.getRank() == 1; }
    bool isOneThreads() const { return isLine() || isa<tt::DescriptorLoadOp>(load); }
    Location getLoc() const { return load->getLoc(); }
  };

  //===--- what is to be done ---------------------------------------------------------------------------------------===//

  bool paysByItself() {
    if (programs > 1)
      return true;
    if (ttg::getNumWarps(loop) <= 4)
      return false;
    auto isProduct = [](Operation *op) { return isa<ttng::WarpGroupDotOp>(op); };
    return llvm::any_of(loop.getBody()->getOps<ttng::WarpGroupDotOp>(),
                        [&](Operation *dot) { return followsFrom(loop, dot, isProduct); });
  }

  /// Whether the partition can load for all programs of the block.
  bool canShare() {
    return isa<tt::FuncOp>(loop->getParentOp()) && iterations.analyze(axisInfo, /*mayBegin=*/!addresses.isCarried()) &&
           llvm::all_of(sources, [&](Source &source) {
             auto load = dyn_cast<tt::DescriptorLoadOp>(source.load);
             return load && llvm::all_of(load.getIndices(), [&](Value index) { return isCommon(index, loop); });
           });
  }

  /// Whether the partition can load it, and how.
  bool canMove(Source &source) {
    if (!isWide(source.load, axisInfo) || !mayRunAhead(loop, source.load))
      return false;
    if (auto load = dyn_cast<tt::DescriptorLoadOp>(source.load))
      return llvm::all_of(load.getIndices(), [&](Value index) { return addresses.add(index); });
    auto load = cast<tt::LoadOp>(source.load);
    Value mask = load.getMask(), other = load.getOther();
    bool isZero = !other || matchPattern(other, m_PosZeroFloat()) || matchPattern(other, m_Zero());
    return isZero && tiles.add(load.getPtr()) && (!mask || tiles.add(mask));
  }

  /// Neighbours in memory of which a thread holds many, to be copied at once.
  bool isLine(tt::LoadOp load) {
    constexpr unsigned fewElements = 4, unitBits = 128;
    auto type = dyn_cast<RankedTensorType>(load.getType());
    if (!type || type.getRank() != 1 || load.getMask() || ttg::getElementsPerThread(type) <= fewElements || !mayRunAhead(loop, load))
      return false;
    unsigned bits = tt::getElementBits(type.getElementType());
    auto strides = getStrides(load.getPtr());
    return bits >= 8 && strides && strides->front() == Stride{1, Value()} && type.getNumElements() * bits % unitBits == 0 &&
           getAccessibleNeighbours(axisInfo, load.getPtr()) * bits >= unitBits;
  }

  /// Loads that the loop's products need, in front of it, and what brings them to shared memory: the partition has started when
  /// the program waits for them.
  SmallVector<Operation *> findOwnLoads() {
    llvm::SetVector<Operation *> found;
    for (auto dot : loop.getBody()->getOps<ttng::WarpGroupDotOp>())
      for (Value operand : dot->getOperands().take_front(2)) {
        auto alloc = operand.getDefiningOp<ttg::LocalAllocOp>();
        auto load = alloc && alloc.getSrc() ? alloc.getSrc().getDefiningOp<tt::LoadOp>() : nullptr;
        if (!load || load->getBlock() != loop->getBlock() || alloc->getBlock() != loop->getBlock() ||
            load.getIsVolatile() || !load->hasOneUse())
          continue;
        bool isRead = llvm::all_of(llvm::make_range(std::next(load->getIterator()), loop->getIterator()),
                                   [](Operation &between) { return !writesGlobalMemory(&between); });
        bool isEarly = llvm::any_of(alloc->getUsers(), [&](Operation *user) {
          Operation *own = loop->getBlock()->findAncestorOpInBlock(*user);
          return own && own->isBeforeInBlock(loop);
        });
        if (isRead && !isEarly) {
          found.insert(load);
          found.insert(alloc);
        }
      }
    return found.takeVector();
  }
  static bool writesGlobalMemory(Operation *op) {
    if (isMemoryEffectFree(op))
      return false;
    auto effects = getEffectsRecursively(op);
    return !effects || llvm::any_of(*effects, [](const MemoryEffects::EffectInstance &effect) {
             return isa<MemoryEffects::Write>(effect.getEffect()) && !isa<ttg::SharedMemory>(effect.getResource());
           });
  }

  //===--- slots ----------------------------------------------------------------------------------------------------===//

  void allocate(Source &source) {
    SmallVector<int64_t> shape = {slots};
    llvm::append_range(shape, source.tile.getShape());
    source.tile = ttg::MemDescType::get(source.tile.getShape(), source.tile.getElementType(), source.tile.getEncoding(),
                                        source.tile.getMemorySpace(), /*mutableMemory=*/true);
    auto all = ttg::MemDescType::get(shape, source.tile.getElementType(), source.tile.getEncoding(),
                                     source.tile.getMemorySpace(), /*mutableMemory=*/true, shape);
    source.tiles = ttg::LocalAllocOp::create(builder, source.getLoc(), all, Value(), IntegerAttr());
    int64_t fillers = source.isOneThreads() ? 1 : loadingWarps * ttg::getThreadsPerWarp(loop);
    source.barriers.emplace(builder, loc, slots, fillers, /*readers=*/ttg::getNumWarps(loop) * programs, /*ofBlock=*/programs > 1);
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
    Value tile = ttg::MemDescIndexOp::create(builder, source.getLoc(), source.tile, tiles, slot);
    return {next, slot, parity, tile};
  }

  //===--- the partition --------------------------------------------------------------------------------------------===//

  /// Scalars from outside that the partition computes from, and what it fills.
  llvm::SetVector<Value> collectCaptures() {
    llvm::SetVector<Value> captured;
    for (Value bound : {iterations.getBegin(), iterations.getEnd(), loop.getStep()})
      if (!matchPattern(bound, m_Constant()))
        captured.insert(bound);
    captured.insert_range(iterations.getCaptures());
    tiles.collectCaptures(captured);
    addresses.collectCaptures(captured);
    for (Source &source : sources) {
      captured.insert_range(ArrayRef<Value>{source.tiles, source.barriers->getFull(), source.barriers->getEmpty()});
      if (auto load = dyn_cast<tt::DescriptorLoadOp>(source.load))
        captured.insert(load.getDesc());
    }
    return captured;
  }

  void writePartition(Block &block, ArrayRef<Value> captured) {
    builder.setInsertionPointToStart(&block);
    IRMapping ofTiles, ofAddresses;
    for (IRMapping *mapping : {&ofTiles, &ofAddresses})
      mapping->map(ValueRange(captured), block.getArguments());
    SmallVector<Value> inits = tiles.createInits(builder, ofTiles);
    size_t carriedTiles = inits.size();
    llvm::append_range(inits, addresses.createInits(builder, ofAddresses));
    size_t carried = inits.size();
    inits.push_back(integer(0));
    auto bound = [&](Value value) { return createFirstElement(builder, value, ofAddresses); };
    Value begin = bound(iterations.getBegin()), end = bound(iterations.getEnd()), step = bound(loop.getStep());
    auto loading = scf::ForOp::create(builder, loc, begin, end, step, inits);
    loading.setUnsignedCmp(loop.getUnsignedCmp());
    builder.setInsertionPointAfter(loading);
    ttg::WarpReturnOp::create(builder, loc);

    builder.setInsertionPointToStart(loading.getBody());
    ValueRange arguments = loading.getRegionIterArgs();
    tiles.mapCarried(arguments.take_front(carriedTiles), ofTiles);
    addresses.mapCarried(arguments.take_front(carried).drop_front(carriedTiles), ofAddresses);
    for (IRMapping *mapping : {&ofTiles, &ofAddresses})
      mapping->map(loop.getInductionVar(), loading.getInductionVar());
    Value next, isMade = iterations.createIsMade(builder, loading.getInductionVar(), ofAddresses);
    for (Source &source : sources) {
      Position position = getPosition(arguments.back(), source, ofTiles.lookup(source.tiles));
      SlotBarriers barriers = source.barriers->in(ofTiles);
      // Nothing has been read before the first pass.
      Value before = arith::XOrIOp::create(builder, loc, position.parity, integer(1));
      barriers.waitUntilEmpty(builder, loc, position.slot, before, position.tile);
      if (source.isOneThreads())
        startCopy(source, position, barriers, ofAddresses, isMade);
      else
        copy(source, position, barriers, ofTiles);
      next = position.next;
    }
    SmallVector<Value> yields = tiles.createYields(builder, ofTiles);
    llvm::append_range(yields, addresses.createYields(builder, ofAddresses));
    yields.push_back(next);
    scf::YieldOp::create(builder, loc, yields);
  }

  /// All threads copy.
  void copy(Source &source, const Position &position, SlotBarriers &barriers, IRMapping &mapping) {
    auto load = cast<tt::LoadOp>(source.load);
    Value ptr = tiles.create(builder, load.getPtr(), mapping), mask = load.getMask();
    if (mask)
      mask = tiles.create(builder, mask, mapping);
    ttg::AsyncCopyGlobalToLocalOp::create(
        builder, load.getLoc(), ttg::AsyncTokenType::get(loop.getContext()), ptr, position.tile, mask, /*other=*/Value(),
        load.getCache(), load.getEvict(), load.getIsVolatile(),
        getAccessibleNeighbours(axisInfo, load.getPtr(), load.getMask()));
    barriers.arriveWhenCopied(builder, loc, position.slot);
  }

  /// One thread has the tensor memory accelerator copy, if some program makes the iteration (null: in any case).
  void startCopy(Source &source, const Position &position, SlotBarriers &barriers, IRMapping &mapping, Value isMade) {
    if (source.isLine()) {
      Value first = addresses.create(builder, cast<tt::LoadOp>(source.load).getPtr(), mapping);
      Value full = barriers.expectCopies(builder, loc, position.slot, ttg::getTileStrideInBytes(source.tile));
      Value always = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
      ttng::AsyncBulkCopyGlobalToLocalOp::create(builder, source.getLoc(), first, full, position.tile, always);
      return;
    }
    auto load = cast<tt::DescriptorLoadOp>(source.load);
    SmallVector<Value> indices;
    for (Value index : load.getIndices())
      indices.push_back(addresses.create(builder, index, mapping));
    Value full = barriers.expectCopies(builder, loc, position.slot, ttg::getTileStrideInBytes(source.tile),
                                       isMade, position.tile);
    createTensorCopy(builder, load, mapping.lookup(load.getDesc()), indices, position.tile, full, isMade);
  }

  //===--- the program's loop ---------------------------------------------------------------------------------------===//

  void writeProgram() {
    builder.setInsertionPoint(loop);
    SmallVector<Value> positions(sources.size());
    for (Value &position : positions)
      position = integer(0);
    if (!iterations.areSame())
      positions = skipSlots(iterations.getBegin(), iterations.getOwnBegin(), positions);
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
    builder.setInsertionPointAfter(loop);
    if (!iterations.areSame()) {
      loop->setAttr(ttng::unevenAttr, builder.getUnitAttr());
      skipSlots(iterations.getOwnEnd(), iterations.getEnd(), loop.getResults().take_back(sources.size()));
    }
  }

  /// Iterations from `begin` to `end`, which other programs make: waits for their slots and gives them back. Returns the positions behind.
  SmallVector<Value> skipSlots(Value begin, Value end, ValueRange positions) {
    auto skipping = scf::ForOp::create(builder, loc, begin, end, loop.getStep(), positions);
    skipping->setAttr(ttng::othersIterationsAttr, builder.getUnitAttr());
    builder.setInsertionPointToStart(skipping.getBody());
    SmallVector<Value> next;
    for (auto [source, argument] : llvm::zip_equal(sources, skipping.getRegionIterArgs())) {
      Position position = getPosition(argument, source, source.tiles);
      source.barriers->waitUntilFull(builder, loc, position.slot, position.parity, position.tile);
      source.barriers->free(builder, loc, position.slot, position.tile);
      next.push_back(position.next);
    }
    scf::YieldOp::create(builder, loc, next);
    builder.setInsertionPointAfter(skipping);
    return SmallVector<Value>(skipping.getResults());
  }

  /// In place of the load: the slot that holds what it would load. Returns the next iteration's position.
  Value readSlots(Source &source, Value argument) {
    builder.setInsertionPoint(source.load);
    Position position = getPosition(argument, source, source.tiles);
    source.barriers->waitUntilFull(builder, source.getLoc(), position.slot, position.parity, position.tile);
    if (source.isLine()) {
      Value line = ttg::LocalLoadOp::create(builder, source.getLoc(), cast<tt::LoadOp>(source.load).getType(), position.tile, Value());
      builder.setInsertionPointAfter(getFirstReader(source.load));
      source.barriers->free(builder, source.getLoc(), position.slot, position.tile);
      source.load->getResult(0).replaceAllUsesWith(line);
      source.load->erase();
      return position.next;
    }
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

  /// The first operation of the loop that computes with what `op` gives: where that has been loaded at the latest.
  Operation *getFirstReader(Operation *op) {
    Operation *first = nullptr;
    for (Operation *user : op->getUsers()) {
      bool isView = isa<tt::ExpandDimsOp, tt::BroadcastOp>(user) && user->getBlock() == op->getBlock();
      Operation *reader = isView ? getFirstReader(user) : op->getBlock()->findAncestorOpInBlock(*user);
      if (!first || reader->isBeforeInBlock(first))
        first = reader;
    }
    return first ? first : op;
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
  unsigned programs; ///< that share the block
  BlockIterations iterations;
  LoopSlice tiles, addresses; ///< what the partition computes: tiles of pointers and masks; coordinates in tensors
};

/// What a kernel's only partition asks for.
int32_t getRegisters(ttg::WarpSpecializeOp op) {
  auto registers = op.getRequestedRegisters();
  return registers && registers->size() == 1 ? registers->front() : 0;
}

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
      if (Specializer specializer(loop, axisInfo, std::max<int64_t>(stages - 1, 2));
          specializer.analyze())
        specializer.rewrite();
    }
    // The warps are the same for all loops of a kernel, and so are their registers.
    SmallVector<ttg::WarpSpecializeOp> specialized;
    getOperation().walk([&](ttg::WarpSpecializeOp op) { specialized.push_back(op); });
    int32_t most = 0;
    for (ttg::WarpSpecializeOp op : specialized)
      most = std::max(most, getRegisters(op));
    for (ttg::WarpSpecializeOp op : specialized)
      if (getRegisters(op) < most && op.getPartitionNumWarps().size() == 1)
        op.setRequestedRegisters(ArrayRef<int32_t>{most});
  }
};

} // namespace
