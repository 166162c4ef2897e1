//===-- WarpGroup.cpp - wgmma: matrix products by four warps (PTX ISA 9.7.15) -----------------------------------===//
//
// Each warp of a warpgroup owns 16 of the 64 rows and computes them itself. Matrices in shared memory are read through
// descriptors, in pieces of 16 bytes, the unit of swizzling.
//
// A wgmma is computed when it is issued, although a GPU may compute it at any time until the wait for its group. So its
// inputs are compared at the wait, and the launch ends with an error if they have changed. The reads are reported to
// the checker as those of a separate actor, which the wait joins, through the asynchronous proxy. So a store that no
// barrier orders with them is a race, and ordinary stores before them need a proxy fence.
//
// A group completes for all warps of the warpgroup at once: a wait continues when all four warps have executed it.
// Kernels rely on this if one warp signals others that a buffer is free.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/InFlight.h"
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/Fragments.h"
#include "emulator/isa/SharedMatrix.h"
#include "emulator/isa/Table.h"
#include "emulator/isa/numerics/Dot.h"

#include <algorithm>

using namespace tilecc::emu;
using ptx::Space;

namespace {

constexpr unsigned warpsOfGroup = 4, rowsOfWarp = 16, pieceBytes = SharedMatrix::pieceBytes;

// The operands that an instruction reads transposed. inst.offset holds the form.
enum Form : int64_t { leftTransposed = 1, rightTransposed = 2 };

} // namespace

static void needWarpGroup(Warp &warp, const Inst &inst, Mask lanes) {
  unsigned last = warp.index / warpsOfGroup * warpsOfGroup + warpsOfGroup;
  if (lanes != allLanes || last * warpSize > warp.block->threads)
    warp.fault(inst, lanes, errorLaunchFailure, "warpgroup",
               "wgmma is executed by " + std::to_string(__builtin_popcount(lanes)) +
                   " threads of a warp in a block of " + std::to_string(warp.block->threads) +
                   "; it needs all threads of four warps, the first of which has a number divisible by 4");
}

// Returns a descriptor, which must be the same in all lanes.
static uint64_t descriptor(Warp &warp, const Inst &inst, uint32_t row) {
  const u64 *values = warp.row<u64>(row);
  for (unsigned lane = 1; lane < warpSize; ++lane)
    if (values[lane] != values[0])
      warp.fault(inst, Mask(1) << lane, errorIllegalInstruction, "wgmma descriptor",
                 "a matrix descriptor of wgmma differs between the threads of a warp");
  return values[0];
}

// A wgmma's operands in shared memory are read twice. `first` is the read at the issue, whose values are multiplied and
// which the checker records. `again` is the read at the wait. It only detects changes, and is not reported to the
// checker.
enum class Reading : bool { first, again };

// Calls use(line, k, piece) for each piece of 16 bytes of `lines` x `depth` elements. A line is a row of A or a column
// of B. The elements of a piece have consecutive k in one line if `alongK` is true; otherwise they have the same k in
// consecutive lines.
template <class F>
static void eachPiece(Warp &warp, const Inst &inst, Reading reading, const SharedMatrix &matrix, bool alongK,
                      unsigned firstLine, unsigned lines, unsigned depth, unsigned elementBytes, F use) {
  unsigned perPiece = pieceBytes / elementBytes, inRow = (alongK ? depth : lines) / perPiece,
           pieces = inRow * (alongK ? lines : depth);
  for (unsigned first = 0; first < pieces; first += warpSize) {
    uint64_t addresses[warpSize] = {};
    unsigned count = std::min<unsigned>(warpSize, pieces - first), line[warpSize], k[warpSize];
    for (unsigned i = 0; i < count; ++i) {
      unsigned row = (first + i) / inRow, along = (first + i) % inRow * perPiece;
      line[i] = alongK ? row : along;
      k[i] = alongK ? along : row;
      addresses[i] = matrix.address(firstLine + line[i], k[i], elementBytes);
    }
    Mask readers = count == warpSize ? allLanes : (Mask(1) << count) - 1;
    if (BlockChecker *checker = warp.block->checker.get(); checker && reading == Reading::first) {
      Access read = describe(warp, inst, readers, addresses, Space::shared, pieceBytes, Access::load, nullptr);
      read.asyncProxy = true;
      checker->wgmmaRead(read, warp.wgmmaGroups + 1);
    }
    Pointers found = translate(warp, inst, readers, addresses, Space::shared, pieceBytes, Access::load);
    for (unsigned i = 0; i < count; ++i)
      use(line[i], k[i], found.at[i]);
  }
}

