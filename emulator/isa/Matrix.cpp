//===-- Matrix.cpp - mma, ldmatrix, stmatrix, movmatrix (PTX ISA 9.7.14) ----------------------------------------===//
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/Fragments.h"
#include "emulator/isa/Table.h"
#include "emulator/isa/numerics/Dot.h"

using namespace tilecc::emu;
using ptx::Space;

void tilecc::emu::needWholeWarp(Warp &warp, const Inst &inst, Mask lanes) {
  if (lanes != allLanes)
    warp.fault(inst, lanes, errorLaunchFailure, "matrix",
               "a matrix instruction is executed by " + std::to_string(__builtin_popcount(lanes)) +
                   " threads of the warp; it needs all 32, which hold the matrices together");
}

//===-- mma.sync -----------------------------------------------------------------------------------------------===//

// Unpacks the elements of A or B in a row of registers: first all lanes' i-th elements, which vectorizes, and then each
// to its place.
template <class Operand, unsigned per, class Put> static void unpack(Warp &warp, uint32_t row, Put put) {
  const auto *registers = warp.row<typename Operand::Register>(row);
  typename Operand::Value values[per][warpSize];
  for (unsigned i = 0; i < per; ++i) {
    TILECC_LANES
    for (unsigned lane = 0; lane < warpSize; ++lane)
      values[i][lane] = Operand::of(registers[lane], i);
  }
  for (unsigned lane = 0; lane < warpSize; ++lane)
    for (unsigned i = 0; i < per; ++i)
      put(lane, i, values[i][lane]);
}

// D = A * B + C with M x K and K x 8 operands. op: d, a, b, c. inst.fp: .satfinite, f64's rounding
template <unsigned M, unsigned K, class A, class B, class C>
static void multiply(Warp &warp, const Inst &inst, Mask lanes) {
  using OperandA = dot::Operand<A>;
  using OperandB = dot::Operand<B>;
  using Accumulator = dot::Accumulator<C>;
  using Sum = typename Accumulator::Sum;
  constexpr unsigned N = 8, bits = OperandA::bits, per = bits < 32 ? 32 / bits : 1;
  constexpr unsigned registersA = M * K / (warpSize * per), registersB = K * N / (warpSize * per);
  constexpr unsigned perD = Accumulator::perRegister, registersD = M * N / (warpSize * perD);
  static_assert(bits == OperandB::bits);
  needWholeWarp(warp, inst, lanes);

  typename OperandA::Value a[M][K];
  typename OperandB::Value b[K][N];
  Sum d[M][N];
  const uint32_t *op = inst.op + registersD;
  for (unsigned r = 0; r < registersA; ++r)
    unpack<OperandA, per>(warp, *op++, [&](unsigned lane, unsigned i, auto value) {
      auto [m, k] = fragment::ofA(lane, r, M, per);
      a[m][k + i] = value;
    });
  for (unsigned r = 0; r < registersB; ++r)
    unpack<OperandB, per>(warp, *op++, [&](unsigned lane, unsigned i, auto value) {
      auto [k, n] = fragment::ofB(lane, r, per);
      b[k + i][n] = value;
    });
  for (unsigned r = 0; r < registersD; ++r) {
    const auto *row = warp.row<typename Accumulator::Register>(*op++);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < perD; ++i) {
        auto [m, n] = fragment::ofC(lane, r * perD + i, M);
        d[m][n] = Accumulator::of(row[lane], i);
      }
  }

  const Modifiers mode = inst.fp;
  for (unsigned m = 0; m < M; ++m)
    dot::multiplyRow<A, C>(d[m], a[m], b, mode);

  for (unsigned r = 0; r < registersD; ++r) {
    auto *row = warp.row<typename Accumulator::Register>(inst.op[r]);
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      auto [m, n] = fragment::ofC(lane, r * perD, M);
      row[lane] = Accumulator::round(&d[m][n], mode); // a register's elements are adjacent
    }
  }
}

template <unsigned M, unsigned K, class A, class B, class C> static void select(const Match &match, Inst &inst) {
  inst.fp = fpModifiers(match);
  inst.run = &multiply<M, K, A, B, C>;
}

