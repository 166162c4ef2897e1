//===- FitStages.cpp - chooses as many stages as fit in shared memory ---------------------------------------------===//
//
// The amount of shared memory that a pipeline needs is known only after everything around the pipeline is lowered,
// because buffers that are never live at the same time share memory. So the pass runs the loop passes on copies of the
// module, first with the requested number of stages and then with fewer. Before it reduces the number of stages, it
// tries two other ways to save memory: it splits conversions into rounds, and it gives a single slot to buffers whose
// additional slots are not stages (tiles that are computed for dots, and tiles that an outer loop loads).
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/passes/Passes.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "targets/Registry.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TRITONGPUFITSTAGES
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct FitStages : tilecc::impl::TritonGPUFitStagesBase<FitStages> {
  using TritonGPUFitStagesBase::TritonGPUFitStagesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    // If there are few blocks, or large blocks, no other block needs the shared memory of the multiprocessor.
    const bool areFewBlocks = findAttribute(module, tt::fewBlocksAttr) != nullptr;
    auto least = dyn_cast_or_null<IntegerAttr>(findAttribute(module, tt::leastStagesAttr));
    const int64_t stagesOfOneBlock = areFewBlocks ? maxStagesOfFewBlocks : least ? least.getInt() : 0;
    const int wanted = std::max<int64_t>(numStages, stagesOfOneBlock);
    int stages = getMostStages(module, wanted);
    const GpuFacts *facts = findGpuFacts(module);
    int64_t needed = 0;
    OpBuilder builder(module.getContext());
    // A stage is worth more than extra slots, so first try with and then without extra slots, and only then with fewer
    // stages.
    bool hasMoreSlots = true;
    for (int asked = getMostStages(module, numStages); stages > 1;
         stages -= !hasMoreSlots, hasMoreSlots = !hasMoreSlots) {
      // A nested pass manager only runs on operations inside the pass's root operation.
      auto attempt = cast<ModuleOp>(module->clone());
      builder.setInsertionPointToEnd(module.getBody());
      builder.insert(attempt);
      if (failed(run(attempt, wanted, stages, hasMoreSlots)))
        return signalPassFailure();
      auto [func, bytes] = getSharedMemory(attempt);
      if (facts && !facts->fits(bytes))
        std::tie(func, bytes) = shortenRounds(attempt, *facts);
      if (!facts || facts->fits(bytes)) {
        if (stages < asked && !areFewBlocks)
          func.emitWarning() << "with " << asked << " stages the loops take " << needed
                             << " bytes of shared memory, and the GPU has " << facts->getMostSharedBytes()
                             << "; they get " << stages;
        return replaceBy(module, attempt);
      }
      if (stages == asked)
        needed = bytes; // in the second attempt, this is the number without extra slots
      attempt->erase();
    }
    if (failed(run(module, wanted, stages, /*hasMoreSlots=*/false)))
      signalPassFailure();
  }

private:
  static constexpr int64_t maxStagesOfFewBlocks = 6;

  /// Returns the attribute `name` of the first function that has it; null if there is none.
  static Attribute findAttribute(ModuleOp module, StringRef name) {
    Attribute found;
    module.walk([&](tt::FuncOp func) { found = found ? found : func->getAttr(name); });
    return found;
  }

  LogicalResult run(ModuleOp module, int wanted, int stages, bool hasMoreSlots) {
    OpPassManager passes(ModuleOp::getOperationName());
    getGpuBackend(module).buildLoopPasses(passes, {.wanted = wanted, .most = stages, .hasMoreSlots = hasMoreSlots});
    return runPipeline(passes, module);
  }

  /// Returns the largest number of stages of any loop. A loop has `wanted` stages unless the source specifies another
  /// number for it. Returns 1 if there is no loop.
  static int getMostStages(ModuleOp module, int wanted) {
    int most = 1;
    module.walk([&](scf::ForOp loop) {
      most = std::max<int>(most, pipeline::getInteger(loop, pipeline::numStagesAttr, wanted));
    });
    return most;
  }

  static std::pair<tt::FuncOp, int64_t> getSharedMemory(ModuleOp module) {
    std::pair<tt::FuncOp, int64_t> most;
    const int64_t ofCallees = ttg::getModuleInteger(module, ttg::staticSharedAttr, 0);
    module.walk([&](tt::FuncOp func) {
      int64_t bytes = ofCallees + (func.isExternal() ? 0 : Allocation(func).getBytes());
      if (!most.first || bytes > most.second)
        most = {func, bytes};
    });
    return most;
  }

  /// Splits large conversions outside the innermost loops into rounds. Each such conversion then needs one to three
  /// more barriers, but the memory that this saves may allow one more stage.
  static std::pair<tt::FuncOp, int64_t> shortenRounds(ModuleOp module, const GpuFacts &facts) {
    std::pair<tt::FuncOp, int64_t> most;
    for (unsigned rounds : {2, 4}) {
      module.walk([&](ttg::ConvertLayoutOp convert) {
        ConversionPlan plan = planConversion(convert.getSrc().getType(), convert.getType());
        auto around = convert->getParentOfType<LoopLikeOpInterface>();
        bool isInnermost = around && !around
                                          ->walk([&](LoopLikeOpInterface loop) {
                                            return loop == around ? WalkResult::advance() : WalkResult::interrupt();
                                          })
                                          .wasInterrupted();
        if (plan.scratch && !isInnermost)
          convert->setAttr(maxBytesOfRoundAttr, Builder(convert).getI32IntegerAttr(
                                                    plan.getScratchBytes() * plan.scratch->getNumRounds() / rounds));
      });
      most = getSharedMemory(module);
      if (facts.fits(most.second))
        break;
    }
    return most;
  }

  static void replaceBy(ModuleOp module, ModuleOp attempt) {
    attempt->remove();
    module->setDiscardableAttrs(attempt->getDiscardableAttrDictionary());
    module.getBodyRegion().takeBody(attempt.getBodyRegion());
    attempt->erase();
  }
};

} // namespace
