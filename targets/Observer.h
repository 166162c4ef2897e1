//===- Observer.h - observes the compilation of kernels -------------------------------------------------*- C++ -*-===//
//
// A display of a compilation (page/) receives the IR after each pass, and the LLVM IR directly before code generation.
// It therefore shows the actual compilation, and not a second run that might differ.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_OBSERVER_H
#define TILECC_TARGETS_OBSERVER_H

#include "targets/Backend.h"
#include "targets/RunPasses.h"

namespace tilecc {

/// One variant of a kernel, compiled for one target.
struct ObservedVariant {
  const Kernel &kernel;
  const Variant &variant;
  const Target &target;
};

/// A state of a variant's module.
struct ObservedState {
  /// The pass that has just run. It is empty if no pass has run yet. It is also empty when a pass that makes several
  /// attempts (tritongpu-fit-stages) begins an attempt on a copy of the module.
  llvm::StringRef pass;
  std::chrono::nanoseconds time{0}; ///< how long the pass took
  std::optional<Form> form; ///< the form that the module has reached
  mlir::ModuleOp module;
};

/// Receives the states of all variants. The compiling threads call its functions; all calls for one variant, or for one
/// LLVM module, come from the same thread.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  virtual void sawState(const ObservedVariant &variant, const ObservedState &state) = 0;
  /// Called with the optimized LLVM IR of all kernels for one target, directly before code generation. The observer may
  /// change debug locations, and nothing else.
  virtual void sawLLVM(llvm::Module &module, const Target &target) = 0;
};

/// Informs an observer, if there is one, about the passes of one pipeline.
class PipelineObservation final : public PassListener {
public:
  PipelineObservation(CompileObserver *observer, const ObservedVariant &variant)
      : observer(observer), variant(variant) {}

  /// Declares that the passes that have been added to `pm` so far transform the module to `form`.
  void reaches(Form form, const mlir::PassManager &pm) { forms.push_back({pm.size(), form}); }
  /// Returns the listener for runPasses(), or null if there is no observer.
  PassListener *getListener() { return observer ? this : nullptr; }

  void beforePass(mlir::ModuleOp module) override {
    if (module != last)
      tell({}, {}, module);
    last = module;
  }
  void afterPass(llvm::StringRef pass, mlir::ModuleOp module, std::chrono::nanoseconds time,
                 bool isOutermost) override {
    outermost += isOutermost;
    tell(pass, time, module);
    last = module;
  }

private:
  void tell(llvm::StringRef pass, std::chrono::nanoseconds time, mlir::ModuleOp module) {
    ObservedState state{pass, time, std::nullopt, module};
    for (auto [passes, form] : forms)
      if (passes == outermost)
        state.form = form;
    observer->sawState(variant, state);
  }

  CompileObserver *observer;
  ObservedVariant variant;
  llvm::SmallVector<std::pair<size_t, Form>, 3> forms;
  size_t outermost = 0; ///< how many passes of the pipeline itself have run
  mlir::ModuleOp last;
};

} // namespace tilecc

#endif // TILECC_TARGETS_OBSERVER_H
