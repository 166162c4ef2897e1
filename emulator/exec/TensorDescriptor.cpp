//===-- TensorDescriptor.cpp - tcgen05.mma instruction descriptors and operand formats ---------------------------===//
#include "emulator/exec/TensorCoreMma.h"
#include "emulator/isa/numerics/SmallFloat.h"

#include <array>

using namespace tilecc::emu;

static constexpr uint32_t field(uint32_t bits, unsigned at, unsigned count) { return bits >> at & ((1u << count) - 1); }

InstructionDescriptor::InstructionDescriptor(uint32_t bits, MmaKind kind)
    : m(field(bits, 24, 5) * 16), n(field(bits, 17, 6) * 8), formatA(field(bits, 7, 3)), formatB(field(bits, 10, 3)),
      formatD(hasScales(kind) ? 1 : field(bits, 4, 2)), negatesA(field(bits, 13, 1)), negatesB(field(bits, 14, 1)),
      transposesA(field(bits, 15, 1)), transposesB(field(bits, 16, 1)),
      saturates(!hasScales(kind) && field(bits, 3, 1)), scaleA(hasScales(kind) ? field(bits, 29, 2) : 0),
      scaleB(hasScales(kind) ? field(bits, 4, 2) : 0), powersOfTwo(field(bits, 23, 1)) {}

static bool isOneOf(uint32_t value, std::initializer_list<uint32_t> allowed) {
  for (uint32_t one : allowed)
    if (value == one)
      return true;
  return false;
}

static bool hasFormat(MmaKind kind, uint32_t format) {
  switch (kind) {
  case MmaKind::f16:
  case MmaKind::i8: return format <= 1;
  case MmaKind::tf32: return format == 2;
  case MmaKind::f8f6f4:
  case MmaKind::mxf8f6f4: return isOneOf(format, {0, 1, 3, 4, 5});
  default: return format == 1;
  }
}

static bool hasShape(MmaKind kind, bool isPair, uint32_t m, uint32_t n) {
  uint32_t step = isPair ? 16 : 8;
  if (n < step || n > 256 || n % step)
    return false;
  if (isPair ? !isOneOf(m, {128, 256}) : hasScales(kind) ? m != 128 : !isOneOf(m, {64, 128}))
    return false;
  if (kind == MmaKind::i8)
    return isPair ? n % 32 == 0 : n == 8 || n == 24 || n % 16 == 0;
  return true;
}

static const char *const kinds[] = {"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"};

std::string InstructionDescriptor::flawOf(uint32_t bits, MmaForm form) {
  MmaKind kind = MmaKind(form.kind);
  InstructionDescriptor d(bits, kind);
  std::string name = std::string("kind::") + kinds[form.kind];
  if (field(bits, 2, 1))
    return "the instruction descriptor says that A is sparse, and the instruction is not tcgen05.mma.sp";
  if (!hasShape(kind, form.isPair, d.m, d.n))
    return name + " with cta_group::" + (form.isPair ? "2" : "1") + " has no shape of M " + std::to_string(d.m) +
           " and N " + std::to_string(d.n);
  for (uint32_t format : {d.formatA, d.formatB})
    if (!hasFormat(kind, format))
      return name + " has no operands of format " + std::to_string(format);
  bool isFloat = kind != MmaKind::i8;
  bool canBeHalf = kind == MmaKind::f8f6f4 || (kind == MmaKind::f16 && d.formatA == 0 && d.formatB == 0);
  if (isFloat ? d.formatD != 1 && !(canBeHalf && d.formatD == 0) : d.formatD != 2)
    return name + " has no sums of format " + std::to_string(d.formatD) + " for these operands";
  bool isSmall = elementBytesOf(kind) == 1;
  for (auto [transposes, format] : {std::pair(d.transposesA, d.formatA), std::pair(d.transposesB, d.formatB)}) {
    if (transposes && elementsOf(kind) == maxRowElements)
      return name + " has no transposed operands";
    if (transposes && isSmall && format >= 3)
      return "transposed operands of 4 and 6 bits are not supported by the emulator";
  }
  if (d.transposesB && isSmall && d.n % (form.isPair ? 32 : 16))
    return name + " with a transposed B needs an N that is a multiple of " + (form.isPair ? "32" : "16");
  if (d.transposesA && form.leftInTensor)
    return "A in tensor memory cannot be transposed";
  if (!hasScales(kind))
    return field(bits, 30, 2) ? "the instruction descriptor has bits 30 and 31, which only tcgen05.mma.ws has" : "";
  if (field(bits, 31, 1))
    return "K of 96 is not supported by the emulator";
  if (!d.powersOfTwo && !(kind == MmaKind::mxf4nvf4 && form.scales == 4))
    return name + (kind == MmaKind::mxf4nvf4 ? ".scale_vec::2X" : "") + " has scales of ue8m0 only";
  if (d.scaleA % form.scales || d.scaleB % form.scales)
    return "the first of " + std::to_string(form.scales) + " scales of a row cannot be byte " +
           std::to_string(d.scaleA % form.scales ? d.scaleA : d.scaleB) + " of its cell";
  return {};
}

//===-- Elements -----------------------------------------------------------------------------------------------===//

template <class T, class F> static std::array<double, 256> tableOf(F value) {
  std::array<double, 256> table;
  for (unsigned i = 0; i < 256; ++i)
    table[i] = value(T{static_cast<u8>(i)});
  return table;
}

// The values of numbers of up to 8 bits, by format number.
static const std::array<double, 256> &smallFloats(unsigned format) {
  static const std::array<double, 256> tables[] = {
      tableOf<e4m3>([](e4m3 x) { return toDouble(x); }),
      tableOf<e5m2>([](e5m2 x) { return toDouble(x); }),
      {},
      tableOf<u8>([](u8 x) { return e2m3(x & 63); }),
      tableOf<u8>([](u8 x) { return e3m2(x & 63); }),
      tableOf<u8>([](u8 x) { return e2m1(x & 15); }),
  };
  return tables[format];
}

template <class T> static T read(const u8 *bytes, unsigned i) {
  T value;
  std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
  return value;
}

void tilecc::emu::decodeElements(MmaKind kind, unsigned format, const u8 *bytes, double *elements) {
  unsigned count = elementsOf(kind);
  for (unsigned i = 0; i < count; ++i)
    switch (kind) {
    case MmaKind::f16: elements[i] = format ? toDouble(read<bf16>(bytes, i)) : toDouble(read<f16>(bytes, i)); break;
    case MmaKind::tf32: elements[i] = toDouble(read<tf32>(bytes, i)); break;
    case MmaKind::i8: elements[i] = format ? static_cast<double>(read<s8>(bytes, i)) : bytes[i]; break;
    case MmaKind::f8f6f4:
    case MmaKind::mxf8f6f4: {
      // 16 numbers of fewer than 8 bits also occupy 16 bytes, of which they fill the first part.
      unsigned bits = format == 5 ? 4 : format >= 3 ? 6 : 8, first = i % 16 * bits;
      const u8 *unit = bytes + i / 16 * 16;
      unsigned word = unit[first / 8] | (first % 8 + bits > 8 ? unit[first / 8 + 1] << 8 : 0);
      elements[i] = smallFloats(format)[word >> first % 8 & ((1u << bits) - 1)];
      break;
    }
    case MmaKind::mxf4:
    case MmaKind::mxf4nvf4: elements[i] = smallFloats(5)[bytes[i / 2] >> i % 2 * 4 & 15]; break;
    }
}
