//===-- HopperWgmma.cpp - wgmma in all forms: types, widths, swizzles, orders, A in registers ----------------===//
//
// The tiles come by tensor copies: A of 64 rows and B of N columns, 128 bytes deep. Of an operand that is K-major, a
// box is a swizzled row along K of all its rows (or columns); of one that is MN-major, a swizzled row along M or N for
// each k.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "emulator/isa/numerics/Convert.h"
#include "test/emulator/hardware/HopperPrograms.h"

#include <cstring>
#include <random>

using namespace tilecc::emu;
using namespace tilecc::emu::test;

namespace {

enum : unsigned { threads = 128, rows = 64, depthBytes = 128, sliceBytes = 32 };

struct ElementType {
  const char *name;
  unsigned bytes;
  int mapType; // CUtensorMapDataType: what has as many bytes
};
const ElementType f16Type{"f16", 2, 6}, bf16Type{"bf16", 2, 9}, tf32Type{"tf32", 4, 7}, e4m3Type{"e4m3", 1, 0},
    e5m2Type{"e5m2", 1, 0}, s8Type{"s8", 1, 0}, u8Type{"u8", 1, 0};

struct Product {
  ElementType a, b;
  unsigned columns = 64;
  unsigned swizzle = 128; // bytes
  bool aAlongM = false, bAlongN = false; // MN-major
  bool fromRegisters = false;

