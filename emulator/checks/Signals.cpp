//===-- Signals.cpp - words of global memory that threads wait for ---------------------------------------------===//
#include "emulator/checks/Signals.h"

#include <bit>
#include <cstring>

using namespace tilecc::emu;

// A word that has had more values, such as a counter of all programs, forgets the older half.
enum : size_t { maxValues = 1024 };

static uint32_t read(const DeviceMemory &memory, uint64_t address) {
  uint32_t value = 0;
  if (const std::byte *at = memory.backing(address, sizeof value))
    std::memcpy(&value, at, sizeof value);
  return value;
}

void Signals::markAwaited(Word &word, std::vector<Lost> &lost) {
  word.isAwaited = true;
  lost.insert(lost.end(), word.lost.begin(), word.lost.end());
  word.lost.clear();
}

void Signals::write(const Access &access, uint64_t block, uint32_t clock, const std::vector<Release> &releases,
                    const WarpClocks &clocks, const DeviceMemory &memory) {
  if (access.bytes != 4)
    return;
  for (Mask rest = access.lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    uint64_t address = access.address[lane];
    auto same = [&](const Pending &other) { return other.address == address; };
    if (std::any_of(pending.begin(), pending.end(), same)) // lanes that update one word count as one
      continue;
    auto [at, isNew] = words.try_emplace(address);
    Word &word = at->second;
    if (isNew || (word.values.empty() && word.isComplete))
      word.initial = read(memory, address);
    Writer writer{{block, access.warp * 32 + lane, access.pc}, clocks.actor, clock};
    bool isUpdate = access.kind == Access::atomic, isOrdered = true;
    if (!word.values.empty()) {
      const Writer &before = word.values.back().writer;
      isOrdered = clocks.knows(lane, before.actor, before.lane(), before.clock);
    }
    pending.push_back({address, {0, isUpdate, isUpdate && !access.replaces, writer, releases}, isOrdered});
  }
}

void Signals::performed(const DeviceMemory &memory, std::vector<Lost> &lost) {
  for (Pending &write : pending) {
    Word &word = words[write.address];
    write.value.value = read(memory, write.address);
    uint32_t before = word.values.empty() ? word.initial : word.values.back().value;
    if (write.value.isUpdate && write.value.releases.empty() && write.value.value == before)
      continue; // an atomic load
    if (!write.isOrdered && write.value.value != before && !(write.value.isSum && word.values.back().isSum))
      (word.isAwaited ? lost : word.lost).push_back({write.address, word.values.back().writer, write.value.writer});
    word.values.push_back(std::move(write.value));
    if (word.values.size() > maxValues) {
      word.values.erase(word.values.begin(), word.values.begin() + maxValues / 2);
      word.isComplete = false;
    }
  }
  pending.clear();
}

void Signals::awaited(const Access &poll, unsigned lane, uint32_t seen, uint32_t wanted, SyncState &warp,
                      const Scopes &scopes, std::vector<Lost> &lost) {
  Word &word = words[poll.address[lane]];
  markAwaited(word, lost);
  const std::vector<Value> &values = word.values;
  size_t first = values.size();
  while (first > 0 && values[first - 1].value != seen) // it may have changed since
    --first;
  while (first > 0 && suffices(values[first - 1].value, wanted))
    --first;
  if (first == values.size() || (first == 0 && word.isComplete && suffices(word.initial, wanted)))
    return;
  for (size_t i = first + 1; i-- > 0;) {
    for (const Release &release : values[i].releases)
      SyncTable::observe(poll.order, poll.scope, Mask(1) << lane, release, warp, scopes);
    if (!values[i].isUpdate)
      break;
  }
}

std::optional<Place> Signals::lastWriter(uint64_t address) const {
  auto word = words.find(address);
  if (word == words.end() || word->second.values.empty())
    return std::nullopt;
  return word->second.values.back().writer.place;
}
