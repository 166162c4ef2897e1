//===- UseTensorMaps.cpp - turns accesses through pointers into tensor copies -------------------------------------===//
//
// TileTensorMaps.cpp recognizes blocks of tensors, and ImageTensorMaps.cpp recognizes pixels of images. This pass
// replaces three kinds of accesses:
//
// - Loads of operands of warp-group dots in loops. The pipeline then copies these operands without using threads. This
//   is legal if no store of the kernel may write the loaded memory, because the tensor memory accelerator does not wait
//   for stores of threads.
// - Additions (tt.atomic_rmw fadd, relaxed, with unused results) in loops with such dots. Threads store a tile to
//   shared memory, and continue while it is added. This is legal if no other operation of the kernel may access the
//   memory, and no operation orders accesses.
// - Stores of the results of dots, in loops around the loops of the dots (persistent kernels). A tile is copied in
//   parts through two slots, and no thread waits for the stores to complete. This is legal under the same conditions as
//   for additions. The tiles of one operation are written in the order of iterations. Only stores through descriptors
//   are replaced. Blocks of descriptors have two coordinates, and multiplications of 4096^3 become 1 to 2 % faster on
//   an H200; with plain pointers, the change would be -2 to 1 %. Programs with a single tile are not changed, because
//   they cannot exit until their copies have been read, and become 3 to 5 % slower.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/PointerRoot.h"
#include "lowering/analysis/TileCopy.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/EarlyLoads.h"
#include "targets/nvidia/hopper/ImageTensorMaps.h"
#include "targets/nvidia/hopper/LoopSlice.h"
#include "lowering/pipeliner/LoopUtils.h"
#include "targets/nvidia/hopper/SpecializedLoop.h"
#include "targets/nvidia/hopper/TileTensorMaps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAGPUUSETENSORMAPS
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

bool isZero(Value value) { return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero()); }

//===--- sums -----------------------------------------------------------------------------------------------------===//

/// Returns true if the only operations that may access memory reached from `root` are those for which `isLike` holds,
/// and no operation orders accesses.
bool isAccessedAlone(tt::FuncOp func, Value root, function_ref<bool(Operation *)> isLike) {
  auto visit = [&](Operation *op) {
    if (op->getNumRegions() || isMemoryEffectFree(op) || touchesSharedMemoryAlone(op) || isLike(op))
      return WalkResult::advance();
    auto access = tt::getGlobalAccess(op);
    std::optional<Value> accessed = getChangedRoot(op);
    if (!accessed && isa<tt::LoadOp>(op))
      accessed = getPointerRoot(access->pointers);
    if (!accessed) // an access that orders others, or another kind of operation
      return isa<tt::DescriptorLoadOp>(op) ? WalkResult::advance() : WalkResult::interrupt();
    return *accessed && *accessed != root ? WalkResult::advance() : WalkResult::interrupt();
  };
  return root && !func.walk(visit).wasInterrupted();
}

/// Returns true if only additions like `atomic` may access the memory to which it adds.
bool isSumAlone(tt::AtomicRMWOp atomic) {
  auto isSum = [](Operation *op) {
    auto atomic = dyn_cast<tt::AtomicRMWOp>(op);
    return isa<tt::DescriptorReduceOp>(op) || (atomic && atomic.getAtomicRmwOp() == tt::RMWOp::FADD &&
                                               atomic.getSem() == tt::MemSemantic::RELAXED && atomic.use_empty());
  };
  return isSum(atomic) &&
         isAccessedAlone(atomic->getParentOfType<tt::FuncOp>(), getPointerRoot(atomic.getPtr()), isSum);
}

/// Returns the type of the tile in shared memory from which the elements are added; null if the added tile does not
/// consist of rows of f32.
ttg::MemDescType getWaitingTile(tt::AtomicRMWOp atomic) {
  auto type = dyn_cast<RankedTensorType>(atomic.getVal().getType());
  if (!type || type.getRank() != 2 || !type.getElementType().isF32())
    return {};
  MLIRContext *context = atomic.getContext();
  auto encoding = ttg::NVMMASharedEncodingAttr::getWidest(context, type.getShape(), /*transposed=*/false, 32);
  return encoding ? ttg::MemDescType::get(type.getShape(), type.getElementType(), encoding,
                                          ttg::SharedMemorySpaceAttr::get(context))
                  : ttg::MemDescType();
}

//===--- stores ---------------------------------------------------------------------------------------------------===//

