//===- TensorCopies.cpp - copies that the tensor memory accelerator does ---------------------------------------------------===//
//
// Loads that no pipeline took are copied and waited for where they stand (triton-nvidia-tma-lowering, as in Triton).
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/pipeliner/TensorCopies.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/SlotBarriers.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::pipeline;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIATMALOWERING
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

void pipeline::createTensorCopy(OpBuilder &builder, tt::DescriptorLoadOp load, Value map, ValueRange indices, Value tile,
                                Value barrier, Value condition) {
  Location loc = load.getLoc();
  if (!condition)
    condition = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  auto copy = ttng::AsyncTMACopyGlobalToLocalOp::create(builder, loc, map, indices, barrier, tile, condition, load.getCache(),
                                                        load.getEvict(), /*isVolatile=*/false);
  if (Attribute outside = load->getAttr(ttng::mayBeginOutsideAttr))
    copy->setAttr(ttng::mayBeginOutsideAttr, outside);
}

namespace {

struct TMALowering : tilecc::impl::TritonNvidiaTMALoweringBase<TMALowering> {
  void runOnOperation() override {
    SmallVector<tt::DescriptorLoadOp> loads;
    getOperation().walk([&](tt::DescriptorLoadOp load) { loads.push_back(load); });
    for (tt::DescriptorLoadOp load : loads)
      if (failed(lower(load)))
        return signalPassFailure();
  }

  static LogicalResult lower(tt::DescriptorLoadOp load) {
    if (!load->hasOneUse() || !isa<ttg::LocalAllocOp>(*load->user_begin()))
      return load.emitOpError("is of what threads hold, which is not built; operands of products by warpgroups are");
    auto alloc = cast<ttg::LocalAllocOp>(*load->user_begin());
    Location loc = load.getLoc();
    OpBuilder builder(load);
    auto type = ttg::MemDescType::get(alloc.getType().getShape(), alloc.getType().getElementType(),
                                      alloc.getType().getEncoding(), alloc.getType().getMemorySpace(), /*mutableMemory=*/true);
    auto tile = ttg::LocalAllocOp::create(builder, alloc.getLoc(), type, Value(), IntegerAttr());
    SlotBarriers barriers(builder, loc, /*count=*/1, /*fillers=*/1, /*readers=*/0);
    // What threads accessed where the tile is comes before what is copied there on another way.
    ttng::FenceAsyncSharedOp::create(builder, loc, /*bCluster=*/false);
    Value slot = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value full = barriers.expectCopies(builder, loc, slot, ttg::getTileStrideInBytes(type));
    createTensorCopy(builder, load, load.getDesc(), load.getIndices(), tile, full);
    barriers.waitUntilFull(builder, loc, slot, /*phase=*/slot, ValueRange{tile});
    barriers.destroy(builder, loc);
    retype(alloc, tile);
    alloc.erase();
    load.erase();
    return success();
  }

  /// `memory` is replaced by memory that is written again; so are views of it.
  static void retype(Value memory, Value by) {
    memory.replaceAllUsesWith(by);
    for (Operation *user : by.getUsers())
      if (auto trans = dyn_cast<ttg::MemDescTransOp>(user); trans && !trans.getType().getMutableMemory()) {
        ttg::MemDescType type = trans.getType();
        trans.getResult().setType(ttg::MemDescType::get(type.getShape(), type.getElementType(), type.getEncoding(),
                                                        type.getMemorySpace(), /*mutableMemory=*/true, type.getAllocShape()));
      }
  }
};

} // namespace
