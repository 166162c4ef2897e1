//===-- Undefined.cpp ------------------------------------------------------------------------------------------===//
#include "emulator/exec/Undefined.h"
#include "emulator/exec/Program.h"

using namespace tilecc::emu;

using Quarters = Warp::Quarters;

static Mask whole(const Quarters &quarters) { return quarters[0] | quarters[1] | quarters[2] | quarters[3]; }

static const std::vector<uint32_t> &readsOf(const Warp &warp, const Inst &inst) {
  return warp.block->launch->program->reads[warp.pc(inst)];
}

static Mask undefinedReads(const Warp &warp, const Inst &inst, size_t first = 0) {
  Mask undefined = 0;
  const std::vector<uint32_t> &reads = readsOf(warp, inst);
  for (size_t i = first; i < inst.sources; ++i)
    undefined |= whole(warp.undefined[reads[i]]);
  return undefined;
}

static void report(Warp &warp, const Inst &inst, Mask lanes, const char *what) {
  const char *origin = "a register that was never written";
  if (warp.hasShuffledNothing)
    origin = warp.block->launch->program->tracksUndefined
                 ? "a register that was never written, or a value that a shuffle took from a lane outside of it,"
                 : "a value that a shuffle took from a lane that does not take part in it";
  warp.block->launch->reporter->report(std::string("undefined ") + what, warp.place(inst, lanes),
                                       std::string(origin) + " is used as " + what);
}

static void setWrite(Warp &warp, uint32_t row, Mask lanes, const Quarters &undefined) {
  for (unsigned i = 0; i < 4; ++i)
    warp.undefined[row][i] = (warp.undefined[row][i] & ~lanes) | (undefined[i] & lanes);
}

static void setWrites(Warp &warp, const Inst &inst, Mask lanes, Mask undefined) {
  for (uint32_t row : warp.block->launch->program->writes[warp.pc(inst)])
    setWrite(warp, row, lanes, {undefined, undefined, undefined, undefined});
}

/// Handles `prmt`. Four bits of the selector choose each byte (or its sign) from the eight bytes of two registers.
static void permuteParts(Warp &warp, const Inst &inst, Mask lanes) {
  const std::vector<uint32_t> &reads = readsOf(warp, inst);
  const Quarters a = warp.undefined[reads[0]], b = warp.undefined[reads[1]];
  const Mask selector = whole(warp.undefined[reads[2]]);
  const uint32_t *selectors = warp.row<uint32_t>(inst.op[inst.dests + 2]);
  Quarters result = {selector, selector, selector, selector};
  for (Mask rest = lanes; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest);
    for (unsigned i = 0; i < 4; ++i) {
      unsigned from = selectors[lane] >> (4 * i) & 7;
      result[i] |= (from < 4 ? a[from] : b[from - 4]) & (Mask(1) << lane);
    }
  }
  setWrite(warp, warp.block->launch->program->writes[warp.pc(inst)][0], lanes, result);
}

/// Handles `and`. A byte of the result is defined if it is defined in both operands, or defined and zero in one of
/// them.
static void maskParts(Warp &warp, const Inst &inst, Mask lanes) {
  const std::vector<uint32_t> &reads = readsOf(warp, inst);
  Quarters result = {};
  for (unsigned i = 0; i < 4; ++i) {
    Mask undefined[2], zero[2] = {0, 0};
    for (unsigned k : {0, 1}) {
      undefined[k] = warp.undefined[reads[k]][i];
      const uint32_t *values = warp.row<uint32_t>(inst.op[inst.dests + k]);
      for (Mask rest = lanes & ~undefined[k]; rest; rest &= rest - 1)
        if (unsigned lane = __builtin_ctz(rest); (values[lane] >> (8 * i) & 0xff) == 0)
          zero[k] |= Mask(1) << lane;
    }
    result[i] = (undefined[0] & ~zero[1]) | (undefined[1] & ~zero[0]);
  }
  setWrite(warp, warp.block->launch->program->writes[warp.pc(inst)][0], lanes, result);
}

/// Handles 64-bit `shr`. A shift by whole quarters moves the quarters down and fills with zeros, which are defined.
static void shiftParts(Warp &warp, const Inst &inst, Mask lanes) {
  constexpr unsigned quarterBits = 16;
  const std::vector<uint32_t> &reads = readsOf(warp, inst);
  const Quarters from = warp.undefined[reads[0]];
  const Mask amount = whole(warp.undefined[reads[1]]), any = whole(from);
  const uint32_t *amounts = warp.row<uint32_t>(inst.op[inst.dests + 1]);
  Quarters result = {amount, amount, amount, amount};
  for (Mask rest = lanes & ~amount; rest; rest &= rest - 1) {
    unsigned lane = __builtin_ctz(rest), quarters = amounts[lane] / quarterBits;
    bool isWhole = amounts[lane] % quarterBits == 0;
    for (unsigned i = 0; i < 4; ++i)
      result[i] |= (!isWhole ? any : i + quarters < 4 ? from[i + quarters] : 0) & (Mask(1) << lane);
  }
  setWrite(warp, warp.block->launch->program->writes[warp.pc(inst)][0], lanes, result);
}