/// Returns the stored value in the layout of the dot that computes it; null if the value is not the result of a dot.
Value getStoredDot(tt::StoreOp store) {
  Value tile = store.getValue();
  while (auto convert = tile.getDefiningOp<ttg::ConvertLayoutOp>())
    tile = convert.getSrc();
  auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
  bool isAround = loop && containsLoopOfDots(loop);
  auto isThis = [&](Operation *op) { return op == store; };
  return isAround && isa<RankedTensorType>(tile.getType()) &&
                 isAccessedAlone(store->getParentOfType<tt::FuncOp>(), getPointerRoot(store.getPtr()), isThis)
             ? tile
             : Value();
}

/// Returns true if `load` may become a tensor copy. It may not if the kernel creates its own maps and threads can load
/// as fast.
bool mayUseMap(tt::LoadOp load, const AxisInfoAnalysis &axisInfo) {
  auto always = load->getParentOfType<tt::FuncOp>()->getAttrOfType<BoolAttr>(makesMapsAttr);
  if (!always || always.getValue())
    return true;
  constexpr int64_t widestAccess = 16;
  const int64_t bytes = tt::getElementBits(getElementTypeOrSelf(load.getType())) / 8;
  return getAccessibleNeighbours(axisInfo, load.getPtr(), load.getMask()) * bytes < widestAccess;
}

//===--- loops ----------------------------------------------------------------------------------------------------===//

class LoopRewriter {
public:
  LoopRewriter(scf::ForOp loop, const AxisInfoAnalysis &axisInfo)
      : loop(loop), slice(loop, /*warps=*/0, /*isInPlace=*/true), builder(loop), loc(loop.getLoc()) {
    bool takesLoads = hasWarpGroupDots(loop) || llvm::any_of(loop.getBody()->getOps<scf::ForOp>(), wantsPartition);
    bool mayBeImage = !loop->getParentOfType<tt::FuncOp>()->hasAttr(tt::noImagesAttr);
    for (auto load : loop.getBody()->getOps<tt::LoadOp>())
      if (ttg::MemDescType tile = getAllocatedType(loop, load);
          takesLoads && tile && mayRunAhead(loop, load) && !load.getIsVolatile() && mayUseMap(load, axisInfo) &&
          (!load.getOther() || isZero(load.getOther())) && !mayBeWritten(load)) {
        if (auto matrix = getMatrix(load.getPtr(), load.getMask(), tile, axisInfo); matrix && canCompute(load, *matrix))
          loads.emplace_back(load, *matrix);
        else if (auto image = mayBeImage ? getImage(load.getPtr(), load.getMask(), tile) : std::nullopt;
                 image && canRunAhead(*image))
          images.emplace_back(load, *image);
      }
    for (auto atomic : loop.getBody()->getOps<tt::AtomicRMWOp>())
      if (ttg::MemDescType tile = getWaitingTile(atomic); tile && isSumAlone(atomic))
        if (auto matrix = getMatrix(atomic.getPtr(), atomic.getMask(), tile, axisInfo);
            matrix && canCompute(atomic, *matrix))
          sums.emplace_back(atomic, *matrix);
    for (auto store : loop.getBody()->getOps<tt::StoreOp>())
      if (Value tile = getStoredDot(store))
        if (auto plan = TileCopyPlan::get(cast<RankedTensorType>(tile.getType()))) {
          auto type = cast<RankedTensorType>(tile.getType());
          ttg::MemDescType slots = plan->getSlots(1);
          auto memory = ttg::MemDescType::get(type.getShape(), type.getElementType(), slots.getEncoding(),
                                              slots.getMemorySpace());
          if (auto matrix = getMatrix(store.getPtr(), store.getMask(), memory, axisInfo);
              matrix && matrix->hasSizes() && canCompute(store, *matrix)) {
            matrix->boxRows = plan->boxRows;
            stores.push_back({store, tile, *matrix});
          }
        }
  }

  bool hasWork() const { return !loads.empty() || !images.empty() || !sums.empty() || !stores.empty(); }

