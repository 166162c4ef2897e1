//===- Programs.cpp - runs external programs and writes files -----------------------------------------------------===//
//
// Implements what steps do outside this process: runs ptxas and other programs, and writes intermediate files and
// outputs.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Programs.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Subprocess.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/magic.h>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

//===--- commands -------------------------------------------------------------------------------------------------===//

/// Quotes one argument for a shell.
static std::string quoted(StringRef arg) {
  bool plain = !arg.empty() && all_of(arg, [](char c) { return isAlnum(c) || StringRef("_@%+=:,./-").contains(c); });
  if (plain)
    return arg.str();
  std::string text = "'";
  for (char c : arg)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string asShellCommand(const Command &command) {
  std::string text = join(map_range(command.args, quoted), " ");
  return command.output.empty() || command.output == "-" ? text : text + " > " + quoted(command.output);
}

//===--- intermediate files ---------------------------------------------------------------------------------------===//

static std::atomic<const char *> temporaryFolder = nullptr;

static std::atomic<const char *> pendingOutput = nullptr;

void removeFileOrFolder(const char *path) {
  int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    ::unlink(path);
    return;
  }
  alignas(8) char buffer[4096]; // filled by the system call, which signal handlers may use
  for (long size; (size = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0;)
    for (long at = 0; at < size;) {
      struct Entry {
        uint64_t inode, offset;
        uint16_t size;
        uint8_t type;
        char name[1];
      } &entry = *reinterpret_cast<Entry *>(buffer + at);
      if (StringRef name = entry.name; name != "." && name != "..")
        ::unlinkat(folder, entry.name, 0);
      at += entry.size;
    }
  ::close(folder);
  ::rmdir(path);
}

void collectTemporaries(MutableArrayRef<char *> paths) {
  for (const char *path : {temporaryFolder.load(), pendingOutput.load()})
    if (path) {
      paths.front() = const_cast<char *>(path);
      paths = paths.drop_front();
    }
}

void removeTemporaries() {
  // A signal may arrive at any time, so a name is cleared only after its file is gone.
  for (std::atomic<const char *> *place : {&temporaryFolder, &pendingOutput})
    if (const char *path = *place) {
      removeFileOrFolder(path);
      *place = nullptr;
    }
}

/// Returns the folder, of mode 0700, that contains all temporary files of this run.
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
  if (dryRun) { // a fixed name, so that printed commands can be pasted
    base.resize(base.size() - 6);
    base += "dryrun";
    printWhole(asShellCommand({{"mkdir", "-p", "-m", "700", base.str().str()}, {}}) + "\n");
  } else if (!mkdtemp(const_cast<char *>(base.c_str()))) { // mode 0700
    Error(*this) << base << ": " << strerror(errno);
    checkpoint();
  } else {
    temporaryFolder = strdup(base.c_str());
  }
  return tempDir = base.str().str();
}

