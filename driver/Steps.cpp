//===- Steps.cpp - external programs, intermediate files, outputs ---------------------------------------------------===//

#include "driver/Steps.h"
#include "driver/Context.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <cstdlib>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

//===--- intermediate files -----------------------------------------------------------------------------------------===//

// The folder to remove however the run ends, but by SIGKILL.
static std::string dirToRemove;

void removeTemporaries() {
  if (!dirToRemove.empty())
    sys::fs::remove_directories(dirToRemove);
}

static void onInterrupt() {
  removeTemporaries();
  _exit(130); // as a shell reports an interrupted program
}

std::string Context::intermediate(StringRef stem, StringRef suffix) {
  SmallString<128> path;
  if (keep) {
    path = keepDir;
  } else {
    std::lock_guard lock(tempMutex);
    if (tempDir.empty()) {
      SmallString<128> base;
      sys::path::system_temp_directory(/*ErasedOnReboot=*/true, base);
      sys::path::append(base, "tcc-XXXXXX");
      if (dryRun) { // a fixed name, so that the printed commands can be pasted
        base.resize(base.size() - 6);
        base += "dryrun";
        printStep(*this, {"mkdir", "-p", "-m", "700", base.str().str()});
      } else if (!mkdtemp(const_cast<char *>(base.c_str()))) { // mode 0700
        Error(*this) << base << ": " << strerror(errno);
        checkpoint();
      } else {
        dirToRemove = base.str().str();
        sys::SetInterruptFunction(onInterrupt);
        std::atexit(removeTemporaries);
      }
      tempDir = base.str().str();
    }
    path = tempDir;
  }
  sys::path::append(path, stem + suffix);
  return path.str().str();
}

//===--- programs ---------------------------------------------------------------------------------------------------===//

/// One argument as a shell reads it back.
static std::string quoted(StringRef arg) {
  bool plain = !arg.empty() && all_of(arg, [](char c) { return isAlnum(c) || StringRef("_@%+=:,./-").contains(c); });
  if (plain)
    return arg.str();
  std::string text = "'";
  for (char c : arg)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

void printStep(Context &ctx, ArrayRef<std::string> command) {
  if (ctx.dryRun || ctx.verbose)
    printWhole(join(map_range(command, quoted), " ") + "\n");
}

namespace {
/// A file that a program writes to and tcc reads afterwards.
class Capture {
public:
  bool open() {
    int fd;
    if (sys::fs::createTemporaryFile("tcc", "log", fd, path))
      return false;
    ::close(fd);
    return true;
  }
  ~Capture() {
    if (!path.empty())
      sys::fs::remove(path);
  }
  std::string read() const {
    auto file = MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : std::string();
  }
  SmallString<128> path;
};
} // namespace

/// Runs a command; what it prints is collected, so that steps that run side by side do not mix their lines. Standard
/// output is the result if `output` is given. What else it prints is relayed, unless it succeeds and `messages` is given.
static bool run(Context &ctx, ArrayRef<std::string> command, std::string *output, std::string *messages) {
  printStep(ctx, command);
  if (ctx.dryRun)
    return true;
  StringRef program = command[0], name = sys::path::filename(program);
  Timed timed(ctx, name.str());
  Capture printed, result;
  if (!printed.open() || (output && !result.open())) {
    Error(ctx) << "cannot create a temporary file: " << strerror(errno);
    return false;
  }
  SmallVector<StringRef> argv(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(output ? result.path : printed.path),
                                          StringRef(printed.path)};
  std::string why;
  bool failedToRun = false;
  int status = sys::ExecuteAndWait(program, argv, std::nullopt, redirects, 0, 0, &why, &failedToRun);
  if (messages && status == 0)
    *messages = printed.read();
  else
    printWhole(printed.read());
  if (output)
    *output = result.read();

  if (failedToRun)
    Error(ctx) << program << ": cannot run it: " << why;
  else if (status < 0)
    Error(ctx) << name << " crashed" << (why.empty() ? "" : ": " + why);
  else if (status > 0)
    Error(ctx) << name << " failed with exit status " << status << " (run with -v to see the command)";
  return !failedToRun && status == 0;
}

bool runStep(Context &ctx, ArrayRef<std::string> command) { return run(ctx, command, nullptr, nullptr); }

bool runStepForOutput(Context &ctx, ArrayRef<std::string> command, std::string &output) {
  return run(ctx, command, &output, nullptr);
}

bool runStepForMessages(Context &ctx, ArrayRef<std::string> command, std::string &messages) {
  return run(ctx, command, nullptr, &messages);
}

//===--- outputs ----------------------------------------------------------------------------------------------------===//

bool writeOutput(Context &ctx, StringRef path, StringRef bytes) {
  auto fail = [&](const Twine &why) {
    Error(ctx) << path << ": " << why.str();
    return false;
  };
  if (path == "-") {
    outs() << bytes;
    outs().flush();
    return outs().has_error() ? fail(outs().error().message()) : true;
  }
  sys::fs::file_status status;
  bool exists = !sys::fs::status(path, status);
  if (exists && !sys::fs::is_regular_file(status)) {
    std::error_code error;
    raw_fd_ostream out(path, error);
    if (!error) {
      out << bytes;
      out.close();
      error = out.error();
      out.clear_error();
    }
    return error ? fail(error.message()) : true;
  }
  unsigned mode = exists ? status.permissions() : unsigned(sys::fs::all_read | sys::fs::all_write) & ~sys::fs::getUmask();
  auto temp = sys::fs::TempFile::create(path + ".tmp-%%%%%%", mode);
  if (!temp)
    return fail(toString(temp.takeError()));
  raw_fd_ostream out(temp->FD, /*shouldClose=*/false);
  out << bytes;
  out.flush();
  if (std::error_code error = out.error()) {
    out.clear_error();
    consumeError(temp->discard());
    return fail(error.message());
  }
  if (llvm::Error error = temp->keep(path))
    return fail(toString(std::move(error)));
  return true;
}

//===--- times ------------------------------------------------------------------------------------------------------===//

Timed::Timed(Context &ctx, std::string what)
    : ctx(ctx), what(std::move(what)), start(std::chrono::steady_clock::now()) {}

Timed::~Timed() {
  if (!ctx.time)
    return;
  double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  printWhole(formatv("{0,9:F2} ms  {1}\n", ms, what).str());
}

} // namespace tilecc
