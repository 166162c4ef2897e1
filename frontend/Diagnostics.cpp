//===- Diagnostics.cpp - messages at the user's line --------------------------------------------------------------===//
//
// A tile operation is a template in a header of ours, so Clang reports a mistake in its use inside that header and lists
// how it got there. Users want the message at their own line. Since Clang runs in this process, its consumer can hold
// each error back until the notes that follow it are known, and print it where the first of them is in the user's code.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/Diagnostics.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/TextDiagnostic.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace tilecc {
namespace {

class UserLineConsumer : public DiagnosticConsumer {
public:
  explicit UserLineConsumer(DiagnosticOptions &options) : options(options) {}
  ~UserLineConsumer() override { flush(); }

  void BeginSourceFile(const LangOptions &lang, const Preprocessor *) override { this->lang = &lang; }
  void EndSourceFile() override {
    flush();
    lang = nullptr;
  }
  void finish() override { flush(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override {
    DiagnosticConsumer::HandleDiagnostic(level, info);
    if (info.hasSourceManager())
      sources = &info.getSourceManager();
    if (level != DiagnosticsEngine::Note)
      flush();
    Message &message = pending.emplace_back();
    message.level = level;
    message.id = info.getID();
    message.loc = info.getLocation();
    info.FormatDiagnostic(message.text);
    message.ranges.append(info.getRanges().begin(), info.getRanges().end());
    message.fixIts.append(info.getFixItHints().begin(), info.getFixItHints().end());
  }

private:
  struct Message {
    DiagnosticsEngine::Level level;
    unsigned id;
    SourceLocation loc;
    llvm::SmallString<128> text;
    llvm::SmallVector<CharSourceRange, 4> ranges;
    llvm::SmallVector<FixItHint, 2> fixIts;
  };

  bool inOurHeaders(SourceLocation loc) const {
    if (loc.isInvalid() || !sources)
      return false;
    StringRef file = sources->getFilename(sources->getExpansionLoc(loc));
    return file.contains("tilecc/detail/") || file.ends_with("tilecc/tt.h");
  }

  /// Prints the diagnostic in `pending` with its notes.
  void flush() {
    if (pending.empty())
      return;
    size_t moved = 0; // the note whose place the diagnostic takes
    if (inOurHeaders(pending[0].loc)) {
      for (size_t i = 1; i < pending.size() && !moved; ++i)
        if (pending[i].loc.isValid() && !inOurHeaders(pending[i].loc))
          moved = i;
      if (moved) {
        pending[0].loc = pending[moved].loc;
        pending[0].ranges.clear();
        pending[0].fixIts.clear();
      }
    }
    print(pending[0]);
    for (size_t i = 1; i < pending.size(); ++i)
      if (i != moved && !inOurHeaders(pending[i].loc))
        print(pending[i]);
    pending.clear();
  }

  void print(const Message &message) {
    static const LangOptions defaults;
    TextDiagnostic printer(llvm::errs(), lang ? *lang : defaults, options);
    FullSourceLoc loc = sources && message.loc.isValid() ? FullSourceLoc(message.loc, *sources) : FullSourceLoc();
    printer.emitDiagnostic(loc, message.level, message.text, message.ranges, message.fixIts);
  }

  DiagnosticOptions &options;
  const LangOptions *lang = nullptr;
  const SourceManager *sources = nullptr;
  std::vector<Message> pending;
};

} // namespace

std::unique_ptr<DiagnosticConsumer> makeDiagnosticConsumer(DiagnosticOptions &options) {
  return std::make_unique<UserLineConsumer>(options);
}

//===--- errors of the raise ----------------------------------------------------------------------------------------===//

MLIRErrorsThroughClang::MLIRErrorsThroughClang(mlir::MLIRContext &context, CompilerInstance &compiler)
    : compiler(compiler), handler(&context, [this](mlir::Diagnostic &d) { return report(d); }) {}

/// The place in the user's code that an MLIR location names: its innermost line.
SourceLocation MLIRErrorsThroughClang::find(mlir::Location loc) {
  return llvm::TypeSwitch<mlir::LocationAttr, SourceLocation>(loc)
      .Case([&](mlir::FileLineColLoc l) {
        auto file = compiler.getFileManager().getOptionalFileRef(l.getFilename());
        return file ? compiler.getSourceManager().translateFileLineCol(*file, l.getLine(),
                                                                       std::max(l.getColumn(), 1u))
                    : SourceLocation();
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

mlir::LogicalResult MLIRErrorsThroughClang::report(mlir::Diagnostic &diagnostic) {
  DiagnosticsEngine &diags = compiler.getDiagnostics();
  auto emit = [&](mlir::Diagnostic &d, DiagnosticsEngine::Level level) {
    diags.Report(find(d.getLocation()), diags.getCustomDiagID(level, "%0")) << d.str();
  };
  switch (diagnostic.getSeverity()) {
  case mlir::DiagnosticSeverity::Error:
    emit(diagnostic, DiagnosticsEngine::Error);
    break;
  case mlir::DiagnosticSeverity::Warning:
    emit(diagnostic, DiagnosticsEngine::Warning);
    break;
  default:
    emit(diagnostic, DiagnosticsEngine::Remark);
    break;
  }
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    emit(note, DiagnosticsEngine::Note);
  return mlir::success();
}

} // namespace tilecc
