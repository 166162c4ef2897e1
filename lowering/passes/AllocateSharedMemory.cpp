#include "lowering/analysis/DataMovement.h"
#include "lowering/passes/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_ALLOCATESHAREDMEMORY
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

/// Up to this many bytes each operation has a place of its own: below it shared memory rarely limits how many programs
/// fit on a multiprocessor, and barriers would cost more.
constexpr unsigned separateUpTo = 32 * 1024;
constexpr unsigned alignment = 16;

struct AllocateSharedMemory : tilecc::impl::AllocateSharedMemoryBase<AllocateSharedMemory> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(module.getContext());
    SmallVector<std::pair<Operation *, unsigned>> needs;
    uint64_t sum = 0, largest = 0;
    module.walk([&](Operation *op) {
      if (unsigned bytes = llvm::alignTo(getScratchBytes(op), alignment)) {
        needs.push_back({op, bytes});
        sum += bytes;
        largest = std::max<uint64_t>(largest, bytes);
      }
    });
    bool separate = sum <= separateUpTo;
    uint64_t offset = 0;
    for (auto [op, bytes] : needs) {
      op->setAttr(ttg::allocationOffsetAttr, builder.getI32IntegerAttr(separate ? offset : 0));
      offset += bytes;
    }
    module->setAttr(ttg::sharedAttr, builder.getI32IntegerAttr(separate ? sum : largest));
  }
};

} // namespace
