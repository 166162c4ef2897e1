//===- Frontend.h - one parse: the host module, and every kernel as TTIR -------------------------------*- C++ -*-------//
//
// A .tt.cpp is parsed once, as CUDA host code. While parsing, Clang's usual code generator makes the host module; after
// it, a second code generator goes over the same AST and makes a module of kernel bodies, which is raised to TTIR. So
// what a kernel means and what its launch passes are decided by one Sema, and the standard headers are read once.
//
// The driver hands over arguments in the clang driver's style, adds its descriptor to hostModule(), and asks for the
// object. All messages about the user's code have been printed, in Clang's form, when compileTranslationUnit returns.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_FRONTEND_H
#define TILECC_FRONTEND_FRONTEND_H

#include "compile/Kernel.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class raw_pwrite_stream;
} // namespace llvm

namespace tilecc {

struct FrontendOptions {
  /// Clang's own headers; empty: the folder found when tcc was configured, unless TILECC_RESOURCE_DIR names another.
  std::string resourceDir;
  /// Folders of <tilecc/...>, searched as system headers after the user's.
  std::vector<std::string> headerDirs;
  /// Holds precompiled forms of the language's header; empty: the header is always parsed.
  std::string precompiledDir;
  /// The path by which clang would have been called: the driver looks for the C++ library and tools from there.
  std::string clangPath;
};

class TranslationUnit {
public:
  enum class Output { Object, Assembly, LLVMText, LLVMBitcode };

  virtual ~TranslationUnit();

  /// Not optimized. The stub of each kernel has the kernel's symbol and calls __tilecc_pop_call and __tilecc_launch.
  virtual llvm::Module &hostModule() = 0;
  virtual std::vector<Kernel> &kernels() = 0;
  /// The main file as named on the command line.
  virtual llvm::StringRef mainFile() const = 0;

  /// Optimizes the host module as the user's -O says and writes it. Can be called once. False: a message was printed.
  virtual bool emitHost(Output kind, std::unique_ptr<llvm::raw_pwrite_stream> os) = 0;
};

/// Compiles one source file. `args` are a clang driver's: {"-std=gnu++20", "-O2", "-Ifoo", "-c", "x.tt.cpp", "-o", "x.o"}.
/// Dependency files (-MD and its kin) are written on the way. Null: messages were printed.
/// `context` must have been made with loadFrontendDialects.
std::unique_ptr<TranslationUnit> compileTranslationUnit(llvm::ArrayRef<const char *> args,
                                                        const FrontendOptions &options, mlir::MLIRContext &context);

/// -E, -M, -MM and -fsyntax-only: runs what `args` ask for, with the same headers and definitions as a compilation.
bool runPreprocessorOrSyntax(llvm::ArrayRef<const char *> args, const FrontendOptions &options);

/// Writes the precompiled form of tilecc/detail/language.h, which is the source in `args`, for these options.
bool precompileLanguage(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef output);

/// The dialects that raised kernels are made of, before and after structuring.
void loadFrontendDialects(mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_FRONTEND_H
