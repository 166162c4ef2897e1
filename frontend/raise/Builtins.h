//===- Builtins.h - the operations of tilecc/detail/builtins.h, by subject --------------------------------*- C++ -*-//
//
// Each function creates what `builtin` names if that is of its subject, from operands that are raised already, and
// returns null if it is not.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_BUILTINS_H
#define TILECC_FRONTEND_RAISE_BUILTINS_H

#include "frontend/Signature.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"

namespace tilecc {

mlir::Value createAtomicOp(mlir::OpBuilder &builder, mlir::Location loc, const BuiltinSignature &builtin,
                           llvm::ArrayRef<mlir::Value> args);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_BUILTINS_H
