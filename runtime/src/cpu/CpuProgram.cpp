//===-- CpuProgram.cpp - how programs on the CPU device end early -----------------------------------------------===//
//
// A program can end by a signal, by a failed assertion, or because it waits for a program that cannot start. The signal
// handler is installed with the first program, unless the process has its own. It writes one line and then lets the
// signal take its effect.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuProgram.h"
#include "KernelRegistry.h"
#include "cpu/CpuChecks.h"
#include "tilecc/abi.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

using namespace tilecc::rt;

extern char **environ;

static thread_local RunningProgram *running = nullptr;
RunningProgram *tilecc::rt::runningProgram() { return running; }

//===-- Signals ---------------------------------------------------------------------------------------------------===//

static constexpr int signals[] = {SIGSEGV, SIGBUS};
static struct sigaction before[sizeof(signals) / sizeof(*signals)];

static const char *codeAddress(const void *context) {
  const mcontext_t &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<const char *>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const char *>(machine.pc);
#elif defined(__riscv)
  return reinterpret_cast<const char *>(machine.__gregs[REG_PC]);
#endif
}

// Asks addr2line for the source line of an instruction, as sanitizers do, and formats it as "file:line: ". Empty if
// there is no debug information. The process is about to end, so calls that are forbidden in signal handlers do not
// matter.
static void describeLine(char *text, size_t size, const char *code) {
  *text = 0;
  Dl_info object;
  int ends[2];
  if (!dladdr(code, &object) || pipe(ends))
    return;
  auto *base = static_cast<const char *>(object.dli_fbase);
  bool moves = reinterpret_cast<const Elf64_Ehdr *>(base)->e_type == ET_DYN; // addresses in it are relative
  char address[32], line[512];
  snprintf(address, sizeof(address), "%#zx", moves ? size_t(code - base) : reinterpret_cast<size_t>(code));
  // argv[0] may refer to something else by now; libraries have paths.
  char program[64];
  snprintf(program, sizeof(program), "/proc/%d/exe", getpid());
  const char *file = isInMainProgram(code) ? program : object.dli_fname;
  const char *arguments[] = {"addr2line", "-e", file, address, nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child;
  bool started = !posix_spawnp(&child, arguments[0], &actions, nullptr, const_cast<char **>(arguments), environ);
  close(ends[1]);
  if (started) {
    ssize_t length = read(ends[0], line, sizeof(line) - 1);
    line[length > 0 ? length : 0] = 0;
    line[strcspn(line, " \n")] = 0; // drops a trailing (discriminator N)
    if (*line && *line != '?' && !strstr(line, ":?") && !strstr(line, ":0"))
      snprintf(text, size, "%s: ", line);
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
}

static void onSignal(int number, siginfo_t *info, void *context) {
  if (const RunningProgram *program = running) {
    running = nullptr; // in case this fails, too
    static constinit std::atomic<bool> isTold{false};
    while (isTold.exchange(true)) // another thread is reporting, and will end the process
      pause();
    char source[512], place[256], line[1400];
    describeLine(source, sizeof(source), codeAddress(context));
    GuardedRange range;
    if (checksCpuMemory() && findGuardedInHandler(info->si_addr, range))
      describePlace(place, sizeof(place), info->si_addr, range);
    else
      snprintf(place, sizeof(place), "which is not memory of this process%s",
               checksCpuMemory() ? "" : " (TILECC_CPU_CHECKS=1 gives bounds to each allocation)");
    int length = snprintf(line, sizeof(line),
                          "tilecc: %skernel '%s', program [%u, %u, %u]%s on the CPU device: access to %p, %s\n", source,
                          program->launch.kernel, program->id[0], program->id[1], program->id[2],
                          program->isTwo ? " or the next" : "", info->si_addr, place);
    (void)!write(STDERR_FILENO, line, length < int(sizeof(line)) ? length : sizeof(line) - 1);
  }
  // Restore the previous action, which was the default one (see installHandlers). On return, the instruction faults
  // again, and the default action ends the process.
  for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); ++i)
    if (signals[i] == number)
      sigaction(number, &before[i], nullptr);
}

// Keeps handlers that the process has installed itself.
static void installHandlers() {
  struct sigaction handler = {};
  handler.sa_sigaction = onSignal;
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); ++i)
    if (!sigaction(signals[i], nullptr, &before[i]) && !(before[i].sa_flags & SA_SIGINFO) &&
        before[i].sa_handler == SIG_DFL)
      sigaction(signals[i], &handler, nullptr);
}

//===-- Programs --------------------------------------------------------------------------------------------------===//

