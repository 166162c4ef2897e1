//===- TTGRules.cpp - how encodings determine each other, and their verification ------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
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
         isa<tt::BroadcastOp, arith::ConstantOp, tt::MakeRangeOp, tt::SplatOp, tt::MapElementwiseOp, tt::ElementwiseInlineAsmOp, ub::PoisonOp>(op);
}

/// Scans take what deals out an axis in order, and give the same.
static bool isScannable(Attribute encoding) {
  while (auto slice = dyn_cast<SliceEncodingAttr>(encoding))
    encoding = slice.getParent();
  return isa<BlockedEncodingAttr>(encoding);
}

/// The encoding of a tile like `to`, in the layout that `move` makes of that of a tile like `from` encoded `encoding`.
static Attribute moveEncoding(Operation *op, Value from, Attribute encoding, Value to,
                              std::optional<LinearLayout> (*move)(Operation *, const LinearLayout &)) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(from.getType()).getShape();
  LinearLayout layout = cast<LayoutEncoding>(encoding).toLinearLayout(shape).removeZeroBases(Dim::Register);
  std::optional<LinearLayout> moved = move(op, layout);
  return moved ? encodingFor(op->getContext(), *moved, cast<RankedTensorType>(to.getType()).getShape()) : Attribute();
}

Attribute ttg::inferResultEncoding(Operation *op, Attribute operand, unsigned number) {
  if (movesNoElement(op))
    return moveEncoding(op, op->getOperand(number), operand, op->getResult(0), moveLayout);
  // Indices lie where the result does. So does the source of an exchange: partners then are threads at a fixed distance.
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return number == 1 || gather.getExchangedBits() ? operand : Attribute();
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op)) {
    auto slice = dyn_cast<SliceEncodingAttr>(operand);
    return slice && slice.getDim() == expand.getAxis() ? slice.getParent() : Attribute();
  }
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    auto layout = dyn_cast<LayoutEncoding>(operand);
    return layout && layout.getRank() > 1 ? SliceEncodingAttr::get(op->getContext(), reduce.getAxis(), operand)
                                          : Attribute();
  }
  if (isa<tt::ScanOp>(op))
    return isScannable(operand) ? operand : Attribute();
  return keepsElementsInPlace(op) ? operand : Attribute();
}

Attribute ttg::inferOperandEncoding(Operation *op, Attribute result, unsigned number) {
  if (movesNoElement(op))
    return moveEncoding(op, op->getResult(0), result, op->getOperand(number), moveLayoutBack);
  if (auto gather = dyn_cast<tt::GatherOp>(op))
    return number == 1 || gather.getExchangedBits() ? result : Attribute();
  if (auto expand = dyn_cast<tt::ExpandDimsOp>(op))
    return SliceEncodingAttr::get(op->getContext(), expand.getAxis(), result);
  if (auto reduce = dyn_cast<tt::ReduceOp>(op)) {
    auto slice = dyn_cast<SliceEncodingAttr>(result);
    return slice && slice.getDim() == reduce.getAxis() ? slice.getParent() : Attribute();
  }
  if (isa<tt::ScanOp>(op))
    return isScannable(result) ? result : Attribute();
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
  if (isa<tt::LoadOp, tt::StoreOp, tt::AtomicRMWOp, tt::AtomicCASOp, AsyncCopyGlobalToLocalOp>(op) || keepsElementsInPlace(op) || isa<tt::ExpandDimsOp, tt::ReduceOp, tt::ScanOp>(op)) {
    Attribute first;
    for (Type type : op->getOperandTypes())
      if (Attribute encoding = encodingOf(type)) {
        if (first && encoding != first)
          return op->emitOpError() << "has operands of different layouts";
        first = encoding;
      }
    for (Type type : op->getResultTypes())
      if (Attribute encoding = encodingOf(type)) {
        Attribute expected = isa<tt::LoadOp, tt::AtomicRMWOp, tt::AtomicCASOp>(op) ? encoding : inferOperandEncoding(op, encoding);
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
