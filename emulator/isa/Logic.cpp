//===-- Logic.cpp - bits (PTX ISA 9.7.1, 9.7.8) ----------------------------------------------------------------===//
#include "emulator/isa/numerics/Integer.h"
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

static Row permute(Row row) {
  row.parts = Parts::permute;
  return row;
}

static Row mask(Row row) {
  row.parts = Parts::mask;
  return row;
}

static Row shift(Row row) {
  row.parts = Parts::shift;
  return row;
}

Rows tilecc::emu::logicRows() {
  return {
      op<"and.T d, a, b; T = pred b16 b64">([](auto a, auto b) { return a & b; }),
      mask(op<"and.T d, a, b; T = b32">([](u32 a, u32 b) { return a & b; })),
      op<"or.T d, a, b; T = pred b16 b32 b64">([](auto a, auto b) { return a | b; }),
      op<"xor.T d, a, b; T = pred b16 b32 b64">([](auto a, auto b) { return a ^ b; }),
      op<"not.T d, a; T = b16 b32 b64">([](auto a) { return ~a; }),
      op<"not.T d, a; T = pred">([](bool a) { return !a; }),
      op<"cnot.T d, a; T = b16 b32 b64">([](auto a) { return a == 0; }),
      op<"shl.T d, a, b:u32; T = b16 b32 b64">([](auto a, u32 b) { return shl(a, b); }),
      op<"shr.T d, a, b:u32; T = b16 b32 u16 u32 s16 s32 s64">([](auto a, u32 b) { return shr(a, b); }),
      shift(op<"shr.T d, a, b:u32; T = b64 u64">([](u64 a, u32 b) { return shr(a, b); })),
      op<"shf.l.clamp.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return shf(a, b, c, true, false); }),
      op<"shf.r.clamp.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return shf(a, b, c, false, false); }),
      op<"shf.l.wrap.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return shf(a, b, c, true, true); }),
      op<"shf.r.wrap.T d, a, b, c:u32; T = b32">([](u32 a, u32 b, u32 c) { return shf(a, b, c, false, true); }),
      op<"lop3.T d, a, b, c, t:u32; T = b32">([](u32 a, u32 b, u32 c, u32 table) { return lop3(a, b, c, u8(table)); }),
      op<"bfe.T d, a, b:u32, c:u32; T = u32 u64 s32 s64">([](auto a, u32 b, u32 c) { return bfe(a, b, c); }),
      op<"bfi.T d, a, b, c:u32, n:u32; T = b32 b64">([](auto a, auto b, u32 c, u32 n) { return bfi(a, b, c, n); }),
      op<"bfind.T d:u32, a; T = u32 u64 s32 s64">([](auto a) { return bfind(a, false); }),
      op<"bfind.shiftamt.T d:u32, a; T = u32 u64 s32 s64">([](auto a) { return bfind(a, true); }),
      op<"brev.T d, a; T = b32 b64">([](auto a) { return brev(a); }),
      op<"clz.T d:u32, a; T = b32 b64">([](auto a) { return clz(a); }),
      op<"popc.T d:u32, a; T = b32 b64">([](auto a) { return popc(a); }),
      op<"fns.T d, a, b, c:s32; T = b32">([](u32 mask, u32 base, s32 n) { return fns(mask, base, n); }),
      permute(op<"prmt.T d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c); })),
      op<"prmt.T.f4e d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c, PermuteMode::f4e); }),
      op<"prmt.T.b4e d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c, PermuteMode::b4e); }),
      op<"prmt.T.rc8 d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c, PermuteMode::rc8); }),
      op<"prmt.T.ecl d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c, PermuteMode::ecl); }),
      op<"prmt.T.ecr d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c, PermuteMode::ecr); }),
      op<"prmt.T.rc16 d, a, b, c; T = b32">([](u32 a, u32 b, u32 c) { return prmt(a, b, c, PermuteMode::rc16); }),
      op<"bmsk.clamp.T d, a:u32, b:u32; T = b32">([](u32 a, u32 b) { return bmsk(a, b, false); }),
      op<"bmsk.wrap.T d, a:u32, b:u32; T = b32">([](u32 a, u32 b) { return bmsk(a, b, true); }),
      op<"szext.clamp.T d, a, b:u32; T = u32 s32">([](auto a, u32 b) { return szext(a, b, false); }),
      op<"szext.wrap.T d, a, b:u32; T = u32 s32">([](auto a, u32 b) { return szext(a, b, true); }),
  };
}
