//===- Frontend.h - one parse: the host module, and every kernel as TTIR -----------------------------*- C++ -*-------//
//
// A .tt.cpp is parsed once, as CUDA host code. During the parse, Clang's usual code generator makes the host module.
// Afterwards, a second code generator traverses the same AST and makes a module of kernel bodies, which is raised to
// TTIR. So a single Sema decides both what a kernel means and what its launch passes, and the standard headers are read
// once.
//
// The driver passes arguments in the style of Clang's driver, adds its descriptor to hostModule(), and requests the
// object. When compileTranslationUnit() returns, all messages about the user's code have been printed in Clang's
// format.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_FRONTEND_H
#define TILECC_FRONTEND_FRONTEND_H

#include "compile/TileUnit.h"
#include "frontend/TileVariables.h"
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

/// Options for a source with SIMT code. It is compiled like Clang's CUDA: one parse per architecture for the SIMT
/// kernels and one for the host. The host parse also makes the tile kernels. See frontend/Simt.h.
struct SimtOptions {
  std::string cudaPath; ///< the toolkit whose headers are used
  std::vector<std::string> archs; ///< all architectures of the source: sm_80, ...
  std::vector<std::string> deviceArgs; ///< for device parses, after the common arguments
  std::string precompiledDir; ///< folder of precompiled CUDA headers; empty: parse them
  std::string cacheDir; ///< folder in which missing wrappers are made; empty: none
  std::string preambleDir; ///< folder of precompiled preambles; empty: none
  std::vector<std::string> libraries; ///< files of bitcode with functions that device code may call
  std::string unitId; ///< unique to the source and the same in all of its parses
  std::shared_ptr<DependencyRule> rule; ///< the make rule of all parses; null: each writes its own
  bool streamPerThread = false; ///< launches without a stream use the calling thread's
  std::vector<std::pair<std::string, std::string>> userMacros; ///< names and numbers, see frontend/FileMacros.h
  bool hidesClang = false; ///< hide __CUDA__ from users' files
};

struct FrontendOptions {
  /// Clang's own headers. Empty: the folder named by TILECC_RESOURCE_DIR, or else the one found when tcc was
  /// configured.
  std::string resourceDir;
  /// Folders of <tilecc/...>, searched as system headers after the user's folders.
  std::vector<std::string> headerDirs;
  /// Folder of precompiled language headers. Empty: the header is always parsed.
  std::string precompiledDir;
  /// The path of the clang program that this replaces. Clang's driver searches for the C++ library and tools relative
  /// to it.
  std::string clangPath;
  /// Set for a source with SIMT code.
  std::optional<SimtOptions> simt;
  /// -rdc=true: functions that are only declared here may be defined in other sources.
  bool relocatable = false;
  /// The source is already preprocessed.
  bool isPreprocessed = false;
  /// Files in memory, by path. They hide files on disk. May be empty.
  std::map<std::string, std::string> filesInMemory;
  /// Receives the names of all files that were read, including system headers. May be null.
  std::vector<std::string> *filesRead = nullptr;
  /// Receives the tile variables of the functions that kernels reach. May be null.
  std::vector<TileVariable> *variables = nullptr;
  /// Prints a message with its notes. Empty: prints to standard error.
  std::function<void(llvm::StringRef)> print;
  /// Called after parsing and before raising the kernels. Until then the MLIR context is not used, so another thread
  /// may set it up. May be empty.
  std::function<void()> beforeRaise;
};

class TranslationUnit {
public:
  enum class Output { Object, Assembly, LLVMText, LLVMBitcode };

  virtual ~TranslationUnit();

  /// The unoptimized host module. The stub of each kernel has the kernel's symbol; a tile kernel's stub calls
  /// __tilecc_launch.
  virtual llvm::Module &hostModule() = 0;
  virtual std::vector<Kernel> &kernels() = 0;
  /// For a relocatable source: its functions that other sources may call.
  virtual std::vector<TileFunction> &functions() = 0;
  /// Launches of tile kernels by the SIMT code of a relocatable source.
  virtual std::vector<DeviceLaunch> &launches() = 0;
  /// Returns true if host code has debug information (-g). The folder is the base of relative file names in it.
  virtual bool hasDebugInfo() const = 0;
  virtual std::string debugFolder() const = 0;
  /// The main file as named on the command line.
  virtual llvm::StringRef mainFile() const = 0;

  /// Optimizes the host module at the user's -O level and writes it. Can be called once. Returns false after printing a
  /// message.
  virtual bool emitHost(Output kind, std::unique_ptr<llvm::raw_pwrite_stream> os) = 0;
};

/// Compiles one source file. `args` are arguments of Clang's driver: {"-std=gnu++20", "-O2", "-Ifoo", "-c", "x.tt.cpp",
/// "-o", "x.o"}. Also writes dependency files (-MD and related options). Returns null after printing messages.
/// loadFrontendDialects() must have been called for `context` by the time of options.beforeRaise.
std::unique_ptr<TranslationUnit> compileTranslationUnit(llvm::ArrayRef<const char *> args,
                                                        const FrontendOptions &options, mlir::MLIRContext &context);

/// Compiles the SIMT code of one source file for an architecture such as "sm_90". Returns PTX or, for LLVMText,
/// optimized LLVM IR. Returns nothing after printing messages. May run for several architectures at once, and in
/// parallel with compileTranslationUnit(). `threadCode`, if not null, receives the functions that tile kernels call
/// (tt.call_threads) as bitcode, not optimized; it is empty if there are none.
std::optional<std::string> compileSimt(llvm::ArrayRef<const char *> args, const FrontendOptions &options,
                                       llvm::StringRef arch, TranslationUnit::Output kind,
                                       std::string *threadCode = nullptr);

/// Embeds the fat binary of a source's SIMT kernels in its host module from compileTranslationUnit().
void embedSimtFatbin(llvm::Module &host, llvm::StringRef fatbin);

/// -E, -M and -MM: performs the action in `args`, with the same headers and definitions as a compilation. A source with
/// SIMT code is preprocessed for each GPU (`arch`) and for the host (empty). `text`, if not null, receives the output
/// of -E.
bool runPreprocessor(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch = {},
                     std::string *text = nullptr);

/// Returns true if a source certainly includes <tilecc/tt.h> or <cuda_tile.h>, which need C++20.
bool includesTileLanguage(llvm::StringRef path, const FrontendOptions &options);

/// Precompiles tilecc/detail/language.h, which is the source in `args`, for these options.
bool precompileLanguage(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef output);

/// Precompiles the headers that precede sources with SIMT code into options.simt->precompiledDir: for the host or, if
/// `arch` is given, for that GPU. `dialect` becomes part of the file's name.
bool precompileWrapper(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch,
                       llvm::StringRef dialect);

/// Loads the dialects of raised kernels, before and after structuring.
void loadFrontendDialects(mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_FRONTEND_H
