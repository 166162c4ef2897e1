//===- TT.h - the tile dialect ------------------------------------------------------------------------------*- C++ -*-//
//
// See TTOps.td. The helpers below are the shape rules that operations, the front end and the lowerings share.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_DIALECTS_TT_H
#define TILECC_LOWERING_DIALECTS_TT_H

#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/tt/Layouts.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "lowering/dialects/tt/TTDialect.h.inc"
#include "lowering/dialects/tt/TTEnums.h.inc"

#include "lowering/dialects/tt/TTInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lowering/dialects/tt/TTTypes.h.inc"

namespace tilecc::tt {

/// Elements of one tile at most (the limit is Triton's).
inline constexpr int64_t maxTileElements = 1 << 20;

/// `t` with its elements replaced: a tile keeps its shape and encoding, a scalar becomes `element`.
mlir::Type withElementType(mlir::Type t, mlir::Type element);
/// The block that a block pointer points to; null for other types.
mlir::RankedTensorType getBlockOf(mlir::Type pointer);
/// A pointer to an element of the block that a block pointer points to; other types stay as they are.
mlir::Type getBaseType(mlir::Type blockPointer);
/// What a pointer or a tile of pointers points to: the type of a load through it.
mlir::Type getPointeeType(mlir::Type ptrLike);
/// The type of a mask over a pointer or a tile of pointers.
mlir::Type getMaskType(mlir::Type ptrLike);
/// Bits of an element in a register: pointers have 64.
unsigned getElementBits(mlir::Type element);

/// Tiles without layout: the elements of `line`, along `axis`, at all places of the others of a tile of `shape`.
mlir::Value createSpread(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value line, unsigned axis,
                         llvm::ArrayRef<int64_t> shape);

/// A trait: the operation has one region, which computes on single elements (see TT_ComputesElements).
template <typename ConcreteType>
class ComputesElements : public mlir::OpTrait::TraitBase<ConcreteType, ComputesElements> {};
/// The operation around `op` whose region computes on elements, if `op` is in one.
inline mlir::Operation *getElementParent(mlir::Operation *op) { return op->getParentWithTrait<ComputesElements>(); }
/// The terminator of such a region of `parent`, and the types of what it returns.
llvm::SmallVector<mlir::Type> getElementReturnTypes(mlir::Operation *parent);
mlir::Operation *createElementReturn(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *parent,
                                     mlir::ValueRange values);

/// What becomes of `src`, the attribute of a constant operand, under another shape or order: a tile of one repeated
/// constant stays one. Null for all others.
mlir::OpFoldResult foldShapeOfSplat(mlir::Attribute src, mlir::Type result);

/// The argument attribute by which a value is assumed to be a multiple of its integer.
inline constexpr llvm::StringLiteral divisibilityAttr = "tt.divisibility";
/// The attribute of an argument: a floating-point number that is positive and finite.
inline constexpr llvm::StringLiteral positiveAttr = "tt.positive";

/// The library name of functions that Triton takes from libdevice and tcc has formulas of its own for.
inline constexpr llvm::StringLiteral ownLibrary = "tilecc";

} // namespace tilecc::tt

#define GET_OP_CLASSES
#include "lowering/dialects/tt/TTOps.h.inc"

#endif // TILECC_LOWERING_DIALECTS_TT_H
