//===- OptimizeDescriptorEncoding.cpp - accesses through tensor maps that others make -----------------------------===//
//
// A descriptor that is a parameter of a kernel is a tensor map, which the launcher makes as Triton's launchers do: its
// boxes have the sizes of the block, at most 256 along an axis, and rows as long as the widest swizzle that fits. So
// blocks lie in shared memory in that encoding (triton-nvidia-optimize-descriptor-encoding, as in Triton).
//
// A loaded block is one tile in shared memory. Dots that can read it there do; all other users get it from there, in
// the layout that they want.
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

  /// Gives blocks of a descriptor their encoding in shared memory.
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