std::string Context::temporaryFile(StringRef name) {
  SmallString<128> path(temporaryDir());
  sys::path::append(path, name);
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

//===--- programs -------------------------------------------------------------------------------------------------===//

/// Captures a program's output in a memory file. This needs no disk space, and dry runs, which also query programs,
/// have no temporary folder.
namespace {
class Capture {
public:
  Capture() : fd(memfd_create("output", MFD_CLOEXEC)) {}
  ~Capture() { ::close(fd); }
  std::string text() const {
    auto file = MemoryBuffer::getOpenFile(fd, "output", /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
    return file ? (*file)->getBuffer().str() : std::string();
  }
  const int fd;
};
} // namespace

bool hasThreadsForOthers() {
  static const bool has = [] {
    rlimit space = {};
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) // each thread needs a stack and a heap
      return false;
    // Limits of the user and the container restrict the number of threads. Try to start as many as a few programs need.
    constexpr size_t wanted = 32;
    std::mutex together;
    together.lock();
    auto waitForOthers = [](void *together) -> void * {
      std::lock_guard waits(*static_cast<std::mutex *>(together));
      return nullptr;
    };
    SmallVector<pthread_t> threads;
    pthread_t thread;
    while (threads.size() < wanted && pthread_create(&thread, nullptr, waitForOthers, &together) == 0)
      threads.push_back(thread);
    together.unlock();
    for (pthread_t each : threads)
      pthread_join(each, nullptr);
    return threads.size() == wanted;
  }();
  return has;
}

std::string outputOf(ArrayRef<std::string> command) {
  Capture output, messages;
  return runToEnd(command, output.fd, messages.fd).succeeded() ? output.text() : std::string();
}

/// Explains a failure that may be due to a full disk. Programs report it in different ways, and do not always mention
/// the disk.
static void reportFullDisk(Context &ctx) {
  constexpr uint64_t little = 64 * 1024; // the failed program may have removed its partial output
  auto space = sys::fs::disk_space(ctx.temporaryDir());
  if (space && space->available < little)
    Error(ctx) << ctx.temporaryDir() << ": the disk of temporary files has " << space->available << " bytes left";
}

struct EarlyProgram::Process {
  explicit Process(ArrayRef<std::string> command) : running(command, printed.fd, printed.fd) {}
  Capture printed;
  Subprocess running;
};

EarlyProgram::EarlyProgram(ArrayRef<std::string> command, int input)
    : process(std::make_unique<Process>(command)), input(input), started(std::chrono::steady_clock::now()) {}

EarlyProgram::~EarlyProgram() {
  process.reset(); // kill it first, or it would read half of its input
  if (input >= 0)
    ::close(input);
}

std::unique_ptr<EarlyProgram> EarlyProgram::start(ArrayRef<std::string> command, StringRef input) {
  int fd = ::open(input.str().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return nullptr;
  // Suppresses the signal that announces another process's open.
  if (fcntl(fd, F_SETLEASE, F_WRLCK) == 0 && fcntl(fd, F_SETOWN, 0) == 0)
    return std::unique_ptr<EarlyProgram>(new EarlyProgram(command, fd));
  ::close(fd);
  return nullptr;
}

bool EarlyProgram::give(StringRef bytes) {
  // When the program opens the file, the kernel breaks the lease after /proc/sys/fs/lease-break-time, 45 s.
  constexpr std::chrono::seconds longest(10);
  if (std::chrono::steady_clock::now() - started > longest)
    return false;
  while (!bytes.empty()) {
    ssize_t written = ::write(input, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR)
      return false;
    bytes = bytes.drop_front(std::max<ssize_t>(written, 0));
  }
  return ::close(std::exchange(input, -1)) == 0; // releases the lease
}

bool runProgram(Context &ctx, ArrayRef<std::string> command, std::string *output, std::string *messages,
                EarlyProgram *early) {
  StringRef program = command[0], name = sys::path::filename(program);
  unsigned minutes = 0;
  auto isStillRunning = [&](pid_t child) {
    Warning(ctx) << name << " (process " << child << ") has been running for " << ++minutes
                 << (minutes == 1 ? " minute" : " minutes");
  };
  // If the early program failed, run it again and report that run's messages.
  if (early && early->process->running.wait(isStillRunning).succeeded()) {
    std::string text = early->process->printed.text();
    if (messages)
      *messages = std::move(text);
    else
      printWhole(text);
    return true;
  }

  Capture printed, result;
  ExitStatus status = runToEnd(command, output ? result.fd : printed.fd, printed.fd, isStillRunning);
  if (messages && status.succeeded())
    *messages = printed.text();
  else
    printWhole(printed.text());
  if (output)
    *output = result.text();

  if (status.error == EAGAIN)
    Error(ctx) << program << ": cannot run it: this user or container may have no more processes (ulimit -u, pids.max)";
  else if (status.error)
    Error(ctx) << program << ": cannot run it: " << strerror(status.error);
  else if (status.signal)
    Error(ctx) << name << " crashed: " << strsignal(status.signal);
  else if (status.code)
    Error(ctx) << name << " failed with exit status " << status.code << " (run with -v to see the command)";
  if (!status.succeeded())
    reportFullDisk(ctx);
  return status.succeeded();
}

//===--- outputs --------------------------------------------------------------------------------------------------===//

static bool isInProcfs(StringRef folder) {
  struct statfs status;
  return statfs(folder.empty() ? "." : folder.str().c_str(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

std::string followLinks(StringRef path) {
  SmallString<256> followed(path);
  constexpr unsigned most = 40; // the kernel's limit; opening the file reports a cycle
  for (unsigned links = 0; links < most; ++links) {
    StringRef folder = sys::path::parent_path(followed);
    char name[PATH_MAX];
    ssize_t size = isInProcfs(folder) ? -1 : ::readlink(followed.c_str(), name, sizeof name);
    if (size < 0)
      break;
    SmallString<256> target(StringRef(name, size));
    if (sys::path::is_relative(target)) {
      SmallString<256> inFolder(folder);
      sys::path::append(inFolder, target);
      target = inFolder;
    }
    followed = target;
  }
  return followed.str().str();
}

PendingOutput::PendingOutput(Context &ctx, StringRef name, unsigned mode) : ctx(ctx), target(followLinks(name)) {
  sys::fs::file_status status;
  bool exists = !sys::fs::status(target, status);
  if (exists && (!sys::fs::is_regular_file(status) || isInProcfs(sys::path::parent_path(target))))
    return;
  if (exists)
    mode = status.permissions();
  // Block signals until the new file is also on the list of files that a signal removes.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  auto created = sys::fs::TempFile::create(target + ".tmp-%%%%%%", exists ? mode : mode & ~sys::fs::getUmask());
  if (created) {
    temp = std::move(*created);
    pendingOutput = temp->TmpName.c_str();
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!created)
    Error(ctx) << target << ": " << toString(created.takeError());
}

PendingOutput::~PendingOutput() {
  if (!temp)
    return;
  pendingOutput = nullptr;
  consumeError(temp->discard());
}

const std::string &PendingOutput::path() const { return temp ? temp->TmpName : target; }

bool PendingOutput::keep() {
  llvm::Error error = temp ? temp->keep(target) : llvm::Error::success();
  pendingOutput = nullptr;
  temp.reset();
  if (!error)
    return true;
  Error(ctx) << target << ": " << toString(std::move(error));
  return false;
}

bool writeOutput(Context &ctx, StringRef path, StringRef bytes) {
  unsigned errorsBefore = ctx.errors;
  std::optional<PendingOutput> pending;
  if (path != "-")
    pending.emplace(ctx, path);
  if (ctx.errors != errorsBefore)
    return false;
  std::error_code error;
  {
    raw_fd_ostream out(pending ? pending->path() : "-", error);
    if (!error) {
      out << bytes;
      out.flush(); // standard output is not closed
      error = out.error();
      out.clear_error();
    }
  }
  if (!error)
    return !pending || pending->keep();
  Error(ctx) << path << ": " << error.message();
  return false;
}

} // namespace tilecc
