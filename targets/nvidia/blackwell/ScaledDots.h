//===- ScaledDots.h - scaled dots that accumulate in tensor memory --------------------------------------*- C++ -*-===//
#ifndef TILECC_TARGETS_NVIDIA_BLACKWELL_SCALEDDOTS_H
#define TILECC_TARGETS_NVIDIA_BLACKWELL_SCALEDDOTS_H

#include "lowering/dialects/tt/TT.h"
#include "targets/nvidia/Architectures.h"

namespace tilecc::blackwell {

/// Returns true if the matrix unit can multiply the numbers of `dot` directly, in a program of `numWarps` warps. If
/// only one operand has 4-bit floats, they are first extended to 8 bits.
bool isSuitedToTensorMemory(tt::DotScaledOp dot, unsigned numWarps, const nvidia::Facts &facts);

/// Replaces `dot`, which the matrix unit can multiply directly, by a dot whose operands are in shared memory.
void accelerate(tt::DotScaledOp dot);

} // namespace tilecc::blackwell

#endif // TILECC_TARGETS_NVIDIA_BLACKWELL_SCALEDDOTS_H
