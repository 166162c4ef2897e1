//===-- Warp.cpp - communication between lanes (PTX ISA 9.7.9.6, 9.7.13) ---------------------------------------===//
#include "emulator/exec/Undefined.h"
#include "emulator/isa/Operators.h"
#include "emulator/isa/Table.h"

#include <algorithm>

using namespace tilecc::emu;
using namespace tilecc::emu::operators;

// Tells the interpreter which operand is the member mask: it runs these instructions when all members have arrived.
static void setMembers(Inst &inst, unsigned operand) { inst.extra = operand + 1; }

namespace {
enum class Shuffle : uint8_t { up, down, bfly, idx };
}

// op: d, p, a, b, c, members. The formulas are those of the manual's shfl.sync page.
template <Shuffle mode> static void shuffle(Warp &warp, const Inst &inst, Mask lanes) {
  u32 a[warpSize];
  std::memcpy(a, warp.row<u32>(inst.op[2]), sizeof(a));
  const u32 *b = warp.row<u32>(inst.op[3]), *c = warp.row<u32>(inst.op[4]);
  u32 *d = warp.row<u32>(inst.op[0]);
  Mask &p = warp.mask(inst.op[1]);
  uint8_t sources[warpSize];
  Mask absent = 0; // lanes whose source does not participate and provides no value
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest), by = b[lane] & 31, clamp = c[lane] & 31, segment = c[lane] >> 8 & 31;
    int last = (lane & segment) | (clamp & ~segment), first = lane & segment, from;
    bool inside;
    switch (mode) {
    case Shuffle::up:
      from = lane - by;
      inside = from >= last;
      break;
    case Shuffle::down:
      from = lane + by;
      inside = from <= last;
      break;
    case Shuffle::bfly:
      from = lane ^ by;
      inside = from <= last;
      break;
    case Shuffle::idx:
      from = first | (by & ~segment);
      inside = from <= last;
      break;
    }
    if (!inside)
      from = lane;
    if (!(lanes >> from & 1))
      absent |= Mask(1) << lane;
    sources[lane] = static_cast<uint8_t>(from);
    d[lane] = a[from];
    p = inside ? p | Mask(1) << lane : p & ~(Mask(1) << lane);
  }
  if (absent || !warp.undefined.empty())
    followShuffle(warp, inst, lanes, sources, absent);
}

template <Shuffle mode> static void selectShuffle(const Match &, Inst &inst) {
  setMembers(inst, 5);
  inst.parts = Parts::exchange;
  inst.run = &shuffle<mode>;
}

// op: d, a, members
template <int mode> static void vote(Warp &warp, const Inst &inst, Mask lanes) {
  Mask votes = warp.mask(inst.op[1]) & lanes;
  if constexpr (mode == 3) {
    writeLanes<u32>(warp.file, inst.op[0], lanes, votes);
  } else {
    bool result = mode == 0 ? votes == lanes : mode == 1 ? votes != 0 : votes == 0 || votes == lanes;
    Mask &d = warp.mask(inst.op[0]);
    d = result ? d | lanes : d & ~lanes;
  }
}

template <int mode> static void selectVote(const Match &, Inst &inst) {
  setMembers(inst, 2);
  inst.run = &vote<mode>;
}

// match.any: the lanes that have the same value. op: d, a, members
template <class T> static void matchAny(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[1]);
  Mask same[warpSize] = {};
  for (Mask rest = lanes; rest; rest &= rest - 1)
    for (Mask other = lanes; other; other &= other - 1)
      if (a[__builtin_ctz(rest)] == a[__builtin_ctz(other)])
        same[__builtin_ctz(rest)] |= Mask(1) << __builtin_ctz(other);
  writeRow<u32>(warp, inst.op[0], lanes, [&](unsigned lane) { return same[lane]; });
}

// match.all: the members if all have the same value, else none. op: d, p, a, members
template <class T> static void matchAll(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[2]);
  bool all = true;
  for (Mask rest = lanes; rest; rest &= rest - 1)
    all &= a[__builtin_ctz(rest)] == a[__builtin_ctz(lanes)];
  writeLanes<u32>(warp.file, inst.op[0], lanes, all ? lanes : 0);
  Mask &p = warp.mask(inst.op[1]);
  p = all ? p | lanes : p & ~lanes;
}

