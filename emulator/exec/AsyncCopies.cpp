//===-- AsyncCopies.cpp ----------------------------------------------------------------------------------------===//
#include "emulator/exec/AsyncCopies.h"
#include "emulator/exec/Mbarrier.h"

#include <cstring>

using namespace tilecc::emu;

void AsyncCopies::commit(Mask lanes) {
  for (; lanes; lanes &= lanes - 1)
    ++committed[__builtin_ctz(lanes)];
}

void AsyncCopies::wait(Mask lanes, uint32_t groups) {
  // The queue is in order of issue, so the copies to perform are a prefix.
  size_t needed = 0;
  for (size_t i = 0; i < queue.size(); ++i)
    for (Mask rest = queue[i].lanes & lanes; rest; rest &= rest - 1)
      if (unsigned lane = __builtin_ctz(rest); queue[i].group[lane] + groups <= committed[lane])
        needed = i + 1;
  for (; needed; --needed)
    step();
}

void AsyncCopies::waitAll() {
  while (pending())
    step();
}

void AsyncCopies::step(uint32_t) {
  const Copy &copy = queue.front();
  for (Mask rest = copy.lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    if (copy.block) {
      arriveAtMbarrier(*copy.block, copy.mbarrier[lane], {}, copy.issued[lane]);
      continue;
    }
    if (copy.read[lane])
      std::memcpy(copy.to[lane], copy.from[lane], copy.read[lane]);
    std::memset(copy.to[lane] + copy.read[lane], 0, copy.bytes - copy.read[lane]);
  }
  queue.pop_front();
}
