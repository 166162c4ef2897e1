//===- PrecompiledWrapper.cpp - the precompiled wrapper of CUDA's headers -----------------------------------------===//
//
// Every source with SIMT code begins with cuda_runtime.h and Clang's wrapper around it, which take longer to parse than
// most sources. `tcc --precompile-headers` precompiles them for a toolkit, once for the host and once for each
// architecture. The result is used as long as a parse would find the same files and the macros that the headers use
// have the same values.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/Compiler.h"
#include "frontend/Precompiled.h"
#include "frontend/PrecompiledOrigin.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace tilecc {

static constexpr llvm::StringLiteral namesExtension = ".names", stateExtension = ".state";

/// One folder holds the files for several toolkits and sides: "sm_90-<of the toolkit>-gnu++20.pch".
static std::string prefixOf(const SimtOptions &simt, llvm::StringRef arch) {
  std::string toolkit = llvm::utohexstr(llvm::xxh3_64bits(simt.cudaPath), /*LowerCase=*/true);
  return (arch.empty() ? "host" : arch.str()) + "-" + toolkit + "-";
}

/// Sizes and times of the headers; empty if one is missing.
static std::string stateOf(const PrecompiledOrigin &origin) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const std::string &header : origin.headers) {
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(header, status))
      return {};
    os << header << ' ' << status.getSize() << ' ' << status.getLastModificationTime().time_since_epoch().count()
       << '\n';
  }
  return llvm::utohexstr(llvm::xxh3_64bits(os.str()));
}

/// Returns true if a command-line macro has a different value than before and a name that the headers mention.
static bool changesMacros(const PreprocessorOptions &options, const PrecompiledOrigin &origin,
                          llvm::StringRef precompiled) {
  using Macro = std::pair<std::string, bool /*isUndef*/>;
  std::vector<llvm::StringRef> changed;
  auto compare = [&](const std::vector<Macro> &some, const std::vector<Macro> &others) {
    for (const Macro &macro : some)
      if (!llvm::is_contained(others, macro))
        changed.push_back(llvm::StringRef(macro.first).take_until([](char c) { return c == '=' || c == '('; }));
  };
  compare(options.Macros, origin.preprocessor.Macros);
  compare(origin.preprocessor.Macros, options.Macros);
  if (changed.empty())
    return false;
  std::string names = readBeside(precompiled, namesExtension);
  return names.empty() || llvm::any_of(changed, [&](llvm::StringRef name) {
           return names.find(("\n" + name + "\n").str()) != std::string::npos;
         });
}

/// Returns true if a folder that was not searched for the headers has a file with the name of one.
static bool hidesHeaders(const HeaderSearchOptions &options, const PrecompiledOrigin &origin) {
  llvm::StringSet<> searched;
  for (const HeaderSearchOptions::Entry &entry : origin.search.UserEntries)
    searched.insert(entry.Path);
  std::vector<llvm::StringRef> names;
  for (const HeaderSearchOptions::Entry &entry : options.UserEntries) {
    if (searched.contains(entry.Path) || !llvm::sys::fs::is_directory(entry.Path))
      continue;
    if (names.empty())
      for (llvm::StringRef header : origin.headers) {
        // Remove the longest matching search folder; the rest is the name as it was included.
        llvm::StringRef name = llvm::sys::path::filename(header);
        size_t longest = 0;
        for (const auto &folder : searched)
          if (llvm::StringRef rest = header;
              rest.consume_front(folder.getKey()) && rest.consume_front("/") && folder.getKey().size() > longest) {
            longest = folder.getKey().size();
            name = rest;
          }
        names.push_back(name);
      }
    if (llvm::any_of(names, [&](llvm::StringRef name) { return llvm::sys::fs::exists(entry.Path + "/" + name); }))
      return true;
  }
  return false;
}

static bool fits(CompilerInstance &compiler, bool isDevice, StringRef precompiled) {
  PrecompiledOrigin origin;
  if (!origin.read(compiler, precompiled) || origin.target.Triple != compiler.getTargetOpts().Triple)
    return false;
  auto adjust = [&](LangOptions &, TargetOptions &target) {
    if (!isDevice) // -march and related options
      target = origin.target;
  };
  return origin.isAcceptable(compiler, precompiled, adjust) &&
         !changesMacros(compiler.getPreprocessorOpts(), origin, precompiled) &&
         !hidesHeaders(compiler.getHeaderSearchOpts(), origin) &&
         readBeside(precompiled, stateExtension) == stateOf(origin);
}

void usePrecompiledWrapper(CompilerInstance &compiler, const FrontendOptions &options, llvm::StringRef arch) {
  if (options.simt->precompiledDir.empty() || options.isPreprocessed ||
      !compiler.getPreprocessorOpts().ImplicitPCHInclude.empty() || !compiler.getFrontendOpts().Inputs.front().isFile())
    return;
  compiler.createFileManager();
  std::string prefix = prefixOf(*options.simt, arch);
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(options.simt->precompiledDir, error), end; !error && file != end;
       file.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(file->path());
    if (!name.starts_with(prefix) || !name.ends_with(".pch") || !fits(compiler, !arch.empty(), file->path()))
      continue;
    usePrecompiled(compiler, file->path());
    return;
  }
}

bool precompileWrapper(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch,
                       llvm::StringRef dialect) {
  assert(options.simt->userMacros.empty() && "the wrapper has no files of users'");
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(args, options, arch);
  if (!compiler)
    return false;
  // The list of other GPUs is unknown here and affects only libraries.
  llvm::erase_if(compiler->getPreprocessorOpts().Macros,
                 [](const auto &macro) { return llvm::StringRef(macro.first).starts_with("__CUDA_ARCH_LIST__="); });
  std::string output = options.simt->precompiledDir + "/" + prefixOf(*options.simt, arch) + dialect.str() + ".pch";
  std::vector<std::string> names;
  PrecompiledOrigin origin;
  return writePrecompiled(*compiler, "", output, &names) && origin.read(*compiler, output) &&
         writeBeside(output, namesExtension, "\n" + llvm::join(names, "\n") + "\n") &&
         writeBeside(output, stateExtension, stateOf(origin));
}

} // namespace tilecc
