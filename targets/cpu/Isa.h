//===-- Isa.h - instruction set levels ------------------------------------------------------------------*- C++ -*-===//
//
// The instruction sets for which a kernel is compiled on the CPU. One object has a function per level; the runtime
// calls the best one that the processor can run. Everything that depends on the level (vector width, register blocking,
// FMA support) is defined here and nowhere else.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_ISA_H
#define TILECC_TARGETS_CPU_ISA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace tilecc::cpu {

struct Isa {
  enum Architecture { x86_64, aarch64 };
  Architecture architecture;
  unsigned level; // as in tilecc_cpu_entry; unique among all architectures
  const char *suffix; // in names of functions: "v3", "sve256"
  const char *name; // for messages
  const char *cpu; // LLVM's name of the processor model
  const char *features; // features beyond that model
  unsigned vectorBytes; // per register
  bool sve; // the registers are SVE's, of exactly this length, so masked accesses are instructions
  bool fma; // fused multiply-add; without it llvm.fma would be a library call
  bool halfConversion; // has instructions between f16 and f32
  bool scalef; // has an instruction for x * 2^n, which llvm.ldexp becomes
  unsigned dotRows; // rows of the register block of the dot's micro-kernel
  unsigned dotVectors; // its columns, in vector registers
  bool matrixUnit; // AMX: multiplies tiles of bf16 and of 8-bit integers

  /// Returns the number of elements of a vector operation. Using one count for all element types keeps the lanes of
  /// operands and results aligned. 64-bit elements take two registers, which unrolling would have used anyway.
  unsigned lanes() const { return vectorBytes / 4; }
  bool isX86() const { return architecture == x86_64; }
  unsigned vectorRegisters() const { return isX86() && vectorBytes < 64 ? 16 : 32; }
  /// Returns true if there are enough registers for the values of two joined programs. Multiply-add instructions of
  /// AArch64 overwrite an operand, so constants need copies in registers, and loops of two programs would spill.
  bool hasRegistersForTwo() const { return isX86() && vectorRegisters() >= 32; }
  /// The number of vectors per iteration over a long row.
  static constexpr unsigned vectorsAtOnce = 4;
};

/// The levels of all architectures.
inline constexpr Isa allIsas[] = {
#define TILECC_CPU_LEVEL(architecture, ...) {Isa::architecture, __VA_ARGS__},
#include "runtime/src/cpu/CpuLevels.def"
};

/// Returns all levels for a target, best first, as the runtime expects. The result is empty if there is no code for its
/// architecture.
inline llvm::ArrayRef<Isa> isaLevels(const llvm::Triple &triple) {
  bool isX86 = triple.getArch() == llvm::Triple::x86_64, isArm = triple.getArch() == llvm::Triple::aarch64;
  if (!isX86 && !isArm)
    return {};
  // The rows of an architecture are adjacent.
  auto isOwn = [&](const Isa &isa) { return isa.isX86() == isX86; };
  return llvm::ArrayRef(allIsas).drop_until(isOwn).take_while(isOwn);
}

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ISA_H
