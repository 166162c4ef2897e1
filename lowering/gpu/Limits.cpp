//===- Limits.cpp - kernels that are too large to be unrolled ---------------------------------------------------------===//
//
// A tile becomes as many scalars as a thread has registers for it, and every operation on it as many instructions. Some more
// than fit into registers is slow, and -Wtile-spill says so; far more takes LLVM and ptxas, parts of which are quadratic,
// minutes and then hours. Before that there is an error here.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

/// Four times as many elements as a thread has registers: a tile of 2^20 over 32 warps.
constexpr int64_t elementsOfThread = 1024;
/// What takes about a minute, for one target and variant.
constexpr int64_t instructionsOfKernel = 1 << 17;

/// Elements that a thread holds of a tile; of one that is the same everywhere, one.
static int64_t getElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool isUniform = isa_and_nonnull<arith::ConstantOp, tt::SplatOp>(value.getDefiningOp());
  return type && !isUniform ? ttg::getElementsPerThread(type) : 1;
}

/// About what `op` is when it is unrolled: an instruction for each element. A scan also goes through the totals of all
/// warps, one after the other, for each of its chunks; long chains take longer to compile.
static int64_t getInstructions(Operation *op) {
  int64_t instructions = 0;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()), SmallVector<Value>(op->getResults())))
    instructions = std::max(instructions, getElements(value));
  if (auto scan = dyn_cast<tt::ScanOp>(op)) {
    constexpr int64_t instructionsOfTotal = 16;
    ScanPlan plan(scan);
    instructions += (instructions >> plan.registerBits) * plan.getNumWarps() * instructionsOfTotal;
  }
  return instructions;
}

LogicalResult tilecc::checkSizes(ModuleOp module) {
  int64_t instructions = 0;
  tt::FuncOp kernel;
  WalkResult result = module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<tt::FuncOp>(op))
      kernel = func;
    for (Value value : op->getResults())
      if (int64_t held = getElements(value); held > elementsOfThread) {
        op->emitError() << "each thread would hold " << held << " elements of a tile of "
                        << cast<RankedTensorType>(value.getType()).getNumElements() << " over "
                        << ttg::getNumWarps(module) << " warps, and more than " << elementsOfThread
                        << " cannot be compiled; use smaller tiles or more warps";
        return WalkResult::interrupt();
      }
    instructions += getInstructions(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (instructions > instructionsOfKernel)
    return kernel.emitError() << "the kernel would be about " << instructions << " instructions, and more than "
                              << instructionsOfKernel << " cannot be compiled; use smaller tiles or more warps";
  return success();
}
