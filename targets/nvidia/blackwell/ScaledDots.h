//===- ScaledDots.h - scaled dots that accumulate in tensor memory --------------------------------------*- C++ -*-===//
//
// The passes that decompose and accelerate dots use these functions for dots of microscaled numbers (tt.dot_scaled).
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_BLACKWELL_SCALEDDOTS_H
#define TILECC_TARGETS_NVIDIA_BLACKWELL_SCALEDDOTS_H

#include "lowering/dialects/tt/TT.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc::blackwell {

/// Returns true if the matrix unit can multiply the operands of `dot` directly, in a program of `numWarps` warps. If
/// only one of the operands has 4-bit floats, these are first extended to 8 bits.
bool isSuitedToTensorMemory(tt::DotScaledOp dot, unsigned numWarps, const nvidia::Facts &facts);

/// Replaces `dot`, which the matrix unit can compute directly, by a dot whose operands are in shared memory.
void accelerate(tt::DotScaledOp dot);

} // namespace tilecc::blackwell

#endif // TILECC_TARGETS_NVIDIA_BLACKWELL_SCALEDDOTS_H
