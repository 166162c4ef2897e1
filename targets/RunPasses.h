//===- RunPasses.h - runs a pipeline, and reports passes that break the IR ------------------------------*- C++ -*-===//

#ifndef TILECC_TARGETS_RUNPASSES_H
#define TILECC_TARGETS_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

namespace tilecc {

/// A listener for the passes that run on a module: those of a pipeline, and those that such a pass runs on a copy of
/// the module.
class PassListener {
public:
  virtual void beforePass(mlir::ModuleOp module) = 0;
  virtual void afterPass(llvm::StringRef pass, mlir::ModuleOp module, std::chrono::nanoseconds time,
                         bool isOutermost) = 0;

protected:
  ~PassListener() = default;
};

/// Runs `pm` on `module`. A pass that fails has found and reported a mistake of the user. A pass that leaves invalid
/// IR, or that fails without a diagnostic, is a compiler bug, which is reported with the name of the pass. Updates the
/// thread's Attempt with the running pass. For `reproducedPass` see CodeOptions.
mlir::LogicalResult runPasses(mlir::PassManager &pm, mlir::ModuleOp module,
                              std::optional<unsigned> reproducedPass = std::nullopt, PassListener *listener = nullptr);

} // namespace tilecc

#endif // TILECC_TARGETS_RUNPASSES_H
