//===- PortableCodeGenerator.h - code by the passes that know of no vendor ---------------------------------*- C++ -*-//
//
// TTIR -> TTGIR -> LLVM, for back ends for GPUs that have no passes of their own on the way. Such a back end derives from
// this, and says how its LLVM IR is linked, optimized and written.
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
      : library{"", options.floats}, reproducedPass(options.reproducedPass), observer(options.observer) {}

  mlir::LogicalResult transform(const Kernel &kernel, Variant &variant, const Target &target, Form form) const final;
  mlir::FailureOr<LoweredVariant> lower(const Kernel &kernel, Variant &variant, const Target &target,
                                        llvm::LLVMContext &context) const final;
  llvm::Expected<std::string> emit(std::vector<std::unique_ptr<llvm::Module>> modules, const Target &target,
                                   Form form) const final;

protected:
  /// What errors call its targets: "SPIR-V".
  virtual llvm::StringRef getFamily() const = 0;
  virtual unsigned getThreadsPerWarp(const Target &target) const = 0;
  /// Reports an error if the kernel is TTGIR that cannot be compiled for `target`, which passes call `spelling`.
  virtual mlir::LogicalResult checkLayouts(const Kernel &kernel, mlir::ModuleOp module, const Target &target,
                                           llvm::StringRef spelling) const = 0;
  /// Changes the LLVM dialect's module before it is translated.
  virtual void prepare(mlir::ModuleOp) const {}
  /// What a launch adds to the shared memory that the code defines itself.
  virtual unsigned getLaunchedSharedBytes(unsigned bytes) const { return bytes; }

  /// Whether the code of all kernels is one module in `form`, and not one for each variant.
  virtual bool isOneModule(Form form) const = 0;
  virtual std::unique_ptr<llvm::Module> link(llvm::MutableArrayRef<std::unique_ptr<llvm::Module>> kernels,
                                             const Target &target) const = 0;
  virtual void optimize(llvm::Module &module, const Target &target) const = 0;
  /// Writes an optimized module in a form behind LLVM.
  virtual llvm::Expected<std::string> writeCode(llvm::Module &module, const Target &target, Form form) const = 0;

  GpuLibrary library;

private:
  llvm::Expected<std::string> write(std::unique_ptr<llvm::Module> module, const Target &target, Form form) const;

  std::optional<unsigned> reproducedPass;
  CompileObserver *observer;
};

} // namespace tilecc

#endif // TILECC_TARGETS_PORTABLECODEGENERATOR_H
