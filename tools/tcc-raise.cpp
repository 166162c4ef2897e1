//===- tcc-raise.cpp - prints the TTIR of a file's kernels --------------------------------------------------------===//
//
// Runs only the front end: `tcc-raise [Clang options] file.tt.cpp`. --debug-locations prints locations, --host-llvm
// prints the host module instead, --params describes each kernel's parameters, and --preprocess performs the action of
// -E or -fsyntax-only.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Frontend.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  std::vector<const char *> args = {"-std=gnu++20"};
  bool locations = false, hostModule = false, params = false, preprocess = false;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef arg = argv[i];
    if (arg == "--debug-locations")
      locations = true;
    else if (arg == "--host-llvm")
      hostModule = true;
    else if (arg == "--params")
      params = true;
    else if (arg == "--preprocess")
      preprocess = true;
    else
      args.push_back(argv[i]);
  }
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tilecc::loadFrontendDialects(context);
  tilecc::FrontendOptions options;
  options.headerDirs = {TILECC_FRONTEND_HEADERS, TILECC_RUNTIME_HEADERS};
  if (preprocess)
    return !tilecc::runPreprocessor(args, options);
  args.push_back("-c");
  std::unique_ptr<tilecc::TranslationUnit> unit = tilecc::compileTranslationUnit(args, options, context);
  if (!unit)
    return 1;
  if (hostModule) {
    unit->hostModule().print(llvm::outs(), nullptr);
    return 0;
  }
  for (tilecc::Kernel &kernel : unit->kernels()) {
    if (params) {
      llvm::outs() << kernel.displayName << " " << kernel.file << ":" << kernel.line << " warps "
                   << (kernel.numWarps ? std::to_string(*kernel.numWarps) : "unsaid") << " stages "
                   << (kernel.numStages ? std::to_string(*kernel.numStages) : "unsaid") << " ctas "
                   << kernel.getNumCtas() << "\n";
      for (tilecc::KernelParam &param : kernel.params)
        llvm::outs() << "  " << param.name << " kind " << int(param.kind) << " size " << param.size << " align "
                     << param.align << " offset " << param.offset << (param.noSpecialize ? " no_specialize" : "")
                     << "\n";
      continue;
    }
    mlir::OpPrintingFlags flags;
    if (locations)
      flags.enableDebugInfo();
    kernel.ttir->print(llvm::outs(), flags);
    llvm::outs() << "\n";
  }
  return 0;
}
