//===- TMALowering.cpp - copies by the tensor memory accelerator --------------------------------------------------===//
//
// For a load that is not pipelined, this pass creates the copy and the wait at the position of the load
// (triton-nvidia-tma-lowering, as in Triton).
//
// A tile that is combined with a block of a tensor (an atomic reduction) is first stored to shared memory. The next
// iteration stores its tile to the same memory, so it waits until the previous tile has been read: one thread waits,
// before a barrier that is needed anyway. Stores through maps of the launcher, whose boxes are as large as the block,
// are handled in the same way. In stores through maps that the compiler has described, the tile is copied in parts
// (TileCopy.h).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/TileCopy.h"
#include "lowering/passes/Passes.h"
#include "targets/nvidia/Passes.h"
#include "lowering/pipeliner/SlotBarriers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIATMALOWERING
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

struct TMALowering : tilecc::impl::TritonNvidiaTMALoweringBase<TMALowering> {
  void runOnOperation() override {
    slotsOf.clear();
    SmallVector<tt::DescriptorLoadOp> loads;
    getOperation().walk([&](tt::DescriptorLoadOp load) { loads.push_back(load); });
    for (tt::DescriptorLoadOp load : loads)
      if (failed(lower(load)))
        return signalPassFailure();
    SmallVector<tt::DescriptorReduceOp> reduces;
    getOperation().walk([&](tt::DescriptorReduceOp reduce) { reduces.push_back(reduce); });
    for (tt::DescriptorReduceOp reduce : reduces)
      lowerWhole(reduce, [&](OpBuilder &builder, Value tile) -> Operation * {
        return ttng::AsyncTMAReduceOp::create(builder, reduce.getLoc(), reduce.getKind(), reduce.getDesc(),
                                              reduce.getIndices(), tile);
      });
    SmallVector<tt::DescriptorStoreOp> stores;
    getOperation().walk([&](tt::DescriptorStoreOp store) { stores.push_back(store); });
    for (tt::DescriptorStoreOp store : stores) {
      if (!store->hasAttr(ttng::rootAttr)) // the map is a descriptor that the launcher passes
        lowerWhole(store, [&](OpBuilder &builder, Value tile) -> Operation * {
          return ttng::AsyncTMACopyLocalToGlobalOp::create(builder, store.getLoc(), store.getDesc(), store.getIndices(),
                                                           tile);
        });
      else if (failed(lower(store)))
        return signalPassFailure();
    }
  }

  static LogicalResult lower(tt::DescriptorLoadOp load) {
    if (!load->hasOneUse() || !isa<ttg::LocalAllocOp>(*load->user_begin()))
      return load.emitOpError("loads to registers, which is not supported; operands of warp group dots are");
    auto alloc = cast<ttg::LocalAllocOp>(*load->user_begin());
    Location loc = load.getLoc();
    OpBuilder builder(load);
    auto type =
        ttg::MemDescType::get(alloc.getType().getShape(), alloc.getType().getElementType(),
                              alloc.getType().getEncoding(), alloc.getType().getMemorySpace(), /*mutableMemory=*/true);
    auto tile = ttg::LocalAllocOp::create(builder, alloc.getLoc(), type, Value(), IntegerAttr());
    SlotBarriers barriers(builder, loc, /*count=*/1, /*fillers=*/1, pipeline::SlotReaders{0});
    // Order earlier accesses of threads to this memory before copies through the asynchronous proxy.
    ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
    Value slot = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value full = barriers.expectCopies(builder, loc, slot, ttg::getTileBytes(type));
    createTensorCopy(builder, load, load.getDesc(), load.getIndices(), tile, full);
    barriers.waitUntilFull(builder, loc, slot, /*phase=*/slot, ValueRange{tile});
    barriers.destroy(builder, loc);
    retype(alloc, tile);
    alloc.erase();
    load.erase();
    return success();
  }

