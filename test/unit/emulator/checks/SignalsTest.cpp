//===-- SignalsTest.cpp - tests what waits for signals order ---------------------------------------------------===//
#include "Scene.h"

#include <gtest/gtest.h>

using namespace tilecc::emu;
using namespace tilecc::emu::test;
using E = Event;

namespace {

constexpr uint64_t flag = 4096; // zero at first
constexpr uint32_t count = 0x01010101; // what a scene's atomic operation adds

struct History {
  const char *name;
  std::vector<Event> events;
  const char *message = ""; // of the first finding; empty: none
};

void PrintTo(const History &history, std::ostream *out) { *out << history.name; }

Event put(uint32_t block, uint64_t base) { return E::store(0, base).by(1).global().in(block).writing(block + base + 1); }
Event get(uint32_t block, uint64_t base) { return E::load(0, base).by(1).global().in(block); }
Event add(uint32_t block) { return E::atomic(0, flag).by(1).global().in(block).strong(Order::release, Scope::sys); }

Event exchange(uint32_t block, uint32_t value) {
  Event event = add(block).writing(value);
  event.replaces = true;
  return event;
}

const History histories[] = {
    {"AWaitOrders", {put(0, 0), E::signal(0, flag, 1), E::awaitOf(0, flag, 1).in(1), get(1, 0)}},
    {"ARelaxedSignalDoesNot",
     {put(0, 0), E::signal(0, flag, 1).strong(Order::relaxed, Scope::sys), E::awaitOf(0, flag, 1).in(1), get(1, 0)},
     "data race"},
    {"ARelaxedWaitDoesNot",
     {put(0, 0), E::signal(0, flag, 1), E::awaitOf(0, flag, 1).in(1).strong(Order::relaxed, Scope::sys), get(1, 0)},
     "data race"},
    {"ARelaxedWaitAndAFenceDo",
     {put(0, 0), E::signal(0, flag, 1), E::awaitOf(0, flag, 1).in(1).strong(Order::relaxed, Scope::sys),
      E::fenceAt(0, Scope::sys).in(1), get(1, 0)}},
    {"TheFirstValueThatSuffices",
     {put(0, 0), E::signal(0, flag, 1), put(0, 64), E::signal(0, flag, 2), E::awaitOf(0, flag, 1).in(1), get(1, 0)}},
    {"AndNotALaterOne",
     {put(0, 0), E::signal(0, flag, 1), put(0, 64), E::signal(0, flag, 2), E::awaitOf(0, flag, 1).in(1), get(1, 64)},
     "data race"},
    {"ALaterWait",
     {put(0, 0), E::signal(0, flag, 1), put(0, 64), E::signal(0, flag, 2), E::awaitOf(0, flag, 1).in(1),
      E::awaitOf(0, flag, 2).in(1), get(1, 64)}},
    {"TheValueBeforeTheLaunch", {put(0, 0), E::signal(0, flag, 1), E::awaitOf(0, flag, 0).in(1), get(1, 0)}, "data race"},
    {"CountsAreOneRelease", {put(0, 0), add(0), put(1, 64), add(1), E::awaitOf(0, flag, 2 * count).in(2), get(2, 0), get(2, 64)}},
    {"OneOfTwoCounts", {put(0, 0), add(0), put(1, 64), add(1), E::awaitOf(0, flag, count).in(2), get(2, 64)}, "data race"},
    {"TheWordIsResetBehindTheWait",
     {put(0, 0), E::signal(0, flag, 1), E::awaitOf(0, flag, 1).in(1), E::signal(0, flag, 0).in(1), get(1, 0)}},
    {"TwoUnorderedSignals", {E::signal(0, flag, 1), E::signal(0, flag, 2).in(1), E::awaitOf(0, flag, 1).in(2)}, "lost signal"},
    {"TwoUnorderedSignalsLater",
     {E::awaitOf(0, flag, 0).in(2), E::signal(0, flag, 1), E::signal(0, flag, 2).in(1)},
     "lost signal"},
    {"TheSameSignalTwice", {E::signal(0, flag, 1), E::signal(0, flag, 1).in(1), E::awaitOf(0, flag, 1).in(2)}},
    {"AResetOfACount", {E::awaitOf(0, flag, 0).in(2), add(0), E::signal(0, flag, 0).in(1)}, "lost signal"},
    {"TwoUnorderedExchanges", {exchange(0, 1), exchange(1, 2), E::awaitOf(0, flag, 1).in(2)}, "lost signal"},
    {"TheSameExchangeTwice", {exchange(0, 1), exchange(1, 1), E::awaitOf(0, flag, 1).in(2)}},
    {"SignalsInOrder",
     {E::signal(0, flag, 1), E::awaitOf(0, flag, 1).in(1), E::signal(0, flag, 2).in(1), E::awaitOf(0, flag, 2).in(2)}},
    {"NobodyWaits", {E::signal(0, flag, 1), E::signal(0, flag, 2).in(1)}},
};

class Signals : public testing::TestWithParam<History> {};
TEST_P(Signals, OrderWhatTheyRelease) {
  LaunchChecker::Options options;
  options.initialized = false;
  options.signals = true;
  Scene scene(options, 3);
  scene.fill(0);
  scene.run(GetParam().events);
  if (!*GetParam().message)
    EXPECT_EQ(scene.text(), "");
  else
    EXPECT_NE(scene.text().find(GetParam().message), std::string::npos) << scene.text();
}
INSTANTIATE_TEST_SUITE_P(All, Signals, testing::ValuesIn(histories),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(SignalsAfterALaunch, AreNamed) {
  LaunchChecker::Options options;
  options.initialized = false;
  options.signals = true;
  Scene scene(options, 2);
  scene.fill(0);
  scene.run({E::signal(0, flag, 1), E::signal(1, flag, 2).in(1)});
  auto writer = scene.launch->lastWriter(scene.allocation + flag); // a thread waits for ever: one signal may be lost
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->block, 1u);
  EXPECT_EQ(writer->thread, 32u);
  EXPECT_EQ(writer->pc, 1u);
  EXPECT_NE(scene.text().find("lost signal"), std::string::npos);
  EXPECT_FALSE(scene.launch->lastWriter(scene.allocation));
}

} // namespace
