//===-- Findings.cpp - messages about a block's errors ---------------------------------------------------------===//
#include "emulator/checks/Findings.h"

#include <cstdio>

using namespace tilecc::emu;

static std::string hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

static std::string countOf(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

static std::string space(const Access &access) {
  static const char *const names[] = {"global", "shared", "local", "constant", "parameter", "tensor"};
  return names[access.where];
}

static bool onDevice(const Access &access) {
  return access.where == Access::global || access.where == Access::constant;
}

// The verbs for Access::Kind.
static const char *const does[] = {"reads", "writes", "updates"};
static const char *const did[] = {"read", "wrote", "updated"};
static const char *const noun[] = {"read", "write", "update"};

std::string Findings::thread(const Place &place, Actor by) const {
  const char *engine = by == Actor::threads                                    ? ""
                       : by == Actor::copies                                   ? "an asynchronous copy of "
                       : by == Actor::wgmmas                                   ? "a wgmma of the warp of "
                       : by == Actor::tensorLoads || by == Actor::tensorStores ? ""
                       : by == Actor::tensorCore                               ? "the tensor core for "
                                                                               : "a bulk copy of ";
  return engine + reporter.thread(place);
}

std::string Findings::at(const Access &access, uint64_t address) const {
  if (uint64_t cell = address / 4; access.where == Access::tensor)
    return "at lane " + std::to_string(cell % tensorLanes) + ", column " + std::to_string(cell / tensorLanes) +
           " of tensor memory";
  return onDevice(access) ? memory.describe(address) : "at " + space(access) + "+" + hex(address);
}

std::string Findings::instruction(uint32_t pc) const {
  return "  " + (reporter.names().instruction ? reporter.names().instruction(pc) : "instruction " + std::to_string(pc));
}

void Findings::fault(int error, const Access &access, unsigned lane, const std::string &what,
                     const std::string &where) {
  Place here = place(access, lane);
  reporter.fault(error, what, here, what,
                 {thread(here, Actor::threads) + " " + does[access.kind] + " " + countOf(access.bytes) + " " + where,
                  instruction(access.pc)});
}

void Findings::misaligned(const Access &access, unsigned lane) {
  std::string address = (onDevice(access) ? "" : space(access) + "+") + hex(access.address[lane]);
  fault(errorMisalignedAddress, access, lane,
        std::string("misaligned ") + noun[access.kind] + " of " + space(access) + " memory",
        "at " + address + ", which is not a multiple of " + std::to_string(access.align));
}

void Findings::outOfBounds(const Access &access, unsigned lane) {
  uint64_t address = access.address[lane];
  if (memory.distancesToCopies(address, 1))
    fault(errorIllegalAddress, access, lane,
          std::string(noun[access.kind]) + " of multicast memory, which only multimem instructions can access",
          memory.describe(address));
  // If the first byte belongs to an allocation, describe its end.
  bool begins = memory.check(address, 1) != DeviceMemory::State::outOfBounds;
  if (memory.check(address, begins ? 1 : access.bytes) == DeviceMemory::State::freed)
    fault(errorIllegalAddress, access, lane, std::string(noun[access.kind]) + " of freed " + space(access) + " memory",
          memory.describe(address));
  fault(errorIllegalAddress, access, lane,
        std::string("out-of-bounds ") + noun[access.kind] + " of " + space(access) + " memory",
        memory.describe(address) + (begins ? ", over its end" : ""));
}

void Findings::outOfBounds(const Access &access, unsigned lane, uint64_t room) {
  fault(errorIllegalAddress, access, lane,
        std::string("out-of-bounds ") + noun[access.kind] + " of " + space(access) + " memory",
        at(access, access.address[lane]) + ", of which there are " + countOf(room));
}

void Findings::notWritable(const Access &access, unsigned lane) {
  fault(errorIllegalAddress, access, lane, std::string(noun[access.kind]) + " of constant memory",
        at(access, access.address[lane]));
}

void Findings::uninitialized(const Access &access, unsigned lane, uint32_t missing) {
  Place here = place(access, lane);
  std::string what = missing == access.bytes ? " memory that nothing has written, "
                                             : " memory, of which " + std::to_string(missing) +
                                                   (missing == 1 ? " has" : " have") + " never been written, ";
  reporter.report("uninitialized", here, "read of uninitialized " + space(access) + " memory",
                  {thread(here, Actor::threads) + " " + (access.readsToo ? "adds to" : does[access.kind]) + " " +
                       countOf(access.bytes) + " of " + space(access) + what + at(access, access.address[lane]),
                   instruction(access.pc)});
}

void Findings::race(const Access &access, Actor by, const Race &race) {
  if (!raced.insert(uint64_t(race.before.pc) << 32 | access.pc).second)
    return;
  Place here = place(access, race.lane);
  Place there{race.before.block, race.before.warp * 32u + race.laneBefore, race.before.pc};
  Actor byBefore = Actor(race.before.by);
  std::string other = thread(there, byBefore);
  if (there.block != block && byBefore != Actor::transactions) // which has the mbarrier's block
    other += " of " + reporter.block(there);
  other += std::string(" ") + did[race.before.kind];
  other += race.bytes < access.bytes ? " " + std::to_string(race.bytes) + " of them"
           : access.bytes == 1       ? " it"
                                     : " them";
  if (std::string source = reporter.names().source ? reporter.names().source(there.pc) : ""; !source.empty())
    other += " at " + source;
  other += race.proxy         ? " with no fence.proxy.async in between"
           : race.tensorFence ? " with no tcgen05.fence::before_thread_sync and after_thread_sync in between"
                              : " with no synchronization in between";
  if (race.scopes)
    other += ", and in scopes that do not include each other";
  reporter.report("race " + std::to_string(there.pc), here,
                  race.proxy ? "the asynchronous proxy has not been told of a write to " + space(access) + " memory"
                  : race.tensorFence ? "accesses to tensor memory by several threads need tcgen05.fence"
                                     : "data race in " + space(access) + " memory",
                  {thread(here, by) + " " + does[access.kind] + " " + countOf(access.bytes) + " " +
                       at(access, access.address[race.lane]),
                   instruction(access.pc), other, instruction(there.pc)});
}

void Findings::lostSignal(const Signals::Lost &lost) {
  Place here = lost.second.place, there = lost.first.place;
  std::string other = reporter.thread(there);
  if (there.block != here.block)
    other += " of " + reporter.block(there);
  other += " wrote another value";
  if (std::string source = reporter.names().source ? reporter.names().source(there.pc) : ""; !source.empty())
    other += " at " + source;
  reporter.report(
      "lost signal " + std::to_string(there.pc), here,
      "lost signal: a thread that waits may see only one of two values",
      {reporter.thread(here) + " writes a value for which another thread waits, " + memory.describe(lost.address),
       instruction(here.pc), other + " with no synchronization in between", instruction(there.pc)});
}

void Findings::afterEnd(const Segment &segment, unsigned lane, uint64_t address) {
  Place there{segment.block, segment.warp * 32u + lane, segment.pc}, here{block, 0, 0};
  reporter.report("ended", there, "access to the shared memory of a block that may have ended",
                  {thread(there, Actor(segment.by)) + " " + does[segment.kind] + " shared+" + hex(address) + " of " +
                       reporter.block(here) + ", whose threads may exit before",
                   instruction(segment.pc)});
}

void Findings::storesDiffer(const Access &access, unsigned lane, unsigned other) {
  Place here = place(access, lane);
  reporter.report(
      "stores differ", here, "data race in " + space(access) + " memory",
      {thread(here, Actor::threads) + " writes " + countOf(access.bytes) + " " + at(access, access.address[lane]),
       instruction(access.pc),
       thread(place(access, other), Actor::threads) + " writes another value there in the same instruction"});
}
