//===- BuiltinsMath.h - functions of one element in TTIR ----------------------------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_BUILTINSMATH_H
#define TILECC_FRONTEND_RAISE_BUILTINSMATH_H

#include "frontend/Signature.h"
#include "mlir/IR/Builders.h"

namespace tilecc {

/// Null: not a function of mathematics.
mlir::Value createMath(mlir::OpBuilder &builder, mlir::Location loc, const BuiltinSignature &builtin,
                       mlir::ValueRange args);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_BUILTINSMATH_H
