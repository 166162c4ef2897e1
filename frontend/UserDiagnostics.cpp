//===- - messages at the user's line --------------------------------------------------------------===//
//
// A tile operation is a template in a header of ours, so Clang reports a mistake in its use inside that header and lists
// how it got there. Users want the message at their own line. Since Clang runs in this process, its consumer can hold
// each error back until the notes that follow it are known, and print it where the first of them is in the user's code.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/UserDiagnostics.h"
#include "frontend/Rewording.h"
#include "frontend/Simt.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/SourceManagerInternals.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace tilecc {
namespace {

class UserLineConsumer : public DiagnosticConsumer {
public:
  /// Takes over from `compiler` to say how many errors there were: in CUDA code, it would add for which side.
  UserLineConsumer(DiagnosticOptions &compiler, std::function<void(StringRef)> show)
      : options(compiler), show(std::move(show)) {
    compiler.ShowCarets = false;
  }
  ~UserLineConsumer() override { flush(); }

  void BeginSourceFile(const LangOptions &lang, const Preprocessor *) override { this->lang = &lang; }
  void EndSourceFile() override {
    flush();
    lang = nullptr;
    sources = nullptr;
    lastError = lastMoved = SourceLocation();
    isExplained = false;
    saidOnce.clear();
  }
  void finish() override {
    flush();
    if (!options.ShowCarets || (printedErrors == 0 && printedWarnings == 0))
      return;
    auto count = [](unsigned n, const char *what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); };
    std::string text = printedWarnings ? count(printedWarnings, "warning") + (printedErrors ? " and " : "") : "";
    if (printedErrors)
      text += count(printedErrors, "error");
    showText(text + " generated.\n");
    printedErrors = printedWarnings = 0;
  }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (info.hasSourceManager())
      sources = &info.getSourceManager();
    if (level != DiagnosticsEngine::Note)
      flush();
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    addOption(level, info, text);
    bool ofTiles = text.str().contains("tensor<") || inHeadersOfTiles(info.getLocation());
    ClangMessage message{level, info.getID(), info.getLocation(), spellTiles(text), {}, {}, ofTiles};
    message.ranges.append(info.getRanges().begin(), info.getRanges().end());
    message.fixIts.append(info.getFixItHints().begin(), info.getFixItHints().end());
    if (level == DiagnosticsEngine::Note)
      notes.push_back(std::move(message));
    else
      pending = std::move(message);
  }

