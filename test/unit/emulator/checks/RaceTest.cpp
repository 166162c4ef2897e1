//===-- RaceTest.cpp - tests histories with and without races --------------------------------------------------===//
#include "Scene.h"

#include <gtest/gtest.h>

using namespace tilecc::emu;
using namespace tilecc::emu::test;
using E = Event;

namespace {

struct History {
  const char *name;
  std::vector<Event> events;
  const char *pair = ""; // "a b": the later event a races with b; empty: no race
};

void PrintTo(const History &history, std::ostream *out) { *out << history.name; }

// All warps of block 0 arrive at a barrier and pass.
std::vector<Event> barrier(uint64_t token, std::vector<uint32_t> warps) {
  std::vector<Event> events;
  for (uint32_t warp : warps)
    events.push_back(E::arriveAt(warp, token));
  for (uint32_t warp : warps)
    events.push_back(E::passAt(warp, token));
  return events;
}

std::vector<Event> operator+(std::vector<Event> a, const std::vector<Event> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr Mask one = 1, two = 2;
constexpr int64_t together = 0; // all lanes at one address

const History histories[] = {
    // Warps of a block.
    {"ReadAfterWriteOfAnotherWarp", {E::store(0, 0), E::load(1, 0)}, "1 0"},
    {"WriteAfterReadOfAnotherWarp", {E::load(0, 0), E::store(1, 0)}, "1 0"},
    {"WriteAfterWriteOfAnotherWarp", {E::store(0, 0).writing(1), E::store(1, 0).writing(2)}, "1 0"},
    {"ReadsDoNotRace", {E::load(0, 0), E::load(1, 0), E::load(2, 0)}},
    {"WarpsOnTheirOwnBytes", {E::store(0, 0), E::store(1, 128), E::load(0, 0), E::load(1, 128)}},
    {"TheSameValueTwice", {E::store(0, 0).writing(7), E::store(1, 0).writing(7)}},
    {"TheSameValueAndAReader", {E::store(0, 0).writing(7), E::store(1, 0).writing(7), E::load(0, 0)}, "2 1"},
    {"ABarrierOrders", std::vector{E::store(0, 0)} + barrier(1, {0, 1}) + std::vector{E::load(1, 0)}},
    {"ABarrierOfOthersDoesNot", std::vector{E::store(0, 0)} + barrier(1, {1, 2}) + std::vector{E::load(1, 0)}, "5 0"},
    {"BarriersInAChain",
     std::vector{E::store(0, 0)} + barrier(1, {0, 1}) + barrier(2, {1, 2}) + std::vector{E::load(2, 0)}},
    {"WhatComesAfterArriving",
     {E::arriveAt(0, 1), E::store(0, 0), E::arriveAt(1, 1), E::passAt(1, 1), E::load(1, 0)}, "4 1"},
    {"ArrivingDoesNotWait",
     {E::store(0, 0), E::arriveAt(0, 1), E::store(1, 256), E::arriveAt(1, 1), E::passAt(1, 1), E::load(1, 0),
      E::load(0, 256)},
     "6 2"},
    {"TwoPhases",
     std::vector{E::store(0, 0)} + barrier(1, {0, 1}) + std::vector{E::load(1, 0), E::store(0, 0).writing(9)}, "6 5"},
    {"TwoPhasesWithTwoBarriers", std::vector{E::store(0, 0)} + barrier(1, {0, 1}) + std::vector{E::load(1, 0)} +
                                     barrier(2, {0, 1}) + std::vector{E::store(0, 0).writing(9)}},
    {"OneOfManyReaders",
     std::vector{E::load(0, 0), E::load(1, 0), E::load(2, 0)} + barrier(1, {0, 1, 3}) + std::vector{E::store(3, 0)},
     "9 2"},

    // Lanes of a warp.
    {"ALanesOwnBytes", {E::store(0, 0), E::load(0, 0), E::store(0, 0).writing(5)}},
    {"ANeighboursBytes", {E::store(0, 0), E::load(0, 4).by(0xffff)}, "1 0"},
    {"ANeighboursBytesInOrder", {E::store(0, 0), E::sync(0), E::load(0, 4).by(0xffff)}},
    {"ANeighboursBytesBefore", {E::load(0, 4).by(0xffff), E::store(0, 0)}, "1 0"},
    {"PartOfTheWarpInOrder", {E::store(0, 0), E::sync(0, 3), E::load(0, 4).by(one), E::load(0, 0).by(two).apart(0)}},
    {"PartOfTheWarpNotInOrder", {E::store(0, 0), E::sync(0, 3), E::load(0, 4).by(two)}, "2 0"},
    {"PartsInAChain", {E::store(0, 0), E::sync(0, 3), E::sync(0, 6), E::load(0, 0).by(4).apart(0)}},
    {"PartsInTheWrongOrder", {E::store(0, 0), E::sync(0, 6), E::sync(0, 3), E::load(0, 0).by(4).apart(0)}, "3 0"},
    {"APartAndThenABarrier",
     std::vector{E::store(0, 0), E::sync(0, 3)} + barrier(1, {0, 1}) + std::vector{E::load(1, 0)}},
    {"DifferentSizes", {E::store(0, 0).size(16).by(3), E::load(0, 0).by(0xf).apart(0)}, "1 0"},
    {"DifferentSizesOfOneLane",
     {E::store(0, 0).size(16).by(one), E::load(0, 12).by(one), E::load(0, 0).size(8).by(one)}},
    {"Bytes", {E::store(0, 0).size(1), E::load(0, 0).size(1), E::store(0, 32).size(2), E::load(0, 32).size(2)}},
    {"BytesOfAnotherLane", {E::store(0, 0).size(1), E::load(0, 1).by(one).size(1)}, "1 0"},
    {"HalvesOfAnotherLane", {E::store(0, 0).size(2), E::load(0, 2).by(one).size(2)}, "1 0"},

    // One instruction.
    {"LanesStoreTheSame", {E::store(0, 0).apart(together).writing(3)}},
    {"LanesStoreTheSameAndReadIt", {E::store(0, 0).apart(together).writing(3), E::load(0, 0).apart(together)}},
    {"LanesAddTogether", {E::atomic(0, 0).apart(together)}},
    {"LanesStoreDifferentWordsStrongly", {E::store(0, 0).apart(together).writing(3, 1).strong(Order::relaxed)}},
    {"LanesAddAndReadWeakly", {E::atomic(0, 0).apart(together), E::load(0, 0).by(one)}, "1 0"},

    // Strong accesses.
    {"AtomicsDoNotRace", {E::atomic(0, 0), E::atomic(1, 0), E::atomic(2, 0).apart(together)}},
    {"AtomicsAndAWeakRead", {E::atomic(0, 0), E::load(1, 0)}, "1 0"},
    {"AtomicsAndAWeakWriteBefore", {E::store(0, 0).by(one), E::sync(0), E::atomic(0, 0), E::atomic(1, 0)}, "3 0"},
    {"AtomicsAndAWeakReadBefore", {E::load(0, 0).by(one), E::sync(0), E::atomic(0, 0), E::atomic(1, 0)}, "3 0"},
    {"StrongStoresAndLoads",
     {E::store(0, 0).strong(Order::relaxed, Scope::sys), E::load(1, 0).strong(Order::relaxed, Scope::sys),
      E::store(2, 0).strong(Order::relaxed, Scope::sys)}},
    {"ScopesWithinABlock",
     {E::atomic(0, 0).global().strong(Order::relaxed, Scope::cta), E::atomic(1, 0).global().strong(Order::relaxed)}},
    {"ScopesOfTwoBlocks",
     {E::atomic(0, 0).global().strong(Order::relaxed, Scope::cta),
      E::atomic(0, 0).global().in(1).strong(Order::relaxed, Scope::gpu)},
     "1 0"},

    // Release and acquire.
    {"MessagePassing",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::release),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 0).by(one)}},
    {"MessagePassingToOneLane",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::release),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 0).by(two).apart(0)},
     "3 0"},
    {"MessagePassingToAWarp",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::release),
      E::load(1, 512).by(one).strong(Order::acquire), E::sync(1), E::load(1, 0).by(two).apart(0)}},
    {"MessagePassingOfOneLane",
     {E::store(0, 0), E::store(0, 512).by(one).strong(Order::release), E::load(1, 512).by(one).strong(Order::acquire),
      E::sync(1), E::load(1, 0)},
     "4 0"},
    {"MessagePassingRelaxed",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::relaxed),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 0).by(one)},
     "3 0"},
    {"MessagePassingWithFences",
     {E::store(0, 0).by(one), E::fenceAt(0, Scope::gpu), E::store(0, 512).by(one).strong(Order::relaxed),
      E::load(1, 512).by(one).strong(Order::relaxed), E::fenceAt(1, Scope::gpu), E::load(1, 0).by(one)}},
    {"MessagePassingWithOneFence",
     {E::store(0, 0).by(one), E::fenceAt(0, Scope::gpu), E::store(0, 512).by(one).strong(Order::relaxed),
      E::load(1, 512).by(one).strong(Order::relaxed), E::load(1, 0).by(one)},
     "4 0"},
    {"WhatComesAfterTheFence",
     {E::fenceAt(0, Scope::gpu), E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::relaxed),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 0).by(one)},
     "4 1"},
    {"WhatComesAfterTheRelease",
     {E::store(0, 512).by(one).strong(Order::release), E::store(0, 0).by(one),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 0).by(one)},
     "3 1"},
    {"BetweenBlocks",
     {E::store(0, 0).by(one).global(), E::store(0, 512).by(one).global().strong(Order::release),
      E::load(1, 512).by(one).global().in(1).strong(Order::acquire), E::load(1, 0).by(one).global().in(1)}},
    {"BetweenBlocksInTooSmallAScope",
     {E::store(0, 0).by(one).global(), E::fenceAt(0, Scope::cta),
      E::store(0, 512).by(one).global().strong(Order::relaxed),
      E::load(1, 512).by(one).global().in(1).strong(Order::acquire), E::load(1, 0).by(one).global().in(1)},
     "4 0"},
    {"AnAtomicCarriesTheReleaseOn",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::release), E::atomic(2, 512).by(one),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 0).by(one)}},
    {"AStoreDoesNot",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::release),
      E::store(2, 512).by(one).strong(Order::relaxed), E::load(1, 512).by(one).strong(Order::acquire),
      E::load(1, 0).by(one)},
     "4 0"},
    {"TheNextFlagIsAnother",
     {E::store(0, 0).by(one), E::store(0, 512).by(one).strong(Order::release),
      E::load(1, 516).by(one).strong(Order::acquire), E::load(1, 0).by(one)},
     "3 0"},
    {"AFlagOf8Bytes",
     {E::store(0, 0).by(one), E::store(0, 512).size(8).by(one).strong(Order::release),
      E::load(1, 516).by(one).strong(Order::acquire), E::load(1, 0).by(one)}},
    {"TheLastOfManyLanes", // of a warp that counts itself in: the last lane has seen all
     {E::store(0, 0), E::atomic(0, 512).apart(together).strong(Order::acquireRelease),
      E::load(0, 0).by(0x80000000).apart(0)}},
    {"LanesOfAnotherAtomic",
     {E::store(0, 0), E::atomic(0, 512).apart(together).strong(Order::acquireRelease).by(one | 2),
      E::load(0, 8).by(one)},
     "2 0"},
    {"AFenceOfAllAndAFlagOfOne",
     {E::store(0, 0), E::fenceAt(0, Scope::gpu), E::store(0, 512).by(one).strong(Order::relaxed),
      E::load(1, 512).by(one).strong(Order::acquire), E::load(1, 4).by(one)},
     "4 0"},
    {"AFenceOfAllAndFlagsOfAll",
     {E::store(0, 0), E::fenceAt(0, Scope::gpu), E::store(0, 512).strong(Order::relaxed),
      E::load(1, 512).strong(Order::acquire), E::load(1, 4).by(one)}},
    {"AGridBarrier",
     {E::store(0, 0).global(), E::arriveAt(0, 1), E::arriveAt(1, 1), E::passAt(0, 1), E::passAt(1, 1),
      E::atomic(0, 512).by(one).global().strong(Order::acquireRelease),
      E::atomic(0, 512).by(one).global().in(1).strong(Order::acquireRelease),
      E::arriveAt(0, 1).in(1), E::arriveAt(3, 1).in(1), E::passAt(0, 1).in(1), E::passAt(3, 1).in(1),
      E::load(3, 0).global().in(1)}},

    // Blocks.
    {"BlocksAreNotOrdered", {E::store(0, 0).global(), E::load(0, 0).global().in(1)}, "1 0"},
    {"ABlocksBarrierIsItsOwn",
     std::vector{E::store(0, 0).global()} + barrier(1, {0, 1}) + std::vector{E::load(0, 0).global().in(1)}, "5 0"},
    {"SharedMemoryIsABlocksOwn", {E::store(0, 0), E::store(0, 0).in(1).writing(4)}},

    // Asynchronous copies.
    {"ReadingBeforeTheCopyIsDone", {E::cpAsync(0, 0, 0, 1), E::load(0, 0).size(16)}, "1 0"},
    {"ReadingAfterWaiting", {E::cpAsync(0, 0, 0, 1), E::waitFor(0, 1), E::load(0, 0).size(16)}},
    {"AnotherLaneAfterWaiting", {E::cpAsync(0, 0, 0, 1), E::waitFor(0, 1), E::load(0, 16).size(16).by(one)}, "2 0"},
    {"AnotherLaneAfterWaitingAndSync",
     {E::cpAsync(0, 0, 0, 1), E::waitFor(0, 1), E::sync(0), E::load(0, 16).size(16).by(one)}},
    {"ABarrierIsNotAWait",
     std::vector{E::cpAsync(0, 0, 0, 1)} + barrier(1, {0, 1}) + std::vector{E::load(1, 0).size(16)},
     "5 0"},
    {"AnotherWarpAfterWaitAndBarrier",
     std::vector{E::cpAsync(0, 0, 0, 1), E::waitFor(0, 1)} + barrier(1, {0, 1}) + std::vector{E::load(1, 0).size(16)}},
    {"AnotherGroup",
     {E::cpAsync(0, 0, 0, 1), E::cpAsync(0, 512, 512, 2), E::waitFor(0, 1), E::load(0, 512).size(16)}, "3 1"},
    {"TheCopyReadsLater", {E::cpAsync(0, 0, 0, 1), E::store(0, 0).size(16).global()}, "1 0"},
    {"TheCopyComesAfterWhatWasBefore",
     {E::store(0, 0).size(16), E::store(0, 0).size(16).global(), E::cpAsync(0, 0, 0, 1)}},
    {"TwoCopiesToOnePlace", {E::cpAsync(0, 0, 0, 1), E::cpAsync(0, 0, 512, 1)}, "1 0"},
    {"OverwritingWhatOthersRead",
     std::vector{E::load(1, 0).size(16)} + barrier(1, {0, 2}) + std::vector{E::cpAsync(0, 0, 0, 1)}, "5 0"},

    // mbarriers.
    {"MbarrierOrders",
     {E::store(0, 0), E::mbarrier(E::mbarrierArrive, 0), E::mbarrier(E::mbarrierPass, 1), E::load(1, 0)}},
    {"MbarrierOrdersWhatCameBefore",
     {E::mbarrier(E::mbarrierArrive, 0), E::store(0, 0), E::mbarrier(E::mbarrierPass, 1), E::load(1, 0)}, "3 1"},
    {"MbarrierByOneLane",
     {E::store(0, 0), E::mbarrier(E::mbarrierArrive, 0).by(one), E::mbarrier(E::mbarrierPass, 1), E::load(1, 0)},
     "3 0"},
    {"MbarrierOfThePhaseBefore",
     {E::mbarrier(E::mbarrierArrive, 0, 0), E::store(0, 0), E::mbarrier(E::mbarrierArrive, 0, 1),
      E::mbarrier(E::mbarrierPass, 1, 0), E::load(1, 0)},
     "4 1"},
    {"MbarrierOfBothPhases",
     {E::store(0, 0), E::mbarrier(E::mbarrierArrive, 0, 0), E::mbarrier(E::mbarrierArrive, 0, 1),
      E::mbarrier(E::mbarrierPass, 1, 1), E::load(1, 0)}},
    {"CopiesArrive",
     {E::cpAsync(0, 0, 0, 1), E::mbarrier(E::copiesArrive, 0), E::mbarrier(E::mbarrierPass, 1),
      E::load(1, 0).size(16)}},
    {"CopiesOfALaterGroupDoNot",
     {E::cpAsync(0, 0, 0, 2), E::mbarrier(E::copiesArrive, 0), E::mbarrier(E::mbarrierPass, 1), E::load(1, 0).size(16)},
     "3 0"},
};

