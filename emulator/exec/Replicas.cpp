//===-- Replicas.cpp -------------------------------------------------------------------------------------------===//
#include "emulator/exec/Replicas.h"
#include "emulator/exec/Program.h"

using namespace tilecc::emu;

static std::string hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void Replicas::compare(Warp &warp, const Inst &inst, Mask lanes, const uint64_t *values, const uint32_t *thread,
                       uint32_t copies, uint32_t threads) {
  uint32_t pc = warp.pc(inst);
  if (threads > warp.block->threads)
    warp.fault(inst, lanes, errorIllegalInstruction, "replicas",
               "replicas of " + std::to_string(threads) + " threads in a block of " +
                   std::to_string(warp.block->threads));
  Comparison &comparison = comparisons[pc];
  comparison.rounds.resize(threads);
  Mask differing = 0;
  Copy other;
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    if (thread[lane] >= threads)
      continue;
    uint64_t index = comparison.rounds[thread[lane]]++ - comparison.first;
    while (comparison.open.size() <= index)
      comparison.open.push_back({0, std::vector<Copy>(threads)});
    Round &round = comparison.open[index];
    ++round.arrived;
    Copy &copy = round.copies[thread[lane] & ~copies];
    if (copy.thread == ~0u) {
      copy = {values[lane], warp.index * warpSize + lane};
    } else if (copy.value != values[lane]) {
      if (!differing)
        other = copy;
      differing |= Mask(1) << lane;
    }
  }
  while (!comparison.open.empty() && comparison.open.front().arrived == threads) {
    comparison.open.pop_front();
    ++comparison.first;
  }
  if (!differing)
    return;
  const Launch &launch = *warp.block->launch;
  Place place = warp.place(inst, differing), there{warp.block->number, other.thread, pc};
  unsigned lane = __builtin_ctz(differing);
  const Reporter &reporter = *launch.reporter;
  launch.reporter->report(
      "replicas", place, "copies of one value differ",
      {reporter.thread(place) + " holds " + hex(values[lane]) + "; lanes that differ: " + hex(differing),
       reporter.thread(there) + " holds " + hex(other.value), "  " + reporter.names().instruction(pc)});
}
