//===- AllocateTensorMemory.cpp - assigns columns of tensor memory ----------------------------------------------===//
//
// Passes.td describes the effect of this pass. An allocation is live until the last use of anything that refers to it.
// A wait that lists the allocation among its `deps` is such a use. If no wait lists the allocation of an asynchronous
// dot, or if a partition uses the allocation, it is live until the end of the kernel, because the IR does not show who
// waits for it. Allocations that are never live at the same time may share columns.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/Architectures.h"
#include "targets/nvidia/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONTENSORMEMORYALLOCATION
#include "targets/nvidia/Passes.h.inc"
} // namespace tilecc

namespace {

struct TensorAllocation {
  ttng::TMEMAllocOp alloc;
  unsigned columns;
  int64_t begin, end; ///< live in [begin, end), as operation numbers
  unsigned column = 0;
};

class ColumnAllocator {
public:
  explicit ColumnAllocator(tt::FuncOp func) : ranges(func) {
    DenseSet<Operation *> lasting, awaited;
    auto insert = [](ValueRange values, DenseSet<Operation *> &set) {
      for (Value value : values)
        if (auto type = dyn_cast<ttg::MemDescType>(value.getType()); type && ttng::isInTensorMemory(type))
          set.insert_range(getAllocations(value));
    };
    func.walk([&](ttng::WaitBarrierOp wait) { insert(wait.getDeps(), awaited); });
    func.walk([&](ttng::MMAv5OpInterface dot) {
      if (dot.getIsAsync())
        insert(dot->getOperands(), lasting);
    });
    func.walk([&](ttng::TMEMCopyOp copy) { insert(copy.getDst(), lasting); });
    for (Operation *alloc : awaited)
      lasting.erase(alloc);
    func.walk([&](ttg::StartPartitionsOp start) { insert(start->getOperands(), lasting); });
    func.walk([&](ttng::TMEMAllocOp alloc) {
      auto [begin, end] = ranges.get(alloc);
      unsigned columns = alloc.getType().getNumTiles() * ttng::getTensorMemoryColumns(alloc.getType());
      allocations.push_back({alloc, columns, begin, lasting.contains(alloc) ? ranges.getEnd() : end});
    });
  }

  /// Assigns columns to all allocations by first fit. Returns the number of columns that all allocations need.
  unsigned assign() {
    constexpr unsigned maxAlignment = 32;
    unsigned top = 0;
    for (auto [i, allocation] : llvm::enumerate(allocations)) {
      unsigned alignment = std::min(maxAlignment, unsigned(llvm::PowerOf2Ceil(allocation.columns)));
      SmallVector<std::pair<unsigned, unsigned>> taken;
      for (const TensorAllocation &known : ArrayRef(allocations).take_front(i))
        if (known.begin < allocation.end && allocation.begin < known.end)
          taken.push_back({known.column, known.column + known.columns});
      llvm::sort(taken);
      for (auto [begin, end] : taken)
        if (allocation.column + allocation.columns > begin)
          allocation.column = std::max<unsigned>(allocation.column, llvm::alignTo(end, alignment));
      top = std::max(top, allocation.column + allocation.columns);
    }
    return top;
  }

  ArrayRef<TensorAllocation> get() const { return allocations; }
  bool areLiveAt(Operation *op) const {
    int64_t number = ranges.getNumber(op);
    return llvm::any_of(allocations, [&](const TensorAllocation &allocation) {
      return allocation.begin < number && number < allocation.end;
    });
  }

private:
  LiveRanges ranges;
  SmallVector<TensorAllocation> allocations;
};

/// Returns the operation at which all thread blocks of the program except the first one exit, or null if there is none.
ttng::SumOverBlocksOp findEndOfBlocks(tt::FuncOp func) {
  ttng::SumOverBlocksOp found;
  func.walk([&](ttng::SumOverBlocksOp sum) {
    found = sum;
    return WalkResult::interrupt();
  });
  return found;
}

struct AllocateTensorMemory : tilecc::impl::TritonTensorMemoryAllocationBase<AllocateTensorMemory> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<tt::FuncOp>())
      if (!func.isExternal() && failed(allocate(func)))
        return signalPassFailure();
  }

  LogicalResult allocate(tt::FuncOp func) {
    ColumnAllocator allocations(func);
    if (allocations.get().empty())
      return success();
    ModuleOp module = getOperation();
    ttng::TMEMAllocOp first = allocations.get().front().alloc;
    if (!nvidia::hasFeature(func, nvidia::Feature::TensorMemory))
      return first.emitOpError() << "needs tensor memory, which " << module->getAttr(ttg::targetAttr)
                                 << " does not have; sm_100a, sm_100f, and their like of 103 and 110 do";
    if (func->hasAttr(ttg::partitionAttr))
      return first.emitOpError(
          "allocates tensor memory in a partition; only the program can, and hand it to partitions");
    unsigned needed = allocations.assign();
    constexpr unsigned fewest = 32;
    unsigned columns = std::max<unsigned>(fewest, llvm::PowerOf2Ceil(needed));
    if (unsigned programs = ttg::getProgramsPerBlock(func); programs * columns > TensorMemoryAccess::numColumns) {
      auto byColumns = [](const TensorAllocation &a, const TensorAllocation &b) { return a.columns < b.columns; };
      const TensorAllocation &largest = *llvm::max_element(allocations.get(), byColumns);
      InFlightDiagnostic error = largest.alloc->emitError();
      error << "the kernel needs " << programs * needed << " columns of tensor memory, and a multiprocessor has "
            << TensorMemoryAccess::numColumns << "; use smaller tiles";
      if (programs > 1)
        error << ", or fewer than " << programs << " programs that share a block";
      for (const TensorAllocation &allocation : allocations.get())
        if (allocation.alloc != largest.alloc)
          error.attachNote(allocation.alloc->getLoc()) << allocation.columns << " columns are used here";
      return error;
    }
    auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
    Value base = ttng::ReserveTensorMemoryOp::create(builder, func.getLoc(), builder.getI32Type(), columns);
    for (const TensorAllocation &allocation : allocations.get()) {
      ttng::TMEMAllocOp alloc = allocation.alloc;
      alloc.getBaseMutable().assign(base);
      alloc->setAttr(ttng::columnAttr, builder.getI32IntegerAttr(allocation.column));
    }
    module->setAttr(ttng::numColumnsAttr, builder.getI32IntegerAttr(columns));
    auto releaseBefore = [&](Operation *op) {
      builder.setInsertionPoint(op);
      ttng::ReleaseTensorMemoryOp::create(builder, op->getLoc(), base, columns);
    };
    if (ttng::SumOverBlocksOp sum = findEndOfBlocks(func)) {
      if (allocations.areLiveAt(sum))
        return sum.emitOpError("ends blocks that hold tensor memory");
      releaseBefore(sum);
      return success();
    }
    func.walk([&](tt::ReturnOp end) { releaseBefore(end); });
    return success();
  }
};

} // namespace
