//===- OptimizeDescriptorEncoding.cpp - accesses through the launcher's tensor maps -------------------------------===//
//
// A descriptor that is a parameter of a kernel is a tensor map, which the launcher creates as Triton's launchers do.
// The boxes of such a map have the size of the block, but at most 256 elements along an axis, and their rows are as
// long as the widest swizzle that fits. So this pass gives the blocks of such descriptors the corresponding encoding in
// shared memory (triton-nvidia-optimize-descriptor-encoding, as in Triton).
//
// A loaded block is one tile in shared memory. Dots read the tile from there if they can. All other users load it from
// there, in the layout that they need.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONNVIDIAOPTIMIZEDESCRIPTORENCODING
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

struct OptimizeDescriptorEncoding
    : tilecc::impl::TritonNvidiaOptimizeDescriptorEncodingBase<OptimizeDescriptorEncoding> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (failed(encodeDescriptors(func)))
        return signalPassFailure();
    SmallVector<tt::DescriptorLoadOp> loads;
    getOperation().walk([&](tt::DescriptorLoadOp load) { loads.push_back(load); });
    for (tt::DescriptorLoadOp load : loads)
      toSharedMemory(load);
  }

private:
  static LogicalResult encodeDescriptors(tt::FuncOp func) {
    WalkResult result = func->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            if (failed(encode(argument, func)))
              return WalkResult::interrupt();
      for (Value result : op->getResults())
        if (failed(encode(result, func)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (!func.isExternal())
      func.setType(FunctionType::get(func.getContext(), func.getBody().getArgumentTypes(), func.getResultTypes()));
    return failure(result.wasInterrupted());
  }

  /// Sets the encoding in shared memory of the blocks of `value`, if it is a descriptor.
  static LogicalResult encode(Value value, tt::FuncOp func) {
    auto type = dyn_cast<tt::TensorDescType>(value.getType());
    if (!type || type.getBlockType().getEncoding())
      return success();
    RankedTensorType block = type.getBlockType();
    auto encoding = ttg::NVMMASharedEncodingAttr::getWidest(value.getContext(), block.getShape(), /*transposed=*/false,
                                                            block.getElementTypeBitWidth());
    if (!encoding)
      return func.emitError("tensor maps have no blocks whose rows are shorter than 16 bytes: ") << block;
    value.setType(tt::TensorDescType::get(block.cloneWithEncoding(encoding)));
    return success();
  }

  static void toSharedMemory(tt::DescriptorLoadOp load) {
    OpBuilder builder(load.getContext());
    builder.setInsertionPointAfter(load);
    auto tile = cast<RankedTensorType>(load.getType());
    auto encoding = cast<ttg::NVMMASharedEncodingAttr>(load.getDesc().getType().getBlockType().getEncoding());
    auto type = ttg::MemDescType::get(tile.getShape(), tile.getElementType(), encoding.getOfRank(tile.getRank()),
                                      ttg::SharedMemorySpaceAttr::get(load.getContext()));
    SmallVector<OpOperand *> uses = llvm::map_to_vector(load->getUses(), [](OpOperand &use) { return &use; });
    auto memory = ttg::LocalAllocOp::create(builder, load.getLoc(), type, load.getResult(), IntegerAttr());
    Value held; // in the layout of the load
    for (OpOperand *use : uses) {
      Operation *user = use->getOwner();
      if (auto alloc = dyn_cast<ttg::LocalAllocOp>(user); alloc && alloc.getType() == type) {
        alloc.replaceAllUsesWith(memory.getResult());
        alloc.erase();
      } else if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(user)) {
        builder.setInsertionPoint(convert);
        convert.replaceAllUsesWith(
            ttg::LocalLoadOp::create(builder, convert.getLoc(), convert.getType(), memory, Value()).getResult());
        convert.erase();
      } else {
        if (!held) {
          builder.setInsertionPointAfter(memory);
          held = ttg::LocalLoadOp::create(builder, load.getLoc(), tile, memory, Value());
        }
        use->set(held);
      }
    }
  }
};

} // namespace
