//===- TTGRules.cpp - what holds of a module in TTGIR ----------------------------------------------------------------===//
//
// Its attributes, its tiles as linear layouts, and the verification of layouts before tiles become registers.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

unsigned ttg::getNumWarps(Operation *op) {
  for (; op; op = op->getParentOp()) {
    if (auto warps = op->getAttrOfType<IntegerAttr>(numWarpsAttr))
      return warps.getInt();
    if (auto partitions = dyn_cast_or_null<WarpSpecializePartitionsOp>(op->getParentOp()))
      return partitions->getParentOfType<WarpSpecializeOp>()
          .getPartitionNumWarps()[op->getParentRegion()->getRegionNumber()];
  }
  return 4;
}

int64_t ttg::getModuleInteger(Operation *op, StringRef name, int64_t otherwise) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto attr = module ? module->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
  return attr ? attr.getInt() : otherwise;
}

LinearLayout ttg::toLinearLayout(RankedTensorType type) {
  return cast<LayoutEncoding>(type.getEncoding()).toLinearLayout(type.getShape()).removeZeroBases(Dim::Register);
}

unsigned ttg::getElementsPerThread(RankedTensorType type) { return 1u << toLinearLayout(type).getInBits(Dim::Register); }

static LogicalResult verifyOperation(Operation *op, unsigned threads, unsigned warps) {
  for (Type type : llvm::concat<const Type>(SmallVector<Type>(op->getOperandTypes()),
                                            SmallVector<Type>(op->getResultTypes()))) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      continue;
    auto layout = dyn_cast_or_null<LayoutEncoding>(tile.getEncoding());
    if (!layout)
      return op->emitOpError() << "has a tile without a layout: " << type;
    if (layout.getThreadsAndWarps() != std::pair(threads, warps))
      return op->emitOpError() << "has a layout for " << layout.getThreadsAndWarps().second << " warps of "
                               << layout.getThreadsAndWarps().first << " threads in a module for " << warps << " of "
                               << threads << ": " << type;
  }
  if (tt::acceptsAnyLayout(op))
    return success();
  if (auto rules = dyn_cast<tt::LayoutRules>(op))
    return rules.verifyLayouts();
  return tt::keepsElementsInPlace(op) ? tt::verifyLayoutsAgree(op) : success();
}

bool ttg::hasLayouts(Operation *root) {
  auto isEncoded = [](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && tile.getEncoding();
  };
  return root->walk([&](Operation *op) {
    bool any = llvm::any_of(op->getOperandTypes(), isEncoded) || llvm::any_of(op->getResultTypes(), isEncoded);
    return any ? WalkResult::interrupt() : WalkResult::advance();
  }).wasInterrupted();
}

LogicalResult ttg::verifyLayouts(Operation *root) {
  unsigned threads = getThreadsPerWarp(root);
  return failure(root->walk([&](Operation *op) {
    return succeeded(verifyOperation(op, threads, getNumWarps(op))) ? WalkResult::advance() : WalkResult::interrupt();
  }).wasInterrupted());
}