private:
  /// Which option turns the warning off, as Clang's own printer says.
  void addOption(DiagnosticsEngine::Level level, const Diagnostic &info, llvm::SmallVectorImpl<char> &text) const {
    StringRef option = info.getDiags()->getDiagnosticIDs()->getWarningOptionForDiag(info.getID());
    if (!options.ShowOptionNames || option.empty() || level == DiagnosticsEngine::Note)
      return;
    std::string suffix = (level >= DiagnosticsEngine::Error ? " [-Werror,-W" : " [-W") + option.str() + "]";
    text.append(suffix.begin(), suffix.end());
  }

  bool inOurHeaders(SourceLocation loc) const {
    if (loc.isInvalid() || !sources)
      return false;
    StringRef file = sources->getFilename(sources->getExpansionLoc(loc));
    return file.contains("tilecc/detail/") || file.contains("tilecc/tt/") || file.contains("tilecc/tiles/") ||
           file.ends_with("tilecc/tt.h") || file.ends_with("tilecc/tune.h") ||
           file.ends_with("tilecc/cuda/cuda_tile.h");
  }

  /// The headers of tt, and not those of NVIDIA's language.
  bool inHeadersOfTiles(SourceLocation loc) const {
    return inOurHeaders(loc) && !sources->getFilename(sources->getExpansionLoc(loc)).contains("tilecc/tiles/");
  }

  /// Prints the message held back, and its notes.
  void flush() {
    if (!pending)
      return;
    ClangMessage message = std::move(*pending);
    pending.reset();
    auto isOurs = [this](SourceLocation loc) { return inOurHeaders(loc); };
    auto isSystem = [this](SourceLocation loc) { return sources && loc.isValid() && sources->isInSystemHeader(loc); };
    // A macro of a library (assert) is where it is used, and what it expands to nobody's business.
    if (sources && message.loc.isMacroID() && isSystem(sources->getSpellingLoc(message.loc)) &&
        !isSystem(sources->getExpansionLoc(message.loc))) {
      message.loc = sources->getExpansionLoc(message.loc);
      message.ranges.clear();
    }
    // What a library's template finds wrong with a tile (std::max) is a mistake of its caller's.
    auto isUsers = [&](const ClangMessage &note) { return note.loc.isValid() && !isSystem(note.loc); };
    if (auto user = llvm::find_if(notes, isUsers); message.ofTiles && isSystem(message.loc) && !isOurs(message.loc) &&
                                                   user != notes.end()) {
      if (!moveTo(user->loc, message))
        return;
      notes.erase(notes.begin(), user + 1);
    }
    if (message.level >= DiagnosticsEngine::Error && hasLastError(message.ranges)) {
      notes.clear();
      return;
    }
    bool ours = isOurs(message.loc);
    bool said = message.id == diag::err_static_assert_failed || message.id == diag::err_static_assert_requirement_failed;
    if (ours && !said && message.level >= DiagnosticsEngine::Error && printedErrors) {
      notes.clear(); // only follows from a mistake that a check has explained
      return;
    }
    bool isError = message.level >= DiagnosticsEngine::Error, isSimt = lang && isSimtMode(*lang);
    // An attribute of tt that there is not is an error (Attributes.cpp).
    if (message.id == diag::warn_unknown_attribute_ignored && getQuoted(message.text).starts_with("tt::")) {
      notes.clear();
      return;
    }
    if (isError && isExplained) {
      notes.clear();
      return;
    }
    if (!isError || ours || !sources || message.loc.isInvalid() || !rewordHabits(message, notes, *sources, isSimt))
      reword(message, notes, isSimt, isOurs, isSystem);
    isExplained |= message.explainsRest;
    // A call of a name that Clang has guessed, and that is not what was meant.
    if (isError && !guessed.empty() && getQuoted(message.text) == guessed) {
      notes.clear();
      return;
    }
    guessed = message.guess;
    if (!message.onceKey.empty() && !saidOnce.insert(message.onceKey).second) {
      notes.clear();
      return;
    }
    if (ours) {
      auto user = llvm::find_if(notes, [&](const ClangMessage &note) { return note.loc.isValid() && !isOurs(note.loc); });
      if (user == notes.end() && printedErrors) {
        notes.clear(); // another check of the function that the last error came from: how it got there is not repeated
        return;
      }
      if (user != notes.end()) {
        if (!moveTo(user->loc, message))
          return;
        notes.erase(user);
      }
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    os.enable_colors(options.ShowColors);
    print(message, os);
    if (message.level >= DiagnosticsEngine::Error)
      lastError = message.loc;
    for (const ClangMessage &note : notes)
      if (!isOurs(note.loc))
        print(note, os);
    showText(text);
    notes.clear();
  }

  /// Takes a message to the user's code that led to it. False: it has been said there, one mistake is found twice.
  bool moveTo(SourceLocation user, ClangMessage &message) {
    if (message.level >= DiagnosticsEngine::Error && std::exchange(lastMoved, user) == user) {
      notes.clear();
      return false;
    }
    message.loc = user;
    message.ranges.clear();
    message.fixIts.clear();
    return true;
  }

  /// Whether an error is about an expression whose part is already known to be wrong: x = expf(x).
  bool hasLastError(llvm::ArrayRef<CharSourceRange> ranges) const {
    return sources && lastError.isValid() && llvm::any_of(ranges, [&](const CharSourceRange &range) {
             SourceLocation at = sources->getFileLoc(lastError), begin = sources->getFileLoc(range.getBegin());
             return range.isValid() && !sources->isBeforeInTranslationUnit(at, begin) &&
                    !sources->isBeforeInTranslationUnit(sources->getFileLoc(range.getEnd()), at);
           });
  }

  void showText(StringRef text) const {
    if (show)
      show(text);
    else
      llvm::errs() << text;
  }

  void print(const ClangMessage &message, llvm::raw_ostream &os) {
    printedErrors += message.level >= DiagnosticsEngine::Error;
    printedWarnings += message.level == DiagnosticsEngine::Warning;
    static const LangOptions defaults;
    TextDiagnostic printer(os, lang ? *lang : defaults, options);
    FullSourceLoc loc = sources && message.loc.isValid() ? FullSourceLoc(message.loc, *sources) : FullSourceLoc();
    printer.emitDiagnostic(loc, message.level, message.text, message.ranges, message.fixIts);
  }

  DiagnosticOptions options;
  std::function<void(StringRef)> show;
  const LangOptions *lang = nullptr;
  const SourceManager *sources = nullptr;
  std::optional<ClangMessage> pending;
  std::vector<ClangMessage> notes;
  SourceLocation lastError; // where the last error was printed
  SourceLocation lastMoved; // where the last error inside a header was printed
  unsigned printedErrors = 0, printedWarnings = 0;
  bool isExplained = false; // all errors that are still to come
  llvm::StringSet<> saidOnce;
  std::string guessed; // by Clang, in the error before
};

} // namespace

