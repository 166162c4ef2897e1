//===- PrecompiledPreamble.cpp - uses the precompiled preamble of a source ----------------------------------------===//
//
// CUB and Thrust take seconds to parse, for the host and again for each architecture. If the user specifies a folder
// (--preamble-dir), tcc keeps a precompiled preamble of each source there, for the next compilation with the same
// options. The preamble is the directives and comments before the first declaration. It is precompiled again when its
// text, or a file that it read, has changed. A record next to it lists how much of the source it covers and which files
// it read.
//
// A preamble ends before anything that must be parsed each time. These are headers with tile code, because kernels are
// searched for among the parsed declarations (TranslationUnit.cpp), and pragmas, because precompiled headers do not
// preserve all of them. Nothing is precompiled if it prints messages or uses the time of day.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Compiler.h"
#include "frontend/TokenWatcher.h"
#include "frontend/Precompiled.h"
#include "frontend/PrecompiledOrigin.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace clang;

namespace tilecc {
namespace {

/// A source's preamble and the name of its precompiled file.
struct Preamble {
  llvm::ArrayRef<const char *> args;
  const FrontendOptions &options;
  llvm::StringRef arch;
  std::string source;
  llvm::StringRef text;
  std::string stem; // base name of the files
};

/// The part of a preamble that is precompiled, which may be empty, and the files that it read.
struct Record {
  PreambleBounds bounds{0, true};
  std::vector<std::string> files;
};

std::string hashOf(llvm::StringRef text) { return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true); }

/// Finds the end of the part of a preamble that can be precompiled.
class EndFinder : public PPCallbacks {
public:
  EndFinder(const Preprocessor &preprocessor, std::optional<unsigned> &end)
      : preprocessor(preprocessor), sources(preprocessor.getSourceManager()), end(end) {}

  void InclusionDirective(SourceLocation hash, const Token &, llvm::StringRef, bool, CharSourceRange,
                          OptionalFileEntryRef file, llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (sources.isWrittenInMainFile(hash))
      directive = sources.getFileOffset(hash);
    if (file && file->getName().ends_with("tilecc/detail/language.h"))
      endAt(directive);
  }
  void PragmaDirective(SourceLocation hash, PragmaIntroducerKind) override {
    if (sources.isWrittenInMainFile(hash))
      endAt(sources.getFileOffset(hash));
  }
  void MacroExpands(const Token &name, const MacroDefinition &, SourceRange, const MacroArgs *) override {
    if (llvm::is_contained({"__DATE__", "__TIME__", "__TIMESTAMP__"}, preprocessor.getSpelling(name)))
      endAt(0);
  }

private:
  void endAt(unsigned offset) { end = std::min(end.value_or(offset), offset); }

  const Preprocessor &preprocessor;
  const SourceManager &sources;
  std::optional<unsigned> &end;
  unsigned directive = 0; // the last directive of the source itself
};

struct PreambleAction : GeneratePCHAction {
  std::optional<unsigned> end;

  bool BeginSourceFileAction(CompilerInstance &compiler) override {
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<EndFinder>(preprocessor, end));
    watchTokens(compiler);
    return GeneratePCHAction::BeginSourceFileAction(compiler);
  }
};

/// Returns a hash of the preamble's text and of the size and time of all files; empty if a file is missing or newer
/// than `latest`.
std::string stateOf(const Preamble &preamble, const Record &record,
                    std::optional<llvm::sys::TimePoint<>> latest = std::nullopt) {
  std::string state = preamble.text.str();
  llvm::raw_string_ostream os(state);
  auto add = [&](llvm::StringRef path) {
    llvm::sys::fs::file_status status;
    if (llvm::sys::fs::status(path, status))
      return false;
    os << '\n' << path << ' ' << status.getSize() << ' ' << status.getLastModificationTime().time_since_epoch().count();
    return path.ends_with(".pch") || !latest || status.getLastModificationTime() < *latest;
  };
  if (!llvm::all_of(record.files, add) || (record.bounds.Size && !add(preamble.stem + ".pch")))
    return {};
  return hashOf(os.str());
}

/// Reads a record. Its lines are the state, the size, whether a source line begins there, and the files.
std::optional<Record> readRecord(const Preamble &preamble) {
  std::string text = readBeside(preamble.stem, ".record");
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  Record record;
  if (lines.size() < 3 || lines[1].getAsInteger(10, record.bounds.Size) || record.bounds.Size > preamble.text.size())
    return std::nullopt;
  record.bounds.PreambleEndsAtStartOfLine = lines[2] == "1";
  for (llvm::StringRef file : llvm::drop_begin(lines, 3))
    record.files.push_back(file.str());
  if (stateOf(preamble, record) != lines[0])
    return std::nullopt;
  return record;
}

void writeRecord(const Preamble &preamble, const Record &record, llvm::sys::TimePoint<> latest) {
  std::string state = stateOf(preamble, record, latest);
  llvm::SmallString<128> temporary;
  if (state.empty() || llvm::sys::fs::createUniqueFile(preamble.stem + "-%%%%%%%%", temporary))
    return;
  std::string text = state + "\n" + std::to_string(record.bounds.Size) + "\n" +
                     (record.bounds.PreambleEndsAtStartOfLine ? "1" : "0") + "\n" + llvm::join(record.files, "\n") +
                     "\n";
  // Write the record atomically, because other processes may compile the same source.
  if (!writeBeside(temporary, "", text) || llvm::sys::fs::rename(temporary, preamble.stem + ".record"))
    llvm::sys::fs::remove(temporary);
}

