//===- NewerOps.h - operations that exist only in IR that is read -------------------------------------*- C++ -*-===//
//
// Triton 3.9 spells some operations of this dialect in another way. triton-rewrite-newer-operations replaces them as
// soon as IR has been read. They are declared here and not in TTOps.td because only the dialect and that pass know
// them.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TT_NEWEROPS_H
#define TILECC_LOWERING_DIALECTS_TT_NEWEROPS_H

#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/OpImplementation.h"

namespace tilecc::tt {

/// tt.grid_dependency_launch as Triton 3.9 spells it.
class GridDependencyLaunchDependentsOp
    : public mlir::Op<GridDependencyLaunchDependentsOp, mlir::OpTrait::ZeroOperands, mlir::OpTrait::ZeroResults,
                      mlir::OpTrait::ZeroRegions, mlir::OpTrait::ZeroSuccessors, NoTiles, NoGlobalAccess> {
public:
  using Op::Op;
  static llvm::StringRef getOperationName() { return "tt.grid_dependency_launch_dependents"; }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
  static mlir::ParseResult parse(mlir::OpAsmParser &parser, mlir::OperationState &state) {
    return parser.parseOptionalAttrDict(state.attributes);
  }
  void print(mlir::OpAsmPrinter &printer) { printer.printOptionalAttrDict((*this)->getAttrs()); }
};

} // namespace tilecc::tt

#endif