/// Handles `mov` of whole registers, `mov` that packs or unpacks two or four parts, and conversions to the lower part
/// of a register.
static void moveParts(Warp &warp, const Inst &inst, Mask lanes) {
  const std::vector<uint32_t> &reads = readsOf(warp, inst);
  const std::vector<uint32_t> &writes = warp.block->launch->program->writes[warp.pc(inst)];
  if (inst.parts == Parts::copy)
    return setWrite(warp, writes[0], lanes, Quarters(warp.undefined[reads[0]]));
  if (inst.parts == Parts::half || inst.parts == Parts::quarter) {
    const Quarters from = warp.undefined[reads[0]];
    const Mask second = from[inst.parts == Parts::half];
    return setWrite(warp, writes[0], lanes, {from[0], from[0], second, second});
  }
  if (inst.parts == Parts::pack) {
    Quarters result;
    for (unsigned i = 0; i < 4; ++i) {
      const Quarters &part = warp.undefined[reads[i * inst.sources / 4]];
      result[i] = inst.sources == 4 ? whole(part) : part[i % 2 * 2] | part[i % 2 * 2 + 1];
    }
    return setWrite(warp, writes[0], lanes, result);
  }
  const Quarters from = warp.undefined[reads[0]];
  for (unsigned i = 0; i < inst.dests; ++i) {
    if (inst.dests == 4)
      setWrite(warp, writes[i], lanes, {from[i], from[i], from[i], from[i]});
    else
      setWrite(warp, writes[i], lanes, {from[2 * i], from[2 * i], from[2 * i + 1], from[2 * i + 1]});
  }
}

void tilecc::emu::followUndefined(Warp &warp, const Inst &inst, Mask lanes) {
  Mask undefined = undefinedReads(warp, inst) & lanes;
  if (undefined && inst.parts == Parts::permute)
    return permuteParts(warp, inst, lanes);
  if (undefined && inst.parts == Parts::mask)
    return maskParts(warp, inst, lanes);
  if (undefined && inst.parts == Parts::shift)
    return shiftParts(warp, inst, lanes);
  if (undefined && inst.parts != Parts::none)
    return moveParts(warp, inst, lanes);
  if (undefined && inst.selects) { // selp: only the selected value matters
    const std::vector<uint32_t> &reads = readsOf(warp, inst);
    Mask choice = warp.mask(inst.op[inst.dests + 2]);
    undefined = ((whole(warp.undefined[reads[0]]) & choice) | (whole(warp.undefined[reads[1]]) & ~choice) |
                 whole(warp.undefined[reads[2]])) &
                lanes;
  }
  if (undefined && inst.memory) {
    report(warp, inst, undefined, inst.dests ? "an address" : "an address or a value that is stored");
    undefined = 0;
  }
  setWrites(warp, inst, lanes, undefined);
}

/// Returns the lanes in which a relevant source is undefined.
static Mask undefinedAddends(Warp &warp, const Inst &inst, Mask lanes) {
  const std::vector<uint32_t> &reads = readsOf(warp, inst);
  Mask accumulates = warp.mask(inst.op[inst.dests + inst.predicate]), undefined = 0;
  for (size_t i = 0; i < inst.sources; ++i)
    undefined |= whole(warp.undefined[reads[i]]) & (i < inst.dests ? accumulates : lanes);
  return undefined & lanes;
}

void tilecc::emu::followShuffle(Warp &warp, const Inst &inst, Mask lanes, const uint8_t *sources, Mask absent) {
  if (warp.undefined.empty())
    warp.undefined.resize(warp.block->launch->program->rowNumbers);
  warp.hasShuffledNothing |= absent != 0;
  const Quarters from = warp.undefined[readsOf(warp, inst)[0]];
  const Mask control = undefinedReads(warp, inst, /*first=*/1) & lanes;
  Quarters result;
  result.fill(absent | control);
  for (Mask rest = lanes; rest; rest &= rest - 1)
    for (unsigned lane = __builtin_ctz(rest), i = 0; i < result.size(); ++i)
      result[i] |= (from[i] >> sources[lane] & 1) << lane;
  const std::vector<uint32_t> &writes = warp.block->launch->program->writes[warp.pc(inst)];
  setWrite(warp, writes[0], lanes, result);
  setWrite(warp, writes[1], lanes, {control, control, control, control});
}

void tilecc::emu::followCollective(Warp &warp, const Inst &inst, Mask lanes) {
  if (inst.parts == Parts::exchange)
    return;
  // wgmma: the initial accumulators come first, one per result, and are used if a predicate is true.
  bool ignoresAccumulator = inst.selects && !(warp.mask(inst.op[inst.target]) & lanes);
  Mask undefined = undefinedReads(warp, inst, ignoresAccumulator ? inst.dests : 0) & lanes;
  if (undefined && inst.parts == Parts::accumulate)
    undefined = undefinedAddends(warp, inst, lanes);
  if (undefined && inst.memory) {
    report(warp, inst, undefined, "an address or a value that is stored");
    undefined = 0;
  }
  setWrites(warp, inst, lanes, undefined ? lanes : 0);
}

void tilecc::emu::checkGuard(Warp &warp, const Inst &inst, Mask lanes) {
  uint32_t guard = readsOf(warp, inst).back();
  if (Mask undefined = whole(warp.undefined[guard]) & lanes)
    report(warp, inst, undefined, inst.flow == Flow::branch ? "the condition of a branch" : "a guard");
}