class Histories : public testing::TestWithParam<History> {};
TEST_P(Histories, HaveTheRace) {
  const History &history = GetParam();
  for (bool global : {false, true}) {
    if (global)
      for (const Event &event : history.events)
        if (event.op == Event::copy || event.block)
          return;
    LaunchChecker::Options options;
    options.initialized = false;
    Scene scene(options);
    scene.fill(0xee);
    for (size_t i = 0; i < history.events.size(); ++i) {
      Event event = history.events[i];
      if (global)
        event.where = Access::global;
      scene.run(event, i);
    }
    std::string pair;
    if (!scene.findings.empty()) {
      // The instructions are on the third and fifth lines of the texts.
      std::string text = scene.findings[0];
      size_t first = text.find("    #"), second = text.find("    #", first + 1);
      ASSERT_NE(second, std::string::npos) << text;
      pair = std::to_string(atoi(text.c_str() + first + 5)) + " " + std::to_string(atoi(text.c_str() + second + 5));
      EXPECT_NE(text.find("data race in"), std::string::npos) << text;
    }
    EXPECT_EQ(pair, history.pair) << scene.text();
  }
}
INSTANTIATE_TEST_SUITE_P(Races, Histories, testing::ValuesIn(histories),
                         [](const auto &info) { return std::string(info.param.name); });