// The number of columns of a wgmma, in blocks of eight, is in inst.elementBytes.
constexpr unsigned columnsOfBlock = 8, maxBlocks = 32;
static unsigned columnsOf(const Inst &inst) { return inst.elementBytes * columnsOfBlock; }

// Reads a wgmma's operands in shared memory with calls like eachPiece's, and returns a checksum of their bytes, which
// detects changes when they are read again.
template <unsigned K, class A, bool fromRegisters, class Left, class Right>
static uint64_t readOperands(Warp &warp, const Inst &inst, Reading reading, uint64_t a, uint64_t b, Left left,
                             Right right) {
  constexpr unsigned bytes = dot::Operand<A>::bits / 8;
  uint64_t sum = 14695981039346656037u;
  auto adding = [&](auto use) {
    return [&sum, use](unsigned line, unsigned k, const std::byte *piece) {
      uint64_t words[2];
      std::memcpy(words, piece, sizeof(words));
      for (uint64_t word : words)
        sum = (sum ^ word) * 1099511628211u;
      use(line, k, piece);
    };
  };
  bool leftAlongK = !(inst.offset & leftTransposed), rightAlongK = !(inst.offset & rightTransposed);
  if constexpr (!fromRegisters)
    eachPiece(warp, inst, reading, SharedMatrix::ofWgmma(a, leftAlongK), leftAlongK,
              warp.index % warpsOfGroup * rowsOfWarp, rowsOfWarp, K, bytes, adding(left));
  eachPiece(warp, inst, reading, SharedMatrix::ofWgmma(b, rightAlongK), rightAlongK, 0, columnsOf(inst), K, bytes,
            adding(right));
  return sum;
}

template <unsigned K, class A, bool fromRegisters>
static uint64_t digest(Warp &warp, const Inst &inst, uint64_t a, uint64_t b) {
  auto nothing = [](unsigned, unsigned, const std::byte *) {};
  return readOperands<K, A, fromRegisters>(warp, inst, Reading::again, a, b, nothing, nothing);
}

// D = A * B + D. op: d; d, then a (a descriptor, or four registers), b's descriptor, and a predicate that is false if D
// counts as 0
template <unsigned K, class A, class B, class C, bool fromRegisters>
static void multiply(Warp &warp, const Inst &inst, Mask lanes) {
  using OperandA = dot::Operand<A>;
  using OperandB = dot::Operand<B>;
  using Accumulator = dot::Accumulator<C>;
  constexpr unsigned bytes = OperandA::bits / 8, perPiece = pieceBytes / bytes, per = 4 / bytes,
                     perSum = Accumulator::perRegister;
  static_assert(OperandB::bits == OperandA::bits);
  needWarpGroup(warp, inst, lanes);
  const unsigned registers = columnsOf(inst) / 2 / perSum;
  const uint32_t *op = inst.op + 2 * registers;

  typename OperandA::Value a[rowsOfWarp][K];
  static thread_local typename OperandB::Value b[maxBlocks][K][columnsOfBlock]; // by blocks of columns
  uint64_t left = 0;
  if constexpr (fromRegisters) {
    for (unsigned r = 0; r < 4; ++r) {
      const u32 *row = warp.row<u32>(*op++);
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        auto [m, k] = fragment::ofA(lane, r, rowsOfWarp, per);
        for (unsigned i = 0; i < per; ++i)
          a[m][k + i] = OperandA::of(row[lane], i);
      }
    }
  } else {
    left = descriptor(warp, inst, *op++);
  }
  uint64_t right = descriptor(warp, inst, *op++);
  Mask keeps = warp.mask(*op++);

  // Elements of a piece are adjacent along one axis.
  auto elementOf = [](auto operand, const std::byte *piece, unsigned i) {
    u32 value = 0;
    std::memcpy(&value, piece + i * bytes, bytes);
    return decltype(operand)::of(value, 0);
  };
  bool leftAlongK = !(inst.offset & leftTransposed), rightAlongK = !(inst.offset & rightTransposed);
  uint64_t before = readOperands<K, A, fromRegisters>(
      warp, inst, Reading::first, left, right,
      [&](unsigned line, unsigned k, const std::byte *piece) {
        for (unsigned i = 0; i < perPiece; ++i)
          a[leftAlongK ? line : line + i][leftAlongK ? k + i : k] = elementOf(OperandA(), piece, i);
      },
      [&](unsigned line, unsigned k, const std::byte *piece) {
        for (unsigned i = 0; i < perPiece; ++i) {
          unsigned n = rightAlongK ? line : line + i;
          b[n / columnsOfBlock][rightAlongK ? k + i : k][n % columnsOfBlock] = elementOf(OperandB(), piece, i);
        }
      });

  // Each lane has four elements of D in a block of columns.
  constexpr unsigned perBlock = 4 / perSum;
  for (unsigned block = 0; block < registers / perBlock; ++block) {
    typename Accumulator::Sum d[rowsOfWarp][columnsOfBlock];
    for (unsigned r = 0; r < perBlock; ++r) {
      const auto *row = warp.row<typename Accumulator::Register>(inst.op[block * perBlock + r]);
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        auto [m, n] = fragment::ofC(lane, r * perSum, rowsOfWarp);
        for (unsigned i = 0; i < perSum; ++i)
          d[m][n + i] = keeps >> lane & 1 ? Accumulator::of(row[lane], i) : typename Accumulator::Sum();
      }
    }
    for (unsigned m = 0; m < rowsOfWarp; ++m)
      dot::multiplyRow<A, C>(d[m], a[m], b[block], inst.fp);
    for (unsigned r = 0; r < perBlock; ++r) {
      auto *row = warp.row<typename Accumulator::Register>(inst.op[block * perBlock + r]);
      for (unsigned lane = 0; lane < warpSize; ++lane) {
        auto [m, n] = fragment::ofC(lane, r * perSum, rowsOfWarp);
        row[lane] = Accumulator::round(&d[m][n], inst.fp);
      }
    }
  }
  warp.wgmmas.push_back({&inst, &digest<K, A, fromRegisters>, left, right, before, warp.wgmmaGroups + 1});
  takeOff(warp, inst);
}

