//===-- Move.cpp - moves between registers (PTX ISA 9.7.9) -----------------------------------------------------===//
#include "emulator/isa/Table.h"

using namespace tilecc::emu;

// op: the wide register, then the parts, lowest first.
template <class Whole, class Part> static void pack(Warp &warp, const Inst &inst, Mask lanes) {
  writeRow<Whole>(warp, inst.op[0], lanes, [&](unsigned lane) {
    Whole whole = 0;
    for (unsigned part = 0; part < sizeof(Whole) / sizeof(Part); ++part)
      whole |= static_cast<Whole>(warp.row<Part>(inst.op[part + 1])[lane]) << (part * sizeof(Part) * 8);
    return whole;
  });
}

// op: the parts, lowest first, then the wide register.
template <class Whole, class Part> static void unpack(Warp &warp, const Inst &inst, Mask lanes) {
  constexpr unsigned parts = sizeof(Whole) / sizeof(Part);
  const Whole *from = warp.row<Whole>(inst.op[parts]);
  for (unsigned part = 0; part < parts; ++part)
    writeRow<Part>(warp, inst.op[part], lanes,
                   [&](unsigned lane) { return static_cast<Part>(from[lane] >> (part * sizeof(Part) * 8)); });
}

template <class Whole, class Part> static void selectPack(const Match &, Inst &inst) {
  inst.run = &pack<Whole, Part>;
  inst.parts = Parts::pack;
}
template <class Whole, class Part> static void selectUnpack(const Match &, Inst &inst) {
  inst.run = &unpack<Whole, Part>;
  inst.parts = Parts::unpack;
}

static Row copy(Row row) {
  row.parts = Parts::copy;
  return row;
}

static u64 windowOf(std::string_view space) {
  return space.starts_with("shared")  ? sharedWindow
         : space == "local"           ? localWindow
         : space.starts_with("param") ? paramWindow
                                      : 0;
}

// cvta: `offset` adds or subtracts the base of the space's window.
static void convertAddress(Warp &warp, const Inst &inst, Mask lanes) {
  const u64 *from = warp.row<u64>(inst.op[1]);
  writeRow<u64>(warp, inst.op[0], lanes, [&](unsigned lane) { return from[lane] + inst.offset; });
}

// According to the manual, kernel parameters also count as global memory; constants, which share its addresses here, do
// not.
static void isInSpace(Warp &warp, const Inst &inst, Mask lanes) {
  const DeviceMemory &memory = *warp.block->launch->memory;
  const u64 *from = warp.row<u64>(inst.op[1]);
  u64 window = inst.offset;
  writeRow<bool>(warp, inst.op[0], lanes, [&](unsigned lane) {
    u64 address = from[lane];
    if (window)
      return (address & windowMask) == window;
    if ((address & windowMask) == paramWindow)
      return inst.space == ptx::Space::global;
    bool isConstant = memory.backing(address, 1) && memory.isProtected(address, 1);
    return (address & windowMask) == 0 && isConstant == (inst.space == ptx::Space::constant);
  });
}

Rows tilecc::emu::moveRows() {
  return {
      copy(op<"mov.T d, a; T = pred b16 b32 b64 b128 u16 u32 u64 s16 s32 s64 f32 f64">([](auto a) { return a; })),
      {"mov.T d:b16, {a*2}:b8; T = b16", selectPack<u16, u8>},
      {"mov.T d:b32, {a*4}:b8; T = b32", selectPack<u32, u8>},
      {"mov.T d:b32, {a*2}:b16; T = b32", selectPack<u32, u16>},
      {"mov.T d:b64, {a*4}:b16; T = b64", selectPack<u64, u16>},
      {"mov.T d:b64, {a*2}:b32; T = b64", selectPack<u64, u32>},
      {"mov.T d:b128, {a*4}:b32; T = b128", selectPack<u128, u32>},
      {"mov.T d:b128, {a*2}:b64; T = b128", selectPack<u128, u64>},
      {"mov.T {d*2}:b8, a:b16; T = b16", selectUnpack<u16, u8>},
      {"mov.T {d*4}:b8, a:b32; T = b32", selectUnpack<u32, u8>},
      {"mov.T {d*2}:b16, a:b32; T = b32", selectUnpack<u32, u16>},
      {"mov.T {d*4}:b16, a:b64; T = b64", selectUnpack<u64, u16>},
      {"mov.T {d*2}:b32, a:b64; T = b64", selectUnpack<u64, u32>},
      {"mov.T {d*4}:b32, a:b128; T = b128", selectUnpack<u128, u32>},
      {"mov.T {d*2}:b64, a:b128; T = b128", selectUnpack<u128, u64>},
      {"cvta.$space.T d, a; T = u64",
       [](const Match &match, Inst &inst) {
         inst.offset = windowOf(match["space"]);
         inst.run = &convertAddress;
       }},
      {"cvta.to.$space.T d, a; T = u64",
       [](const Match &match, Inst &inst) {
         inst.offset = -windowOf(match["space"]);
         inst.run = &convertAddress;
       }},
      {"isspacep.$space d:pred, a:b64",
       [](const Match &match, Inst &inst) {
         inst.offset = windowOf(match["space"]);
         inst.space = match["space"] == "const" ? ptx::Space::constant : ptx::Space::global;
         inst.run = &isInSpace;
       }},
  };
}