std::string findingsOf(const std::vector<Event> &events) {
  LaunchChecker::Options options;
  options.initialized = false;
  Scene scene(options);
  scene.fill(0);
  scene.run(events);
  return scene.text();
}

TEST(RaceText, NamesBothPlaces) {
  EXPECT_EQ(findingsOf({E::store(1, 0).writing(1), E::load(0, 16).by(2)}),
            "k.tt.cpp:1: error: data race in shared memory: kernel 'k', block (0,0,0)\n"
            "  thread (1,0,0) reads 4 bytes at shared+0x14\n"
            "    #1\n"
            "  thread (37,0,0) wrote them at k.tt.cpp:0 with no synchronization in between\n"
            "    #0\n");
}

TEST(RaceText, NamesTheAllocationAndTheOtherBlock) {
  std::string text = findingsOf({E::atomic(1, 4).by(1).global().size(2).strong(Order::relaxed, Scope::cta),
                                 E::store(2, 0).by(1).global().in(1).writing(3).size(8)});
  EXPECT_NE(text.find("error: data race in global memory: kernel 'k', block (1,0,0)\n"
                      "  thread (64,0,0) writes 8 bytes at byte 0 of the allocation of 8192 bytes at 0x"),
            std::string::npos) << text;
  EXPECT_NE(text.find("  thread (32,0,0) of block (0,0,0) updated 2 of them at k.tt.cpp:0 with no synchronization in "
                      "between\n"), std::string::npos) << text;
}

