//===- CrashHandlers.cpp - crash handling and reproducers ---------------------------------------------------------===//
//
// main() installs the handlers. Signal handlers allocate nothing, because the heap may be corrupt.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/CrashHandlers.h"
#include "compile/Attempt.h"
#include "driver/Context.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/Subprocess.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <execinfo.h>
#include <fcntl.h>
#include <new>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

namespace {
char commandLine[8192]; ///< truncated if too long
char codeOptions[256]; ///< options that a reproducer needs in addition to those of the kernel and the target

/// Appends text to a fixed buffer.
class Buffer {
public:
  Buffer(char *begin, size_t size) : begin(begin), at(begin), end(begin + size - 1) { *at = 0; }
  Buffer &operator<<(StringRef text) {
    size_t length = std::min<size_t>(text.size(), end - at);
    memcpy(at, text.data(), length);
    at += length;
    *at = 0;
    return *this;
  }
  Buffer &operator<<(unsigned number) {
    char digits[12], *digit = std::end(digits);
    do
      *--digit = '0' + number % 10;
    while (number /= 10);
    return *this << StringRef(digit, std::end(digits) - digit);
  }
  StringRef str() const { return StringRef(begin, at - begin); }

private:
  char *begin, *at, *end;
};

/// Writes what this thread is compiling to a file in the working folder. Returns an empty name on failure.
StringRef writeReproducer(const Attempt &attempt, Buffer &path) {
  path << "tcc-crash-" << attempt.name << "-" << unsigned(getpid()) << attempt.extension;
  int fd = ::open(path.str().data(), O_CREAT | O_EXCL | O_WRONLY, 0666);
  if (fd < 0)
    return {};
  if (!attempt.comment.empty())
    for (StringRef part :
         {attempt.comment, StringRef(" reproduces a crash of: "), StringRef(commandLine), StringRef("\n")})
      writeAll(fd, part);
  writeAll(fd, attempt.ir);
  ::close(fd);
  return path.str();
}

/// Runs tcc again, in a new process, on `reproducer`, to execute the passes before the one that crashed and to write
/// the IR at that point. Returns an empty name on failure: the file may crash the new process, too.
StringRef writeLocalReproducer(const Attempt &attempt, StringRef reproducer, Buffer &path) {
  char words[1024];
  Buffer command(words, sizeof words);
  command << reproducer << " -t 1 --reproduce-pass=" << attempt.pass;
  path << "tcc-crash-" << attempt.name << "-" << unsigned(getpid()) << "-" << attempt.passName << ".mlir";
  char *arguments[64] = {};
  unsigned count = 0;
  for (char *word = strtok(words, " "); word && count + 1 < std::size(arguments); word = strtok(nullptr, " "))
    arguments[count++] = word;
  pid_t child = fork();
  if (child == 0) {
    alarm(60); // time limit
    int fd = ::open(path.str().data(), O_CREAT | O_EXCL | O_WRONLY, 0666), null = ::open("/dev/null", O_WRONLY);
    if (fd >= 0 && dup2(fd, STDOUT_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0)
      execv("/proc/self/exe", arguments);
    _exit(exitCompilerBug);
  }
  int status = 0;
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return path.str();
  ::unlink(path.str().data());
  return {};
}

/// Lets the first thread that finds a bug report it and end the run. Other threads, which often hit the same bug, wait
/// here until the process ends.
void waitForOthersReport() {
  static std::atomic_flag isReported = ATOMIC_FLAG_INIT;
  static thread_local bool isMine = false;
  if (isMine) // a crash while reporting
    _exit(exitCompilerBug);
  while (isReported.test_and_set())
    pause();
  isMine = true;
}

void reportBug() {
  for (StringRef part :
       {"tcc: this is a bug in tcc, not in your code. Please report it with the text above and:\n  command: ",
        static_cast<const char *>(commandLine), "\n"})
    printWhole(part);
  const Attempt *attempt = Attempt::current();
  if (!attempt)
    return;
  char pathBuffer[512], commandBuffer[1024], localBuffer[512];
  Buffer path(pathBuffer, sizeof pathBuffer), command(commandBuffer, sizeof commandBuffer),
      localPath(localBuffer, sizeof localBuffer);
  StringRef file = writeReproducer(*attempt, path);
  if (file.empty())
    return;
  command << attempt->command << (attempt->takesCodeOptions ? codeOptions : "") << " " << file;
  for (StringRef part : {StringRef("  reproducer: "), file, StringRef(" (run: "), command.str(), StringRef(")\n")})
    printWhole(part);
  if (attempt->pass == Attempt::noPass)
    return;
  for (StringRef part : {StringRef("  in the pass: "), attempt->passName, StringRef("\n")})
    printWhole(part);
  if (StringRef local = writeLocalReproducer(*attempt, command.str(), localPath); !local.empty())
    for (StringRef part :
         {StringRef("  its input: "), local, StringRef(" (run: tcc-opt --run-reproducer "), local, StringRef(")\n")})
      printWhole(part);
}

/// Returns the largest size of the address space (ulimit -v), or 0 if there is no limit.
rlim_t limitOfAddressSpace() {
  rlimit space = {};
  return getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY ? space.rlim_cur : 0;
}

/// Returns true if the address space is limited and almost used up. A stack that cannot grow is a segmentation fault.
bool isAddressSpaceExhausted() {
  constexpr rlim_t rest = 1 << 20;
  rlim_t limit = limitOfAddressSpace();
  char text[32] = {};
  int fd = limit ? ::open("/proc/self/statm", O_RDONLY) : -1;
  if (fd < 0)
    return false;
  bool isRead = ::read(fd, text, sizeof text - 1) > 0;
  ::close(fd);
  return isRead && strtoull(text, nullptr, 10) * sysconf(_SC_PAGESIZE) + rest > limit; // pages in use
}

/// Reports that memory is exhausted, which is neither a bug nor a user's mistake.
[[noreturn]] void endWithoutMemory() {
  waitForOthersReport();
  killPrograms();
  printWhole("tcc: error: out of memory");
  char digits[64];
  if (rlim_t limit = limitOfAddressSpace())
    printWhole((Buffer(digits, sizeof digits) << ": ulimit -v allows " << unsigned(limit >> 20) << " MiB").str());
  printWhole("\n");
  sys::RunInterruptHandlers();
  removeTemporaries();
  _exit(exitUserError);
}

void onSignal(void *) {
  if (isAddressSpaceExhausted())
    endWithoutMemory();
  waitForOthersReport();
  void *frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, std::size(frames)), STDERR_FILENO);
  reportBug();
  removeTemporaries();
  _exit(exitCompilerBug);
}

