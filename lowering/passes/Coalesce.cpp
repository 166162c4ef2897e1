//===- Coalesce.cpp - layouts under which accesses to global memory are wide --------------------------------------===//
//
// Gives each load and store the layout in which neighbouring threads access neighbouring elements, as many at once as the
// access may take (analysis/AccessWidth). Conversions around it are left to tritongpu-remove-layout-conversions.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/passes/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUCOALESCE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

constexpr unsigned leastAccessBits = 32;

/// The tile of pointers that `op` accesses memory through; null if it is no such access.
Value getPointers(Operation *op) {
  Value ptr;
  if (auto load = dyn_cast<tt::LoadOp>(op))
    ptr = load.getPtr();
  if (auto store = dyn_cast<tt::StoreOp>(op))
    ptr = store.getPtr();
  return ptr && isa<RankedTensorType>(ptr.getType()) ? ptr : Value();
}

/// What `op` computes from, and what is computed from it, as far as elements stay where they are: behind a product or a
/// transposition is another tile, of whose accesses nothing follows for this one.
SetVector<Operation *> relatedOperations(Operation *op) {
  auto staysInPlace = [](Operation *other) { return !isa<tt::DotOp, tt::ReshapeOp>(other); };
  BackwardSliceOptions backward;
  backward.omitBlockArguments = true;
  backward.filter = staysInPlace;
  ForwardSliceOptions forward;
  forward.filter = staysInPlace;
  SetVector<Operation *> related;
  (void)getBackwardSlice(op, &related, backward); // incomplete is fine: it only means less agreement
  getForwardSlice(op, &related, forward);
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

  static unsigned getBits(Value ptr) {
    return std::max(8u, tt::getElementBits(getElementTypeOrSelf(tt::getPointeeType(ptr.getType()))));
  }

  /// Accesses that exchange values should agree on a layout: a conversion costs more than a narrower access. All take
  /// the width of the widest among them, as far as it is one access of the largest elements (a thread that has 16 bytes
  /// in a row and stores them as 64 would leave gaps between the threads of each store), though not less than 32 bits of
  /// the smallest. Only a store whose pointers do not allow that much keeps its own.
  Attribute chooseLayout(Operation *op, Value ptr, const AxisInfoAnalysis &axisInfo) {
    auto type = cast<RankedTensorType>(ptr.getType());
    SmallVector<unsigned> order = axisInfo.getOrder(ptr);
    unsigned largest = getBits(ptr), smallest = largest, neighbours = getAccessibleNeighbours(axisInfo, ptr);
    for (Operation *related : relatedOperations(op)) {
      Value other = getPointers(related);
      if (!other || cast<RankedTensorType>(other.getType()).getShape() != type.getShape() ||
          axisInfo.getOrder(other) != order)
        continue;
      largest = std::max(largest, getBits(other));
      smallest = std::min(smallest, getBits(other));
      if (isa<tt::LoadOp>(op))
        neighbours = std::max<unsigned>(neighbours, getAccessibleNeighbours(axisInfo, other));
    }
    unsigned widest = std::max({1u, widestAccessBits / largest, leastAccessBits / smallest});
    unsigned perThread = std::min(neighbours, widest);
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
