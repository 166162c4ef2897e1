//===-- Scene.cpp - builds small histories of warps for tests of the checks ------------------------------------===//
#include "Scene.h"

#include <cstring>

using namespace tilecc::emu;
using namespace tilecc::emu::test;

Scene::Scene(LaunchChecker::Options options, uint32_t blocks, uint32_t warps) {
  allocation = memory.allocate(globalBytes);
  LaunchNames names;
  names.kernel = "k";
  names.grid[0] = blocks;
  names.block[0] = warps * 32;
  names.source = [](uint32_t pc) { return "k.tt.cpp:" + std::to_string(pc); };
  names.instruction = [](uint32_t pc) { return "#" + std::to_string(pc); };
  reporter = std::make_unique<Reporter>(names, [this](const std::string &text) { findings.push_back(text); });
  launch = std::make_unique<LaunchChecker>(std::move(options), memory, *reporter);
  for (uint32_t block = 0; block < blocks; ++block) {
    shared.emplace_back(sharedBytes);
    checkers.push_back(
        launch->startBlock(block, warps, shared.back().data(), sharedBytes, localBytes, paramBytes, warps * 32));
  }
}

Scene::~Scene() { checkers.clear(); }

std::string Scene::text() const {
  std::string all;
  for (const std::string &finding : findings)
    all += finding;
  return all;
}

uint8_t &Scene::byteAt(const Event &event, uint64_t address) {
  std::byte *at = event.where == Access::shared ? &shared[event.home >= 0 ? event.home : event.block][address]
                                                : memory.backing(allocation + address, 1);
  return *reinterpret_cast<uint8_t *>(at);
}

void Scene::fill(uint8_t value) {
  memset(memory.backing(allocation, globalBytes), value, globalBytes);
  memory.markInitialized(allocation, globalBytes);
  for (auto &bytes : shared)
    memset(bytes.data(), value, bytes.size());
}

Access Scene::describe(const Event &event, uint32_t pc) {
  Access access;
  access.kind = event.kind;
  access.where = event.where;
  access.order = event.order;
  access.scope = event.scope;
  access.warp = event.warp;
  access.pc = pc;
  access.bytes = event.bytes;
  access.lanes = event.lanes;
  access.align = event.bytes & -event.bytes;
  access.address = addresses;
  access.replaces = event.replaces;
  bool device = event.where == Access::global || event.where == Access::constant;
  for (unsigned lane = 0; lane < 32; ++lane) {
    addresses[lane] = event.address(lane) + (device ? allocation : 0);
    uint64_t value = event.value + lane * event.valueStep;
    for (uint32_t byte = 0; byte < event.bytes; ++byte)
      values[lane * event.bytes + byte] = std::byte(value >> (byte % 8 * 8));
  }
  if (event.kind == Access::store)
    access.values = values;
  if (event.home >= 0)
    access.home = &block(event.home);
  return access;
}

void Scene::run(const Event &event, uint32_t pc) {
  BlockChecker &checker = block(event.block), *home = event.home >= 0 ? &block(event.home) : nullptr;
  switch (event.op) {
  case Event::access: {
    Access access = describe(event, pc);
    checker.access(access);
    if (event.kind != Access::load && event.where != Access::local)
      for (unsigned lane = 0; lane < 32; ++lane)
        for (uint32_t byte = 0; byte < event.bytes && event.lanes >> lane & 1; ++byte)
          byteAt(event, event.address(lane) + byte) =
              event.kind == Access::store || event.replaces ? uint8_t(values[lane * event.bytes + byte])
                                          : byteAt(event, event.address(lane) + byte) + 1;
    checker.performed();
    return;
  }
  case Event::await: {
    Access poll = describe(event, pc);
    poll.polls = true;
    checker.access(poll);
    uint32_t seen[32] = {}, wanted[32] = {uint32_t(event.value)};
    memcpy(seen, memory.backing(poll.address[0], 4), 4);
    checker.performed();
    checker.awaited(poll, seen, wanted);
    return;
  }
  case Event::copy: {
    Access write = describe(event, pc);
    write.where = Access::shared;
    write.values = nullptr;
    Access read = write;
    read.kind = Access::load;
    read.where = Access::global;
    read.address = sources;
    for (unsigned lane = 0; lane < 32; ++lane)
      sources[lane] = allocation + event.from + lane * event.stride;
    checker.asyncCopy(read, write, event.group);
    return;
  }
  case Event::syncWarp:
    return checker.syncWarp(event.warp, event.lanes);
  case Event::arrive:
    return checker.arrive(event.warp, event.token, event.lanes);
  case Event::pass:
    return checker.pass(event.warp, event.token, event.lanes);
  case Event::fence:
    return checker.fence(event.warp, event.scope, event.lanes);
  case Event::wait:
    return checker.asyncWait(event.warp, event.group, event.lanes);
  case Event::copiesArrive:
    return checker.asyncArrive(event.warp, event.group, event.base, event.lanes, event.phase);
  case Event::mbarrierArrive:
    return checker.mbarrierArrive(event.warp, event.base, event.lanes, event.phase, home,
                                  /*fencedOnly=*/event.order == Order::relaxed);
  case Event::mbarrierPass:
    return checker.mbarrierPass(event.warp, event.base, event.lanes, event.phase, home);
  case Event::exit:
    return checker.exit(event.warp, event.lanes);
  case Event::end:
    return checker.end();
  }
}

void Scene::run(const std::vector<Event> &events) {
  for (size_t i = 0; i < events.size(); ++i)
    run(events[i], i);
}
