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

} // namespace tilecc

#endif