  bool isInteger() const { return a.name[1] == '8'; }
  unsigned depth() const { return depthBytes / a.bytes; }
};

std::string number(uint64_t value) { return std::to_string(value); }

// A small whole number as an element: its bits.
uint64_t encode(const ElementType &type, int value) {
  Modifiers satfinite;
  satfinite.satfinite = true;
  std::string name = type.name;
  float x = static_cast<float>(value);
  return name == "f16"    ? convert<f16>(x).bits
         : name == "bf16" ? convert<bf16>(x).bits
         : name == "tf32" ? bitsOf(x)
         : name == "e4m3" ? convert<e4m3>(x, satfinite).bits
         : name == "e5m2" ? convert<e5m2>(x, satfinite).bits
                          : static_cast<uint8_t>(value);
}

// `lines` x depth numbers and their memory, K-major or with lines side by side.
struct Matrix {
  std::vector<int> values; // [line][k]
  Bytes memory;
};
Matrix makeMatrix(const ElementType &type, unsigned lines, unsigned depth, bool alongLines, std::mt19937_64 &random) {
  Matrix made{std::vector<int>(lines * depth), Bytes(lines * depth * type.bytes)};
  std::string name = type.name;
  for (unsigned line = 0; line < lines; ++line)
    for (unsigned k = 0; k < depth; ++k) {
      int value = name == "s8"   ? int(random() % 256) - 128
                  : name == "u8" ? int(random() % 256)
                                 : int(random() % 9) - 4;
      made.values[line * depth + k] = value;
      uint64_t bits = encode(type, value);
      std::memcpy(&made.memory[(alongLines ? k * lines + line : line * depth + k) * type.bytes], &bits, type.bytes);
    }
  return made;
}

// The positions of an operand's boxes and slices in shared memory. `lines`: 64 rows, or the columns.
struct Operand {
  unsigned lines, elementBytes, swizzle;
  bool alongLines;
  unsigned depth() const { return depthBytes / elementBytes; }
  unsigned perRow() const { return swizzle / elementBytes; } // elements of a swizzled row
  unsigned boxBytes() const { return (alongLines ? depth() : lines) * swizzle; }
  unsigned boxes() const { return (alongLines ? lines : depth()) / perRow(); }
  unsigned sliceStart(unsigned slice) const {
    if (alongLines)
      return slice * (sliceBytes / elementBytes) * swizzle;
    return slice * sliceBytes / swizzle * boxBytes() + slice * sliceBytes % swizzle;
  }
  uint64_t descriptor(unsigned slice) const { // without the base address
    uint64_t layout = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3, leading = alongLines ? boxBytes() : 16;
    return sliceStart(slice) >> 4 | leading >> 4 << 16 | uint64_t(8 * swizzle) >> 4 << 32 | layout << 62;
  }
  MapArguments map(MapArguments::Buffer buffer, int type) const {
    uint64_t inner = alongLines ? lines : depth(), outer = alongLines ? depth() : lines;
    return {buffer, type, {inner, outer}, {inner * elementBytes}, {perRow(), static_cast<uint32_t>(outer)},
            swizzle == 128 ? 3 : swizzle == 64 ? 2 : 1};
  }
};

HopperProgram makeProgram(const Product &p, std::mt19937_64 &random) {
  Operand a{rows, p.a.bytes, p.swizzle, p.aAlongM}, b{p.columns, p.b.bytes, p.swizzle, p.bAlongN};
  Matrix left = makeMatrix(p.a, rows, p.depth(), p.aAlongM, random);
  Matrix right = makeMatrix(p.b, p.columns, p.depth(), p.bAlongN, random);
  unsigned registers = p.columns / 2, slices = depthBytes / sliceBytes, k = sliceBytes / p.a.bytes;
  unsigned aBytes = rows * depthBytes, bBytes = p.columns * depthBytes;
  std::string shape = "m64n" + number(p.columns) + "k" + number(k);
  std::string types = (p.isInteger() ? ".s32." : ".f32.") + std::string(p.a.name) + "." + p.b.name;

  std::string body =
      "  .shared .align 1024 .b8 tiles[" + number(aBytes + bBytes) +
      "];\n  .shared .align 8 .b64 full;\n"
      "  .reg .b32 %base, %x, %lane, %f<4>;\n  .reg .b64 %da, %db, %from;\n  .reg .pred %first, %done, %keep;\n"
      "  .reg .b32 %d<" +
      number(registers) +
      ">;\n  setp.eq.u32 %first, %t, 0;\n  mov.u32 %base, tiles;\n"
      "  @%first mbarrier.init.shared::cta.b64 [full], 1;\n  @%first fence.mbarrier_init.release.cluster;\n"
      "  bar.sync 0;\n  @%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [full], " +
      number((p.fromRegisters ? 0 : aBytes) + bBytes) + ";\n";
  auto load = [&](const Operand &operand, unsigned map, unsigned base) {
    for (unsigned box = 0; box < operand.boxes(); ++box)
      body += "  @%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tiles+" +
              number(base + box * operand.boxBytes()) + "], [%m" + number(map) + ", {" +
              number(box * operand.perRow()) + ", 0}], [full];\n";
  };
  if (!p.fromRegisters)
    load(a, 0, 0);
  load(b, 1, aBytes);
  body += "wait:\n  mbarrier.try_wait.parity.shared::cta.b64 %done, [full], 0;\n  @!%done bra wait;\n"
          "  and.b32 %lane, %t, 31;\n";
  if (p.fromRegisters) { // row 16 * warp + lane / 4 + 8 * (r % 2), word lane % 4 + 4 * (r / 2) of the slice
    body += "  .reg .b32 %row, %word;\n  shr.u32 %row, %t, 5;\n  shl.b32 %row, %row, 4;\n  shr.u32 %word, %lane, 2;\n"
            "  add.u32 %row, %row, %word;\n  and.b32 %word, %lane, 3;\n  mul.lo.u32 %x, %row, 128;\n"
            "  mad.lo.u32 %x, %word, 4, %x;\n  cvt.u64.u32 %from, %x;\n  add.u64 %from, %a, %from;\n";
    for (unsigned slice = 0; slice < slices; ++slice)
      for (unsigned r = 0; r < 4; ++r)
        body += "  .reg .b32 %a" + number(slice) + "x" + number(r) + ";\n  ld.global.b32 %a" + number(slice) + "x" +
                number(r) + ", [%from+" + number(slice * sliceBytes + (r % 2) * 8 * depthBytes + r / 2 * 16) + "];\n";
  }
  std::string sums = "{";
  for (unsigned r = 0; r < registers; ++r) {
    body += "  mov.b32 %d" + number(r) + ", 0;\n";
    sums += (r ? ", %d" : "%d") + number(r);
  }
  sums += "}";
  body += "  wgmma.fence.sync.aligned;\n";
  for (unsigned slice = 0; slice < slices; ++slice) {
    auto descriptor = [&](const char *name, const Operand &operand, unsigned base) {
      body += "  add.u32 %x, %base, " + number(base) + ";\n  shr.u32 %x, %x, 4;\n  cvt.u64.u32 " + name +
              ", %x;\n  add.u64 " + name + ", " + name + ", " + number(operand.descriptor(slice)) + ";\n";
    };
    std::string s = number(slice);
    std::string leftOperand = "%da", tail = p.isInteger() ? "" : ", 1, 1";
    if (p.fromRegisters)
      leftOperand = "{%a" + s + "x0, %a" + s + "x1, %a" + s + "x2, %a" + s + "x3}";
    else
      descriptor("%da", a, 0);
    descriptor("%db", b, aBytes);
    if (p.a.bytes == 2)
      tail += (p.fromRegisters ? std::string() : ", " + number(p.aAlongM)) + ", " + number(p.bAlongN);
    body += "  setp.ne.u32 %keep, " + s + ", 0;\n  wgmma.mma_async.sync.aligned." + shape + types + " " + sums + ", " +
            leftOperand + ", %db, %keep" + tail + ";\n";
  }
  body += "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n"
          "  mul.wide.u32 %from, %t, 4;\n  add.u64 %from, %out, %from;\n";
  for (unsigned r = 0; r < registers; ++r)
    body += "  st.global.b32 [%from+" + number(r * threads * 4) + "], %d" + number(r) + ";\n";

  HopperProgram program;
  program.name = "wgmma." + shape + types +
                 (p.fromRegisters ? ", A in registers"
                  : p.aAlongM     ? ", A along M"
                                  : ", A along K") +
                 (p.bAlongN ? ", B along N" : ", B along K") + ", swizzle " + number(p.swizzle);
  program.ptx = kernelOf(2, body);
  program.maps = {a.map(MapArguments::a, p.a.mapType), b.map(MapArguments::b, p.b.mapType)};
  program.a = left.memory;
  program.b = right.memory;
  program.before.assign(registers * threads * 4, 0xee);
  program.expected.resize(program.before.size());
  // Element e of a thread: row 16 * warp + lane / 4 + 8 * (e / 2 % 2), column 8 * (e / 4) + 2 * (lane % 4) + e % 2.
  for (unsigned t = 0; t < threads; ++t)
    for (unsigned e = 0; e < registers; ++e) {
      unsigned lane = t % 32, m = t / 32 * 16 + lane / 4 + e / 2 % 2 * 8, n = e / 4 * 8 + lane % 4 * 2 + e % 2;
      int64_t sum = 0;
      for (unsigned i = 0; i < p.depth(); ++i)
        sum += int64_t(left.values[m * p.depth() + i]) * right.values[n * p.depth() + i];
      uint32_t bits = p.isInteger() ? static_cast<uint32_t>(sum) : bitsOf(static_cast<float>(sum));
      std::memcpy(&program.expected[(e * threads + t) * 4], &bits, 4);
    }
  return program;
}

} // namespace

