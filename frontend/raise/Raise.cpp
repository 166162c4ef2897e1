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

static void giveStructure(ModuleOp module, StringRef symbol) {
  PassManager passes(module.getContext());
  buildStructuringPipeline(passes);
  // What users can get wrong has been said by now.
  if (failed(passes.run(module)))
    reportBug(module.getLoc(), "the control flow of " + symbol + " cannot be given structure");
}

RaisedModules raise(TileModule &tiles, MLIRContext &context) {
  cleanUp(tiles);
  RaisedModules raised;
  for (const KernelSignature &kernel : tiles.kernels)
    // From here on the kernel is MLIR: tile operations over a graph of blocks, each with its place in the source.
    if (auto &module = raised.kernels.emplace_back(raiseKernel(tiles, kernel, context)))
      giveStructure(*module, kernel.symbol);
  for (const TileFunctionSignature &function : tiles.functions) {
    OpBuilder builder(&context);
    if (auto &module = raised.functions.emplace_back(KernelRaiser(tiles, builder).raiseFunction(function)))
      giveStructure(*module, function.symbol);
  }
  return raised;
}

} // namespace tilecc
