//===- AllocateSharedMemory.cpp - addresses in shared memory ------------------------------------------------------===//
//
// Writes what analysis/Allocation plans into the IR, where barrier insertion and the lowering read it, once layouts are
// known to fit together.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/passes/Passes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct AllocateSharedMemory : tilecc::impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(ttg::verifyLayouts(module)))
      return signalPassFailure();
    Builder builder(module.getContext());
    int64_t most = 0;
    module.walk([&](tt::FuncOp func) {
      if (func.isExternal())
        return;
      Allocation allocation(func);
      for (const Allocation::Buffer &buffer : allocation.getBuffers())
        buffer.owner->setAttr(ttg::allocationOffsetAttr, builder.getI32IntegerAttr(buffer.offset));
      most = std::max(most, allocation.getBytes());
    });
    module->setAttr(ttg::sharedAttr, builder.getI32IntegerAttr(most));
  }
};

} // namespace
