//===-- RandomHistoryTest.cpp - compares races of random histories with the definitions ------------------------===//
//
// Every reported race must be a race by the definitions, and every race must be reported unless Races.h allows the
// checks to forget it. TILECC_TEST_SEED and TILECC_TEST_COUNT select other histories and their number.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Oracle.h"

#include <gtest/gtest.h>
#include <random>

using namespace tilecc::emu;
using namespace tilecc::emu::test;

namespace {

struct Shape {
  const char *name;
  uint32_t blocks, warps, events;
  bool wide;        // all lanes rather than a few
  uint32_t room;    // bytes of each memory that are accessed
  uint32_t quiet;   // of 100 events, how many are synchronization
  uint32_t strong;  // of 100 accesses
};

class Generator {
public:
  Generator(const Shape &shape, uint64_t seed) : shape(shape), random(seed) {}

  // The next event, or several that belong together.
  std::vector<Event> next() {
    Event event;
    event.block = below(shape.blocks);
    event.warp = below(shape.warps);
    event.lanes = mask();
    if (below(100) >= shape.quiet)
      return {access(event)};
    switch (below(12)) {
    case 0: case 1:
      event.op = Event::syncWarp;
      if (below(2))
        event.lanes = everyone();
      return {event};
    case 2: case 3: case 4:
      return barrier(event);
    case 5: case 6:
      event.op = Event::fence;
      event.scope = below(3) ? Scope::gpu : Scope::cta;
      if (below(2))
        event.lanes = everyone();
      return {event};
    case 7: {
      event.op = Event::mbarrierArrive;
      event.phase = phases[event.block];
      if (below(4) == 0)
        phases[event.block] ^= 1;
      return {event};
    }
    case 8:
      event.op = Event::mbarrierPass;
      event.phase = below(2);
      return {event};
    case 9:
      event.op = below(2) ? Event::wait : Event::copiesArrive;
      event.group = below(group(event)) + 1;
      event.phase = phases[event.block];
      // The next copy is in another group than the one that has been waited for.
      if (event.group == group(event))
        ++group(event);
      return {event};
    default: {
      event.op = Event::copy;
      event.kind = Access::store;
      event.bytes = 4u << below(3);
      event.stride = event.bytes;
      event.base = below(shape.room / event.bytes) * event.bytes;
      event.from = below(shape.room / event.bytes) * event.bytes;
      event.group = group(event);
      return {event};
    }
    }
  }

private:
  uint32_t below(uint32_t end) { return random() % end; }
  uint32_t &group(const Event &event) { return groups.try_emplace({event.block, event.warp}, 1).first->second; }
  Mask everyone() const { return shape.wide ? ~Mask(0) : Mask(0x8000000f); }
  Mask mask() {
    switch (below(4)) {
    case 0:
      return everyone();
    case 1:
      return shape.wide ? ~Mask(0) << below(32) : Mask(1) << below(4);
    case 2:
      return shape.wide ? everyone() : Mask(1) << below(4);
    default:
      Mask some = random() & everyone();
      return some ? some : Mask(1);
    }
  }

  Event access(Event event) {
    event.op = Event::access;
    event.where = below(3) ? Access::shared : Access::global;
    uint32_t kind = below(10);
    event.kind = kind < 4 ? Access::load : Access::store;
    event.bytes = 1u << below(5);
    if (below(2))
      event.bytes = 4;
    if (below(100) < shape.strong) {
      static constexpr Order loads[] = {Order::relaxed, Order::acquire}, stores[] = {Order::relaxed, Order::release};
      event.order = event.kind == Access::load ? loads[below(2)] : stores[below(2)];
      event.scope = below(4) ? Scope::gpu : Scope::cta;
      if (below(2)) {
        event.kind = Access::atomic;
        event.order = Order(1 + below(4));
      }
    }
    uint32_t places = shape.room / event.bytes;
    event.base = below(places) * event.bytes;
    static constexpr int64_t strides[] = {1, 1, 1, 1, 0, 2, 3, -1};
    event.stride = strides[below(8)] * event.bytes;
    if (event.stride < 0)
      event.base += 31 * event.bytes;
    if (below(5) == 0)
      for (unsigned lane = 0; lane < 32; ++lane)
        event.addresses.push_back(below(places) * event.bytes);
    static constexpr uint64_t values[] = {0x0101010101010101, 0x0202020202020202, 0xeeeeeeeeeeeeeeee,
                                          0x0101020201010202};
    event.value = values[below(4)];
    return event;
  }

  // Some warps, or parts of them, synchronize; some only arrive.
  std::vector<Event> barrier(Event event) {
    std::vector<Event> arrivals, passes;
    ++token;
    for (uint32_t warp = 0; warp < shape.warps; ++warp) {
      if (below(4) == 0)
        continue;
      event.op = Event::arrive;
      event.warp = warp;
      event.token = token;
      event.lanes = below(3) ? everyone() : mask();
      arrivals.push_back(event);
      event.op = Event::pass;
      if (below(5))
        passes.push_back(event);
    }
    arrivals.insert(arrivals.end(), passes.begin(), passes.end());
    return arrivals;
  }

