//===- Observer.h - observes the compilation of kernels -------------------------------------------------*- C++ -*-===//
//
// A display of a compilation (page/) receives its IR after each pass, and as LLVM IR directly before code generation.
// It therefore shows the actual compilation, not the result of a second run.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_OBSERVER_H
#define TILECC_TARGETS_OBSERVER_H

#include "targets/Backend.h"
#include "targets/RunPasses.h"

namespace tilecc {

/// One variant of a kernel that is compiled for one target.
struct ObservedVariant {
  const Kernel &kernel;
  const Variant &variant;
  const Target &target;
};

/// A state of a variant's module.
struct ObservedState {
  /// The pass that has just run. Empty if no pass has run yet, or if a pass that makes several attempts
  /// (tritongpu-fit-stages) begins one of them on a copy.
  llvm::StringRef pass;
  std::chrono::nanoseconds time{0}; ///< the time of the pass
  std::optional<Form> form; ///< the form that the module has reached
  mlir::ModuleOp module;
};

/// The compiling threads call its functions; all calls for one variant or LLVM module come from the same thread.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  virtual void sawState(const ObservedVariant &variant, const ObservedState &state) = 0;
  /// Called with the kernels for one target as optimized LLVM IR, directly before code generation. The observer may
  /// change debug locations, and nothing else.
  virtual void sawLLVM(llvm::Module &module, const Target &target) = 0;
};

/// Notifies an observer, if there is one, of the passes of one pipeline.
class PipelineObservation final : public PassListener {
public:
  PipelineObservation(CompileObserver *observer, const ObservedVariant &variant)
      : observer(observer), variant(variant) {}

  /// Declares that the passes added to `pm` so far take the module to `form`.
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
  size_t outermost = 0; ///< number of passes of the pipeline itself that have run
  mlir::ModuleOp last;
};

} // namespace tilecc

#endif // TILECC_TARGETS_OBSERVER_H
