//===- GlobalScratchMemoryAllocation.cpp - allocates per-program scratch space in global memory -------------------===//
//
// Tensor descriptors that Triton's kernels create on the device need scratch space in global memory, and IR of other
// tools may request it too. The launch passes memory for the whole grid, and each program computes the address of its
// own part from its program id.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/passes/Passes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUGLOBALSCRATCHMEMORYALLOCATION
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct GlobalScratchMemoryAllocation
    : tilecc::impl::TritonGPUGlobalScratchMemoryAllocationBase<GlobalScratchMemoryAllocation> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto func : module.getOps<tt::FuncOp>()) {
      SmallVector<ttg::GlobalScratchAllocOp> allocs;
      func.walk([&](ttg::GlobalScratchAllocOp alloc) { allocs.push_back(alloc); });
      if (allocs.empty())
        continue;
      if (!func.isKernel()) {
        allocs.front().emitOpError("stands in a function that is not inlined, which has no scratch space");
        return signalPassFailure();
      }
      allocate(module, func, allocs);
    }
  }

  static void allocate(ModuleOp module, tt::FuncOp func, MutableArrayRef<ttg::GlobalScratchAllocOp> allocs) {
    uint64_t size = 0, alignment = 1;
    SmallVector<uint64_t> offsets;
    for (ttg::GlobalScratchAllocOp alloc : allocs) {
      offsets.push_back(llvm::alignTo(size, alloc.getAlignment()));
      size = offsets.back() + alloc.getNbytes();
      alignment = std::max<uint64_t>(alignment, alloc.getAlignment());
    }
    size = llvm::alignTo(size, alignment);
    Builder attributes(module.getContext());
    module->setAttr(ttg::globalScratchSizeAttr, attributes.getI32IntegerAttr(size));
    module->setAttr(ttg::globalScratchAlignmentAttr, attributes.getI32IntegerAttr(alignment));

    Type bytes = tt::PointerType::get(attributes.getI8Type());
    unsigned number = func.getNumArguments();
    (void)func.insertArgument(number, bytes, {}, func.getLoc()); // fails for functions without a body
    func.setArgAttr(number, tt::divisibilityAttr, attributes.getI32IntegerAttr(alignment));
    auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
    Value mine = addBytes(builder, func.getLoc(), func.getArgument(number), size);
    for (auto [alloc, offset] : llvm::zip_equal(allocs, offsets)) {
      builder.setInsertionPoint(alloc);
      Value base = getInPartition(mine, alloc);
      Value distance = arith::ConstantOp::create(builder, alloc.getLoc(), builder.getI64IntegerAttr(offset));
      Value place = tt::AddPtrOp::create(builder, alloc.getLoc(), bytes, base, distance);
      if (alloc.getType() != bytes)
        place = tt::BitcastOp::create(builder, alloc.getLoc(), alloc.getType(), place);
      alloc.replaceAllUsesWith(place);
      alloc.erase();
    }
  }

  /// Returns `value`. If `op` is in a partition, returns the argument of that partition that captures `value` instead.
  static Value getInPartition(Value value, Operation *op) {
    auto partitions = op->getParentOfType<ttg::WarpSpecializePartitionsOp>();
    if (!partitions)
      return value;
    auto specialize = cast<ttg::WarpSpecializeOp>(partitions->getParentOp());
    OperandRange captures = specialize.getExplicitCaptures();
    unsigned number = llvm::find(captures, value) - captures.begin();
    if (number == captures.size()) {
      specialize.getExplicitCapturesMutable().append(value);
      for (Region &region : partitions.getPartitionRegions())
        region.addArgument(value.getType(), value.getLoc());
    }
    for (Region &region : partitions.getPartitionRegions())
      if (region.isAncestor(op->getParentRegion()))
        return region.getArgument(number);
    llvm_unreachable("an operation of a partition is in one of its regions");
  }

  /// Returns `base` plus `size` bytes for each program that precedes this one in the grid.
  static Value addBytes(OpBuilder &builder, Location loc, Value base, int64_t size) {
    Type i64 = builder.getI64Type();
    auto wide = [&](Value value) -> Value { return arith::ExtUIOp::create(builder, loc, i64, value); };
    Value program = wide(tt::GetProgramIdOp::create(builder, loc, 2));
    for (int axis : {1, 0}) {
      Value count = wide(tt::GetNumProgramsOp::create(builder, loc, axis));
      program = arith::MulIOp::create(builder, loc, program, count);
      program = arith::AddIOp::create(builder, loc, program, wide(tt::GetProgramIdOp::create(builder, loc, axis)));
    }
    Value each = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(size));
    Value offset = arith::MulIOp::create(builder, loc, program, each);
    return tt::AddPtrOp::create(builder, loc, base.getType(), base, offset);
  }
};

} // namespace