  scf::ForOp rewrite() {
    IRMapping mapping;
    SmallVector<Value> inits = slice.createInits(builder, mapping);
    // The values that the new loop will carry do not exist yet, so use placeholders until they do.
    SmallVector<Value> names;
    for (Value init : inits)
      names.push_back(UnrealizedConversionCastOp::create(builder, loc, init.getType(), ValueRange()).getResult(0));
    slice.mapCarried(names, mapping);
    for (auto &[load, matrix] : loads)
      rewriteLoad(load, matrix, mapping);
    for (auto &[load, image] : images)
      rewriteLoad(load, image);
    for (auto &[atomic, matrix] : sums)
      rewriteSum(atomic, matrix, mapping);
    for (auto &[store, tile, matrix] : stores)
      rewriteStore(store, tile, matrix, mapping);
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    SmallVector<Value> yields = slice.createYields(builder, mapping);
    IRRewriter rewriter(loop.getContext());
    loop = cast<scf::ForOp>(
        *loop.replaceWithAdditionalYields(rewriter, inits, /*replaceInitOperandUsesInLoop=*/false,
                                          [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
                                            for (auto [name, argument] : llvm::zip_equal(names, arguments)) {
                                              llvm::replace(yields, name, Value(argument));
                                              name.replaceAllUsesWith(argument);
                                              name.getDefiningOp()->erase();
                                            }
                                            return yields;
                                          }));
    return loop;
  }

private:
  bool canCompute(Operation *access, const Matrix &matrix) {
    LoopSlice ahead(loop,
                    /*warps=*/0); // loads are issued ahead, so all of their inputs must be recomputable
    auto add = [&](Value value) { return slice.add(value) && (!isa<tt::LoadOp>(access) || ahead.add(value)); };
    return add(tt::getGlobalAccess(access)->pointers) && llvm::all_of(matrix.mask.conditions, add) &&
           llvm::all_of(matrix.mask.bounds,
                        [&](const TileMask::Bound &bound) { return add(bound.index) && add(bound.limit); });
  }

  bool canRunAhead(const Image &image) {
    LoopSlice ahead(loop, /*warps=*/0);
    return llvm::all_of(image.getInputs(), [&](Value input) { return ahead.add(input); });
  }

  void rewriteLoad(tt::LoadOp load, const Matrix &matrix, IRMapping mapping) {
    loc = load.getLoc();
    builder.setInsertionPoint(load);
    TensorBlock source = createTensorBlock(builder, loc, load.getPtr(), matrix,
                                           [&](Value value) { return slice.create(builder, value, mapping); });
    auto tile = replaceLoad(load, source.map, source.indices, matrix.tile, matrix.axisOfRows);
    if (source.mayBeginOutside)
      tile->setAttr(ttng::mayBeginOutsideAttr, builder.getUnitAttr());
  }

  void rewriteLoad(tt::LoadOp load, const Image &image) {
    loc = load.getLoc();
    // Compute invariants, especially divisions, before the loop.
    Hoist hoist(loop);
    OpBuilder ofIndices(load->getBlock(), Block::iterator(load), &hoist);
    auto [map, indices] = createImageTile(ofIndices, loc, image);
    hoist.run();
    builder.setInsertionPoint(load);
    replaceLoad(load, map, indices, image.tile, image.axisOfRows);
  }

  /// Moves newly created operations before the loop, as far as possible.
  class Hoist : public OpBuilder::Listener {
  public:
    Hoist(scf::ForOp loop) : loop(loop) {}
    void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override { created.push_back(op); }
    void run() {
      for (Operation *op : created)
        if (llvm::all_of(op->getOperands(), [&](Value operand) { return loop.isDefinedOutsideOfLoop(operand); }))
          op->moveBefore(loop);
    }

  private:
    scf::ForOp loop;
    SmallVector<Operation *> created;
  };

  tt::DescriptorLoadOp replaceLoad(tt::LoadOp load, Value map, ValueRange indices, ttg::MemDescType memoryType,
                                   unsigned axisOfRows) {
    auto type = cast<RankedTensorType>(load.getType());
    // No thread will hold the tile, so any layout will do.
    auto encoding = ttg::BlockedEncodingAttr::get(load.getContext(), memoryType.getShape(), {1, 1}, {1, 0},
                                                  ttg::getNumWarps(load), ttg::getThreadsPerWarp(load));
    auto block = RankedTensorType::get(memoryType.getShape(), type.getElementType(), encoding);
    auto tile = tt::DescriptorLoadOp::create(builder, loc, block, map, indices, load.getCache(), load.getEvict());
    for (Operation *user : llvm::make_early_inc_range(load->getUsers())) {
      auto alloc = cast<ttg::LocalAllocOp>(user);
      builder.setInsertionPoint(alloc);
      Value memory = ttg::LocalAllocOp::create(builder, alloc.getLoc(), memoryType, tile, IntegerAttr());
      if (axisOfRows == 1)
        memory = ttg::MemDescTransOp::create(builder, alloc.getLoc(), alloc.getType(), memory, ArrayRef<int32_t>{1, 0});
      alloc.replaceAllUsesWith(memory);
      alloc.erase();
    }
    load.erase();
    return tile;
  }

