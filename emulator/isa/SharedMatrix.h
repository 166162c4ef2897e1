//===-- SharedMatrix.h - decodes the descriptor of a matrix in shared memory -------------------------------------===//
//
// wgmma and tcgen05 describe matrices in shared memory in the same way. A unit consists of eight rows of memory, which
// are as wide as the swizzle (16 bytes without swizzle). One stride is the distance to the next eight rows, the other
// to the next unit along the rows. The swizzle applies to final addresses, so a descriptor may begin inside a unit, as
// for later steps along K.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_ISA_SHAREDMATRIX_H
#define TILECC_EMULATOR_ISA_SHAREDMATRIX_H

#include <cstdint>

namespace tilecc::emu {

class SharedMatrix {
public:
  enum : unsigned { pieceBytes = 16 }; // swizzles move units of this size

  // `alongK`: elements adjacent in memory are adjacent along the contracted axis.
  static SharedMatrix ofWgmma(uint64_t descriptor, bool alongK) {
    uint64_t layout = descriptor >> 62;
    unsigned width = layout == 1 ? 128 : layout == 2 ? 64 : layout == 3 ? 32 : 16;
    return {descriptor, field(descriptor, 32), field(descriptor, 16), width, width / 16 - 1, 4, alongK};
  }
  // For a descriptor without errors, see flawOf.
  static SharedMatrix ofTensorCore(uint64_t descriptor, bool alongK) {
    uint64_t leading = field(descriptor, 16), stride = field(descriptor, 32);
    switch (descriptor >> 61) {
    case 1: // this swizzle moves 32 bytes at a time
      return {descriptor, stride, leading, 128, 3, 5, alongK};
    case 2: return {descriptor, stride, leading, 128, 7, 4, alongK};
    case 4: return {descriptor, stride, leading, 64, 3, 4, alongK};
    case 6: return {descriptor, stride, leading, 32, 1, 4, alongK};
    default: // along M or N, the two strides exchange roles
      return {descriptor, alongK ? stride : leading, alongK ? leading : stride, 16, 0, 4, alongK};
    }
  }
  // Describes an error in a tcgen05 descriptor, or an unsupported feature. Returns null if there is none.
  static const char *flawOf(uint64_t descriptor) {
    uint64_t swizzle = descriptor >> 61;
    if ((descriptor >> 46 & 7) != 1)
      return "bits 46 to 48 of a matrix descriptor must be 0b001";
    if (swizzle == 3 || swizzle == 5 || swizzle == 7)
      return "there is no swizzle of this number in a matrix descriptor: 0, 1, 2, 4 and 6";
    if (swizzle && descriptor >> 49 & 7)
      return "a base offset in a matrix descriptor is not supported by the emulator: swizzled matrices must begin at a "
             "multiple of eight rows";
    if (descriptor >> 52 & 1)
      return "an absolute leading dimension in a matrix descriptor is not supported by the emulator";
    return nullptr;
  }

  // Returns the address of the piece with element (line, k); a line is a row of the left or a column of the right
  // matrix.
  uint64_t address(unsigned line, unsigned k, unsigned elementBytes) const {
    unsigned along = (alongK ? k : line) * elementBytes, row = alongK ? line : k;
    uint64_t linear = start + row / 8 * eightRows + row % 8 * width + along / width * nextUnit + along % width;
    return linear ^ (linear >> 7 & swizzleMask) << swizzleShift;
  }

private:
  static constexpr uint64_t field(uint64_t descriptor, unsigned at) { return (descriptor >> at & 0x3fff) << 4; }
  SharedMatrix(uint64_t descriptor, uint64_t eightRows, uint64_t nextUnit, unsigned width, unsigned swizzleMask,
               unsigned swizzleShift, bool alongK)
      : start(field(descriptor, 0)), eightRows(eightRows), nextUnit(nextUnit), width(width), swizzleMask(swizzleMask),
        swizzleShift(swizzleShift), alongK(alongK) {}

  uint64_t start, eightRows, nextUnit;
  unsigned width;
  unsigned swizzleMask, swizzleShift; // XORs address bits from bit 7 up into those from the shift up
  bool alongK;
};

} // namespace tilecc::emu
#endif
