//===-- Lanes.cpp - cross-lane instructions: readlane, mbcnt, permlane -----------------------------------------===//
#include "emulator/amd/Table.h"

using namespace tilecc::emu;
using namespace tilecc::emu::amd;

namespace {

// Returns the lane number in a scalar or constant.
unsigned laneOf(Wave &wave, const Operand &operand) {
  return static_cast<unsigned>(readScalar(wave, operand, 32)) & (wave.lanes - 1);
}

void readLane(Wave &wave, const Inst &inst) {
  wave.setScalar(inst.op[0].first, wave.vector(inst.op[1].first)[laneOf(wave, inst.op[2])]);
}
void readFirstLane(Wave &wave, const Inst &inst) {
  LaneMask exec = wave.exec();
  u32 value = inst.op[1].kind == Operand::vector ? wave.vector(inst.op[1].first)[exec ? std::countr_zero(exec) : 0]
                                                 : static_cast<u32>(readScalar(wave, inst.op[1], 32));
  wave.setScalar(inst.op[0].first, value);
}
void writeLane(Wave &wave, const Inst &inst) {
  wave.vector(inst.op[0].first)[laneOf(wave, inst.op[2])] = static_cast<u32>(readScalar(wave, inst.op[1], 32));
}

// Counts the mask bits below the lane's own, in its lower or upper half.
template <bool High> void countBitsBelow(Wave &wave, const Inst &inst) {
  LanesOf<u32> mask, add;
  fetch(wave, inst, 0, mask);
  fetch(wave, inst, 1, add);
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    u32 below = (lane < 32) != High ? (1u << (lane & 31)) - 1 : High ? 0 : ~0u;
    add[lane] += static_cast<u32>(std::popcount(mask[lane] & below));
  }
  store(wave, inst, 0, writtenLanes(wave, inst), add);
}

// v_permlane16 and v_permlanex16: each lane reads a lane of the same row of 16, or of the other row of the pair. Four
// bits of a scalar select the lane.
template <bool OtherRow> void permuteInRow(Wave &wave, const Inst &inst) {
  LanesOf<u32> from, to;
  fetch(wave, inst, 0, from);
  u64 selectors = readScalar(wave, inst.op[2], 32) | readScalar(wave, inst.op[3], 32) << 32;
  bool takesInactive = inst.numbers[0], zeroes = inst.numbers[1];
  LaneMask exec = wave.exec(), lanes = exec;
  for (unsigned lane = 0; lane < wave.lanes; ++lane) {
    unsigned row = (lane & ~15u) ^ (OtherRow ? 16 : 0), source = row + (selectors >> (4 * (lane & 15)) & 15);
    bool isThere = takesInactive || exec >> source & 1;
    to[lane] = isThere ? from[source] : 0;
    if (!isThere && !zeroes)
      lanes &= ~(LaneMask(1) << lane);
  }
  for (unsigned lane = wave.lanes; lane < maxLanes; ++lane)
    to[lane] = 0;
  store(wave, inst, 0, lanes, to);
}

void bindPermute(Inst &inst, const InstructionText &text, const Target &target) {
  InstructionText plain = text;
  std::vector<int> select = plain.list("op_sel");
  plain.modifiers.erase("op_sel");
  bindOperands(inst, plain, target);
  use(inst, inst.op[0], false); // lanes that are not written keep their values
  inst.numbers[0] = !select.empty() && select[0];
  inst.numbers[1] = select.size() > 1 && select[1];
}

// v_permlane64: exchanges the halves of a wave of 64.
void swapHalves(Wave &wave, const Inst &inst) {
  LanesOf<u32> from, to;
  fetch(wave, inst, 0, from);
  for (unsigned lane = 0; lane < maxLanes; ++lane)
    to[lane] = from[wave.lanes == 64 ? lane ^ 32 : lane];
  store(wave, inst, 0, wave.exec(), to);
}

// v_permlane16_swap and v_permlane32_swap: exchange odd rows of the first register with even rows of the second.
template <unsigned Rows> void swapRows(Wave &wave, const Inst &inst) {
  u32 *a = wave.vector(inst.op[0].first), *b = wave.vector(inst.op[1].first);
  for (unsigned lane = 0; lane < wave.lanes; ++lane)
    if (lane & Rows)
      std::swap(a[lane], b[lane ^ Rows]);
}

void swapRegisters(Wave &wave, const Inst &inst) {
  u32 *a = wave.vector(inst.op[0].first), *b = wave.vector(inst.op[1].first);
  for (LaneMask rest = wave.exec(); rest; rest &= rest - 1)
    std::swap(a[std::countr_zero(rest)], b[std::countr_zero(rest)]);
}

void bindSwap(Inst &inst, const InstructionText &text, const Target &target) {
  bindOperands(inst, text, target);
  use(inst, inst.op[0], false);
  use(inst, inst.op[1], true);
}

// v_pk_mov_b32: moves one register of each pair.
void movePair(Wave &wave, const Inst &inst) {
  LanesOf<u64> a, b;
  fetch(wave, inst, 0, a);
  fetch(wave, inst, 1, b);
  for (unsigned lane = 0; lane < maxLanes; ++lane) {
    u32 low = static_cast<u32>(a[lane] >> (inst.opSelect & 1 ? 32 : 0));
    u32 high = static_cast<u32>(b[lane] >> (inst.opSelect & 2 ? 32 : 0));
    a[lane] = low | u64(high) << 32;
  }
  store(wave, inst, 0, writtenLanes(wave, inst), a);
}

Row typed(std::string_view name, Handler run, Row::Bind bind, std::vector<OperandType> results,
          std::vector<OperandType> sources, uint32_t flags = 0) {
  Row row = special(name, run, bind);
  row.results = std::move(results);
  row.sources = std::move(sources);
  row.flags = flags;
  return row;
}

} // namespace

std::vector<Row> tilecc::emu::amd::laneRows() {
  const OperandType word = {32, false, false}, pair = {64, false, false};
  return {
      typed("v_readlane_b32", readLane, bindOperands, {word}, {word, word}),
      typed("v_readfirstlane_b32", readFirstLane, bindOperands, {word}, {word}),
      typed("v_writelane_b32", writeLane, bindOperands, {word}, {word, word}),
      typed("v_mbcnt_lo_u32_b32", countBitsBelow<false>, bindOperands, {word}, {word, word}),
      typed("v_mbcnt_hi_u32_b32", countBitsBelow<true>, bindOperands, {word}, {word, word}),
      typed("v_permlane16_b32", permuteInRow<false>, bindPermute, {word}, {word, word, word}),
      typed("v_permlanex16_b32", permuteInRow<true>, bindPermute, {word}, {word, word, word}),
      typed("v_permlane64_b32", swapHalves, bindOperands, {word}, {word}),
      typed("v_permlane16_swap_b32", swapRows<16>, bindSwap, {word}, {word}),
      typed("v_permlane32_swap_b32", swapRows<32>, bindSwap, {word}, {word}),
      typed("v_swap_b32", swapRegisters, bindSwap, {word}, {word}),
      typed("v_pk_mov_b32", movePair, bindOperands, {pair}, {pair, pair}, Row::isPacked),
  };
}
