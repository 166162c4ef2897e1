//===- Precompiled.cpp - the language's header, parsed beforehand -------------------------------------------------===//
//
// Finds the precompiled header that fits a source, and makes them for tcc --precompile-headers.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/Precompiled.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tilecc {

/// Whether an #include of <tilecc/tt.h> or <cuda_tile.h>, or of a header that comes with them, is sure to be reached from
/// `path`: by it, or by files beside it that it includes for sure.
static bool includesLanguage(llvm::StringRef path, llvm::StringSet<> &seen) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file || !seen.insert(path).second)
    return false;
  llvm::StringRef source = (*file)->getBuffer();
  llvm::SmallVector<dependency_directives_scan::Token> tokens;
  llvm::SmallVector<dependency_directives_scan::Directive> directives;
  if (scanSourceForDependencyDirectives(source, tokens, directives))
    return false;
  // A header's guard is no condition the first time.
  bool isGuarded = directives.size() > 2 && directives[0].Kind == dependency_directives_scan::pp_ifndef &&
                   directives[1].Kind == dependency_directives_scan::pp_define && seen.size() > 1;
  unsigned conditionals = 0;
  for (const dependency_directives_scan::Directive &directive : llvm::drop_begin(directives, isGuarded)) {
    switch (directive.Kind) {
    case dependency_directives_scan::pp_if:
    case dependency_directives_scan::pp_ifdef:
    case dependency_directives_scan::pp_ifndef:
      ++conditionals;
      break;
    case dependency_directives_scan::pp_endif:
      if (conditionals == 0) // the guard's
        return false;
      --conditionals;
      break;
    case dependency_directives_scan::pp_include:
      // The tokens are `#`, `include` and the name with its delimiters.
      for (const dependency_directives_scan::Token &token : directive.Tokens) {
        llvm::StringRef name = source.substr(token.Offset, token.Length);
        if (conditionals != 0 || name.size() <= 2)
          continue;
        bool isBeside = name.front() == '"';
        name = name.drop_front().drop_back();
        if (llvm::is_contained({"tilecc/tt.h", "tilecc/libdevice.h", "cuda_tile.h"}, name))
          return true;
        llvm::SmallString<128> beside(llvm::sys::path::parent_path(path));
        llvm::sys::path::append(beside, name);
        if (isBeside && includesLanguage(beside, seen))
          return true;
      }
      break;
    default:
      break;
    }
  }
  return false;
}

namespace {
/// What a precompiled header was made with and of.
struct Origin : ASTReaderListener {
  LangOptions language;
  CodeGenOptions codeGen;
  TargetOptions target;
  std::vector<std::string> headers;

  bool ReadLanguageOptions(const LangOptions &options, StringRef, bool, bool) override {
    language = options;
    return false;
  }
  bool ReadCodeGenOptions(const CodeGenOptions &options, StringRef, bool, bool) override {
    codeGen = options;
    return false;
  }
  bool ReadTargetOptions(const TargetOptions &options, StringRef, bool, bool) override {
    target = options;
    return false;
  }
  bool needsInputFileVisitation() override { return true; }
  bool needsSystemInputFileVisitation() override { return true; }
  bool visitInputFileAsRequested(StringRef, StringRef name, bool, bool, time_t, bool) override {
    headers.push_back(name.str());
    return true;
  }
};
} // namespace

/// Whether all of the headers are in a folder where this compilation would look, and as they were: an installation may
/// have been moved, its headers edited.
static bool isUpToDate(const Origin &origin, llvm::ArrayRef<std::string> headerDirs, StringRef precompiled) {
  llvm::sys::fs::file_status made;
  if (llvm::sys::fs::status(precompiled, made))
    return false;
  return !origin.headers.empty() && llvm::all_of(origin.headers, [&](llvm::StringRef header) {
    llvm::sys::fs::file_status status;
    return llvm::any_of(headerDirs, [&](llvm::StringRef dir) { return header.starts_with(dir); }) &&
           !llvm::sys::fs::status(header, status) &&
           status.getLastModificationTime() <= made.getLastModificationTime();
  });
}

