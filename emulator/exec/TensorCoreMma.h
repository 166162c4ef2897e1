//===-- TensorCoreMma.h - tcgen05.mma -----------------------------------------------------------------------------===//
//
// D = A * B + D, where D is in tensor memory, B is in shared memory, and A is in either. D has M x N elements; K is 32
// bytes. If a pair of blocks multiplies together (cta_group::2), each has its rows of A and D, and its part of the
// columns of B.
//
// Products are exact, and their sums are rounded once, because the order of additions in hardware is not defined. The
// contents of operands in shared memory are saved when the instruction is issued, and compared when it is executed:
// they must not have changed in between.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_EXEC_TENSORCOREMMA_H
#define TILECC_EMULATOR_EXEC_TENSORCOREMMA_H

#include "emulator/exec/TensorAccess.h"

namespace tilecc::emu {

enum class MmaKind : uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };

// The form of an instruction, which is stored in `extra` of an Inst.
struct MmaForm {
  uint32_t kind : 3;
  uint32_t isPair : 1;
  uint32_t leftInTensor : 1;
  uint32_t masks : 4; // words of the mask of lanes whose accumulators are unchanged: 0, 4, or 8 for a pair
  uint32_t scales : 3; // per row of K, in the kinds that have them: 1, 2 or 4
  uint32_t scalesD : 1; // D is scaled by a power of two
  uint32_t unused : 19;
};
static_assert(sizeof(MmaForm) == sizeof(uint32_t));

// The instruction descriptor, which is the value of a register.
struct InstructionDescriptor {
  uint32_t m, n; // of the pair
  uint32_t formatA, formatB, formatD;
  bool negatesA, negatesB, transposesA, transposesB, saturates;
  uint32_t scaleA, scaleB; // the byte of a cell that holds the first scale
  bool powersOfTwo; // format of the scales: ue8m0, otherwise ue4m3

  InstructionDescriptor(uint32_t bits, MmaKind kind);
  // Returns an empty string, or a message if the bits are not valid for an mma of this form.
  static std::string flawOf(uint32_t bits, MmaForm form);
};

inline bool hasScales(MmaKind kind) { return kind >= MmaKind::mxf8f6f4; }
// Returns the size of an element in shared memory; for 4-bit types, the size of the byte that two elements share.
inline unsigned elementBytesOf(MmaKind kind) { return kind == MmaKind::f16 ? 2 : kind == MmaKind::tf32 ? 4 : 1; }
// The number of elements in the 32 bytes of a row.
enum : unsigned { operandRowBytes = 32, maxRowElements = 64 };
inline unsigned elementsOf(MmaKind kind) {
  return kind == MmaKind::f16                                 ? 16
         : kind == MmaKind::tf32                              ? 8
         : kind == MmaKind::mxf4 || kind == MmaKind::mxf4nvf4 ? 64
                                                              : 32;
}
// Decodes the numbers in 32 bytes.
void decodeElements(MmaKind kind, unsigned format, const u8 *bytes, double *elements);

// The operands of an instruction that one lane provides.
struct MmaOperands {
  uint32_t d, descriptor;
  uint64_t a, b; // matrix descriptors, or A's address in tensor memory
  uint32_t scaleA, scaleB; // addresses in tensor memory
  uint32_t masks[8];
  bool accumulates;
  uint32_t scaleD; // D is multiplied by 2 to the power of minus this
};

// Checks an mma, and issues it. Faults if it is not valid.
void issueMma(TensorCoreAccess &access, MmaForm form, const MmaOperands &operands);

} // namespace tilecc::emu
#endif
