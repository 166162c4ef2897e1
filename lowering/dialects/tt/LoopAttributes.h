//===- LoopAttributes.h - loop options set by the author ------------------------------------------------*- C++ -*-===//
//
// These attributes of scf.for have Triton's names. While a loop is not yet an scf.for, the attributes are on the
// arith.cmpi that computes its condition (frontend/raise/Ranges.cpp).
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H
#define TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilecc::tt {

/// The number of stages of the pipelined loop: tt::range(...).num_stages(n).
inline constexpr llvm::StringLiteral numStagesAttr = "tt.num_stages";
/// The unroll factor: tt::range(...).unroll(n).
inline constexpr llvm::StringLiteral loopUnrollFactorAttr = "tt.loop_unroll_factor";

/// True if separate warps execute part of the loop: tt::range(...).warp_specialize().
inline constexpr llvm::StringLiteral warpSpecializeAttr = "tt.warp_specialize";

/// True if the loop may be merged with the loop that contains it: tt::range(...).flatten().
inline constexpr llvm::StringLiteral flattenAttr = "tt.flatten";
/// True if the accumulator must not be double-buffered: tt::range(...).disallow_acc_multi_buffer().
inline constexpr llvm::StringLiteral disallowAccMultiBufferAttr = "tt.disallow_acc_multi_buffer";

/// True if iterations that need no mask should be split off: tt::range(...).split(). False on loops that have been
/// split.
inline constexpr llvm::StringLiteral splitAttr = "tt.split";

inline constexpr llvm::StringLiteral loopAttributes[] = {numStagesAttr, loopUnrollFactorAttr,       warpSpecializeAttr,
                                                         flattenAttr,   disallowAccMultiBufferAttr, splitAttr};

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_LOOPATTRIBUTES_H
