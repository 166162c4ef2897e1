//===-- Checker.cpp - what kernels do wrong --------------------------------------------------------------------===//
#include "emulator/checks/Checker.h"
#include "emulator/checks/Words.h"

#include <bit>

using namespace tilecc::emu;

struct LaunchChecker::State {
  Options options;
  DeviceMemory &memory;
  Reporter &reporter;
};

struct BlockChecker::State {
  LaunchChecker::State &launch;
  uint64_t block;
  uint32_t sharedBytes, localBytes, paramBytes;
};

LaunchChecker::LaunchChecker(Options options, DeviceMemory &memory, Reporter &reporter)
    : state(new State{options, memory, reporter}) {}
LaunchChecker::~LaunchChecker() = default;

std::unique_ptr<BlockChecker> LaunchChecker::startBlock(uint64_t block, uint32_t, std::byte *, uint32_t sharedBytes,
                                                        uint32_t localBytesPerThread, uint32_t paramBytes) {
  auto checker = std::make_unique<BlockChecker>();
  checker->state.reset(new BlockChecker::State{*state, block, sharedBytes, localBytesPerThread, paramBytes});
  return checker;
}

BlockChecker::BlockChecker() = default;
BlockChecker::~BlockChecker() = default;

void BlockChecker::access(const Access &a) {
  LaunchChecker::State &launch = state->launch;
  bool device = a.where == Access::global || a.where == Access::constant;
  uint64_t room = a.where == Access::shared  ? state->sharedBytes
                  : a.where == Access::local ? state->localBytes
                                             : state->paramBytes;
  std::string space = words::space(a.where), noun = words::noun(a.kind);
  for (Mask rest = a.lanes; rest; rest &= rest - 1) {
    unsigned lane = std::countr_zero(rest);
    uint64_t address = a.address[lane];
    Place place{state->block, a.warp * 32 + lane, a.pc};
    auto fault = [&](int error, const std::string &what, const std::string &where) {
      launch.reporter.fault(error, what, place, what,
                            {launch.reporter.thread(place) + " " + words::does(a.kind) + " " + words::bytes(a.bytes) + " " +
                                 where,
                             words::instruction(launch.reporter, a.pc)});
    };
    if (address & (a.align - 1))
      fault(errorMisalignedAddress, "misaligned " + noun + " of " + space + " memory",
            "at " + words::hex(address) + ", which is not a multiple of " + std::to_string(a.align));
    if (device) {
      DeviceMemory::State valid = launch.memory.check(address, a.bytes);
      if (valid == DeviceMemory::State::freed)
        fault(errorIllegalAddress, noun + " of freed " + space + " memory", launch.memory.describe(address));
      if (valid == DeviceMemory::State::outOfBounds) {
        // The first byte that is outside.
        uint64_t outside = address;
        while (outside < address + a.bytes - 1 && launch.memory.check(outside, 1) == DeviceMemory::State::valid)
          ++outside;
        fault(errorIllegalAddress, "out-of-bounds " + noun + " of " + space + " memory",
              outside == address ? launch.memory.describe(address)
                                 : launch.memory.describe(address) + ", over its end");
      }
      if (a.kind != Access::load && launch.memory.isProtected(address, a.bytes))
        fault(errorIllegalAddress, noun + " of constant memory", launch.memory.describe(address));
      if (launch.options.initialized) {
        if (a.kind != Access::store && !launch.memory.isInitialized(address, a.bytes))
          launch.reporter.report("uninitialized", place, "read of uninitialized " + space + " memory",
                                 {launch.reporter.thread(place) + " reads " + words::bytes(a.bytes) + " of " + space +
                                      " memory that nothing has written, " + launch.memory.describe(address),
                                  words::instruction(launch.reporter, a.pc)});
        if (a.kind != Access::load)
          launch.memory.markInitialized(address, a.bytes);
      }
    } else if (address > room || a.bytes > room - address) {
      fault(errorIllegalAddress, "out-of-bounds " + noun + " of " + space + " memory",
            "at " + space + "+" + words::hex(address) + ", of " + words::bytes(room));
    }
  }
}

// Races are not looked for yet.
void BlockChecker::syncWarp(uint32_t, Mask) {}
void BlockChecker::arrive(uint32_t, uint64_t) {}
void BlockChecker::pass(uint32_t, uint64_t) {}
void BlockChecker::fence(uint32_t, Scope) {}
void BlockChecker::mbarrierArrive(uint32_t, uint32_t) {}
void BlockChecker::mbarrierPass(uint32_t, uint32_t) {}
void BlockChecker::mbarrierInit(uint32_t, uint32_t) {}
void BlockChecker::asyncCopy(const Access &read, const Access &write, uint32_t) {
  access(read);
  access(write);
}
void BlockChecker::asyncWait(uint32_t, uint32_t) {}
void BlockChecker::asyncArrive(uint32_t, uint32_t, uint32_t) {}
