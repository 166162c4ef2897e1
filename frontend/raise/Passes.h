//===- Passes.h - giving raised kernels structure ----------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PASSES_H
#define TILECC_FRONTEND_RAISE_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace tilecc {

#define GEN_PASS_DECL
#include "frontend/raise/Passes.h.inc"

/// For tcc-opt.
void registerRaisePasses();

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PASSES_H
