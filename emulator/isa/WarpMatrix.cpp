//===-- WarpMatrix.cpp - wmma.load, wmma.mma, wmma.store (PTX ISA 9.7.14.4) -------------------------------------===//
//
// PTX does not specify which thread holds which elements of a fragment, and programs must not depend on it. Here, slot
// i of lane l is element (l * slots of a lane + i) of the matrix, in row-major order; a fragment with more slots than
// the matrix has elements (f16) repeats them. So the order of a matrix in memory matters only to loads and stores.
//
// Fragments of 4-bit and single-bit elements are not supported; mma.sync has them.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/exec/MemoryAccess.h"
#include "emulator/isa/Fragments.h"
#include "emulator/isa/MemoryModifiers.h"
#include "emulator/isa/Table.h"
#include "emulator/isa/numerics/Dot.h"

using namespace tilecc::emu;

// Returns the element of a matrix with `columns` columns that a slot holds.
template <unsigned rows, unsigned columns> static fragment::Element elementOf(unsigned slot) {
  unsigned number = slot % (rows * columns);
  return {number / columns, number % columns};
}

//===-- Memory -------------------------------------------------------------------------------------------------===//

// Computes the address of element `i` of each lane. All lanes have the same address and the same stride between rows or
// columns.
template <class T, unsigned rows, unsigned columns, bool byColumns>
static void addressElements(uint64_t first, int64_t stride, unsigned perLane, unsigned i,
                            uint64_t (&addresses)[warpSize]) {
  for (unsigned lane = 0; lane < warpSize; ++lane) {
    auto [row, column] = elementOf<rows, columns>(lane * perLane + i);
    int64_t index = byColumns ? column * stride + row : row * stride + column;
    addresses[lane] = first + index * int64_t(sizeof(T));
  }
}

template <class T> constexpr unsigned perRegister = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
template <class T> using RegisterOf = std::conditional_t<sizeof(T) == 8, u64, u32>;

// Returns the part of a register that holds element i of the lane.
template <class T> static std::byte *slotOf(Warp &warp, const uint32_t *registers, unsigned lane, unsigned i) {
  auto *row = warp.row<RegisterOf<T>>(registers[i / perRegister<T>]);
  return reinterpret_cast<std::byte *>(row + lane) + i % perRegister<T> * sizeof(T);
}

static int64_t strideOr(Warp &warp, const Inst &inst, unsigned operand, bool isGiven, int64_t otherwise) {
  return isGiven ? warp.row<s32>(inst.op[operand])[0] : otherwise;
}

// op: the fragment, the address, the stride (default: contiguous)
template <class T, unsigned rows, unsigned columns, bool byColumns>
static void loadFragment(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  uint64_t first[warpSize], addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[inst.dests], first);
  int64_t stride = strideOr(warp, inst, inst.dests + 1, inst.sources == 2, byColumns ? rows : columns);
  unsigned perLane = inst.dests * perRegister<T>;
  for (unsigned i = 0; i < perLane; ++i) {
    addressElements<T, rows, columns, byColumns>(first[0], stride, perLane, i, addresses);
    Pointers from = access(warp, inst, lanes, addresses, inst.space, sizeof(T), Access::load);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(slotOf<T>(warp, inst.op, lane, i), from.at[lane], sizeof(T));
  }
}

// op: the address, the fragment, the stride
template <class T, unsigned rows, unsigned columns, bool byColumns>
static void storeFragment(Warp &warp, const Inst &inst, Mask lanes) {
  needWholeWarp(warp, inst, lanes);
  uint64_t first[warpSize], addresses[warpSize];
  computeAddresses(warp, inst, lanes, inst.op[0], first);
  constexpr unsigned registers = rows * columns / (warpSize * perRegister<T>), perLane = registers * perRegister<T>;
  int64_t stride = strideOr(warp, inst, registers + 1, inst.sources > registers + 1, byColumns ? rows : columns);
  ++warp.changes;
  ++warp.progress;
  for (unsigned i = 0; i < perLane; ++i) {
    addressElements<T, rows, columns, byColumns>(first[0], stride, perLane, i, addresses);
    std::byte values[warpSize * sizeof(T)];
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(values + lane * sizeof(T), slotOf<T>(warp, inst.op + 1, lane, i), sizeof(T));
    Pointers to = access(warp, inst, lanes, addresses, inst.space, sizeof(T), Access::store, values);
    for (unsigned lane = 0; lane < warpSize; ++lane)
      std::memcpy(to.at[lane], values + lane * sizeof(T), sizeof(T));
  }
}

