//===- LoopAttributes.h - what the author of a loop wants for it -------------------------------------------*- C++ -*--===//
//
// Attributes of scf.for with Triton's names, both 32-bit integers. Before a loop is an scf.for they are on the arith.cmpi
// that is its condition (frontend/raise/Ranges.cpp).
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H
#define TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::tt {

/// The stages of the pipelined loop: tt::range(...).num_stages(n).
inline constexpr llvm::StringLiteral numStagesAttr = "tt.num_stages";
/// How many iterations become one: tt::range(...).unroll(n).
inline constexpr llvm::StringLiteral loopUnrollFactorAttr = "tt.loop_unroll_factor";

/// Whether warps of their own do a part of the loop's work: tt::range(...).warp_specialize().
inline constexpr llvm::StringLiteral warpSpecializeAttr = "tt.warp_specialize";

/// Whether the loop and the one around it may become one: tt::range(...).flatten().
inline constexpr llvm::StringLiteral flattenAttr = "tt.flatten";
/// Whether the accumulator must not be kept twice: tt::range(...).disallow_acc_multi_buffer().
inline constexpr llvm::StringLiteral disallowAccMultiBufferAttr = "tt.disallow_acc_multi_buffer";

/// Whether iterations that need no mask get a loop of their own: tt::range(...).split(). False on loops that have been split.
inline constexpr llvm::StringLiteral splitAttr = "tt.split";

inline constexpr llvm::StringLiteral loopAttributes[] = {numStagesAttr, loopUnrollFactorAttr,       warpSpecializeAttr,
                                                         flattenAttr,   disallowAccMultiBufferAttr, splitAttr};

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H
