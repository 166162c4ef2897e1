//===- OptimizeLDSUsage.cpp - converts operands through scratch space if LDS is too small -------------------------===//
//
// Passes.td describes the pass. A tile in LDS is live from its store to its last load, and a tile from outside a loop
// is live throughout the loop. A layout conversion instead uses LDS only while it executes; until then the tile is in
// registers.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "targets/GpuFacts.h"
#include "targets/amd/Passes.h"

using namespace mlir;

namespace tilecc::amd {

#define GEN_PASS_DEF_OPTIMIZEAMDLDSUSAGE
#include "targets/amd/Passes.h.inc"

namespace {

/// Returns true if `op` is a tile that is stored once and only loaded afterwards.
bool isConversion(Operation *op) {
  auto tile = dyn_cast<ttg::LocalAllocOp>(op);
  return tile && tile.getSrc() && llvm::all_of(tile->getUsers(), llvm::IsaPred<ttg::LocalLoadOp>);
}

void convert(ttg::LocalAllocOp tile) {
  for (Operation *user : llvm::make_early_inc_range(tile->getUsers())) {
    auto load = cast<ttg::LocalLoadOp>(user);
    OpBuilder builder(load);
    load.replaceAllUsesWith(
        ttg::ConvertLayoutOp::create(builder, load.getLoc(), load.getType(), tile.getSrc()).getResult());
    load.erase();
  }
  tile.erase();
}

struct OptimizeLDSUsage : impl::OptimizeAMDLDSUsageBase<OptimizeLDSUsage> {
  void runOnOperation() override {
    const GpuFacts &facts = getGpuFacts(getOperation());
    getOperation().walk([&](tt::FuncOp func) {
      if (func.isExternal())
        return;
      while (true) {
        Allocation allocation(func);
        if (facts.fits(allocation.getBytes()))
          return;
        // Choose the largest tile. Among tiles of equal size, choose the one with the longest live range.
        const Allocation::Buffer *chosen = nullptr;
        for (const Allocation::Buffer &buffer : allocation.getBuffers())
          if (isConversion(buffer.owner) && (!chosen || std::pair(buffer.bytes, buffer.end - buffer.begin) >
                                                            std::pair(chosen->bytes, chosen->end - chosen->begin)))
            chosen = &buffer;
        if (!chosen)
          return; // the lowering to LLVM reports an error
        convert(cast<ttg::LocalAllocOp>(chosen->owner));
      }
    });
  }
};

} // namespace

} // namespace tilecc::amd
