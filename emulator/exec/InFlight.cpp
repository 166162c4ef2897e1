//===-- InFlight.cpp -------------------------------------------------------------------------------------------===//
#include "emulator/exec/InFlight.h"
#include "emulator/exec/Program.h"

#include <algorithm>

using namespace tilecc::emu;

// Returns the number of registers of A, which is 0 if A is in shared memory. The operands of a wgmma are the
// accumulators, then A (a descriptor or four registers), B's descriptor, and the predicate.
static size_t operandCount(const Inst &inst) { return inst.target - 2 * inst.dests == 2 ? 0 : 4; }

template <class F> static void eachRow(const Program &program, const Warp::InFlight &wgmma, F use) {
  const Inst &inst = program.code[wgmma.pc];
  for (uint32_t row : program.writes[wgmma.pc])
    use(row, true);
  for (size_t i = 0; i < operandCount(inst); ++i)
    use(program.reads[wgmma.pc][inst.dests + i], false);
}

void tilecc::emu::followFences(Warp &warp, const Inst &inst, Mask lanes) {
  const Program &program = *warp.block->launch->program;
  uint32_t pc = warp.pc(inst);
  const std::vector<uint32_t> &reads = program.reads[pc], &writes = program.writes[pc];
  if (!isWgmma(inst)) {
    // A move does not count as a use: the value keeps the fence requirement of its source.
    bool moves = inst.parts == Parts::copy || inst.parts == Parts::pack || inst.parts == Parts::unpack;
    uint32_t next = warp.wgmmaFences + 1, written = moves ? 0 : next;
    for (size_t i = 0; moves && i < inst.sources; ++i)
      written = std::max(written, warp.fenceNeeded[reads[i]].beforeUse);
    for (size_t i = 0; !moves && i < reads.size(); ++i)
      warp.fenceNeeded[reads[i]].beforeWrite = next;
    for (uint32_t row : writes)
      warp.fenceNeeded[row] = {written, written};
    return;
  }
  bool missing = warp.wgmmaFences == 0;
  for (size_t i = 0; i < inst.dests + operandCount(inst); ++i)
    missing |= warp.fenceNeeded[reads[i]].beforeUse > warp.wgmmaFences ||
               (i < inst.dests && warp.fenceNeeded[reads[i]].beforeWrite > warp.wgmmaFences);
  if (missing)
    warp.block->launch->reporter->report("wgmma.fence", warp.place(inst, lanes),
                                         "a wgmma uses registers that others have used, with no wgmma.fence in between",
                                         {warp.block->launch->reporter->thread(warp.place(inst, lanes)) + " executes",
                                          "  " + warp.block->launch->reporter->names().instruction(pc)});
}

void tilecc::emu::fenceWgmma(Warp &warp) { ++warp.wgmmaFences; }

void tilecc::emu::takeOff(Warp &warp, const Inst &inst) {
  const Launch &launch = *warp.block->launch;
  if (!launch.checksInitialized)
    return;
  warp.accumulatorsInFlight.resize(launch.program->rowNumbers);
  warp.operandsInFlight.resize(launch.program->rowNumbers);
  warp.inFlight.push_back({warp.pc(inst), warp.wgmmaGroups + 1});
  eachRow(*launch.program, warp.inFlight.back(),
          [&](uint32_t row, bool isSum) { ++(isSum ? warp.accumulatorsInFlight : warp.operandsInFlight)[row]; });
}

void tilecc::emu::land(Warp &warp, uint64_t group) {
  const Program &program = *warp.block->launch->program;
  std::erase_if(warp.inFlight, [&](const Warp::InFlight &wgmma) {
    if (wgmma.group > group)
      return false;
    eachRow(program, wgmma,
            [&](uint32_t row, bool isSum) { --(isSum ? warp.accumulatorsInFlight : warp.operandsInFlight)[row]; });
    return true;
  });
}

void tilecc::emu::checkInFlight(Warp &warp, const Inst &inst, Mask lanes) {
  const Program &program = *warp.block->launch->program;
  uint32_t pc = warp.pc(inst);
  bool adds = isWgmma(inst); // it may add to accumulators in flight, as chained wgmmas do
  bool touches = false;
  for (uint32_t row : program.writes[pc])
    touches |= (!adds && warp.accumulatorsInFlight[row]) || warp.operandsInFlight[row];
  for (size_t i = adds ? inst.dests : 0; i < program.reads[pc].size(); ++i)
    touches |= warp.accumulatorsInFlight[program.reads[pc][i]] != 0;
  if (touches)
    warp.block->launch->reporter->report(
        "in flight", warp.place(inst, lanes),
        "a register is used that belongs to a wgmma, with no wait for it (wgmma.wait_group) in between",
        {warp.block->launch->reporter->thread(warp.place(inst, lanes)) + " executes",
         "  " + warp.block->launch->reporter->names().instruction(pc)});
}

//===-- tcgen05.ld ---------------------------------------------------------------------------------------------===//

void tilecc::emu::takeOffLoad(Warp &warp, const Inst &inst) {
  const Launch &launch = *warp.block->launch;
  if (!launch.checksInitialized)
    return;
  warp.loadsInFlight.resize(launch.program->rowNumbers);
  warp.tensorLoads.push_back(warp.pc(inst));
  for (uint32_t row : launch.program->writes[warp.pc(inst)])
    ++warp.loadsInFlight[row];
}

void tilecc::emu::landLoads(Warp &warp) {
  for (uint32_t pc : warp.tensorLoads)
    for (uint32_t row : warp.block->launch->program->writes[pc])
      --warp.loadsInFlight[row];
  warp.tensorLoads.clear();
}

void tilecc::emu::checkLoadsInFlight(Warp &warp, const Inst &inst, Mask lanes) {
  const Program &program = *warp.block->launch->program;
  uint32_t pc = warp.pc(inst);
  bool touches = false;
  for (const std::vector<uint32_t> *rows : {&program.reads[pc], &program.writes[pc]})
    for (uint32_t row : *rows)
      touches |= warp.loadsInFlight[row] != 0;
  if (touches)
    warp.block->launch->reporter->report(
        "tcgen05.ld in flight", warp.place(inst, lanes),
        "a register is used that tcgen05.ld loads, with no tcgen05.wait::ld in between",
        {warp.block->launch->reporter->thread(warp.place(inst, lanes)) + " executes",
         "  " + warp.block->launch->reporter->names().instruction(pc)});
}
