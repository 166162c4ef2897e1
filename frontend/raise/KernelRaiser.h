//===- KernelRaiser.h - one function of LLVM IR as operations on tiles -------------------------------------*- C++ -*-//
//
// After cleanup a kernel is one function of scalar instructions, branches and calls of builtins. The raise goes over it
// once and keeps its blocks; phis become block arguments. What LLVM no longer says, the element type behind each
// pointer, is inferred first (PointerTypes.cpp).
//
//===----------------------------------------------------------------------------------------------------------------===//

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

/// `type` in TTIR. A bool in memory is a byte, so pointers to bool point to i8. Null where it has no counterpart.
mlir::Type convertType(const ValueType &type, mlir::MLIRContext *context);
/// A scalar of LLVM; structs of scalars, with pointers as i64. Null for pointers and everything else.
mlir::Type convertType(llvm::Type *type, mlir::MLIRContext *context);

/// Ends tcc as a bug in it, not in the user's code (exit status 70), found while raising what stands at `loc`.
[[noreturn]] void reportBug(mlir::Location loc, const llvm::Twine &what);

/// The types of the values that are `ptr` to LLVM, in one function.
class PointerTypes {
public:
  PointerTypes(llvm::Function &function, llvm::ArrayRef<mlir::Type> argumentTypes, const TileModule &tiles,
               mlir::MLIRContext *context);

  /// A tt.ptr, or a tile for the handle of one.
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

/// Raises a kernel, or, into the region of an operation on elements, the function that computes there.
class KernelRaiser {
public:
  KernelRaiser(TileModule &tiles, mlir::OpBuilder &builder) : tiles(tiles), builder(builder) {}

  /// Null: an error was emitted.
  mlir::OwningOpRef<mlir::ModuleOp> raiseKernel(const KernelSignature &kernel);
  mlir::OwningOpRef<mlir::ModuleOp> raiseFunction(const TileFunctionSignature &function);

  // For the handlers of builtins (Builtins.h).
  /// Raises the function that is the first argument of `call` into the region of `op`.
  mlir::LogicalResult raiseElementRegion(llvm::CallInst &call, mlir::Operation *op, llvm::ArrayRef<mlir::Type> arguments);
  /// Of a function on elements: the operation whose region it becomes.
  mlir::Operation *elementOp = nullptr;
  /// What a function on elements hands to builtin::yield, or a tile function returns.
  llvm::SmallVector<mlir::Value> yielded;
  /// Operations of several results, by the calls that made them.
  llvm::DenseMap<const llvm::Value *, mlir::Operation *> groups;

private:
  KernelRaiser(TileModule &tiles, mlir::OpBuilder &builder, mlir::Operation *elementOp)
      : elementOp(elementOp), tiles(tiles), builder(builder) {}

  // The function as a whole.
  void nameVariables(llvm::Function &function);
  mlir::LogicalResult raiseBody(llvm::Function &function, mlir::Region &region, llvm::ArrayRef<mlir::Type> arguments,
                                llvm::ArrayRef<mlir::Location> argumentLocs);
  mlir::LogicalResult raiseBlock(llvm::BasicBlock &block);
  mlir::Location locate(const llvm::Instruction &instruction);
  mlir::Location locate(const llvm::DILocation *loc);
  mlir::Location locate(const Place &place);

  // Values.
  mlir::Type typeOf(const llvm::Value *value);
  /// `expected` types constants that are `ptr` to LLVM. Null: an error was emitted.
  mlir::Value valueOf(llvm::Value *value, mlir::Type expected, mlir::Location loc);
  mlir::Value operand(llvm::Instruction &instruction, unsigned i, mlir::Type expected = {});
  mlir::Value pointerTo(mlir::Type pointee, llvm::Value *pointer, mlir::Location loc);
  mlir::Value asPointerTo(mlir::Type pointee, mlir::Value pointer, mlir::Location loc);
  mlir::LogicalResult edgeArguments(llvm::BasicBlock *from, llvm::BasicBlock *to,
                                    llvm::SmallVectorImpl<mlir::Value> &args);

  // Instructions (Instructions.cpp). A null value without failure: the instruction has none.
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
  mlir::FailureOr<mlir::Value> raiseIntrinsic(llvm::IntrinsicInst &call);
  mlir::LogicalResult raiseTerminator(llvm::Instruction &terminator);

  // Builtins (Builtins.cpp).
  mlir::FailureOr<mlir::Value> raiseBuiltin(llvm::CallInst &call, const BuiltinSignature &signature);
  mlir::Value builtinOperand(llvm::CallInst &call, const BuiltinSignature &signature, unsigned i);

  TileModule &tiles;
  mlir::OpBuilder &builder;
  std::unique_ptr<PointerTypes> pointers;
  llvm::SmallVector<mlir::Type> resultTypes; ///< of a tile function
  llvm::DenseMap<const llvm::Value *, mlir::Value> values;
  llvm::DenseMap<const llvm::BasicBlock *, mlir::Block *> blocks;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_KERNELRAISER_H
