//===- UserDiagnostics.cpp - messages at the user's line ------------------------===//
//
// A tile operation is a template in one of our headers, so Clang reports a misuse of the operation inside that header
// and lists the instantiations that led to it. Users want the message at their own line. Because Clang runs in this
// process, its diagnostic consumer can hold back each error until the notes for the error are known, and print the
// error at the first note's location in the user's code.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/UserDiagnostics.h"
#include "frontend/FollowingErrors.h"
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
  /// Disables carets in `compiler`, so that Clang prints no summary: in CUDA code, it would add "for host" or "for
  /// device". This class counts errors and prints the summary instead.
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
    following.clear();
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
  /// Appends the option that disables the warning, like Clang's own printer.
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
           file.ends_with("tilecc/tt.h") || file.ends_with("tilecc/tune.h") || file.ends_with("tilecc/host.h") ||
           file.ends_with("tilecc/cuda/cuda_tile.h");
  }

  /// Returns true for locations in the headers of tt, and false for those of NVIDIA's language.
  bool inHeadersOfTiles(SourceLocation loc) const {
    return inOurHeaders(loc) && !sources->getFilename(sources->getExpansionLoc(loc)).contains("tilecc/tiles/");
  }

  /// Prints the message that was held back, and its notes.
  void flush() {
    if (!pending)
      return;
    ClangMessage message = std::move(*pending);
    pending.reset();
    auto isOurs = [this](SourceLocation loc) { return inOurHeaders(loc); };
    auto isSystem = [this](SourceLocation loc) { return sources && loc.isValid() && sources->isInSystemHeader(loc); };
    // Report an error in a library macro (assert) at its use, and hide its expansion.
    if (sources && message.loc.isMacroID() && isSystem(sources->getSpellingLoc(message.loc)) &&
        !isSystem(sources->getExpansionLoc(message.loc))) {
      message.loc = sources->getExpansionLoc(message.loc);
      message.ranges.clear();
    }
    // An error in a library template about a tile (std::max) is a mistake of the caller of that template.
    auto isUsers = [&](const ClangMessage &note) { return note.loc.isValid() && !isSystem(note.loc); };
    if (auto user = llvm::find_if(notes, isUsers);
        message.ofTiles && isSystem(message.loc) && !isOurs(message.loc) && user != notes.end()) {
      if (!moveTo(user->loc, message))
        return;
      notes.erase(notes.begin(), user + 1);
    }
    if (message.level >= DiagnosticsEngine::Error && hasLastError(message.ranges)) {
      notes.clear();
      return;
    }
    bool ours = isOurs(message.loc);
    bool said =
        message.id == diag::err_static_assert_failed || message.id == diag::err_static_assert_requirement_failed;
    if (ours && !said && message.level >= DiagnosticsEngine::Error && printedErrors) {
      notes.clear(); // the error follows from a mistake that a check has explained
      return;
    }
    bool isError = message.level >= DiagnosticsEngine::Error, isSimt = lang && isSimtMode(*lang);
    // Report an unknown attribute of tt as an error (Attributes.cpp).
    if (message.id == diag::warn_unknown_attribute_ignored && getQuoted(message.text).starts_with("tt::")) {
      notes.clear();
      return;
    }
    if (isError && isExplained) {
      notes.clear();
      return;
    }
    bool inUsersText = sources && message.loc.isValid() && !ours;
    if (inUsersText && following.include(message, *sources)) {
      notes.clear();
      return;
    }
    if (!isError || !inUsersText ||
        !((!isSimt && rewordSyntax(message, notes, *sources)) || rewordHabits(message, notes, *sources, isSimt)))
      reword(message, notes, isSimt, isOurs, isSystem);
    isExplained |= message.explainsRest;
    // If a function of the other side is called, each instantiation of a template and each part of an expression
    // reports it.
    if (message.id == diag::err_ref_bad_target && message.onceKey.empty() && inUsersText)
      message.onceKey = lineKeyOf(message.loc);
    // Drop an error about a call of a name that Clang wrongly guessed.
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
      auto user =
          llvm::find_if(notes, [&](const ClangMessage &note) { return note.loc.isValid() && !isOurs(note.loc); });
      if (user == notes.end() && printedErrors) {
        notes.clear(); // another check in the function of the last error: do not repeat the call chain
        return;
      }
      if (user != notes.end()) {
        if (!moveTo(user->loc, message))
          return;
        notes.erase(user);
        if (isError && following.include(message, *sources)) {
          notes.clear();
          return;
        }
        message.isExplained |= said;
      }
    }
    std::string text;
    llvm::raw_string_ostream os(text);
    os.enable_colors(options.ShowColors);
    print(message, os);
    if (message.level >= DiagnosticsEngine::Error) {
      lastError = message.loc;
      if (sources && message.loc.isValid())
        following.add(message, *sources, message.isExplained);
    }
    for (const ClangMessage &note : notes)
      if (!isOurs(note.loc))
        print(note, os);
    showText(text);
    notes.clear();
  }

  /// Moves a message to the line of the user's code that led to it. Returns false if the same mistake has been reported
  /// at that line.
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

  std::string lineKeyOf(SourceLocation loc) const {
    PresumedLoc presumed = sources->getPresumedLoc(sources->getExpansionLoc(loc));
    return presumed.isValid() ? presumed.getFilename() + (":" + std::to_string(presumed.getLine())) : std::string();
  }

  /// Returns true if a part of the expression is already known to be wrong, as in x = expf(x).
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
  bool isExplained = false; // suppresses all further errors
  llvm::StringSet<> saidOnce;
  FollowingErrors following;
  std::string guessed; // by Clang, in the previous error
};

} // namespace

std::unique_ptr<DiagnosticConsumer> makeDiagnosticConsumer(DiagnosticOptions &options,
                                                           std::function<void(StringRef)> print) {
  return std::make_unique<UserLineConsumer>(options, std::move(print));
}

//===--- errors of the raise --------------------------------------------------------------------------------------===//

MLIRErrorsThroughClang::MLIRErrorsThroughClang(mlir::MLIRContext &context, CompilerInstance &compiler,
                                               const FileNames &fileNames)
    : compiler(compiler), fileNames(fileNames), handler(&context, [this](mlir::Diagnostic &d) { return report(d); }) {}

/// Returns the location to which #line directives, for example in a preprocessed file, map that line of `file`.
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

/// Returns the location in the user's code of the innermost line of an MLIR location.
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

/// Returns the location of `loc` and, if its function was inlined, of its callers. Omits lines of libraries
/// (std::vector) if there is a line of the user.
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
  // Report one error per line that calls into a library, which may use several things that kernels do not support.
  if (calls.front().isValid() && calls.front() != find(diagnostic.getLocation()) &&
      std::exchange(lastInLibrary, calls.front()) == calls.front())
    return mlir::success();
  auto emit = [&](SourceLocation loc, mlir::Diagnostic &d, DiagnosticsEngine::Level level) {
    diags.Report(loc, diags.getCustomDiagID(level, "%0")) << d.str();
  };
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Error: emit(calls.front(), diagnostic, DiagnosticsEngine::Error); break;
  case mlir::DiagnosticSeverity::Warning: emit(calls.front(), diagnostic, DiagnosticsEngine::Warning); break;
  default: emit(calls.front(), diagnostic, DiagnosticsEngine::Remark); break;
  }
  for (SourceLocation caller : llvm::drop_begin(calls))
    diags.Report(caller, diags.getCustomDiagID(DiagnosticsEngine::Note, "called from here"));
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    emit(find(note.getLocation()), note, DiagnosticsEngine::Note);
  return mlir::success();
}

} // namespace tilecc
