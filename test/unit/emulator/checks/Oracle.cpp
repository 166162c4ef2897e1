//===-- Oracle.cpp - finds all races of a history by the definitions -------------------------------------------===//
#include "Oracle.h"

using namespace tilecc::emu;
using namespace tilecc::emu::test;

int Oracle::node(const std::vector<int> &after) {
  std::vector<uint64_t> set(ancestors.size() / 64 + 1);
  for (int other : after)
    if (other >= 0)
      for (size_t i = 0; i < ancestors[other].size(); ++i)
        set[i] |= ancestors[other][i];
  set[ancestors.size() / 64] |= 1ull << ancestors.size() % 64;
  ancestors.push_back(std::move(set));
  return ancestors.size() - 1;
}

bool Oracle::before(int a, int b) const {
  return size_t(a) / 64 < ancestors[b].size() && ancestors[b][a / 64] >> a % 64 & 1;
}

std::vector<Oracle::Thread> Oracle::threadsOf(const Event &event) {
  std::vector<Thread> threads;
  for (uint32_t lane = 0; lane < 32; ++lane)
    if (event.lanes >> lane & 1)
      threads.push_back({event.block, event.warp, lane});
  return threads;
}

void Oracle::add(const Event &event, uint32_t number, Scene &scene) {
  events.resize(number + 1, event);
  std::vector<Thread> threads = threadsOf(event);
  std::vector<int> lastOfAll;
  for (Thread thread : threads)
    lastOfAll.push_back(last(thread));
  auto copiesOf = [&](Thread thread) {
    std::vector<int> done;
    for (const Copy &copy : copies)
      if (copy.thread == thread && copy.group <= event.group)
        done.push_back(copy.node);
    return done;
  };
  Mbarrier &object = mbarriers[event.block];
  auto arriveAtObject = [&](const std::vector<int> &nodes) {
    if (object.phase != event.phase) {
      std::vector<int> &old = object.phases[object.phase];
      object.phases[event.phase].insert(object.phases[event.phase].end(), old.begin(), old.end());
      object.phase = event.phase;
    }
    object.phases[event.phase].push_back(node(nodes));
  };
  switch (event.op) {
  case Event::access:
    addAccess(event, number, scene, false);
    if (event.order != Order::weak || event.kind == Access::atomic)
      synchronize(event);
    return;
  case Event::await:
    return; // random histories contain no waits
  case Event::copy: {
    Event read = event;
    read.where = Access::global;
    read.kind = Access::load;
    read.base = event.from;
    addAccess(read, number, scene, true);
    addAccess(event, number, scene, true);
    return;
  }
  case Event::syncWarp: {
    int together = node(lastOfAll);
    for (Thread thread : threads)
      last(thread) = together;
    return;
  }
  case Event::arrive: {
    auto &arrived = barriers[{event.block, event.token}];
    arrived.insert(arrived.end(), lastOfAll.begin(), lastOfAll.end());
    return;
  }
  case Event::pass:
    for (Thread thread : threads)
      step(thread, barriers[{event.block, event.token}]);
    return;
  case Event::fence:
    for (Thread thread : threads) {
      std::vector<int> acquired;
      std::vector<Head> &seen = reads[thread];
      for (const Head &head : seen)
        if (include(event.scope, thread.block, head))
          acquired.push_back(head.node);
      std::erase_if(seen, [&](const Head &head) { return include(event.scope, thread.block, head); });
      step(thread, acquired);
      std::vector<Head> &mine = fences[thread];
      std::erase_if(mine, [&](const Head &head) { return head.scope <= event.scope; });
      mine.push_back({last(thread), event.scope, thread.block});
    }
    return;
  case Event::wait:
    for (Thread thread : threads)
      step(thread, copiesOf(thread));
    return;
  case Event::copiesArrive: {
    std::vector<int> all = lastOfAll;
    for (Thread thread : threads)
      for (int copy : copiesOf(thread))
        all.push_back(copy);
    return arriveAtObject(all);
  }
  case Event::mbarrierArrive:
    return arriveAtObject(lastOfAll);
  case Event::mbarrierPass:
    for (Thread thread : threads)
      step(thread, object.phases[event.phase]);
    return;
  case Event::exit:
  case Event::end:
    return;
  }
}

void Oracle::addAccess(const Event &event, uint32_t number, Scene &scene, bool copy) {
  for (Thread thread : threadsOf(event)) {
    Use use;
    use.event = number;
    use.thread = thread;
    use.async = copy;
    use.kind = event.kind;
    use.writes = event.kind != Access::load;
    use.strong = event.order != Order::weak || event.kind == Access::atomic;
    use.scope = event.scope;
    use.node = node({last(thread)});
    if (copy)
      copies.push_back({thread, event.group, use.node});
    else
      last(thread) = use.node;
    for (uint32_t i = 0; i < event.bytes; ++i) {
      uint64_t address = event.address(thread.lane) + i;
      bool shared = event.where == Access::shared;
      uint64_t value = event.value + thread.lane * event.valueStep;
      bool same = event.op == Event::access && event.kind == Access::store &&
                  uint8_t(value >> i % 8 * 8) == scene.byteAt(event, address);
      Byte &byte = bytes[{shared, shared ? event.block : 0, address}];
      judge(use, byte, same);
      if (same)
        byte.sameValueStores.push_back(byte.uses.size());
      byte.uses.push_back(use);
    }
  }
  // Bytes for which the event's first race has been found are finished.
  for (auto &[where, byte] : bytes)
    if (!byte.raced && !byte.uses.empty() && byte.uses.back().event == number)
      for (const Pair &pair : races)
        if (pair.now.event == number)
          for (const Use &use : byte.uses)
            if (use.node == pair.before.node)
              for (const Use &now : byte.uses)
                byte.raced |= now.node == pair.now.node;
}

