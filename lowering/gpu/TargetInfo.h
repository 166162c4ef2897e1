//===- TargetInfo.h - what differs between GPUs of different vendors ----------------------------------------*- C++ -*-//
//
// Patterns ask this interface how to name a thread, exchange values and wait; none asks which vendor it lowers for.
//
//===----------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_GPU_TARGETINFO_H
#define TILECC_LOWERING_GPU_TARGETINFO_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include <memory>
#include <optional>

namespace tilecc {

/// An instruction of a matrix unit: a warp multiplies a 16 x depth by a depth x 8 matrix and adds a 16 x 8 one. Its lanes
/// hold factors and sums as mmaOperandLayout and mmaResultLayout say.
struct MatrixInstruction {
  enum class Factor { F16, BF16, TF32, F64, S8, U8, E4M3, E5M2 };
  Factor a, b;
  mlir::Type sum; ///< f16, f32, f64 or i32
  unsigned depth;

  unsigned getFactorBits() const;
};

class TargetInfo {
public:
  virtual ~TargetInfo() = default;

  virtual unsigned getWarpSize() const = 0;
  /// Shared memory that one program can have at most.
  virtual unsigned getMaxSharedBytes() const = 0;
  /// Address spaces of LLVM's pointers.
  virtual unsigned getGlobalAddressSpace() const = 0;
  virtual unsigned getSharedAddressSpace() const = 0;

  /// i32: this thread's number within the program, this program's index in the grid, and the grid's size.
  virtual mlir::Value getThreadId(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  virtual mlir::Value getProgramId(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const = 0;
  virtual mlir::Value getNumPrograms(mlir::OpBuilder &builder, mlir::Location loc, unsigned axis) const = 0;

  /// Waits for all threads of the program; accesses to memory, shared and global, do not move across it.
  virtual void barrier(mlir::OpBuilder &builder, mlir::Location loc) const = 0;
  /// The i32 `value` of the lane whose number differs from this one's by XOR with `mask`.
  virtual mlir::Value shuffleXor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                 unsigned mask) const = 0;
  /// The i32 `value` of lane `lane` (i32).
  virtual mlir::Value shuffleIndex(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value,
                                   mlir::Value lane) const = 0;

  /// The instruction that adds products of elements of types `a` and `b` to elements of type `sum`; nothing where there is
  /// none. Integers count as signed, f32 as what may be rounded to tf32.
  virtual std::optional<MatrixInstruction> getMatrixInstruction(mlir::Type a, mlir::Type b, mlir::Type sum) const = 0;
  /// What a lane has of the sum: 4 scalars. Of the 16-row factor `a` it gives 4 words (rows 0-7 and 8-15 of the first
  /// half of the depth, then of the second), of `b` 2. A word is an i32 with neighbours along the depth, or an f64.
  virtual llvm::SmallVector<mlir::Value> multiplyMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                                                          const MatrixInstruction &instruction, mlir::ValueRange a,
                                                          mlir::ValueRange b, mlir::ValueRange c) const = 0;

  /// Marks `func` as a kernel that is launched with `numThreads` threads per program.
  virtual void markKernel(mlir::LLVM::LLVMFuncOp func, unsigned numThreads) const = 0;

  /// Floating-point functions of scalars, as accurate as the language asks (f32 and f64; other types go through f32).
  virtual mlir::Value exp2(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x) const = 0;
  virtual mlir::Value sqrt(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x) const = 0;
  virtual mlir::Value divide(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value x, mlir::Value y) const = 0;

  /// A load from global memory executed where `predicate` (i1) holds, with a cache modifier in PTX's spelling (".cg",
  /// ".volatile"). `type` is an integer or a vector of them, at most 128 bits.
  virtual mlir::Value loadWith(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, mlir::Value ptr,
                               mlir::Value predicate, llvm::StringRef modifier) const = 0;
  /// A store to global or shared memory executed where `predicate` holds; any of `modifier` and `predicate` may be
  /// empty. `value` is a vector of at most 128 bits.
  virtual void store(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value, mlir::Value ptr,
                     mlir::Value predicate, llvm::StringRef modifier = "") const = 0;
};

/// The target that a module's ttg.target names ("cuda:90"); null, with the reason in `error`, if there is none such.
std::unique_ptr<TargetInfo> createTargetInfo(llvm::StringRef target, std::string &error);
std::unique_ptr<TargetInfo> createNvidiaTargetInfo(unsigned sm);

} // namespace tilecc

#endif
