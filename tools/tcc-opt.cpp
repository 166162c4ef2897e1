//===- tcc-opt.cpp - runs passes and pipelines on textual IR ------------------------------------------------------===//
//
// The equivalent of mlir-opt for tcc: runs and tests each stage separately. If the input is bytecode of CUDA Tile IR,
// which its first bytes show, it is first translated to TTIR.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/Kernel.h"
#include "frontend/raise/Passes.h"
#include "frontend/tileir/TileIR.h"
#include "targets/Registry.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/ToolUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

/// Translates the kernels in bytecode to text, one module per kernel.
static std::optional<std::string> translateTileIR(llvm::StringRef bytes, llvm::StringRef name,
                                                  DialectRegistry &registry) {
  MLIRContext context(registry);
  context.loadAllAvailableDialects();
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  auto kernels = tilecc::readTileIR(bytes, name, context);
  if (failed(kernels))
    return std::nullopt;
  std::string text;
  for (const tilecc::Kernel &kernel : *kernels)
    text += (text.empty() ? "" : "\n" + std::string(kDefaultSplitMarker) + "\n") + tilecc::printModule(*kernel.ttir);
  return text;
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  tilecc::registerAllDialects(registry);
  registerTransformsPasses();
  tilecc::registerAllPasses();
  tilecc::registerRaisePasses();
  auto [inputName, outputName] = registerAndParseCLIOptions(argc, argv, "tcc's pass driver\n", registry);
  // Standard input is text; reading it here would consume it.
  auto file = inputName == "-" ? nullptr : openInputFile(inputName);
  if (!file || !tilecc::isTileIR(file->getBuffer()))
    return asMainReturnCode(MlirOptMain(argc, argv, inputName, outputName, registry));
  std::optional<std::string> text = translateTileIR(file->getBuffer(), inputName, registry);
  std::string message;
  auto output = openOutputFile(outputName, &message);
  if (!text || !output) {
    llvm::errs() << message;
    return 1;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  config.splitInputFile();
  if (failed(MlirOptMain(output->os(), llvm::MemoryBuffer::getMemBufferCopy(*text, inputName), registry, config)))
    return 1;
  output->keep();
  return 0;
}
