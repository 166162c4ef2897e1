//===- BuiltinsShape.h - operations that make tiles and move their elements --------------------------------*- C++ -*-//

#ifndef TILECC_FRONTEND_RAISE_BUILTINSSHAPE_H
#define TILECC_FRONTEND_RAISE_BUILTINSSHAPE_H

#include "frontend/Signature.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"

namespace tilecc {

/// Null: not one of these operations.
mlir::Value createShapeOp(mlir::OpBuilder &builder, mlir::Location loc, const BuiltinSignature &builtin,
                          mlir::Type result, llvm::ArrayRef<mlir::Value> args);

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_BUILTINSSHAPE_H