std::unique_ptr<DiagnosticConsumer> makeDiagnosticConsumer(DiagnosticOptions &options,
                                                           std::function<void(StringRef)> print) {
  return std::make_unique<UserLineConsumer>(options, std::move(print));
}

//===--- errors of the raise ----------------------------------------------------------------------------------------===//

MLIRErrorsThroughClang::MLIRErrorsThroughClang(mlir::MLIRContext &context, CompilerInstance &compiler,
                                               const FileNames &fileNames)
    : compiler(compiler), fileNames(fileNames), handler(&context, [this](mlir::Diagnostic &d) { return report(d); }) {}

/// What #line directives, such as a preprocessed file's, make that line of `file`.
static SourceLocation findPresumed(SourceManager &sources, StringRef file, unsigned line, unsigned column) {
  LineTableInfo &table = sources.getLineTable();
  for (const auto &[id, entries] : table)
    for (auto [i, entry] : llvm::enumerate(entries)) {
      if (entry.FilenameID < 0 || table.getFilename(entry.FilenameID) != file || entry.LineNo > line)
        continue;
      unsigned physical = sources.getLineNumber(id, entry.FileOffset) + 1 + (line - entry.LineNo);
      if (i + 1 == entries.size() || physical < sources.getLineNumber(id, entries[i + 1].FileOffset))
        return sources.translateLineCol(id, physical, column);
    }
  return SourceLocation();
}

/// The place in the user's code that an MLIR location names: its innermost line.
SourceLocation MLIRErrorsThroughClang::find(mlir::Location loc) {
  return llvm::TypeSwitch<mlir::LocationAttr, SourceLocation>(loc)
      .Case([&](mlir::FileLineColLoc l) {
        StringRef name = fileNames.toSource(l.getFilename());
        unsigned column = std::max(l.getColumn(), 1u);
        SourceManager &sources = compiler.getSourceManager();
        SourceLocation presumed = findPresumed(sources, name, l.getLine(), column);
        auto file = presumed.isValid() ? std::nullopt : compiler.getFileManager().getOptionalFileRef(name);
        return file ? sources.translateFileLineCol(*file, l.getLine(), column) : presumed;
      })
      .Case([&](mlir::CallSiteLoc l) {
        SourceLocation callee = find(l.getCallee());
        return callee.isValid() ? callee : find(l.getCaller());
      })
      .Case([&](mlir::NameLoc l) { return find(l.getChildLoc()); })
      .Case([&](mlir::FusedLoc l) {
        for (mlir::Location part : l.getLocations())
          if (SourceLocation found = find(part); found.isValid())
            return found;
        return SourceLocation();
      })
      .Default([](mlir::LocationAttr) { return SourceLocation(); });
}

/// Where `loc` is and, in a function that was inlined, who called it. Lines of libraries (std::vector's) are left out as
/// long as a line of the user's own is there.
llvm::SmallVector<SourceLocation> MLIRErrorsThroughClang::findCalls(mlir::Location loc) {
  llvm::SmallVector<SourceLocation> calls = {find(loc)};
  while (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc)) {
    loc = call.getCaller();
    if (SourceLocation caller = find(loc); caller.isValid())
      calls.push_back(caller);
  }
  auto isLibrary = [&](SourceLocation l) { return l.isValid() && compiler.getSourceManager().isInSystemHeader(l); };
  if (!llvm::all_of(calls, isLibrary))
    llvm::erase_if(calls, isLibrary);
  return calls;
}

mlir::LogicalResult MLIRErrorsThroughClang::report(mlir::Diagnostic &diagnostic) {
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  llvm::SmallVector<SourceLocation> calls = findCalls(diagnostic.getLocation());
  // A line that calls into a library finds several things there that kernels do not have.
  if (calls.front().isValid() && calls.front() != find(diagnostic.getLocation()) &&
      std::exchange(lastInLibrary, calls.front()) == calls.front())
    return mlir::success();
  auto emit = [&](SourceLocation loc, mlir::Diagnostic &d, DiagnosticsEngine::Level level) {
    diags.Report(loc, diags.getCustomDiagID(level, "%0")) << d.str();
  };
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    emit(calls.front(), diagnostic, DiagnosticsEngine::Error);
    break;
  case mlir::DiagnosticSeverity::Warning:
    emit(calls.front(), diagnostic, DiagnosticsEngine::Warning);
    break;
  default:
    emit(calls.front(), diagnostic, DiagnosticsEngine::Remark);
    break;
  }
  for (SourceLocation caller : llvm::drop_begin(calls))
    diags.Report(caller, diags.getCustomDiagID(DiagnosticsEngine::Note, "called from here"));
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    emit(find(note.getLocation()), note, DiagnosticsEngine::Note);
  return mlir::success();
}

} // namespace tilecc
