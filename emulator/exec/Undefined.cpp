//===-- Undefined.cpp ------------------------------------------------------------------------------------------===//
#include "emulator/exec/Undefined.h"
#include "emulator/exec/Program.h"

using namespace tilecc::emu;

static Mask undefinedReads(const Warp &warp, const Inst &inst) {
  Mask undefined = 0;
  const Program &program = *warp.block->launch->program;
  const std::vector<uint32_t> &reads = program.reads[warp.pc(inst)];
  for (size_t i = 0; i < inst.sources; ++i)
    undefined |= warp.undefined[reads[i]];
  return undefined;
}

static void report(Warp &warp, const Inst &inst, Mask lanes, const char *what) {
  warp.block->launch->reporter->report(std::string("undefined ") + what, warp.place(inst, lanes),
                                       std::string("a register that was never written is used as ") + what);
}

static void setWrites(Warp &warp, const Inst &inst, Mask lanes, Mask undefined) {
  for (uint32_t row : warp.block->launch->program->writes[warp.pc(inst)])
    warp.undefined[row] = (warp.undefined[row] & ~lanes) | (undefined & lanes);
}

void tilecc::emu::followUndefined(Warp &warp, const Inst &inst, Mask lanes) {
  Mask undefined = undefinedReads(warp, inst) & lanes;
  if (undefined && inst.selects) { // selp: of the two values only one counts
    const std::vector<uint32_t> &reads = warp.block->launch->program->reads[warp.pc(inst)];
    Mask choice = warp.mask(inst.op[inst.dests + 2]);
    undefined = ((warp.undefined[reads[0]] & choice) | (warp.undefined[reads[1]] & ~choice) | warp.undefined[reads[2]]) &
                lanes;
  }
  if (undefined && inst.memory) {
    report(warp, inst, undefined, inst.dests ? "an address" : "an address or a value that is stored");
    undefined = 0;
  }
  setWrites(warp, inst, lanes, undefined);
}

void tilecc::emu::followCollective(Warp &warp, const Inst &inst, Mask lanes) {
  Mask undefined = undefinedReads(warp, inst) & lanes;
  if (undefined && inst.memory) {
    report(warp, inst, undefined, "an address or a value that is stored");
    undefined = 0;
  }
  setWrites(warp, inst, lanes, undefined ? lanes : 0);
}

void tilecc::emu::checkGuard(Warp &warp, const Inst &inst, Mask lanes) {
  const Program &program = *warp.block->launch->program;
  uint32_t guard = program.reads[warp.pc(inst)].back();
  if (Mask undefined = warp.undefined[guard] & lanes)
    report(warp, inst, undefined, inst.flow == Flow::branch ? "the condition of a branch" : "a guard");
}
