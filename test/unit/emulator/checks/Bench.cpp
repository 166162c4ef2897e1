//===-- Bench.cpp - measures the time that the checks take ------------------------------------------------------===//
//
// emulator-checks-bench measures the nanoseconds that all checks take per access of a warp, for each pattern of
// accesses. (The accesses themselves are not executed.)
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/checks/Checker.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <random>

using namespace tilecc::emu;

namespace {

enum : uint32_t { warps = 4, sharedBytes = 48 << 10, globalBytes = 64 << 20 };

struct Bench {
  DeviceMemory memory;
  uint64_t data = memory.allocate(globalBytes);
  Reporter reporter{{"k", {1, 1, 1}, {128, 1, 1}, {}, {}}, [](const std::string &text) { printf("%s", text.c_str()); }};
  std::vector<std::byte> shared = std::vector<std::byte>(sharedBytes);
  uint64_t addresses[32];
  std::byte values[32 * 16] = {};
  uint64_t count = 0;
  std::unique_ptr<LaunchChecker> launch;
  std::unique_ptr<BlockChecker> block;
  uint32_t blocks = 0;
  std::mt19937 random{1};

  Bench() { memory.markInitialized(data, globalBytes); }

  void startLaunch(LaunchChecker::Options options) {
    block.reset();
    launch = std::make_unique<LaunchChecker>(std::move(options), memory, reporter);
    blocks = 0;
    startBlock();
  }
  void startBlock() {
    block.reset();
    block = launch->startBlock(blocks++, warps, shared.data(), sharedBytes, 0, 0);
  }
  template <class F>
  void access(uint32_t warp, Access::Kind kind, Access::Where where, uint32_t bytes, uint32_t pc, F address,
              Order order = Order::weak) {
    for (unsigned lane = 0; lane < 32; ++lane)
      addresses[lane] = (where == Access::global ? data : 0) + address(lane);
    Access access;
    access.kind = kind;
    access.where = where;
    access.order = order;
    access.warp = warp;
    access.pc = pc;
    access.bytes = access.align = bytes;
    access.lanes = ~Mask(0);
    access.address = addresses;
    access.values = values;
    block->access(access);
    block->performed();
    ++count;
  }
  void barrier() {
    static uint64_t token = 0;
    ++token;
    for (uint32_t warp = 0; warp < warps; ++warp)
      block->arrive(warp, token);
    for (uint32_t warp = 0; warp < warps; ++warp)
      block->pass(warp, token);
  }
};

struct Pattern {
  const char *name;
  std::function<void(Bench &)> run;
};

const Pattern patterns[] = {
    {"global load, load, store, 4 bytes",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 4096; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp) {
           uint64_t base = (block * warps + warp) * 512;
           for (uint32_t k = 0; k < 4; ++k) {
             auto at = [&](unsigned lane) { return base + k * 128 + lane * 4; };
             bench.access(warp, Access::load, Access::global, 4, 1, at);
             bench.access(warp, Access::load, Access::global, 4, 2, [&](unsigned i) { return at(i) + (16 << 20); });
             bench.access(warp, Access::store, Access::global, 4, 3, [&](unsigned i) { return at(i) + (32 << 20); });
           }
         }
     }},
    {"global store, 16 bytes",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 4096; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp)
           bench.access(warp, Access::store, Access::global, 16, 1,
                        [&](unsigned lane) { return (block * warps + warp) * 512 + lane * 16; });
     }},
    {"global load, all blocks the same",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 1024; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp)
           for (uint32_t k = 0; k < 16; ++k)
             bench.access(warp, Access::load, Access::global, 4, 1, [&](unsigned lane) { return k * 128 + lane * 4; });
     }},
    {"global load, one address",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 1024; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp)
           for (uint32_t k = 0; k < 16; ++k)
             bench.access(warp, Access::load, Access::global, 4, 1, [&](unsigned) { return k * 4; });
     }},
    {"global load, each lane its row",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 16; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp)
           for (uint32_t k = 0; k < 256; ++k)
             bench.access(warp, Access::load, Access::global, 4, 1, [&](unsigned lane) {
               return ((block * warps + warp) * 32 + lane) * 1024 + k * 4;
             });
     }},
    {"global load, random",
     [](Bench &bench) {
       for (uint32_t i = 0; i < 4096; ++i)
         bench.access(i % warps, Access::load, Access::global, 4, 1,
                      [&](unsigned) { return bench.random() % (globalBytes / 4) * 4; });
     }},
    {"shared store, barrier, load",
     [](Bench &bench) {
       for (uint32_t round = 0; round < 512; ++round) {
         for (int kind = 1; kind >= 0; --kind, bench.barrier())
           for (uint32_t warp = 0; warp < warps; ++warp)
             for (uint32_t k = 0; k < 8; ++k)
               bench.access(warp, Access::Kind(kind), Access::shared, 4, 1 + kind,
                            [&](unsigned lane) { return (warp * 8 + k) * 128 + lane * 4; });
       }
     }},
    {"shared, swizzled, 16 bytes",
     [](Bench &bench) {
       for (uint32_t round = 0; round < 512; ++round) {
         for (int kind = 1; kind >= 0; --kind, bench.barrier())
           for (uint32_t warp = 0; warp < warps; ++warp)
             for (uint64_t k = 0; k < 4; ++k)
               bench.access(warp, Access::Kind(kind), Access::shared, 16, 1 + kind, [&](uint64_t lane) {
                 return (warp * 4 + k) * 512 + lane / 8 * 128 + (lane % 8 ^ (lane / 8 + k) % 8) * 16;
               });
       }
     }},
    {"shared, transposed",
     [](Bench &bench) {
       for (uint32_t round = 0; round < 64; ++round) {
         for (int kind = 1; kind >= 0; --kind, bench.barrier())
           for (uint32_t warp = 0; warp < warps; ++warp)
             for (uint32_t k = 0; k < 32; ++k)
               bench.access(warp, Access::Kind(kind), Access::shared, 4, 1 + kind, [&](unsigned lane) {
                 return warp * 4096 + (kind ? lane * 128 + k * 4 : k * 128 + lane * 4);
               });
       }
     }},
    {"shared, 2 bytes",
     [](Bench &bench) {
       for (uint32_t round = 0; round < 512; ++round) {
         for (int kind = 1; kind >= 0; --kind, bench.barrier())
           for (uint32_t warp = 0; warp < warps; ++warp)
             for (uint32_t k = 0; k < 8; ++k)
               bench.access(warp, Access::Kind(kind), Access::shared, 2, 1 + kind,
                            [&](unsigned lane) { return (warp * 8 + k) * 64 + lane * 2; });
       }
     }},
    {"shared load, random, of all warps",
     [](Bench &bench) {
       for (uint32_t i = 0; i < 32; ++i)
         bench.access(0, Access::store, Access::shared, 4, 1, [&](unsigned lane) { return i * 128 + lane * 4; });
       bench.barrier();
       for (uint32_t i = 0; i < 4096; ++i)
         bench.access(i % warps, Access::load, Access::shared, 4, 2,
                      [&](unsigned) { return bench.random() % 1024 * 4; });
     }},
    {"shared atomics, random",
     [](Bench &bench) {
       for (uint32_t i = 0; i < 8; ++i)
         bench.access(0, Access::store, Access::shared, 4, 1, [&](unsigned lane) { return i * 128 + lane * 4; });
       bench.barrier();
       for (uint32_t i = 0; i < 4096; ++i)
         bench.access(i % warps, Access::atomic, Access::shared, 4, 2,
                      [&](unsigned) { return bench.random() % 256 * 4; }, Order::relaxed);
     }},
    {"global atomics, relaxed, all blocks the same",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 256; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp)
           for (uint32_t k = 0; k < 4; ++k)
             bench.access(warp, Access::atomic, Access::global, 4, 1,
                          [&](unsigned lane) { return (warp * 4 + k) * 128 + lane * 4; }, Order::relaxed);
     }},
    {"global atomics, acq_rel, all blocks the same",
     [](Bench &bench) {
       for (uint32_t block = 0; block < 64; ++block, bench.startBlock())
         for (uint32_t warp = 0; warp < warps; ++warp)
           for (uint32_t k = 0; k < 4; ++k)
             bench.access(warp, Access::atomic, Access::global, 4, 1,
                          [&](unsigned lane) { return (warp * 4 + k) * 128 + lane * 4; }, Order::acquireRelease);
     }},
};

double measure(Bench &bench, const Pattern &pattern, LaunchChecker::Options options) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    bench.startLaunch(options);
    bench.count = 0;
    auto start = std::chrono::steady_clock::now();
    pattern.run(bench);
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / bench.count);
  }
  return best;
}

} // namespace

// With an argument, only patterns whose names contain it.
int main(int argc, char **argv) {
  Bench bench;
  printf("%-46s %10s %10s\n", "ns for an access of 32 lanes", "all checks", "no races");
  for (const Pattern &pattern : patterns)
    if (argc < 2 || std::string(pattern.name).find(argv[1]) != std::string::npos)
      printf("%-46s %10.0f %10.0f\n", pattern.name, measure(bench, pattern, {}),
             measure(bench, pattern, {true, true, false, {}}));
}
