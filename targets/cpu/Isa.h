//===-- Isa.h - instruction set levels ------------------------------------------------------------------*- C++ -*-===//
//
// The instruction sets that a kernel is compiled for on the CPU. One object holds a function per level; the runtime
// calls the best one that the processor can run. Everything that depends on the level (vector width, register blocking,
// FMA support) is defined here and nowhere else.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_ISA_H
#define TILECC_TARGETS_CPU_ISA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace tilecc::cpu {

struct Isa {
  unsigned level; // as in tilecc_cpu_entry: x86-64 micro-architecture level, 5 with a matrix unit, 0 elsewhere
  const char *name; // for messages
  const char *cpu; // LLVM's name of the processor model
  const char *features; // features beyond that model
  unsigned vectorBytes; // per register
  bool fma; // fused multiply-add; without it llvm.fma would be a library call
  bool halfConversion; // has instructions between f16 and f32
  bool scalef; // has an instruction for x * 2^n, which llvm.ldexp becomes
  unsigned dotRows; // rows of the register block of the dot's micro-kernel
  unsigned dotVectors; // its columns, in vector registers
  bool matrixUnit; // AMX: multiplies tiles of bf16 and of 8-bit integers

  /// The number of elements of a vector operation. Using one count for all element types keeps the lanes of operands
  /// and results aligned. 64-bit elements take two registers, which unrolling would have used anyway.
  unsigned lanes() const { return vectorBytes / 4; }
  bool isX86() const { return level != 0; }
  unsigned vectorRegisters() const { return isX86() && vectorBytes < 64 ? 16 : 32; }
  /// The number of vectors that one iteration over a long row handles.
  static constexpr unsigned vectorsAtOnce = 4;
};

/// All levels for a target, best first, as the runtime expects.
inline llvm::ArrayRef<Isa> isaLevels(const llvm::Triple &triple) {
  enum Architecture { x86_64, aarch64 };
  struct Row {
    Architecture architecture;
    Isa isa;
  };
  static constexpr Row table[] = {
#define TILECC_CPU_LEVEL(architecture, level, name, ...) {architecture, {level, name, __VA_ARGS__}},
#include "runtime/src/cpu/CpuLevels.def"
  };
  auto of = [](Architecture architecture) {
    llvm::SmallVector<Isa> levels;
    for (const Row &row : table)
      if (row.architecture == architecture)
        levels.push_back(row.isa);
    return levels;
  };
  static const llvm::SmallVector<Isa> x86 = of(x86_64), arm = of(aarch64);
  if (triple.isX86() && triple.isArch64Bit())
    return x86;
  if (triple.isAArch64())
    return arm;
  return {};
}

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ISA_H
