//===- Coalesce.cpp - chooses layouts that make accesses to global memory wide ------------------------------------===//
//
// Gives each load and store a layout in which adjacent threads access adjacent elements, each as many at once
// as analysis/AccessWidth allows. tritongpu-remove-layout-conversions then removes the conversions that this adds.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AccessWidth.h"
#include "lowering/dialects/tt/SignalOps.h"
#include "lowering/passes/Passes.h"
#include "targets/GpuFacts.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUCOALESCE
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

constexpr unsigned leastAccessBits = 32;

/// Returns the tile of pointers through which `op` accesses global memory, or null if `op` does not access a tile.
Value getPointers(Operation *op) {
  auto access = tt::getGlobalAccess(op);
  return access && access->isOfTile() ? access->pointers : Value();
}

/// Returns true if `op` is an atomic operation that accesses one element at a time in every layout. (Targets can
/// execute some atomic additions for several elements at once.) In the layout for such an operation, adjacent lanes
/// hold adjacent elements, because the memory system combines the additions of a warp to one sector.
bool takesSingles(Operation *op) {
  auto access = tt::getGlobalAccess(op);
  if (!access->isRead || !access->isWrite)
    return false;
  auto add = dyn_cast<tt::AtomicRMWOp>(op);
  if (!add || add.getAtomicRmwOp() != tt::RMWOp::FADD || !add->use_empty())
    return true;
  const GpuFacts *facts = findGpuFacts(op);
  return !facts || facts->getMostAdded(getElementTypeOrSelf(add.getType())) == 1;
}

/// Returns the operations that `op` depends on or that depend on it, through operations that keep each element at its
/// position. The search stops at dots and reshapes, because the tiles beyond them do not constrain the layout of this
/// access.
SetVector<Operation *> relatedOperations(Operation *op) {
  auto staysInPlace = [](Operation *other) { return !isa<tt::DotOp, tt::ReshapeOp>(other); };
  BackwardSliceOptions backward;
  backward.omitBlockArguments = true;
  backward.filter = staysInPlace;
  ForwardSliceOptions forward;
  forward.filter = staysInPlace;
  SetVector<Operation *> related;
  (void)getBackwardSlice(op, &related, backward); // if the slice is incomplete, fewer accesses agree on a layout
  getForwardSlice(op, &related, forward);
  related.remove(op);
  return related;
}

/// Returns the axes of the tile that `op` accesses, in the order in which lanes are assigned to them: the most
/// contiguous axis first. Among equally contiguous axes, a reduced axis comes last, so that its elements tend to be in
/// one thread and the reduction needs no exchange. Otherwise the last axis comes first, because its elements are the
/// likeliest to be adjacent in memory.
SmallVector<unsigned> chooseOrder(Operation *op, const AxisInfoAnalysis &axisInfo,
                                  const SetVector<Operation *> &related) {
  Value ptr = getPointers(op);
  auto shape = cast<RankedTensorType>(ptr.getType()).getShape();
  SmallVector<bool> isReduced(shape.size(), false);
  for (Operation *other : related)
    if (auto reduce = dyn_cast<tt::ReduceOp>(other))
      if (cast<RankedTensorType>(reduce.getSrcs()[0].getType()).getShape() == shape)
        isReduced[reduce.getAxis()] = true;
  AxisInfo info = axisInfo.get(ptr);
  auto rank = [&](unsigned axis) { return std::tuple(info.getContiguity(axis), !isReduced[axis], axis); };
  auto order = llvm::to_vector(llvm::seq<unsigned>(shape.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) { return rank(a) > rank(b); });
  return order;
}

/// Returns the axis along which the tile that `op` accesses is scanned, or nothing if there is not exactly one such
/// axis.
std::optional<unsigned> scannedAxis(Operation *op, const SetVector<Operation *> &related) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(getPointers(op).getType()).getShape();
  std::optional<unsigned> axis;
  for (Operation *other : related)
    if (auto scan = dyn_cast<tt::ScanOp>(other); scan && scan.getInputTypes().front().getShape() == shape) {
      if (axis && *axis != scan.getAxis())
        return std::nullopt;
      axis = scan.getAxis();
    }
  return axis;
}

/// Returns `layout` with the warps moved from `axis` to the other axes, as far as these have room. The threads of a
/// warp access the same elements as before, and warps exchange fewer values.
ttg::BlockedEncodingAttr withoutWarpsAlong(unsigned axis, ttg::BlockedEncodingAttr layout, ArrayRef<int64_t> shape) {
  SmallVector<unsigned> warps(shape.size(), 1);
  int64_t left = ShapedType::getNumElements(SmallVector<int64_t>(layout.getWarpsPerCTA()));
  for (unsigned d : layout.getOrder()) {
    if (d == axis)
      continue;
    warps[d] = std::clamp<int64_t>(shape[d] / (layout.getSizePerThread()[d] * layout.getThreadsPerWarp()[d]), 1, left);
    left /= warps[d];
  }
  warps[axis] = left;
  return ttg::BlockedEncodingAttr::get(layout.getContext(), layout.getSizePerThread(), layout.getThreadsPerWarp(),
                                       warps, layout.getOrder());
}