RunningProgram::RunningProgram(CpuLaunch &launch, const uint32_t (&id)[3], uint64_t first, uint64_t last)
    : launch(launch), id(id), number(first), last(last), outer(running) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, installHandlers);
  launch.handedOut.fetch_add(last - first + 1, std::memory_order_relaxed);
  launch.threads.fetch_add(1, std::memory_order_relaxed);
  running = this;
}

RunningProgram::~RunningProgram() {
  running = outer;
  launch.threads.fetch_sub(1, std::memory_order_relaxed);
}

void RunningProgram::fail(ttError_t error, const char *format, ...) {
  ttError_t none = ttSuccess;
  if (launch.mistake.compare_exchange_strong(none, error)) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(launch.words, sizeof(launch.words), format, arguments);
    va_end(arguments);
  }
  _longjmp(failed, 1);
}

void __tilecc_cpu_assertion_failed(const char *file, uint32_t line, const char *function, const char *message) {
  fprintf(stderr, "%s:%u: %s: program: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, running->id[0],
          running->id[1], running->id[2], message);
  running->fail(ttErrorAssert, "an assertion failed");
}

//===-- Waiting ---------------------------------------------------------------------------------------------------===//

static uint64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ull + now.tv_nsec;
}

// The maximum time that all of a launch's programs may wait; 0: unlimited.
static uint64_t patienceForOthers() {
  static constinit std::atomic<int64_t> known{-1};
  int64_t seconds = known.load(std::memory_order_relaxed);
  if (seconds < 0) {
    const char *text = secure_getenv("TILECC_CPU_WAIT");
    seconds = text && *text ? strtoll(text, nullptr, 0) : 10;
    seconds = seconds < 0 ? 0 : seconds;
    known.store(seconds, std::memory_order_relaxed);
  }
  return seconds * 1000000000ull;
}

// Each thread runs the programs of a launch in order, one after another. If all threads are in programs that wait, and
// some programs have not started, nothing can start them. If all programs have started, only another launch or the host
// can end the wait; this gets more time. In both cases the launch fails in the end.
void RunningProgram::wait(const char *file, uint32_t line) {
  constexpr uint64_t patienceForLater = 1000000000;
  if (launch.mistake.load(std::memory_order_relaxed))
    _longjmp(failed, 1); // the program that this one waits for will not run
  if (!isWaiting) {
    isWaiting = true;
    isHolding = number < last;
    launch.holding.fetch_add(isHolding, std::memory_order_relaxed);
    launch.waiting.fetch_add(1, std::memory_order_relaxed);
  }
  sched_yield();
  bool allWait = launch.waiting.load(std::memory_order_relaxed) == launch.threads.load(std::memory_order_relaxed);
  uint64_t now = allWait ? nanoseconds() : 0;
  if (!allWait || !stuckSince) {
    stuckSince = now;
    return;
  }
  bool forLater =
      launch.handedOut.load(std::memory_order_relaxed) < launch.count || launch.holding.load(std::memory_order_relaxed);
  uint64_t patience = forLater ? patienceForLater : patienceForOthers();
  if (!patience || now - stuckSince < patience)
    return;
  const char *what = forLater ? "waits for a program that has not begun" : "waits for memory that nothing changes";
  if (!launch.isTold.exchange(true, std::memory_order_relaxed)) { // all threads are in programs that could report it
    char why[256];
    if (forLater)
      snprintf(why, sizeof(why),
               "Programs run in order, and all threads are in programs that wait: wait for earlier ones "
               "alone, or launch cooperatively, which begins all at once");
    else
      snprintf(why, sizeof(why),
               "All programs of the launch have begun, and those that have not ended have waited for %llu "
               "seconds; TILECC_CPU_WAIT sets how many, and 0 waits for ever",
               static_cast<unsigned long long>(patience / 1000000000));
    fprintf(stderr, "tilecc: %s:%u: kernel '%s', program [%u, %u, %u] on the CPU device: %s. %s\n", file, line,
            launch.kernel, id[0], id[1], id[2], what, why);
  }
  fail(ttErrorLaunchTimeout, "%s:%u: program [%u, %u, %u] %s", file, line, id[0], id[1], id[2], what);
}

void RunningProgram::waitIsOver() {
  if (!isWaiting)
    return;
  launch.waiting.fetch_sub(1, std::memory_order_relaxed);
  launch.holding.fetch_sub(isHolding, std::memory_order_relaxed);
  isWaiting = false;
  stuckSince = 0;
}

void __tilecc_cpu_wait(const char *file, uint32_t line, uint64_t iteration) {
  constexpr uint64_t spins = 64; // before yielding the processor
  if (iteration >= spins)
    running->wait(file, line);
}
void __tilecc_cpu_wait_over(void) { running->waitIsOver(); }
