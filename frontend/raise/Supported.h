//===- Supported.h - what is left of C++ that tile kernels do not have --------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_SUPPORTED_H
#define TILECC_FRONTEND_RAISE_SUPPORTED_H

#include "frontend/Signature.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Emits an error for each thing in `function` that has no counterpart in TTIR; true if there is none. `locate` gives
/// an instruction's place, also for one that has no line of its own.
bool checkSupported(llvm::Function &function, TileModule &tiles, mlir::MLIRContext *context,
                    llvm::function_ref<mlir::Location(const llvm::Instruction &)> locate);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_SUPPORTED_H
