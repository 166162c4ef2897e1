//===- Programs.cpp - external programs, intermediate files, outputs ------------------------------------------------===//
//
// What actions do outside of this process: run ptxas and its neighbours, and write files.
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "driver/Programs.h"
#include "driver/Actions.h"
#include "driver/Context.h"
#include "driver/Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

//===--- intermediate files -----------------------------------------------------------------------------------------===//

namespace {
/// A file or the folder to remove. Signal handlers walk the list, so its nodes are never freed.
struct Temporary {
  const char *path;
  const Temporary *next;
};
std::atomic<const Temporary *> temporaryFiles = nullptr;
std::atomic<const char *> temporaryFolder = nullptr;
} // namespace

static void removeLater(StringRef path) {
  auto *node = new Temporary{strdup(path.str().c_str()), temporaryFiles.load()};
  while (!temporaryFiles.compare_exchange_weak(node->next, node))
    ;
}

void removeTemporaries() {
  const char *folder = temporaryFolder.exchange(nullptr);
  if (!folder)
    return;
  for (const Temporary *file = temporaryFiles; file; file = file->next)
    ::unlink(file->path);
  ::rmdir(folder);
}

static void onInterrupt() {
  removeTemporaries();
  _exit(130); // as a shell reports an interrupted program
}

/// The folder with mode 0700 that every file of this run lies in.
const std::string &Context::temporaryDir() {
  std::lock_guard lock(tempMutex);
  if (!tempDir.empty())
    return tempDir;
  SmallString<128> base;
  if (args.hasArg(options::OPT_objtemp) && !output.empty() && stage == Stage::Object)
    base = sys::path::parent_path(output);
  else
    sys::path::system_temp_directory(/*ErasedOnReboot=*/true, base);
  sys::path::append(base, "tcc-XXXXXX");
  if (dryRun) { // a fixed name, so that the printed commands can be pasted
    base.resize(base.size() - 6);
    base += "dryrun";
    printWhole(asShellCommand({{"mkdir", "-p", "-m", "700", base.str().str()}, {}}) + "\n");
  } else if (!mkdtemp(const_cast<char *>(base.c_str()))) { // mode 0700
    Error(*this) << base << ": " << strerror(errno);
    checkpoint();
  } else {
    temporaryFolder = strdup(base.c_str());
    sys::SetInterruptFunction(onInterrupt);
    std::atexit(removeTemporaries);
  }
  return tempDir = base.str().str();
}

std::string Context::temporaryFile(StringRef name) {
  SmallString<128> path(temporaryDir());
  sys::path::append(path, name);
  if (!dryRun)
    removeLater(path);
  return path.str().str();
}

std::string Context::intermediate(const Input &input, StringRef suffix) {
  std::string name = (input.stem + suffix).str();
  if (!keep)
    return temporaryFile(name);
  SmallString<128> path(keepDir);
  sys::path::append(path, name);
  return path.str().str();
}

std::string readFile(Context &ctx, StringRef path) {
  auto file = MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (file)
    return (*file)->getBuffer().str();
  Error(ctx) << path << ": " << file.getError().message();
  return {};
}

//===--- programs ---------------------------------------------------------------------------------------------------===//

bool runProgram(Context &ctx, ArrayRef<std::string> command, std::string *output, std::string *messages) {
  StringRef program = command[0], name = sys::path::filename(program);
  static std::atomic<unsigned> number = 0;
  std::string stem = "captured-" + std::to_string(number++);
  std::string printed = ctx.temporaryFile(stem + ".log"), result = output ? ctx.temporaryFile(stem + ".out") : printed;
  SmallVector<StringRef> argv(command.begin(), command.end());
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(result), StringRef(printed)};
  std::string why;
  bool failedToRun = false;
  int status = sys::ExecuteAndWait(program, argv, std::nullopt, redirects, 0, 0, &why, &failedToRun);
  auto captured = [](StringRef path) {
    auto file = MemoryBuffer::getFile(path);
    return file ? (*file)->getBuffer().str() : std::string();
  };
  if (messages && status == 0)
    *messages = captured(printed);
  else
    printWhole(captured(printed));
  if (output)
    *output = captured(result);

  if (failedToRun)
    Error(ctx) << program << ": cannot run it: " << why;
  else if (status < 0)
    Error(ctx) << name << " crashed" << (why.empty() ? "" : ": " + why);
  else if (status > 0)
    Error(ctx) << name << " failed with exit status " << status << " (run with -v to see the command)";
  return !failedToRun && status == 0;
}

std::string outputOf(ArrayRef<StringRef> command) {
  int fd = memfd_create("output", MFD_CLOEXEC);
  // The program opens it by this process' number: its own table of files has no such entry.
  std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(fd);
  int status = sys::ExecuteAndWait(command.front(), command, std::nullopt, {StringRef(), StringRef(path), StringRef()});
  auto file = MemoryBuffer::getFile(path);
  std::string text = status == 0 && file ? (*file)->getBuffer().str() : std::string();
  ::close(fd);
  return text;
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

} // namespace tilecc
