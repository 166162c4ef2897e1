//===-- Control.cpp - branches, barriers, waits, and instructions without effect here --------------------------===//
#include "emulator/amd/Table.h"

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

enum class Condition { always, scc0, scc1, vccZero, vccNotZero, execZero, execNotZero };
template <Condition C> void branch(Wave &wave, const Inst &inst) {
  bool taken = C == Condition::always       ? true
               : C == Condition::scc0       ? !wave.scc
               : C == Condition::scc1       ? wave.scc
               : C == Condition::vccZero    ? !wave.mask(scalarVcc)
               : C == Condition::vccNotZero ? wave.mask(scalarVcc) != 0
               : C == Condition::execZero   ? !wave.exec()
                                            : wave.exec() != 0;
  if (taken)
    wave.pc = inst.target;
}

// The operand is a signed 16-bit offset in 4-byte words from the next instruction. The decoder converts it to an
// instruction number.
template <Condition C> void bindBranch(Inst &inst, const InstructionText &text, const Target &target) {
  if (text.operands.size() != 1 || text.operands[0].kind != TextOperand::integer)
    throw Unsupported("the branch has no target");
  inst.offset = 4 + 4 * int64_t(static_cast<s16>(text.operands[0].value));
  uint16_t masks = target.isWave32 ? 1 : 2;
  if (C == Condition::vccZero || C == Condition::vccNotZero)
    inst.uses.push_back({scalarVcc, masks, false, false});
  if (C == Condition::execZero || C == Condition::execNotZero)
    inst.uses.push_back({scalarExec, masks, false, false});
}
template <Condition C> Row branchRow(std::string_view name) { return special(name, branch<C>, bindBranch<C>); }

void bindNothing(Inst &, const InstructionText &, const Target &) {}
void doNothing(Wave &, const Inst &) {}
Row ignored(std::string_view names) { return special(names, doNothing, bindNothing); }

//===-- waits --------------------------------------------------------------------------------------------------===//

void waitFor(Wave &wave, Waits::Counter counter, uint32_t most) {
  uint32_t lds = wave.waits.wait(counter, most);
  BlockChecker *checker = wave.group.checker.get();
  if (!checker)
    return;
  if (counter == Waits::lds)
    wave.group.eachWarp(wave, [&](unsigned warp) { checker->asyncWait(warp, lds); });
  // After the wait, the stores are visible to others.
  if (most == 0 && (counter == Waits::vectorMemory || counter == Waits::stores))
    wave.group.fence(wave);
}

constexpr u32 noWait = ~0u;

void waitCounters(Wave &wave, const Inst &inst) {
  for (unsigned counter = 0; counter < Waits::counterCount; ++counter)
    if (inst.numbers[counter] != noWait)
      waitFor(wave, Waits::Counter(counter), inst.numbers[counter]);
}

// s_waitcnt vmcnt(0) lgkmcnt(0)
void bindWaits(Inst &inst, const InstructionText &text, const Target &target) {
  (void)target;
  for (u32 &number : inst.numbers)
    number = noWait;
  auto take = [&](const std::string &word) {
    size_t open = word.find('(');
    std::string name = word.substr(0, open);
    u32 count = open == std::string::npos ? 0 : static_cast<u32>(std::stoul(word.substr(open + 1)));
    if (name == "vmcnt")
      inst.numbers[Waits::vectorMemory] = count;
    else if (name == "lgkmcnt")
      inst.numbers[Waits::lds] = count;
    else if (name != "expcnt")
      throw Unsupported("'" + word + "' is not known");
  };
  for (const TextOperand &operand : text.operands) {
    if (operand.kind == TextOperand::integer)
      throw Unsupported("a wait for this number is not known");
    take(operand.text);
  }
  for (const auto &[name, value] : text.modifiers)
    take(name);
}

// s_waitcnt_vscnt null, 0x0; s_wait_loadcnt 0x0; s_wait_loadcnt_dscnt 0x100
template <int First, int Second = -1> void bindWait(Inst &inst, const InstructionText &text, const Target &) {
  for (u32 &number : inst.numbers)
    number = noWait;
  if (text.operands.empty() || text.operands.back().kind != TextOperand::integer)
    throw Unsupported("the wait has no number");
  auto count = static_cast<u32>(text.operands.back().value);
  if constexpr (Second >= 0) {
    inst.numbers[First] = count >> 8 & 0x3f;
    inst.numbers[Second] = count & 0x3f;
  } else {
    inst.numbers[First] = count;
  }
}

//===-- barriers -----------------------------------------------------------------------------------------------===//

void barrier(Wave &wave, const Inst &) { wave.group.arriveAtBarrier(wave); }

void bindBarrier(Inst &, const InstructionText &text, const Target &) {
  if (!text.operands.empty() && static_cast<s16>(text.operands[0].value) != -1)
    throw Unsupported("only the barrier of the workgroup (-1) is known");
}

void signal(Wave &wave, const Inst &inst) {
  Workgroup &group = wave.group;
  if (wave.hasSignalled)
    wave.fault(inst, wave.existing, errorLaunchFailure, "barrier",
               "a wave signals the barrier again and has not waited for it");
  wave.hasSignalled = true;
  wave.barrierPhase = group.barrierPhase;
  ++group.signalled;
  if (group.checker)
    group.eachWarp(wave, [&](unsigned warp) { group.checker->arrive(warp, group.barrierPhase); });
}
void waitAtBarrier(Wave &wave, const Inst &inst) {
  if (!wave.hasSignalled)
    wave.fault(inst, wave.existing, errorLaunchFailure, "barrier",
               "a wave waits for the barrier that it has not signalled");
  wave.state = Wave::atBarrier;
}

