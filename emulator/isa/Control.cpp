//===-- Control.cpp - branches, calls of the device's own library, the rest (PTX ISA 9.7.13, 9.7.19) -----------===//
#include "emulator/exec/Program.h"
#include "emulator/isa/SystemCalls.h"
#include "emulator/isa/Table.h"

#include <chrono>

using namespace tilecc::emu;

static void doNothing(Warp &, const Inst &, Mask) {} // the interpreter knows what to do

static void selectNothing(const Match &, Inst &inst) { inst.run = &doNothing; }

static void trap(Warp &warp, const Inst &inst, Mask lanes) {
  warp.fault(inst, lanes, errorLaunchFailure, "trap", "the kernel ran into a trap");
}

Rows tilecc::emu::controlRows() {
  return {
      {"bra{.uni} label", selectNothing, Flow::branch},
      {"brx.idx{.uni} a:u32, symbol",
       [](const Match &, Inst &inst) { inst.run = &doNothing; }, Flow::indexed},
      {"ret{.uni}", selectNothing, Flow::exit},
      {"exit", selectNothing, Flow::exit},
      {"trap", [](const Match &, Inst &inst) { inst.run = &trap; }},
      {"brkpt", selectNothing},
      {"pmevent a:u32", selectNothing},
      {"nanosleep.T a; T = u32", selectNothing, Flow::pause},
      {"griddepcontrol(.launch_dependents|.wait)", selectNothing},
      {"setmaxnreg(.inc|.dec).sync.aligned.u32 a:u32", selectNothing},
  };
}

//===-- Clocks -------------------------------------------------------------------------------------------------===//

// A clock that counts the warp's instructions: it moves on, and a run replays exactly.
void tilecc::emu::readClock(Warp &warp, const Inst &inst, Mask lanes) {
  u64 now = ++warp.clock;
  if (inst.elementBytes == 8)
    writeLanes<u64>(warp.file, inst.op[0], lanes, now);
  else
    writeLanes<u32>(warp.file, inst.op[0], lanes, static_cast<u32>(inst.extra ? now >> 32 : now));
}
