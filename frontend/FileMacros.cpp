//===- FileMacros.cpp - macros whose values depend on the including file ------------------------------------------===//
//
// Each of these macros has two definitions: one for the files of the toolkit, and one for the files of users. When the
// preprocessor enters or returns to a file of the other kind, this code switches the definitions. If a file changes
// such a macro (#undef __CUDACC__), the change remains in effect for files of the same kind.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/FileMacros.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tilecc {
namespace {

/// Identifies the files of the CUDA toolkit, Clang and tcc, which are written for Clang's CUDA mode.
class ToolkitFolders {
public:
  ToolkitFolders(const HeaderSearchOptions &search, const FrontendOptions &options) {
    answers[realPath(options.simt->cudaPath + "/include")] = true;
    answers[realPath(search.ResourceDir)] = true;
    for (const std::string &folder : options.headerDirs)
      answers[realPath(folder + "/tilecc")] = true;
    // A distribution may install the toolkit's headers in system folders.
    for (const char *systems : {"/usr/include", "/usr/local/include"})
      answers.try_emplace(systems, false);
  }

  /// Returns true if `file` is in a folder of the toolkit. A folder may have several names, and users may spell the
  /// name of the toolkit's folder in any way.
  bool has(llvm::StringRef file) {
    llvm::StringRef folder = llvm::sys::path::parent_path(file);
    auto [known, isNew] = answersByName.try_emplace(folder, false);
    if (isNew)
      known->second = hasFolder(realPath(folder));
    return known->second;
  }

private:
  static std::string realPath(const llvm::Twine &folder) {
    llvm::SmallString<256> real;
    return llvm::sys::fs::real_path(folder, real) ? folder.str() : real.str().str();
  }

  bool hasFolder(llvm::StringRef folder) {
    if (folder.empty())
      return false;
    if (auto known = answers.find(folder); known != answers.end())
      return known->second;
    bool answer = isByContents(folder) || hasFolder(llvm::sys::path::parent_path(folder));
    return answers[folder] = answer;
  }

  /// Recognizes headers of other toolkits, and other releases of CUB, Thrust and libcu++, anywhere in a project, by
  /// files that these libraries contain.
  static bool isByContents(llvm::StringRef folder) {
    constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> libraries[] = {
        {"cub", "version.cuh"}, {"thrust", "version.h"}, {"cuda", "std/version"}, {"nv", "target"}};
    return llvm::sys::fs::exists(folder + "/crt/host_config.h") || llvm::any_of(libraries, [&](const auto &library) {
             return llvm::sys::path::filename(folder) == library.first &&
                    llvm::sys::fs::exists(folder + "/" + library.second);
           });
  }

  llvm::StringMap<bool> answers, answersByName; ///< by real path, and by the preprocessor's name
};

enum Kind { Toolkit, User };

class MacroSwitch : public PPCallbacks {
public:
  MacroSwitch(Preprocessor &preprocessor, const FrontendOptions &options)
      : preprocessor(preprocessor), simt(*options.simt),
        folders(preprocessor.getHeaderSearchInfo().getHeaderSearchOpts(), options) {
    // A precompiled preamble ends inside the source itself, unlike the precompiled wrapper of CUDA's headers.
    if (preprocessor.getPreprocessorOpts().PrecompiledPreambleBytes.first)
      current = User;
  }

  void FileChanged(SourceLocation loc, FileChangeReason reason, SrcMgr::CharacteristicKind, FileID) override {
    if (reason != EnterFile && reason != ExitFile)
      return;
    if (macros.empty()) // the source is open now, so there is a place to add text
      addMacros();
    const SourceManager &sources = preprocessor.getSourceManager();
    FileID id = sources.getFileID(loc);
    OptionalFileEntryRef file = sources.getFileEntryRefForID(id);
    // Text without a file comes from the command line, the compiler or standard input.
    bool isUsers = file ? !folders.has(file->getName()) : id == sources.getMainFileID();
    switchTo(isUsers ? User : Toolkit, loc);
  }

private:
  struct Macro {
    IdentifierInfo *name;
    MacroInfo *definitions[2]; ///< for each kind of file; null: undefined
  };

  void addMacros() {
    // CUDA's headers leave __CUDACC__ defined as empty.
    addMacro("__CUDACC__", define(""), define("1"));
    for (const auto &[name, value] : simt.userMacros)
      addMacro(name, nullptr, define(value));
    if (simt.hidesClang)
      addMacro("__CUDA__", define("1"), nullptr);
  }

  void addMacro(llvm::StringRef name, MacroInfo *ofToolkit, MacroInfo *ofUser) {
    macros.push_back({preprocessor.getIdentifierInfo(name), {ofToolkit, ofUser}});
  }

  /// Creates a macro definition. `value` is a number or empty.
  MacroInfo *define(llvm::StringRef value) {
    if (value.empty())
      return preprocessor.AllocateMacroInfo(SourceLocation());
    Token token;
    token.startToken();
    token.setKind(tok::numeric_constant);
    preprocessor.CreateString(value, token);
    MacroInfo *info = preprocessor.AllocateMacroInfo(token.getLocation());
    info->setTokens(token, preprocessor.getPreprocessorAllocator());
    info->setDefinitionEndLoc(token.getLocation());
    return info;
  }

  void switchTo(Kind kind, SourceLocation loc) {
    if (kind == current)
      return;
    for (Macro &macro : macros) {
      MacroInfo *before = macro.definitions[current] = preprocessor.getMacroInfo(macro.name);
      MacroInfo *after = macro.definitions[kind];
      if (after && after != before)
        preprocessor.appendDefMacroDirective(macro.name, after, loc);
      else if (!after && before)
        preprocessor.appendMacroDirective(macro.name,
                                          new (preprocessor.getPreprocessorAllocator()) UndefMacroDirective(loc));
    }
    current = kind;
  }

  Preprocessor &preprocessor;
  const SimtOptions simt;
  ToolkitFolders folders;
  llvm::SmallVector<Macro> macros;
  Kind current = Toolkit;
};

/// Clang attaches dependency collectors before every kind of action.
struct Installer : DependencyCollector {
  Installer(FrontendOptions options, bool printsSource) : options(std::move(options)), printsSource(printsSource) {}

  void attachToPreprocessor(Preprocessor &preprocessor) override {
    preprocessor.addPPCallbacks(std::make_unique<MacroSwitch>(preprocessor, options));
    // __NVCC_DIAG_PRAGMA_SUPPORT__ promises control over nvcc's messages, which Clang does not have. So ignore the
    // pragmas.
    if (!printsSource)
      for (const char *name : {"nv_diag_suppress", "nv_diag_default", "nv_diag_warning", "nv_diag_error",
                               "nv_diag_once", "nv_diagnostic", "nv_exec_check_disable", "hd_warning_disable"})
        preprocessor.AddPragmaHandler(new EmptyPragmaHandler(name)); // owned by the preprocessor
  }

  const FrontendOptions options;
  const bool printsSource;
};

} // namespace

void separateMacros(CompilerInstance &compiler, const FrontendOptions &options) {
  if (options.simt && !options.simt->userMacros.empty() && !options.isPreprocessed)
    compiler.addDependencyCollector(std::make_shared<Installer>(options, compiler.getFrontendOpts().ProgramAction ==
                                                                             frontend::PrintPreprocessedInput));
}

} // namespace tilecc