TEST(RaceText, NamesScopes) {
  std::string text = findingsOf({E::atomic(0, 0).by(1).global().strong(Order::relaxed, Scope::cta),
                                 E::atomic(0, 0).by(1).global().in(1)});
  EXPECT_NE(text.find("  thread (0,0,0) of block (0,0,0) updated them at k.tt.cpp:0 with no synchronization in "
                      "between, and in scopes that do not include each other\n"), std::string::npos) << text;
}

TEST(RaceText, NamesAsynchronousCopies) {
  std::string text = findingsOf({E::cpAsync(0, 0, 0, 1), E::load(0, 16).by(1)});
  EXPECT_NE(text.find("  an asynchronous copy of thread (1,0,0) wrote them at k.tt.cpp:0 with no"), std::string::npos)
      << text;
  text = findingsOf({E::load(1, 0), E::cpAsync(0, 0, 0, 1)});
  EXPECT_NE(text.find("  an asynchronous copy of thread (0,0,0) writes 16 bytes at shared+0x0\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  thread (32,0,0) read 4 of them at"), std::string::npos) << text;
}

TEST(RaceText, LanesOfOneInstruction) {
  EXPECT_EQ(findingsOf({E::store(0, 8).apart(0).writing(1, 1)}),
            "k.tt.cpp:0: error: data race in shared memory: kernel 'k', block (0,0,0)\n"
            "  thread (1,0,0) writes 4 bytes at shared+0x8\n"
            "    #0\n"
            "  thread (0,0,0) writes another value there in the same instruction\n");
  std::vector<uint64_t> pairs;
  for (unsigned lane = 0; lane < 32; ++lane)
    pairs.push_back(lane / 2 * 4);
  EXPECT_EQ(findingsOf({E::store(0, 0).at(pairs).writing(5)}), "");
  EXPECT_NE(findingsOf({E::store(0, 0).at(pairs).writing(5, 1)}), "");
}

