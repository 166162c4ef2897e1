//===- OutlinePartitions.cpp - turns partitions into functions ----------------------------------------------------===//
//
// The default region stays in the kernel, between the operation that starts the partitions and the one that waits for
// their end. Each partition becomes a function whose attributes specify the warps that execute it. So the passes that
// follow (allocation, barriers, the lowering) process one set of warps at a time, as a function with its own control
// flow. LLVM later inlines each function into the branch of the kernel that its warps take
// (hopper/Partitions.cpp of the back end).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/AxisInfo.h"
#include "lowering/passes/Passes.h"
#include "targets/GpuFacts.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUOUTLINEPARTITIONS
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct OutlinePartitions : tilecc::impl::TritonGPUOutlinePartitionsBase<OutlinePartitions> {
  void runOnOperation() override {
    SmallVector<ttg::WarpSpecializeOp> ops;
    getOperation().walk([&](ttg::WarpSpecializeOp op) { ops.push_back(op); });
    Builder builder(&getContext());
    unsigned numWarps = ttg::getNumWarps(getOperation()) * ttg::getProgramsPerBlock(getOperation());
    auto setTotal = [&](unsigned warps) {
      getOperation()->setAttr(ttg::totalNumWarpsAttr, builder.getI32IntegerAttr(warps));
    };
    if (ops.empty() && ttg::getProgramsPerBlock(getOperation()) > 1)
      setTotal(numWarps);
    if (ops.empty())
      return;
    AxisInfoAnalysis axisInfo(getOperation());
    ttg::WarpSpecializeOp first = ops.front();
    const GpuFacts *facts = findGpuFacts(getOperation());
    if (const size_t count = first.getPartitionNumWarps().size(); facts && count > facts->maxPartitions) {
      first.emitOpError("has ") << count << (count == 1 ? " partition" : " partitions")
                                << ", and a thread block can have " << facts->maxPartitions << " on "
                                << getOperation()->getAttrOfType<StringAttr>(ttg::targetAttr).getValue();
      return signalPassFailure();
    }
    for (ttg::WarpSpecializeOp op : ops) {
      if (op->getParentOfType<ttg::WarpSpecializePartitionsOp>()) {
        op.emitOpError("is in a partition, whose warps cannot be shared out again");
        return signalPassFailure();
      }
      if (op.getPartitionNumWarps() != first.getPartitionNumWarps() ||
          op.getRequestedRegisters() != first.getRequestedRegisters()) {
        InFlightDiagnostic error =
            op.emitOpError("has other partitions than the kernel's first one: the warps that run them, "
                           "and their registers, are the same for a whole kernel");
        error.attachNote(first.getLoc()) << "the first one";
        return signalPassFailure();
      }
    }
    setTotal(numWarps + first.getTotalPartitionWarps());
    for (auto [number, op] : llvm::enumerate(ops))
      outline(op, number, numWarps, axisInfo);
  }

  /// Returns the first warp of each partition. Larger partitions come first, so that each partition of four warps is a
  /// warp group of the hardware, and each smaller partition lies within one warp group.
  static SmallVector<unsigned> getFirstWarps(ttg::WarpSpecializeOp op, unsigned numWarps) {
    ArrayRef<int32_t> warps = op.getPartitionNumWarps();
    auto bySize = llvm::to_vector(llvm::seq<unsigned>(0, warps.size()));
    llvm::stable_sort(bySize, [&](unsigned a, unsigned b) { return warps[a] > warps[b]; });
    SmallVector<unsigned> firstWarps(warps.size());
    for (unsigned index : bySize) {
      firstWarps[index] = numWarps;
      numWarps += warps[index];
    }
    return firstWarps;
  }

  void outline(ttg::WarpSpecializeOp op, unsigned number, unsigned numWarps, const AxisInfoAnalysis &axisInfo) {
    auto kernel = op->getParentOfType<tt::FuncOp>();
    OpBuilder builder(kernel);
    SmallVector<Attribute> names;
    SmallVector<unsigned> firstWarps = getFirstWarps(op, numWarps);
    for (auto [index, region] : llvm::enumerate(op.getPartitionRegions())) {
      std::string name = (kernel.getName() + "$" + Twine(number) + "$" + Twine(index)).str();
      unsigned warps = op.getPartitionNumWarps()[index];
      auto func = tt::FuncOp::create(builder, op.getLoc(), name,
                                     builder.getFunctionType(region.getArgumentTypes(), TypeRange()));
      func.setSymVisibility("private");
      func->setAttr(ttg::numWarpsAttr, builder.getI32IntegerAttr(warps));
      func->setAttr(ttg::firstWarpAttr, builder.getI32IntegerAttr(firstWarps[index]));
      func->setAttr(ttg::partitionAttr, builder.getI32IntegerAttr(index));
      if (auto registers = op.getRequestedRegisters())
        func->setAttr(ttg::requestedRegistersAttr, builder.getI32IntegerAttr((*registers)[index]));
      func.getBody().takeBody(region);
      func.walk([](ttg::WarpReturnOp end) {
        OpBuilder(end).create<tt::ReturnOp>(end.getLoc());
        end->erase();
      });
      for (auto [argument, captured] : llvm::enumerate(op.getExplicitCaptures()))
        if (captured.getType().isIntOrIndex() || isa<tt::PointerType>(captured.getType()))
          if (int64_t divisibility = axisInfo.get(captured).getDivisibility(0); divisibility > 1)
            func.setArgAttr(argument, tt::divisibilityAttr,
                            builder.getI32IntegerAttr(std::min<int64_t>(divisibility, 1 << 30)));
      names.push_back(FlatSymbolRefAttr::get(func.getSymNameAttr()));
    }
    builder.setInsertionPoint(op);
    ttg::StartPartitionsOp::create(builder, op.getLoc(), builder.getArrayAttr(names), op.getExplicitCaptures());
    Block &body = op.getDefaultRegion().front();
    auto yield = cast<ttg::WarpYieldOp>(body.getTerminator());
    op->replaceAllUsesWith(yield.getValues());
    op->getBlock()->getOperations().splice(op->getIterator(), body.getOperations(), body.begin(), yield->getIterator());
    ttg::JoinPartitionsOp::create(builder, op.getLoc());
    op->erase();
  }
};

} // namespace
