//===- ReduceDataDuplication.cpp - passes operands of matrix units through shared memory --------------------------===//
//
// A conversion to an operand of a matrix unit that would use scratch space is replaced by two operations: a store to a
// tile in shared memory, in an encoding that suits the matrix loads of the unit, and a load from this tile. The load is
// placed directly before its use. At this point both operands of a dot have been stored, so a single barrier suffices.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/BufferSlots.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/analysis/SharedEncodings.h"
#include "lowering/passes/Passes.h"
#include "targets/GpuFacts.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREDUCEDATADUPLICATION
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Returns the first operation in the block of `value` that uses it, directly or in a nested region.
Operation *getFirstUser(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers())
    if (Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*user))
      if (!first || inBlock->isBeforeInBlock(first))
        first = inBlock;
  return first;
}

/// Returns the operation before which to load the result of `convert`. Usually this is the first user. But if other
/// tiles are stored to allocations between `convert` and the first user (the first tiles of a loop that uses the
/// result), the load is placed before the allocation of the first such tile, which can then reuse the memory of the
/// loaded tile.
Operation *getPlaceForLoad(ttg::ConvertLayoutOp convert) {
  Operation *user = getFirstUser(convert);
  for (Operation *op = convert; user && op != user; op = op->getNextNode())
    if (auto store = dyn_cast<ttg::LocalStoreOp>(op)) {
      Operation *alloc = getViewedTile(store.getDst()).memory.getDefiningOp();
      return alloc && alloc->getBlock() == convert->getBlock() && convert->isBeforeInBlock(alloc) ? alloc : op;
    }
  return user;
}

struct ReduceDataDuplication : tilecc::impl::TritonGPUReduceDataDuplicationBase<ReduceDataDuplication> {
  void runOnOperation() override {
    SmallVector<ttg::ConvertLayoutOp> converts;
    getOperation().walk([&](ttg::ConvertLayoutOp convert) {
      if (makesMatrixOperand(convert) &&
          planConversion(convert.getSrc().getType(), convert.getType()).kind == ConversionPlan::Kind::Shared)
        converts.push_back(convert);
    });
    for (ttg::ConvertLayoutOp convert : converts) {
      OpBuilder builder(convert);
      RankedTensorType from = convert.getSrc().getType(), to = convert.getType();
      auto memory = ttg::MemDescType::get(to.getShape(), to.getElementType(),
                                          chooseSharedEncoding(from, to, getGpuFacts(convert)),
                                          ttg::SharedMemorySpaceAttr::get(&getContext()));
      Value tile = ttg::LocalAllocOp::create(builder, convert.getLoc(), memory, convert.getSrc(), IntegerAttr());
      if (Operation *place = getPlaceForLoad(convert))
        builder.setInsertionPoint(place);
      Value loaded = ttg::LocalLoadOp::create(builder, convert.getLoc(), to, tile, Value());
      convert.replaceAllUsesWith(loaded);
      convert.erase();
    }
  }
};

} // namespace
