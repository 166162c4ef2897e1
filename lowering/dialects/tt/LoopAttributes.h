//===- LoopAttributes.h - loop options set by the author ------------------------------------------------*- C++ -*-===//
//
// Attributes of scf.for with Triton's names. Before a loop is an scf.for, they are on the arith.cmpi that is its
// condition (frontend/raise/Ranges.cpp).
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H
#define TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::tt {

/// Number of stages of the pipelined loop: tt::range(...).num_stages(n).
inline constexpr llvm::StringLiteral numStagesAttr = "tt.num_stages";
/// Unroll factor: tt::range(...).unroll(n).
inline constexpr llvm::StringLiteral loopUnrollFactorAttr = "tt.loop_unroll_factor";

/// Whether separate warps execute part of the loop: tt::range(...).warp_specialize().
inline constexpr llvm::StringLiteral warpSpecializeAttr = "tt.warp_specialize";

/// Whether the loop may be merged with the loop that contains it: tt::range(...).flatten().
inline constexpr llvm::StringLiteral flattenAttr = "tt.flatten";
/// Whether the accumulator must not be double-buffered: tt::range(...).disallow_acc_multi_buffer().
inline constexpr llvm::StringLiteral disallowAccMultiBufferAttr = "tt.disallow_acc_multi_buffer";

/// Whether to split off iterations that need no mask: tt::range(...).split(). False on loops that have been split.
inline constexpr llvm::StringLiteral splitAttr = "tt.split";

inline constexpr llvm::StringLiteral loopAttributes[] = {numStagesAttr, loopUnrollFactorAttr,       warpSpecializeAttr,
                                                         flattenAttr,   disallowAccMultiBufferAttr, splitAttr};

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H