static void commitWgmma(Warp &warp, const Inst &inst, Mask lanes) {
  needWarpGroup(warp, inst, lanes);
  ++warp.wgmmaGroups;
  ++warp.changes;
  ++warp.progress;
}

// op: the number of groups that may be pending
static void waitForWgmma(Warp &warp, const Inst &inst, Mask lanes) {
  needWarpGroup(warp, inst, lanes);
  u32 left = warp.row<u32>(inst.op[0])[0];
  if (left >= warp.wgmmaGroups)
    return;
  uint64_t group = warp.wgmmaGroups - left;
  unsigned first = warp.index / warpsOfGroup * warpsOfGroup;
  for (unsigned w = first; w < first + warpsOfGroup; ++w)
    if (const Warp &other = warp.block->warps[w]; other.wgmmaGroups < group) {
      warp.asksFor = {Wait::warpGroup, warp.pc(inst)};
      return;
    }
  for (unsigned w = first; w < first + warpsOfGroup; ++w) {
    Warp &owner = warp.block->warps[w];
    std::erase_if(owner.wgmmas, [&](const Wgmma &wgmma) {
      if (wgmma.group > group)
        return false;
      if (wgmma.digest(owner, *wgmma.inst, wgmma.a, wgmma.b) != wgmma.before)
        owner.fault(*wgmma.inst, lanes, errorLaunchFailure, "wgmma operand",
                    "what a wgmma reads in shared memory has changed before the wait for it: the result is undefined");
      return true;
    });
  }
  land(warp, group);
  if (warp.block->checker)
    warp.block->checker->wgmmaWait(warp.index, first, warpsOfGroup, static_cast<uint32_t>(group));
}

static void fence(Warp &warp, const Inst &inst, Mask lanes) {
  needWarpGroup(warp, inst, lanes);
  fenceWgmma(warp);
}

//===-- The rows -----------------------------------------------------------------------------------------------===//

static void setForm(const Match &match, Inst &inst, Handler handler) {
  inst.run = handler;
  inst.elementBytes = match.columns / columnsOfBlock;
  // The predicate that decides whether D is read.
  inst.selects = true;
  unsigned accumulators = match.syntax.find("{x*H") == std::string_view::npos ? match.columns / 2 : match.columns / 4;
  inst.target = 2 * accumulators + (match.syntax.find("{a*4") == std::string_view::npos ? 1 : 4) + 1;
}

