//===- OptimizeLDSUsage.cpp - operands that do not fit into LDS together ------------------------------------------===//
//
// See Passes.td. A tile in LDS takes its place from where it is stored to where it is last loaded, which for tiles from
// before a loop is the whole loop. A conversion takes scratch space only while it runs, and registers hold the tile
// until then.
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

/// Whether `op` is a tile that threads store once and only load again.
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
        // The largest, and of those the one that takes its place longest.
        const Allocation::Buffer *chosen = nullptr;
        for (const Allocation::Buffer &buffer : allocation.getBuffers())
          if (isConversion(buffer.owner) && (!chosen || std::pair(buffer.bytes, buffer.end - buffer.begin) >
                                                            std::pair(chosen->bytes, chosen->end - chosen->begin)))
            chosen = &buffer;
        if (!chosen)
          return; // the conversion to LLVM reports it
        convert(cast<ttg::LocalAllocOp>(chosen->owner));
      }
    });
  }
};

} // namespace

} // namespace tilecc::amd
