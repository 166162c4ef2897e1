//===- EmitContext.h - state shared by a kernel's emission -------------------------------------------------*- C++ -*-//
//
// The state that all classes share while they emit a function: the function itself, the insertion point, the target
// processor, the scalars that have been computed, and the LLVM types of elements. It makes no decisions.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_CPU_EMITCONTEXT_H
#define TILECC_TARGETS_CPU_EMITCONTEXT_H

#include "targets/cpu/Chunk.h"
#include "targets/cpu/DebugInfo.h"
#include "targets/cpu/Isa.h"
#include "targets/cpu/PrepareTTIR.h"
#include "targets/cpu/Schedule.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace tilecc::cpu {

class EmitContext {
public:
  /// Creates the function, without an entry block.
  EmitContext(const Schedule &schedule, const Isa &target, llvm::Module &module, llvm::StringRef symbol, bool contract);
  EmitContext(const EmitContext &) = delete;

  const Schedule &schedule;
  const Isa &target;
  llvm::Module &module;
  llvm::IRBuilder<> b;
  llvm::Function *fn;
  llvm::Value *dummy = nullptr; ///< the address of scalar accesses whose mask is false
  std::optional<DebugInfo> debug;
  bool isStreaming = false; ///< true while stores are emitted as non-temporal stores
  const AccessChecks *checks = nullptr; ///< null: accesses are not checked

  /// Return parameters of the function (tilecc_cpu_fn in abi.h).
  llvm::Value *getArguments() const { return fn->getArg(0); }
  llvm::Value *loadProgramId(unsigned axis) { return loadAxis(fn->getArg(1), axis); }
  llvm::Value *loadNumPrograms(unsigned axis) { return loadAxis(fn->getArg(2), axis); }
  llvm::Value *getScratch() const { return fn->getArg(3); }

  /// Returns the value of a scalar that has been computed.
  llvm::Value *scalar(mlir::Value v) const;
  /// Returns the value of a scalar, or null if it has not been computed.
  llvm::Value *findScalar(mlir::Value v) const { return scalars.lookup(v); }
  void setScalar(mlir::Value v, llvm::Value *value);
  /// Sets the source line of the instructions that are emitted next.
  void moveTo(mlir::Location loc) {
    if (debug)
      debug->moveTo(loc);
  }

  llvm::Type *registerType(mlir::Type element); ///< the type in a register: i16 for f16 and bf16
  llvm::Type *storageType(mlir::Type element); ///< the type in memory: i8 for i1
  unsigned storageBytes(mlir::Type element);
  /// Returns the type of a chunk's elements in registers: a vector, or a scalar for a chunk of one element.
  llvm::Type *vectorType(llvm::Type *element, const Chunk &c);
  llvm::ConstantInt *index(int64_t value) { return b.getInt64(value); }
  llvm::Value *splat(llvm::Value *scalar, unsigned lanes) { return b.CreateVectorSplat(lanes, scalar); }
  llvm::BasicBlock *newBlock(const llvm::Twine &name);
  /// Creates a string constant for messages. Its name is a hash of its contents. A function is identified by its code,
  /// which contains only the names of constants, so different texts must have different names.
  llvm::Constant *text(llvm::StringRef text);
  /// Returns the variable of the module whose address `op` (llvm.mlir.addressof) takes. All code of a program that has
  /// a variable of this name shares it.
  llvm::Constant *variable(mlir::Operation *op);

  /// Returns the first chunk of a tile, with vectors along `vecDim`. If `vecDim` is -1, the chunk is a single element.
  Chunk firstChunk(Shape shape, int vecDim);

  /// Reports that the CPU target does not support `op`, but only once for each operation.
  void reject(mlir::Operation *op, const llvm::Twine &what = "");
  bool hasErrors() const { return !rejected.empty(); }

private:
  llvm::Value *loadAxis(llvm::Value *array, unsigned axis);

  llvm::DenseMap<mlir::Value, llvm::Value *> scalars;
  llvm::SmallPtrSet<mlir::Operation *, 4> rejected;
};

} // namespace tilecc::cpu

#endif // TILECC_TARGETS_CPU_EMITCONTEXT_H
