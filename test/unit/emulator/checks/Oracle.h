//===-- Oracle.h - finds all races of a history by the definitions ---------------------------------------------===//
//
// The oracle builds the complete happens-before graph, with a node for every lane of every event, and looks up every
// pair of accesses to a byte. Unlike the emulator, it has no clocks and forgets nothing.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_UNIT_EMULATOR_CHECKS_ORACLE_H
#define TILECC_TEST_UNIT_EMULATOR_CHECKS_ORACLE_H

#include "Scene.h"

#include <map>
#include <set>

namespace tilecc::emu::test {

class Oracle {
public:
  struct Thread {
    uint32_t block, warp, lane;
    auto operator<=>(const Thread &) const = default;
  };
  // The access of one lane in an event.
  struct Use {
    uint32_t event;
    Thread thread;
    bool async, writes, strong;
    Access::Kind kind;
    Scope scope;
    int node;
  };
  struct Pair {
    Use before, now;
  };

  // `scene`: with its memory as it is before the event.
  void add(const Event &event, uint32_t number, Scene &scene);

  // Every race: its byte, the location, and the number of common bytes.
  std::vector<Pair> races;
  // Returns whether these lanes of the two events race, and on how many bytes.
  uint32_t racingBytes(uint32_t before, Thread beforeThread, uint32_t now, Thread thread) const;
  // For each byte with a race that must be found, the pairs of events, one of which must be reported.
  std::vector<std::set<std::pair<uint32_t, uint32_t>>> mustFind;
  // More was released at one location than is remembered individually, or it was acquired in a small scope after
  // passing through other blocks: then some races need not be found.
  bool tooManyReleases = false;

private:
  struct Head { // of a release, that may be acquired
    int node;
    Scope scope;
    uint32_t block;
  };
  struct Copy {
    Thread thread;
    uint32_t group;
    int node;
  };
  struct Byte {
    std::vector<Use> uses;
    std::vector<size_t> sameValueStores; // how many uses there were before each
    bool raced = false;
  };
  using Word = std::tuple<bool, uint32_t, uint64_t>; // shared, whose, address

  int node(const std::vector<int> &after);
  bool before(int a, int b) const;
  int &last(Thread thread) { return lasts.try_emplace(thread, -1).first->second; }
  void step(Thread thread, std::vector<int> after) {
    after.push_back(last(thread));
    last(thread) = node(after);
  }
  static bool include(Scope ours, uint32_t block, const Head &head) {
    return block == head.block || std::min(ours, head.scope) >= Scope::gpu;
  }
  void addAccess(const Event &event, uint32_t number, Scene &scene, bool copy);
  void addUse(const Event &event, const Use &use, uint64_t address, const std::vector<uint8_t> &values, Scene &scene);
  void synchronize(const Event &event);
  void judge(const Use &now, Byte &byte, bool sameValue);
  bool isRace(const Use &a, const Use &b, bool sameValue) const;
  bool storedTogether(const Use &use, Thread thread) const;
  bool mayBeForgotten(const Byte &byte, size_t use) const;
  static std::vector<Thread> threadsOf(const Event &event);

  std::vector<std::vector<uint64_t>> ancestors; // of each node, with itself
  std::map<Thread, int> lasts;
  std::map<Word, std::vector<Head>> words;
  std::map<Word, Byte> bytes;
  std::map<Thread, std::vector<Head>> reads, fences;
  std::vector<Copy> copies;
  std::map<std::pair<uint32_t, uint64_t>, std::vector<int>> barriers;
  struct Mbarrier {
    std::vector<int> phases[2];
    uint32_t phase = 0;
  };
  std::map<uint32_t, Mbarrier> mbarriers; // by block
  std::vector<Event> events;
};

} // namespace tilecc::emu::test
#endif
