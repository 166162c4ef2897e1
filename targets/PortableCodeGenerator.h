//===- PortableCodeGenerator.h - code generation by vendor-neutral passes -------------------------------*- C++ -*-===//
//
// Compiles TTIR to TTGIR and then to LLVM IR, for GPU back ends that have no passes of their own for these stages. Such
// a back end derives from this class, and implements the linking, optimization and output of LLVM IR.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_PORTABLECODEGENERATOR_H
#define TILECC_TARGETS_PORTABLECODEGENERATOR_H

#include "targets/Backend.h"
#include "targets/GpuPipeline.h"

namespace tilecc {

class PortableCodeGenerator : public CodeGenerator {
public:
  explicit PortableCodeGenerator(const CodeOptions &options)
      : library{"", options.floats}, profile(options.profile), reproducedPass(options.reproducedPass),
        observer(options.observer) {}

  mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target, Form form) const final;
  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                        llvm::LLVMContext &context) const final;
  llvm::Expected<std::string> emit(std::vector<std::unique_ptr<llvm::Module>> modules, const Target &target,
                                   Form form) const final;

protected:
  /// Returns how messages name the targets of the back end: "SPIR-V".
  virtual llvm::StringRef getFamily() const = 0;
  /// Returns what kernels may contain besides what all of these back ends compile.
  virtual PortableExtras getExtras() const { return {}; }
  virtual unsigned getThreadsPerWarp(const Target &target) const = 0;
  /// Adds the passes that assign dots to matrix units. They run after tiles have got layouts.
  virtual void addDotPasses(mlir::OpPassManager &) const {}
  /// Adds passes that pipeline loops, if the back end has any, and passes that determine how much shared memory loops
  /// use.
  virtual void addLoopPasses(mlir::OpPassManager &pm, const GpuOptions &) const { buildPortableLoopPasses(pm); }
  /// Reports an error if a kernel in TTGIR cannot be compiled for `target`. `spelling` is its ttg.target.
  virtual mlir::LogicalResult checkLayouts(const Kernel &kernel, mlir::ModuleOp module, const Target &target,
                                           llvm::StringRef spelling) const = 0;
  /// Makes changes to a module in the LLVM dialect before it is translated to LLVM IR.
  virtual void prepare(mlir::ModuleOp) const {}
  /// Returns the amount of shared memory that a launch must provide in addition to what the code defines, given the
  /// amount that the kernel needs.
  virtual unsigned getLaunchedSharedBytes(unsigned bytes) const { return bytes; }

  /// Returns true if all kernels are compiled to `form` as one module, and false if each variant is a module of its
  /// own.
  virtual bool isOneModule(Form form) const = 0;
  virtual std::unique_ptr<llvm::Module> link(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                             const Target &target) const = 0;
  virtual void optimize(llvm::Module &module, const Target &target) const = 0;
  /// Writes an optimized module in `form`, which comes after LLVM.
  virtual llvm::Expected<std::string> writeCode(llvm::Module &module, const Target &target, Form form) const = 0;

  GpuLibrary library;

private:
  llvm::Expected<std::string> write(std::unique_ptr<llvm::Module> module, const Target &target, Form form) const;

  bool profile;
  std::optional<unsigned> reproducedPass;
  CompileObserver *observer;
};

} // namespace tilecc

#endif // TILECC_TARGETS_PORTABLECODEGENERATOR_H
