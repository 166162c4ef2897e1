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

#include "compile/TileUnit.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
class raw_pwrite_stream;
} // namespace llvm

namespace tilecc {

class DependencyRule;

/// For a source with SIMT code, which is compiled as Clang's CUDA is: one parse for each architecture, whose code is the
/// SIMT kernels', and one for the host. The host's parse makes the tile kernels, too. See frontend/Simt.h.
struct SimtOptions {
  std::string cudaPath;               ///< the toolkit, whose headers are used
  std::vector<std::string> archs;     ///< all that the source is compiled for: sm_80, ...
  std::vector<std::string> deviceArgs; ///< for parses of an architecture, behind the common ones
  std::string precompiledDir;         ///< holds precompiled forms of CUDA's headers; empty: they are always parsed
  std::string preambleDir;            ///< keeps precompiled forms of what sources begin with; empty: there are none
  std::string unitId;                 ///< the same in all parses of a source, and no other source's
  std::shared_ptr<DependencyRule> rule; ///< for make, of all parses; null: each writes its own
  bool streamPerThread = false;       ///< launches that name no stream go to the calling thread's own
  std::vector<std::pair<std::string, std::string>> userMacros; ///< names and numbers, see frontend/FileMacros.h
  bool hidesClang = false;            ///< users' files do not see __CUDA__
};

struct FrontendOptions {
  /// Clang's own headers; empty: the folder found when tcc was configured, unless TILECC_RESOURCE_DIR names another.
  std::string resourceDir;
  /// Folders of <tilecc/...>, searched as system headers after the user's.
  std::vector<std::string> headerDirs;
  /// Holds precompiled forms of the language's header; empty: the header is always parsed.
  std::string precompiledDir;
  /// The path by which clang would have been called: the driver looks for the C++ library and tools from there.
  std::string clangPath;
  /// Set for a source with SIMT code.
  std::optional<SimtOptions> simt;
  /// -rdc=true: functions that are only declared here may be defined in other sources.
  bool relocatable = false;
  /// The source has been preprocessed.
  bool isPreprocessed = false;
  /// Files that are not on the disk, by their paths; may be empty. They hide what is there.
  std::map<std::string, std::string> filesInMemory;
  /// Where the names of all files that were read go, headers of the system included; may be null.
  std::vector<std::string> *filesRead = nullptr;
  /// Prints a message with its notes; empty: on standard error.
  std::function<void(llvm::StringRef)> print;
  /// Called when the source has been parsed and before its kernels are raised: until then no use is made of the context, which
  /// may be made ready by another thread. May be empty.
  std::function<void()> beforeRaise;
};

class TranslationUnit {
public:
  enum class Output { Object, Assembly, LLVMText, LLVMBitcode };

  virtual ~TranslationUnit();

  /// Not optimized. The stub of each kernel has the kernel's symbol; a tile kernel's calls __tilecc_launch.
  virtual llvm::Module &hostModule() = 0;
  virtual std::vector<Kernel> &kernels() = 0;
  /// Of a relocatable source: its functions that others may call.
  virtual std::vector<TileFunction> &functions() = 0;
  /// Launches of tile kernels by the SIMT code of a relocatable source.
  virtual std::vector<DeviceLaunch> &launches() = 0;
  /// Whether host code has debug information (-g), and what names of files in such are relative to.
  virtual bool hasDebugInfo() const = 0;
  virtual std::string debugFolder() const = 0;
  /// The main file as named on the command line.
  virtual llvm::StringRef mainFile() const = 0;

  /// Optimizes the host module as the user's -O says and writes it. Can be called once. False: a message was printed.
  virtual bool emitHost(Output kind, std::unique_ptr<llvm::raw_pwrite_stream> os) = 0;
};

/// Compiles one source file. `args` are a clang driver's: {"-std=gnu++20", "-O2", "-Ifoo", "-c", "x.tt.cpp", "-o", "x.o"}.
/// Dependency files (-MD and its kin) are written on the way. Null: messages were printed.
/// `context` must have been made with loadFrontendDialects by the time of options.beforeRaise.
std::unique_ptr<TranslationUnit> compileTranslationUnit(llvm::ArrayRef<const char *> args,
                                                        const FrontendOptions &options, mlir::MLIRContext &context);

/// Compiles the SIMT code of one source file for an architecture, "sm_90". Returns PTX or, for LLVMText, optimized LLVM IR.
/// Nothing: messages were printed. Several architectures may be compiled at a time, also beside compileTranslationUnit.
std::optional<std::string> compileSimt(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                       llvm::StringRef arch, TranslationUnit::Output kind);

/// Puts the fatbinary of a source's SIMT kernels in its host module, which compileTranslationUnit made.
void embedSimtFatbin(llvm::Module &host, llvm::StringRef fatbin);

/// -E, -M, -MM and -fsyntax-only: runs what `args` ask for, with the same headers and definitions as a compilation.
bool runPreprocessorOrSyntax(llvm::ArrayRef<const char *> args, const FrontendOptions &options);

/// Whether a source is sure to include <tilecc/tt.h> or <cuda_tile.h>, which need C++20.
bool includesTileLanguage(llvm::StringRef path);

/// Writes the precompiled form of tilecc/detail/language.h, which is the source in `args`, for these options.
bool precompileLanguage(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef output);

/// Writes the precompiled form of what comes ahead of sources with SIMT code to options.simt->precompiledDir: for the host or,
/// where `arch` is given, for that GPU. `dialect` names it.
bool precompileWrapper(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch,
                       llvm::StringRef dialect);

/// The dialects that raised kernels are made of, before and after structuring.
void loadFrontendDialects(mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_FRONTEND_H