TEST(Races, OncePerPairOfInstructions) {
  LaunchChecker::Options options;
  options.initialized = false;
  Scene scene(options);
  for (int i = 0; i < 10; ++i) {
    scene.run(E::store(0, 128 * i).writing(i), 0);
    scene.run(E::load(1, 128 * i), 1);
  }
  EXPECT_EQ(scene.findings.size(), 1u);
}

TEST(Races, OffMeansOff) {
  LaunchChecker::Options options;
  options.races = options.initialized = false;
  Scene scene(options);
  scene.run({E::store(0, 0).writing(1), E::load(1, 0), E::fenceAt(0, Scope::gpu), E::arriveAt(0, 1), E::passAt(0, 1),
             E::atomic(0, 0).global(), E::mbarrier(E::mbarrierArrive, 0), E::mbarrier(E::mbarrierPass, 0)});
  EXPECT_EQ(scene.text(), "");
}

// A block's shared memory exists until its last thread exits: accesses by other blocks of its cluster must be ordered
// before that.
TEST(Races, BlocksThatEnd) {
  auto run = [](const std::vector<E> &events) {
    LaunchChecker::Options options;
    options.initialized = false;
    options.cluster = [](uint64_t) { return uint64_t(0); };
    Scene scene(options, /*blocks=*/2, /*warps=*/2);
    scene.run(events);
    return scene.text();
  };
  E read = E::load(0, 0).in(1).of(0), tell = E::mbarrier(E::mbarrierArrive, 0).in(1).of(0);
  E wait = E::mbarrier(E::mbarrierPass, 1), others = E::exitOf(0), last = E::exitOf(1), end = E::endOf(0);
  EXPECT_NE(run({read, others, last, end}).find("may have ended"), std::string::npos);
  EXPECT_NE(run({others, last, read, end}).find("thread (0,0,0) reads shared+0x0 of block (0,0,0)"), std::string::npos);
  EXPECT_EQ(run({read, tell, others, wait, last, end}), ""); // one thread that waits for it keeps the memory
  EXPECT_EQ(run({read, E(tell).strong(Order::relaxed), others, wait, last, end}), "");
  EXPECT_NE(run({tell, read, others, wait, last, end}), ""); // the wait does not cover accesses after the arrival
  EXPECT_NE(run({read, tell, others, last, end}), "");
  EXPECT_EQ(run({E::load(0, 0), others, last, end}), ""); // one's own
}

