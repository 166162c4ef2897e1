//===- Subprocess.cpp - programs that end when tcc does -----------------------------------------------------------===//
//
// The basis of Programs.h. A build that is stopped must not leave programs behind that still write. LLVM's functions
// start programs that survive this process, so this file starts them itself.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/Subprocess.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace tilecc {

namespace {
constexpr pid_t reserved = -1;
std::array<std::atomic<pid_t>, 512> running; // 0: a free slot
std::atomic<bool> isStopping = false;
std::atomic<unsigned> starting = 0; // threads that are starting a program, with all signals blocked
} // namespace

/// Kills a program and its children, because ptxas may be a script. Async-signal-safe.
static void killWithChildren(pid_t pid) {
  kill(pid, SIGSTOP); // prevents it from starting more children
  char text[4096];
  snprintf(text, sizeof text, "/proc/%d/task/%d/children", pid, pid); // children of its first thread; scripts have one
  int file = ::open(text, O_RDONLY | O_CLOEXEC);
  ssize_t size = file >= 0 ? ::read(file, text, sizeof text - 1) : 0;
  ::close(file);
  text[std::max<ssize_t>(size, 0)] = 0;
  char *rest = text;
  for (char *at = text; long started = strtol(at, &rest, 10); at = rest)
    killWithChildren(started);
  kill(pid, SIGKILL);
}

void killPrograms() {
  isStopping = true;
  while (starting)
    sched_yield();
  for (std::atomic<pid_t> &place : running)
    if (pid_t child = place.exchange(0); child > 0) {
      killWithChildren(child);
      waitpid(child, nullptr, 0);
    }
}

/// Runs in the child before it executes the program. The child shares memory with this process, which waits, and has
/// all signals blocked: this process's signal handlers must not run in it.
[[noreturn]] static void become(char *const *argv, int out, int err, pid_t parent, const sigset_t &signals,
                                int &error) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN && action.sa_handler != SIG_DFL)
      signal(number, SIG_DFL);
  }
  sigprocmask(SIG_SETMASK, &signals, nullptr);
  if ((out < 0 || dup2(out, STDOUT_FILENO) >= 0) && (err < 0 || dup2(err, STDERR_FILENO) >= 0) && getppid() == parent)
    execv(argv[0], argv);
  error = errno;
  _exit(127);
}

Subprocess::Subprocess(ArrayRef<std::string> command, int standardOutput, int standardError) {
  SmallVector<char *> argv;
  for (const std::string &word : command)
    argv.push_back(const_cast<char *>(word.c_str()));
  argv.push_back(nullptr);
  // If the process limit is reached, wait for one of this process's own children to end.
  constexpr unsigned most = 50;
  auto othersRun = [] { return any_of(running, [](const std::atomic<pid_t> &each) { return each > 0; }); };
  start(argv.data(), standardOutput, standardError);
  for (unsigned tries = 0; startError == EAGAIN && (tries < most || othersRun()); ++tries) {
    usleep(10'000);
    start(argv.data(), standardOutput, standardError);
  }
}

void Subprocess::start(char *const *argv, int standardOutput, int standardError) {
  // Block signals between the start and the entry in the list, and make sure that the list has a free slot.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  volatile int error = 0;
  pid_t parent = getpid();
  place = nullptr;
  ++starting;
  if (isStopping) { // another thread is ending this process
    --starting;
    for (;;)
      pause();
  }
  for (std::atomic<pid_t> &each : running)
    if (pid_t isFree = 0; !place && each.compare_exchange_strong(isFree, reserved))
      place = &each;
  child = place ? vfork() : -1;
  if (child == 0)
    become(argv, standardOutput, standardError, parent, before, const_cast<int &>(error));
  startError = child < 0 ? (place ? errno : EAGAIN) : error;
  if (place)
    *place = std::max(child, 0);
  --starting;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Subprocess::~Subprocess() {
  if (child < 0)
    return;
  killWithChildren(child);
  wait();
}

ExitStatus Subprocess::wait(function_ref<void(pid_t)> isStillRunning) {
  constexpr int minute = 60'000;
  for (;;) {
    if (std::optional<ExitStatus> status = waitFor(isStillRunning ? minute : -1))
      return *status;
    isStillRunning(child);
  }
}

std::optional<ExitStatus> Subprocess::waitFor(int milliseconds) {
  ExitStatus status;
  status.error = startError;
  if (child < 0)
    return status;
  pollfd exit{int(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  if (exit.fd >= 0) { // otherwise waitpid() waits without limit
    int ready;
    while ((ready = poll(&exit, 1, milliseconds)) < 0 && errno == EINTR)
      ;
    close(exit.fd);
    if (ready == 0)
      return std::nullopt;
  }
  int result = 0;
  while (waitpid(child, &result, 0) < 0 && errno == EINTR)
    ;
  *place = 0;
  child = -1;
  if (WIFSIGNALED(result))
    status.signal = WTERMSIG(result);
  else if (!status.error)
    status.code = WEXITSTATUS(result);
  return status;
}

ExitStatus runToEnd(ArrayRef<std::string> command, int standardOutput, int standardError,
                    function_ref<void(pid_t)> isStillRunning) {
  return Subprocess(command, standardOutput, standardError).wait(isStillRunning);
}

} // namespace tilecc
