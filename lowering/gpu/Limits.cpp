//===- Limits.cpp - rejects kernels that are too large to unroll --------------------------------------------------===//
//
// A tile becomes one scalar per register, and an operation on a tile becomes one instruction per register. A kernel
// that needs slightly more registers than there are is slow, which -Wtile-spill reports. But for a kernel that needs
// far more registers, LLVM and ptxas, parts of which take quadratic time, run for minutes or hours. This check reports
// an error before that.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/DataMovement.h"
#include "lowering/gpu/Lowering.h"

using namespace mlir;
using namespace tilecc;

/// Four times the number of registers of a thread: a tile of 2^20 elements over 32 warps.
constexpr int64_t elementsOfThread = 1024;
/// A kernel of this size takes about a minute to compile, for one target and variant.
constexpr int64_t instructionsOfKernel = 1 << 17;

/// Returns the number of elements of a tile that a thread holds, which is 1 for a uniform tile.
static int64_t getElements(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool isUniform = isa_and_nonnull<arith::ConstantOp, tt::SplatOp>(value.getDefiningOp());
  return type && !isUniform ? ttg::getElementsPerThread(type) : 1;
}

/// Estimates the number of instructions of `op` after unrolling: one per element. A scan also combines the totals of
/// all warps one after the other, for each of its chunks. Such long chains take longer to compile.
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
