// The instruction sets a kernel is compiled for on the CPU. One object holds a function per level; the runtime calls
// the best one that the processor can run. What depends on the level (vector width, register blocking, whether there
// are fused multiply-adds) is read from here and nowhere else.
#ifndef TILECC_LOWERING_CPU_ISA_H
#define TILECC_LOWERING_CPU_ISA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace tilecc::cpu {

struct Isa {
  unsigned level;       // as in tilecc_cpu_entry: x86-64 micro-architecture level, 5 with a matrix unit, 0 elsewhere
  const char *cpu;      // LLVM's name of the processor model
  const char *features; // and what it has beyond that
  unsigned vectorBytes; // of a register
  bool fma;             // fused multiply-add; without it llvm.fma would be a library call
  bool halfConversion;  // instructions between f16 and f32
  bool scalef;          // an instruction for x * 2^n, behind llvm.ldexp
  unsigned dotRows;     // of the register block of the matrix multiply micro-kernel
  unsigned dotVectors;  // its columns, in registers
  bool matrixUnit;      // AMX, which multiplies tiles of bf16 and of 8-bit integers

  /// How many elements a vector operation handles. One count for all element types keeps the lanes of operands and
  /// results aligned; 64-bit elements take two registers, which unrolling would have used anyway.
  unsigned lanes() const { return vectorBytes / 4; }
  bool isX86() const { return level != 0; }
  unsigned vectorRegisters() const { return isX86() && vectorBytes < 64 ? 16 : 32; }
  /// How many vectors an iteration over a long row handles.
  static constexpr unsigned vectorsAtOnce = 4;
};

/// All levels for a target, best first, as the runtime wants them.
inline llvm::ArrayRef<Isa> isaLevels(const llvm::Triple &triple) {
  // The blocks leave room for one row's broadcast and the columns' vectors: 6x2 + 2 + 1 of AVX2's 16 registers,
  // 6x4 + 4 + 1 of AVX-512's 32 (measured: 12x2 and 4x4 are slower), 4x2 + 2 + 1 of SSE's 16.
  static const Isa x86[] = {{5, "x86-64-v4", "+amx-tile,+amx-bf16,+amx-int8", 64, true, true, true, 6, 4, true},
                            {4, "x86-64-v4", "", 64, true, true, true, 6, 4, false},
                            {3, "x86-64-v3", "", 32, true, true, false, 6, 2, false},
                            {2, "x86-64-v2", "", 16, false, false, false, 4, 2, false}};
  static const Isa aarch64[] = {{0, "generic", "", 16, true, true, false, 4, 4, false}};
  if (triple.isX86() && triple.isArch64Bit())
    return x86;
  if (triple.isAArch64())
    return aarch64;
  return {};
}

} // namespace tilecc::cpu

#endif // TILECC_LOWERING_CPU_ISA_H