/// Precompiles the first bytes of the preamble. Returns null if the preamble must end earlier, at `end`.
std::optional<Record> tryToPrecompile(const Preamble &preamble, PreambleBounds bounds, std::optional<unsigned> &end) {
  Record record;
  bool hasMessages = false;
  FrontendOptions options = preamble.options;
  options.filesRead = &record.files;
  options.print = [&](llvm::StringRef) { hasMessages = true; };
  std::unique_ptr<CompilerInstance> compiler = makeCompiler(preamble.args, options, preamble.arch);
  if (!compiler)
    return record;
  hasMessages = false; // ignore messages about the command line
  compiler->getDependencyOutputOpts() = {};
  compiler->getHeaderSearchOpts().Verbose = false;
  compiler->getCodeGenOpts().TimePasses = false;
  compiler->getFrontendOpts().OutputFile = preamble.stem + ".pch";
  PreprocessorOptions &preprocessor = compiler->getPreprocessorOpts();
  preprocessor.GeneratePreamble = true;
  preprocessor.addRemappedFile(
      preamble.source,
      llvm::MemoryBuffer::getMemBufferCopy(preamble.text.take_front(bounds.Size), preamble.source).release());
  PreambleAction action;
  bool ok = parseWithDeepStack(*compiler, [&] { return compiler->ExecuteAction(action); });
  llvm::sort(record.files);
  record.files.erase(llvm::unique(record.files), record.files.end());
  llvm::erase(record.files, preamble.source);
  if (action.end && *action.end < bounds.Size) {
    end = *action.end;
    return std::nullopt;
  }
  if (ok && !hasMessages)
    record.bounds = bounds;
  return record;
}

Record precompile(const Preamble &preamble, PreambleBounds bounds) {
  auto start = std::chrono::system_clock::now();
  std::optional<Record> record;
  for (std::optional<unsigned> end; !record && bounds.Size != 0;) {
    record = tryToPrecompile(preamble, bounds, end);
    if (!record)
      bounds = {*end, true};
  }
  if (!record)
    record = Record{{0, true}, {}};
  if (record->bounds.Size == 0)
    llvm::sys::fs::remove(preamble.stem + ".pch");
  writeRecord(preamble, *record, start);
  return *record;
}

/// Returns a name derived from everything that determines the meaning of a preamble, except the files that it reads.
std::string stemOf(const Preamble &preamble, CompilerInstance &compiler) {
  // Ignore the names of outputs, which may be temporary.
  CompilerInvocation invocation = compiler.getInvocation();
  invocation.getFrontendOpts() = {};
  invocation.getDependencyOutputOpts() = {};
  llvm::SmallString<256> folder;
  llvm::sys::fs::current_path(folder);
  std::string all = getClangFullVersion() + "\n" + folder.str().str() + "\n" + preamble.source + "\n" +
                    llvm::join(invocation.getCC1CommandLine(), "\n");
  for (const auto &[name, value] : preamble.options.simt->userMacros)
    all += "\n" + name + "=" + value;
  std::string side = preamble.arch.empty() ? "host" : preamble.arch.str();
  llvm::SmallString<256> stem(preamble.options.simt->preambleDir);
  llvm::sys::path::append(stem, llvm::sys::path::stem(preamble.source) + "-" + side + "-" + hashOf(all));
  return stem.str().str();
}

} // namespace

bool usePrecompiledPreamble(CompilerInstance &compiler, llvm::ArrayRef<const char *> args,
                            const FrontendOptions &options, llvm::StringRef arch) {
  const FrontendInputFile &input = compiler.getFrontendOpts().Inputs.front();
  PreprocessorOptions &preprocessor = compiler.getPreprocessorOpts();
  if (options.simt->preambleDir.empty() || options.isPreprocessed || !preprocessor.ImplicitPCHInclude.empty() ||
      !input.isFile() || input.getFile() == "-")
    return false;
  auto source = llvm::MemoryBuffer::getFile(input.getFile());
  if (!source)
    return false; // Clang has reported the reason
  Preamble preamble{args, options, arch, input.getFile().str(), {}, {}};
  PreambleBounds bounds = Lexer::ComputePreamble((*source)->getBuffer(), compiler.getLangOpts());
  preamble.text = (*source)->getBuffer().take_front(bounds.Size);
  preamble.stem = stemOf(preamble, compiler);
  std::optional<Record> record = readRecord(preamble);
  if (!record)
    record = precompile(preamble, bounds);
  if (record->bounds.Size == 0)
    return false;
  usePrecompiled(compiler, preamble.stem + ".pch");
  preprocessor.PrecompiledPreambleBytes = {record->bounds.Size, record->bounds.PreambleEndsAtStartOfLine};
  preprocessor.UsePredefines = false;
  return true;
}

} // namespace tilecc
