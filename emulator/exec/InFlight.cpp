//===-- InFlight.cpp -------------------------------------------------------------------------------------------===//
#include "emulator/exec/InFlight.h"
#include "emulator/exec/Program.h"

using namespace tilecc::emu;

// The operands of a product: the sums that it is given, then A, a descriptor or four registers, then B's descriptor and
// the predicate.
static size_t operandCount(const Inst &inst) { return inst.target - 2 * inst.dests == 2 ? 0 : 4; }

template <class F> static void eachRow(const Program &program, const Warp::InFlight &product, F use) {
  const Inst &inst = program.code[product.pc];
  for (uint32_t row : program.writes[product.pc])
    use(row, true);
  for (size_t i = 0; i < operandCount(inst); ++i)
    use(program.reads[product.pc][inst.dests + i], false);
}

void tilecc::emu::takeOff(Warp &warp, const Inst &inst) {
  const Launch &launch = *warp.block->launch;
  if (!launch.checksInitialized)
    return;
  warp.sumsInFlight.resize(launch.program->rowNumbers);
  warp.operandsInFlight.resize(launch.program->rowNumbers);
  warp.inFlight.push_back({warp.pc(inst), warp.productGroups + 1});
  eachRow(*launch.program, warp.inFlight.back(),
          [&](uint32_t row, bool isSum) { ++(isSum ? warp.sumsInFlight : warp.operandsInFlight)[row]; });
}

void tilecc::emu::land(Warp &warp, uint64_t group) {
  const Program &program = *warp.block->launch->program;
  std::erase_if(warp.inFlight, [&](const Warp::InFlight &product) {
    if (product.group > group)
      return false;
    eachRow(program, product,
            [&](uint32_t row, bool isSum) { --(isSum ? warp.sumsInFlight : warp.operandsInFlight)[row]; });
    return true;
  });
}

void tilecc::emu::checkInFlight(Warp &warp, const Inst &inst, Mask lanes) {
  const Program &program = *warp.block->launch->program;
  uint32_t pc = warp.pc(inst);
  bool adds = isProduct(inst); // to sums that are in flight, as products in a chain do
  bool touches = false;
  for (uint32_t row : program.writes[pc])
    touches |= (!adds && warp.sumsInFlight[row]) || warp.operandsInFlight[row];
  for (size_t i = adds ? inst.dests : 0; i < program.reads[pc].size(); ++i)
    touches |= warp.sumsInFlight[program.reads[pc][i]] != 0;
  if (touches)
    warp.block->launch->reporter->report(
        "in flight", warp.place(inst, lanes),
        "a register is used that belongs to a wgmma, with no wait for it (wgmma.wait_group) in between",
        {warp.block->launch->reporter->thread(warp.place(inst, lanes)) + " executes",
         "  " + warp.block->launch->reporter->names().instruction(pc)});
}