constexpr char stoppedName[] = "tcc (stopped)"; ///< argv[0] of the process that removes the files of a stopped run
char ownPath[4096];

[[noreturn]] void endBySignal(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  _exit(128 + number);
}

/// Handles a signal that stops the run: removes unfinished files and ends the process by the same signal. Other threads
/// could create files meanwhile, and the only way for a signal handler to end them is exec. So the handler executes
/// this program again, with the names of the files to remove (finishStop).
void onStop(int number) {
  stopPrinting();
  killPrograms();
  sys::RunInterruptHandlers(); // outputs that Clang is writing
  char digits[12];
  Buffer text(digits, sizeof digits);
  text << unsigned(number);
  char name[sizeof stoppedName];
  memcpy(name, stoppedName, sizeof name);
  char *arguments[8] = {name, digits};
  collectTemporaries(MutableArrayRef(arguments).drop_front(2));
  execv(ownPath, arguments);
  removeTemporaries();
  endBySignal(number);
}

void installStopHandlers() {
  for (int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ, SIGPIPE}) {
    struct sigaction action = {}, before;
    action.sa_handler = onStop;
    sigfillset(&action.sa_mask);
    // Leaves ignored signals ignored, as under nohup.
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(number, &action, nullptr);
  }
}

void onFatalError(void *, const char *reason, bool) {
  // LLVM gives up if it cannot start a thread. If the address space is limited, there is no room for the thread's
  // stack.
  if (StringRef(reason).contains("pthread_create failed") && limitOfAddressSpace())
    endWithoutMemory();
  waitForOthersReport();
  for (StringRef part : {"tcc: internal error: ", reason, "\n"})
    printWhole(part);
  reportBug();
  removeTemporaries();
  _exit(exitCompilerBug);
}

