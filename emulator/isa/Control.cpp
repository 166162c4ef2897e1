//===-- Control.cpp - branches, system calls, miscellaneous (PTX ISA 9.7.13, 9.7.19) ---------------------------===//
#include "emulator/exec/Program.h"
#include "emulator/exec/Replicas.h"
#include "emulator/isa/SystemCalls.h"
#include "emulator/isa/Table.h"

#include <algorithm>

using namespace tilecc::emu;

static void doNothing(Warp &, const Inst &, Mask) {} // the interpreter does everything

static void selectNothing(const Match &, Inst &inst) { inst.run = &doNothing; }

static void trap(Warp &warp, const Inst &inst, Mask lanes) {
  warp.fault(inst, lanes, errorLaunchFailure, "trap", "the kernel ran into a trap");
}

//===-- replicas: our own instruction, in comments -------------------------------------------------------------===//

// op: a value, the thread's number, the bits of it that do not affect the value, the number of threads.
template <class T> static void compareReplicas(Warp &warp, const Inst &inst, Mask lanes) {
  if (!warp.block->replicas)
    return;
  uint64_t values[warpSize];
  std::copy_n(warp.row<T>(inst.op[0]), +warpSize, values);
  unsigned lane = __builtin_ctz(lanes);
  warp.block->replicas->compare(warp, inst, lanes, values, warp.row<u32>(inst.op[1]), warp.row<u32>(inst.op[2])[lane],
                                warp.row<u32>(inst.op[3])[lane]);
}

//===-- setmaxnreg ---------------------------------------------------------------------------------------------===//

// Checks that the warps of a warpgroup request the same values, in the same order.
static void checkWarpGroup(Warp &warp, const Inst &inst, u32 wanted) {
  enum : uint32_t { warpsOfGroup = 4 };
  size_t turn = warp.registerChanges.size();
  uint32_t first = warp.index / warpsOfGroup * warpsOfGroup;
  for (uint32_t w = first; w < std::min<size_t>(first + warpsOfGroup, warp.block->warps.size()); ++w)
    if (const auto &others = warp.block->warps[w].registerChanges;
        others.size() > turn && others[turn].registers != wanted)
      warp.fault(inst, allLanes, errorLaunchFailure, "setmaxnreg",
                 "setmaxnreg to " + std::to_string(wanted) +
                     " registers, and another warp of the warpgroup has gone to " +
                     std::to_string(others[turn].registers));
}

// op: registers per thread. A warp waits until other warps have released enough registers.
template <bool increases> static void setRegisters(Warp &warp, const Inst &inst, Mask lanes) {
  u32 wanted = warp.row<u32>(inst.op[0])[__builtin_ctz(lanes)];
  if (wanted < 24 || wanted > 256 || wanted % 8)
    warp.fault(inst, lanes, errorIllegalInstruction, "setmaxnreg",
               "setmaxnreg to " + std::to_string(wanted) + " registers: it takes 24 to 256, in steps of 8");
  if (!warp.registers) // .maxnreg and .maxntid do not determine the number, and ptxas ignores the instruction
    return;
  if (increases ? wanted < warp.registers : wanted > warp.registers)
    warp.fault(inst, lanes, errorLaunchFailure, "setmaxnreg",
               std::string(increases ? "setmaxnreg.inc" : "setmaxnreg.dec") + " to " + std::to_string(wanted) +
                   " registers, and the threads have " + std::to_string(warp.registers));
  Block &block = *warp.block;
  if (increases && block.freeRegisters < (wanted - warp.registers) * warpSize) {
    warp.asksFor = {Wait::registers, warp.pc(inst)};
    return;
  }
  checkWarpGroup(warp, inst, wanted);
  block.freeRegisters += (warp.registers - wanted) * warpSize; // correct modulo 2^32
  warp.registers = wanted;
  warp.registerChanges.push_back({wanted, warp.pc(inst)});
  ++warp.changes;
}

Rows tilecc::emu::controlRows() {
  return {
      {"bra{.uni} label", selectNothing, Flow::branch},
      {"brx.idx{.uni} a:u32, symbol", [](const Match &, Inst &inst) { inst.run = &doNothing; }, Flow::indexed},
      {"ret{.uni}", selectNothing, Flow::exit},
      {"exit", selectNothing, Flow::exit},
      {"trap", [](const Match &, Inst &inst) { inst.run = &trap; }},
      {"brkpt", selectNothing},
      {"pmevent a:u32", selectNothing},
      {"replicas.T a, b:u32, c:u32, f:u32; T = b32 b64",
       [](const Match &match, Inst &inst) {
         inst.run = match.T == Type::b32 ? &compareReplicas<u32> : &compareReplicas<u64>;
       }},
      {"nanosleep.T a; T = u32", selectNothing, Flow::pause},
      {"griddepcontrol(.launch_dependents|.wait)", selectNothing},
      {"setmaxnreg.inc.sync.aligned.u32 a:u32", [](const Match &, Inst &inst) { inst.run = &setRegisters<true>; },
       Flow::collective},
      {"setmaxnreg.dec.sync.aligned.u32 a:u32", [](const Match &, Inst &inst) { inst.run = &setRegisters<false>; },
       Flow::collective},
  };
}

//===-- Clocks -------------------------------------------------------------------------------------------------===//

// Reads a clock. A clock must advance, and runs must replay exactly. In a profile, it is the warp's time in steps,
// including waits, so that the clocks of warps can be compared. Otherwise it is the number of times that the warp has
// read it.
void tilecc::emu::readClock(Warp &warp, const Inst &inst, Mask lanes) {
  const BlockProfile *profile = warp.block->profile.get();
  u64 now = profile ? profile->now(warp.index) : ++warp.clock;
  if (inst.elementBytes == 8)
    writeLanes<u64>(warp.file, inst.op[0], lanes, now);
  else
    writeLanes<u32>(warp.file, inst.op[0], lanes, static_cast<u32>(inst.extra ? now >> 32 : now));
}
