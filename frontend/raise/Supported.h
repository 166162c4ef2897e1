//===- Supported.h - reports C++ that tile kernels do not support ------------------------------------------*- C++ -*-//
//
// What tiles cannot express is reported before the raise begins, which then need not handle it.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_SUPPORTED_H
#define TILECC_FRONTEND_RAISE_SUPPORTED_H

#include "frontend/Signature.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"

namespace tilecc {

/// Reports an error for everything in `function` that has no counterpart in TTIR. Returns true if there is no such
/// error. `locate` returns the location of an instruction, even if the instruction has no debug location.
bool checkSupported(llvm::Function &function, TileModule &tiles, mlir::MLIRContext *context,
                    llvm::function_ref<mlir::Location(const llvm::Instruction &)> locate);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_SUPPORTED_H