template <class T, unsigned rows, unsigned columns> static void selectLoad(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = match.has("col") ? &loadFragment<T, rows, columns, true> : &loadFragment<T, rows, columns, false>;
}
template <class T, unsigned rows, unsigned columns> static void selectStore(const Match &match, Inst &inst) {
  setMemoryModifiers(match, inst);
  inst.run = match.has("col") ? &storeFragment<T, rows, columns, true> : &storeFragment<T, rows, columns, false>;
}

//===-- Products -----------------------------------------------------------------------------------------------===//

// D = A * B + C, M x K times K x N. op: d, a, b, c
template <unsigned M, unsigned N, unsigned K, unsigned registersA, unsigned registersB, class A, class B, class C,
          class D>
static void multiply(Warp &warp, const Inst &inst, Mask lanes) {
  using OperandA = dot::Operand<A>;
  using OperandB = dot::Operand<B>;
  using From = dot::Accumulator<C>;
  using To = dot::Accumulator<D>;
  constexpr unsigned per = OperandA::bits < 32 ? 32 / OperandA::bits : 1, size = M * N / warpSize,
                     registersC = size / From::perRegister, registersD = size / To::perRegister;
  needWholeWarp(warp, inst, lanes);
  typename OperandA::Value a[M][K];
  typename OperandB::Value b[K][N];
  typename From::Sum d[M][N];
  const uint32_t *op = inst.op + registersD;
  for (unsigned r = 0; r < registersA; ++r, ++op)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < per; ++i) {
        auto [row, column] = elementOf<M, K>((lane * registersA + r) * per + i);
        a[row][column] = OperandA::of(warp.row<typename OperandA::Register>(*op)[lane], i);
      }
  for (unsigned r = 0; r < registersB; ++r, ++op)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < per; ++i) {
        auto [row, column] = elementOf<K, N>((lane * registersB + r) * per + i);
        b[row][column] = OperandB::of(warp.row<typename OperandB::Register>(*op)[lane], i);
      }
  for (unsigned r = 0; r < registersC; ++r, ++op)
    for (unsigned lane = 0; lane < warpSize; ++lane)
      for (unsigned i = 0; i < From::perRegister; ++i) {
        auto [row, column] = elementOf<M, N>(lane * size + r * From::perRegister + i);
        d[row][column] = From::of(warp.row<typename From::Register>(*op)[lane], i);
      }
  for (unsigned row = 0; row < M; ++row)
    dot::multiplyRow<A, D>(d[row], a[row], b, inst.fp);
  for (unsigned r = 0; r < registersD; ++r)
    for (unsigned lane = 0; lane < warpSize; ++lane) {
      auto [row, column] = elementOf<M, N>(lane * size + r * To::perRegister); // a register's elements are adjacent
      warp.row<typename To::Register>(inst.op[r])[lane] = To::round(&d[row][column], inst.fp);
    }
}

template <unsigned M, unsigned N, unsigned K, unsigned registersA, unsigned registersB, class A, class B, class C,
          class D>
static void select(const Match &match, Inst &inst) {
  inst.fp = fpModifiers(match);
  inst.run = &multiply<M, N, K, registersA, registersB, A, B, C, D>;
}

template <unsigned M, unsigned N, unsigned registersA, unsigned registersB>
static void selectBytes(const Match &match, Inst &inst) {
  using S = dot::Small<8, true>;
  using U = dot::Small<8, false>;
  inst.fp = fpModifiers(match);
  if (match.has("s8") && match.has("u8"))
    return; // both have the same type
  inst.run = match.has("s8") ? &multiply<M, N, 16, registersA, registersB, S, S, s32, s32>
                             : &multiply<M, N, 16, registersA, registersB, U, U, s32, s32>;
}

//===-- The rows -----------------------------------------------------------------------------------------------===//

