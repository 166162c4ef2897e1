//===- Frontend.h - one parse: the host module, and every kernel as TTIR -----------------------------*- C++ -*-------//
//
// A .tt.cpp file is parsed once, as CUDA host code. During the parse, Clang's usual code generator creates the host
// module. Afterwards, a second code generator traverses the same AST and creates a module with the bodies of kernels,
// which is raised to TTIR. So a single Sema decides both what a kernel means and what its launch passes, and the
// standard headers are read only once.
//
// The driver passes arguments in the style of Clang's driver, adds its descriptor to hostModule(), and requests the
// object. When compileTranslationUnit() returns, all messages about the user's code have been printed, in Clang's
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

/// Options for a source with SIMT code. Such a source is compiled like CUDA by Clang: one parse for each architecture
/// compiles the SIMT kernels, and one parse the host code. The host parse also creates the tile kernels. See
/// frontend/Simt.h.
struct SimtOptions {
  std::string cudaPath; ///< the toolkit whose headers are used
  std::vector<std::string> archs; ///< all architectures of the source: sm_80, ...
  std::vector<std::string> deviceArgs; ///< arguments for device parses, after the common ones
  std::string precompiledDir; ///< folder of precompiled CUDA headers; empty: parse them
  std::string cacheDir; ///< a folder in which missing wrappers are created; empty: none
  std::string preambleDir; ///< folder of precompiled preambles; empty: none
  std::vector<std::string> libraries; ///< bitcode files with functions that device code may call
  std::string unitId; ///< different for each source, but the same in all parses of one
  std::shared_ptr<DependencyRule> rule; ///< the make rule for all parses; null: each parse writes its own
  bool streamPerThread = false; ///< launches without a stream use that of the calling thread
  std::vector<std::pair<std::string, std::string>> userMacros; ///< names and numbers, see frontend/FileMacros.h
  bool hidesClang = false; ///< users' files do not see __CUDA__
};

struct FrontendOptions {
  /// The folder with Clang's own headers. If it is empty, it is the folder named by TILECC_RESOURCE_DIR, or else the
  /// one that was found when tcc was configured.
  std::string resourceDir;
  /// The folders that contain <tilecc/...>. They are searched as system headers, after the user's folders.
  std::vector<std::string> headerDirs;
  /// A folder with precompiled headers of the language. If it is empty, the header is always parsed.
  std::string precompiledDir;
  /// The path of the clang program that tcc stands for. Clang's driver searches for the C++ library and for tools
  /// relative to this path.
  std::string clangPath;
  /// Set for a source with SIMT code.
  std::optional<SimtOptions> simt;
  /// -rdc=true: functions that are only declared here may be defined in other sources.
  bool relocatable = false;
  /// The source is already preprocessed.
  bool isPreprocessed = false;
  /// Files in memory, by path. They hide files on disk.
  std::map<std::string, std::string> filesInMemory;
  /// Receives the names of all files that were read, including system headers. May be null.
  std::vector<std::string> *filesRead = nullptr;
  /// Receives the tile variables of the functions that kernels reach. May be null.
  std::vector<TileVariable> *variables = nullptr;
  /// Prints a message together with its notes. If it is empty, messages are printed to standard error.
  std::function<void(llvm::StringRef)> print;
  /// Called after parsing and before raising the kernels. Until then the MLIR context is not used, so another thread
  /// may load dialects into it. May be empty.
  std::function<void()> beforeRaise;
};

class TranslationUnit {
public:
  enum class Output { Object, Assembly, LLVMText, LLVMBitcode };

  virtual ~TranslationUnit();

  /// The host module, not optimized. The stub of each kernel has the kernel's symbol. The stub of a tile kernel calls
  /// __tilecc_launch.
  virtual llvm::Module &hostModule() = 0;
  virtual std::vector<Kernel> &kernels() = 0;
  /// The functions of a relocatable source that other sources may call.
  virtual std::vector<TileFunction> &functions() = 0;
  /// Launches of tile kernels by the SIMT code of a relocatable source.
  virtual std::vector<DeviceLaunch> &launches() = 0;
  /// Returns true if host code has debug information (-g). debugFolder() returns the folder to which file names in it
  /// are relative.
  virtual bool hasDebugInfo() const = 0;
  virtual std::string debugFolder() const = 0;
  /// Returns the name of the main file, as given on the command line.
  virtual llvm::StringRef mainFile() const = 0;

  /// Optimizes the host module at the user's -O level, and writes it. May be called once. Returns false after printing
  /// a message.
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

/// Performs the action -E, -M or -MM in `args`, with the same headers and definitions as a compilation. A source with
/// SIMT code is preprocessed for each GPU (`arch`) and for the host (empty). `text`, if not null, receives the output
/// of -E.
bool runPreprocessor(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch = {},
                     std::string *text = nullptr);

/// Returns true if it is certain that a source includes <tilecc/tt.h> or <cuda_tile.h>, which need C++20.
bool includesTileLanguage(llvm::StringRef path, const FrontendOptions &options);

/// Precompiles tilecc/detail/language.h, the source in `args`, for the options in `args`.
bool precompileLanguage(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef output);

/// Precompiles the headers that precede sources with SIMT code, for the host or, if `arch` is given, for that GPU.
/// Writes the result to options.simt->precompiledDir. `dialect` becomes part of the file's name.
bool precompileWrapper(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch,
                       llvm::StringRef dialect);

/// Loads the dialects that raised kernels need, before and after their control flow is structured.
void loadFrontendDialects(mlir::MLIRContext &context);

} // namespace tilecc

#endif // TILECC_FRONTEND_FRONTEND_H
