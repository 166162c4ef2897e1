//===-- Mbarrier.cpp - operations on mbarrier objects ----------------------------------------------------------===//
#include "emulator/exec/Mbarrier.h"
#include "emulator/exec/Machine.h"

#include <algorithm>

using namespace tilecc::emu;

static void writeImage(Block &block, uint32_t offset, const Mbarrier &object) {
  Mbarrier::Image image = object.image();
  std::memcpy(block.shared + offset, &image, sizeof(image));
}

[[noreturn]] static void fault(Block &block, const Place &place, const std::string &what,
                               const Mbarrier *object = nullptr) {
  std::vector<std::string> details;
  if (object) {
    const LaunchNames &names = block.launch->reporter->names();
    details = {"it was initialized by " + block.launch->reporter->thread(object->initialized) + " at " +
                   names.source(object->initialized.pc),
               "  " + names.instruction(object->initialized.pc)};
  }
  faultAt(*block.launch, place, errorLaunchFailure, "mbarrier", what, details);
}

Mbarrier &tilecc::emu::mbarrierOf(Block &block, uint32_t offset, const Place &place) {
  auto found = block.mbarriers.find(offset);
  if (found == block.mbarriers.end())
    fault(block, place, "the mbarrier is not initialized");
  Mbarrier::Image image = found->second.image();
  if (std::memcmp(block.shared + offset, &image, sizeof(image)))
    fault(block, place, "something else has been written to the mbarrier", &found->second);
  return found->second;
}

void tilecc::emu::initMbarrier(Block &block, uint32_t offset, uint32_t count, const Place &place) {
  if (count == 0 || count > Mbarrier::maxArrivals)
    fault(block, place, "an mbarrier for " + std::to_string(count) + " arrivals: it takes 1 to 1048575");
  if (auto found = block.mbarriers.find(offset); found != block.mbarriers.end())
    fault(block, place, "the mbarrier is initialized already, and mbarrier.inval has not ended its use",
          &found->second);
  Mbarrier object;
  object.expected = object.pending = count;
  object.initialized = place;
  block.mbarriers[offset] = object;
  writeImage(block, offset, object);
}

void tilecc::emu::invalidateMbarrier(Block &block, uint32_t offset, const Place &place) {
  const Mbarrier &object = mbarrierOf(block, offset, place);
  if (object.transactions)
    fault(block, place, "the mbarrier is in use: " + std::to_string(object.transactions) + " bytes are still to come",
          &object);
  std::memset(block.shared + offset, 0, sizeof(Mbarrier::Image));
  block.mbarriers.erase(offset);
}

void tilecc::emu::arriveAtMbarrier(Block &block, uint32_t offset, MbarrierArrival arrival, const Place &place) {
  Mbarrier &object = mbarrierOf(block, offset, place);
  if (!object.takes(arrival.count))
    fault(block, place,
          "more arrivals than the mbarrier's phase takes: " + std::to_string(arrival.count) + ", and it still takes " +
              std::to_string(object.pending),
          &object);
  if (!arrival.completes && arrival.count == object.pending && !object.transactions)
    fault(block, place, "an arrival with .noComplete completes the mbarrier's phase", &object);
  object.latest = std::max(object.latest, place.time);
  object.arrive(arrival.count, arrival.drops);
  writeImage(block, offset, object);
}

static void checkRange(Block &block, const Mbarrier &object, int64_t bytes, const Place &place) {
  if (!object.canExpect(bytes))
    fault(block, place,
          "the mbarrier's transaction count would be " + std::to_string(object.transactions + bytes) +
              ", and it goes from -1048575 to 1048575",
          &object);
}

void tilecc::emu::expectTransactions(Block &block, uint32_t offset, uint32_t bytes, const Place &place) {
  Mbarrier &object = mbarrierOf(block, offset, place);
  checkRange(block, object, bytes, place);
  object.expect(bytes);
  writeImage(block, offset, object);
}

void tilecc::emu::completeTransactions(Block &block, uint32_t offset, uint32_t bytes, const Place &place) {
  Mbarrier &object = mbarrierOf(block, offset, place);
  checkRange(block, object, -int64_t(bytes), place);
  object.latest = std::max(object.latest, place.time);
  object.complete(bytes);
  writeImage(block, offset, object);
}

void tilecc::emu::expectArrival(Block &block, uint32_t offset, const Place &place) {
  Mbarrier &object = mbarrierOf(block, offset, place);
  if (object.pending == Mbarrier::maxArrivals)
    fault(block, place, "the mbarrier's phase would take more than 1048575 arrivals", &object);
  ++object.pending;
  writeImage(block, offset, object);
}
