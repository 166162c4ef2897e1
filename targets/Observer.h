//===- Observer.h - looking on while kernels are compiled --------------------------------------------------*- C++ -*-//
//
// Who wants to show a compilation (page/) is told of its IR while it goes by: after each pass, and as LLVM IR directly
// before code generation. What is shown is therefore what was compiled, and not what a second run might have made.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_OBSERVER_H
#define TILECC_TARGETS_OBSERVER_H

#include "targets/Backend.h"
#include "targets/RunPasses.h"

namespace tilecc {

/// One variant of a kernel on its way to one target.
struct ObservedVariant {
  const Kernel &kernel;
  const Variant &variant;
  const Target &target;
};

/// A state of a variant's module.
struct ObservedState {
  /// The pass that has just run. Empty: the module is as it was before the first pass, or a pass that makes several
  /// attempts (tritongpu-fit-stages) begins one of them on a copy.
  llvm::StringRef pass;
  std::chrono::nanoseconds time{0}; ///< that the pass took
  std::optional<Form> form;         ///< that the module has reached
  mlir::ModuleOp module;
};

/// Its functions are called from the threads that compile, all of one variant or one LLVM module from the same thread.
class CompileObserver {
public:
  virtual ~CompileObserver() = default;
  virtual void sawState(const ObservedVariant &variant, const ObservedState &state) = 0;
  /// The kernels for one target as optimized LLVM IR, from which code is generated next. The observer may change debug
  /// locations, and nothing else.
  virtual void sawLLVM(llvm::Module &module, const Target &target) = 0;
};

/// Tells an observer, if there is one, of the passes of one pipeline.
class PipelineObservation final : public PassListener {
public:
  PipelineObservation(CompileObserver *observer, const ObservedVariant &variant) : observer(observer), variant(variant) {}

  /// The passes that `pm` has by now take the module to `form`.
  void reaches(Form form, const mlir::PassManager &pm) { forms.push_back({pm.size(), form}); }
  /// For runPasses(); null if nobody observes.
  PassListener *getListener() { return observer ? this : nullptr; }

  void beforePass(mlir::ModuleOp module) override {
    if (module != last)
      tell({}, {}, module);
    last = module;
  }
  void afterPass(llvm::StringRef pass, mlir::ModuleOp module, std::chrono::nanoseconds time, bool isOutermost) override {
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
  size_t outermost = 0; ///< passes of the pipeline itself that have run
  mlir::ModuleOp last;
};

} // namespace tilecc

#endif // TILECC_TARGETS_OBSERVER_H
