#include "lowering/analysis/AxisInfo.h"
#include "lowering/passes/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUCOALESCE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

constexpr unsigned widestAccessBits = 128;

/// The tile of pointers that `op` accesses memory through; null if it is no such access.
Value getPointers(Operation *op) {
  Value ptr;
  if (auto load = dyn_cast<tt::LoadOp>(op))
    ptr = load.getPtr();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    ptr = store.getPtr();
  return ptr && isa<RankedTensorType>(ptr.getType()) ? ptr : Value();
}

/// What `op` computes from, and what is computed from it.
SetVector<Operation *> relatedOperations(Operation *op) {
  BackwardSliceOptions backward;
  backward.omitBlockArguments = true;
  SetVector<Operation *> related;
  (void)getBackwardSlice(op, &related, backward); // incomplete is fine: it only means less agreement
  getForwardSlice(op, &related);
  related.remove(op);
  return related;
}

struct Coalesce : tilecc::impl::TritonGPUCoalesceBase<Coalesce> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    AxisInfoAnalysis axisInfo(module);
    // Decide for all before changing any: conversions would hide accesses from each other.
    llvm::MapVector<Operation *, Attribute> layouts;
    module.walk([&](Operation *op) {
      if (Value ptr = getPointers(op))
        layouts[op] = chooseLayout(op, ptr, axisInfo);
    });
    for (auto [op, layout] : layouts)
      apply(op, layout);
  }

  /// How many neighbours along the fastest axis one access of `op` can take.
  unsigned getAccessWidth(Operation *op, unsigned fastest, const AxisInfoAnalysis &axisInfo) {
    Value ptr = getPointers(op);
    auto type = cast<RankedTensorType>(ptr.getType());
    unsigned bits = std::max(8u, tt::getElementBits(getElementTypeOrSelf(tt::getPointeeType(type))));
    return std::min<int64_t>({axisInfo.getAlignedContiguity(ptr, fastest), type.getDimSize(fastest),
                              std::max(1u, widestAccessBits / bits)});
  }

  Attribute chooseLayout(Operation *op, Value ptr, const AxisInfoAnalysis &axisInfo) {
    auto type = cast<RankedTensorType>(ptr.getType());
    SmallVector<unsigned> order = axisInfo.getOrder(ptr);
    unsigned own = getAccessWidth(op, order[0], axisInfo), perThread = own;
    // Accesses that exchange values should agree on a layout, so a load also takes the width of the widest related one.
    if (isa<tt::LoadOp>(op))
      for (Operation *related : relatedOperations(op)) {
        Value other = getPointers(related);
        if (!other || cast<RankedTensorType>(other.getType()).getShape() != type.getShape() ||
            axisInfo.getOrder(other) != order)
          continue;
        perThread = std::max(perThread, getAccessWidth(related, order[0], axisInfo));
      }
    // Rather all threads busy than wide accesses of a few.
    unsigned threads = ttg::getNumWarps(op) * ttg::getThreadsPerWarp(op);
    perThread = std::min<int64_t>(perThread, std::max<int64_t>(1, type.getNumElements() / threads));
    SmallVector<unsigned> sizePerThread(type.getRank(), 1);
    sizePerThread[order[0]] = perThread;
    return ttg::BlockedEncodingAttr::get(op->getContext(), type.getShape(), sizePerThread, order,
                                         ttg::getNumWarps(op), ttg::getThreadsPerWarp(op));
  }

  void apply(Operation *op, Attribute layout) {
    OpBuilder builder(op);
    auto withLayout = [&](Type type) {
      auto tile = cast<RankedTensorType>(type);
      return RankedTensorType::get(tile.getShape(), tile.getElementType(), layout);
    };
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()))
        operand.set(builder.createOrFold<ttg::ConvertLayoutOp>(op->getLoc(), withLayout(operand.get().getType()),
                                                               operand.get()));
    builder.setInsertionPointAfter(op);
    for (Value result : op->getResults()) {
      Type before = result.getType();
      if (before == withLayout(before))
        continue;
      result.setType(withLayout(before));
      auto convert = ttg::ConvertLayoutOp::create(builder, op->getLoc(), before, result);
      result.replaceAllUsesExcept(convert, convert);
    }
  }
};

} // namespace