void end(Wave &wave, const Inst &) { wave.state = Wave::ended; }

void trap(Wave &wave, const Inst &inst) {
  wave.fault(inst, wave.existing, errorAssert, "trap", "the kernel stops the wave by s_trap");
}

//===-- modes and the acquiring of memory ----------------------------------------------------------------------===//

void acquire(Wave &wave, const Inst &) {
  if (wave.group.checker)
    wave.group.fence(wave);
}

// s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3
void setMode(Wave &wave, const Inst &inst) {
  u32 ones = ((1u << inst.numbers[1]) - 1) << inst.numbers[0];
  u32 value = inst.op.empty() ? inst.numbers[2] : wave.scalar(inst.op[0].first);
  if (inst.numbers[3])
    wave.mode = (wave.mode & ~ones) | (value << inst.numbers[0] & ones);
}
void bindSetMode(Inst &inst, const InstructionText &text, const Target &target) {
  std::string all;
  for (const TextOperand &operand : text.operands)
    all += operand.text + ",";
  size_t open = all.find("hwreg(HW_REG_MODE"), close = all.find(')');
  if (open == std::string::npos)
    throw Unsupported("only the register MODE can be set");
  unsigned offset = 0, width = 32;
  std::string inside = all.substr(open + 17, close - open - 17);
  if (sscanf(inside.c_str(), ", %u, %u", &offset, &width) < 1)
    sscanf(inside.c_str(), ",%u,%u", &offset, &width);
  inst.numbers[0] = offset;
  inst.numbers[1] = std::min(width, 31u);
  inst.numbers[3] = 1;
  const TextOperand &value = text.operands.back();
  if (value.kind == TextOperand::integer) {
    inst.numbers[2] = static_cast<u32>(value.value);
  } else {
    inst.op.push_back(makeOperand(value, {32, false, false}, target));
    use(inst, inst.op[0], false);
  }
}

void setDenormals(Wave &wave, const Inst &inst) { wave.mode = (wave.mode & ~0xf0u) | (inst.numbers[0] & 15) << 4; }
void bindNumber(Inst &inst, const InstructionText &text, const Target &) {
  if (text.operands.size() != 1 || text.operands[0].kind != TextOperand::integer)
    throw Unsupported("a number is expected");
  inst.numbers[0] = static_cast<u32>(text.operands[0].value);
}

} // namespace

std::vector<Row> tilecc::emu::amd::controlRows() {
  return {
      branchRow<Condition::always>("s_branch"),
      branchRow<Condition::scc0>("s_cbranch_scc0"),
      branchRow<Condition::scc1>("s_cbranch_scc1"),
      branchRow<Condition::vccZero>("s_cbranch_vccz"),
      branchRow<Condition::vccNotZero>("s_cbranch_vccnz"),
      branchRow<Condition::execZero>("s_cbranch_execz"),
      branchRow<Condition::execNotZero>("s_cbranch_execnz"),
      special("s_endpgm", end, bindNothing),
      special("s_trap", trap, bindNothing),
      special("s_barrier", barrier, bindNothing),
      special("s_barrier_signal", signal, bindBarrier),
      special("s_barrier_wait", waitAtBarrier, bindBarrier),
      special("s_waitcnt", waitCounters, bindWaits),
      special("s_waitcnt_vscnt|s_wait_storecnt", waitCounters, bindWait<Waits::stores>),
      special("s_wait_loadcnt", waitCounters, bindWait<Waits::vectorMemory>),
      special("s_wait_dscnt", waitCounters, bindWait<Waits::lds>),
      special("s_wait_kmcnt", waitCounters, bindWait<Waits::scalars>),
      special("s_wait_loadcnt_dscnt", waitCounters, bindWait<Waits::vectorMemory, Waits::lds>),
      special("s_wait_storecnt_dscnt", waitCounters, bindWait<Waits::stores, Waits::lds>),
      special("buffer_inv|buffer_gl0_inv|buffer_gl1_inv|buffer_wbinvl1_vol|buffer_wbinvl1|global_inv", acquire,
              bindNothing),
      special("s_setreg_imm32_b32|s_setreg_b32", setMode, bindSetMode),
      special("s_denorm_mode", setDenormals, bindNumber),
      // Cache control, clauses, priorities and hints do not affect results.
      ignored("s_nop|s_sleep|s_setprio|s_clause|s_delay_alu|s_inst_prefetch|s_set_inst_prefetch_distance|"
              "s_waitcnt_depctr|s_wait_alu|s_wait_idle|s_code_end|s_icache_inv|s_dcache_inv|s_dcache_wb|"
              "s_dcache_inv_vol|s_ttracedata|s_ttracedata_imm|s_version|s_sendmsg|v_nop|buffer_wbl2|global_wb|"
              "global_wbinv|s_wait_expcnt|s_wait_samplecnt|s_wait_bvhcnt|s_wait_xcnt|s_prefetch_inst|"
              "s_prefetch_data|s_prefetch_inst_pc_rel|s_singleuse_vdst|s_decperflevel|s_incperflevel"),
  };
}
