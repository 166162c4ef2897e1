//===- KernelJob.h - what the steps of an input with kernels do --------------------------------------------*- C++ -*-//
//
// The steps of an input share a job: what one pasted command reads from a file, the next step here has at hand.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_KERNELJOB_H
#define TILECC_DRIVER_KERNELJOB_H

#include "compile/Compile.h"
#include "driver/Kernels.h"
#include "driver/SimtActions.h"

namespace tilecc {

class KernelJob {
public:
  KernelJob(Context &ctx, const Input &input, std::string output) : ctx(ctx), input(input), output(std::move(output)) {}

  /// The kernels, read when they are first asked for. Null after an Error.
  KernelUnit *unit();

  /// Returns true if a source that may have SIMT code has tile kernels and no SIMT code, which a parse tells. False after an
  /// Error.
  bool hasTileKernelsAlone();

  /// What compile() makes of all kernels for `targets`. Nothing after an Error.
  std::optional<std::vector<TargetCode>> compileFor(std::vector<Target> targets, Form form, llvm::StringRef variant);

  /// GPU and CPU code of all kernels, for an object or a fatbinary. False after an Error.
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

  Context &ctx;
  const Input &input;
  std::string output;
  std::vector<TargetFile> files; ///< of each target whose PTX is a file
  Command fatbinary;
  std::string fatbin;            ///< the file; empty: none is made
  std::string ptxVariants;       ///< that are in the files
  std::shared_ptr<SimtJob> simt; ///< the other half of a source with SIMT code

private:
  llvm::Module &hostModule();
  void embedRelocatable();
  bool emitHost(TranslationUnit::Output kind, std::string &bytes);
  bool writePtx(llvm::ArrayRef<TargetCode> ptx);
  bool compileAgain();
  std::vector<Target> targetsOfFiles();

  bool assemblePage(std::vector<TargetCode> &codes, llvm::function_ref<bool()> compileAgain);

  std::unique_ptr<KernelUnit> kernelUnit;
  llvm::LLVMContext linkContext;                ///< of linked tile code,
  std::unique_ptr<llvm::Module> linkModule;     ///< which has no host's half
  CompileObserver *observer = nullptr;          ///< of compileFor()
  std::optional<std::vector<TargetCode>> codes; ///< of ctx.targets, in their order, and then of the CPU
};

} // namespace tilecc

#endif // TILECC_DRIVER_KERNELJOB_H
