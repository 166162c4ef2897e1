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

/// Returns true if a target's matrix unit multiplies the numbers of a scaled dot as they are.
using KeepsScaledDot = std::function<bool(tt::DotScaledOp)>;
/// Creates triton-decompose-scaled-dot such that it keeps some dots.
std::unique_ptr<mlir::Pass> createTritonDecomposeScaledDot(KeepsScaledDot keeps);

} // namespace tilecc

#endif
