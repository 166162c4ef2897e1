//===- Passes.h - passes for OpenCL devices -------------------------------------------------------------*- C++ -*-===//
//
// Passes.td describes the passes.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_PASSES_H
#define TILECC_TARGETS_SPIRV_PASSES_H

#include "targets/spirv/TTIG.h"
#include "mlir/Pass/Pass.h"

namespace tilecc::spirv {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "targets/spirv/Passes.h.inc"

} // namespace tilecc::spirv

#endif // TILECC_TARGETS_SPIRV_PASSES_H