void onBadAlloc(void *, const char *, bool) { endWithoutMemory(); }
} // namespace

static std::atomic<const char *> mappedOutput = nullptr;

MappedOutput::MappedOutput(const char *path) { mappedOutput = path; }
MappedOutput::~MappedOutput() { mappedOutput = nullptr; }

static void onBusError(int number, siginfo_t *info, void *) {
  const char *path = mappedOutput;
  if (!path || info->si_code != BUS_ADRERR) {
    onSignal(nullptr);
    endBySignal(number);
  }
  while (stopPrinting())
    pause(); // another thread reports
  for (StringRef part : {StringRef("tcc: error: "), StringRef(path), StringRef(": No space left on device\n")})
    writeAll(STDERR_FILENO, part);
  sys::RunInterruptHandlers();
  removeTemporaries();
  _exit(exitUserError);
}

void finishStop(int argc, char **argv) {
  if (argc < 2 || StringRef(argv[0]) != stoppedName)
    return;
  for (char *path : ArrayRef(argv, argc).drop_front(2))
    removeFileOrFolder(path);
  endBySignal(atoi(argv[1]));
}

void installCrashHandlers(int argc, char **argv) {
  std::string path = sys::fs::getMainExecutable(argv[0], reinterpret_cast<void *>(&installCrashHandlers));
  Buffer(ownPath, sizeof ownPath) << path;
  Buffer command(commandLine, sizeof commandLine);
  for (int i = 0; i < argc; ++i)
    command << (i ? " " : "") << argv[i];
  if (any_of(ArrayRef(argv, argc), [](StringRef arg) { return arg.starts_with("--reproduce-pass="); }))
    return; // this process is making a reproducer
  void *frame;
  backtrace(&frame, 1); // loads its library now, which a handler could not do
  sys::AddSignalHandler(onSignal, nullptr);
  install_fatal_error_handler(onFatalError);
  install_bad_alloc_error_handler(onBadAlloc);
  std::set_new_handler(endWithoutMemory);
  installStopHandlers(); // also replaces LLVM's handlers
  struct sigaction action = {};
  action.sa_sigaction = onBusError;
  action.sa_flags = SA_SIGINFO;
  sigfillset(&action.sa_mask);
  sigaction(SIGBUS, &action, nullptr);
  std::atexit([] { // runs at every exit
    sys::RunInterruptHandlers();
    removeTemporaries();
  });
}

void rememberCodeOptions(const Context &ctx) {
  Buffer options(codeOptions, sizeof codeOptions);
  const FloatOptions &floats = ctx.floats, defaults;
  auto add = [&](StringRef name, bool value, bool normal) {
    if (value != normal)
      options << " " << name << (value ? "=true" : "=false");
  };
  if (floats.fastMath)
    options << " -use_fast_math";
  if (ctx.args.hasArg(tilecc::options::OPT_fcheck_replicas))
    options << " -fcheck-replicas";
  if (ctx.args.hasArg(tilecc::options::OPT_fprofile_tile))
    options << " -fprofile-tile";
  if (ctx.cpuChecks)
    options << " -fsanitize=tile";
  if (ctx.staticShared)
    options << " --static-shared";
  for (const std::string &file : ctx.args.getAllArgValues(tilecc::options::OPT_load_backend_EQ))
    options << " --load-backend=" << file;
  // --static-shared implies tensor maps.
  add("--tensor-maps", ctx.tensorMaps, ctx.staticShared);
  add("-fmad", floats.fmad, defaults.fmad);
  add("-ftz", floats.ftz, floats.fastMath);
  add("-prec-div", floats.precDiv, defaults.precDiv);
  add("-prec-sqrt", floats.precSqrt, defaults.precSqrt);
}

} // namespace tilecc
