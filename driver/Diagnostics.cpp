//===- Diagnostics.cpp - messages, crash handling, reproducers ------------------------------------------------------===//

#include "driver/Diagnostics.h"
#include "driver/Context.h"
#include "driver/Steps.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <unistd.h>

using namespace llvm;

namespace tilecc {

void printWhole(StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0)
      return;
    text = text.drop_front(written);
  }
}

Message::~Message() {
  stream << '\n';
  printWhole(text);
}

Error::Error(Context &ctx) : Message("error") { ++ctx.errors; }

void Context::checkpoint() {
  if (errors)
    std::exit(exitUserError); // a handler of exit removes temporaries
}

//===--- crashes ----------------------------------------------------------------------------------------------------===//

namespace {
std::string commandLine;
thread_local std::string reproducerName, reproducerIR;

void reportBug() {
  static std::atomic_flag reported = ATOMIC_FLAG_INIT;
  if (reported.test_and_set())
    return;
  std::string text = "tcc: this is a bug in tcc, not in your code. Please report it with the text above and:\n"
                     "  command: " + commandLine + "\n";
  if (!reproducerIR.empty()) {
    SmallString<128> path;
    int fd;
    if (!sys::fs::createUniqueFile("tcc-crash-" + reproducerName + "-%%%%%%.ttir", fd, path)) {
      raw_fd_ostream file(fd, /*shouldClose=*/true);
      file << "// reproduces a crash of: " << commandLine << "\n" << reproducerIR;
      text += "  reproducer: " + path.str().str() + " (run: tcc --emit=ptx " + path.str().str() + ")\n";
    }
  }
  printWhole(text);
}

void onSignal(void *) {
  reportBug();
  removeTemporaries();
  _exit(exitCompilerBug);
}

void onFatalError(void *, const char *reason, bool) {
  printWhole(std::string("tcc: internal error: ") + reason + "\n");
  reportBug();
  removeTemporaries();
  _exit(exitCompilerBug);
}
} // namespace

void installCrashHandlers(int argc, char **argv) {
  raw_string_ostream stream(commandLine);
  for (int i = 0; i < argc; ++i) {
    if (i)
      stream << ' ';
    sys::printArg(stream, argv[i], /*Quote=*/false);
  }
  sys::PrintStackTraceOnErrorSignal(argv[0], /*DisableCrashReporting=*/true);
  sys::AddSignalHandler(onSignal, nullptr);
  install_fatal_error_handler(onFatalError);
}

CrashReproducer::CrashReproducer(StringRef what, std::string ir) {
  reproducerName.clear();
  for (char c : what)
    reproducerName += isAlnum(c) ? c : '_';
  reproducerIR = std::move(ir);
}

CrashReproducer::~CrashReproducer() { reproducerIR.clear(); }

} // namespace tilecc
