//===-- Isa.h - instruction set levels ------------------------------------------------------------------*- C++ -*-===//
//
// The instruction set levels for which kernels are compiled on the CPU. An object file contains a function for each
// level, and the runtime calls the best one that the processor supports. Everything that depends on the level (vector
// width, register blocking, FMA support) is defined here and nowhere else.
//
//===------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_CPU_ISA_H
#define TILECC_TARGETS_CPU_ISA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"

namespace tilecc::cpu {

struct Isa {
  enum Architecture { x86_64, aarch64, riscv64 };
  Architecture architecture;
  unsigned level; // as in tilecc_cpu_entry; unique among all architectures
  const char *suffix; // the suffix of function names: "v3", "sve256"
  const char *name; // the name in messages
  const char *cpu; // LLVM's name of the processor model
  const char *features; // LLVM features beyond those of that model
  unsigned vectorBytes; // bytes of a vector register
  bool sve; // the vector registers are SVE's, with exactly this length, and have masked accesses
  bool fma; // has fused multiply-add; without it, llvm.fma would be a library call
  bool halfConversion; // has instructions between f16 and f32
  bool scalef; // has an instruction for x * 2^n, which llvm.ldexp becomes
  unsigned dotRows; // rows of the register block of a dot's innermost loop
  unsigned dotVectors; // columns of this register block, in vector registers
  bool matrixUnit; // AMX: multiplies tiles of bf16 and of 8-bit integers

  /// Returns the number of elements in a vector operation. It is the same for all element types, so that the lanes of
  /// operands and results correspond. 64-bit elements take two registers, which unrolling would have used anyway.
  unsigned lanes() const { return vectorBytes / 4; }
  bool isX86() const { return architecture == x86_64; }
  llvm::StringRef architectureName() const {
    static constexpr llvm::StringLiteral names[] = {"x86_64", "aarch64", "riscv64"};
    return names[architecture];
  }
  unsigned vectorRegisters() const { return isX86() && vectorBytes < 64 ? 16 : 32; }
  /// Returns true if there are enough registers for the values of two joined programs (JoinPrograms.h). On AArch64
  /// there are not: multiply-add instructions overwrite an operand, so constants need copies in registers, and a loop
  /// of two programs would spill. RVV's instructions do the same.
  bool hasRegistersForTwo() const { return isX86() && vectorRegisters() >= 32; }
  /// The number of vectors that one iteration over a long row processes.
  static constexpr unsigned vectorsAtOnce = 4;
};

/// The levels of all architectures.
inline constexpr Isa allIsas[] = {
#define TILECC_CPU_LEVEL(architecture, ...) {Isa::architecture, __VA_ARGS__},
#include "runtime/src/cpu/CpuLevels.def"
};

/// Returns all levels of a target, best first, as the runtime expects them. The result is empty if there are no levels
/// for the architecture.
inline llvm::ArrayRef<Isa> isaLevels(const llvm::Triple &triple) {
  // All rows of an architecture are adjacent in the table.
  auto isOwn = [&](const Isa &isa) {
    return isa.architectureName() == llvm::Triple::getArchTypeName(triple.getArch());
  };
  return llvm::ArrayRef(allIsas).drop_until(isOwn).take_while(isOwn);
}

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_ISA_H