// op: d, a, members
template <class T, class F> static void reduce(Warp &warp, const Inst &inst, Mask lanes) {
  const T *a = warp.row<T>(inst.op[1]);
  T result = a[__builtin_ctz(lanes)];
  for (Mask rest = lanes & (lanes - 1); rest; rest &= rest - 1)
    result = static_cast<T>(F{}(result, a[__builtin_ctz(rest)]));
  writeLanes<T>(warp.file, inst.op[0], lanes, result);
}

template <class F> static void selectReduce(const Match &match, Inst &inst) {
  setMembers(inst, 2);
  inst.run = match.T == Type::s32 ? &reduce<s32, F> : &reduce<u32, F>;
}

// elect: the leader is the lowest lane. op: d, p, members
static void elect(Warp &warp, const Inst &inst, Mask lanes) {
  Mask leader = lanes & -lanes;
  writeLanes<u32>(warp.file, inst.op[0], lanes, __builtin_ctz(lanes));
  Mask &p = warp.mask(inst.op[1]);
  p = (p & ~lanes) | leader;
}

static void activeMask(Warp &warp, const Inst &inst, Mask lanes) {
  writeLanes<u32>(warp.file, inst.op[0], lanes, lanes);
}

static void syncWarp(Warp &warp, const Inst &, Mask lanes) {
  if (warp.block->checker)
    warp.block->checker->syncWarp(warp.index, lanes);
}

Rows tilecc::emu::warpRows() {
  return {
      {"shfl.sync.up.b32 d|p:b32, a:b32, b:b32, c:b32, m:b32", selectShuffle<Shuffle::up>, Flow::collective},
      {"shfl.sync.down.b32 d|p:b32, a:b32, b:b32, c:b32, m:b32", selectShuffle<Shuffle::down>, Flow::collective},
      {"shfl.sync.bfly.b32 d|p:b32, a:b32, b:b32, c:b32, m:b32", selectShuffle<Shuffle::bfly>, Flow::collective},
      {"shfl.sync.idx.b32 d|p:b32, a:b32, b:b32, c:b32, m:b32", selectShuffle<Shuffle::idx>, Flow::collective},
      {"vote.sync.all.pred d:pred, a:pred, m:b32", selectVote<0>, Flow::collective},
      {"vote.sync.any.pred d:pred, a:pred, m:b32", selectVote<1>, Flow::collective},
      {"vote.sync.uni.pred d:pred, a:pred, m:b32", selectVote<2>, Flow::collective},
      {"vote.sync.ballot.b32 d:b32, a:pred, m:b32", selectVote<3>, Flow::collective},
      {"vote.ballot.sync.b32 d:b32, a:pred, m:b32", selectVote<3>, Flow::collective}, // CUB's spelling
      {"match.any.sync.T d:b32, a, m:b32; T = b32 b64",
       [](const Match &match, Inst &inst) {
         setMembers(inst, 2);
         inst.run = match.T == Type::b32 ? &matchAny<u32> : &matchAny<u64>;
       },
       Flow::collective},
      {"match.all.sync.T d|p:b32, a, m:b32; T = b32 b64",
       [](const Match &match, Inst &inst) {
         setMembers(inst, 3);
         inst.run = match.T == Type::b32 ? &matchAll<u32> : &matchAll<u64>;
       },
       Flow::collective},
      {"redux.sync.add.T d, a, m:b32; T = u32 s32", selectReduce<Add>, Flow::collective},
      {"redux.sync.min.T d, a, m:b32; T = u32 s32", selectReduce<Min>, Flow::collective},
      {"redux.sync.max.T d, a, m:b32; T = u32 s32", selectReduce<Max>, Flow::collective},
      {"redux.sync.and.T d, a, m:b32; T = b32", selectReduce<And>, Flow::collective},
      {"redux.sync.or.T d, a, m:b32; T = b32", selectReduce<Or>, Flow::collective},
      {"redux.sync.xor.T d, a, m:b32; T = b32", selectReduce<Xor>, Flow::collective},
      {"elect.sync d|p:b32, m:b32",
       [](const Match &, Inst &inst) {
         setMembers(inst, 2);
         inst.run = &elect;
       },
       Flow::collective},
      {"activemask.b32 d:b32", [](const Match &, Inst &inst) { inst.run = &activeMask; }},
      {"bar.warp.sync m:b32",
       [](const Match &, Inst &inst) {
         setMembers(inst, 0);
         inst.anywhere = true;
         inst.run = &syncWarp;
       },
       Flow::collective},
  };
}
