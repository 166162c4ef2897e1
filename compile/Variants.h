//===- Variants.h - a kernel under different assumptions about its arguments --------------------------------*- C++ -*-//
//
// Wide memory accesses need to know that pointers and sizes are multiples of 16 bytes: without it `n` hides the alignment of
// `i < n`. Callers mostly have such arguments, but need not; so a kernel is compiled in several variants, and the launch looks
// at the arguments and takes the first that fits. Of elements of two bytes and more 16 bytes are 8 at most, so that rows of
// 1000 or 4104 elements are as good as those of 1024.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_VARIANTS_H
#define TILECC_COMPILE_VARIANTS_H

#include "compile/Kernel.h"
#include <array>
#include <string>
#include <vector>

namespace tilecc {

/// What variants are called, and their symbols end with behind a `$`; most demanding first.
///   a16      pointers and integers are multiples of 16, and no integer is negative; floating-point numbers that scale what a maximum
///            is taken of are positive
///   a8       the same, and integers are multiples of 8
///   u16, u8  as a16 and a8, and units are 1 instead
///   u16_2..  the same with other units
///   p16      pointers are multiples of 16, and scales positive
inline constexpr std::array<llvm::StringLiteral, 10> variantNames = {"u16", "u8", "u16_2", "u8_2", "u16_3", "u8_3", "a16", "a8", "p16", "generic"};

struct Variant {
  llvm::StringRef name; ///< one of variantNames
  uint32_t demands = 0; ///< TILECC_*_DIVISIBLE_BY_* of tilecc/abi.h
  uint32_t units = 0;   ///< a set of parameters, as in tilecc/abi.h
  std::string symbol;   ///< the kernel's, with the suffix $u16 or the like
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The attribute of an argument of which variants assume nothing ([[tt::no_specialize]]).
inline constexpr llvm::StringLiteral noSpecializeAttr = "tt.no_specialize";

/// Chooses what variants assume of which argument.
///
/// Units are integers that make accesses wider if they are 1, such as the strides of last axes, which Triton's users pass beside
/// those of rows. Of several that make the same access wider, the last parameter is the unit, as strides are passed from the first
/// axis to the last. A matrix may lie the other way, as weights do of which a product takes the transpose: of a kernel with at most
/// two loaded tensors of which that can be, there are variants in which the other stride is the unit, for one of them at a time.
///
/// Variants assume nothing of arguments that decide no access (ArgumentUse.h), and of integers without whose divisibility all accesses
/// are as wide. A launch then gets wide accesses whatever the values of these arguments are.
void chooseAssumptions(Kernel &kernel);

/// The variants of the one kernel in `module`, most demanding first, generic last. Kernels without integer or without
/// pointer parameters have fewer. An argument that carries tt.divisibility already keeps what it says in all of them.
std::vector<Variant> makeVariants(mlir::ModuleOp module);

/// Keeps one of a16 and a8, the one that more arguments meet if it has accesses as wide. Drops variants whose assumptions
/// widen no access to memory beyond what the next, less demanding one allows: they would be other code, with neighbours in
/// one thread that nothing takes at once, and no faster.
void dropVariantsOfSameAccesses(std::vector<Variant> &variants);

/// Products wait for memory where a launch has too few blocks to share multiprocessors. Puts a twin in front of each variant that demands
/// something of integers, called a8_few after it, whose loops have as many stages as shared memory has room for. Does so for kernels with
/// one product in a loop, unless their author has said how many stages there are.
void addVariantsOfFewBlocks(const Kernel &kernel, std::vector<Variant> &variants);

/// Loads of images may be tensor copies where a launch's arguments allow it. In kernels that multiply tiles whose
/// pointers follow from quotients and remainders of an index, each variant that assumes something comes to demand this,
/// and is followed by a twin without such copies, which is called a16_plain after it.
void addVariantsWithoutImages(std::vector<Variant> &variants);

} // namespace tilecc

#endif // TILECC_COMPILE_VARIANTS_H