  void rewriteSum(tt::AtomicRMWOp atomic, const Matrix &matrix, IRMapping mapping) {
    loc = atomic.getLoc();
    builder.setInsertionPoint(atomic);
    TensorBlock target = createTensorBlock(builder, loc, atomic.getPtr(), matrix,
                                           [&](Value value) { return slice.create(builder, value, mapping); });
    Value tile = atomic.getVal();
    while (auto convert = tile.getDefiningOp<ttg::ConvertLayoutOp>())
      tile = convert.getSrc(); // tiles can be stored from any layout
    describe(
        tt::DescriptorReduceOp::create(builder, loc, tt::DescriptorReduceKind::ADD, target.map, tile, target.indices),
        target, getPointerRoot(atomic.getPtr()));
    atomic.erase();
  }

  void rewriteStore(tt::StoreOp store, Value tile, const Matrix &matrix, IRMapping mapping) {
    loc = store.getLoc();
    builder.setInsertionPoint(store);
    TensorBlock target = createTensorBlock(builder, loc, store.getPtr(), matrix,
                                           [&](Value value) { return slice.create(builder, value, mapping); });
    describe(tt::DescriptorStoreOp::create(builder, loc, target.map, tile, target.indices), target,
             getPointerRoot(store.getPtr()));
    store.erase();
  }

  /// Records on `op`, which writes to `target`, the facts that are no longer visible in the IR.
  void describe(Operation *op, const TensorBlock &target, Value root) {
    op->setAttr(ttng::rootAttr, builder.getI32IntegerAttr(cast<BlockArgument>(root).getArgNumber()));
    if (target.mayBeginOutside)
      op->setAttr(ttng::mayBeginOutsideAttr, builder.getUnitAttr());
  }

  scf::ForOp loop;
  LoopSlice slice; ///< first elements, limits and conditions
  OpBuilder builder;
  Location loc;
  std::vector<std::pair<tt::LoadOp, Matrix>> loads;
  std::vector<std::pair<tt::LoadOp, Image>> images;
  std::vector<std::pair<tt::AtomicRMWOp, Matrix>> sums;
  struct Store {
    tt::StoreOp op;
    Value tile;
    Matrix matrix;
  };
  std::vector<Store> stores;
};

//===--- dead loop-carried values ---------------------------------------------------------------------------------===//

/// Some loop-carried values are used only by their own next values, such as pointers that are advanced. Makes them
/// dead, so that the canonicalization of the loop removes them.
void releaseDeadCarried(scf::ForOp loop) {
  DenseSet<Value> live;
  SmallVector<Value> work;
  auto use = [&](Value value) {
    if (live.insert(value).second)
      work.push_back(value);
  };
  Operation *yield = loop.getBody()->getTerminator();
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isRepeatable(&op))
      forEachInput(&op, use);
  for (unsigned number = 0; number < loop.getNumResults(); ++number)
    if (!loop.getResult(number).use_empty())
      use(yield->getOperand(number));
  while (!work.empty()) {
    Value value = work.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == loop.getBody() && argument != loop.getInductionVar())
        use(loop.getTiedLoopYieldedValue(argument)->get());
    } else if (loop->isAncestor(value.getDefiningOp())) {
      forEachInput(value.getDefiningOp(), use);
    }
  }
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (!live.contains(argument) && loop.getTiedLoopResult(argument).use_empty())
      loop.getTiedLoopYieldedValue(argument)->set(argument);
}

/// Returns true if the loop, or an inner loop, has warp-group dots. In an outer loop, the results of the dots may be
/// stored, or producer warps may load operands.
bool isForDots(scf::ForOp loop) { return hasWarpGroupDots(loop) || containsLoopOfDots(loop); }

struct UseTensorMaps : tilecc::impl::TritonNvidiaGPUUseTensorMapsBase<UseTensorMaps> {
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (isForDots(loop) && !loop->getParentOfType<ttg::WarpSpecializeOp>())
        loops.push_back(loop);
    });
    if (loops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    SmallVector<Operation *> changed;
    for (scf::ForOp loop : loops)
      if (LoopRewriter rewriter(loop, axisInfo); rewriter.hasWork()) {
        loop = rewriter.rewrite();
        releaseDeadCarried(loop);
        changed.push_back(loop);
      }
    RewritePatternSet patterns(&getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    if (!changed.empty() && failed(applyOpPatternsGreedily(changed, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