// The transposes are the last operands of wgmmas of 16-bit elements.
template <class A, class C = float> static void selectHalf(const Match &match, Inst &inst) {
  const auto &operands = match.instruction->operands;
  inst.offset =
      (operands[operands.size() - 2].bits ? leftTransposed : 0) | (operands.back().bits ? rightTransposed : 0);
  setForm(match, inst, &multiply<16, A, A, C, false>);
}
template <class A, class C = float> static void selectHalfRegisters(const Match &match, Inst &inst) {
  inst.offset = match.instruction->operands.back().bits ? rightTransposed : 0;
  setForm(match, inst, &multiply<16, A, A, C, true>);
}
template <bool fromRegisters> static void selectTf32(const Match &match, Inst &inst) {
  setForm(match, inst, &multiply<8, tf32, tf32, float, fromRegisters>);
}
// Returns true for each of A and B if its type is the first of two possible types.
static std::pair<bool, bool> operandsAre(const Match &match, std::string_view first) {
  size_t last = match.modifiers.size() - 1 - match.has("satfinite");
  return {match.modifiers[last - 1] == first, match.modifiers[last] == first};
}
template <bool fromRegisters, class C = float> static void selectFloat8(const Match &match, Inst &inst) {
  auto [a, b] = operandsAre(match, "e4m3");
  setForm(match, inst,
          a   ? b ? &multiply<32, e4m3, e4m3, C, fromRegisters> : &multiply<32, e4m3, e5m2, C, fromRegisters>
          : b ? &multiply<32, e5m2, e4m3, C, fromRegisters>
              : &multiply<32, e5m2, e5m2, C, fromRegisters>);
}
template <bool fromRegisters> static void selectInteger(const Match &match, Inst &inst) {
  using S8 = dot::Small<8, true>;
  using U8 = dot::Small<8, false>;
  auto [a, b] = operandsAre(match, "s8");
  inst.fp = fpModifiers(match);
  setForm(match, inst,
          a   ? b ? &multiply<32, S8, S8, s32, fromRegisters> : &multiply<32, S8, U8, s32, fromRegisters>
          : b ? &multiply<32, U8, S8, s32, fromRegisters>
              : &multiply<32, U8, U8, s32, fromRegisters>);
}

#define HEAD "wgmma.mma_async.sync.aligned."

Rows tilecc::emu::warpGroupRows() {
  Rows rows = {
      {HEAD "$m64k16.f32.f16.f16 {x*N:f32}, a:b64, b:b64, p:pred, 1, 1, m:s32, n:s32", selectHalf<f16>},
      {HEAD "$m64k16.f32.bf16.bf16 {x*N:f32}, a:b64, b:b64, p:pred, 1, 1, m:s32, n:s32", selectHalf<bf16>},
      {HEAD "$m64k16.f32.f16.f16 {x*N:f32}, {a*4:b32}, b:b64, p:pred, 1, 1, n:s32", selectHalfRegisters<f16>},
      {HEAD "$m64k16.f32.bf16.bf16 {x*N:f32}, {a*4:b32}, b:b64, p:pred, 1, 1, n:s32", selectHalfRegisters<bf16>},
      {HEAD "$m64k16.f16.f16.f16 {x*H:b32}, a:b64, b:b64, p:pred, 1, 1, m:s32, n:s32", selectHalf<f16, f16>},
      {HEAD "$m64k16.f16.f16.f16 {x*H:b32}, {a*4:b32}, b:b64, p:pred, 1, 1, n:s32", selectHalfRegisters<f16, f16>},
      {HEAD "$m64k8.f32.tf32.tf32 {x*N:f32}, a:b64, b:b64, p:pred, 1, 1", selectTf32<false>},
      {HEAD "$m64k8.f32.tf32.tf32 {x*N:f32}, {a*4:b32}, b:b64, p:pred, 1, 1", selectTf32<true>},
      {HEAD "$m64k32.f32(.e4m3|.e5m2)(.e4m3|.e5m2) {x*N:f32}, a:b64, b:b64, p:pred, 1, 1", selectFloat8<false>},
      {HEAD "$m64k32.f32(.e4m3|.e5m2)(.e4m3|.e5m2) {x*N:f32}, {a*4:b32}, b:b64, p:pred, 1, 1", selectFloat8<true>},
      {HEAD "$m64k32.f16(.e4m3|.e5m2)(.e4m3|.e5m2) {x*H:b32}, a:b64, b:b64, p:pred, 1, 1", selectFloat8<false, f16>},
      {HEAD "$m64k32.f16(.e4m3|.e5m2)(.e4m3|.e5m2) {x*H:b32}, {a*4:b32}, b:b64, p:pred, 1, 1", selectFloat8<true, f16>},
      {HEAD "$m64k32i.s32(.s8|.u8)(.s8|.u8){.satfinite} {x*N:s32}, a:b64, b:b64, p:pred", selectInteger<false>},
      {HEAD "$m64k32i.s32(.s8|.u8)(.s8|.u8){.satfinite} {x*N:s32}, {a*4:b32}, b:b64, p:pred", selectInteger<true>},
      {"wgmma.fence.sync.aligned", [](const Match &, Inst &inst) { inst.run = &fence; }},
      {"wgmma.commit_group.sync.aligned", [](const Match &, Inst &inst) { inst.run = &commitWgmma; }},
      {"wgmma.wait_group.sync.aligned n:u32", [](const Match &, Inst &inst) { inst.run = &waitForWgmma; }},
  };
  for (Row &row : rows)
    row.flow = Flow::collective; // for the whole warp: inst.extra is 0
  return rows;
}