// The types of A and B, from "... .dtype.atype.btype.ctype".
static std::string_view typeOfA(const Match &match) { return match.modifiers[match.modifiers.size() - 3]; }
static std::string_view typeOfB(const Match &match) { return match.modifiers[match.modifiers.size() - 2]; }

template <unsigned M, unsigned K, unsigned bits> static void selectInteger(const Match &match, Inst &inst) {
  using S = dot::Small<bits, true>;
  using U = dot::Small<bits, false>;
  inst.fp = fpModifiers(match);
  bool a = typeOfA(match).front() == 's', b = typeOfB(match).front() == 's';
  inst.run = a   ? b ? &multiply<M, K, S, S, s32> : &multiply<M, K, S, U, s32>
             : b ? &multiply<M, K, U, S, s32>
                 : &multiply<M, K, U, U, s32>;
}

template <unsigned M, unsigned K, class C> static void selectFloat8(const Match &match, Inst &inst) {
  inst.fp = fpModifiers(match);
  bool a = typeOfA(match) == "e4m3", b = typeOfB(match) == "e4m3";
  inst.run = a   ? b ? &multiply<M, K, e4m3, e4m3, C> : &multiply<M, K, e4m3, e5m2, C>
             : b ? &multiply<M, K, e5m2, e4m3, C>
                 : &multiply<M, K, e5m2, e5m2, C>;
}

// K is in words, because every bit is a number.
template <unsigned M, unsigned K> static void selectBits(const Match &match, Inst &inst) {
  inst.run = match.has("xor") ? &multiply<M, K / 32, dot::XorBits, dot::XorBits, s32>
                              : &multiply<M, K / 32, dot::AndBits, dot::AndBits, s32>;
}

//===-- 8 x 8 matrices of 16-bit elements ------------------------------------------------------------------------===//

namespace {

struct Matrix8x8 {
  u16 element[8][8];

  // Returns a lane's part: two adjacent elements of a row or, for the transposed matrix, of a column.
  u32 part(unsigned lane, bool transposed) const {
    unsigned row = lane / 4, column = lane % 4 * 2;
    u16 first = transposed ? element[column][row] : element[row][column];
    u16 second = transposed ? element[column + 1][row] : element[row][column + 1];
    return u32(second) << 16 | first;
  }
  void setPart(unsigned lane, bool transposed, u32 value) {
    unsigned row = lane / 4, column = lane % 4 * 2;
    (transposed ? element[column][row] : element[row][column]) = static_cast<u16>(value);
    (transposed ? element[column + 1][row] : element[row][column + 1]) = static_cast<u16>(value >> 16);
  }
};

constexpr uint32_t rowBytes = sizeof(Matrix8x8::element[0]);

// Lanes 8 i to 8 i + 7 hold the addresses of matrix i's rows.
template <unsigned count> constexpr Mask rowLanes = count == 4 ? allLanes : (Mask(1) << 8 * count) - 1;

} // namespace

// op: d, the address
template <unsigned count, bool transposed> static void loadMatrix(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  Pointers rows = access(warp, inst, rowLanes<count>, count, rowBytes, Access::load);
  Matrix8x8 matrices[count];
  for (unsigned lane = 0; lane < 8 * count; ++lane)
    std::memcpy(matrices[lane / 8].element[lane % 8], rows.at[lane], rowBytes);
  for (unsigned i = 0; i < count; ++i) {
    u32 *d = warp.row<u32>(inst.op[i]);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      d[lane] = matrices[i].part(lane, transposed);
  }
}

// op: the address, a
template <unsigned count, bool transposed> static void storeMatrix(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  Matrix8x8 matrices[count];
  for (unsigned i = 0; i < count; ++i) {
    const u32 *a = warp.row<u32>(inst.op[i + 1]);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      matrices[i].setPart(lane, transposed, a[lane]);
  }
  // Each lane stores consecutive rows.
  Pointers rows =
      access(warp, inst, rowLanes<count>, 0, rowBytes, Access::store, reinterpret_cast<const std::byte *>(matrices));
  for (unsigned lane = 0; lane < 8 * count; ++lane)
    std::memcpy(rows.at[lane], matrices[lane / 8].element[lane % 8], rowBytes);
}