  Shape shape;
  std::mt19937_64 random;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> groups;
  std::map<uint32_t, uint32_t> phases;
  uint64_t token = 0;
};

// The contents of a finding.
struct Told {
  uint32_t before, now;
  Oracle::Thread beforeThread, thread;
  uint32_t bytes;
};

Told read(const std::string &text) {
  auto number = [&](const char *word, size_t from) {
    return atoi(text.c_str() + text.find(word, from) + strlen(word));
  };
  auto threadAt = [&](size_t from, uint32_t block) {
    uint32_t thread = number("thread (", from);
    return Oracle::Thread{block, thread / 32, thread % 32};
  };
  Told told;
  uint32_t block = number("block (", 0);
  size_t mine = text.find('\n'), instruction = text.find("\n    #"), other = instruction + 1;
  other = text.find('\n', other);
  size_t otherEnd = text.find('\n', other + 1);
  told.now = number("\n    #", 0);
  told.before = number("\n    #", other);
  told.thread = threadAt(mine, block);
  size_t of = text.find(" of block (", other);
  told.beforeThread = threadAt(other, of < otherEnd ? number(" of block (", other) : block);
  size_t some = text.find(" of them at", other);
  told.bytes = 1;
  if (some < otherEnd)
    told.bytes = atoi(text.c_str() + text.rfind(' ', some - 1));
  return told;
}

std::ostream &operator<<(std::ostream &out, const Event &event) {
  static const char *const ops[] = {"access", "copy", "sync", "arrive", "pass", "fence", "wait", "copiesArrive",
                                    "mbarrierArrive", "mbarrierPass", "exit"};
  out << ops[event.op] << " block " << event.block << " warp " << event.warp << " lanes " << std::hex << event.lanes
      << std::dec;
  if (event.op == Event::access || event.op == Event::copy)
    out << " kind " << int(event.kind) << " where " << int(event.where) << " base " << event.base << " stride "
        << event.stride << " bytes " << event.bytes << " order " << int(event.order) << " value " << std::hex
        << event.value << std::dec << " from " << event.from << " group " << event.group;
  for (uint64_t address : event.addresses)
    out << " " << address;
  return out << " scope " << int(event.scope) << " token " << event.token << " phase " << event.phase;
}

struct Totals {
  uint32_t histories = 0, racy = 0, reported = 0, must = 0;
};

void check(const Shape &shape, uint64_t seed, Totals &totals) {
  Generator generator(shape, seed);
  LaunchChecker::Options options;
  options.initialized = false;
  Scene scene(options, shape.blocks, shape.warps);
  scene.fill(0xee);
  Oracle oracle;
  std::vector<Event> events;
  while (events.size() < shape.events)
    for (const Event &event : generator.next())
      events.push_back(event);
  for (size_t i = 0; i < events.size(); ++i) {
    oracle.add(events[i], i, scene);
    scene.run(events[i], i);
  }

  auto tellHistory = [&] {
    std::string text = std::string(shape.name) + ", seed " + std::to_string(seed) + "\n";
    for (size_t i = 0; i < events.size(); ++i) {
      std::ostringstream line;
      line << "#" << i << " " << events[i] << "\n";
      text += line.str();
    }
    return text;
  };
  std::set<std::pair<uint32_t, uint32_t>> reported;
  for (const std::string &text : scene.findings) {
    Told told = read(text);
    reported.insert({told.before, told.now});
    ASSERT_GE(oracle.racingBytes(told.before, told.beforeThread, told.now, told.thread), told.bytes)
        << "no race: " << text << tellHistory();
  }
  ++totals.histories;
  totals.racy += !oracle.races.empty();
  totals.reported += reported.size();
  if (oracle.tooManyReleases || shape.blocks > 2)
    return;
  totals.must += oracle.mustFind.size();
  for (const auto &pairs : oracle.mustFind) {
    bool found = false;
    for (const auto &pair : pairs)
      found |= reported.count(pair) != 0;
    ASSERT_TRUE(found) << "missed: #" << pairs.begin()->first << " and #" << pairs.begin()->second << "\n"
                       << scene.text()
                       << tellHistory();
  }
}

class RandomHistories : public testing::TestWithParam<Shape> {};

TEST_P(RandomHistories, AreJudgedByTheDefinitions) {
  uint64_t seed = getenv("TILECC_TEST_SEED") ? strtoull(getenv("TILECC_TEST_SEED"), nullptr, 10) : 1;
  uint64_t count = getenv("TILECC_TEST_COUNT") ? strtoull(getenv("TILECC_TEST_COUNT"), nullptr, 10) : 60;
  Totals totals;
  for (uint64_t i = 0; i < count && !HasFatalFailure(); ++i)
    check(GetParam(), seed + i, totals);
  // The test is only useful if some histories have races and some have none.
  EXPECT_GT(totals.reported, 0u);
  EXPECT_GT(totals.racy, totals.histories / 4);
  if (GetParam().blocks <= 2) {
    EXPECT_GT(totals.must, 0u);
  }
  RecordProperty("reported", int(totals.reported));
  RecordProperty("must", int(totals.must));
}

INSTANTIATE_TEST_SUITE_P(Races, RandomHistories,
                         testing::Values(Shape{"Narrow", 1, 2, 30, false, 32, 40, 20},
                                         Shape{"NarrowQuiet", 1, 3, 60, false, 48, 75, 30},
                                         Shape{"NarrowStrong", 2, 2, 40, false, 24, 50, 70},
                                         Shape{"Lanes", 1, 1, 40, false, 32, 50, 10},
                                         Shape{"Wide", 1, 2, 16, true, 256, 60, 20},
                                         Shape{"WideStrong", 2, 2, 20, true, 512, 60, 60},
                                         Shape{"Blocks", 4, 1, 60, false, 32, 30, 30},
                                         Shape{"ManyReaders", 4, 3, 150, false, 200, 20, 10}),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