/// Adapts `layout` to a scan along `axis`. There are few warps along the axis, and the elements of a thread are
/// contiguous, so that each thread contributes one total instead of one for each contiguous piece. If `axis` is the
/// fastest axis, it is left alone, because adjacent lanes should access adjacent elements.
Attribute forScan(unsigned axis, ttg::BlockedEncodingAttr layout, ArrayRef<int64_t> shape) {
  layout = withoutWarpsAlong(axis, layout, shape);
  int64_t threads = layout.getThreadsPerWarp()[axis] * layout.getWarpsPerCTA()[axis];
  if (axis == layout.getOrder()[0] || threads == 1)
    return layout;
  SmallVector<unsigned> sizes(layout.getSizePerThread());
  sizes[axis] = std::max<int64_t>(1, shape[axis] / threads);
  return ttg::BlockedEncodingAttr::get(layout.getContext(), sizes, layout.getThreadsPerWarp(), layout.getWarpsPerCTA(),
                                       layout.getOrder());
}

struct Coalesce : tilecc::impl::TritonGPUCoalesceBase<Coalesce> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    AxisInfoAnalysis axisInfo(module);
    // Choose the layouts of all accesses before changing any: the search for related accesses stops at conversions.
    llvm::MapVector<Operation *, Access> accesses;
    module.walk([&](Operation *op) {
      if (!getPointers(op))
        return;
      SetVector<Operation *> related = relatedOperations(op);
      SmallVector<unsigned> order = chooseOrder(op, axisInfo, related);
      accesses[op] = {std::move(related), std::move(order)};
    });
    SmallVector<Attribute> layouts;
    for (auto &[op, access] : accesses)
      layouts.push_back(chooseLayout(op, accesses, axisInfo));
    for (auto [access, layout] : llvm::zip_equal(accesses, layouts))
      apply(access.first, layout);
  }

  struct Access {
    SetVector<Operation *> related;
    SmallVector<unsigned> order;
  };

  static unsigned getBits(Value ptr) {
    return std::max(8u, tt::getElementBits(getElementTypeOrSelf(tt::getPointeeType(ptr.getType()))));
  }

  /// Returns the layout for an access. Accesses that exchange values should agree on a layout, because a conversion
  /// costs more than a narrower access. So all of them take the width of the widest access, with two limits. The
  /// largest element type gets at most one 16-byte access per thread, because more would leave gaps between the threads
  /// of each store. The smallest type gets at least 32 bits. Only atomic accesses, and stores whose pointers do not
  /// allow that width, keep their own width.
  static Attribute chooseLayout(Operation *op, const llvm::MapVector<Operation *, Access> &accesses,
                                const AxisInfoAnalysis &axisInfo) {
    Value ptr = getPointers(op);
    auto type = cast<RankedTensorType>(ptr.getType());
    const auto &[allRelated, order] = accesses.find(op)->second;
    unsigned largest = getBits(ptr), smallest = largest;
    unsigned neighbours = takesSingles(op) ? 1 : getAccessibleNeighbours(axisInfo, ptr);
    bool feedsAtomic = false, feedsStore = false;
    for (Operation *related : allRelated) {
      Value other = getPointers(related);
      if (!other || cast<RankedTensorType>(other.getType()).getShape() != type.getShape() ||
          accesses.find(related)->second.order != order)
        continue;
      largest = std::max(largest, getBits(other));
      smallest = std::min(smallest, getBits(other));
      (takesSingles(related) ? feedsAtomic : feedsStore) |= tt::getGlobalAccess(related)->isWrite;
      if (!tt::getGlobalAccess(op)->isWrite)
        neighbours = std::max<unsigned>(neighbours, getAccessibleNeighbours(axisInfo, other));
    }
    unsigned widest = std::max({1u, widestAccessBits / largest, leastAccessBits / smallest});
    unsigned perThread = std::min(neighbours, widest);
    // Values that are passed to an atomic operation are loaded one element at a time, in the layout of that operation.
    bool accessesSingly = takesSingles(op) || (feedsAtomic && !feedsStore && smallest >= leastAccessBits);
    if (accessesSingly)
      perThread = 1;
    // Keeping all threads busy takes precedence over wide accesses by a few threads. (Multicast memory has no accesses
    // to single halves.)
    unsigned threads = ttg::getNumWarps(op) * ttg::getThreadsPerWarp(op);
    const bool needsPairs =
        isa<tt::MultimemSumOp, tt::MultimemStoreOp, tt::MultimemAddOp>(op) && getBits(ptr) < leastAccessBits;
    perThread = std::min<int64_t>(perThread, std::max<int64_t>(needsPairs ? 2 : 1, type.getNumElements() / threads));
    SmallVector<unsigned> sizePerThread(type.getRank(), 1);
    sizePerThread[order[0]] = perThread;
    auto layout = ttg::BlockedEncodingAttr::get(op->getContext(), type.getShape(), sizePerThread, order,
                                                ttg::getNumWarps(op), ttg::getThreadsPerWarp(op));
    if (std::optional<unsigned> scanned = scannedAxis(op, allRelated))
      return forScan(*scanned, layout, type.getShape());
    // Without warps along the contiguous axis, the elements of a thread lie in few rows, so it computes few addresses.
    return accessesSingly ? withoutWarpsAlong(order[0], layout, type.getShape()) : layout;
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
