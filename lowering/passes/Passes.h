//===- Passes.h - passes over TTIR and TTGIR ------------------------------------------------------------*- C++ -*-===//
//
// Passes.td declares and describes them.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_PASSES_PASSES_H
#define TILECC_LOWERING_PASSES_PASSES_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace tilecc {

#define GEN_PASS_DECL
#include "lowering/passes/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lowering/passes/Passes.h.inc"

/// Decides whether a target's matrix unit multiplies the numbers of a scaled dot directly.
using KeepsScaledDot = std::function<bool(tt::DotScaledOp)>;
/// Creates the pass triton-decompose-scaled-dot. The pass keeps the dots for which `keeps` returns true.
std::unique_ptr<mlir::Pass> createTritonDecomposeScaledDot(KeepsScaledDot keeps);

} // namespace tilecc

#endif
