//===- Subprocess.cpp - programs that end when tcc does -------------------------------------------------------------===//
//
// Under Programs.h. A build that is stopped must leave nothing that still writes: LLVM's functions for programs start them in
// a way that survives this process, so they are started here.
//
//===----------------------------------------------------------------------------------------------------------------===//

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
std::array<std::atomic<pid_t>, 512> running; // 0: the place is free
std::atomic<bool> isStopping = false;
std::atomic<unsigned> starting = 0; // threads that start a program, with every signal blocked
} // namespace

/// Kills a program and what it has started: a ptxas may be a script. In a handler of signals, too.
static void killWithChildren(pid_t pid) {
  kill(pid, SIGSTOP); // it starts nothing more
  char text[4096];
  snprintf(text, sizeof text, "/proc/%d/task/%d/children", pid, pid); // of its first thread; scripts have one
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

/// What the child does before it becomes the program. It shares memory with this process, which waits, and has every signal
/// blocked: a handler of this process' must not run there.
[[noreturn]] static void become(char *const *argv, int out, int err, pid_t parent, const sigset_t &signals, int &error) {
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
  // Where there may be no more processes, one of this process' own that ends makes room.
  constexpr unsigned most = 50;
  auto othersRun = [] { return any_of(running, [](const std::atomic<pid_t> &each) { return each > 0; }); };
  start(argv.data(), standardOutput, standardError);
  for (unsigned tries = 0; startError == EAGAIN && (tries < most || othersRun()); ++tries) {
    usleep(10'000);
    start(argv.data(), standardOutput, standardError);
  }
}

void Subprocess::start(char *const *argv, int standardOutput, int standardError) {
  // Between the start and the entry in the list no signal may come, nor may the list be short of a place.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  volatile int error = 0;
  pid_t parent = getpid();
  place = nullptr;
  ++starting;
  if (isStopping) { // another thread ends this process
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
  ExitStatus status;
  status.error = startError;
  if (child < 0)
    return status;
  constexpr int minute = 60'000;
  pollfd exit{int(syscall(SYS_pidfd_open, child, 0)), POLLIN, 0};
  while (exit.fd >= 0 && isStillRunning) {
    int ready = poll(&exit, 1, minute);
    if (ready == 0)
      isStillRunning(child);
    else if (ready > 0 || errno != EINTR)
      break;
  }
  if (exit.fd >= 0)
    close(exit.fd);
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
