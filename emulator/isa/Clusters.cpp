//===-- Clusters.cpp - addresses of other blocks' shared memory (PTX ISA 9.7.9) --------------------------------===//
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

static constexpr uint64_t offsetMask = (uint64_t(1) << clusterRankShift) - 1;

// op: the result, which is the same offset in another block's shared memory; the address; the block's rank.
template <class T> static void mapAddress(Warp &warp, const Inst &inst, Mask lanes) {
  const T *from = warp.row<T>(inst.op[1]);
  const u32 *ranks = warp.row<u32>(inst.op[2]);
  uint32_t count = warp.block->cluster->blocks.size();
  for (Mask rest = lanes; rest; rest &= rest - 1)
    if (unsigned lane = __builtin_ctz(rest); ranks[lane] >= count)
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "mapa",
                 "mapa for block " + std::to_string(ranks[lane]) + " of a cluster of " + std::to_string(count));
  uint64_t window = sizeof(T) == 8 ? windowMask : 0;
  writeRow<T>(warp, inst.op[0], lanes, [&](unsigned lane) {
    return static_cast<T>((from[lane] & (window | offsetMask)) | uint64_t(ranks[lane] + 1) << clusterRankShift);
  });
}

// op: the rank of the block that owns an address; the address.
template <class T> static void findRank(Warp &warp, const Inst &inst, Mask lanes) {
  const T *from = warp.row<T>(inst.op[1]);
  writeRow<u32>(warp, inst.op[0], lanes, [&](unsigned lane) -> u32 {
    uint64_t rank = (from[lane] & ~(sizeof(T) == 8 ? windowMask : 0)) >> clusterRankShift;
    return rank ? rank - 1 : warp.block->rank;
  });
}

Rows tilecc::emu::clusterRows() {
  return {
      {"mapa{.shared::cluster}.T d, a, b:u32; T = u32 u64",
       [](const Match &match, Inst &inst) { inst.run = match.T == Type::u32 ? &mapAddress<u32> : &mapAddress<u64>; }},
      {"getctarank{.shared::cluster}.T d:u32, a; T = u32 u64",
       [](const Match &match, Inst &inst) { inst.run = match.T == Type::u32 ? &findRank<u32> : &findRank<u64>; }},
  };
}
