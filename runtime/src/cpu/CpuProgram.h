//===-- CpuProgram.h - what a thread of the CPU device runs ----------------------------------------------------===//
//
// A launch, and the program of it that a thread is at: so that a mistake can say whose it is, end the program, and make
// the launch fail; and so that programs which wait can be told from programs that work.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_CPUPROGRAM_H
#define TILECC_RUNTIME_CPUPROGRAM_H

#include "Support.h"
#include "tilecc/runtime.h"

#include <setjmp.h>

namespace tilecc::rt {

// What the threads of one launch share.
struct CpuLaunch {
  const char *kernel; // its name
  uint64_t count;     // of programs
  std::atomic<ttError_t> mistake{ttSuccess}; // of the first program that made one: no other is begun
  char words[512];                           // of it; written by who set `mistake`
  std::atomic<uint64_t> handedOut{0};        // programs, to threads
  std::atomic<uint32_t> threads{0};          // that have been handed some and are not done
  std::atomic<uint32_t> waiting{0};          // of these, in programs that wait for others
  std::atomic<uint32_t> holding{0};          // of these, with programs that they have not begun
  std::atomic<bool> isTold{false};           // that they wait for programs that have not begun
};

// What a thread runs. Lives while it does.
class RunningProgram {
public:
  // `id` is read when something goes wrong; `last` is the last program of the launch that this thread has been handed.
  RunningProgram(CpuLaunch &launch, const uint32_t (&id)[3], uint64_t first, uint64_t last);
  ~RunningProgram();
  RunningProgram(const RunningProgram &) = delete;

  // Ends the program and makes its launch fail, with words behind the kernel's name. Does not return: a kernel holds
  // nothing that it would have to give back.
  [[noreturn]] void fail(ttError_t error, const char *format, ...) __attribute__((format(printf, 3, 4)));
  void wait(const char *file, uint32_t line);
  void waitIsOver();

  CpuLaunch &launch;
  const uint32_t *id;
  uint64_t number; // of the program in its launch; set by who runs it
  bool isTwo = false; // the next program runs with it; set by who runs them
  uint64_t last;
  jmp_buf failed; // set by who makes this; a mistake of the kernel goes there
  RunningProgram *outer;

private:
  bool isWaiting = false, isHolding = false;
  uint64_t stuckSince = 0; // nanoseconds; 0: not stuck
};

// That of this thread, or null.
RunningProgram *runningProgram();

} // namespace tilecc::rt
#endif
