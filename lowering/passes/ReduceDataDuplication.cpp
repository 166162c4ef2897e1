//===- ReduceDataDuplication.cpp - operands of matrix units by way of tiles in shared memory ----------------------===//
//
// A conversion to an operand that would go through scratch space becomes a store to and a load from a tile whose encoding
// suits the matrix loads of the unit. It is loaded where it is used: both operands of a product are stored by then, so that
// threads wait for each other once.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/analysis/SharedEncodings.h"
#include "lowering/passes/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUREDUCEDATADUPLICATION
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// The first operation in the block of `value` that uses it, or that has a region which does.
Operation *getFirstUser(Value value) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers())
    if (Operation *inBlock = value.getParentBlock()->findAncestorOpInBlock(*user))
      if (!first || inBlock->isBeforeInBlock(first))
        first = inBlock;
  return first;
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
                                          chooseSharedEncoding(to, getStoreOrder(from)),
                                          ttg::SharedMemorySpaceAttr::get(&getContext()));
      Value tile = ttg::LocalAllocOp::create(builder, convert.getLoc(), memory, convert.getSrc(), IntegerAttr());
      if (Operation *user = getFirstUser(convert))
        builder.setInsertionPoint(user);
      Value loaded = ttg::LocalLoadOp::create(builder, convert.getLoc(), to, tile, Value());
      convert.replaceAllUsesWith(loaded);
      convert.erase();
    }
  }
};

} // namespace
