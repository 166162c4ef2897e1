//===- Passes.h - passes for AMD GPUs ----------------------------------------------------------------------*- C++ -*-//
//
// Passes.td declares and describes these passes.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_AMD_PASSES_H
#define TILECC_TARGETS_AMD_PASSES_H

#include "lowering/dialects/ttg/TTG.h"
#include "mlir/Pass/Pass.h"

namespace tilecc::amd {

#define GEN_PASS_DECL
#include "targets/amd/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "targets/amd/Passes.h.inc"

} // namespace tilecc::amd

#endif // TILECC_TARGETS_AMD_PASSES_H
