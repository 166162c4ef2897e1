//===- Variants.h - a kernel under different assumptions about its arguments ----------------------------*- C++ -*-===//
//
// To use wide memory accesses, the compiler must know that pointers and sizes are multiples of 16 bytes: in a mask `i <
// n`, an arbitrary `n` may end in the middle of any access. Most callers have such arguments, but not all. So a kernel
// is compiled in several variants, and a launch uses the first variant whose assumptions its arguments satisfy. For
// elements of two bytes or more, 16 bytes are at most 8 elements, so rows of 1000 or 4104 elements are as good as rows
// of 1024.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_VARIANTS_H
#define TILECC_COMPILE_VARIANTS_H

#include "compile/Kernel.h"
#include "lowering/dialects/tt/TT.h"
#include <array>
#include <string>
#include <vector>

namespace tilecc {

/// The names of variants, most demanding first. The symbol of a variant ends with `$` and its name.
///   a16      pointers and integers are multiples of 16, no integer is negative, and floating-point scales of the
///            operand of a maximum are positive
///   a8       the same, with integers that are multiples of 8
///   u16, u8  as a16 and a8, and unit arguments are 1 instead
///   u16_2..  the same with other unit arguments
///   p16      pointers are multiples of 16, and scales are positive
inline constexpr std::array<llvm::StringLiteral, 10> variantNames = {"u16",  "u8",  "u16_2", "u8_2", "u16_3",
                                                                     "u8_3", "a16", "a8",    "p16",  "generic"};

struct Variant : LaunchDemands {
  std::string name; ///< one of variantNames; the name of a variant derived from it has a suffix
  std::string symbol; ///< the kernel's symbol with the suffix $u16 or the like
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The number of programs that a thread block runs, and the number of warps that run each program, if these numbers
  /// were chosen for this variant alone.
  std::optional<int> programsPerBlock = {}, warps = {};
  std::optional<int> stages = {}; ///< the number of stages, likewise

  Variant copy() const {
    return {*this, name, symbol, mlir::cast<mlir::ModuleOp>(module.get()->clone()), programsPerBlock, warps, stages};
  }
};

/// An attribute of arguments about which variants make no assumptions ([[tt::no_specialize]]).
inline constexpr llvm::StringLiteral noSpecializeAttr = "tt.no_specialize";

/// Returns the only kernel of a module.
tt::FuncOp getKernel(mlir::ModuleOp module);

/// Chooses which assumptions the variants of a kernel make about each argument.
///
/// A unit is an integer that makes accesses wider if it is 1, such as the stride of a last axis, which users of Triton
/// pass together with the row stride. If several integers would make the same access wider, the last parameter among
/// them is taken as the unit, because strides are passed from the first axis to the last. A matrix may also be stored
/// the other way, like weights of which a multiplication uses the transpose. If this is possible for at most two loaded
/// tensors of a kernel, there are additional variants in which the other stride is the unit, for one of the tensors at
/// a time.
///
/// Variants make no assumptions about arguments that do not affect accesses (ArgumentUse.h), or about integers whose
/// divisibility does not affect the width of accesses. Launches thus get wide accesses whatever the values of these
/// arguments are. The set of these integers depends on the units: for example, the number of rows matters if columns
/// are contiguous.
void chooseAssumptions(Kernel &kernel);

/// Returns the variants of the only kernel in `module`, the most demanding one first and the generic one last. Kernels
/// without integer or pointer parameters have fewer variants. If an argument already has tt.divisibility, it keeps this
/// attribute in all variants.
std::vector<Variant> makeVariants(mlir::ModuleOp module);

/// Makes all variants with assumptions also assume that the arguments that are strides of tiles are from 0 to
/// TILECC_MAX_STRIDE.
void assumeSmallStrides(const Kernel &kernel, std::vector<Variant> &variants);

/// If a16 and a8 have equally wide accesses, keeps only the one whose assumptions more arguments satisfy. Removes each
/// variant whose accesses are not wider than those of the next, less demanding one: the code would differ in its
/// layouts, but would not be faster.
void dropVariantsOfSameAccesses(std::vector<Variant> &variants);

/// Inserts variants for small launches. If a launch has too few blocks to share multiprocessors, dots wait for memory.
/// If it has fewer rows than a tile, dots compute rows that are never stored. For kernels with a single dot in a loop,
/// further variants precede each variant with demands on integers:
///   a8_few       for launches of few blocks; loops have as many stages as fit in shared memory
///   a8_halves    as a8_few, and each program of the grid runs as two programs with half of its tile each; for launches
///                that still have few blocks then, and whose loops are short
///   a8_quarters  the same with four
///   a8_shares    parts of tiles of which several run on a multiprocessor; for launches in one round of blocks whose
///                whole programs would be spread unevenly over the multiprocessors
///   a8_pairs     tiles of 128x128 whose blocks share copies in pairs; for launches whose rows do not begin with cache
///                lines
///   a8_rows64    for launches of at most 64 rows; programs compute only the first 64 rows of their tile
///   a8_rows64_few, a8_rows16, a8_rows16_few  as a8_few, for launches of at most 64 rows, and the same for 16 rows
/// If the source specifies the programs of a block, only a8_few is added. If it also specifies the number of stages, or
/// if it disables pipelining or specifies load latencies, only a8_rows64 and a8_rows16 are added.
void addVariantsOfSmallLaunches(const Kernel &kernel, std::vector<Variant> &variants);

/// Inserts variants whose thread blocks run three programs. In attention with short heads, the exponentials take as
/// long as the dots. If a block runs three programs of 64 rows, each in a consumer warp group, the exponentials of one
/// program overlap with the dots of another. This is faster for launches with enough programs. It is done for kernels
/// with one chain of such dots whose programs all execute the same iterations. A variant with a name like p16_shared
/// precedes each variant with assumptions.
void addVariantsOfSharedBlocks(const Kernel &kernel, std::vector<Variant> &variants);

/// Inserts variants with two stages, of which more blocks fit on a multiprocessor. If attention has few rows
/// (decoding), its programs wait for memory, and other blocks use that time. With three stages, fewer blocks suffice,
/// but a launch whose programs just do not fit in one round takes two. A variant with a name like a16_dense precedes
/// each variant with assumptions, for launches that take fewer rounds with it.
void addVariantsOfDenseBlocks(const Kernel &kernel, std::vector<Variant> &variants);

/// Inserts variants without tensor maps of images. Loads from images can be tensor copies if the arguments of a launch
/// permit it. In kernels that multiply tiles whose pointers depend on quotients and remainders of an index, each
/// variant with assumptions requires this, and is followed by a variant without such copies, with a name like
/// a16_plain. Convolutions with such copies may become persistent, which is not faster if all programs run at the same
/// time. For launches where they do, the variant is preceded by one with a name like a16_wave.
void addVariantsWithoutImages(std::vector<Variant> &variants);

} // namespace tilecc

#endif // TILECC_COMPILE_VARIANTS_H
