//===-- Profile.cpp - counts of a block, and their sum ---------------------------------------------------------===//
#include "emulator/profile/Profile.h"

#include <algorithm>
#include <iterator>

using namespace tilecc::emu;

constexpr uint64_t sectorBytes = 32;
// Timelines are kept only for this many launches and this many blocks of each, and with this many waits per warp and in
// total. Everything else is only counted.
constexpr uint64_t maxLaunches = 4, maxBlocks = 8;
constexpr size_t maxWaits = 4096, maxKeptWaits = 1 << 16;

//===-- A block ------------------------------------------------------------------------------------------------===//

BlockProfile::BlockProfile(KernelProfile &kernel, uint64_t number, uint32_t warpCount)
    : kernel(kernel), counts(kernel.counts.size()) {
  std::lock_guard guard(kernel.lock); // another launch of the kernel may begin
  keepsTimeline = number < maxBlocks && kernel.launches <= maxLaunches && kernel.keptWaits < maxKeptWaits;
  const uint64_t rest = number / kernel.grid[0];
  timeline = {kernel.launches,
              {uint32_t(number % kernel.grid[0]), uint32_t(rest % kernel.grid[1]), uint32_t(rest / kernel.grid[1])},
              std::vector<WarpTimeline>(warpCount)};
}

BlockProfile::~BlockProfile() {
  std::lock_guard guard(kernel.lock);
  for (size_t pc = 0; pc < counts.size(); ++pc)
    for (const CountMember &member : countMembers)
      kernel.counts[pc].*member.count += counts[pc].*member.count;
  if (kernel.warpSums.size() < warps.size())
    kernel.warpSums.resize(warps.size());
  for (size_t i = 0; i < warps.size(); ++i) {
    WarpSum &sum = kernel.warpSums[i];
    ++sum.blocks;
    sum.steps += warps[i].now;
    sum.waited += warps[i].waited;
    kernel.keptWaits += warps[i].waits.size();
  }
  if (keepsTimeline)
    kernel.timelines.push_back(std::move(timeline));
}

// Returns the number of different values in a range, which is reordered.
static size_t countDifferent(uint64_t *begin, uint64_t *end) {
  std::sort(begin, end);
  return std::unique(begin, end) - begin;
}

void BlockProfile::accessGlobal(uint32_t pc, uint32_t lanes, const uint64_t *addresses, uint32_t bytes) {
  uint64_t sectors[32 * 2]; // an access of 32 bytes or less is in two sectors at most
  if (bytes > sectorBytes) { // rare: count each lane by itself
    for (; lanes; lanes &= lanes - 1)
      copyGlobal(pc, addresses[__builtin_ctz(lanes)], bytes);
    return;
  }
  InstructionCounts &count = counts[pc];
  count.bytes += uint64_t(__builtin_popcount(lanes)) * bytes;
  uint64_t *end = sectors;
  for (; lanes; lanes &= lanes - 1) {
    uint64_t address = addresses[__builtin_ctz(lanes)];
    *end++ = address / sectorBytes;
    *end++ = (address + bytes - 1) / sectorBytes;
  }
  count.sectors += countDifferent(sectors, end);
}

void BlockProfile::copyGlobal(uint32_t pc, uint64_t address, uint32_t bytes) {
  if (!bytes)
    return;
  counts[pc].bytes += bytes;
  counts[pc].sectors += (address + bytes - 1) / sectorBytes - address / sectorBytes + 1;
}

// Counts wavefronts. A wavefront accesses one word of 4 bytes in each of 32 banks. Lanes that access the same word
// share it. Half warps execute accesses of 8 bytes together, and quarters those of 16 bytes.
void BlockProfile::accessShared(uint32_t pc, uint32_t lanes, const uint64_t *addresses, uint32_t bytes) {
  enum : uint32_t { banks = 32, wordBytes = 4 };
  InstructionCounts &count = counts[pc];
  uint32_t words = std::max<uint32_t>(1, bytes / wordBytes), together = std::max(1u, banks / words);
  for (uint32_t first = 0; first < 32; first += together) {
    uint64_t accessed[banks * 2];
    uint64_t *end = accessed;
    for (uint32_t lane = first; lane < std::min(32u, first + together); ++lane)
      if (lanes >> lane & 1)
        for (uint32_t word = 0; word < words; ++word)
          *end++ = addresses[lane] / wordBytes + word;
    if (end == accessed)
      continue;
    uint32_t perBank[banks] = {}, most = 0;
    end = accessed + countDifferent(accessed, end);
    for (uint64_t *word = accessed; word != end; ++word)
      most = std::max(most, ++perBank[*word % banks]);
    count.wavefronts += most;
    count.conflicts += most - 1;
  }
}

void BlockProfile::wait(uint32_t warp, uint32_t pc, uint64_t begin, uint64_t end, bool polls) {
  WarpTimeline &own = warps[warp];
  end = std::max(begin, end);
  own.now = polls ? end : std::max(own.now, end);
  if (begin == end)
    return;
  ++counts[pc].waits;
  counts[pc].waited += end - begin;
  own.waited += end - begin;
  if (keepsTimeline && own.waits.size() < maxWaits)
    own.waits.push_back({begin, end, pc});
}

//===-- A kernel -----------------------------------------------------------------------------------------------===//

KernelProfile::KernelProfile(std::string symbol, std::string name, std::string ptx, std::string target,
                             std::vector<Instruction> instructions)
    : symbol(std::move(symbol)), name(std::move(name)), ptx(std::move(ptx)), target(std::move(target)),
      instructions(std::move(instructions)), counts(this->instructions.size()) {}

void KernelProfile::begin(const uint32_t (&newGrid)[3], const uint32_t (&newBlock)[3],
                          const uint32_t (&newCluster)[3]) {
  std::lock_guard guard(lock);
  ++launches;
  std::copy(std::begin(newGrid), std::end(newGrid), grid);
  std::copy(std::begin(newBlock), std::end(newBlock), block);
  std::copy(std::begin(newCluster), std::end(newCluster), cluster);
}

void KernelProfile::addFinding(const Place &place, const std::string &text) {
  std::lock_guard guard(lock);
  bool isKnown = std::any_of(findings.begin(), findings.end(),
                             [&](const Finding &finding) { return finding.pc == place.pc && finding.text == text; });
  if (!isKnown) // each launch reports it again
    findings.push_back({place.pc, text});
}
