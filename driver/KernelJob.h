//===- KernelJob.h - the work behind the steps of an input with kernels ------------------------------------*- C++ -*-//
//
// All steps of one input share a KernelJob. If the steps are printed as commands, each command reads the result of the
// previous one from a file; if they run in this process, the results stay in memory.
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

  /// Returns the kernels of the input, which are read when this is first called. Returns null after it has reported an
  /// error.
  KernelUnit *unit();

  /// Returns true if a source that may contain SIMT code contains only tile kernels. It parses the source to find out.
  /// Returns false after it has reported an error.
  bool hasTileKernelsAlone();

  /// Compiles all kernels for `targets`. Returns nothing after it has reported an error.
  std::optional<std::vector<TargetCode>> compileFor(std::vector<Target> targets, Form form, llvm::StringRef variant);

  /// Compiles all kernels for the GPUs and the CPU, for an object or a fat binary. Returns false after it has reported
  /// an error.
  bool compileAll(bool withCpu);

  bool printStage();
  bool writePtx();
  bool writePtxOfEach();
  bool assemble();
  bool makeFatbin();
  bool finishHost();
  bool writeCpuLibrary();
  bool writeJson();
  bool writeCLauncher();
  bool writePage(); // PageJob.cpp
  bool writeAnnotations(); // PageJob.cpp

  Context &ctx;
  const Input &input;
  std::string output;
  std::vector<TargetFile> files; ///< one for each target whose PTX is written to a file
  Command fatbinary;
  std::string fatbin; ///< the fat binary; empty: none is made
  std::string ptxVariants; ///< the variants that the files contain
  std::shared_ptr<SimtJob> simt; ///< the job for the SIMT code of the source, if it has any

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
  llvm::LLVMContext linkContext; ///< for linked tile code and libraries,
  std::unique_ptr<llvm::Module> linkModule; ///< which have no host module
  page::RemarkCollector *observer = nullptr; ///< passed to compile() by compileFor()
  std::optional<std::vector<TargetCode>> codes; ///< for ctx.targets in order, followed by the CPU
};

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELJOB_H
