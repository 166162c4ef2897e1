//===- KernelRaiser.h - raises a function of LLVM IR to tile operations ------------------------------------*- C++ -*-//
//
// After cleanup (Cleanup.cpp), a kernel is one function with scalar instructions, branches and calls of builtins. The
// raise visits each instruction once and keeps the basic blocks; phis become block arguments. Pointers in LLVM IR have
// no element types, so these are inferred first (PointerTypes.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_KERNELRAISER_H
#define TILECC_FRONTEND_RAISE_KERNELRAISER_H

#include "frontend/Signature.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace tilecc {

/// Converts `type` to TTIR. A bool in memory is a byte, so a pointer to bool becomes a pointer to i8. Returns null for
/// types that are not supported.
mlir::Type convertType(const ValueType &type, mlir::MLIRContext *context);
/// Converts the LLVM type of a scalar, or of a struct of scalars, in which pointers become i64. Returns null for
/// pointers and all other types.
mlir::Type convertType(llvm::Type *type, mlir::MLIRContext *context);

/// Reports a bug in tcc, not in the user's code, that was found while raising code at `loc`. Exits with status 70.
[[noreturn]] void reportBug(mlir::Location loc, const llvm::Twine &what);

/// The TTIR types of the values of a function that have the type `ptr` in LLVM IR.
class PointerTypes {
public:
  PointerTypes(llvm::Function &function, llvm::ArrayRef<mlir::Type> argumentTypes, const TileModule &tiles,
               mlir::MLIRContext *context);

  /// Returns a tt.ptr or, if the value represents a tile, the tile type.
  mlir::Type lookup(const llvm::Value *value) const;

private:
  void unite(const llvm::Value *a, const llvm::Value *b);
  void learn(const llvm::Value *value, mlir::Type type);
  void learnFromCall(const llvm::CallInst &call, const TileModule &tiles);
  void learnFromAccess(const llvm::Instruction &instruction);

  mlir::MLIRContext *context;
  llvm::EquivalenceClasses<const llvm::Value *> classes;
  llvm::DenseMap<const llvm::Value *, mlir::Type> typeOfLeader;
};

/// Raises a kernel, or a function on elements, which becomes the region of an operation.
class KernelRaiser {
public:
  KernelRaiser(TileModule &tiles, mlir::OpBuilder &builder) : tiles(tiles), builder(builder) {}

  /// Returns null after it has reported an error.
  mlir::OwningOpRef<mlir::ModuleOp> raiseKernel(const KernelSignature &kernel);
  mlir::OwningOpRef<mlir::ModuleOp> raiseFunction(const TileFunctionSignature &function);

  // These members are for the handlers of builtins (Builtins.h).
  /// Raises the function that is the first argument of `call` into the region of `op`.
  mlir::LogicalResult raiseElementRegion(llvm::CallInst &call, mlir::Operation *op,
                                         llvm::ArrayRef<mlir::Type> arguments);
  /// While a function on elements is raised: the operation that contains the region.
  mlir::Operation *elementOp = nullptr;
  /// The operands of builtin::yield in a function on elements, or the results of a tile function.
  llvm::SmallVector<mlir::Value> yielded;
  /// Operations with several results, by the calls that created them.
  llvm::DenseMap<const llvm::Value *, mlir::Operation *> groups;

private:
  KernelRaiser(TileModule &tiles, mlir::OpBuilder &builder, mlir::Operation *elementOp)
      : elementOp(elementOp), tiles(tiles), builder(builder) {}

  // The whole function.
  void nameVariables(llvm::Function &function);
  mlir::LogicalResult raiseBody(llvm::Function &function, mlir::Region &region, llvm::ArrayRef<mlir::Type> arguments,
                                llvm::ArrayRef<mlir::Location> argumentLocs);
  mlir::LogicalResult raiseBlock(llvm::BasicBlock &block);
  mlir::Location locate(const llvm::Instruction &instruction);
  mlir::Location locate(const llvm::DILocation *loc);
  mlir::Location locate(const Place &place);

  // Values.
  mlir::Type typeOf(const llvm::Value *value);
  /// `expected` is the type for constants that have the type `ptr` in LLVM IR. Returns null after it has reported an
  /// error.
  mlir::Value valueOf(llvm::Value *value, mlir::Type expected, mlir::Location loc);
  mlir::Value operand(llvm::Instruction &instruction, unsigned i, mlir::Type expected = {});
  mlir::Value pointerTo(mlir::Type pointee, llvm::Value *pointer, mlir::Location loc);
  mlir::Value asPointerTo(mlir::Type pointee, mlir::Value pointer, mlir::Location loc);
  mlir::LogicalResult edgeArguments(llvm::BasicBlock *from, llvm::BasicBlock *to,
                                    llvm::SmallVectorImpl<mlir::Value> &args);

  // Instructions (Instructions.cpp). A null value means that the instruction has no result.
  mlir::FailureOr<mlir::Value> raiseInstruction(llvm::Instruction &instruction);
  mlir::FailureOr<mlir::Value> raiseArithmetic(llvm::Instruction &instruction);
  mlir::FailureOr<mlir::Value> raiseCast(llvm::CastInst &cast);
  mlir::FailureOr<mlir::Value> raiseCompare(llvm::CmpInst &compare);
  mlir::FailureOr<mlir::Value> raiseSelect(llvm::SelectInst &select);
  mlir::FailureOr<mlir::Value> raiseAddress(llvm::GetElementPtrInst &gep);
  mlir::FailureOr<mlir::Value> raiseLoad(llvm::LoadInst &load);
  mlir::FailureOr<mlir::Value> raiseStore(llvm::StoreInst &store);
  mlir::FailureOr<mlir::Value> raiseExtract(llvm::ExtractValueInst &extract);
  mlir::FailureOr<mlir::Value> raiseCall(llvm::CallInst &call);
  mlir::FailureOr<mlir::Value> raiseTileCall(llvm::CallInst &call, const TileFunctionSignature &callee);
  mlir::FailureOr<mlir::Value> raiseAsMath(llvm::CallBase &call);
  mlir::LogicalResult raiseTerminator(llvm::Instruction &terminator);

  // Builtins (Builtins.cpp).
  mlir::FailureOr<mlir::Value> raiseBuiltin(llvm::CallInst &call, const BuiltinSignature &signature);
  mlir::FailureOr<mlir::Value> raiseThreadFunction(llvm::CallInst &call, const BuiltinSignature &signature);
  mlir::Value builtinOperand(llvm::CallInst &call, const BuiltinSignature &signature, unsigned i);

  TileModule &tiles;
  mlir::OpBuilder &builder;
  std::unique_ptr<PointerTypes> pointers;
  llvm::SmallVector<mlir::Type> resultTypes; ///< the result types of a tile function
  llvm::DenseMap<const llvm::Value *, mlir::Value> values;
  llvm::DenseMap<const llvm::BasicBlock *, mlir::Block *> blocks;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_KERNELRAISER_H
