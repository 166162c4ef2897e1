//===- TTGRules.cpp - how encodings determine each other, and their verification ------------------------------------===//

#include "lowering/dialects/TTG.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::ttg;

int64_t ttg::getModuleInteger(Operation *op, StringRef name, int64_t otherwise) {
  auto module = isa<ModuleOp>(op) ? cast<ModuleOp>(op) : op->getParentOfType<ModuleOp>();
  auto attr = module ? module->getAttrOfType<IntegerAttr>(name) : IntegerAttr();
  return attr ? attr.getInt() : otherwise;
}

LinearLayout ttg::toLinearLayout(RankedTensorType type) {
  return cast<LayoutEncoding>(type.getEncoding()).toLinearLayout(type.getShape()).removeZeroBases(Dim::Register);
}

unsigned ttg::getElementsPerThread(RankedTensorType type) { return 1u << toLinearLayout(type).getInBits(Dim::Register); }

/// Element i of each result depends on element i of each operand alone, so that any one layout will do for all.
static bool keepsElementsInPlace(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::BroadcastOp, arith::ConstantOp, tt::MakeRangeOp, tt::SplatOp, ub::PoisonOp>(op);
}

Attribute ttg::inferResultEncoding(Operation *op, Attribute operand) {
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    auto slice = dyn_cast<SliceEncodingAttr>(operand);
    return slice && slice.getDim() == expand.getAxis() ? slice.getParent() : Attribute();
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    auto layout = dyn_cast<LayoutEncoding>(operand);
    return layout && layout.getRank() > 1 ? SliceEncodingAttr::get(op->getContext(), reduce.getAxis(), operand)
                                          : Attribute();
  }
  return keepsElementsInPlace(op) ? operand : Attribute();
}

Attribute ttg::inferOperandEncoding(Operation *op, Attribute result) {
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return SliceEncodingAttr::get(op->getContext(), expand.getAxis(), result);
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    auto slice = dyn_cast<SliceEncodingAttr>(result);
    return slice && slice.getDim() == reduce.getAxis() ? slice.getParent() : Attribute();
  }
  return keepsElementsInPlace(op) ? result : Attribute();
}

static Attribute encodingOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile ? tile.getEncoding() : Attribute();
}

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
  if (auto dot = dyn_cast<tt::DotOp>(op)) {
    // Either both operands are encoded as operands of this product, or both lie anywhere and go through shared memory.
    Attribute parent = dot.getType().getEncoding();
    ttg::DotOperandEncodingAttr encodings[2];
    for (unsigned i : {0, 1})
      encodings[i] = dyn_cast<DotOperandEncodingAttr>(encodingOf(dot->getOperand(i).getType()));
    if (!encodings[0] && !encodings[1] && isa<BlockedEncodingAttr>(parent))
      return success();
    for (unsigned i : {0, 1})
      if (!encodings[i] || encodings[i].getOpIdx() != i || encodings[i].getParent() != parent)
        return op->emitOpError() << "needs operand " << i << " encoded as operand " << i << " of the result's layout";
    if (encodings[0].getKWidth() != encodings[1].getKWidth())
      return op->emitOpError() << "needs one kWidth for both operands, and has " << encodings[0].getKWidth() << " and "
                               << encodings[1].getKWidth();
    return success();
  }
  if (isa<tt::LoadOp, tt::StoreOp, AsyncCopyGlobalToLocalOp>(op) || keepsElementsInPlace(op) || isa<tt::ExpandDimsOp, tt::ReduceOp>(op)) {
    Attribute first;
    for (Type type : op->getOperandTypes())
      if (Attribute encoding = encodingOf(type)) {
        if (first && encoding != first)
          return op->emitOpError() << "has operands of different layouts";
        first = encoding;
      }
    for (Type type : op->getResultTypes())
      if (Attribute encoding = encodingOf(type)) {
        Attribute expected = isa<tt::LoadOp>(op) ? encoding : inferOperandEncoding(op, encoding);
        if (!expected || (first && expected != first))
          return op->emitOpError() << "has a result whose layout does not follow from its operands'";
      }
  }
  return success();
}

LogicalResult ttg::verifyLayouts(Operation *root) {
  unsigned threads = getThreadsPerWarp(root), warps = getNumWarps(root);
  return failure(root->walk([&](Operation *op) {
    return succeeded(verifyOperation(op, threads, warps)) ? WalkResult::advance() : WalkResult::interrupt();
  }).wasInterrupted());
}
