//===- TT.h - the tile dialect --------------------------------------------------------------------------*- C++ -*-===//
//
// The operations and types are described in TTOps.td. This header also declares helpers that the dialect's operations,
// the front end and the lowerings share.
//
//===-------------------------------------------------------------------------------------------------------------===//

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

#define GET_ATTRDEF_CLASSES
#include "lowering/dialects/tt/TTAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "lowering/dialects/tt/TTTypes.h.inc"

namespace tilecc::tt {

/// The resource that tt.record writes.
struct Profile : mlir::SideEffects::Resource::Base<Profile> {
  llvm::StringRef getName() final { return "<Profile>"; }
};

/// The maximum number of elements of a tile (Triton's limit).
inline constexpr int64_t maxTileElements = 1 << 20;

/// Returns `t` with another element type: a tile keeps its shape and encoding, a scalar becomes `element`.
mlir::Type withElementType(mlir::Type t, mlir::Type element);
/// Returns the block to which a block pointer points, or null for other types.
mlir::RankedTensorType getBlockOf(mlir::Type pointer);
/// Returns the type of a pointer to an element of a block pointer's block; other types are returned unchanged.
mlir::Type getBaseType(mlir::Type blockPointer);
/// Returns the pointee type of a pointer or a tile of pointers: the type of a load through it.
mlir::Type getPointeeType(mlir::Type ptrLike);
/// Returns the type of a mask for a pointer or a tile of pointers.
mlir::Type getMaskType(mlir::Type ptrLike);
/// Returns the size in bits of an element in a register; a pointer has 64.
unsigned getElementBits(mlir::Type element);

/// Returns true if `op` contains calls of device functions. In such a kernel, each program runs in one block, and all
/// warps execute the same code.
bool callsThreads(mlir::Operation *op);
/// Returns true if `op` contains calls of device functions, or of library functions that are compiled like device
/// functions.
bool usesThreadCode(mlir::Operation *op);

/// Broadcasts `line`, a tile of rank 1, to a tile of `shape`: each element moves to its position along `axis`, and is
/// repeated along the other axes. The tiles have no layout.
mlir::Value createSpread(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value line, unsigned axis,
                         llvm::ArrayRef<int64_t> shape);

/// Trait of an operation with one region that computes on single elements (see TT_ComputesElements).
template <typename ConcreteType>
class ComputesElements : public mlir::OpTrait::TraitBase<ConcreteType, ComputesElements> {};
/// Returns the enclosing operation whose region computes on elements, if there is one.
inline mlir::Operation *getElementParent(mlir::Operation *op) { return op->getParentWithTrait<ComputesElements>(); }
/// Return the types that a region on elements of `parent` returns, and create the terminator of such a region.
llvm::SmallVector<mlir::Type> getElementReturnTypes(mlir::Operation *parent);
mlir::Operation *createElementReturn(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *parent,
                                     mlir::ValueRange values);

/// Folds an operation that changes only the shape or the order of axes, if its operand `src` is a constant splat.
/// Returns null for other operands.
mlir::OpFoldResult foldShapeOfSplat(mlir::Attribute src, mlir::Type result);

/// Argument attribute: the value is assumed to be a multiple of this integer.
inline constexpr llvm::StringLiteral divisibilityAttr = "tt.divisibility";
/// Argument attribute: the value, a floating-point number, is positive and finite.
inline constexpr llvm::StringLiteral positiveAttr = "tt.positive";

/// The library name of functions that Triton takes from libdevice, and that tcc computes by its own formulas.
inline constexpr llvm::StringLiteral ownLibrary = "tilecc";
/// The library name of device functions, which are compiled for single threads, like the callees of tt.call_threads.
inline constexpr llvm::StringLiteral threadLibrary = "threads";

} // namespace tilecc::tt

#define GET_OP_CLASSES
#include "lowering/dialects/tt/TTOps.h.inc"

#endif // TILECC_LOWERING_DIALECTS_TT_H
