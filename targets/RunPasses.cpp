//===- RunPasses.cpp - distinguishes the user's mistakes from compiler bugs ---------------------------------------===//
//
// All back ends use this file. MLIR's pass manager reports invalid IR after a pass in the same way as an error that a
// pass finds in its input. But the former is a bug of tcc, and the latter a mistake of the user.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/RunPasses.h"
#include "compile/Attempt.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tilecc {

namespace {
std::string describe(const Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << diagnostic.getLocation() << ": " << diagnostic.str();
  return text;
}

/// Returns true if the IR is verified after each pass, as in tests. Otherwise it is not, because verification would
/// take a twentieth of the compile time of a kernel that is one long block.
bool verifiesEachPass() {
#ifdef NDEBUG
  return llvm::sys::Process::GetEnv("TILECC_VERIFY_PASSES").has_value();
#else
  return true;
#endif
}

void verifyAfter(const llvm::Twine &passes, Operation *op) {
  std::string problem;
  ScopedDiagnosticHandler handler(op->getContext(), [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
    if (thread != llvm::get_threadid())
      return failure(); // from another target
    problem += describe(diagnostic) + "\n";
    return success();
  });
  if (failed(verify(op)))
    llvm::reportFatalInternalError(passes + " left invalid IR:\n" + problem);
}

class Watch : public PassInstrumentation {
public:
  Watch(PassManager &pm, std::optional<unsigned> reproducedPass, PassListener *listener)
      : pm(pm), reproducedPass(reproducedPass), listener(listener) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    bool isNested = !isa<ModuleOp>(op) || op->getParentOp();
    if (Attempt *attempt = Attempt::current()) {
      attempt->pass = isNested ? attempt->pass : passesBefore;
      attempt->passName = pass->getArgument().empty() ? pass->getName() : pass->getArgument();
    }
    if (listener && isa<ModuleOp>(op)) {
      listener->beforePass(cast<ModuleOp>(op));
      starts.push_back(Clock::now());
    }
    if (isNested)
      return;
    if (passesBefore++ == reproducedPass) {
      auto first = llvm::find_if(pm, [&](Pass &other) { return &other == pass; });
      makeReproducer(pm.getOpAnchorName(), {first, std::next(first)}, op, /*outputFile=*/"-", /*disableThreads=*/true,
                     /*verifyPasses=*/true);
      std::exit(0);
    }
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (verifiesEachPass())
      verifyAfter("the pass " + name(pass), op);
    if (!listener || !isa<ModuleOp>(op))
      return;
    Clock::time_point end = Clock::now();
    Clock::duration time = end - starts.pop_back_val();
    listener->afterPass(name(pass), cast<ModuleOp>(op), time, starts.empty());
    for (Clock::time_point &start : starts) // exclude the listener's time from that of the outer passes
      start += Clock::now() - end;
  }

  void runAfterPassFailed(Pass *pass, Operation *op) override {
    failedPass = name(pass);
    if (listener && isa<ModuleOp>(op))
      starts.pop_back();
  }

  static std::string name(Pass *pass) {
    return (pass->getArgument().empty() ? pass->getName() : pass->getArgument()).str();
  }

  std::string failedPass;

private:
  PassManager &pm;
  std::optional<unsigned> reproducedPass;
  unsigned passesBefore = 0;
  using Clock = std::chrono::steady_clock;
  PassListener *listener;
  SmallVector<Clock::time_point> starts; ///< of the running passes, outermost first
};
} // namespace

LogicalResult runPasses(PassManager &pm, ModuleOp module, std::optional<unsigned> reproducedPass,
                        PassListener *listener) {
  auto watch = std::make_unique<Watch>(pm, reproducedPass, listener);
  Watch &passes = *watch;
  pm.enableVerifier(false); // verification is done here instead
  pm.addInstrumentation(std::move(watch));
  bool hasError = false;
  ScopedDiagnosticHandler handler(module.getContext(), [&, thread = llvm::get_threadid()](Diagnostic &diagnostic) {
    hasError |= thread == llvm::get_threadid() && diagnostic.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // other handlers print it
  });
  LogicalResult result = pm.run(module);
  if (failed(result) && !hasError)
    llvm::reportFatalInternalError("the pass " + llvm::Twine(passes.failedPass) + " failed and did not say why");
  if (succeeded(result) && !verifiesEachPass())
    verifyAfter("one of the passes (TILECC_VERIFY_PASSES=1 in the environment tells which)", module);
  if (Attempt *attempt = Attempt::current())
    attempt->pass = Attempt::noPass;
  return result;
}

} // namespace tilecc
