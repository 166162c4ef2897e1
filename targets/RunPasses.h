//===- RunPasses.h - runs a pipeline, and reports passes that break the IR ------------------------------*- C++ -*-===//
//
// Every back end runs its passes by runPasses(), so that crashes, observers and reproducers work alike everywhere.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_RUNPASSES_H
#define TILECC_TARGETS_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include <chrono>

namespace tilecc {

/// Is notified of the passes that run on a module: the passes of a pipeline, and those that such a pass runs on a copy
/// of the module.
class PassListener {
public:
  virtual void beforePass(mlir::ModuleOp module) = 0;
  virtual void afterPass(llvm::StringRef pass, mlir::ModuleOp module, std::chrono::nanoseconds time,
                         bool isOutermost) = 0;

protected:
  ~PassListener() = default;
};

/// Runs `pm` on `module`. A pass that fails has found a mistake of the user, and reported it. A pass that leaves
/// invalid IR, or that fails without a diagnostic, is a compiler bug, which is reported with the name of the pass.
/// While a pass runs, the thread's Attempt names it. See CodeOptions for `reproducedPass`.
mlir::LogicalResult runPasses(mlir::PassManager &pm, mlir::ModuleOp module,
                              std::optional<unsigned> reproducedPass = std::nullopt, PassListener *listener = nullptr);

} // namespace tilecc

#endif // TILECC_TARGETS_RUNPASSES_H