std::vector<HopperProgram> tilecc::emu::test::productPrograms(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Product> products;
  // The twelve forms of descriptors, for both types of 16 bits.
  for (const ElementType &type : {f16Type, bf16Type})
    for (unsigned swizzle : {32, 64, 128})
      for (bool aAlongM : {false, true})
        for (bool bAlongN : {false, true})
          products.push_back({type, type, 64, swizzle, aAlongM, bAlongN});
  // Every width, with a type each; those of integers are fewer.
  const ElementType types[] = {bf16Type, f16Type, tf32Type, e4m3Type, e5m2Type};
  for (unsigned columns = 8, i = 0; columns <= 256; columns += 8, ++i) {
    const ElementType &type = types[i % std::size(types)];
    products.push_back({type, type, columns});
    products.push_back({type, type, columns});
    products.back().fromRegisters = true;
    if (columns <= 24 || columns % 16 == 0)
      products.push_back({i % 2 ? s8Type : u8Type, i % 4 < 2 ? s8Type : u8Type, columns});
  }
  // Types that differ, under every swizzle.
  for (unsigned swizzle : {32, 64, 128})
    for (bool fromRegisters : {false, true}) {
      for (const ElementType &a : {e4m3Type, e5m2Type})
        for (const ElementType &b : {e4m3Type, e5m2Type})
          products.push_back({a, b, 32, swizzle, false, false, fromRegisters});
      for (const ElementType &a : {s8Type, u8Type})
        for (const ElementType &b : {s8Type, u8Type})
          products.push_back({a, b, 32, swizzle, false, false, fromRegisters});
      products.push_back({tf32Type, tf32Type, 32, swizzle, false, false, fromRegisters});
      products.push_back({bf16Type, bf16Type, 128, swizzle, false, true, fromRegisters});
    }
  std::vector<HopperProgram> programs;
  for (const Product &product : products)
    programs.push_back(makeProgram(product, random));
  return programs;
}