// Data that threads store, and, if the check is enabled, data that cp.async copies, needs a proxy fence before a unit
// reads it.
TEST(Races, ProxyFences) {
  for (bool isCopy : {false, true})
    for (bool copyFences : {false, true})
      for (bool isFenced : {false, true}) {
        LaunchChecker::Options options;
        options.initialized = false;
        options.copyFences = copyFences;
        Scene scene(options);
        scene.fill(0);
        if (isCopy)
          scene.run({E::cpAsync(0, 0, 0, 1), E::waitFor(0, 1)});
        else
          scene.run(E::store(0, 0).size(16).writing(1), 0);
        if (isFenced)
          scene.block(0).proxyFence(0, /*shared=*/true, /*global=*/false);
        Access read = scene.describe(E::load(0, 0).size(16), 9);
        read.asyncProxy = true;
        scene.block(0).access(read);
        EXPECT_EQ(scene.findings.empty(), isFenced || (isCopy && !copyFences)) << scene.text();
      }
}

// Blocks start and end, and others reuse their shared memory.
TEST(Races, BlocksInTurn) {
  DeviceMemory memory;
  Reporter reporter({"k", {1, 1, 1}, {1, 1, 1}, {}, {}}, [](const std::string &text) { ADD_FAILURE() << text; });
  LaunchChecker launch({}, memory, reporter);
  std::vector<std::byte> shared(1000);
  uint64_t addresses[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    addresses[lane] = 4 * lane;
  for (uint32_t number = 0; number < 4; ++number) {
    auto block = launch.startBlock(number, 2, shared.data(), number == 2 ? 500 : 1000, 0, 0);
    Access access;
    access.where = Access::shared;
    access.kind = Access::store;
    access.warp = number % 2;
    access.bytes = 4;
    access.lanes = ~Mask(0);
    access.address = addresses;
    block->access(access);
  }
}

} // namespace
