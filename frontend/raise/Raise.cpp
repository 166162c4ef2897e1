//===- Raise.cpp - raises Clang's LLVM IR of kernels to structured TTIR -------------------------------------------===//
//
// This is the entry point for the front end and tcc-raise. It raises and structures one kernel after the other.
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
  // All user errors have been reported by now.
  if (failed(passes.run(module)))
    reportBug(module.getLoc(), "the control flow of " + symbol + " cannot be structured");
}

RaisedModules raise(TileModule &tiles, MLIRContext &context) {
  cleanUp(tiles);
  RaisedModules raised;
  for (const KernelSignature &kernel : tiles.kernels)
    // The kernel is now MLIR: tile operations in a graph of blocks, with source locations.
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
