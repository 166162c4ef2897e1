//===-- CpuProfile.cpp - times inside kernels on the CPU device -------------------------------------------------===//
//
// Scopes are collected by thread, so that measuring one does not wait for the trace's lock. They appear in the row of
// the thread that ran the program.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "cpu/CpuProfile.h"
#include "cpu/CpuProgram.h"
#include "Trace.h"
#include "Watch.h"

#include <stdio.h>
#include <string.h>

using namespace tilecc::rt;

namespace {
struct ScopeTime {
  const tilecc_cpu_scope *scope;
  uint64_t begin, end;
  uint32_t program[3];
};

struct Times {
  enum : unsigned { room = 1024, maxDepth = 64 };
  ScopeTime done[room];
  unsigned count;
  struct {
    const tilecc_cpu_scope *scope;
    uint64_t begin;
  } open[maxDepth];
  unsigned depth;
};
} // namespace

static thread_local Times times;

void tilecc::rt::writeCpuScopes() {
  for (unsigned i = 0; i < times.count; ++i) {
    const ScopeTime &time = times.done[i];
    char file[192], details[320];
    snprintf(details, sizeof(details), "\"program\":\"%u, %u, %u\",\"file\":\"%s\",\"line\":%u", time.program[0],
             time.program[1], time.program[2], escapeForTrace(time.scope->file, file, sizeof(file)), time.scope->line);
    traceEvent("scope", time.scope->name, time.begin, time.end, details);
  }
  times.count = times.depth = 0; // a program that failed has left scopes open
}

void __tilecc_cpu_record(const tilecc_cpu_scope *scope, uint32_t isEnd) {
  const RunningProgram *program = runningProgram();
  if (!(watching.load(std::memory_order_relaxed) & watchProfile) || !program)
    return;
  if (!isEnd) {
    if (times.depth < Times::maxDepth)
      times.open[times.depth] = {scope, traceNanoseconds()};
    ++times.depth;
    return;
  }
  const uint64_t end = traceNanoseconds();
  if (times.depth == 0 || --times.depth >= Times::maxDepth)
    return;
  if (times.count == Times::room) {
    const unsigned depth = times.depth;
    writeCpuScopes();
    times.depth = depth;
  }
  ScopeTime &time = times.done[times.count++];
  const auto &open = times.open[times.depth]; // the end of a scope is on another line
  time = {open.scope, open.begin, end, {}};
  memcpy(time.program, program->id, sizeof(time.program));
}