/// Clang knows of options that a precompiled header may differ in (-O, -fPIC), but lets only modules do so. What the
/// language's headers declare depends on none of them, nor on the others named here.
static void dropCompatibleDifferences(LangOptions &language, CodeGenOptions &codeGen, const Origin &origin) {
  language.POSIXThreads = origin.language.POSIXThreads;   // -pthread
  language.Exceptions = origin.language.Exceptions;       // -fno-exceptions
  language.CXXExceptions = origin.language.CXXExceptions;
  language.RTTI = origin.language.RTTI;                   // -fno-rtti
  language.RTTIData = origin.language.RTTIData;
  language.MathErrno = origin.language.MathErrno;         // -fno-math-errno

  using Kind = LangOptionsBase::CompatibilityKind;
#define LANGOPT(Name, Bits, Default, Compatibility, Description)                                                       \
  if constexpr (Kind::Compatibility == Kind::Compatible)                                                               \
    language.Name = origin.language.Name;
#define ENUM_LANGOPT(Name, Type, Bits, Default, Compatibility, Description)                                            \
  if constexpr (Kind::Compatibility == Kind::Compatible)                                                               \
    language.set##Name(origin.language.get##Name());
#include "clang/Basic/LangOptions.def"

  using CodeGenKind = CodeGenOptions::CompatibilityKind;
#define CODEGENOPT(Name, Bits, Default, Compatibility)                                                                 \
  if constexpr (CodeGenKind::Compatibility == CodeGenKind::Compatible)                                                 \
    codeGen.Name = origin.codeGen.Name;
#define ENUM_CODEGENOPT(Name, Type, Bits, Default, Compatibility)                                                      \
  if constexpr (CodeGenKind::Compatibility == CodeGenKind::Compatible)                                                 \
    codeGen.set##Name(origin.codeGen.get##Name());
#include "clang/Basic/CodeGenOptions.def"
}

static bool fits(CompilerInstance &compiler, const FrontendOptions &options, StringRef precompiled) {
  FileManager &files = compiler.getFileManager();
  Origin origin;
  if (ASTReader::readASTFileControlBlock(precompiled, files, compiler.getModuleCache(),
                                         compiler.getPCHContainerReader(), /*FindModuleFileExtensions=*/false, origin,
                                         /*ValidateDiagnosticOptions=*/false) ||
      !isUpToDate(origin, options.headerDirs, precompiled) ||
      origin.target.Triple != compiler.getTargetOpts().Triple) // -march and its kin may differ
    return false;
  LangOptions language = compiler.getLangOpts();
  CodeGenOptions codeGen = compiler.getCodeGenOpts();
  dropCompatibleDifferences(language, codeGen, origin);
  return ASTReader::isAcceptableASTFile(precompiled, files, compiler.getModuleCache(),
                                        compiler.getPCHContainerReader(), language, codeGen, origin.target,
                                        compiler.getPreprocessorOpts(), compiler.getHeaderSearchOpts(),
                                        /*ExistingModuleCachePath=*/"");
}

void usePrecompiledLanguage(CompilerInstance &compiler, const FrontendOptions &options) {
  const FrontendInputFile &input = compiler.getFrontendOpts().Inputs.front();
  PreprocessorOptions &preprocessor = compiler.getPreprocessorOpts();
  if (options.precompiledDir.empty() || options.simt || !preprocessor.ImplicitPCHInclude.empty() || !input.isFile())
    return;
  llvm::StringSet<> seen;
  if (!includesLanguage(input.getFile(), seen))
    return;
  if (!compiler.hasFileManager())
    compiler.createFileManager();
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(options.precompiledDir, error), end; !error && file != end;
       file.increment(error)) {
    if (!fits(compiler, options, file->path()))
      continue;
    preprocessor.ImplicitPCHInclude = file->path();
    preprocessor.DisablePCHOrModuleValidation = DisableValidationForModuleKind::PCH; // done
    // Make's rules begin with the source, also where headers are known before it is read.
    compiler.getDependencyOutputOpts().ExtraDeps.emplace_back(input.getFile().str(), EDK_DepFileEntry);
    return;
  }
}

} // namespace tilecc
