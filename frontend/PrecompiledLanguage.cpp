//===- PrecompiledLanguage.cpp - uses the precompiled language header ---------------------------------------------===//
//
// This file finds the precompiled header that fits a source, and makes the headers for tcc --precompile-headers.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/Precompiled.h"
#include "frontend/Compiler.h"
#include "frontend/MovableHeaders.h"
#include "frontend/PrecompiledOrigin.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/xxhash.h"

#include <set>

using namespace clang;

namespace tilecc {

using FilesSeen = std::set<llvm::sys::fs::UniqueID>;

/// Returns true if `path` certainly includes <tilecc/tt.h>, <cuda_tile.h> or a header that comes with them, directly or
/// through files next to it that it certainly includes.
static bool includesLanguage(llvm::vfs::FileSystem &files, llvm::StringRef path, FilesSeen &seen) {
  // Paths do not identify files: two headers that include each other through `../` have endlessly many paths.
  auto status = files.status(path);
  if (!status || !seen.insert(status->getUniqueID()).second)
    return false;
  auto file = files.getBufferForFile(path);
  if (!file)
    return false;
  llvm::StringRef source = (*file)->getBuffer();
  llvm::SmallVector<dependency_directives_scan::Token> tokens;
  llvm::SmallVector<dependency_directives_scan::Directive> directives;
  if (scanSourceForDependencyDirectives(source, tokens, directives))
    return false;
  // The condition of a header guard is true when the header is included for the first time.
  bool isGuarded = directives.size() > 2 && directives[0].Kind == dependency_directives_scan::pp_ifndef &&
                   directives[1].Kind == dependency_directives_scan::pp_define && seen.size() > 1;
  unsigned conditionals = 0;
  for (const dependency_directives_scan::Directive &directive : llvm::drop_begin(directives, isGuarded)) {
    switch (directive.Kind) {
    case dependency_directives_scan::pp_if:
    case dependency_directives_scan::pp_ifdef:
    case dependency_directives_scan::pp_ifndef: ++conditionals; break;
    case dependency_directives_scan::pp_endif:
      if (conditionals == 0) // the end of the header guard
        return false;
      --conditionals;
      break;
    case dependency_directives_scan::pp_include:
      // The tokens are `#`, `include` and the delimited name.
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
        if (isBeside && includesLanguage(files, beside, seen))
          return true;
      }
      break;
    default: break;
    }
  }
  return false;
}

bool includesTileLanguage(llvm::StringRef path, const FrontendOptions &options) {
  FilesSeen seen;
  return includesLanguage(*fileSystemFor(options), path, seen);
}

/// Returns true if a source may use C++20 modules. If modules are enabled, Clang declares every built-in function up
/// front and checks the visibility of each name that it looks up, which costs a small kernel 5% of its compile time. So
/// the language header is precompiled without modules, and only sources that do not use modules use the precompiled
/// header. It suffices to check two things: the options, because Clang finds no header units or prebuilt modules
/// without them, and the directives of the main file, which contains the module declaration if there is one.
static bool mayUseModules(CompilerInstance &compiler, llvm::StringRef path) {
  const HeaderSearchOptions &search = compiler.getHeaderSearchOpts();
  if (!compiler.getFrontendOpts().ModuleFiles.empty() || !search.PrebuiltModuleFiles.empty() ||
      !search.PrebuiltModulePaths.empty() || search.ImplicitModuleMaps)
    return true;
  auto file = compiler.getVirtualFileSystem().getBufferForFile(path);
  llvm::SmallVector<dependency_directives_scan::Token> tokens;
  llvm::SmallVector<dependency_directives_scan::Directive> directives;
  if (!file || scanSourceForDependencyDirectives((*file)->getBuffer(), tokens, directives))
    return true;
  return llvm::any_of(directives, [](const dependency_directives_scan::Directive &directive) {
    using namespace dependency_directives_scan;
    return llvm::is_contained({cxx_export_import_decl, cxx_export_module_decl, cxx_import_decl, cxx_module_decl},
                              directive.Kind);
  });
}

