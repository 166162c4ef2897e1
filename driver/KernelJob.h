//===- KernelJob.h - the work behind the steps of an input with kernels ------------------------------------*- C++ -*-//
//
// The steps of one input share a KernelJob. When printed as commands, a step reads its predecessor's result from a
// file; here the result stays in memory.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_KERNELJOB_H
#define TILECC_DRIVER_KERNELJOB_H

#include "compile/Compile.h"
#include "driver/Kernels.h"
#include "driver/SimtActions.h"
#include "page/Remarks.h"

namespace tilecc {

class KernelJob {
public:
  KernelJob(Context &ctx, const Input &input, std::string output) : ctx(ctx), input(input), output(std::move(output)) {}

  /// Returns the kernels, which are read on first use. Reports an error and returns null on failure.
  KernelUnit *unit();

  /// Returns true if a source that may have SIMT code has only tile kernels. Parses the source to find out. Reports an
  /// error and returns false on failure.
  bool hasTileKernelsAlone();

  /// Compiles all kernels for `targets`. Reports an error and returns nothing on failure.
  std::optional<std::vector<TargetCode>> compileFor(std::vector<Target> targets, Form form, llvm::StringRef variant);

  /// Compiles all kernels for the GPUs and the CPU, for an object or a fat binary. Reports an error and returns false
  /// on failure.
  bool compileAll(bool withCpu);

  bool printStage();
  bool writePtx();
  bool writePtxOfEach();
  bool assemble();
  bool makeFatbin();
  bool finishHost();
  bool writeJson();
  bool writeCLauncher();
  bool writePage(); // PageJob.cpp
  bool writeAnnotations(); // PageJob.cpp

  Context &ctx;
  const Input &input;
  std::string output;
  std::vector<TargetFile> files; ///< one per target whose PTX is written to a file
  Command fatbinary;
  std::string fatbin; ///< the fat binary; empty: none is made
  std::string ptxVariants; ///< the variants that the files contain
  std::shared_ptr<SimtJob> simt; ///< the SIMT half of a source with SIMT code

private:
  bool addThreadCode(CompileOptions &options);
  llvm::Module &hostModule();
  void embedRelocatable();
  bool emitHost(TranslationUnit::Output kind, std::string &bytes);
  bool writePtx(llvm::ArrayRef<TargetCode> ptx);
  bool compileAgain();
  std::function<bool()> keepCode();
  std::vector<Target> targetsOfFiles();

  bool assemblePage(std::vector<TargetCode> &codes, llvm::function_ref<bool()> compileAgain);
  std::optional<std::vector<TargetCode>> fillPage(page::Page &page, page::RemarkCollector &collector, bool withCpu);

  std::unique_ptr<KernelUnit> kernelUnit;
  llvm::LLVMContext linkContext; ///< for linked tile code,
  std::unique_ptr<llvm::Module> linkModule; ///< which has no host module
  page::RemarkCollector *observer = nullptr; ///< passed to compile() by compileFor()
  std::optional<std::vector<TargetCode>> codes; ///< for ctx.targets in order, followed by the CPU
};

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELJOB_H
