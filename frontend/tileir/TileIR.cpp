//===- TileIR.cpp - reads kernels of CUDA Tile IR -----------------------------------------------------------------===//
//
// The driver and libtilecc call this for inputs of bytecode. The resulting kernel is like a kernel of a C++ source with
// known assumptions about its arguments: it is compiled in a single variant.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/tileir/TileIR.h"
#include "frontend/raise/Raise.h"
#include "frontend/tileir/Translator.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace tilecc {

bool isTileIR(StringRef bytes) { return tileir::isBytecode(bytes); }

std::vector<std::string> tileIRVersions() {
  std::vector<std::string> versions;
  for (unsigned version = tileir::oldestVersion; version <= tileir::newestVersion; ++version)
    versions.push_back(std::to_string(version / 100) + "." + std::to_string(version % 100));
  return versions;
}

/// Structures the control flow, after removing unreachable blocks.
static LogicalResult giveStructure(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  for (tt::FuncOp kernel : module.getOps<tt::FuncOp>())
    (void)eraseUnreachableBlocks(rewriter, kernel->getRegions());
  if (failed(verify(module)))
    return failure();
  PassManager passes(module.getContext());
  buildStructuringPipeline(passes);
  return passes.run(module);
}

FailureOr<std::vector<Kernel>> readTileIR(StringRef bytes, StringRef file, MLIRContext &context) {
  std::string reason;
  std::unique_ptr<tileir::Module> module = tileir::readBytecode(bytes, reason);
  if (!module) {
    emitError(FileLineColLoc::get(&context, file, 0, 0)) << reason;
    return failure();
  }
  std::vector<Kernel> kernels;
  llvm::StringSet<> names;
  for (const tileir::Function &function : module->functions) {
    tileir::Translator translator(*module, function, file, &context);
    if (!function.isKernel || function.name.empty() || !names.insert(function.name).second) {
      emitError(FileLineColLoc::get(&context, file, 0, 0))
          << "the function '" << function.name << "' "
          << (!function.isKernel ? "is not a kernel, which is not supported" : "has no name, or that of another one");
      return failure();
    }
    OwningOpRef<ModuleOp> ttir = translator.translate();
    if (!ttir || failed(giveStructure(*ttir)))
      return failure();
    Kernel kernel;
    kernel.symbol = kernel.displayName = function.name.str();
    kernel.file = file.str();
    kernel.line = module->locations[function.location].line;
    tt::FuncOp func = *ttir->getOps<tt::FuncOp>().begin();
    kernel.params = packedParams(func.getArgumentTypes());
    kernel.hasVariants = false;
    kernel.hints = std::move(translator.hints);
    kernel.ttir = std::move(ttir);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

} // namespace tilecc
