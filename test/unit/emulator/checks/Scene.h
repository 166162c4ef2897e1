//===-- Scene.h - builds small histories of warps for tests of the checks --------------------------------------===//
//
// A scene is a launch whose blocks execute a list of events one after the other. Stores really change its memory. The
// position of an event in the list is its instruction number, which findings show as "#n".
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TEST_UNIT_EMULATOR_CHECKS_SCENE_H
#define TILECC_TEST_UNIT_EMULATOR_CHECKS_SCENE_H

#include "emulator/checks/Checker.h"

#include <memory>
#include <string>
#include <vector>

namespace tilecc::emu::test {

struct Event {
  enum Op { access, await, copy, syncWarp, arrive, pass, fence, wait, copiesArrive, mbarrierArrive, mbarrierPass, exit, end };
  Op op = access;
  uint32_t block = 0, warp = 0;
  Mask lanes = ~Mask(0);
  // access, await (a load that is over when it gives `value`), copy (which reads there and writes here)
  Access::Kind kind = Access::load;
  Access::Where where = Access::shared;
  uint64_t base = 0; // of lane 0; in global memory from the start of an allocation on
  int64_t stride = 4;
  uint32_t bytes = 4;
  std::vector<uint64_t> addresses; // of the lanes, instead of base and stride
  Order order = Order::weak;
  Scope scope = Scope::gpu; // fence, too
  uint64_t value = 0;       // that lane 0 stores, the others that and `valueStep` more each
  uint64_t valueStep = 0;
  bool replaces = false; // atomic: it is an exchange by `value`, and not an increment
  uint64_t from = 0; // copy: in global memory, for lane 0
  uint64_t token = 0;
  uint32_t group = 1, phase = 0;
  int32_t home = -1; // whose shared memory, or object there; -1: the block's own

  uint64_t address(unsigned lane) const { return addresses.empty() ? base + lane * stride : addresses[lane]; }

  // For tables: weak accesses of 4 bytes by whole warps, unless another word is put behind.
  static Event load(uint32_t warp, uint64_t base) { return make(warp, Access::load, base); }
  static Event store(uint32_t warp, uint64_t base) { return make(warp, Access::store, base); }
  static Event atomic(uint32_t warp, uint64_t base) { return make(warp, Access::atomic, base).strong(Order::relaxed); }
  static Event awaitOf(uint32_t warp, uint64_t base, uint32_t wanted) {
    Event event = make(warp, Access::load, base).by(1).global().strong(Order::acquire, Scope::sys).writing(wanted);
    event.op = await;
    return event;
  }
  static Event signal(uint32_t warp, uint64_t base, uint32_t value) {
    return store(warp, base).by(1).global().strong(Order::release, Scope::sys).writing(value);
  }
  static Event cpAsync(uint32_t warp, uint64_t to, uint64_t from, uint32_t group) {
    Event event = make(warp, Access::store, to).size(16);
    event.op = copy;
    event.from = from;
    event.group = group;
    return event;
  }
  static Event sync(uint32_t warp, Mask lanes = ~Mask(0)) { return other(syncWarp, warp).by(lanes); }
  static Event fenceAt(uint32_t warp, Scope scope) { return other(fence, warp).strong(Order::acquireRelease, scope); }
  static Event arriveAt(uint32_t warp, uint64_t token) { return other(arrive, warp).tokenOf(token); }
  static Event passAt(uint32_t warp, uint64_t token) { return other(pass, warp).tokenOf(token); }
  static Event waitFor(uint32_t warp, uint32_t group) {
    Event event = other(wait, warp);
    event.group = group;
    return event;
  }
  static Event exitOf(uint32_t warp) { return other(exit, warp); }
  static Event endOf(uint32_t number) { return other(end, 0).in(number); }
  static Event mbarrier(Op op, uint32_t warp, uint32_t phase = 0, uint32_t group = 1) {
    Event event = other(op, warp);
    event.phase = phase;
    event.group = group;
    event.base = 4096;
    return event;
  }

  Event by(Mask mask) && { lanes = mask; return std::move(*this); }
  Event in(uint32_t number) && { block = number; return std::move(*this); }
  Event of(int32_t number) && { home = number; return std::move(*this); }
  Event global() && { where = Access::global; return std::move(*this); }
  Event size(uint32_t count) && { bytes = count; stride = count; return std::move(*this); }
  Event apart(int64_t distance) && { stride = distance; return std::move(*this); }
  Event at(std::vector<uint64_t> list) && { addresses = std::move(list); return std::move(*this); }
  Event writing(uint64_t first, uint64_t step = 0) && { value = first; valueStep = step; return std::move(*this); }
  Event strong(Order how, Scope far = Scope::gpu) && { order = how; scope = far; return std::move(*this); }
  Event tokenOf(uint64_t name) && { token = name; return std::move(*this); }

private:
  static Event other(Op op, uint32_t warp) {
    Event event;
    event.op = op;
    event.warp = warp;
    return event;
  }
  static Event make(uint32_t warp, Access::Kind kind, uint64_t base) {
    Event event = other(access, warp);
    event.kind = kind;
    event.base = base;
    return event;
  }
};

class Scene {
public:
  enum : uint32_t { sharedBytes = 8192, globalBytes = 8192, localBytes = 64, paramBytes = 32 };

  explicit Scene(LaunchChecker::Options options, uint32_t blocks = 2, uint32_t warps = 4);
  ~Scene();

  // The number of the event's instruction is `pc`.
  void run(const Event &event, uint32_t pc);
  void run(const std::vector<Event> &events);
  // The information for the checker; valid until the next event.
  Access describe(const Event &event, uint32_t pc);
  // Marks both memories as initialized, with every byte `value`, as if an earlier launch had done so.
  void fill(uint8_t value);

  BlockChecker &block(uint32_t number) { return *checkers[number]; }
  DeviceMemory memory;
  std::unique_ptr<LaunchChecker> launch;
  uint64_t allocation;                // of globalBytes
  std::vector<std::string> findings;  // all texts
  std::string text() const;           // of all of them
  uint8_t &byteAt(const Event &event, uint64_t address);

private:
  std::unique_ptr<Reporter> reporter;
  std::vector<std::vector<std::byte>> shared;
  std::vector<std::unique_ptr<BlockChecker>> checkers;
  uint64_t addresses[32], sources[32];
  std::byte values[32 * 128];
};

} // namespace tilecc::emu::test
#endif