/// Returns a digest of the headers from which a precompiled header was made. Time stamps are ignored, because packages
/// set them arbitrarily.
static std::optional<std::string> digestOf(const PrecompiledOrigin &origin, llvm::StringRef headerDir) {
  llvm::SmallString<0> contents;
  for (llvm::StringRef header : origin.headers) {
    if (!header.consume_front(movableHeaderDir))
      return std::nullopt;
    auto file = llvm::MemoryBuffer::getFile(headerDir + header);
    if (!file)
      return std::nullopt;
    for (llvm::StringRef part : {header, (*file)->getBuffer()}) {
      contents += part;
      contents += '\0';
    }
  }
  return llvm::utohexstr(llvm::xxh3_64bits(contents));
}

static constexpr llvm::StringLiteral digestExtension = ".digest";

/// Returns false if headers have been edited or belong to another version.
static bool isUpToDate(const PrecompiledOrigin &origin, const FrontendOptions &options, llvm::StringRef precompiled) {
  std::optional<std::string> digest = digestOf(origin, options.headerDirs.front());
  return digest && readBeside(precompiled, digestExtension) == *digest;
}

static bool fits(CompilerInstance &compiler, const FrontendOptions &options, StringRef precompiled) {
  PrecompiledOrigin origin;
  if (!origin.read(compiler, precompiled) || origin.target.Triple != compiler.getTargetOpts().Triple)
    return false;
  // The declarations in the language's headers do not depend on these options.
  auto adjust = [&](LangOptions &language, TargetOptions &target) {
    target = origin.target; // -march and related options
    language.Exceptions = origin.language.Exceptions; // -fno-exceptions
    language.CXXExceptions = origin.language.CXXExceptions;
    language.RTTI = origin.language.RTTI; // -fno-rtti
    language.RTTIData = origin.language.RTTIData;
    language.MathErrno = origin.language.MathErrno; // -fno-math-errno
    language.Modules = origin.language.Modules;
  };
  return origin.isAcceptable(compiler, precompiled, adjust) && isUpToDate(origin, options, precompiled);
}

void usePrecompiledLanguage(CompilerInstance &compiler, const FrontendOptions &options) {
  const FrontendInputFile &input = compiler.getFrontendOpts().Inputs.front();
  PreprocessorOptions &preprocessor = compiler.getPreprocessorOpts();
  if (options.precompiledDir.empty() || !preprocessor.ImplicitPCHInclude.empty() || !input.isFile())
    return;
  FilesSeen seen;
  if (!includesLanguage(compiler.getVirtualFileSystem(), input.getFile(), seen) ||
      mayUseModules(compiler, input.getFile()))
    return;
  mapMovableHeaders(compiler, options.headerDirs.front(), HeaderNames::True);
  compiler.createFileManager();
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(options.precompiledDir, error), end; !error && file != end;
       file.increment(error)) {
    if (llvm::sys::path::extension(file->path()) != ".pch" || !fits(compiler, options, file->path()))
      continue;
    compiler.getLangOpts().Modules = false;
    usePrecompiled(compiler, file->path());
    return;
  }
}

bool precompileLanguage(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef output) {
  FrontendOptions movable = options;
  movable.headerDirs = {movableHeaderDir.str()};
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(args, movable);
  if (!compiler)
    return false;
  compiler->getLangOpts().Modules = false;
  mapMovableHeaders(*compiler, options.headerDirs.front(), HeaderNames::Movable);
  PrecompiledOrigin origin;
  return writePrecompiled(*compiler, "#include <tilecc/detail/language.h>\n#include <tilecc/tiles/language.h>",
                          output) &&
         origin.read(*compiler, output) &&
         writeBeside(output, digestExtension,
                     digestOf(origin, options.headerDirs.front()).value_or("of headers that are not ours"));
}

} // namespace tilecc