// op: d, a
static void transposeMatrix(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  Matrix8x8 matrix;
  const u32 *a = warp.row<u32>(inst.op[1]);
  u32 *d = warp.row<u32>(inst.op[0]);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    matrix.setPart(lane, false, a[lane]);
  for (unsigned lane = 0; lane < warpSize; ++lane)
    d[lane] = matrix.part(lane, true);
}

static bool setShared(const Match &match, Inst &inst) {
  inst.memory = true;
  inst.space = match.has("shared") || match.has("shared::cta") ? Space::shared : Space::generic;
  return match.has("trans");
}
template <unsigned count> static void selectLoad(const Match &match, Inst &inst) {
  inst.run = setShared(match, inst) ? &loadMatrix<count, true> : &loadMatrix<count, false>;
}
template <unsigned count> static void selectStore(const Match &match, Inst &inst) {
  inst.run = setShared(match, inst) ? &storeMatrix<count, true> : &storeMatrix<count, false>;
}

//===-- The rows -----------------------------------------------------------------------------------------------===//

Rows tilecc::emu::matrixRows() {
  Rows rows = {
      // Half precision, accumulated in single or half.
      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {d*4:f32}, {a*2:b32}, {b*1:b32}, {c*4:f32}",
       select<16, 8, f16, f16, float>},
      {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {d*2:b32}, {a*2:b32}, {b*1:b32}, {c*2:b32}",
       select<16, 8, f16, f16, f16>},
      {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {d*4:f32}, {a*2:b32}, {b*1:b32}, {c*4:f32}",
       select<16, 8, bf16, bf16, float>},
      {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d*4:f32}, {a*4:b32}, {b*2:b32}, {c*4:f32}",
       select<16, 16, f16, f16, float>},
      {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {d*2:b32}, {a*4:b32}, {b*2:b32}, {c*2:b32}",
       select<16, 16, f16, f16, f16>},
      {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d*4:f32}, {a*4:b32}, {b*2:b32}, {c*4:f32}",
       select<16, 16, bf16, bf16, float>},
      // tf32
      {"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {d*4:f32}, {a*2:b32}, {b*1:b32}, {c*4:f32}",
       select<16, 4, tf32, tf32, float>},
      {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {d*4:f32}, {a*4:b32}, {b*2:b32}, {c*4:f32}",
       select<16, 8, tf32, tf32, float>},
      // 8-bit floating point
      {"mma.sync.aligned.m16n8k16.row.col.f32(.e4m3|.e5m2)(.e4m3|.e5m2).f32 {d*4:f32}, {a*2:b32}, {b*1:b32}, {c*4:f32}",
       selectFloat8<16, 16, float>},
      {"mma.sync.aligned.m16n8k16.row.col.f16(.e4m3|.e5m2)(.e4m3|.e5m2).f16 {d*2:b32}, {a*2:b32}, {b*1:b32}, {c*2:b32}",
       selectFloat8<16, 16, f16>},
      {"mma.sync.aligned.m16n8k32.row.col.f32(.e4m3|.e5m2)(.e4m3|.e5m2).f32 {d*4:f32}, {a*4:b32}, {b*2:b32}, {c*4:f32}",
       selectFloat8<16, 32, float>},
      {"mma.sync.aligned.m16n8k32.row.col.f16(.e4m3|.e5m2)(.e4m3|.e5m2).f16 {d*2:b32}, {a*4:b32}, {b*2:b32}, {c*2:b32}",
       selectFloat8<16, 32, f16>},
      // Double precision
      {"mma.sync.aligned.m8n8k4.row.col{.$rnd}.f64.f64.f64.f64 {d*2:f64}, {a*1:f64}, {b*1:f64}, {c*2:f64}",
       select<8, 4, double, double, double>},
      {"mma.sync.aligned.m16n8k4.row.col{.$rnd}.f64.f64.f64.f64 {d*4:f64}, {a*2:f64}, {b*1:f64}, {c*4:f64}",
       select<16, 4, double, double, double>},
      {"mma.sync.aligned.m16n8k8.row.col{.$rnd}.f64.f64.f64.f64 {d*4:f64}, {a*4:f64}, {b*2:f64}, {c*4:f64}",
       select<16, 8, double, double, double>},
      {"mma.sync.aligned.m16n8k16.row.col{.$rnd}.f64.f64.f64.f64 {d*4:f64}, {a*8:f64}, {b*4:f64}, {c*4:f64}",
       select<16, 16, double, double, double>},
      // Integers of 8 and of 4 bits
      {"mma.sync.aligned.m8n8k16.row.col{.satfinite}.s32(.s8|.u8)(.s8|.u8).s32 "
       "{d*2:s32}, {a*1:b32}, {b*1:b32}, {c*2:s32}",
       selectInteger<8, 16, 8>},
      {"mma.sync.aligned.m16n8k16.row.col{.satfinite}.s32(.s8|.u8)(.s8|.u8).s32 "
       "{d*4:s32}, {a*2:b32}, {b*1:b32}, {c*4:s32}",
       selectInteger<16, 16, 8>},
      {"mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32(.s8|.u8)(.s8|.u8).s32 "
       "{d*4:s32}, {a*4:b32}, {b*2:b32}, {c*4:s32}",
       selectInteger<16, 32, 8>},
      {"mma.sync.aligned.m8n8k32.row.col{.satfinite}.s32(.s4|.u4)(.s4|.u4).s32 "
       "{d*2:s32}, {a*1:b32}, {b*1:b32}, {c*2:s32}",
       selectInteger<8, 32, 4>},
      {"mma.sync.aligned.m16n8k32.row.col{.satfinite}.s32(.s4|.u4)(.s4|.u4).s32 "
       "{d*4:s32}, {a*2:b32}, {b*1:b32}, {c*4:s32}",
       selectInteger<16, 32, 4>},
      {"mma.sync.aligned.m16n8k64.row.col{.satfinite}.s32(.s4|.u4)(.s4|.u4).s32 "
       "{d*4:s32}, {a*4:b32}, {b*2:b32}, {c*4:s32}",
       selectInteger<16, 64, 4>},
      // Bits
      {"mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32(.xor|.and).popc {d*2:s32}, {a*1:b32}, {b*1:b32}, {c*2:s32}",
       selectBits<8, 128>},
      {"mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32(.xor|.and).popc {d*4:s32}, {a*2:b32}, {b*1:b32}, {c*4:s32}",
       selectBits<16, 128>},
      {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32(.xor|.and).popc {d*4:s32}, {a*4:b32}, {b*2:b32}, {c*4:s32}",
       selectBits<16, 256>},
      // Tiles in shared memory
      {"ldmatrix.sync.aligned.m8n8.x1{.trans}{.shared|.shared::cta}.b16 {d*1:b32}, [a]", selectLoad<1>},
      {"ldmatrix.sync.aligned.m8n8.x2{.trans}{.shared|.shared::cta}.b16 {d*2:b32}, [a]", selectLoad<2>},
      {"ldmatrix.sync.aligned.m8n8.x4{.trans}{.shared|.shared::cta}.b16 {d*4:b32}, [a]", selectLoad<4>},
      {"stmatrix.sync.aligned.m8n8.x1{.trans}{.shared|.shared::cta}.b16 [a], {b*1:b32}", selectStore<1>},
      {"stmatrix.sync.aligned.m8n8.x2{.trans}{.shared|.shared::cta}.b16 [a], {b*2:b32}", selectStore<2>},
      {"stmatrix.sync.aligned.m8n8.x4{.trans}{.shared|.shared::cta}.b16 [a], {b*4:b32}", selectStore<4>},
      {"movmatrix.sync.aligned.m8n8.trans.b16 d:b32, a:b32",
       [](const Match &, Inst &inst) { inst.run = &transposeMatrix; }},
  };
  for (Row &row : rows)
    row.flow = Flow::collective; // for the whole warp: inst.extra is 0
  return rows;
}
