//===- Passes.h - passes for OpenCL devices ----------------------------------------------------------------*- C++ -*-//
//
// Declared in Passes.td, with what each does.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_SPIRV_PASSES_H
#define TILECC_TARGETS_SPIRV_PASSES_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/Pass/Pass.h"

namespace tilecc {

#define GEN_PASS_DECL
#include "targets/spirv/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "targets/spirv/Passes.h.inc"

} // namespace tilecc

#endif // TILECC_TARGETS_SPIRV_PASSES_H
