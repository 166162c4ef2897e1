//===- RunPasses.h - a pipeline, where what a pass breaks is a bug of the compiler -------------------------*- C++ -*-//

#ifndef TILECC_TARGETS_RUNPASSES_H
#define TILECC_TARGETS_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

namespace tilecc {

/// Is told of each pass that runs on a module: one of a pipeline, or one that such a pass runs on a copy of the module.
class PassListener {
public:
  virtual void beforePass(mlir::ModuleOp module) = 0;
  virtual void afterPass(llvm::StringRef pass, mlir::ModuleOp module, std::chrono::nanoseconds time,
                         bool isOutermost) = 0;

protected:
  ~PassListener() = default;
};

/// Runs `pm` on `module`. A pass that fails has found a mistake of the user's, and has said so. A pass that leaves
/// invalid IR behind, or that fails without a word, is a bug of the compiler, and reported as one with the pass's name.
/// The thread's Attempt knows which pass runs. For `reproducedPass` see CodeOptions.
mlir::LogicalResult runPasses(mlir::PassManager &pm, mlir::ModuleOp module,
                              std::optional<unsigned> reproducedPass = std::nullopt,
                              PassListener *listener = nullptr);

} // namespace tilecc

#endif // TILECC_TARGETS_RUNPASSES_H