bool Oracle::isRace(const Use &a, const Use &b, bool sameValue) const {
  if (a.event == b.event || (!a.writes && !b.writes) || before(a.node, b.node))
    return false;
  if (a.strong && b.strong && (a.thread.block == b.thread.block || std::min(a.scope, b.scope) >= Scope::gpu))
    return false;
  if (sameValue && a.kind == Access::store && !a.async)
    return false;
  return !storedTogether(a, b.thread);
}

// If lanes of one weak store write the same bytes, each of them counts as the writer.
bool Oracle::storedTogether(const Use &use, Thread thread) const {
  const Event &event = events[use.event];
  return use.kind == Access::store && !use.strong && !use.async && use.thread.block == thread.block &&
         use.thread.warp == thread.warp && event.lanes >> thread.lane & 1 &&
         event.address(use.thread.lane) == event.address(thread.lane);
}

// Races.h defines what need not be remembered.
bool Oracle::mayBeForgotten(const Byte &byte, size_t index) const {
  for (size_t store : byte.sameValueStores)
    if (store > index)
      return true;
  const Use &use = byte.uses[index];
  for (size_t i = index + 1; i < byte.uses.size(); ++i) // one of those who did it comes again, for all of them
    if (byte.uses[i].event != use.event && byte.uses[i].thread != use.thread &&
        storedTogether(use, byte.uses[i].thread))
      return true;
  if (!use.strong)
    return false;
  for (size_t i = index + 1; i < byte.uses.size(); ++i) {
    const Use &next = byte.uses[i];
    if (!next.strong || next.event == use.event)
      continue;
    bool ordered = before(use.node, next.node);
    bool replaces = ordered && next.thread.block == use.thread.block && next.scope <= use.scope;
    if (!replaces && (next.writes || (ordered && !use.writes)))
      return true;
  }
  return false;
}

void Oracle::judge(const Use &now, Byte &byte, bool sameValue) {
  std::set<std::pair<uint32_t, uint32_t>> found;
  bool must = false;
  for (size_t i = 0; i < byte.uses.size(); ++i) {
    const Use &other = byte.uses[i];
    if (!isRace(other, now, sameValue))
      continue;
    races.push_back({other, now});
    found.insert({other.event, now.event});
    must |= !mayBeForgotten(byte, i);
  }
  if (must && !sameValue && !byte.raced)
    mustFind.push_back(found);
}

uint32_t Oracle::racingBytes(uint32_t before, Thread beforeThread, uint32_t now, Thread thread) const {
  uint32_t count = 0;
  for (const Pair &pair : races)
    count += pair.before.event == before && pair.before.thread == beforeThread && pair.now.event == now &&
             pair.now.thread == thread;
  return count;
}

// A strong access, after it has been checked. The accesses of its lanes are simultaneous.
void Oracle::synchronize(const Event &event) {
  enum : size_t { remembered = 8 };
  bool shared = event.where == Access::shared;
  bool acquires = event.order == Order::acquire || event.order == Order::acquireRelease;
  bool releases = event.order == Order::release || event.order == Order::acquireRelease;
  std::vector<Thread> threads = threadsOf(event);
  std::set<Word> touched;
  bool overlap = false;
  for (Thread thread : threads)
    for (Thread other : threads) {
      uint64_t a = event.address(thread.lane), b = event.address(other.lane);
      overlap |= thread != other && a < b + event.bytes && b < a + event.bytes;
    }
  for (Thread thread : threads) {
    uint64_t address = event.address(thread.lane);
    for (uint64_t word = address / 4; word <= (address + event.bytes - 1) / 4; ++word)
      touched.insert({shared, shared ? event.block : 0, word});
  }
  auto readAll = [&] {
    std::vector<int> acquired;
    for (const Word &word : touched) {
      std::set<uint32_t> blocks;
      for (const Head &head : words[word])
        blocks.insert(head.block);
      tooManyReleases |= blocks.size() > 1 && event.scope < Scope::gpu;
      for (Head head : words[word]) {
        if (!include(event.scope, event.block, head))
          continue;
        if (acquires) {
          acquired.push_back(head.node);
          continue;
        }
        head.scope = std::min(head.scope, event.scope);
        for (Thread thread : threads) {
          reads[thread].push_back(head);
          tooManyReleases |= reads[thread].size() > remembered;
        }
      }
    }
    for (Thread thread : threads)
      step(thread, acquired);
  };
  if (event.kind != Access::store)
    readAll();
  if (event.kind == Access::load)
    return;
  std::vector<Head> heads;
  if (releases) {
    std::vector<int> all;
    for (Thread thread : threads)
      all.push_back(last(thread));
    heads.push_back({node(all), event.scope, event.block});
  } else {
    for (Thread thread : threads)
      for (Head head : fences[thread]) {
        head.scope = std::min(head.scope, event.scope);
        heads.push_back(head);
      }
  }
  for (const Word &word : touched) {
    if (event.kind == Access::store && event.bytes >= 4)
      words[word].clear();
    words[word].insert(words[word].end(), heads.begin(), heads.end());
    tooManyReleases |= words[word].size() > remembered;
  }
  if (event.kind == Access::atomic && overlap)
    readAll();
}
