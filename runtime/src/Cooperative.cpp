//===-- Cooperative.cpp - programs that run at the same time ---------------------------------------------------===//
//
// Cooperative launches on the CPU device and the emulator. Their threads exist only during the launch: such kernels are
// rare and long, and a program that waits for others must not block a thread of the pool.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Cooperative.h"

#include <stdlib.h>

using namespace tilecc::rt;

namespace {
struct Team {
  RangeFunction run;
  const void *context; // not owned
  size_t scratchBytes;
  Mutex lock;
  pthread_cond_t change = PTHREAD_COND_INITIALIZER;
  enum { waiting, go, off } signal = waiting; // under the lock
  bool complete = true; // every member has its scratch memory; under the lock
  uint64_t ready = 0; // members that have tried to get it; under the lock
};

struct Member {
  Team *team; // not owned
  uint64_t index;
  pthread_t thread;
};
} // namespace

static void *memberMain(void *argument) {
  Member &member = *static_cast<Member *>(argument);
  Team &team = *member.team;
  void *scratch = nullptr;
  bool complete = !team.scratchBytes || posix_memalign(&scratch, 64, team.scratchBytes) == 0;
  team.lock.lock();
  team.complete &= complete;
  ++team.ready;
  pthread_cond_broadcast(&team.change);
  while (team.signal == Team::waiting)
    pthread_cond_wait(&team.change, &team.lock.mutex);
  bool go = team.signal == Team::go;
  team.lock.unlock();
  if (go)
    team.run(team.context, member.index, member.index + 1, scratch);
  free(scratch);
  return nullptr;
}

bool tilecc::rt::runAtTheSameTime(uint64_t count, size_t scratchBytes, RangeFunction run, const void *context) {
  Team team{run, context, scratchBytes, {}};
  auto *members = static_cast<Member *>(calloc(count, sizeof(Member)));
  if (!members)
    return false;
  uint64_t started = 0;
  for (; started < count; ++started) {
    members[started] = {&team, started, {}};
    if (pthread_create(&members[started].thread, nullptr, memberMain, &members[started]))
      break;
  }
  team.lock.lock();
  while (team.ready < started)
    pthread_cond_wait(&team.change, &team.lock.mutex);
  bool go = team.complete && started == count;
  team.signal = go ? Team::go : Team::off;
  pthread_cond_broadcast(&team.change);
  team.lock.unlock();
  for (uint64_t i = 0; i < started; ++i)
    pthread_join(members[i].thread, nullptr);
  free(members);
  return go;
}
