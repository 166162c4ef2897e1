//===- PortableCodeGenerator.h - code generation by vendor-neutral passes -------------------------------*- C++ -*-===//
//
// TTIR -> TTGIR -> LLVM, for GPU back ends without passes of their own for these stages. Such a back end derives from
// this class, and implements the linking, optimization and output of its LLVM IR.
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
  /// Returns the name of its targets in messages: "SPIR-V".
  virtual llvm::StringRef getFamily() const = 0;
  virtual unsigned getThreadsPerWarp(const Target &target) const = 0;
  /// Adds the passes that assign dots to matrix units, which run once tiles have layouts.
  virtual void addDotPasses(mlir::OpPassManager &) const {}
  /// Adds passes that pipeline loops, if any, and that determine their use of shared memory.
  virtual void addLoopPasses(mlir::OpPassManager &pm, const GpuOptions &) const { buildPortableLoopPasses(pm); }
  /// Reports a kernel in TTGIR that cannot be compiled for `target`, whose ttg.target is `spelling`.
  virtual mlir::LogicalResult checkLayouts(const Kernel &kernel, mlir::ModuleOp module, const Target &target,
                                           llvm::StringRef spelling) const = 0;
  /// Changes the module in the LLVM dialect before it is translated.
  virtual void prepare(mlir::ModuleOp) const {}
  /// Returns the shared memory that a launch adds to the memory that the code defines.
  virtual unsigned getLaunchedSharedBytes(unsigned bytes) const { return bytes; }

  /// Returns true if the code of all kernels is one module in `form`, rather than one for each variant.
  virtual bool isOneModule(Form form) const = 0;
  virtual std::unique_ptr<llvm::Module> link(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                             const Target &target) const = 0;
  virtual void optimize(llvm::Module &module, const Target &target) const = 0;
  /// Writes an optimized module in a form after LLVM.
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
