//===- Raise.cpp - from Clang's LLVM IR of kernels to structured TTIR ---------------------------------------------===//
//
// The entrance for the front end, and for tcc-raise: one kernel, raised and structured.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Raise.h"
#include "frontend/raise/KernelRaiser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace tilecc {

OwningOpRef<ModuleOp> raiseKernel(TileModule &tiles, const KernelSignature &kernel, MLIRContext &context) {
  OpBuilder builder(&context);
  return KernelRaiser(tiles, builder).raiseKernel(kernel);
}

std::vector<OwningOpRef<ModuleOp>> raise(TileModule &tiles, MLIRContext &context) {
  cleanUp(tiles);
  std::vector<OwningOpRef<ModuleOp>> modules;
  for (const KernelSignature &kernel : tiles.kernels) {
    OwningOpRef<ModuleOp> module = raiseKernel(tiles, kernel, context);
    // From here on the kernel is MLIR: tile operations over a graph of blocks, each with its place in the source.
    if (module) {
      PassManager passes(&context);
      buildStructuringPipeline(passes);
      // What users can get wrong has been said by now.
      if (failed(passes.run(*module)))
        reportBug(module->getLoc(), "the control flow of kernel " + kernel.symbol + " cannot be given structure");
    }
    modules.push_back(std::move(module));
  }
  return modules;
}

} // namespace tilecc
