//===- Passes.h - passes for NVIDIA's GPUs --------------------------------------------------------------*- C++ -*-===//
//
// Passes.td declares and describes them.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PASSES_H
#define TILECC_TARGETS_NVIDIA_PASSES_H

#include "lowering/dialects/ttg/TTG.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace tilecc {

#define GEN_PASS_DECL
#include "targets/nvidia/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "targets/nvidia/Passes.h.inc"

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PASSES_H