Rows tilecc::emu::warpMatrixRows() {
  Rows rows = {
      // Half precision
      {"wmma.load.a.sync.aligned(.row|.col).m16n16k16{.$space}.f16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 16, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m8n32k16{.$space}.f16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 8, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m32n8k16{.$space}.f16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 32, 16>},
      {"wmma.load.b.sync.aligned(.row|.col).m16n16k16{.$space}.f16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 16, 16>},
      {"wmma.load.b.sync.aligned(.row|.col).m8n32k16{.$space}.f16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 16, 32>},
      {"wmma.load.b.sync.aligned(.row|.col).m32n8k16{.$space}.f16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 16, 8>},
      // bfloat16
      {"wmma.load.a.sync.aligned(.row|.col).m16n16k16{.$space}.bf16 {d*4:b32}, [a], c:b32?", selectLoad<u16, 16, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m8n32k16{.$space}.bf16 {d*2:b32}, [a], c:b32?", selectLoad<u16, 8, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m32n8k16{.$space}.bf16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 32, 16>},
      {"wmma.load.b.sync.aligned(.row|.col).m16n16k16{.$space}.bf16 {d*4:b32}, [a], c:b32?", selectLoad<u16, 16, 16>},
      {"wmma.load.b.sync.aligned(.row|.col).m8n32k16{.$space}.bf16 {d*8:b32}, [a], c:b32?", selectLoad<u16, 16, 32>},
      {"wmma.load.b.sync.aligned(.row|.col).m32n8k16{.$space}.bf16 {d*2:b32}, [a], c:b32?", selectLoad<u16, 16, 8>},
      // Bytes
      {"wmma.load.a.sync.aligned(.row|.col).m16n16k16{.$space}(.s8|.u8) {d*2:b32}, [a], c:b32?",
       selectLoad<u8, 16, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m8n32k16{.$space}(.s8|.u8) {d*1:b32}, [a], c:b32?", selectLoad<u8, 8, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m32n8k16{.$space}(.s8|.u8) {d*4:b32}, [a], c:b32?", selectLoad<u8, 32, 16>},
      {"wmma.load.b.sync.aligned(.row|.col).m16n16k16{.$space}(.s8|.u8) {d*2:b32}, [a], c:b32?",
       selectLoad<u8, 16, 16>},
      {"wmma.load.b.sync.aligned(.row|.col).m8n32k16{.$space}(.s8|.u8) {d*4:b32}, [a], c:b32?", selectLoad<u8, 16, 32>},
      {"wmma.load.b.sync.aligned(.row|.col).m32n8k16{.$space}(.s8|.u8) {d*1:b32}, [a], c:b32?", selectLoad<u8, 16, 8>},
      // tf32 and double precision
      {"wmma.load.a.sync.aligned(.row|.col).m16n16k8{.$space}.tf32 {d*4:b32}, [a], c:b32?", selectLoad<u32, 16, 8>},
      {"wmma.load.b.sync.aligned(.row|.col).m16n16k8{.$space}.tf32 {d*4:b32}, [a], c:b32?", selectLoad<u32, 8, 16>},
      {"wmma.load.a.sync.aligned(.row|.col).m8n8k4{.$space}.f64 {d*1:b64}, [a], c:b32?", selectLoad<u64, 8, 4>},
      {"wmma.load.b.sync.aligned(.row|.col).m8n8k4{.$space}.f64 {d*1:b64}, [a], c:b32?", selectLoad<u64, 4, 8>},
      // Accumulators
      {"wmma.load.c.sync.aligned(.row|.col)(.m16n16k16|.m16n16k8){.$space}(.f32|.s32) {d*8:b32}, [a], c:b32?",
       selectLoad<u32, 16, 16>},
      {"wmma.load.c.sync.aligned(.row|.col).m8n32k16{.$space}(.f32|.s32) {d*8:b32}, [a], c:b32?",
       selectLoad<u32, 8, 32>},
      {"wmma.load.c.sync.aligned(.row|.col).m32n8k16{.$space}(.f32|.s32) {d*8:b32}, [a], c:b32?",
       selectLoad<u32, 32, 8>},
      {"wmma.load.c.sync.aligned(.row|.col).m16n16k16{.$space}.f16 {d*4:b32}, [a], c:b32?", selectLoad<u16, 16, 16>},
      {"wmma.load.c.sync.aligned(.row|.col).m8n32k16{.$space}.f16 {d*4:b32}, [a], c:b32?", selectLoad<u16, 8, 32>},
      {"wmma.load.c.sync.aligned(.row|.col).m32n8k16{.$space}.f16 {d*4:b32}, [a], c:b32?", selectLoad<u16, 32, 8>},
      {"wmma.load.c.sync.aligned(.row|.col).m8n8k4{.$space}.f64 {d*2:b64}, [a], c:b32?", selectLoad<u64, 8, 8>},
      {"wmma.store.d.sync.aligned(.row|.col)(.m16n16k16|.m16n16k8){.$space}(.f32|.s32) [a], {b*8:b32}, c:b32?",
       selectStore<u32, 16, 16>},
      {"wmma.store.d.sync.aligned(.row|.col).m8n32k16{.$space}(.f32|.s32) [a], {b*8:b32}, c:b32?",
       selectStore<u32, 8, 32>},
      {"wmma.store.d.sync.aligned(.row|.col).m32n8k16{.$space}(.f32|.s32) [a], {b*8:b32}, c:b32?",
       selectStore<u32, 32, 8>},
      {"wmma.store.d.sync.aligned(.row|.col).m16n16k16{.$space}.f16 [a], {b*4:b32}, c:b32?", selectStore<u16, 16, 16>},
      {"wmma.store.d.sync.aligned(.row|.col).m8n32k16{.$space}.f16 [a], {b*4:b32}, c:b32?", selectStore<u16, 8, 32>},
      {"wmma.store.d.sync.aligned(.row|.col).m32n8k16{.$space}.f16 [a], {b*4:b32}, c:b32?", selectStore<u16, 32, 8>},
      {"wmma.store.d.sync.aligned(.row|.col).m8n8k4{.$space}.f64 [a], {b*2:b64}, c:b32?", selectStore<u64, 8, 8>},
      // Products: for half precision, the types are those of D and C
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k16.f32.f32 {d*8:f32}, {a*8:b32}, {b*8:b32}, {c*8:f32}",
       select<16, 16, 16, 8, 8, f16, f16, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m8n32k16.f32.f32 {d*8:f32}, {a*8:b32}, {b*8:b32}, {c*8:f32}",
       select<8, 32, 16, 8, 8, f16, f16, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m32n8k16.f32.f32 {d*8:f32}, {a*8:b32}, {b*8:b32}, {c*8:f32}",
       select<32, 8, 16, 8, 8, f16, f16, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k16.f16.f16 {d*4:b32}, {a*8:b32}, {b*8:b32}, {c*4:b32}",
       select<16, 16, 16, 8, 8, f16, f16, f16, f16>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m8n32k16.f16.f16 {d*4:b32}, {a*8:b32}, {b*8:b32}, {c*4:b32}",
       select<8, 32, 16, 8, 8, f16, f16, f16, f16>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m32n8k16.f16.f16 {d*4:b32}, {a*8:b32}, {b*8:b32}, {c*4:b32}",
       select<32, 8, 16, 8, 8, f16, f16, f16, f16>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k16.f32.f16 {d*8:f32}, {a*8:b32}, {b*8:b32}, {c*4:b32}",
       select<16, 16, 16, 8, 8, f16, f16, f16, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k16.f16.f32 {d*4:b32}, {a*8:b32}, {b*8:b32}, {c*8:f32}",
       select<16, 16, 16, 8, 8, f16, f16, float, f16>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k16.f32.bf16.bf16.f32 "
       "{d*8:f32}, {a*4:b32}, {b*4:b32}, {c*8:f32}",
       select<16, 16, 16, 4, 4, bf16, bf16, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m8n32k16.f32.bf16.bf16.f32 "
       "{d*8:f32}, {a*2:b32}, {b*8:b32}, {c*8:f32}",
       select<8, 32, 16, 2, 8, bf16, bf16, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m32n8k16.f32.bf16.bf16.f32 "
       "{d*8:f32}, {a*8:b32}, {b*2:b32}, {c*8:f32}",
       select<32, 8, 16, 8, 2, bf16, bf16, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k8.f32.tf32.tf32.f32 "
       "{d*8:f32}, {a*4:b32}, {b*4:b32}, {c*8:f32}",
       select<16, 16, 8, 4, 4, tf32, tf32, float, float>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m8n8k4{.$rnd}.f64.f64.f64.f64 "
       "{d*2:f64}, {a*1:f64}, {b*1:f64}, {c*2:f64}",
       select<8, 8, 4, 1, 1, double, double, double, double>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m16n16k16.s32(.s8|.u8)(.s8|.u8).s32{.satfinite} "
       "{d*8:s32}, {a*2:b32}, {b*2:b32}, {c*8:s32}",
       selectBytes<16, 16, 2, 2>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m8n32k16.s32(.s8|.u8)(.s8|.u8).s32{.satfinite} "
       "{d*8:s32}, {a*1:b32}, {b*4:b32}, {c*8:s32}",
       selectBytes<8, 32, 1, 4>},
      {"wmma.mma.sync.aligned(.row|.col)(.row|.col).m32n8k16.s32(.s8|.u8)(.s8|.u8).s32{.satfinite} "
       "{d*8:s32}, {a*4:b32}, {b*1:b32}, {c*8:s32}",
       selectBytes<32, 8, 4, 1>},
  };
  for (Row &row : rows)
    row.flow = Flow::collective; // for the whole warp: inst.extra is 0
  return rows;
}
