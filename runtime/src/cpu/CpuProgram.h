//===-- CpuProgram.h - the program that a thread of the CPU device runs ----------------------------------------===//
//
// Tracks the launch and the program that a thread runs. An error can thus name the program, end it, and make the launch
// fail, and programs that wait can be distinguished from programs that work.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUPROGRAM_H
#define TILECC_RUNTIME_CPUPROGRAM_H

#include "Support.h"
#include "tilecc/runtime.h"

#include <setjmp.h>

namespace tilecc::rt {

// The state that the threads of one launch share.
struct CpuLaunch {
  const char *kernel; // its name
  uint64_t count; // number of programs
  std::atomic<ttError_t> mistake{ttSuccess}; // of the first program that failed; no further program is started
  char words[512]; // its message; written by the thread that set `mistake`
  std::atomic<uint64_t> handedOut{0}; // number of programs handed out to threads
  std::atomic<uint32_t> threads{0}; // number of threads that have programs and are not done
  std::atomic<uint32_t> waiting{0}; // those in programs that wait for others
  std::atomic<uint32_t> holding{0}; // those with programs that have not started
  std::atomic<bool> isTold{false}; // a thread has reported that they wait for programs that have not started
};

// The program that a thread runs. Lives on that thread.
class RunningProgram {
public:
  // `id` is read on errors; `last` is the last program of the launch that this thread has been given.
  RunningProgram(CpuLaunch &launch, const uint32_t (&id)[3], uint64_t first, uint64_t last);
  ~RunningProgram();
  RunningProgram(const RunningProgram &) = delete;

  // Ends the program and makes its launch fail, with a message after the kernel's name. Does not return: a kernel holds
  // no resources.
  [[noreturn]] void fail(ttError_t error, const char *format, ...) __attribute__((format(printf, 3, 4)));
  void wait(const char *file, uint32_t line);
  void waitIsOver();

  CpuLaunch &launch;
  const uint32_t *id;
  uint64_t number; // index in its launch; set by the thread that runs it
  bool isTwo = false; // the next program runs together with it; set by the thread
  uint64_t last;
  jmp_buf failed; // set by the creator; errors in the kernel jump there
  RunningProgram *outer;

private:
  bool isWaiting = false, isHolding = false;
  uint64_t stuckSince = 0; // nanoseconds; 0: not stuck
};

// The object of this thread, or null.
RunningProgram *runningProgram();

} // namespace tilecc::rt
#endif
