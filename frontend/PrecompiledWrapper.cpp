//===- PrecompiledWrapper.cpp - uses the precompiled wrapper of CUDA's headers ------------------------------------===//
//
// Every source with SIMT code begins with cuda_runtime.h and Clang's wrapper around it, which take longer to parse than
// most sources. So they are precompiled, once for all sources with the same toolkit and options, for the host and for
// each architecture. The result is used as long as a parse would find the same files, and the macros that the headers
// use have the same values.
//
// `tcc --precompile-headers` makes the wrappers of common options in the installation. The first compilation with other
// options, or with a new toolkit, makes a wrapper in the user's cache folder and uses it. If another process is making
// the same wrapper, a compilation parses the headers instead of waiting.
//
//===----------------------------------------------------------------------------------------------------------===//

#include "frontend/CacheFolder.h"
#include "frontend/Compiler.h"
#include "frontend/Precompiled.h"
#include "frontend/PrecompiledOrigin.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/Version.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

using namespace clang;

namespace tilecc {

static constexpr llvm::StringLiteral suffix = ".pch", namesExtension = ".names", stateExtension = ".state";

/// Returns the beginning of file names. One folder holds the files for several toolkits and sides, named "sm_90-<hash
/// of the toolkit>-gnu++20.pch".
static std::string prefixOf(const SimtOptions &simt, llvm::StringRef arch) {
  std::string toolkit = llvm::utohexstr(llvm::xxh3_64bits(simt.cudaPath), /*LowerCase=*/true);
  return (arch.empty() ? "host" : arch.str()) + "-" + toolkit + "-";
}

/// Returns a hash of the headers' sizes and times; empty if a header is missing.
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

static llvm::StringRef nameOf(llvm::StringRef macro) {
  return macro.take_until([](char c) { return c == '=' || c == '('; });
}

/// Returns true if a command-line macro with a name that the headers mention has another value than before.
static bool changesMacros(const PreprocessorOptions &options, const PrecompiledOrigin &origin,
                          llvm::StringRef precompiled) {
  using Macro = std::pair<std::string, bool /*isUndef*/>;
  std::vector<llvm::StringRef> changed;
  auto compare = [&](const std::vector<Macro> &some, const std::vector<Macro> &others) {
    for (const Macro &macro : some)
      if (!llvm::is_contained(others, macro))
        changed.push_back(nameOf(macro.first));
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

/// Returns true if a folder that was not searched when the headers were precompiled has a file with the name of a
/// header.
static bool hidesHeaders(const HeaderSearchOptions &options, const PrecompiledOrigin &origin) {
  llvm::StringSet<> searched;
  for (const HeaderSearchOptions::Entry &entry : origin.search.UserEntries)
    searched.insert(entry.Path);
  std::vector<llvm::StringRef> names; // of the headers, as they were included
  for (const HeaderSearchOptions::Entry &entry : options.UserEntries) {
    // The folder may have been searched under another name, because builds often name the toolkit's headers.
    auto isSame = [&](const auto &folder) { return llvm::sys::fs::equivalent(folder.getKey(), entry.Path); };
    if (searched.contains(entry.Path) || !llvm::sys::fs::is_directory(entry.Path) || llvm::any_of(searched, isSame))
      continue;
    if (names.empty())
      for (llvm::StringRef header : origin.headers) {
        // Remove the longest matching search folder.
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

/// Returns true if the headers may come from a folder that is not searched now.
static bool lacksFolders(const HeaderSearchOptions &options, const PrecompiledOrigin &origin) {
  return !llvm::all_of(origin.search.UserEntries, [&](const HeaderSearchOptions::Entry &entry) {
    return llvm::any_of(options.UserEntries, [&](const auto &now) { return now.Path == entry.Path; });
  });
}

/// Returns true if only this user can have written the folder's files. A folder that does not exist is trusted, because
/// it will be created. An empty name is not trusted.
static bool isTrusted(const std::string &dir) {
  if (dir.empty())
    return false;
  OpenedFile folder = openFolder(dir);
  return folder.fd < 0 ? errno == ENOENT : whyNotTrusted(folder.fd, /*isFolder=*/true).empty();
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
         !lacksFolders(compiler.getHeaderSearchOpts(), origin) &&
         readBeside(precompiled, stateExtension) == stateOf(origin);
}

/// Returns the path of a wrapper in `dir` that fits, or an empty string.
static std::string findWrapper(CompilerInstance &compiler, llvm::StringRef dir, llvm::StringRef prefix, bool isDevice) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(dir, error), end; !error && file != end; file.increment(error)) {
    llvm::StringRef name = llvm::sys::path::filename(file->path());
    if (name.starts_with(prefix) && name.ends_with(suffix) && fits(compiler, isDevice, file->path()))
      return file->path();
  }
  return {};
}

//===--- making wrappers ------------------------------------------------------------------------------------------===//

/// Removes from `names` the command-line macros that no header mentions.
static void dropMacros(std::vector<std::string> &names, const PrecompiledOrigin &origin) {
  llvm::StringSet<> unseen;
  for (const auto &[macro, isUndef] : origin.preprocessor.Macros)
    unseen.insert(nameOf(macro));
  for (const std::string &header : origin.headers) {
    auto file = llvm::MemoryBuffer::getFile(header);
    if (!file)
      continue;
    llvm::StringRef text = (*file)->getBuffer();
    while (!text.empty()) {
      auto isPartOfName = [](char c) { return isAsciiIdentifierContinue(c); };
      unseen.erase(text.take_while(isPartOfName));
      text = text.drop_while(isPartOfName).drop_until(isPartOfName);
    }
  }
  llvm::erase_if(names, [&](const std::string &name) { return unseen.contains(name); });
}

/// Precompiles the wrapper with the options of `compiler` to temporary files, which replace `output` once all of them
/// are complete.
static bool writeWrapper(CompilerInstance &compiler, llvm::StringRef output) {
  // The list of the other GPUs is unknown here, and affects only libraries.
  llvm::erase_if(compiler.getPreprocessorOpts().Macros,
                 [](const auto &macro) { return llvm::StringRef(macro.first).starts_with("__CUDA_ARCH_LIST__="); });
  llvm::SmallString<128> temporary;
  if (llvm::sys::fs::createUniqueFile(output + ".%%%%%%%%.tmp", temporary))
    return false;
  compiler.getFrontendOpts().UseTemporary = false; // Clang would leave its own behind on a full disk
  std::vector<std::string> names;
  PrecompiledOrigin origin;
  bool isWritten = writePrecompiled(compiler, "", temporary, &names) && origin.read(compiler, temporary);
  dropMacros(names, origin);
  isWritten = isWritten && writeBeside(temporary, namesExtension, "\n" + llvm::join(names, "\n") + "\n") &&
              writeBeside(temporary, stateExtension, stateOf(origin));
  // A wrapper counts as complete when its .pch file exists.
  llvm::sys::fs::remove(output);
  for (llvm::StringRef extension : {namesExtension, stateExtension, predefinesExtension, llvm::StringLiteral("")}) {
    std::string from = (temporary + extension).str(), to = (output + extension).str();
    if (!isWritten || llvm::sys::fs::rename(from, to)) {
      isWritten = false;
      llvm::sys::fs::remove(from);
    }
  }
  return isWritten;
}

/// Removes the folders and files that the user has specified, because the wrapper does not depend on them.
static std::vector<const char *> withoutFolders(llvm::ArrayRef<const char *> args) {
  constexpr llvm::StringLiteral separate[] = {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"};
  std::vector<const char *> kept;
  for (unsigned i = 0; i < args.size(); ++i) {
    llvm::StringRef arg = args[i];
    if (llvm::is_contained(separate, arg))
      ++i;
    else if (!llvm::any_of(separate, [&](llvm::StringRef option) { return arg.starts_with(option); }))
      kept.push_back(args[i]);
  }
  return kept;
}

/// Makes a wrapper in the cache folder for a compilation for which there is none. Returns its path, or an empty string
/// if it cannot be made or another process is making it. In that case the headers are parsed with the source, which
/// also reports their errors.
static std::string makeWrapper(llvm::ArrayRef<const char *> args, FrontendOptions options, llvm::StringRef arch,
                               llvm::StringRef prefix) {
  SimtOptions &simt = *options.simt;
  simt.unitId = "0"; // the wrapper belongs to no source
  simt.userMacros.clear();
  simt.hidesClang = false;
  options.filesRead = nullptr;
  options.print = [](llvm::StringRef) {};
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(withoutFolders(args), options, arch);
  if (!compiler)
    return {};
  compiler->getDependencyOutputOpts() = {};
  compiler->getHeaderSearchOpts().Verbose = false;
  compiler->getCodeGenOpts().TimePasses = false;
  // The name of the file must not depend on the names of input and output files.
  CompilerInvocation invocation = compiler->getInvocation();
  invocation.getFrontendOpts() = {};
  invocation.getCodeGenOpts().MainFileName.clear();
  invocation.getCodeGenOpts().DebugCompilationDir.clear();
  std::string all = getClangFullVersion() + "\n" + llvm::join(invocation.getCC1CommandLine(), "\n");
  std::string path =
      simt.cacheDir + "/" + prefix.str() + llvm::utohexstr(llvm::xxh3_64bits(all), /*LowerCase=*/true) + suffix.str();

  if (llvm::sys::fs::create_directories(simt.cacheDir, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all))
    return {};
  const std::string lockPath = path + ".lock";
  OpenedFile lock(::open(lockPath.c_str(), O_CREAT | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (lock.fd < 0 || ::flock(lock.fd, LOCK_EX | LOCK_NB))
    return {};
  llvm::scope_exit unlock([&] { llvm::sys::fs::remove(lockPath); });
  // Another process may have made the wrapper meanwhile. If it exists but does not fit, making it again would not help.
  compiler->createFileManager();
  if (PrecompiledOrigin origin; origin.read(*compiler, path) && readBeside(path, stateExtension) == stateOf(origin))
    return path;
  if (!writeWrapper(*compiler, path))
    return {};
  removeOldestEntries(simt.cacheDir, suffix, /*spared=*/60);
  return path;
}

void usePrecompiledWrapper(CompilerInstance &compiler, llvm::ArrayRef<const char *> args,
                           const FrontendOptions &options, llvm::StringRef arch) {
  const SimtOptions &simt = *options.simt;
  if (simt.precompiledDir.empty() || options.isPreprocessed ||
      !compiler.getPreprocessorOpts().ImplicitPCHInclude.empty() || !compiler.getFrontendOpts().Inputs.front().isFile())
    return;
  compiler.createFileManager();
  const std::string prefix = prefixOf(simt, arch);
  const bool isDevice = !arch.empty();
  std::string path = findWrapper(compiler, simt.precompiledDir, prefix, isDevice);
  if (path.empty() && isTrusted(simt.cacheDir)) {
    path = findWrapper(compiler, simt.cacheDir, prefix, isDevice);
    if (path.empty()) {
      path = makeWrapper(args, options, arch, prefix);
      if (!path.empty() && !fits(compiler, isDevice, path))
        path.clear();
    }
    if (!path.empty())
      ::utimensat(AT_FDCWD, (path + namesExtension).str().c_str(), nullptr, 0); // marks it as used now
  }
  if (!path.empty())
    usePrecompiled(compiler, path);
}

bool precompileWrapper(llvm::ArrayRef<const char *> args, const FrontendOptions &options, llvm::StringRef arch,
                       llvm::StringRef dialect) {
  assert(options.simt->userMacros.empty() && "the wrapper does not depend on user files");
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(args, options, arch);
  return compiler && writeWrapper(*compiler, options.simt->precompiledDir + "/" + prefixOf(*options.simt, arch) +
                                                 dialect.str() + suffix.str());
}

} // namespace tilecc
