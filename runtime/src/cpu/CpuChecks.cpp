//===-- CpuChecks.cpp - words for what kernels do wrong on the CPU device --------------------------------------===//
//
// See the header. The signal's handler is installed with the first program that runs, where the process has none of its
// own; it writes one line and lets the signal do what it does.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuChecks.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace tilecc::rt;

//===-- Allocations with bounds -----------------------------------------------------------------------------------===//

namespace {
constexpr size_t guard = size_t(1) << 30;   // of addresses on either side
constexpr unsigned mostFreed = 256;         // whose addresses are kept

struct Guarded {
  Guarded *next; // owned
  char *memory;  // what the user has
  size_t bytes;
  char *mapping; // with its guards
  size_t mapped;
  bool isFreed;
};
} // namespace

static constinit Mutex guardedLock;
static constinit Guarded *guardedBlocks = nullptr; // the youngest first; under the lock

bool tilecc::rt::checksCpuMemory() {
  static std::atomic<int> known = -1;
  int checks = known.load(std::memory_order_relaxed);
  if (checks < 0) {
    const char *text = getenv("TILECC_CPU_CHECKS");
    checks = text && *text && strcmp(text, "0") && strcmp(text, "none");
    known.store(checks, std::memory_order_relaxed);
  }
  return checks;
}

// Takes the oldest of the freed blocks, if there are too many, out of the list. Under the lock.
static Guarded *retireFreed() {
  unsigned freed = 0;
  Guarded **oldest = nullptr;
  for (Guarded **link = &guardedBlocks; *link; link = &(*link)->next)
    if ((*link)->isFreed) {
      ++freed;
      oldest = link;
    }
  if (freed <= mostFreed)
    return nullptr;
  Guarded *block = *oldest;
  *oldest = block->next;
  return block;
}

void *tilecc::rt::allocateGuarded(size_t bytes) {
  constexpr size_t alignment = 16;
  size_t page = sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page * page, mapped = pages + 2 * guard;
  if (pages < bytes || mapped < pages)
    return nullptr;
  auto *block = static_cast<Guarded *>(malloc(sizeof(Guarded)));
  void *mapping = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!block || mapping == MAP_FAILED ||
      mprotect(static_cast<char *>(mapping) + guard, pages, PROT_READ | PROT_WRITE)) {
    if (mapping != MAP_FAILED)
      munmap(mapping, mapped);
    free(block);
    return nullptr;
  }
  char *memory = static_cast<char *>(mapping) + guard + pages - (bytes + alignment - 1) / alignment * alignment;
  Lock lock(guardedLock);
  *block = {guardedBlocks, memory, bytes, static_cast<char *>(mapping), mapped, false};
  guardedBlocks = block;
  return memory;
}

void tilecc::rt::freeGuarded(void *memory) {
  Guarded *retired = nullptr;
  {
    Lock lock(guardedLock);
    Guarded *block = guardedBlocks;
    while (block && (block->memory != memory || block->isFreed))
      block = block->next;
    if (!block)
      return;
    // Fresh pages without access in place of those that hold the data.
    mmap(block->mapping + guard, block->mapped - 2 * guard, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    block->isFreed = true;
    retired = retireFreed();
  }
  if (retired)
    munmap(retired->mapping, retired->mapped);
  free(retired);
}

//===-- Signals ---------------------------------------------------------------------------------------------------===//

static thread_local RunningProgram *running = nullptr;
static constexpr int signals[] = {SIGSEGV, SIGBUS};
static struct sigaction before[sizeof(signals) / sizeof(*signals)];

// Whose memory an address is nearest to, in words.
static void describeAddress(char *text, size_t size, const char *address) {
  if (checksCpuMemory()) {
    Lock lock(guardedLock);
    for (const Guarded *block = guardedBlocks; block; block = block->next) {
      if (address < block->mapping || address >= block->mapping + block->mapped)
        continue;
      const char *end = block->memory + block->bytes;
      bool isBefore = address < block->memory, isBehind = address >= end;
      size_t distance = isBefore ? block->memory - address : isBehind ? address - end : address - block->memory;
      const char *where = isBefore ? "before" : isBehind ? "behind the end of" : "into";
      snprintf(text, size, "access to %p, %zu bytes %s an allocation of %zu bytes at %p%s",
               static_cast<const void *>(address), distance, where, block->bytes,
               static_cast<const void *>(block->memory), block->isFreed ? " that has been freed" : "");
      return;
    }
  }
  snprintf(text, size, "access to %p, which is no memory of this process%s", static_cast<const void *>(address),
           checksCpuMemory() ? "" : " (TILECC_CPU_CHECKS=1 gives bounds to each allocation)");
}

static void onSignal(int number, siginfo_t *info, void *) {
  if (const RunningProgram *program = running) {
    running = nullptr; // should this fail in turn
    char what[256], line[1024];
    describeAddress(what, sizeof(what), static_cast<const char *>(info->si_addr));
    int length = snprintf(line, sizeof(line), "tilecc: kernel '%s', program [%u, %u, %u] on the CPU device: %s\n",
                          program->kernel, program->id[0], program->id[1], program->id[2], what);
    (void)!write(STDERR_FILENO, line, length < int(sizeof(line)) ? length : sizeof(line) - 1);
  }
  // What it would have done: on return the instruction fails again.
  for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); ++i)
    if (signals[i] == number)
      sigaction(number, &before[i], nullptr);
}

// Where the process handles a signal itself, its own handler stays.
static void installHandlers() {
  struct sigaction handler = {};
  handler.sa_sigaction = onSignal;
  handler.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); ++i)
    if (!sigaction(signals[i], nullptr, &before[i]) && !(before[i].sa_flags & SA_SIGINFO) &&
        before[i].sa_handler == SIG_DFL)
      sigaction(signals[i], &handler, nullptr);
}

RunningProgram::RunningProgram(const char *kernel, const uint32_t (&id)[3]) : kernel(kernel), id(id), outer(running) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, installHandlers);
  running = this;
}
RunningProgram::~RunningProgram() { running = outer; }

//===-- Assertions ------------------------------------------------------------------------------------------------===//

void __tilecc_cpu_assertion_failed(const char *file, uint32_t line, const char *function, const char *message) {
  RunningProgram *program = running;
  fprintf(stderr, "%s:%u: %s: program: [%u,%u,%u] Assertion `%s` failed.\n", file, line, function, program->id[0],
          program->id[1], program->id[2], message);
  _longjmp(program->assertionFailed, 1); // a kernel holds nothing that it would have to give back
}
