#include "lowering/analysis/DataMovement.h"
#include "lowering/passes/Passes.h"
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
    uint64_t most = 0;
    module.walk([&](tt::FuncOp func) { most = std::max(most, allocate(func)); });
    module->setAttr(ttg::sharedAttr, Builder(module.getContext()).getI32IntegerAttr(most));
  }

  /// Places what is in `func`, and returns the bytes in all.
  uint64_t allocate(tt::FuncOp func) {
    SmallVector<std::pair<Operation *, unsigned>> needs;
    uint64_t sum = 0, largest = 0;
    func.walk([&](Operation *op) {
      if (unsigned bytes = llvm::alignTo(getScratchBytes(op), alignment)) {
        needs.push_back({op, bytes});
        sum += bytes;
        largest = std::max<uint64_t>(largest, bytes);
      }
    });
    bool separate = sum <= separateUpTo;
    uint64_t offset = 0;
    for (auto [op, bytes] : needs) {
      op->setAttr(ttg::allocationOffsetAttr,
                  IntegerAttr::get(IntegerType::get(op->getContext(), 32), separate ? offset : 0));
      offset += bytes;
    }
    return separate ? sum : largest;
  }
};

} // namespace
