//===-- CpuProgram.h - the program that a thread of the CPU device runs ----------------------------------------===//
//
// Records which launch, and which program of it, a thread runs. So an error can name the program, end it, and make the
// launch fail, and the runtime can tell programs that wait from programs that work.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUPROGRAM_H
#define TILECC_RUNTIME_CPUPROGRAM_H

#include "Support.h"
#include "tilecc/runtime.h"

#include <setjmp.h>

namespace tilecc::rt {

// The state that all threads of one launch share.
struct CpuLaunch {
  const char *kernel; // its name
  uint64_t count; // number of programs
  std::atomic<ttError_t> mistake{ttSuccess}; // of the first program that failed; no further program is started
  char words[512]; // the message of that error; written by the thread that set `mistake`
  std::atomic<uint64_t> handedOut{0}; // number of programs handed out to threads
  std::atomic<uint32_t> threads{0}; // number of threads that have programs and are not done
  std::atomic<uint32_t> waiting{0}; // number of threads in programs that wait for other programs
  std::atomic<uint32_t> holding{0}; // number of threads with programs that have not started
  std::atomic<bool> isTold{false}; // it has been reported that programs wait for programs that have not started
};

// The program that a thread runs. The object is on the stack of that thread.
class RunningProgram {
public:
  // `id` is read if there is an error. `last` is the last program of the launch that this thread has been given.
  RunningProgram(CpuLaunch &launch, const uint32_t (&id)[3], uint64_t first, uint64_t last);
  ~RunningProgram();
  RunningProgram(const RunningProgram &) = delete;

  // Ends the program and makes its launch fail, with a message that follows the kernel's name. Does not return; this is
  // possible because a kernel holds no resources.
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

// Returns the object of the calling thread, or null if it runs no program.
RunningProgram *runningProgram();

} // namespace tilecc::rt
#endif