  /// Stores the tile of `access` to shared memory as a whole; `create` creates the operation that copies it from there.
  template <class Op> static void lowerWhole(Op access, function_ref<Operation *(OpBuilder &, Value tile)> create) {
    Location loc = access.getLoc();
    auto loop = dyn_cast<scf::ForOp>(access->getParentOp());
    Operation *around = loop ? loop.getOperation() : access;
    OpBuilder builder(around);
    auto tensor = cast<RankedTensorType>(access.getSrc().getType());
    auto encoding = cast<ttg::NVMMASharedEncodingAttr>(access.getDesc().getType().getBlockType().getEncoding());
    encoding = encoding.getOfRank(tensor.getRank());
    auto type = ttg::MemDescType::get(tensor.getShape(), tensor.getElementType(), encoding,
                                      ttg::SharedMemorySpaceAttr::get(builder.getContext()), /*mutableMemory=*/true);
    auto tile = ttg::LocalAllocOp::create(builder, loc, type, Value(), IntegerAttr());
    if (loop) {
      builder.setInsertionPoint(getLastStore(access));
      ttng::TMAStoreWaitOp::create(builder, loc, /*pendings=*/0);
    }
    builder.setInsertionPoint(access);
    Value source = access.getSrc();
    while (auto convert = source.getDefiningOp<ttg::ConvertLayoutOp>())
      source = convert.getSrc(); // tiles can be stored from any layout
    ttg::LocalStoreOp::create(builder, loc, source, tile);
    ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
    Operation *start = create(builder, tile);
    if (Attribute outside = access->getAttr(ttng::mayBeginOutsideAttr))
      start->setAttr(ttng::mayBeginOutsideAttr, outside);
    builder.setInsertionPointAfter(around == access ? start : around);
    ttng::TMAStoreWaitOp::create(builder, loc, /*pendings=*/0);
    ttg::LocalDeallocOp::create(builder, loc, tile);
    access.erase();
  }

  /// Stores the tile of `store` in parts, through slots in shared memory. Threads continue once their last part has
  /// been stored to a slot. All iterations of a loop, and all tiles of the same type in a loop, share the slots.
  LogicalResult lower(tt::DescriptorStoreOp store) {
    constexpr unsigned numSlots = 2;
    std::optional<TileCopyPlan> plan = TileCopyPlan::get(cast<RankedTensorType>(store.getSrc().getType()));
    if (!plan)
      return store.emitOpError(
          "stores a tile that cannot be copied, which is not supported; results of warp group dots are");
    Location loc = store.getLoc();
    auto loop = dyn_cast<scf::ForOp>(store->getParentOp());
    Operation *around = loop ? loop.getOperation() : store;
    ttg::MemDescType type = plan->getSlots(numSlots);
    Value &slots = slotsOf[{around, type}];
    if (!slots) {
      OpBuilder builder(around);
      slots = ttg::LocalAllocOp::create(builder, loc, type, Value(), IntegerAttr());
      builder.setInsertionPointAfter(around);
      ttng::TMAStoreWaitOp::create(builder, loc, /*pendings=*/0);
      ttg::LocalDeallocOp::create(builder, loc, slots);
    }
    OpBuilder builder(store);
    auto copy =
        ttng::AsyncTMAStoreTileOp::create(builder, loc, store.getDesc(), store.getIndices(), store.getSrc(), slots);
    if (Attribute outside = store->getAttr(ttng::mayBeginOutsideAttr))
      copy->setAttr(ttng::mayBeginOutsideAttr, outside);
    store.erase();
    return success();
  }

  /// Returns the last operation before `op` in its block that stores a tile to shared memory for other threads, and is
  /// therefore followed by a barrier. Returns `op` if there is no such operation.
  static Operation *getLastStore(Operation *op) {
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode())
      if (auto alloc = dyn_cast<ttg::LocalAllocOp>(before); alloc && alloc.getSrc())
        return alloc;
    return op;
  }

  DenseMap<std::pair<Operation *, Type>, Value> slotsOf;

  /// Replaces `memory`, and views of it, by mutable memory.
  static void retype(Value memory, Value by) {
    memory.replaceAllUsesWith(by);
    for (Operation *user : by.getUsers())
      if (auto trans = dyn_cast<ttg::MemDescTransOp>(user); trans && !trans.getType().getMutableMemory()) {
        ttg::MemDescType type = trans.getType();
        trans.getResult().setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                                        type.getMemorySpace(), /*mutableMemory=*/true,
                                                        type.getAllocShape()));
      }
  }
};

} // namespace
