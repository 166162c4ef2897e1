//===- Passes.h - giving raised kernels structure ----------------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_PASSES_H
#define TILECC_FRONTEND_RAISE_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include <memory>

namespace tilecc {

#define GEN_PASS_DECL
#include "frontend/raise/Passes.h.inc"

/// For IR that others made: a kernel gets the functions that it calls, which tiles have no calling convention for, and
/// functions of elements become one block each.
void buildInliningPipeline(mlir::OpPassManager &pm);

/// For tcc-opt.
void registerRaisePasses();

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_PASSES_H
